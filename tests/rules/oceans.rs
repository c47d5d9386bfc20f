//! Boards of maximum size, covered with units: nothing takes forever, and nothing is skipped silently.

use std::sync::Arc;

use crate::helpers::shipped::variant;
use crate::helpers::small_maps::{chart, ocean};
use crate::helpers::table::Table;
use upheaval::ids::{Power, ProvinceId, UnitKind};
use upheaval::reading::OrderText;
use upheaval::rules::legal;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::order::Order;
use upheaval::rules::settlement::SettledOrder;
use upheaval::rules::variant::Variant;
use upheaval::settle;

/// A game of this variant on an ocean with a unit in every province: `kind` gives its kind, at sea or on land.
fn full(of: &str, kind: impl Fn(bool) -> &'static str) -> Table {
    let terrain = Arc::new(MapTables::new(chart(&ocean(14, 16))));
    let (board, names) = (terrain.board(), terrain.names());
    let unit = |at: ProvinceId| format!("{} {}", kind(board.sea().contains(at)), names.province(at));
    let units: Vec<String> = board.passable().iter().map(unit).collect();
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    let variant = Variant { terrain: Arc::clone(&terrain), ..Variant::clone(&variant(of)) };
    Table::set_in(Arc::new(variant), "S1905M", &[], &[(Power::FRANCE, &units)], &[])
}

#[test]
fn an_ocean_full_of_fleets_has_more_routes_than_can_be_followed_and_every_convoy_counts_as_of_use() {
    let table = full("standard", |is_sea| if is_sea { "F" } else { "A" });
    let (board, position) = (table.game.terrain().board(), table.position());
    let chains = table.chains();
    let armies: Vec<ProvinceId> =
        position.occupied().iter().filter(|&at| board.land().contains(at)).collect();
    let mut orders = Vec::new();
    for fleet in [table.id("C0000"), table.id("C0709")] {
        assert_eq!(position.unit(fleet).map(|unit| unit.kind), Some(UnitKind::Fleet));
        orders.clear();
        legal::legal_orders(board, position, &chains, fleet, &mut orders);
        let convoys = orders.iter().filter(|order| matches!(order, Order::Convoy { .. })).count();
        assert_eq!(convoys, armies.len() * (armies.len() - 1));
        assert_eq!(orders.len(), legal::count(board, position, &chains, fleet));
    }
}

#[test]
fn landings_for_which_there_is_no_room_any_more_say_so() {
    let mut table = full("deluge-ii", |is_sea| if is_sea { "A/F" } else { "A" });
    let board = table.game.terrain().board();
    let seas: Vec<ProvinceId> = board.sea().iter().collect();
    let landing = |&sea: &ProvinceId| {
        let shore = board.land().iter().find(|&land| board.fleet_reach_any(sea).contains(land))?;
        Some(format!("A {} D {}", table.name(sea), table.name(shore)))
    };
    let orders: Vec<String> = seas.iter().filter_map(landing).collect();
    let lines: Vec<OrderText<'_>> =
        orders.iter().map(|text| OrderText { power: Power::FRANCE, text }).collect();
    let Table { game, referee, nature, told, .. } = &mut table;
    let settled = settle::settle(game, referee, &lines, nature, told);
    let reason = Some("no more than 255 units and landings are settled at once");
    let has_no_room =
        |outcome: &&SettledOrder| outcome.words == ["illegal"] && outcome.reason.as_deref() == reason;
    let no_room = settled.orders.iter().filter(has_no_room).count();
    assert!(no_room > 0 && no_room < orders.len(), "{no_room} of {}", orders.len());
    assert!(settled.orders.iter().all(|outcome| !outcome.words.is_empty()));
}
