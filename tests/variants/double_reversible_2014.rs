//! `double-reversible-2014`: the rules in which the text of 2014 and 2019 differs from that of 2013, as docs/rules.md
//! lists them.

use crate::helpers::shipped::{DOUBLE_REVERSIBLE, DOUBLE_REVERSIBLE_2014, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::ids::Power;

const FRANCE: Power = Power::FRANCE;

/// A position before a Spring in which this face becomes a hole, and a Fall in which it comes back.
fn table(face: &str, units: &Lists<'_>, centres: &Lists<'_>) -> Table {
    DOUBLE_REVERSIBLE_2014.set("S1902M", &[], units, centres).hole("S1902", face).hole("F1902", face)
}

#[test]
fn double_reversible_2014_two_of_76_faces_toggle_after_each_movement() {
    let mut table = table("BUR", &[(FRANCE, &["A PAR"])], &[(FRANCE, &["PAR"])]).hole("S1902", "SWI");
    table.move_all(&[]);
    assert_eq!(table.names(table.game.terrain().chart().map().holes()), ["BUR", "SWI"]);
    table.season(&[]);
    assert_eq!(table.names(table.game.terrain().chart().map().holes()), ["SWI"]);
    let offered = table.offered("toggles");
    assert_eq!(offered[0].len(), 76);
    assert_eq!(offered[0], offered[1], "holes and open faces alike");
}

#[test]
fn double_reversible_2014_a_unit_in_a_new_hole_retreats() {
    let mut table = table("BUR", &[(FRANCE, &["A BUR"])], &[(FRANCE, &["PAR"])]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "S1902R");
    table.retreat(&["A BUR R GAS"]);
    assert_eq!(table.units(FRANCE), ["A GAS"]);
    assert!(table.game.world().swallowed.is_empty());
}

#[test]
fn double_reversible_2014_or_it_goes_with_the_hole_and_comes_back_with_it() {
    let mut table = table("BUR", &[(FRANCE, &["A BUR"])], &[(FRANCE, &["PAR"])]);
    table.move_all(&[]).retreat(&[]);
    assert!(table.units(FRANCE).is_empty());
    table.season(&[]);
    assert_eq!(table.units(FRANCE), ["A BUR"]);
}

#[test]
fn double_reversible_2014_a_unit_whose_retreat_fails_goes_with_the_hole() {
    let units: &Lists<'_> = &[(FRANCE, &["A BUR"]), (Power::ITALY, &["A TYR"])];
    let mut table = table("BUR", units, &[(FRANCE, &["PAR"])]).hole("S1902", "TYR");
    table.move_all(&[]).retreat(&["A BUR R MUN", "A TYR R MUN"]);
    assert_eq!(table.game.world().swallowed.len(), 2);
    table.season(&[]);
    assert_eq!((table.units(FRANCE), table.units(Power::ITALY)), (vec!["A BUR".to_owned()], Vec::new()));
}

/// In 2013 they are swallowed.
#[test]
fn double_reversible_2014_units_that_were_moving_in_are_not_swallowed() {
    let units: &Lists<'_> = &[(FRANCE, &["A PAR"]), (Power::GERMANY, &["A MUN"])];
    for (variant, left) in [(DOUBLE_REVERSIBLE_2014, 2), (DOUBLE_REVERSIBLE, 0)] {
        let mut table = variant.set("S1902M", &[], units, &[(FRANCE, &["MAR"])]).hole("S1902", "BUR");
        table.move_all(&["A PAR - BUR", "A MUN - BUR"]);
        assert_eq!(table.position().occupied().len(), left);
    }
}

#[test]
fn double_reversible_2014_a_unit_that_got_in_is_in_the_hole_and_chooses() {
    let mut table = table("BUR", &[(FRANCE, &["A PAR"])], &[(FRANCE, &["MAR"])]);
    table.move_all(&["A PAR - BUR"]);
    assert_eq!(table.phase(), "S1902R");
    table.retreat(&["A BUR R PAR"]);
    assert_eq!(table.units(FRANCE), ["A PAR"]);
}

/// In 2013 it comes back neutral.
#[test]
fn double_reversible_2014_a_centre_comes_back_under_the_owner_that_it_had() {
    for (variant, owned) in [(DOUBLE_REVERSIBLE_2014, &["MUN", "PAR"][..]), (DOUBLE_REVERSIBLE, &["PAR"])] {
        let units: &Lists<'_> = &[(FRANCE, &["A PAR"])];
        let start = variant.set("S1902M", &[], units, &[(FRANCE, &["PAR", "MUN"])]);
        let mut table = start.hole("S1902", "MUN").hole("F1902", "MUN");
        table.move_all(&[]);
        assert_eq!(table.centres(FRANCE), ["PAR"]);
        table.season(&[]);
        assert_eq!(table.centres(FRANCE), owned);
    }
}

#[test]
fn double_reversible_2014_a_power_that_is_out_gets_its_centre_back_and_plays_on() {
    let units: &Lists<'_> = &[(FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON"])];
    let mut table = table("CON", units, &[(FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])]);
    table.move_all(&[]).retreat(&[]);
    assert!(table.position().is_out(Power::TURKEY));
    table.move_all(&[]);
    assert_eq!(
        (table.centres(Power::TURKEY), table.units(Power::TURKEY)),
        (vec!["CON"], vec!["A CON".to_owned()])
    );
}

#[test]
fn double_reversible_2014_all_else_is_as_in_2013() {
    let [ours, theirs] = [variant("double-reversible-2014"), variant("double-reversible")];
    assert_eq!((ours.rulebook, ours.victory, ours.builds), (theirs.rulebook, theirs.victory, theirs.builds));
    assert_eq!((&ours.position, ours.first_phase), (&theirs.position, theirs.first_phase));
}
