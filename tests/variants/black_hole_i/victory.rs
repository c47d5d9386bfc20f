//! Rule 5 of `black-hole-i` (rr01) and rules.md 3.2: more than half of the units and more than half of
//! the centres, after Spring and after Fall.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use upheaval::game::{Ending, Stage};
use upheaval::ids::Power;
use upheaval::rules::event::Event;
use upheaval::rules::position::{PhaseKind, Season};

/// Eighteen centres, of 34.
const CENTRES: [&str; 18] = [
    "BRE", "PAR", "MAR", "SPA", "POR", "BEL", "HOL", "DEN", "SWE", "NWY", "LON", "EDI", "LVP", "KIE", "BER",
    "MUN", "ROM", "NAP",
];
/// Provinces without a centre, far from one another.
const FRENCH: [&str; 6] = ["A PIC", "A GAS", "A WAL", "A CLY", "A RUH", "A PRU"];
const ITALIAN: [&str; 6] = ["A APU", "A ALB", "A SYR", "A ARM", "A UKR", "A FIN"];

/// The end of a season in which France has this many units and centres, Italy this many units, and this province falls.
fn played(
    phase: &str,
    events: &[&str],
    [french, italian]: [usize; 2],
    centres: &[&str],
    hole: &str,
) -> Table {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &FRENCH[..french]), (Power::ITALY, &ITALIAN[..italian])];
    let variant = variant("black-hole-i");
    let mut table =
        Table::set_in(variant, phase, events, &units, &[(Power::FRANCE, centres)]).hole(&phase[..5], hole);
    table.move_all(&[]);
    table
}

fn wins(phase: &str, units: [usize; 2], centres: usize) -> bool {
    played(phase, &[], units, &CENTRES[..centres], "BOH").game.ending() == Some(&Ending::Solo(Power::FRANCE))
}

#[test]
fn black_hole_i_rule_5_first_sentence_a_majority_of_units_and_of_centres() {
    for phase in ["S1903M", "F1903M"] {
        assert!(wins(phase, [2, 1], 18), "{phase}");
        assert!(!wins(phase, [2, 1], 17), "{phase}: units alone");
        assert!(!wins(phase, [1, 2], 18), "{phase}: centres alone");
    }
}

#[test]
fn black_hole_i_rule_5_more_than_half_of_an_even_and_of_an_odd_number_of_units() {
    let enough =
        [([2, 2], false), ([3, 2], true), ([2, 3], false), ([3, 3], false), ([4, 3], true), ([4, 2], true)];
    for (units, wins_with) in enough {
        assert_eq!(wins("S1903M", units, 18), wins_with, "{units:?}");
    }
    assert!(!wins("F1903M", [0, 0], 18), "of no units there is no majority");
}

#[test]
fn black_hole_i_rule_5_more_than_half_of_an_even_and_of_an_odd_number_of_extant_centres() {
    let with =
        |events: &[&str], n| played("S1903M", events, [2, 1], &CENTRES[..n], "BOH").game.ending().is_some();
    assert_eq!([17, 18].map(|n| with(&[], n)), [false, true], "of 34");
    assert_eq!([16, 17].map(|n| with(&["void VIE"], n)), [false, true], "of 33");
    assert_eq!([16, 17].map(|n| with(&["void VIE", "void BUD"], n)), [false, true], "of 32");
    assert_eq!([15, 16].map(|n| with(&["void VIE", "void BUD", "void TRI"], n)), [false, true], "of 31");
}

#[test]
fn black_hole_i_rule_5_second_sentence_on_a_spring_move_too() {
    let table = played("S1903M", &[], [2, 1], &CENTRES, "BOH");
    assert_eq!((table.game.stage(), table.game.phase().season), (Stage::Over, Season::Spring));
    let standard: [(Power, &[&str]); 2] = [(Power::FRANCE, &FRENCH[..2]), (Power::ITALY, &ITALIAN[..1])];
    let mut table =
        Table::set_in(variant("standard"), "S1903M", &[], &standard, &[(Power::FRANCE, &CENTRES)]);
    table.move_all(&[]);
    assert_eq!(table.game.ending(), None, "which in standard it is not");
}

#[test]
fn black_hole_i_rulings_3_2_in_spring_the_centres_are_those_last_recorded() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A SER", "A GAS"]), (Power::ITALY, &["A APU"])];
    let mut table =
        Table::set_in(variant("black-hole-i"), "S1903M", &[], &units, &[(Power::FRANCE, &CENTRES[..17])]);
    table.move_all(&[]);
    assert_eq!(table.game.ending(), None, "Serbia is not recorded yet");
    table.move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Solo(Power::FRANCE)));
    assert_eq!(table.game.phase().season, Season::Fall);
}

#[test]
fn black_hole_i_rule_5_a_hole_can_make_a_winner_and_unmake_one() {
    for phase in ["S1903M", "F1903M"] {
        let ending =
            |units, n: usize, hole| played(phase, &[], units, &CENTRES[..n], hole).game.ending().cloned();
        let won = Some(Ending::Solo(Power::FRANCE));
        // Of the centres: 17 of 34, of 33, 16 of 33.
        assert_eq!(["BOH", "VIE", "PAR"].map(|hole| ending([2, 1], 17, hole)), [None, won.clone(), None]);
        assert_eq!(ending([2, 1], 18, "PAR"), won.clone(), "17 of 33 still");
        // Of the units: two each, then one fewer of Italy's, or of France's.
        assert_eq!(["BOH", "APU", "PIC"].map(|hole| ending([2, 2], 18, hole)), [None, won, None]);
    }
}

#[test]
fn black_hole_i_rulings_3_2_checked_before_the_adjustments_and_not_after_them() {
    let table = played("F1903M", &[], [2, 1], &CENTRES, "BOH");
    assert_eq!(table.game.stage(), Stage::Over, "the builds are not waited for");
    assert!(table.told.events.iter().all(|(at, _)| at.kind == PhaseKind::Movement));
    // With one unit each France wins neither after Fall nor after Winter, although it would remove Italy's only unit.
    let mut table = played("F1903M", &[], [1, 1], &CENTRES, "BOH");
    assert_eq!(table.game.stage(), Stage::Adjustments);
    table.adjust();
    assert!(table.units(Power::ITALY).is_empty(), "Italy has no centre");
    assert_eq!((table.game.ending(), table.game.phase().to_string()), (None, "S1904M".to_owned()));
    table.move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Solo(Power::FRANCE)), "the next Spring sees it");
}

#[test]
fn black_hole_i_rulings_3_2_checked_after_the_retreats() {
    // Italy has two of four units until its army in North Africa is gone.
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["F MAO", "F WES"]), (Power::ITALY, &["A NAF", "A APU"])];
    let mut table =
        Table::set_in(variant("black-hole-i"), "S1903M", &[], &units, &[(Power::FRANCE, &CENTRES)]);
    table.move_all(&["F MAO - NAF", "F WES S F MAO - NAF"]);
    assert_eq!(table.game.stage(), Stage::Retreats);
    assert_eq!(table.game.ending(), None);
    table.retreat(&["A NAF D"]);
    assert_eq!(table.game.ending(), Some(&Ending::Solo(Power::FRANCE)));
    assert!(table.when(|e| matches!(e, Event::Disbanded(_))) < table.when(|e| matches!(e, Event::Won(_))));
}

#[test]
fn black_hole_i_rulings_7_a_power_with_neither_is_out_and_without_survivors_nobody_wins() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A PIC"]), (Power::ITALY, &["A APU"])];
    let mut table = Table::set_in(variant("black-hole-i"), "S1903M", &[], &units, &[])
        .hole("S1903", "PIC")
        .hole("F1903", "APU");
    table.move_all(&[]);
    assert!(table.when(|e| *e == Event::Eliminated(Power::FRANCE)).is_some());
    assert_eq!(table.game.eliminated()[Power::FRANCE], Some(1903));
    table.move_all(&[]);
    table.rest_of_season();
    assert_eq!(table.game.ending(), Some(&Ending::Draw(Vec::new())));
}
