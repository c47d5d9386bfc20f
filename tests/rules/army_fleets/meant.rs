//! The army/fleet page, rule 3: to which army an order to land applies, for all readers of orders.

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use upheaval::ids::Power;
use upheaval::reading::{Decision, OrderSource, OrderText, Refusal};
use upheaval::rules::order::Boarding;
use upheaval::session::Session;

#[test]
fn army_fleet_rule_3_of_two_orders_for_one_army_the_first_counts_in_a_session() {
    let mut game = Session::new("deluge-ii", 1).expect("it ships");
    for order in ["A EDI B", "A LVP B", "F LON B"] {
        game.order(Power::ENGLAND, order).expect(order);
    }
    game.advance();
    game.order(Power::ENGLAND, "F LON - NTH").expect("legal");
    game.advance();
    assert_eq!(game.order(Power::ENGLAND, "A EDI E F NTH").map(|_| ()), Ok(()));
    game.order(Power::ENGLAND, "A NTH D NWY").expect("legal");
    assert_eq!(game.order(Power::ENGLAND, "A NTH D HOL"), Err(Refusal::LandsTwice));
    // For another sea it is another order, although a stray one.
    game.order(Power::ENGLAND, "A SKA D DEN").expect("legal");
    let turn = game.advance();
    let results: Vec<_> = turn.results.iter().map(|result| (&*result.order, &*result.words)).collect();
    let expected = [("A EDI E F NTH", "ok"), ("A NTH D NWY", "ok"), ("A SKA D DEN", "void")];
    assert_eq!(results, expected.each_ref().map(|(order, word)| (*order, std::slice::from_ref(word))));
}

/// Answers of programs are read like a player's orders, and game files are read as records.
#[test]
fn army_fleet_rule_3_of_two_orders_for_one_army_the_first_counts_for_programs_and_game_files() {
    let table = at(&[(Power::ENGLAND, &["A/F ENG", "A LON"])]);
    let texts = ["A ENG D PIC", "A LON - WAL", "A ENG D BRE", "A LON - YOR"];
    let lines = texts.map(|text| OrderText { power: Power::ENGLAND, text });
    for manner in [OrderSource::Player, OrderSource::Record] {
        let read = table.understand(&lines, manner);
        let Ok(Decision::Landing(landing)) = read[0] else { panic!("{manner:?}: {:?}", read[0]) };
        assert_eq!(table.name(landing.to), "PIC", "{manner:?}");
        assert!(matches!(read[1], Ok(Decision::Order { .. })), "{manner:?}");
        assert_eq!(read[2], Err(Refusal::LandsTwice), "{manner:?}");
        assert_eq!(read[3], Err(Refusal::Twice), "{manner:?}");
    }
}

fn at(units: &[(Power, &[&str])]) -> Table {
    DELUGE_II.set("S1901M", &[], units, &[])
}

/// A direct test of the function that reader and adjudicator share.
#[test]
fn army_fleet_rule_3_the_fleets_that_an_order_to_land_is_for() {
    let for_whom = |units: &[&str], orders: &[&str], sea: &str| -> Vec<String> {
        let table = at(&[(Power::ENGLAND, units), (Power::FRANCE, &["A/F WES"])]);
        let (terrain, orders) = (table.game.terrain(), table.read(orders));
        let boarding = Boarding::of(terrain.board(), table.position(), &orders);
        let fleets =
            boarding.landers(terrain.board(), table.position(), &orders, Power::ENGLAND, table.id(sea));
        table.names(fleets).into_iter().map(str::to_owned).collect()
    };
    type Lines = &'static [&'static str];
    let cases: [(Lines, Lines, &str, Lines); 10] = [
        (&["A/F ENG", "A/F MAO"], &[], "ENG", &["ENG"]),
        // It stays, and nobody gets in.
        (&["A/F ENG", "A/F MAO"], &["A/F MAO - ENG"], "ENG", &["ENG"]),
        (&["A/F ENG", "A/F MAO"], &["A/F MAO - ENG", "A/F ENG - NTH"], "ENG", &["MAO"]),
        (&["A/F ENG", "A/F NAO"], &["A/F ENG - MAO", "A/F NAO - MAO"], "MAO", &["ENG", "NAO"]),
        (&["A/F ENG", "A/F MAO"], &["A/F ENG - NTH"], "ENG", &[]),
        // Empty.
        (&["A/F ENG", "F MAO"], &["F MAO - ENG", "A/F ENG - NTH"], "ENG", &[]),
        (&["A LON", "F ENG"], &["A LON E F ENG"], "ENG", &["ENG"]),
        (&["A LON", "A WAL", "F ENG"], &["A LON E F ENG", "A WAL E F ENG"], "ENG", &[]),
        // An army/fleet does not go ashore: it stays.
        (&["A LON", "F ENG"], &["A LON E F ENG", "F ENG - BRE"], "ENG", &["ENG"]),
        // Another power's.
        (&["A/F ENG"], &[], "WES", &[]),
    ];
    for (units, orders, sea, fleets) in cases {
        assert_eq!(for_whom(units, orders, sea), fleets, "{units:?}: {orders:?} from {sea}");
    }
}
