//! `schizo`: the rules of Schizodiplomacy (rr14), as docs/rules.md lists them.

use crate::helpers::shipped::SCHIZO;
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::rules::event::Event;

const FRANCE: Power = Power::FRANCE;
const OWN: &Lists<'static> = &[(FRANCE, &["PAR", "SPA"])];

#[test]
fn rr14_each_season_a_split_a_hole_and_a_restored_hole_in_this_order() {
    let start = SCHIZO.set("S1904M", &["void TYR"], &[(FRANCE, &["A PAR"])], OWN);
    let mut table =
        start.split("S1904", "split BUR PAR MUN").hole("S1904", "BUR.1").drawn("S1904", "restores", "TYR");
    table.move_all(&[]);
    let provinces = 75 - 1;
    assert_eq!(table.offered("splits")[0].len(), provinces, "a home may be split, a hole may not");
    assert_eq!(table.offered("holes")[0].len(), provinces + 1, "halves are provinces");
    assert_eq!(table.offered("restores")[0], ["TYR"], "not the hole of this season");
    let [split, hole, back] = [
        table.when(|event| matches!(event, Event::Split(_))),
        table.when(|event| matches!(event, Event::Voided(_))),
        table.when(|event| matches!(event, Event::Restored(_))),
    ];
    assert!(split.is_some() && split < hole && hole < back, "{split:?} {hole:?} {back:?}");
}

#[test]
fn rr14_one_comes_back_from_spring_1904_also_without_a_new_hole() {
    for (season, phase, draws) in [("F1903", "F1903M", 0), ("S1904", "S1904M", 1), ("F1904", "F1904M", 1)] {
        let mut table = SCHIZO.set(phase, &["void TYR"], &[(FRANCE, &["A PAR"])], OWN);
        table = table.drawn(season, "restores", "TYR");
        table.move_all(&[]);
        assert_eq!(table.offered("restores").len(), draws, "{season}");
        let holes = table.game.terrain().chart().map().holes();
        assert_eq!(holes.len(), 1 - draws, "{season}");
    }
}

#[test]
fn rr14_a_split_doubles_the_unit_and_both_halves_are_centres_and_homes_of_the_same_power() {
    let mut table =
        SCHIZO.set("S1902M", &[], &[(FRANCE, &["A PAR"])], OWN).split("S1902", "split PAR BRE BUR");
    table.move_all(&[]);
    assert_eq!(table.units(FRANCE), ["A PAR.1", "A PAR.2"]);
    assert_eq!(table.centres(FRANCE), ["PAR.1", "PAR.2", "SPA"]);
    let homes = table.game.terrain().homes()[FRANCE];
    assert!(["PAR.1", "PAR.2"].into_iter().all(|half| homes.contains(table.id(half))));
    assert_eq!(table.game.terrain().centres().len(), 35);
}

#[test]
fn rr14_the_hole_is_impassable_and_its_unit_is_destroyed() {
    let units: &Lists<'_> = &[(FRANCE, &["A BUR", "A PAR"])];
    let mut table = SCHIZO.set("S1902M", &[], units, OWN).hole("S1902", "BUR");
    table.move_all(&[]);
    assert_eq!(table.units(FRANCE), ["A PAR"]);
    let reach = *table.game.terrain().board().army_reach(table.id("PAR"));
    assert_eq!(table.names(reach), ["BRE", "GAS", "PIC"], "nothing meets through it");
}

#[test]
fn rr14_a_centre_comes_back_under_its_last_owner_neutral_ones_too() {
    let mut table = SCHIZO
        .set("S1904M", &[], &[(FRANCE, &["A PAR"])], OWN)
        .hole("S1904", "SPA")
        .drawn("F1904", "restores", "SPA");
    table.move_all(&[]);
    assert_eq!(table.centres(FRANCE), ["PAR"]);
    table.move_all(&[]);
    assert_eq!(table.centres(FRANCE), ["PAR", "SPA"]);
}

#[test]
fn rr14_a_majority_of_the_extant_centres_wins_in_fall_without_one_of_the_units() {
    let own = "PAR BRE MAR POR SPA BEL HOL LON LVP EDI NWY SWE DEN KIE BER MUN TUN";
    let own: Vec<&str> = own.split(' ').collect();
    let centres: &Lists<'_> = &[(FRANCE, &own), (Power::TURKEY, &["CON"])];
    let units: &Lists<'_> = &[(FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON", "A ANK"])];
    for (phase, season, hole, wins) in [
        ("F1902M", "F1902", "VEN", true),
        ("F1902M", "F1902", "TYR", false),
        ("S1902M", "S1902", "VEN", false),
    ] {
        let mut table: Table = SCHIZO.set(phase, &[], units, centres).hole(season, hole);
        table.move_all(&[]);
        assert_eq!(table.game.stage() == Stage::Over, wins, "17 of 33 are a majority: {phase} {hole}");
    }
}
