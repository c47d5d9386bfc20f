//! Many games at once for programs that learn: seats are played by bots of the engine or by the caller.
//!
//! ```text
//!            ┌────────────────────────────── Batch ──────────────────────────────┐
//!  choices ─▶│ game 0: settle one stage, play on until a seat of the caller's is  │─▶ tables, rewards,
//!  (one for  │ game 1: asked again                                               │   ended games
//!  each ask) │  …                                                                │
//!            └───────────────────────────────────────────────────────────────────┘
//! ```
//! One step is one stage (movement, retreats, coasts, adjustments, seismic orders) of every game that waits for the caller.
//! What it may decide is a list of *asks*, each with a span of the rows of legal orders: the span is the mask, and a choice
//! is an index into it, whatever the stage. The board is a graph whose nodes and edges are those of the map as it is now.
//!
//! The other way round, what has learned in a batch plays in runs, tournaments and matches as a bot ([`chooser_bot`]): it is
//! called for the seats of many games at once there, too.
//!
//! A game of a batch is a run's game: under the same root seed, number, seats and decisions it is the same, byte for byte.
//!
//! [`tables`] says what the columns mean, [`Batch`] how it is used.

mod act;
mod advise;
mod alone;
mod ask;
mod batch;
mod caller;
mod chooser;
mod config;
mod fill;
mod graph;
mod look;
mod observe;
mod padded;
mod sizes;
mod slot;
pub mod tables;
mod text;
mod workers;

pub use act::OrderKind;
pub use alone::{chooser_seat, positions};
pub use ask::AskKind;
pub use batch::{Batch, Ended};
pub use chooser::{Chooser, Failure, Seen, chooser_bot};
pub use config::{Autoreset, BatchConfig, ConfigError, Reward, Seat};
pub use fill::Tables;
pub use padded::{Bounds, PADDED_GAME, PADDED_SEAT, Padded};
pub use sizes::Sizes;
