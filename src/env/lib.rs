//! Many games at once for programs that learn: seats are played by bots of the engine or by the caller.
//!
//! ```text
//!            ┌────────────────────────────── Batch ──────────────────────────────┐
//!  choices ─▶│ game 0: settle one stage, play on until a seat of the caller's is  │─▶ tables, rewards,
//!  (one for  │ game 1: asked again                                               │   ended games
//!  each ask) │  …                                                                │
//!            └───────────────────────────────────────────────────────────────────┘
//! ```
//! One step is one stage (movement, retreats, coasts, adjustments, seismic orders) of every game that waits
//! for the caller. The caller's decisions form a list of *asks*, each with a span of the rows of legal
//! orders: the span is the mask, and a choice is an index into it, in every stage. The board is a graph whose
//! nodes and edges are those of the current map.
//!
//! Conversely, a policy trained in a batch plays in runs, tournaments and matches as a bot ([`chooser_bot`]),
//! where it is also called for the seats of many games at once.
//!
//! A game of a batch equals the corresponding game of a run: with the same root seed, number, seats and
//! decisions it is identical, byte for byte.
//!
//! [`tables`] describes the columns, and [`Batch`] their use.

mod act;
mod ask;
mod batch;
mod caller;
mod chooser;
mod config;
mod observe;
mod padded;
mod slot;
pub mod tables;

pub use act::OrderKind;
pub use ask::AskKind;
pub use batch::{Batch, Ended};
pub use chooser::{Chooser, ChooserFailure, Seen, chooser_bot, chooser_seat, positions};
pub use config::{Autoreset, BatchConfig, ConfigError, Seat};
pub use observe::PADDED_GAME;
pub use padded::{Bounds, PADDED_SEAT, Padded};
pub use tables::{PerTable, Sizes, Tables};
