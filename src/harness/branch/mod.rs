//! What if: a game of a run that continues with a change from one moment on, compared with the original game.
//!
//! ```text
//!   the run ─▶ the game, its hash checked stage by stage ─▶ fork ─┬─ as it was: future 0 is the game itself, 1, 2, …
//!                                                                 └─ amended:   future 0, 1, 2, …
//! ```
//! The k-th futures of both sides have the same dice, so differences are paired; later draws of nature are the same as
//! far as the positions allow. Bots play the whole game from its start in every future, so a bot with a memory has the
//! same memory here; if a bot answers differently before the fork, the game is not repeatable.

mod fork;
mod otherwise;
mod survey;

pub use fork::{BranchError, Fork, FutureNumber, Moment, Side};
pub use otherwise::{InvalidMapEventKind, InvalidOtherwise, MapEventKind, Otherwise, Replacement};
pub use survey::{Outcomes, SurveyQuery, Surveyed, SurveyedBranch, outcomes_table};
