//! Retreats: each unit goes where it costs least, and no two go to one province, where both would be lost.

use upheaval_engine::ask::{Answer, Retreats};
use upheaval_engine::ids::{Location, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::RetreatOrder;

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
