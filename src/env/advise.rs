//! The choices that a bot would make for the caller's asks: a teacher for programs that learn by imitation.

use upheaval_engine::bot::{BotMaker, Decision};
use upheaval_engine::game::Referee;
use upheaval_engine::play::advice;
use upheaval_engine::rules::notation::Listed;
use upheaval_engine::rules::order::AdjustmentOrder;
use upheaval_map::ids::ProvinceId;
use upheaval_map::rng::{Purpose, Stream};

use crate::ask::{AskKind, Asks, UnitAsk};
use crate::slot::Waiting;

/// Represents no choice: the bot's answer is not among the answers, or the bot would not answer.
const NONE: i32 = -1;

impl Waiting {
    /// The choice that a bot would make for each ask. The bot is newly made, and its dice follow from the
    /// game and its state.
    pub(crate) fn advised(&self, referee: &mut Referee, bot: &BotMaker) -> Vec<i32> {
        let (game, spec) = (&self.game, &self.spec);
        let mut choices = Vec::with_capacity(self.questions.asks.list.len());
        for (asked, asks) in self.questions.of_seats() {
            let key = [u64::from(spec.block), game.hash(), asked.power.index() as u64];
            let mut dice = Stream::keyed(spec.seed, Purpose::Bot, &key);
            let mut bot = bot.make();
            bot.new_game(asked.power);
            let advice = advice(game, referee, asked.power, bot.as_mut(), &mut dice);
            choices.extend(asks.iter().map(|ask| choice(&self.questions.asks, ask, &advice)));
        }
        choices
    }
}

/// The number of the bot's answer to an ask.
fn choice(asks: &Asks, ask: &UnitAsk, decided: &[Decision]) -> i32 {
    let rank = usize::from(ask.rank);
    let wanted = match ask.kind {
        AskKind::List => place(decided, ask.about, rank),
        AskKind::Build | AskKind::Removal => {
            let mut adjustments =
                decided.iter().filter(|decision| matches!(decision, Decision::Adjustment(_)));
            let waived = Decision::Adjustment(AdjustmentOrder::Waive);
            adjustments.nth(rank).filter(|order| **order != waived).cloned()
        }
        _ => asks.answers_to(ask).flatten().find(|decision| decided.contains(decision)),
    };
    asks.answers_to(ask).position(|answer| answer == wanted).map_or(NONE, |place| place as i32)
}

/// The place with this number in the list of a unit, as a list of its own.
fn place(decided: &[Decision], unit: Option<ProvinceId>, rank: usize) -> Option<Decision> {
    let list = decided.iter().find_map(|decision| match decision {
        Decision::List(list) if Some(list.unit) == unit => Some(list),
        _ => None,
    })?;
    let places = vec![*list.places.get(rank)?];
    Some(Decision::List(Listed { unit: list.unit, places, passed_over: Vec::new() }))
}
