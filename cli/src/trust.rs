//! `--trust`: a run folder taken at its word.

use clap::Args;
use upheaval::sim::Trust;

/// The flag, for each command that reads tables of a run.
#[derive(Args)]
pub struct TrustArgument {
    /// Do not compare the run's list of files with its experiment, nor the files with their hashes. For a run that is known to be
    /// sound, or to see what is left of a damaged one.
    #[arg(long)]
    trust: bool,
}

impl TrustArgument {
    /// How much is trusted.
    pub fn of(&self) -> Trust {
        match self.trust {
            true => Trust::Everything,
            false => Trust::Nothing,
        }
    }
}
