//! Bots at a table: their names and dice, and the games that they play.

use super::engine;
use super::quick::kind;
use std::sync::Arc;

use upheaval::ask::{Answer, Ask, Observation, Retreats};
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::play::{Seats, play};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Log;
use upheaval::rules::legal;
use upheaval::rules::nature::Nature;
use upheaval::rules::order::RetreatOrder;
use upheaval::sim::GameSpec;

/// Bots by a maker for each power.
pub fn bots<B: Bot + 'static>(mut make: impl FnMut(Power) -> B) -> ByPower<Box<dyn Bot>> {
    ByPower::from_fn(Powers::STANDARD, |power| Box::new(make(power)) as Box<dyn Bot>)
}

/// Seven of the bot of this name.
pub fn seven(name: &str) -> ByPower<Box<dyn Bot>> {
    ByPower::from_fn(Powers::STANDARD, |_| (kind(name).make)())
}

/// A game that is in no schedule, with the orders recorded: each power has the bot of its number, under these names.
pub fn spec(names: [&str; 7], seed: u64, last_year: u16) -> GameSpec {
    GameSpec {
        seats: ByPower::from_fn(Powers::STANDARD, Power::index),
        names: Arc::new(ByPower::from_fn(Powers::STANDARD, |power: Power| names[power.index()].into())),
        seed,
        last_year,
        ..engine::spec(Powers::STANDARD, 0)
    }
}

/// The dice of each power's bot.
pub fn dice(seed: u64) -> ByPower<Stream> {
    ByPower::from_fn(Powers::STANDARD, |power: Power| {
        Stream::keyed(seed, Purpose::Bot, &[power.index() as u64])
    })
}

/// Plays a game to its end with these bots and the dice of this seed, and returns the final dice.
pub fn play_out(
    game: &mut Game,
    mut bots: ByPower<Box<dyn Bot>>,
    seed: u64,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) -> ByPower<Stream> {
    let mut dice = dice(seed);
    let seats = Seats { bots: &mut bots, dice: &mut dice };
    play(game, &mut Referee::new(), seats, nature, log);
    dice
}

/// Draws a bot's answer: a legal order for each unit, a retreat for each dislodged unit, one of the builds. Orders and
/// builds are given if the bot moves: in both cases the same dice are used.
pub fn draw_answer(
    seen: &Observation<'_>,
    ask: &Ask,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
    moves: bool,
) {
    match ask {
        Ask::Movement(_) => {
            for at in *seen.position.units_of(seen.power) {
                let drawn = legal::draw(seen.board, seen.position, seen.chains, at, dice);
                if let Some(order) = drawn.filter(|_| moves) {
                    answer.write(at, order);
                }
            }
        }
        Ask::Retreats(Retreats { choices }) => {
            for choice in choices {
                let to = *dice.choose(&choice.options).expect("never empty");
                answer.retreat(choice, RetreatOrder::Retreat { to });
            }
        }
        Ask::Adjustments(adjustments) => {
            let builds = adjustments.builds(seen.board);
            if let Some(&build) = dice.choose(&builds).filter(|_| moves) {
                answer.adjust(build);
            }
        }
        _ => {}
    }
}
