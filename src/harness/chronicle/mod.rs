//! A game written down as text, to be kept, read and played again.
//!
//! ```text
//!   bots ─▶ Player ──▶ chronicle() ──▶ Chronicle ═ game.json ═▶ Chronicle ──▶ replay()
//!                                        stage by stage: hash of the game, orders with results, what happened
//! ```
//! A [`Chronicle`] holds its rules, so it is played again without experiment and bots. Before each stage the hash of the
//! game is compared, after it what was told; who tampers with an order, a draw or a hash is found in the phase where the
//! game goes otherwise. A [`Replay`] does so stage by stage, and tells a log of the game's own types what happens.

mod again;
mod decisions;
mod error;
mod form;
mod people;
mod programs;
mod replay;
mod saved_game;
mod scribe;
mod stored;
mod told;

pub use again::Again;
pub(crate) use decisions::{Given, given};
pub use error::{AgainError, Departed, NeededProgram};
pub use form::{
    Chronicle, DislodgedLine, End, EventLine, FORMAT, FORMAT_VERSION, FormError, Identity, OrderLine, Rules,
    StageRecord,
};
pub use programs::{Programs, command_line, quoted};
pub use replay::{Departure, Replay, replay};
pub use saved_game::{NotStandard, SavedGame};
pub use scribe::{Origin, chronicle, chronicle_of};
