//! Army/fleets in a game: their legal orders and notation, the hash, the log.

use std::sync::Arc;

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use expect_test::expect_file;
use upheaval::game::Game;
use upheaval::ids::Power;
use upheaval::rules::event::Event;
use upheaval::rules::legal;
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::{Landing, Order, Orders};
use upheaval::rules::position::Cargo;
use upheaval::rules::variant::Variant;

/// The variant in which an army may end only this many movement phases aboard.
fn limited_to(seasons: u8) -> Arc<Variant> {
    DELUGE_II.changed("max_seasons_aboard = \"unlimited\"", &format!("max_seasons_aboard = {seasons}"))
}

fn at(units: &[(Power, &[&str])]) -> Table {
    DELUGE_II.set("S1901M", &[], units, &[])
}

/// The legal orders of the unit in a province, as sorted texts; the other queries about them are checked against the
/// list first.
fn legal_orders(table: &Table, province: &str) -> Vec<String> {
    let (board, position, chains) = (table.game.terrain().board(), table.position(), table.chains());
    let unit = table.id(province);
    let mut orders = Vec::new();
    legal::legal_orders(board, position, &chains, unit, &mut orders);
    assert!(orders.is_sorted(), "{orders:?}");
    assert_eq!(legal::count(board, position, &chains, unit), orders.len());
    for (n, order) in orders.iter().enumerate() {
        assert_eq!(legal::nth(board, position, &chains, unit, n), Some(*order));
        assert!(legal::is_legal(board, position, &chains, unit, *order), "{order:?}");
    }
    let text = |order: &Order| {
        let written = WrittenOrder::from_order(position, unit, *order).expect("it names units");
        written.display(table.game.terrain().names()).to_string()
    };
    let mut texts: Vec<String> = orders.iter().map(text).collect();
    texts.sort();
    texts
}

fn landings(table: &Table, fleet: &str) -> Vec<Landing> {
    legal::landings(table.game.terrain().board(), table.position(), &table.chains(), table.id(fleet))
        .collect()
}

fn text_of(table: &Table, landing: Landing) -> String {
    WrittenOrder::from_landing(landing).display(table.game.terrain().names()).to_string()
}

fn landing_texts(table: &Table, fleet: &str) -> Vec<String> {
    let mut texts: Vec<String> = landings(table, fleet).into_iter().map(|l| text_of(table, l)).collect();
    texts.sort();
    texts
}

/// An English pair in the Mid-Atlantic, a French fleet in the Channel that the army in Brest may board.
fn worked_out() -> Table {
    at(&[(Power::ENGLAND, &["A/F MAO"]), (Power::FRANCE, &["A BRE", "F ENG"])])
}

#[test]
fn army_fleet_rules_1_to_5_the_legal_orders() {
    let mut listed = Vec::new();
    let mut list = |of: &str, texts: Vec<String>| listed.push(format!("{of}:\n{}\n", texts.join("\n")));
    let table = worked_out();
    for province in ["BRE", "ENG", "MAO"] {
        list(province, legal_orders(&table, province));
    }
    for fleet in ["ENG", "MAO"] {
        list(&format!("Landings from {fleet}"), landing_texts(&table, fleet));
    }
    let empty = at(&[(Power::ENGLAND, &["A/F MAO"]), (Power::FRANCE, &["F ENG"])]);
    assert!(landing_texts(&empty, "ENG").is_empty(), "nobody may board");
    expect_file!["legal.txt"].assert_eq(&listed.join("\n"));
}

#[test]
fn army_fleet_rule_5_no_convoy_over_two_seas_is_legal() {
    let table = at(&[(Power::ENGLAND, &["A LON", "F ENG", "F MAO"])]);
    let mut by_sea = [legal_orders(&table, "LON"), legal_orders(&table, "MAO")].concat();
    by_sea.retain(|text| text.ends_with("VIA") || text.split(' ').nth(2) == Some("C"));
    assert_eq!(by_sea, ["A LON - BEL VIA", "A LON - BRE VIA", "A LON - PIC VIA", "A LON - WAL VIA"]);
}

#[test]
fn army_fleet_rule_3_a_landing_is_legal_for_the_power_of_the_fleet() {
    let table = worked_out();
    let (board, position, chains) = (table.game.terrain().board(), table.position(), table.chains());
    for landing in landings(&table, "MAO") {
        assert_eq!(landing.power, Power::ENGLAND);
        assert!(legal::is_legal_landing(board, position, &chains, landing));
        let french = Landing { power: Power::FRANCE, ..landing };
        let could_be_there = ["ENG", "IRI", "MAO"].map(|sea| table.id(sea)).contains(&landing.from);
        assert_eq!(
            legal::is_legal_landing(board, position, &chains, french),
            could_be_there,
            "by its own fleet"
        );
    }
}

#[test]
fn formats_1_a_fleet_that_is_boarded_is_written_as_a_pair() {
    let table = at(&[(Power::ENGLAND, &["A LON", "F ENG", "F NTH"])]);
    let (position, names) = (table.position(), table.game.terrain().names());
    let mut orders = Orders::all_hold();
    orders[table.id("LON")] = Order::Embark { fleet: table.id("ENG") };
    orders[table.id("NTH")] = Order::SupportHold { unit: table.id("ENG") };
    let text = |unit: &str| {
        let written = WrittenOrder::from_orders(position, &orders, table.id(unit)).expect("a unit");
        written.display(names).to_string()
    };
    assert_eq!(text("LON"), "A LON E F ENG");
    assert_eq!(text("ENG"), "A/F ENG H");
    assert_eq!(text("NTH"), "F NTH S A/F ENG");
}

#[test]
fn the_hash_of_a_game_knows_what_a_fleet_carries() {
    let hash = |units: &[&str]| at(&[(Power::ENGLAND, units)]).game.hash();
    assert_eq!(hash(&["A/F ENG"]), hash(&["A/F ENG"]));
    assert_ne!(hash(&["A/F ENG"]), hash(&["F ENG"]));
    // And for how long, if that is limited.
    let after = |variant: Arc<Variant>, seasons: u8| {
        let table = Table::set_in(variant, "S1901M", &[], &[(Power::ENGLAND, &["A/F ENG"])], &[]);
        let mut world = table.game.world().clone();
        world.position.set_cargo(table.id("ENG"), Cargo::Army { seasons });
        Game::resumed(Arc::clone(table.game.variant()), 1950, world, table.game.phase()).hash()
    };
    assert_ne!(after(limited_to(4), 1), after(limited_to(4), 2));
    assert_eq!(after(DELUGE_II.variant(), 1), after(DELUGE_II.variant(), 2));
}

#[test]
fn the_log_is_told_who_boards_lands_is_ferried_aboard_and_is_lost() {
    let mut table =
        at(&[(Power::ENGLAND, &["A LON", "F ENG", "A YOR", "F NTH"]), (Power::FRANCE, &["A BRE"])]);
    table.move_all(&["A LON - BRE", "F ENG C A LON - BRE", "A YOR E F NTH", "A NTH D HOL"]);
    assert_eq!(table.units(Power::ENGLAND), ["A HOL", "A/F ENG", "F NTH"]);
    let (yorkshire, london) = (table.id("YOR"), table.id("LON"));
    let boarded = |from| table.when(|event| matches!(event, Event::Embarked { from: f, .. } if *f == from));
    assert!(boarded(yorkshire).is_some());
    assert!(boarded(london).is_some());
    assert!(table.when(|event| matches!(event, Event::Landed { .. })).is_some());
    let lost = |table: &Table| table.when(|event| matches!(event, Event::LostAtSea(..))).is_some();
    let units: [(Power, &[&str]); 1] = [(Power::ENGLAND, &["A/F ENG"])];
    for (variant, expected) in [(limited_to(1), true), (DELUGE_II.variant(), false)] {
        let mut table = Table::set_in(variant, "S1901M", &[], &units, &[(Power::ENGLAND, &["EDI", "NWY"])]);
        table.season(&[]).season(&[]);
        assert_eq!(lost(&table), expected);
    }
}
