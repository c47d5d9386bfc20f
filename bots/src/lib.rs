//! The bots that ship with `upheaval`. They use only the library's public interface.

mod common;
mod dumbbot;
pub mod external;
mod feud;
mod greedy;
mod hold;
mod random;
mod search;
#[cfg(test)]
mod tests;

pub use dumbbot::Dumbbot;
pub use feud::{Feud, FeudSettings};
pub use greedy::Greedy;
pub use hold::Hold;
pub use random::Random;
pub use search::{Matrix, Rating, RuleOfThumb, Search, SearchSettings};

use upheaval_engine::bot::BotKind;

/// The bots of this crate, by name.
pub const KINDS: [BotKind; 6] =
    [dumbbot::KIND, feud::KIND, greedy::KIND, hold::KIND, random::KIND, Search::KIND];
