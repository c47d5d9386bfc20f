//! The site of a run: the path of an experiment's run, and its identity.

use std::path::PathBuf;

use super::error::OutputError;
use super::names::folder_name;
use super::place::{self, RunPlace};
use crate::sim::experiment::Experiment;
use crate::sim::resolved::Canonical;

/// The path of an experiment's run, and its identity. The experiment's hash is computed here, once for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The run folder.
    pub path: PathBuf,
    /// The experiment's canonical form, with its hash.
    pub canonical: Canonical,
    /// The folder for the run folder.
    pub(super) out: PathBuf,
    /// The experiment's name.
    pub(super) name: String,
}

impl Site {
    /// The site of an experiment's run. The disk is not read yet.
    pub fn of(experiment: &Experiment) -> Site {
        let canonical = experiment.resolved.canonical();
        let folder = folder_name(&experiment.resolved.name, &canonical.hash, experiment.shard.as_ref());
        let out = experiment.out.clone();
        Site { path: out.join(folder), canonical, out, name: experiment.resolved.name.clone() }
    }

    /// Checks the place of the run folder.
    ///
    /// # Errors
    /// There is something that must not be lost.
    pub(crate) fn look(&self) -> Result<RunPlace, OutputError> {
        place::look(&self.path, &self.canonical)
    }

    /// Is the complete run there?
    ///
    /// # Errors
    /// There is something that must not be lost.
    pub fn is_played(&self) -> Result<bool, OutputError> {
        Ok(self.look()? == RunPlace::Replace)
    }
}
