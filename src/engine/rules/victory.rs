//! The condition of victory. The rule is data of the variant (rules.md 3.2); it is evaluated on the centres
//! that currently exist, after the season's changes to the map and before adjustments.

use std::cmp::Reverse;

use crate::rules::position::{Position, Season};
use crate::rules::words::words;
use upheaval_map::ids::{ByPower, Power, ProvinceSet};

words! {
    /// The condition of victory.
    VictoryRule {
        /// More than half of the extant centres, after Fall.
        CentreMajority = "centre-majority",
        /// More than half of the extant centres, as last recorded, and more than half of all units on the board;
        /// after Spring and after Fall.
        UnitAndCentreMajority = "unit-and-centre-majority",
        /// The only power with a unit left after the variant's last Winter; several such powers share
        /// ([`survivors`]).
        LastSurvivor = "last-survivor",
    }

    /// The result if no power has a unit or centre left.
    Deserted {
        /// The game is over at the end of that season, and no power shares in the draw.
        Nobody = "nobody",
        /// After Fall it is a tie of all powers (Double Reversible rule 2); after Spring the game continues,
        /// because units may return.
        SharedByAll = "shared-by-all",
    }
}

/// The smallest number that is more than half of `n`.
pub const fn majority(n: usize) -> usize {
    n / 2 + 1
}

/// The powers with a unit on the board.
pub fn survivors(position: &Position) -> impl Iterator<Item = Power> {
    position.powers().iter().filter(|&power| !position.units_of(power).is_empty())
}

/// The winner after this season, if there is one. `extant` are the existing centres; other centres that a
/// power owns do not count.
pub fn winner(rule: VictoryRule, position: &Position, extant: &ProvinceSet, season: Season) -> Option<Power> {
    let centres = |power: Power| (*position.centres_of(power) & *extant).len();
    let most_centres = |power: &Power| centres(*power) >= majority(extant.len());
    match rule {
        VictoryRule::CentreMajority if season == Season::Fall => position.powers().iter().find(most_centres),
        VictoryRule::UnitAndCentreMajority if season != Season::Winter => {
            // Units rather than provinces: an army/fleet counts as two (army/fleet rule 8).
            let most_units = |power: &Power| position.unit_count(*power) >= majority(position.all_units());
            position.powers().iter().filter(most_units).find(most_centres)
        }
        _ => None,
    }
}

// The order in which the powers of a game finish.
//
// 1. the power that won alone;
// 2. powers that were not eliminated, sorted by descending number of centres, whether they shared in a draw
//    or not;
// 3. powers that were eliminated, sorted by descending year;
// 4. powers that forfeited, whatever they had left.
//
// Powers that are equal in all of this are tied: equal centres, or eliminated in the same year.

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
