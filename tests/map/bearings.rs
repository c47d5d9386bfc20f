//! Bearings are compared exactly, and every machine orders them alike.

use std::cmp::Ordering;

use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{Bearing, Quarter};

#[test]
fn the_quarters_meet_at_45_degrees_and_each_has_its_first_border() {
    for (east, north, quarter) in [
        (0.0, 1.0, Quarter::North),
        (1.0, 1.0, Quarter::East),
        (1.0, 0.0, Quarter::East),
        (1.0, -1.0, Quarter::South),
        (0.0, -1.0, Quarter::South),
        (-1.0, -1.0, Quarter::West),
        (-1.0, 0.0, Quarter::West),
        (-1.0, 1.0, Quarter::North),
        (0.0, 0.0, Quarter::North),
        (0.0, -0.0, Quarter::North),
        (1.0, 1.0_f64.next_up(), Quarter::North),
        (1.0_f64.next_down(), -1.0, Quarter::South),
        (1.0_f64.next_up(), -1.0, Quarter::East),
    ] {
        assert_eq!(Bearing::of(east, north).quarter(), quarter, "{east} {north}");
    }
}

#[test]
fn bearings_in_their_order_round_the_compass() {
    let clockwise = [
        (0.0, 3.0),
        (5e-324, 1e308),
        (1e-9, 7.0),
        (1.0, 1.0_f64.next_up()),
        (1.0, 1.0),
        (1.0_f64.next_up(), 1.0),
        (1e308, 5e-324),
        (2.0, 0.0),
        (1e308, -5e-324),
        (3.0, -1.7),
        (1.0, -1e308),
        (5e-324, -1e308),
        (0.0, -1.0),
        (-5e-324, -1e308),
        (-1e308, -1.0),
        (-0.1, 0.0),
        (-7.0, 2.0),
        (-5e-324, 1e308),
    ];
    let bearings = clockwise.map(|(east, north)| Bearing::of(east, north));
    let mirrored = clockwise.map(|(east, north)| Bearing::of(-east, north));
    for (i, x) in bearings.iter().enumerate() {
        for (j, y) in bearings.iter().enumerate() {
            assert_eq!(x.clockwise(y), i.cmp(&j), "{x:?} {y:?}");
            // North comes first in both directions.
            let place = |at: usize| (clockwise.len() - at) % clockwise.len();
            assert_eq!(x.anticlockwise(y), place(i).cmp(&place(j)), "{x:?} {y:?}");
            assert_eq!(x.from_north(&mirrored[j]), x.from_north(y));
        }
    }
    assert_eq!(
        Bearing::of(1.0, 3.0).clockwise(&Bearing::of(2.0, 6.0)),
        Ordering::Equal,
        "the length is nothing"
    );
    assert_eq!(
        Bearing::of(0.0, 0.0).from_north(&Bearing::of(1e-300, 1.0)),
        Ordering::Less,
        "zero is due north"
    );
}

/// Whole numbers of 31 bits, whose products fit into 64 bits.
#[test]
fn the_order_is_that_of_whole_numbers() {
    let mut dice = Stream::keyed(43, Purpose::Bot, &[]);
    let mut level = 0;
    for _ in 0..200_000 {
        // Half of them near one another, so that some are equal.
        let most = if dice.below(2) == 0 { 1 << 31 } else { 6 };
        let [a, b, c, d] = [0; 4].map(|_| i64::from(dice.below(most)));
        let found = Bearing::of(a as f64, b as f64).from_north(&Bearing::of(c as f64, d as f64));
        let [[a, b], [c, d]] = [[a, b], [c, d]].map(|at| if at == [0, 0] { [0, 1] } else { at });
        assert_eq!(found, (a * d).cmp(&(c * b)), "{a} {b} {c} {d}");
        level += u32::from(found == Ordering::Equal);
    }
    assert!(level > 5_000, "{level}");
}
