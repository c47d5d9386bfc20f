//! What it is worth to have a unit somewhere at the end of a movement.

use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rules::position::Season;

use super::survey::{FAR, Survey};
use crate::common::few::Few;
use crate::common::reach;

/// What it costs to risk that an army drowns.
const COST_OF_DROWNING: i32 = 60;

/// Threats by others count up to so many.
pub const MOST_THREATS: usize = 3;

/// Enough units of its own: one that moves, and one more than there are threats and somebody who stands there.
const ENOUGH: usize = MOST_THREATS + 2;

/// What is looked at while plans are made.
#[derive(Debug)]
pub struct Front<'a> {
    survey: &'a Survey<'a>,
    pub own: ProvinceSet,
    /// Where units of others stand.
    pub foreign: ProvinceSet,
    /// How many units of others could move to each province.
    pub threats: Few<MOST_THREATS>,
    /// How many units of its own could move to each province by themselves; none where none may help another.
    own_reach: Few<ENOUGH>,
    /// Where a unit is lost.
    doomed: ProvinceSet,
    /// Where armies drown at the end of the year. In Spring there is time to leave.
    drowning: ProvinceSet,
    /// Centres to keep: they are threatened.
    threatened_centres: ProvinceSet,
    /// What it is worth to stay on a wanted centre.
    staying: i32,
}

/// A unit that is to have a plan.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    pub at: ProvinceId,
    pub kind: UnitKind,
    /// Where it could move by itself, as far as it counts among those that could help.
    reach: ProvinceSet,
}

impl Mover {
    /// The unit in a province, of this kind: an army aboard a fleet is an army.
    pub fn new(seen: &Observation<'_>, at: ProvinceId, kind: UnitKind) -> Mover {
        let helps = !seen.handicap.denies(Faculty::Supports);
        Mover { at, kind, reach: if helps { reach(seen, at) } else { ProvinceSet::EMPTY } }
    }
}

impl<'a> Front<'a> {
    /// Looks at the units.
    pub fn new(seen: &Observation<'_>, survey: &'a Survey<'a>) -> Self {
        let own = *seen.position.units_of(seen.power);
        let foreign = *seen.position.occupied() - own;
        let threats = Few::reached_by(seen, foreign);
        let helpers = if seen.handicap.denies(Faculty::Supports) { ProvinceSet::EMPTY } else { own };
        let fall = seen.phase.season == Season::Fall;
        Front {
            survey,
            own,
            foreign,
            threats,
            own_reach: Few::reached_by(seen, helpers),
            doomed: seen.doomed,
            drowning: if fall { seen.sinking } else { ProvinceSet::EMPTY },
            threatened_centres: *seen.centres & threats.any(),
            // A centre changes hands after Fall only: in Spring, to be there is not yet to have it.
            staying: if fall { 120 } else { 60 },
        }
    }

    /// Would a unit drown there?
    #[inline]
    pub fn drowns(&self, kind: UnitKind, at: ProvinceId) -> bool {
        kind == UnitKind::Army && self.drowning.contains(at)
    }

    /// What it is worth to have the unit there.
    #[inline(always)] // into the one loop over all that a unit could do
    pub fn worth(&self, mover: &Mover, to: ProvinceId) -> i32 {
        let Mover { at, kind, reach } = *mover;
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
                // Without help nothing that holds is dislodged.
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

    /// What it is worth to have an army aboard a fleet in this sea.
    pub fn worth_aboard(&self, fleet: ProvinceId, sea: ProvinceId) -> i32 {
        let near = 4 * i32::from(FAR - self.survey.distance_aboard(sea));
        near - 30 * i32::from(self.foreign.contains(sea)) - i32::from(sea == fleet)
    }

    /// What it costs a unit that would drown where it is to try to go where it may not get.
    #[inline(always)]
    pub fn risk(&self, mover: &Mover, to: ProvinceId) -> i32 {
        let met = || self.threats.any().contains(to) || self.foreign.contains(to);
        if self.drowns(mover.kind, mover.at) && to != mover.at && met() { COST_OF_DROWNING } else { 0 }
    }
}
