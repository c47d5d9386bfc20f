//! Retreats: each unit goes where it costs least, and no two go to one province, where both would be lost. Lists of
//! retreats are written by the same costs.

use upheaval_engine::ask::{Answer, Observation, Retreats};
use upheaval_engine::ids::{Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::{Order, RetreatOrder};

use super::ties;

/// Gives each unit an order. Units choose one after another, in random order.
pub(crate) fn choose(
    Retreats { choices }: &Retreats,
    cost: impl Fn(UnitKind, Location) -> i64,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let mut turns: Vec<usize> = (0..choices.len()).collect();
    dice.shuffle(&mut turns);
    let mut taken = ProvinceSet::EMPTY;
    for choice in turns.into_iter().map(|turn| &choices[turn]) {
        let free = choice.options.iter().copied().filter(|to| !taken.contains(to.province));
        let best = ties::least(free, |&to| cost(choice.dislodged.unit.kind, to), dice);
        taken.extend(best.map(|to| to.province));
        answer.retreat(choice, best.map_or(RetreatOrder::Disband, |to| RetreatOrder::Retreat { to }));
    }
}

/// Writes lists. Its tables are reused from phase to phase.
///
/// Lists of retreats, where these are sent with the orders (docs/rules.md 4.12): for each unit all places
/// that it could go to, the best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lister {
    units: Vec<ProvinceId>,
    ways: Vec<(bool, i64, Location)>,
}

impl Lister {
    /// Writes a list for each of the power's units, if the variant has lists: sorted by `cost`, the least
    /// first. Destinations of the power's other units come last, because they are hardly ever vacant. No two lists
    /// begin with the same place if there is an alternative: two units that retreat to one place are both lost.
    pub(crate) fn list(
        &mut self,
        seen: &Observation<'_>,
        dice: &mut Stream,
        answer: &mut Answer<'_>,
        cost: impl Fn(UnitKind, Location) -> i64,
    ) {
        if !seen.listing.is_allowed() {
            return;
        }
        let own = *seen.position.units_of(seen.power);
        let held: ProvinceSet = own
            .iter()
            .map(|unit| match answer.order(unit) {
                Order::Move { to, .. } => to.province,
                _ => unit,
            })
            .collect();
        let mut begun_with = ProvinceSet::EMPTY;
        self.units.clear();
        self.units.extend(own);
        dice.shuffle(&mut self.units);
        for &unit in &self.units {
            let Some(kind) = seen.position.unit(unit).map(|unit| unit.kind) else { continue };
            self.ways.clear();
            let costs = seen.ways_from(unit).map(|to| (held.contains(to.province), cost(kind, to), to));
            self.ways.extend(costs);
            ties::sort(&mut self.ways, |&(is_held, cost, _)| (is_held, cost), dice);
            let begins =
                |&(is_held, _, to): &(bool, i64, Location)| !is_held && !begun_with.contains(to.province);
            if let Some(first) = self.ways.iter().position(begins) {
                begun_with.insert(self.ways[first].2.province);
                self.ways[..=first].rotate_right(1);
            }
            answer.list_retreats(unit, self.ways.iter().map(|&(.., to)| to));
        }
    }
}
