//! Builds and removals, one after the other: each is the cheapest that is left.

use upheaval_engine::ask::{Answer, Observation};
use upheaval_engine::ids::{Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::AdjustmentOrder;

use super::ties;

/// Orders up to this number of the builds, at most one in each province. The cost of a build may depend on the units
/// that are built before it.
pub(crate) fn build<K: Ord>(
    builds: &[AdjustmentOrder],
    count: usize,
    cost: impl Fn(&[UnitKind], UnitKind, Location) -> K,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let (mut used, mut built) = (ProvinceSet::EMPTY, Vec::new());
    for _ in 0..count {
        let open = builds.iter().filter_map(|&order| match order {
            AdjustmentOrder::Build { kind, at } if !used.contains(at.province) => Some((order, kind, at)),
            _ => None,
        });
        let best = ties::least(open, |&(_, kind, at)| cost(&built, kind, at), dice);
        let Some((order, kind, at)) = best else { break };
        used.insert(at.province);
        built.push(kind);
        answer.adjust(order);
    }
}

/// Removes this number of units; of an army/fleet, no more than required.
pub(crate) fn remove<K: Ord>(
    seen: &Observation<'_>,
    count: usize,
    cost: impl Fn(ProvinceId) -> K,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let mut left = *seen.position.units_of(seen.power);
    let mut owed = count;
    while owed > 0 {
        let Some(at) = ties::least(left, |&at| cost(at), dice) else { break };
        left.remove(at);
        let units = seen.position.unit(at).map_or(1, |unit| unit.count());
        answer.adjust(match units > owed {
            true => AdjustmentOrder::RemoveArmy { fleet: at },
            false => AdjustmentOrder::Remove { at },
        });
        owed = owed.saturating_sub(units);
    }
}
