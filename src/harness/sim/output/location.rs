//! The location of a run: its path and identity, the names of its files, and why a run folder cannot be written.

use std::io;
use std::path::{Path, PathBuf};

use crate::record::column::TableRow;
use crate::record::reader::ReadError;
use crate::record::regular::NotRegular;
use crate::record::{DistanceRow, EventRow, GameRow, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow};
use crate::sim::experiment::Experiment;
use crate::sim::resolved::{Canonical, RunLog};
use crate::sim::shard::Shard;

/// The path of an experiment's run, and its identity. The experiment's hash is computed here, once for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLocation {
    /// The run folder.
    pub path: PathBuf,
    /// The experiment's canonical form, with its hash.
    pub canonical: Canonical,
    /// The folder for the run folder.
    pub(super) out: PathBuf,
    /// The experiment's name.
    pub(super) name: String,
}

impl RunLocation {
    /// The site of an experiment's run. The disk is not read yet.
    pub fn of(experiment: &Experiment) -> RunLocation {
        let canonical = experiment.resolved.canonical();
        let folder = folder_name(&experiment.resolved.name, &canonical.hash, experiment.shard.as_ref());
        let out = experiment.out.clone();
        RunLocation { path: out.join(folder), canonical, out, name: experiment.resolved.name.clone() }
    }
}

/// The file of a run folder with the experiment as given.
pub const GIVEN: &str = "experiment.toml";

/// The file of a run folder with everything that determines the result.
pub const RESOLVED: &str = "experiment.resolved.json";

/// The name of a run folder: of a whole run, or of a shard of it.
pub fn folder_name(name: &str, hash: &str, shard: Option<&Shard>) -> String {
    let suffix = shard.map_or_else(String::new, Shard::suffix);
    format!("{name}-{}{suffix}", hash.get(..12).unwrap_or(hash))
}

/// The tables of a run, in the order in which the parts of a chunk are written.
pub fn tables(log: RunLog) -> impl Iterator<Item = &'static str> {
    let always = [
        GameRow::TABLE,
        SeatRow::TABLE,
        TurnRow::TABLE,
        TopologyRow::TABLE,
        DistanceRow::TABLE,
        EventRow::TABLE,
    ];
    let orders = log.orders.then_some(OrderRow::TABLE);
    let maps = log.maps.then_some(MapRow::TABLE);
    always.into_iter().chain(orders).chain(maps)
}

/// The path of a part file below the run folder.
pub(crate) fn part_name(table: &str, variant: &str, part: u32) -> String {
    format!("{table}/variant={variant}/part-{part:05}.parquet")
}

/// Why a run folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Something is in the place of the run folder that is not part of this run.
    #[error("`{}` {what}", path.display())]
    InTheWay {
        /// The path.
        path: PathBuf,
        /// What it is or contains: a sentence without its subject.
        what: String,
    },
    /// An experiment of the same name, but not the same, has been left unfinished.
    #[error(
        "`{}` contains an unfinished run of `{name}` ({chunks} {} finished), but the experiment has changed since; \
         what differs: {difference}",
        out.display(), if *chunks == 1 { "part is" } else { "parts are" }
    )]
    Changed {
        /// The folder of runs.
        out: PathBuf,
        /// The name.
        name: String,
        /// The number of its finished chunks.
        chunks: usize,
        /// Its difference from this one.
        difference: String,
    },
    /// Another process plays the same experiment there.
    #[error("`{}` is being played by another process", .0.display())]
    Busy(PathBuf),
    /// The run does not have a part that is to be played, or that another process made.
    #[error("{0}")]
    OtherPart(String),
    /// Something else wrote into the run's folder while its games were played.
    #[error(
        "`{}` is not complete: {what}; another program wrote there during the run", path.display()
    )]
    Touched {
        /// The run folder.
        path: PathBuf,
        /// The file, and its fault.
        what: String,
    },
    /// The existing part of the run cannot be read back.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file system reported an error.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// The path to be written.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl OutputError {
    /// Can the user avoid the error with another folder? If not, the disk is at fault.
    pub fn is_refusal(&self) -> bool {
        match self {
            OutputError::Io { source, .. } | OutputError::Read(ReadError::Io { source, .. }) => {
                NotRegular::of(source).is_some()
            }
            OutputError::Read(_) | OutputError::Touched { .. } => false,
            _ => true,
        }
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
        |source| OutputError::Io { path: path.to_owned(), source }
    }
}
