//! A game record: a game as text, to be kept, read and played again.
//!
//! ```text
//!   bots ─▶ Player ──▶ game_record() ──▶ GameRecord ═ game.json ═▶ GameRecord ──▶ replay()
//!                                        stage by stage: hash of the game, orders with results, what happened
//! ```
//! A [`GameRecord`] contains its rules, so it is played again without experiment and bots. The hash of the game is
//! compared before each stage, and the events after it, so a changed order, draw or hash is found in the phase where
//! the game begins to differ. A [`Replay`] does so stage by stage, and reports the events to a log in the game's own
//! types.

mod error;
mod form;
mod hosted;
mod people;
mod recorded;
mod replay;
mod replayer;
mod saved_game;
mod seen;
mod writer;

pub use error::{AgainError, Differs, NeededProgram, Programs, command_line, quoted};
pub use form::{
    End, FORMAT, FORMAT_VERSION, FormError, GameIdentity, GameRecord, MissingOrders, OrderLine,
    RecordedRules, StageRecord,
};
pub use hosted::{Due, HostedError, HostedGame, Hosting, LineFault, NO_LAST_YEAR, Orders, PERSON, ReadLine};
pub use people::heading_of;
pub(crate) use recorded::{Unusable, given};
pub use replay::{Mismatch, Replay, replay};
pub(crate) use replayer::LiveSeats;
pub use replayer::RunReplayer;
pub use saved_game::{NotStandard, SavedGame};
pub use seen::Reader;
pub use upheaval_engine::rules::told::EventLine;
pub use writer::{Origin, game_record, game_record_of};
