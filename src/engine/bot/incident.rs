//! Faults of bots, in words.

use super::Conduct;
use upheaval_map::ids::Power;

/// A fault of a bot, in words for people. The game itself knows it by its [`Conduct`] alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// Which kind of fault.
    pub conduct: Conduct,
    /// The game.
    pub game: String,
    /// The power.
    pub power: Power,
    /// The phase; none before the first.
    pub phase: Option<String>,
    /// What was wrong, and what would be right.
    pub reason: String,
    /// The end of what the program wrote to standard error, if it has ended.
    pub last_words: String,
}
