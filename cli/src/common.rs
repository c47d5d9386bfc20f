//! The flags that all commands share which play what a file says: `run`, `tournament`, `sprt` and `tune`.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;
use upheaval::sim::{Experiment, Overrides, Start};

use crate::failure::Failure;

/// Values in place of the file's, and the treatment of earlier results.
#[derive(Args)]
pub(crate) struct Common {
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The folder for the folder of the result, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Set a key of the file, such as `last_year=1910` or `parameters.holes.per_season=2`; the value is TOML, or a bare
    /// word. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Discard everything of the same run or search, and start again.
    #[arg(long)]
    pub afresh: bool,
    /// Go on although a bot fails in more of its games than `faults.share` allows; the result then begins with a warning.
    #[arg(long)]
    pub recover: bool,
}

/// Starts each program of an experiment: if one cannot be started, nothing is printed and no folder is made.
///
/// # Errors
/// One of them cannot be started.
pub(crate) fn try_bots(experiment: &Experiment) -> Result<(), Failure> {
    experiment.try_bots::<Infallible>().map_err(Failure::of_run)
}

impl Common {
    /// The values in place of the file's, with this number of threads.
    pub(crate) fn overrides(&self, threads: Option<usize>) -> Overrides {
        Overrides {
            seed: self.seed,
            threads,
            out: self.out.clone(),
            set: self.set.clone(),
            share: self.recover.then_some(1.0),
            ..Overrides::default()
        }
    }

    /// The treatment of an interrupted run.
    pub(crate) fn start(&self) -> Start {
        if self.afresh { Start::Afresh } else { Start::GoOn }
    }
}
