//! Deluge II (ru10; rules.md 6) where its log or its records matter. Its rules are in
//! `cli/tests/sessions/adjudicate_deluge_ii.md`.

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use upheaval::ids::Power;
use upheaval::record::{GameEnd, SeatOutcome};
use upheaval::rules::event::Event;

#[test]
fn ruling_6_2_a_centre_in_a_province_that_sinks_the_same_winter_is_gone_at_once() {
    let units: [(Power, &[&str]); 1] = [(Power::TURKEY, &["F NAF", "F ANK"])];
    let mut table = DELUGE_II.set("W1907A", &[], &units, &[(Power::TURKEY, &["ANK"])]);
    table.adjust();
    let naf = table.id("NAF");
    let founded = table.when(|event| matches!(event, Event::CentreFounded(id, ..) if *id == naf));
    assert!(founded.is_some() && founded < table.when(|event| *event == Event::Submerged(naf)));
    assert!(!table.game.terrain().centres().contains(naf));
    assert!(!table.position().centres_of(Power::TURKEY).contains(naf));
}

/// If no power is left, every power is eliminated, even one that has a centre but no unit.
#[test]
fn ruling_4_13_at_an_end_with_nobody_left_all_are_out() {
    let units: [(Power, &[&str]); 1] = [(Power::ITALY, &["F ION"])];
    let mut table = DELUGE_II.set("W1908A", &[], &units, &[(Power::TURKEY, &["ANK"])]);
    let row = table.recorded(Table::adjust);
    assert_eq!((row.end, row.draw_size, row.seats[Power::TURKEY].centres), (GameEnd::Deserted, 0, 1));
    for (power, seat) in row.seats.iter() {
        let seen = (seat.outcome, seat.is_out(), seat.eliminated_year);
        assert_eq!(seen, (SeatOutcome::Eliminated, true, Some(1908)), "{power:?}");
    }
}
