//! Bots with a handicap.

use super::{Bot, Handicap};

/// The bot with an additional handicap; the bot itself if the handicap is empty.
pub fn handicapped(bot: Box<dyn Bot>, handicap: Handicap) -> Box<dyn Bot> {
    match handicap.is_none() {
        true => bot,
        false => Box::new(Handicapped { bot, handicap }),
    }
}

/// A bot with a handicap. It only declares the handicap and delegates everything else: the caller enforces
/// it.
struct Handicapped {
    bot: Box<dyn Bot>,
    handicap: Handicap,
}

impl Bot for Handicapped {
    fn inner(&mut self) -> Option<&mut dyn Bot> {
        Some(&mut *self.bot)
    }

    fn handicap(&mut self) -> Handicap {
        self.handicap.and(self.bot.handicap())
    }
}
