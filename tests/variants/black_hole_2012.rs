//! `black-hole-2012`: the rules of Black Hole as played on PlayDiplomacy in 2012, as docs/rules.md lists them.

use crate::helpers::shipped::BLACK_HOLE_2012;
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::{CoastId, Power};
use upheaval::rules::event::Event;

/// A position of France and Germany, whose units hold, and the hole of Spring 1902.
fn after(hole: &str, units: &Lists<'_>) -> Table {
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR"]), (Power::GERMANY, &["MUN"])];
    let mut table = BLACK_HOLE_2012.set("S1902M", &[], units, centres).hole("S1902", hole);
    table.move_all(&[]);
    table
}

#[test]
fn black_hole_2012_one_of_75_provinces_or_switzerland_collapses_and_no_centre_is_exempt() {
    let france: (&Lists<'_>, &Lists<'_>) = (&[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])]);
    let mut table = BLACK_HOLE_2012.set("S1902M", &[], france.0, france.1).hole("S1902", "SWI");
    table.move_all(&[]).season(&[]);
    let [first, second] = &table.offered("holes")[..] else { panic!("a draw in each season") };
    assert_eq!(first.len(), 76);
    assert!(first.contains(&"SWI") && first.contains(&"PAR") && first.contains(&"NTH"));
    let left: Vec<&str> = first.iter().copied().filter(|name| *name != "SWI").collect();
    assert_eq!(*second, left, "a hole is not drawn again");
    assert!(table.nature.asked_for_exempt.is_empty());
}

#[test]
fn black_hole_2012_the_hole_comes_after_the_retreats_which_do_not_know_it() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR"]), (Power::GERMANY, &["MUN"])];
    let mut table = BLACK_HOLE_2012.set("S1902M", &[], units, centres).hole("S1902", "GAS");
    table.move_all(&["A RUH - BUR", "A MUN S A RUH - BUR"]);
    assert!(table.game.world().doomed.is_empty());
    table.retreat(&["A BUR R GAS"]);
    assert!(table.units(Power::FRANCE).is_empty(), "it is lost with its place of retreat");
}

#[test]
fn black_hole_2012_the_unit_dies_the_centre_is_gone_and_all_that_touched_it_touch_one_another() {
    let mut table = after("MUN", &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A KIE"])]);
    assert_eq!(table.units(Power::GERMANY), ["A KIE"]);
    assert!(table.centres(Power::GERMANY).is_empty());
    assert_eq!(table.game.terrain().centres().len(), 33);
    table.season(&["A BUR - TYR"]);
    assert_eq!(table.units(Power::FRANCE), ["A TYR"]);
}

#[test]
fn black_hole_2012_switzerland_closes_too() {
    let mut table = after("SWI", &[(Power::FRANCE, &["A MAR"])]);
    table.season(&["A MAR - TYR"]);
    assert_eq!(table.units(Power::FRANCE), ["A TYR"]);
}

#[test]
fn black_hole_2012_a_hole_beside_a_hole_is_one_point() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"])];
    let start = BLACK_HOLE_2012.set("S1902M", &["collapse BUR"], units, &[(Power::FRANCE, &["BRE"])]);
    let mut table = start.hole("S1902", "MUN");
    table.move_all(&[]).season(&["A PAR - TYR"]);
    assert_eq!(table.units(Power::FRANCE), ["A TYR"], "from one end of the point to the other");
}

#[test]
fn black_hole_2012_the_owner_of_a_fleet_on_a_divided_coast_chooses_in_a_phase_after_the_hole() {
    let units: &Lists<'_> = &[(Power::TURKEY, &["F BUL/EC"])];
    let events = ["collapse SER", "collapse ALB"];
    for coast in [0, 1] {
        let mut table = BLACK_HOLE_2012.set("S1902M", &events, units, &[]).hole("S1902", "BLA");
        table.move_all(&[]);
        assert_eq!(table.game.stage(), Stage::Coasts);
        assert!(table.when(|event| matches!(event, Event::Collapsed(_))).is_some(), "the hole is known");
        table.coasts(|_| Some(CoastId(coast)));
        let bulgaria = table.id("BUL");
        assert_eq!(table.position().unit(bulgaria).expect("the fleet").coast, CoastId(coast));
    }
}

#[test]
fn black_hole_2012_a_fleet_without_a_coast_is_destroyed() {
    let table = after("BLA", &[(Power::TURKEY, &["F SEV", "F CON", "A ARM"])]);
    assert_eq!(table.units(Power::TURKEY), ["A ARM", "F CON"]);
}

#[test]
fn black_hole_2012_over_half_of_the_centres_that_exist_win_in_fall() {
    let own = "PAR BRE MAR POR SPA BEL HOL LON LVP EDI NWY SWE DEN KIE BER MUN TUN";
    let own: Vec<&str> = own.split(' ').collect();
    for (hole, wins) in [("VEN", true), ("TYR", false)] {
        let centres: &Lists<'_> = &[(Power::FRANCE, &own), (Power::TURKEY, &["CON"])];
        let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON"])];
        let mut table = BLACK_HOLE_2012.set("F1902M", &[], units, centres).hole("F1902", hole);
        table.move_all(&[]);
        assert_eq!(table.game.stage() == Stage::Over, wins, "17 of 33 win, 17 of 34 do not: {hole}");
    }
}
