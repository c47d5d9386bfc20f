//! Landings that obstruct the fleet from which they are made. A landing is void if its fleet does not get to the sea
//! that it names (army/fleet rule 4), so each may depend on the other. As with a convoy, the army gives way if there is
//! no other solution: it stays aboard and has no effect.

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use upheaval::ids::Power;

fn at(units: &[(Power, &[&str])]) -> Table {
    DELUGE_II.set("S1901M", &[], units, &[])
}

#[test]
fn a_landing_does_not_dislodge_who_supports_its_own_fleet() {
    let mut table = at(&[
        (Power::ENGLAND, &["A/F ENG", "A SPA"]),
        (Power::FRANCE, &["F POR"]),
        (Power::ITALY, &["F MAO"]),
    ]);
    table.move_all(&["A/F ENG - MAO", "F POR S A/F ENG - MAO", "A MAO D POR", "A SPA S A MAO D POR"]);
    // Without the support no fleet gets to MAO, without the fleet there is no landing, and without the landing the
    // support counts.
    assert_eq!(table.units(Power::ENGLAND), ["A SPA", "A/F MAO"]);
    assert_eq!(table.units(Power::FRANCE), ["F POR"]);
    assert!(table.units(Power::ITALY).is_empty());
}

#[test]
fn a_ring_does_not_turn_that_brings_the_landing_which_stops_it() {
    let mut table = at(&[(Power::ENGLAND, &["A/F ENG"]), (Power::FRANCE, &["F MAO", "F BRE"])]);
    table.move_all(&["A/F ENG - MAO", "F MAO - BRE", "F BRE - ENG", "A MAO D BRE"]);
    // The only consistent outcome is that all stay, so nothing has to give way.
    assert_eq!(table.units(Power::ENGLAND), ["A/F ENG"]);
    assert_eq!(table.units(Power::FRANCE), ["F BRE", "F MAO"]);
    let mut table = at(&[(Power::ENGLAND, &["A/F ENG"]), (Power::FRANCE, &["F MAO", "F BRE"])]);
    table.move_all(&["A/F ENG - MAO", "F MAO - BRE", "F BRE - ENG", "A MAO D POR"]);
    assert_eq!(table.units(Power::ENGLAND), ["A POR", "F MAO"]);
}

#[test]
fn two_landings_that_would_each_stop_the_others_fleet_both_fail() {
    let mut table = at(&[(Power::AUSTRIA, &["A/F BAR", "F NTH"]), (Power::ENGLAND, &["A/F SKA", "F NWG"])]);
    let fleets = ["A/F BAR - NWG", "F NWG - NWY", "A/F SKA - NTH", "F NTH - EDI"];
    let armies = ["A NTH D NWY", "A NWG D EDI"];
    table.move_all(&[&fleets[..], &armies].concat());
    assert_eq!(table.units(Power::AUSTRIA), ["A/F NWG", "F EDI"]);
    assert_eq!(table.units(Power::ENGLAND), ["A/F NTH", "F NWY"]);
}

#[test]
fn a_landing_that_clears_the_way_for_its_own_fleet_succeeds_with_it() {
    let mut table = at(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI", "A SPA"]),
        (Power::FRANCE, &["F POR"]),
        (Power::ITALY, &["F MAO"]),
    ]);
    let fleets = ["A/F ENG - MAO", "F IRI S A/F ENG - MAO", "F POR S F MAO"];
    table.move_all(&[&fleets[..], &["A MAO D POR", "A SPA S A MAO D POR"]].concat());
    // Both success and failure are consistent; as in a ring, all succeed.
    assert_eq!(table.units(Power::ENGLAND), ["A POR", "A SPA", "F IRI", "F MAO"]);
}
