//! The choices that a bot would make for the caller's asks: a teacher for programs that learn by imitation.

use upheaval_engine::bot::{BotMaker, Trapped};
use upheaval_engine::game::Referee;
use upheaval_engine::play::{Advice, advice};
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::order::AdjustmentOrder;
use upheaval_map::rng::{Purpose, Stream};

use crate::act::Act;
use crate::ask::{Ask, AskKind, Asks};
use crate::slot::Waiting;

/// Represents no choice: the bot's answer is not among the answers, or the bot would not answer.
const NONE: i32 = -1;

impl Waiting {
    /// The choice that a bot would make for each ask. The bot is newly made, and its dice follow from the
    /// game and its state.
    pub fn advised(&self, referee: &mut Referee, bot: &BotMaker) -> Vec<i32> {
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
fn choice(asks: &Asks, ask: &Ask, advice: &Advice) -> i32 {
    let mut acts = asks.acts_of(ask);
    let place = match ask.kind {
        AskKind::Retreat => acts.position(|act| match act {
            Act::Retreat { unit, order } => advice.retreats.contains(&(usize::from(unit), Some(order))),
            _ => false,
        }),
        // From the sea that the fleet moves to, or from its current one.
        AskKind::Landing => acts
            .position(|act| matches!(act, Act::Land(landing) if advice.orders.landings().contains(&landing)))
            .or(Some(0)),
        _ => {
            let wanted = wanted(ask, advice);
            acts.position(|act| act == wanted)
        }
    };
    place.map_or(NONE, |place| place as i32)
}

/// The answer that the bot would give.
fn wanted(ask: &Ask, advice: &Advice) -> Act {
    let rank = usize::from(ask.rank);
    match (ask.kind, ask.about) {
        (AskKind::Order, Some(unit)) => Act::Order(advice.orders[unit]),
        (AskKind::List, Some(unit)) => {
            advice.orders.retreats().of(unit).get(rank).map_or(Act::None, |&at| Act::Place(at))
        }
        (AskKind::Exempt, _) => advice.exempt.map_or(Act::None, Act::Exempt),
        (AskKind::Announce, _) if advice.announced == Announced::Yes => Act::Announce,
        (AskKind::Coast, Some(fleet)) => {
            let coast = advice.coasts.iter().find(|(of, _)| *of == fleet).and_then(|(_, coast)| *coast);
            coast.map_or(Act::None, Act::Coast)
        }
        (AskKind::Trapped, Some(fleet)) => match advice.disbanded.contains(fleet) {
            true => Act::Trapped(Trapped::Disbands),
            false => Act::Trapped(Trapped::Stays),
        },
        (AskKind::Build | AskKind::Removal, _) => match advice.adjustments.get(rank) {
            None | Some(AdjustmentOrder::Waive) => Act::None,
            Some(&order) => Act::Adjust(order),
        },
        (AskKind::Seismic, _) => advice.quake.map_or(Act::None, Act::Quake),
        _ => Act::None,
    }
}
