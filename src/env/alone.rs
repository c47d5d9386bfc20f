//! A bot that lets a [`Chooser`] decide for a single seat, wherever bots play: in batches, imagined games and
//! answers to requests.

use std::sync::Arc;

use upheaval_engine::ask::{Answer, Ask, Handicap, Observation, Public};
use upheaval_engine::bot::{Bot, BotFault, Conduct};
use upheaval_engine::game::Game;
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_map::ids::Power;
use upheaval_map::rng::Stream;

use crate::caller::Caller;
use crate::chooser::{Chooser, Seen, seen_of, uniform};
use crate::look::{Look, Questions};

/// A bot that calls a chooser for its own seat alone each time it is asked. If the chooser fails, the bot
/// holds for the rest of the game. [`chooser_bot`](crate::chooser_bot) decides for many seats at once where
/// games are played in step.
pub fn chooser_seat(chooser: Arc<dyn Chooser>) -> Box<dyn Bot> {
    Box::new(Alone { chooser, questions: Questions::default(), caller: Caller::default() })
}

/// The view of a power of games that wait for orders of movement, one seat of each, for code that rates positions: its
/// units are listed as asks, without their legal orders.
pub fn positions(games: &[&Game], power: Power) -> Seen {
    let chains = ConvoyChains::default();
    let observe = |game: &&'_ Game| {
        let mut questions = Questions::default();
        questions.list_units_of(&Observation::new(game, &chains, power, Handicap::NONE));
        questions
    };
    let questions: Vec<Questions> = games.iter().map(observe).collect();
    let look = |(game, questions)| Look { number: 0, game: Public::of(game), questions };
    let looks: Vec<Look<'_>> = games.iter().copied().zip(&questions).map(look).collect();
    seen_of(&looks, Vec::new())
}

struct Alone {
    chooser: Arc<dyn Chooser>,
    questions: Questions,
    caller: Caller,
}

impl Alone {
    /// Lets the chooser decide the seat's asks in the stage that the game waits for.
    fn choose(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> &mut Caller {
        self.caller.forget();
        if self.caller.is_gone() {
            return &mut self.caller;
        }
        let questions = &mut self.questions;
        questions.list_of(seen);
        let asks = questions.asks.list.len();
        let drawn = (0..asks).map(|_| uniform(dice)).collect();
        let tables = seen_of(&[Look { number: 0, game: **seen, questions }], drawn);
        match self.chooser.choose(tables) {
            Ok(choices) if choices.len() == asks => {
                self.caller.answer(&questions.asks, &questions.asks.list, &choices);
            }
            Ok(_) => self.caller.fail(Conduct::Protocol),
            Err(_) => self.caller.fail(Conduct::Crash),
        }
        &mut self.caller
    }
}

impl Bot for Alone {
    fn new_game(&mut self, _: Power) {
        self.caller = Caller::default();
    }

    fn fault(&mut self) -> BotFault {
        self.caller.fault()
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        self.choose(seen, dice).decide(seen, ask, dice, answer);
    }
}
