//! Bots at a table: their dice, and the games that they play.

use upheaval::bot::{Bot, Observation, OrderSheet};
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::play::{Seats, play};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Log;
use upheaval::rules::legal;
use upheaval::rules::nature::Nature;

/// Bots by a maker for each power.
pub fn bots<B: Bot + 'static>(mut make: impl FnMut(Power) -> B) -> ByPower<Box<dyn Bot>> {
    ByPower::from_fn(Powers::STANDARD, |power| Box::new(make(power)) as Box<dyn Bot>)
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

/// Draws a legal order for each unit of a bot, and writes the orders down if it moves: in both cases the same dice are
/// used.
pub fn draw_orders(seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>, moves: bool) {
    for at in *seen.position.units_of(seen.power) {
        let drawn = legal::draw(seen.board, seen.position, seen.chains, at, dice);
        if let Some(order) = drawn.filter(|_| moves) {
            sheet.write(at, order);
        }
    }
}
