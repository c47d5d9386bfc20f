//! The worth of having a unit in a place at the end of a movement, and the distances to the centres that the bot wants.
//! Everything is computed again in each phase, so that changes of the board need no special treatment.
//!
//! Distances are looked up for possible destinations. Most of these are next to a wanted centre, so their neighbours
//! are examined first; the rings around all centres are computed only if none of these is wanted:
//!
//! ```text
//!   ring 0  the wanted centres        0 0 1 2 .        is it in ring 0?            no
//!   ring 1  their neighbours          1 1 1 2 3        is a neighbour in ring 0?   no
//!   ring 2  …                         2 2 2 2 3        how many rings is it outside of?
//! ```

use std::cell::OnceCell;

use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rules::position::Season;
use upheaval_engine::topology::Board;

use crate::common::{Few, reach};

/// The cost of the risk that an army drowns.
const COST_OF_DROWNING: i32 = 60;

/// The number of foreign threats beyond which more do not count.
pub(super) const MOST_THREATS: usize = 3;

/// Enough of its own units: one that moves, and one more than the threats and an occupant together.
const ENOUGH: usize = MOST_THREATS + 2;

/// The data used while plans are made.
#[derive(Debug)]
pub(super) struct FrontLine<'a> {
    survey: &'a CentreSurvey<'a>,
    pub own: ProvinceSet,
    /// The provinces with foreign units.
    pub foreign: ProvinceSet,
    /// How many foreign units could move to each province.
    pub threats: Few<MOST_THREATS>,
    /// How many of its own units could move to each province without a convoy; zero if they cannot support
    /// each other.
    own_reach: Few<ENOUGH>,
    /// The places where a unit is lost.
    doomed: ProvinceSet,
    /// The places where armies drown at the end of the year. In Spring there is time to leave.
    drowning: ProvinceSet,
    /// Threatened centres that it wants to keep.
    threatened_centres: ProvinceSet,
    /// The worth of staying on a wanted centre.
    staying: i32,
}

/// A unit that needs a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedUnit {
    pub at: ProvinceId,
    pub kind: UnitKind,
    /// Its reach without a convoy, as counted among possible helpers.
    reach: ProvinceSet,
}

impl PlannedUnit {
    /// The unit in a province, of this kind; an army aboard a fleet counts as an army.
    pub(super) fn new(seen: &Observation<'_>, at: ProvinceId, kind: UnitKind) -> PlannedUnit {
        let helps = !seen.handicap.denies(Faculty::Supports);
        PlannedUnit { at, kind, reach: if helps { reach(seen, at) } else { ProvinceSet::EMPTY } }
    }
}

impl<'a> FrontLine<'a> {
    /// Looks at the units.
    pub(super) fn new(seen: &Observation<'_>, survey: &'a CentreSurvey<'a>) -> Self {
        let own = *seen.position.units_of(seen.power);
        let foreign = *seen.position.occupied() - own;
        let threats = Few::reached_by(seen, foreign);
        let helpers = if seen.handicap.denies(Faculty::Supports) { ProvinceSet::EMPTY } else { own };
        let fall = seen.phase.season == Season::Fall;
        FrontLine {
            survey,
            own,
            foreign,
            threats,
            own_reach: Few::reached_by(seen, helpers),
            doomed: seen.doomed,
            drowning: if fall { seen.sinking() } else { ProvinceSet::EMPTY },
            threatened_centres: *seen.centres & threats.any(),
            // A centre changes hands only after Fall: being there in Spring does not yet capture it.
            staying: if fall { 120 } else { 60 },
        }
    }

    /// Would a unit drown there?
    #[inline]
    pub(super) fn drowns(&self, kind: UnitKind, at: ProvinceId) -> bool {
        kind == UnitKind::Army && self.drowning.contains(at)
    }

    /// The worth of having the unit there.
    #[inline(always)] // into the single loop over all options of a unit
    pub(super) fn worth(&self, mover: &PlannedUnit, to: ProvinceId) -> i32 {
        let PlannedUnit { at, kind, reach } = *mover;
        let stays = at == to;
        if self.doomed.contains(to) || self.drowns(kind, to) {
            return -200;
        }
        let foreign = self.foreign.contains(to);
        if self.survey.wanted.contains(to) {
            let threats = self.threats.of(to);
            let helpers = self.own_reach.of(to) - i32::from(reach.contains(to));
            return match (stays, foreign) {
                (true, _) => self.staying,
                (false, false) => 100 - 10 * (threats - helpers).max(0),
                // A unit that holds cannot be dislodged without help.
                (false, true) if helpers == 0 => 15,
                (false, true) => 80 - 10 * (threats + 1 - helpers).max(0),
            };
        }
        if self.threatened_centres.contains(to) {
            return 50 + 5 * self.threats.of(to) + i32::from(stays);
        }
        let near = 4 * i32::from(FAR - self.survey.distance(kind, to));
        near - i32::from(foreign) * 30 - i32::from(stays)
    }

    /// The worth of having an army aboard a fleet in this sea.
    pub(super) fn worth_aboard(&self, fleet: ProvinceId, sea: ProvinceId) -> i32 {
        let near = 4 * i32::from(FAR - self.survey.distance_aboard(sea));
        near - 30 * i32::from(self.foreign.contains(sea)) - i32::from(sea == fleet)
    }

    /// The cost to a unit that would drown in its place of attempting an uncertain move.
    #[inline(always)]
    pub(super) fn risk(&self, mover: &PlannedUnit, to: ProvinceId) -> i32 {
        let met = || self.threats.any().contains(to) || self.foreign.contains(to);
        if self.drowns(mover.kind, mover.at) && to != mover.at && met() { COST_OF_DROWNING } else { 0 }
    }
}

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
        let wanted = (*seen.centres - *seen.position.centres_of(seen.power)) - seen.doomed - seen.sinking();
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
