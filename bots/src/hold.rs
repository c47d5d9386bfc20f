//! The bot that never acts: the lower bound of every ranking.

use upheaval_engine::bot::{Bot, BotKind, Observation, OrderSheet, Pace, RetreatChoice};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};

/// Every unit holds, dislodged units disband, and nothing is built.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold;

pub(crate) const KIND: BotKind = BotKind {
    name: "hold",
    description: "holds, disbands dislodged units, builds nothing",
    version: 1,
    make: || Box::new(Hold),
    tuning: None,
    pace: Pace::Quick,
    weights: None,
};

impl Bot for Hold {
    fn movement(&mut self, _seen: &Observation<'_>, _dice: &mut Stream, _sheet: &mut OrderSheet<'_>) {}

    fn retreats(
        &mut self,
        _seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        _dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        orders.extend(choices.iter().map(|_| Some(RetreatOrder::Disband)));
    }

    fn adjustments(
        &mut self,
        _seen: &Observation<'_>,
        _owed: Owed,
        _builds: &[AdjustmentOrder],
        _dice: &mut Stream,
        _orders: &mut Vec<AdjustmentOrder>,
    ) {
    }
}
