//! Faults of bots, in words.

use super::Conduct;

/// A fault of a bot, described for people. The game itself records only its [`Conduct`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// The kind of fault.
    pub conduct: Conduct,
    /// The game.
    pub game: String,
    /// The power.
    pub power: String,
    /// The phase; `None` before the first.
    pub phase: Option<String>,
    /// What was wrong, and what would be right.
    pub reason: String,
    /// The end of the program's standard error, if the program has exited.
    pub last_words: String,
    /// How often this was wrong: of orders that were refused for the same reason only the first is described.
    pub times: u64,
}
