//! The bots that ship with `upheaval`. They see only the library's public interface.

mod common;
mod dumbbot;
mod greedy;
mod hold;
mod random;

pub use dumbbot::Dumbbot;
pub use greedy::Greedy;
pub use hold::Hold;
pub use random::Random;

use upheaval::bot::BotKind;

/// The bots of this crate, by name.
pub const KINDS: [BotKind; 4] = [dumbbot::KIND, greedy::KIND, hold::KIND, random::KIND];
