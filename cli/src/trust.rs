//! `--trust`: reads a run folder without checks.

use clap::Args;
use upheaval::sim::Trust;

/// The flag, for each command that reads tables of a run.
#[derive(Args)]
pub(crate) struct TrustArgument {
    /// Do not compare the run's list of files with its experiment, nor the files with their hashes. Use it for a run
    /// that is known to be sound, or to read the rest of a damaged one.
    #[arg(long)]
    trust: bool,
}

impl TrustArgument {
    /// How much is trusted.
    pub(crate) fn of(&self) -> Trust {
        match self.trust {
            true => Trust::Everything,
            false => Trust::Nothing,
        }
    }
}
