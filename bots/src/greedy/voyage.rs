//! Armies aboard fleets, and armies that become fleets: what `greedy` makes of the water.

use upheaval_engine::ids::{ProvinceId, UnitKind};
use upheaval_engine::rng::Stream;

use super::plan::{Candidate, View, worth};
use super::survey::{FAR, Front};
use crate::common::passage::{self, Means, Voyage};

/// What it costs to take a fleet from its other business.
const COST_OF_A_FLEET: i32 = 6;

/// What it costs an army never to be one again.
const COST_OF_THE_ARMY: i32 = 12;

/// What it costs to risk that an army drowns.
const COST_OF_DROWNING: i32 = 60;

/// What it costs a unit that would drown where it is to try to go where it may not get.
#[inline]
pub fn risk(front: &Front, unit: ProvinceId, kind: UnitKind, to: ProvinceId) -> i32 {
    let met = || front.threatened.contains(to) || front.foreign.contains(to);
    if front.drowns(kind, unit) && to != unit && met() { COST_OF_DROWNING } else { 0 }
}

/// Adds the voyages of the army in this province, or of the army aboard the fleet there, and what comes of it as a fleet.
pub fn collect(view: View<'_>, unit: ProvinceId, dice: &mut Stream, candidates: &mut Vec<Candidate>) {
    passage::voyages(view.seen, unit, |means, to| {
        let value = match means {
            Means::Voyage(Voyage { fleet, sea }) => {
                let cost = if fleet == unit { 0 } else { COST_OF_A_FLEET };
                let there = match sea == to.province {
                    true => worth_aboard(view, fleet, sea),
                    false => worth(view, unit, UnitKind::Army, to.province),
                };
                there - cost + dice.below(3) as i32
            }
            Means::Transform => worth(view, unit, UnitKind::Fleet, unit) - COST_OF_THE_ARMY,
            Means::Alone | Means::Convoy(_) => return,
        };
        candidates.push(Candidate { unit, to, means, value });
    });
}

/// What it is worth to have an army aboard in this sea at the end of the move.
fn worth_aboard(View { survey, front, .. }: View<'_>, fleet: ProvinceId, sea: ProvinceId) -> i32 {
    let foreign = front.foreign.contains(sea);
    let near = 4 * i32::from(FAR - survey.distance_aboard(sea));
    near - 30 * i32::from(foreign) - i32::from(sea == fleet)
}
