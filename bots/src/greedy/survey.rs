//! Which centres the greedy bot wants and how far they are. All of it anew each phase, so that a board which changed since
//! the last one needs no special care.
//!
//! A distance is looked up for the places that a unit could go to. Most of them lie within three steps of a wanted centre:
//! then it is the number of steps after which one gets to any ([`Strides`]). Only for others the rings round all centres are
//! drawn:
//!
//! ```text
//!   ring 0  the wanted centres        0 0 1 2 .
//!   ring 1  what is next to these     1 1 1 2 3
//!   ring 2  …                         2 2 2 2 3        which ring is it in?
//! ```

use std::cell::OnceCell;

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::topology::Board;

use super::strides::{Strided, Strides, next_to};

/// A distance longer than any on the board.
pub const FAR: u8 = 12;

/// The lie of the land for one power.
#[derive(Debug)]
pub struct Survey<'a> {
    board: &'a Board,
    strides: &'a Strides,
    /// Extant centres that the power does not own and that are not about to vanish.
    pub wanted: ProvinceSet,
    by_land: Rings,
    /// For fleets; which coast is passed over.
    by_water: Rings,
    /// For an army aboard a fleet: by sea, and ashore.
    by_voyage: Rings,
}

impl<'a> Survey<'a> {
    /// Looks at the board.
    pub fn new(seen: &Observation<'a>) -> Survey<'a> {
        let wanted = (*seen.centres - *seen.position.centres_of(seen.power)) - seen.doomed - seen.sinking;
        let board = seen.board;
        Survey {
            board,
            strides: seen.terrain().kept(),
            wanted,
            by_land: Rings::around(wanted & *board.land()),
            by_water: Rings::around(wanted & board.passable()),
            by_voyage: Rings::around(wanted & *board.land()),
        }
    }

    /// Steps to the nearest wanted centre for a unit of this kind that carries nothing.
    #[inline]
    pub fn distance(&self, kind: UnitKind, from: ProvinceId) -> u8 {
        match kind {
            UnitKind::Army => {
                self.by_land.distance(from, &self.strides.by_land, |at| *self.board.army_reach(at))
            }
            UnitKind::Fleet => {
                self.by_water.distance(from, &self.strides.by_water, |at| *self.board.fleet_reach_any(at))
            }
        }
    }

    /// Steps from a sea to the nearest wanted centre on land, for an army aboard a fleet.
    pub fn distance_aboard(&self, from: ProvinceId) -> u8 {
        self.by_voyage.ring(from, |at| *self.board.seas_next_to(at))
    }
}

/// Distances from some goals.
#[derive(Debug)]
struct Rings {
    goals: ProvinceSet,
    /// The goals, what is next to them, and so on, as far as it goes.
    rings: OnceCell<Vec<ProvinceSet>>,
}

impl Rings {
    fn around(goals: ProvinceSet) -> Rings {
        Rings { goals, rings: OnceCell::new() }
    }

    /// Steps to the nearest goal. Neighbours are mutual, so the way there is the way back.
    #[inline]
    fn distance(
        &self,
        from: ProvinceId,
        strides: &Strided,
        neighbours: impl Fn(ProvinceId) -> ProvinceSet,
    ) -> u8 {
        if self.goals.contains(from) {
            return 0;
        }
        // All three at once, for which it is no processor foresees.
        let one = self.goals.intersects(&neighbours(from));
        let two = self.goals.intersects(&strides.in_two(from, &neighbours));
        let three = self.goals.intersects(&strides.in_three(from, &neighbours));
        match one | two | three {
            true => 1 + u8::from(!one) + u8::from(!(one | two)),
            false => self.ring(from, neighbours),
        }
    }

    /// The ring in which a province lies.
    fn ring(&self, from: ProvinceId, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> u8 {
        let rings = self.rings.get_or_init(|| rings(self.goals, neighbours));
        rings.iter().position(|ring| ring.contains(from)).map_or(FAR, |distance| distance as u8)
    }
}

/// Breadth first from all goals at once.
fn rings(goals: ProvinceSet, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> Vec<ProvinceSet> {
    let mut rings = Vec::with_capacity(usize::from(FAR));
    let (mut found, mut edge) = (goals, goals);
    while !edge.is_empty() && rings.len() < usize::from(FAR) {
        rings.push(edge);
        edge = next_to(edge, &neighbours) - found;
        found |= edge;
    }
    rings
}
