//! A whole run played again into another folder, from the contents of its own folder alone.

use std::path::PathBuf;

use super::again::Again;
use super::error::AgainError;
use crate::record::regular::{Readable, RunFile};
use crate::sim::output::GIVEN;
use crate::sim::resolved::ResolvedBot;
use crate::sim::{Experiment, Registry};

impl Again {
    /// The experiment of the run, to be played with this many threads into a run folder below `out`. Its rules are
    /// those in the folder, and its bots those of a registry.
    ///
    /// # Errors
    /// A program with a seat in it may not be started, a bot plays differently here, the file of the experiment cannot
    /// be read, or its tables have another schema version than this program writes.
    pub fn experiment(
        &self,
        out: PathBuf,
        threads: usize,
        registry: &Registry,
    ) -> Result<Experiment, AgainError> {
        self.permit_all()?;
        let run = self.run();
        let resolved = &run.experiment;
        if resolved.sequential.is_some() {
            return Err(AgainError::Match(run.path.clone()));
        }
        let source = |bot: &ResolvedBot| {
            let why = |why| AgainError::Bot { path: run.path.clone(), bot: bot.name.clone(), why };
            Ok(registry.entry(&bot.name, &bot.content).map_err(why)?.split().1)
        };
        let given = RunFile::new(&run.path, GIVEN);
        let unreadable =
            |error| AgainError::Table { path: given.place(), what: format!("cannot be read: {error}") };
        let mut resolved = resolved.clone();
        // It is played to its end, as it was.
        resolved.faults.share = 1.0;
        Ok(Experiment {
            bots: resolved.bots.iter().map(source).collect::<Result<_, AgainError>>()?,
            resolved,
            variants: self.rules().to_vec(),
            threads,
            out,
            shard: run.manifest.shard.clone(),
            given: given.read_text().map_err(unreadable)?,
            set: run.manifest.set.clone(),
        })
    }
}
