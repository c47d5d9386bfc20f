//! Variants, bots and games that are played.

use std::path::Path;
use std::sync::Arc;

use upheaval::bot::{Bot, BotKind};
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::play::{Seats, play};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Log;
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Variant;

/// The last year of the games.
pub const LAST_YEAR: u16 = 1910;

/// The root seed of all draws.
pub const SEED: u64 = 1;

/// A variant that ships.
pub fn variant(id: &str) -> Arc<Variant> {
    Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"))
}

/// A bot that ships.
pub fn bot(name: &str) -> BotKind {
    upheaval_bots::KINDS.into_iter().find(|kind| kind.name == name).expect("a bot that ships")
}

/// Seven of the same bot, with the dice of a block.
pub struct Table {
    bots: ByPower<Box<dyn Bot>>,
    dice: ByPower<Stream>,
}

impl Table {
    /// Seats them.
    pub fn of(bot: &BotKind, block: u64) -> Table {
        Table {
            bots: ByPower::from_fn(Powers::STANDARD, |_| (bot.make)()),
            dice: ByPower::from_fn(Powers::STANDARD, |p: Power| {
                Stream::keyed(SEED, Purpose::Bot, &[block, p.index() as u64])
            }),
        }
    }

    /// The seats, as the engine takes them.
    pub fn seats(&mut self) -> Seats<'_> {
        Seats { bots: &mut self.bots, dice: &mut self.dice }
    }
}

/// The nature of a block.
pub fn nature(block: u64) -> Seeded {
    Seeded { seed: SEED, block }
}

/// Plays one game to its end, seven of the same bot.
pub fn play_game(
    variant: &Arc<Variant>,
    bot: &BotKind,
    block: u64,
    referee: &mut Referee,
    log: &mut dyn Log,
) -> Game {
    let mut game = Game::new(Arc::clone(variant), LAST_YEAR);
    play(&mut game, referee, Table::of(bot, block).seats(), &mut nature(block), log);
    game
}
