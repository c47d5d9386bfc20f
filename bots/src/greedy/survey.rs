//! The centres that the greedy bot wants, and their distances. Everything is recomputed each phase, so that
//! changes of the board need no special treatment.
//!
//! Distances are looked up for possible destinations. Most of these are next to a wanted centre, which a look
//! at their neighbours shows; the rings around all centres are computed only if one is not:
//!
//! ```text
//!   ring 0  the wanted centres        0 0 1 2 .        is it in ring 0?            no
//!   ring 1  what is next to these     1 1 1 2 3        is a neighbour in ring 0?   no
//!   ring 2  …                         2 2 2 2 3        how many rings is it outside of?
//! ```

use std::cell::OnceCell;

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::topology::Board;

/// A distance longer than any on the board.
pub(super) const FAR: u8 = 12;

/// The strategic situation of one power.
#[derive(Debug)]
pub(super) struct CentreSurvey<'a> {
    board: &'a Board,
    /// Extant centres that the power does not own and that are not about to vanish.
    pub wanted: ProvinceSet,
    by_land: Distances,
    /// For fleets, ignoring coasts.
    by_water: Distances,
    /// For an army aboard a fleet: by sea, and then ashore.
    by_voyage: Distances,
}

impl<'a> CentreSurvey<'a> {
    /// Evaluates the board.
    pub(super) fn new(seen: &Observation<'a>) -> CentreSurvey<'a> {
        let wanted = (*seen.centres - *seen.position.centres_of(seen.power)) - seen.doomed - seen.sinking;
        let board = seen.board;
        CentreSurvey {
            board,
            wanted,
            by_land: Distances::to(wanted & *board.land()),
            by_water: Distances::to(wanted & board.passable()),
            by_voyage: Distances::to(wanted & *board.land()),
        }
    }

    /// Steps to the nearest wanted centre for a unit of this kind that carries nothing.
    #[inline]
    pub(super) fn distance(&self, kind: UnitKind, from: ProvinceId) -> u8 {
        match kind {
            UnitKind::Army => self.by_land.distance(from, |at| *self.board.army_reach(at)),
            UnitKind::Fleet => self.by_water.distance(from, |at| *self.board.fleet_reach_any(at)),
        }
    }

    /// Steps from a sea to the nearest wanted centre on land, for an army aboard a fleet.
    pub(super) fn distance_aboard(&self, from: ProvinceId) -> u8 {
        self.by_voyage.ring(from, |at| *self.board.seas_next_to(at))
    }
}

/// Distances to some goals.
#[derive(Debug)]
struct Distances {
    goals: ProvinceSet,
    rings: OnceCell<Rings>,
}

impl Distances {
    fn to(goals: ProvinceSet) -> Distances {
        Distances { goals, rings: OnceCell::new() }
    }

    /// Steps to the nearest goal. Adjacency is symmetric, so distances are the same in both directions.
    #[inline]
    fn distance(&self, from: ProvinceId, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> u8 {
        if self.goals.contains(from) {
            0
        } else if self.goals.intersects(&neighbours(from)) {
            1
        } else {
            self.ring(from, neighbours)
        }
    }

    /// The ring in which a province lies.
    fn ring(&self, from: ProvinceId, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> u8 {
        self.rings.get_or_init(|| Rings::around(self.goals, neighbours)).number(from)
    }
}

/// The provinces within each number of steps from some goals.
#[derive(Debug)]
struct Rings {
    within: [ProvinceSet; FAR as usize],
    /// The number of rings; the last contains everything that can be reached.
    count: usize,
}

impl Rings {
    /// Breadth first from all goals at once.
    fn around(goals: ProvinceSet, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> Rings {
        let mut rings = Rings { within: [ProvinceSet::EMPTY; FAR as usize], count: 0 };
        let (mut found, mut edge) = (goals, goals);
        while !edge.is_empty() && rings.count < rings.within.len() {
            rings.within[rings.count] = found;
            rings.count += 1;
            let mut next = found;
            edge.iter().for_each(|province| next |= neighbours(province));
            edge = next - found;
            found = next;
        }
        rings
    }

    /// The number of rings that do not contain the province; [`FAR`] if none does.
    #[inline]
    fn number(&self, province: ProvinceId) -> u8 {
        let outside = self.within[..self.count].iter().filter(|ring| !ring.contains(province)).count();
        if outside < self.count { outside as u8 } else { FAR }
    }
}
