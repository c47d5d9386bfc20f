//! The order in which the powers of a game finish.
//!
//! 1. the power that won alone;
//! 2. powers that were not eliminated, sorted by descending number of centres, whether they shared in a draw
//!    or not;
//! 3. powers that were eliminated, sorted by descending year;
//! 4. powers that forfeited, whatever they had left.
//!
//! Powers that are equal in all of this are tied: equal centres, or eliminated in the same year.

use std::cmp::Reverse;

use upheaval_map::ids::ByPower;

/// The result of a game for a power. Smaller values finished earlier in the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finish {
    /// It won alone.
    Won,
    /// It survived to the end with this number of centres.
    Stood(Reverse<u16>),
    /// It was eliminated in this year.
    Fell(Reverse<u16>),
    /// Its bot was at fault, and it has no claim to a place.
    Forfeited,
}

/// Each power's place, from 1; tied powers share the first of their places, as in 1, 2, 2, 4.
pub fn places(finishes: &ByPower<Finish>) -> ByPower<u8> {
    ByPower::from_fn(finishes.powers(), |power| {
        1 + finishes.iter().filter(|(_, other)| **other < finishes[power]).count() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_map::ids::Powers;

    #[test]
    fn powers_that_are_alike_share_the_first_of_their_places() {
        let (stood, fell) = (|n| Finish::Stood(Reverse(n)), |year| Finish::Fell(Reverse(year)));
        let of = |finishes: [Finish; 7]| {
            places(&ByPower::from_fn(Powers::STANDARD, |power| finishes[power.index()])).values().to_vec()
        };
        assert_eq!(
            of([stood(9), stood(4), fell(1904), stood(9), stood(12), fell(1907), fell(1904)]),
            [2, 4, 6, 2, 1, 5, 6]
        );
        assert_eq!(
            of([Finish::Forfeited, Finish::Won, stood(6), fell(1), fell(1), stood(0), fell(2)]),
            [7, 1, 2, 5, 5, 3, 4]
        );
    }
}
