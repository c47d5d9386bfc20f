//! `double-reversible`: Double Reversible's rules 1 and 2 as far as `cli/tests/sessions/adjudicate_double_reversible.md`
//! cannot show them.

use crate::helpers::shipped::{DOUBLE_REVERSIBLE, variant};
use crate::helpers::table::Table;
use upheaval::analysis::scoring::Score;
use upheaval::ids::{Power, Powers};
use upheaval::record::{GameEnd, SeatOutcome};

#[test]
fn double_reversible_rule_1_the_start_and_the_rulebook_are_the_regular_ones() {
    let [ours, regular] = [variant("double-reversible"), variant("standard")];
    assert_eq!(
        (&ours.position, &ours.rulebook, ours.first_phase),
        (&regular.position, &regular.rulebook, regular.first_phase)
    );
}

#[test]
fn double_reversible_rule_1_while_nothing_is_drawn_a_game_goes_as_a_regular_one() {
    let played = |id| {
        let mut table = Table::new_game(variant(id), 1902);
        table.move_all(&["A MUN - BUR", "A PAR - BUR", "A MAR S A PAR - BUR", "F KIE - DEN", "A VEN - TRI"]);
        table.season(&["A BUR - MUN", "F DEN - SWE", "A BER - KIE", "F LON - NTH"]);
        table.position().clone()
    };
    assert_eq!(played("double-reversible"), played("standard"));
}

#[test]
fn double_reversible_rule_2_the_tie_of_seven_is_recorded_as_a_draw_of_seven() {
    let mut table =
        DOUBLE_REVERSIBLE.set("F1902M", &[], &[(Power::FRANCE, &["A BUR"])], &[]).hole("F1902", "BUR");
    let row = table.recorded(|table| table.move_all(&[]));
    assert_eq!((row.end, row.draw_size, row.winner), (GameEnd::Draw, Powers::STANDARD.len() as u8, None));
    // Each shares, and each is eliminated (rules.md 4.13).
    for (power, seat) in row.seats.iter() {
        let found = (seat.outcome, seat.is_out(), seat.units, seat.centres, seat.eliminated_year);
        assert_eq!(found, (SeatOutcome::Drew, true, 0, 0, Some(1902)), "{power:?}");
    }
    assert_eq!(Score::DrawSize.points(&row)[Power::FRANCE], 1.0 / 7.0);
}
