//! Armies aboard fleets, and armies that become fleets: how `greedy` uses the water.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ProvinceId, UnitKind};

use super::plan::Candidate;
use super::worth::{FrontLine, PlannedUnit};
use crate::common::passage::{self, Means, Voyage};

/// The cost of using a fleet that could do something else.
pub(super) const COST_OF_A_FLEET: i32 = 6;

/// The cost to an army of becoming a fleet for good.
const COST_OF_THE_ARMY: i32 = 12;

/// Calls `found` with the voyages of the army in this province, or of the army aboard the fleet there, and
/// with the option to become a fleet.
pub(super) fn collect(
    seen: &Observation<'_>,
    front: &FrontLine<'_>,
    unit: ProvinceId,
    mut found: impl FnMut(Candidate),
) {
    passage::voyages(seen, unit, |means, to| {
        let value = match means {
            Means::Voyage(Voyage { fleet, sea }) => {
                let cost = if fleet == unit { 0 } else { COST_OF_A_FLEET };
                let there = match sea == to.province {
                    true => front.worth_aboard(fleet, sea),
                    false => front.worth(&PlannedUnit::new(seen, unit, UnitKind::Army), to.province),
                };
                there - cost
            }
            Means::Transform => {
                front.worth(&PlannedUnit::new(seen, unit, UnitKind::Fleet), unit) - COST_OF_THE_ARMY
            }
            Means::Alone | Means::Convoy(_) => return,
        };
        found(Candidate { unit, to, means, value });
    });
}
