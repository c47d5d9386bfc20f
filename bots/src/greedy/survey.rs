//! What the greedy bot reads off the board before it decides: which centres it wants and how far they are, and for a movement
//! who could be where. All of it anew each phase, so that a board which changed since the last one needs no special care.
//!
//! Nothing is worked out for all provinces one by one. Who could be where is a number whose digits are sets ([`Tally`]);
//! how far a centre is, is looked up for the places that a unit could go to: most lie next to a wanted centre, which their
//! neighbours tell. Only for the others the rings round the centres are drawn:
//!
//! ```text
//!   ring 0  the wanted centres        0 0 1 2 .        is it in ring 0?             no
//!   ring 1  what is next to these     1 1 1 2 3        is a neighbour in ring 0?    no
//!   ring 2  …                         2 2 2 2 3        which ring is it in?
//! ```

use std::cell::OnceCell;

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rules::position::Season;
use upheaval_engine::tally::Tally;
use upheaval_engine::topology::Board;

use crate::common::reach;

/// A distance longer than any on the board.
pub const FAR: u8 = 12;

/// The lie of the land for one power.
#[derive(Debug)]
pub struct Survey<'a> {
    board: &'a Board,
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
            UnitKind::Army => self.by_land.distance(from, |at| *self.board.army_reach(at)),
            UnitKind::Fleet => self.by_water.distance(from, |at| *self.board.fleet_reach_any(at)),
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
        let mut next = ProvinceSet::EMPTY;
        edge.iter().for_each(|province| next |= neighbours(province));
        edge = next - found;
        found |= edge;
    }
    rings
}

/// Who could be where in a movement.
#[derive(Clone, Debug)]
pub struct Front {
    pub own: ProvinceSet,
    /// Where units of others stand.
    pub foreign: ProvinceSet,
    /// How many units of others could move to each province.
    pub threats: Tally,
    /// Where any could.
    pub threatened: ProvinceSet,
    /// How many units of its own could move to each province by themselves.
    pub helpers: Tally,
    /// Where armies drown at the end of the year. In Spring there is time to leave.
    pub drowning: ProvinceSet,
}

impl Front {
    /// Looks at the units.
    pub fn new(seen: &Observation<'_>) -> Front {
        let (occupied, fleets) = (*seen.position.occupied(), *seen.position.fleets());
        let own = *seen.position.units_of(seen.power);
        let foreign = occupied - own;
        let threats = reached(seen, foreign - fleets, foreign & fleets);
        let helpers = reached(seen, own - fleets, own & fleets);
        let drowning = if seen.phase.season == Season::Fall { seen.sinking } else { ProvinceSet::EMPTY };
        Front { own, foreign, threatened: threats.any(), threats, helpers, drowning }
    }

    /// How many other units of its own could move there besides this one.
    #[inline]
    pub fn others(&self, seen: &Observation<'_>, unit: ProvinceId, to: ProvinceId) -> i32 {
        i32::from(self.helpers.of(to)) - i32::from(reach(seen, unit).contains(to))
    }

    /// Would a unit drown there?
    #[inline]
    pub fn drowns(&self, kind: UnitKind, at: ProvinceId) -> bool {
        kind == UnitKind::Army && self.drowning.contains(at)
    }
}

/// How many of these armies and fleets could move to each province.
fn reached(seen: &Observation<'_>, armies: ProvinceSet, fleets: ProvinceSet) -> Tally {
    let mut tally = Tally::ZERO;
    armies.iter().for_each(|army| tally.add(*seen.board.army_reach(army)));
    fleets.iter().for_each(|fleet| {
        let coast = seen.position.unit(fleet).map_or(CoastId::FIRST, |unit| unit.coast);
        tally.add(*seen.board.fleet_reach(Location { province: fleet, coast }));
    });
    tally
}
