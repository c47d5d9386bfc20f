//! Retreats: each unit goes where it costs least, and no two go to one province, where both would be lost.

use upheaval_engine::bot::RetreatChoice;
use upheaval_engine::ids::{Location, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::RetreatOrder;

use super::ties;

/// Appends an order for each choice. Units choose one after another, in random order.
pub fn choose(
    choices: &[RetreatChoice<'_>],
    cost: impl Fn(UnitKind, Location) -> i64,
    dice: &mut Stream,
    orders: &mut Vec<Option<RetreatOrder>>,
) {
    let begin = orders.len();
    orders.resize(begin + choices.len(), Some(RetreatOrder::Disband));
    let mut turns: Vec<usize> = (0..choices.len()).collect();
    dice.shuffle(&mut turns);
    let mut taken = ProvinceSet::EMPTY;
    for turn in turns {
        let choice = &choices[turn];
        let free = choice.options.iter().copied().filter(|to| !taken.contains(to.province));
        if let Some(to) = ties::least(free, |&to| cost(choice.dislodged.unit.kind, to), dice) {
            taken.insert(to.province);
            orders[begin + turn] = Some(RetreatOrder::Retreat { to });
        }
    }
}
