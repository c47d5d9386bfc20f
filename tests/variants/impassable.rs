//! `impassable`: the rules of Impassable (ru05), as docs/rules.md lists them.

use crate::helpers::shipped::IMPASSABLE;
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::record::GameEnd;

const FIVE: [&str; 5] = ["BUR", "PAR", "NAF", "BAR", "ANK"];

/// A game with these five impassable places from its start, and what spreads in its first seasons.
fn table(spreads: &[(&str, &str)]) -> Table {
    let mut table = Table::new_game(IMPASSABLE.variant(), 1950);
    for place in FIVE {
        table = table.drawn("W1900", "first-five", place);
    }
    let mut table = spreads.iter().fold(table, |table, (season, place)| table.drawn(season, "spread", place));
    table.rest_of_season();
    table
}

/// The impassable places that are not Switzerland.
fn closed(table: &Table) -> Vec<&str> {
    table.names(table.game.terrain().chart().map().holes())
}

#[test]
fn ru05_five_random_spaces_are_impassable_before_the_game_homes_with_units_too() {
    let mut table = table(&[]);
    assert_eq!(table.phase(), "S1901M");
    assert_eq!(table.offered("first-five")[0].len(), 75, "any province");
    assert_eq!(closed(&table), ["ANK", "BAR", "BUR", "NAF", "PAR"]);
    assert_eq!(table.units(Power::FRANCE), ["A MAR", "F BRE"], "the unit in Paris is destroyed");
    assert!(!table.game.terrain().centres().contains(table.id("PAR")), "its centre does not count any more");
    table.season(&[]);
    assert_eq!(table.offered("first-five").len(), 1, "once");
}

#[test]
fn ru05_from_fall_1901_each_space_that_touches_an_impassable_one_has_a_die_before_the_moves() {
    let mut table = table(&[("S1901", "MUN"), ("W1901", "TYR")]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "F1901M");
    assert!(closed(&table).contains(&"MUN"), "before the moves of Fall");
    let first = &table.offered("spread")[0];
    for (place, touches) in [
        ("MUN", true),
        ("MAR", true),
        ("NWY", true),
        ("BLA", true),
        ("TYR", false),
        ("LON", false),
        ("SWI", false),
    ] {
        assert_eq!(first.contains(&place), touches, "{place}");
    }
    assert!(!first.contains(&"VEN"), "Switzerland and the Outside do not spread");
    table.season(&[]);
    assert_eq!(table.phase(), "S1902M");
    assert!(closed(&table).contains(&"TYR"), "Munich has spread before the moves of Spring");
    assert_eq!(table.offered("spread").len(), 2, "once before each movement");
}

#[test]
fn ru05_what_becomes_impassable_does_not_spread_at_once() {
    let mut table = table(&[("S1901", "MUN"), ("S1901", "TYR")]);
    table.move_all(&[]);
    assert!(closed(&table).contains(&"MUN") && !closed(&table).contains(&"TYR"));
}

#[test]
fn ru05_a_unit_there_is_destroyed_and_the_centre_does_not_count() {
    let mut table = table(&[("S1901", "MAR")]);
    table.move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["F BRE"]);
    assert_eq!(table.centres(Power::FRANCE), ["BRE"]);
}

#[test]
fn ru05_orders_are_written_on_the_new_map() {
    let mut table = table(&[("S1901", "MUN")]);
    table.move_all(&[]);
    let germany = table.game.terrain().board().army_reach(table.id("BER"));
    assert!(!germany.contains(table.id("MUN")));
}

#[test]
fn ru05_on_one_of_six_faces() {
    let variant = IMPASSABLE.variant();
    let chance = variant.parameters().into_iter().find(|parameter| parameter.key == "changes.spread.chance");
    assert_eq!(chance.expect("a chance").value, "1/6");
}

#[test]
fn ru05_over_half_of_the_centres_that_exist_win_and_with_no_unit_left_nobody_does() {
    let own = "PAR BRE MAR POR SPA BEL HOL LON LVP EDI NWY SWE DEN KIE BER MUN TUN";
    let own: Vec<&str> = own.split(' ').collect();
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON"])];
    let centres: &Lists<'_> = &[(Power::FRANCE, &own), (Power::TURKEY, &["CON"])];
    for (closed, wins) in [("void VEN", true), ("void TYR", false)] {
        let mut table = IMPASSABLE.set("F1902M", &[closed], units, centres);
        table.move_all(&[]);
        assert_eq!(table.game.stage() == Stage::Over, wins, "17 of 33 win: {closed}");
    }
    let mut last = IMPASSABLE.set("F1902M", &[], &[(Power::TURKEY, &["A SYR"])], &[]);
    let row = last.recorded(|table| table.season(&[]));
    assert_eq!((row.end, row.draw_size), (GameEnd::Deserted, 0));
}
