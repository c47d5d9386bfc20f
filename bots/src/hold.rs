//! The bot that never acts: the lower bound of every ranking.

use upheaval_engine::ask::{Answer, Ask, Observation, Retreats};
use upheaval_engine::bot::{Bot, BotKind, Pace};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::RetreatOrder;

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
    fn decide(&mut self, _: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Retreats(Retreats { choices }) = ask {
            for choice in choices {
                answer.retreat(choice, RetreatOrder::Disband);
            }
        }
    }
}
