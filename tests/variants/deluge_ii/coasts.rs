//! Coasts that the water creates are derived from the map and not listed in a table: the effect of sinking Venice on
//! Rome and on all other neighbours.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use upheaval::ids::Power;

/// A Winter before which, or in which, these provinces have sunk.
fn before(phase: &str, sunk: &[&str], units: &[(Power, &[&str])]) -> Table {
    let events: Vec<String> = sunk.iter().map(|name| format!("submerge {name}")).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    Table::set_in(variant("deluge-ii"), phase, &events, units, &[(Power::ITALY, &["ROM", "NAP", "TUN"])])
}

/// The coasts of a province, each with the places that a fleet on it can reach.
fn coasts(table: &Table, name: &str) -> Vec<(String, Vec<String>)> {
    table.face(name).fleet.into_iter().collect()
}

fn expect(table: &Table, name: &str, coasts_with_reach: &[(&str, &[&str])]) {
    let expected: Vec<(String, Vec<String>)> = coasts_with_reach
        .iter()
        .map(|(coast, reach)| ((*coast).to_owned(), reach.iter().map(|&to| to.to_owned()).collect()))
        .collect();
    assert_eq!(coasts(table, name), expected, "{name}");
}

#[test]
fn sinking_venice_gives_rome_a_second_coast() {
    let before_it = before("W1901A", &[], &[]);
    expect(&before_it, "ROM", &[("", &["NAP", "TUS", "TYS"])]);
    let mut table = before("W1901A", &[], &[]);
    table.adjust();
    // The sea that was Venice on one side, the Tyrrhenian on the other; no fleet passes between them.
    expect(&table, "ROM", &[("NC", &["APU", "TUS/NC", "VEN"]), ("SC", &["NAP", "TUS/SC", "TYS"])]);
}

#[test]
fn sinking_venice_gives_its_other_neighbours_their_coasts() {
    let mut table = before("W1901A", &[], &[]);
    assert!(table.face("TYR").coasts.is_empty(), "Tyrolia lies inland");
    table.adjust();
    expect(&table, "VEN", &[("", &["ADR", "APU", "PIE/EC", "ROM/NC", "TRI", "TUS/NC", "TYR"])]);
    expect(&table, "TYR", &[("", &["PIE/EC", "TRI", "VEN"])]);
    expect(&table, "PIE", &[("EC", &["TUS/NC", "TYR", "VEN"]), ("SC", &["LYO", "MAR/SC", "TUS/SC"])]);
    expect(
        &table,
        "TUS",
        &[("NC", &["PIE/EC", "ROM/NC", "VEN"]), ("SC", &["LYO", "PIE/SC", "ROM/SC", "TYS"])],
    );
    // Gascony sinks as well and gives Marseilles a northern coast. One shore each, along the old sea and the new.
    expect(&table, "APU", &[("", &["ADR", "ION", "NAP", "ROM/NC", "VEN"])]);
    expect(&table, "TRI", &[("", &["ADR", "ALB", "TYR", "VEN"])]);
    expect(&table, "NAP", &[("", &["APU", "ION", "ROM/SC", "TYS"])]);
}

#[test]
fn armies_walk_no_more_through_what_was_venice() {
    let mut table = before("W1901A", &[], &[(Power::ITALY, &["A ROM"]), (Power::AUSTRIA, &["A TYR"])]);
    assert!(table.face("ROM").army.contains(&"VEN".to_owned()));
    table.rest_of_season();
    assert_eq!(table.face("ROM").army, ["APU", "NAP", "TUS"]);
    assert_eq!(table.face("TYR").army, ["BOH", "MUN", "PIE", "TRI", "VIE"]);
}

#[test]
fn a_fleet_in_rome_stays_on_the_coast_it_was_on() {
    let mut table = before("W1901A", &[], &[(Power::ITALY, &["F ROM", "F APU"])]);
    table.adjust();
    assert_eq!(table.units(Power::ITALY), ["F APU", "F ROM/SC"], "where the Tyrrhenian Sea is");
}

#[test]
fn what_lay_inland_can_build_and_launch_fleets_then() {
    let mut table = before("S1902M", &["VEN"], &[(Power::AUSTRIA, &["A TYR"])]);
    table.move_all(&["A TYR T F"]);
    assert_eq!(table.units(Power::AUSTRIA), ["F TYR"]);
    table.move_all(&["F TYR - VEN"]);
    assert_eq!(table.units(Power::AUSTRIA), ["F VEN"], "at sea");
}

#[test]
fn a_fleet_that_floats_where_its_province_sank_sails_on() {
    let mut table = before("W1901A", &[], &[(Power::ITALY, &["F VEN"])]);
    table.adjust();
    table.move_all(&["F VEN - TYR"]);
    assert_eq!(table.units(Power::ITALY), ["F TYR"]);
}

#[test]
fn two_sunken_neighbours_are_two_seas_that_touch() {
    // Tuscany and Naples sink in 1903, Apulia in 1902: the rest of Rome is an island except for its own two shores.
    let mut table = before("W1903A", &["VEN", "APU"], &[]);
    table.adjust();
    let sea = |name: &str| table.face(name).fleet[""].clone();
    assert!(sea("TUS").contains(&"VEN".to_owned()) && sea("VEN").contains(&"TUS".to_owned()));
    assert_eq!(table.face("ROM").army, [""; 0], "Rome is an island");
    expect(&table, "ROM", &[("", &["APU", "NAP", "TUS", "TYS", "VEN"])]);
}
