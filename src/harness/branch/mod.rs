//! What if: a game of a run that goes on otherwise from one moment on, beside the game that it was.
//!
//! ```text
//!   the run ─▶ the game, its hash checked stage by stage ─▶ fork ─┬─ as it was: future 0 is the game itself, 1, 2, …
//!                                                                 └─ amended:   future 0, 1, 2, …
//! ```
//! The k-th future of either side has the same dice, so that differences are paired; what nature draws in later seasons
//! is the same as far as the positions allow. Bots play the whole game from its start in every future, so that those that
//! remember something remember it here too; a bot that answers otherwise before the fork makes the game not repeatable.

mod error;
mod fork;
mod otherwise;
mod scripted;
mod survey;
mod table;

pub use error::BranchError;
pub use fork::{Fork, Future, FutureNumber, Moment, Side};
pub use otherwise::{DrawWord, EventWord, InvalidEvent, InvalidOtherwise, Otherwise, Replacement};
pub use survey::{Happened, Outcomes, Survey, SurveyQuery, Surveyed};
pub use table::outcomes_table;
