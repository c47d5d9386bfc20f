//! Running experiments: the experiment file, the pure schedule, the parallel runner, the run folder.
//!
//! ```text
//! file ─ experiment ─> Experiment ─ schedule ─> GameSpec … ─ Play ─> GameRows … ─ Sink ─> run folder
//! ```
//! The runner knows neither the game nor the file format: it takes a [`runner::Play`] and a
//! [`runner::Sink`].

pub mod amended;
pub mod batches;
pub mod bots;
pub(crate) mod dice;
pub(crate) mod difference;
pub mod estimate;
pub mod experiment;
pub mod extension;
pub mod failing;
pub mod faults;
pub mod join;
pub mod labels;
mod listing;
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod output;
pub mod pace;
pub mod part;
pub mod plan;
pub(crate) mod player;
mod playing;
mod recorded;
mod recorder;
pub(crate) mod registry;
pub mod resolved;
mod round_robin;
mod run;
pub mod runner;
pub mod schedule;
pub mod sequential;
pub mod shard;
pub mod stored;
pub mod tournament;
pub mod verify;

pub use bots::{BotRecipe, BotSection};
pub use dice::Dice;
pub use experiment::{
    BotEntry, BotOrigin, Catalogue, ChoiceCounting, Deal, Dimension, Experiment, ExperimentError, LineUp,
    LineUps, Logging, LongIds, LookupError, MapLog, Overrides, SeatOrder, Seating, Space, Swept, Terms,
    VariantEntry,
};
pub use faults::{FaultPolicy, FaultRule};
pub use output::site::Site;
pub use output::unfinished::{FoundRun, Start};
pub use output::{OutputError, RunFolder, RunReport};
pub use pace::RunPace;
pub use part::Part;
pub use plan::RunPlan;
pub use player::Player;
pub(crate) use player::Steer;
pub(crate) use playing::Playing;
pub(crate) use recorded::{RecordedGame, RecordedSeats};
pub use recorder::Recorder;
pub use registry::Registry;
pub use resolved::{Canonical, ResolvedExperiment};
pub use run::{Collect, Forecast, Run};
pub use runner::{Observer, Play, RunError, Sink, run};
pub use schedule::{Chunk, GameSpec, Schedule};
pub use sequential::Sequential;
pub use shard::Shard;
pub use stored::{StoredError, StoredRun, Trust};
pub use upheaval_engine::bot::Program;
