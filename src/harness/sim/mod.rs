//! Running experiments: the experiment file, the pure schedule, the parallel runner, the run folder.
//!
//! ```text
//!  experiment.toml ─ check ─▶ Experiment ─ Schedule ─▶ GameSpec …        which seats, which seeds
//!                                │                        │
//!                                │ resolved, hashed       │  all threads: Player → Game → Recorder
//!                                ▼                        ▼
//!                   results/<name>-<hash>/ ◀─ Sink ◀─ chunk of GameRows, in order
//!                                ▲                        │
//!                        renamed at the end               └─▶ the closing table
//! ```
//! The runner knows neither the game nor the file format: it takes a [`runner::Play`] and a
//! [`runner::Sink`].
//!
//! An [`Experiment`] owns what it plays: the variant of each arm and the maker of each bot, both from a [`Registry`].
//! Its *arms* are its variants and the settings that its sweeps make of them, each with an id of its own. All arms have
//! boards with the same powers, so that a line-up fits every arm. [`Experiment::begin`] creates a [`Run`], and
//! [`Run::finish`] plays it.
//!
//! Games are played in chunks of fixed size, and a chunk becomes one part file of each table. The bytes of a part
//! depend on the schedule and never on the threads, so that another process can play it ([`RunPlan`], [`Part`]). A
//! [`Shard`] plays every n-th chunk. Parts are named by their place in the whole run, so that joining shards only
//! copies files. An interrupted run keeps the chunks that its journal lists and whose bytes match, and plays the rest
//! ([`RunFolder`]).
//!
//! Tournaments, matches and imports are experiments, too. A tournament has several line-ups. A match has all the games
//! that may be needed, and its sink ends the run when the test has an answer ([`Sequential`]). An import has one bot,
//! whose content is the hashes of the imported files ([`crate::archive`]).
//!
//! Runs are read from disk through [`StoredRun`]. Its statement of what was played is a [`ResolvedExperiment`], the
//! type that was written.

pub mod amended;
pub mod begin;
pub mod bots;
pub(crate) mod dice;
pub mod estimate;
pub mod experiment;
pub mod extension;
mod failing;
pub mod faults;
pub mod join;
pub mod labels;
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod output;
pub mod pace;
pub mod part;
pub mod plan;
pub(crate) mod player;
mod recorder;
pub(crate) mod registry;
pub mod resolved;
mod round_robin;
pub mod runner;
pub mod schedule;
pub mod seating;
pub mod shard;
pub mod stored;
pub mod tournament;
pub mod verify;

pub use begin::{Collect, Forecast, Run};
pub use bots::{BotRecipe, BotSection};
pub use dice::Dice;
pub use experiment::{
    BotEntry, BotOrigin, BotSource, Catalogue, Dimension, Experiment, ExperimentError, LongIds, LookupError,
    Overrides, Space, Swept, VariantEntry,
};
pub use faults::{FaultRule, USUAL_SHARE};
pub use output::location::{OutputError, RunLocation};
pub use output::place::{FoundRun, Start};
pub use output::{RunFolder, RunReport};
pub use pace::RunPace;
pub use part::Part;
pub use plan::RunPlan;
pub use player::Player;
pub(crate) use player::{Playing, RecordedGame, RecordedSeats, Steer};
pub use recorder::Recorder;
pub use registry::Registry;
pub use resolved::{Canonical, ResolvedExperiment, RunLog, Sequential};
pub use runner::{Observer, Play, PlayError, RunError, Sink, pool, run};
pub use schedule::{Chunk, GameSpec, Schedule};
pub use seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
pub use shard::Shard;
pub use stored::{StoredError, StoredRun, Trust};
pub use upheaval_engine::bot::Program;
