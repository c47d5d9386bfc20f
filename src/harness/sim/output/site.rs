//! The site of a run: where an experiment's run stands, and which run it is.

use std::path::PathBuf;

use super::error::OutputError;
use super::names::folder_name;
use super::place::{self, Place};
use crate::sim::experiment::Experiment;
use crate::sim::resolved::Canonical;

/// Where an experiment's run stands, and which run it is. The experiment's hash is computed here, once for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The run folder.
    pub path: PathBuf,
    /// The experiment's canonical form, with its hash.
    pub canonical: Canonical,
    /// The folder in which the run folder is made.
    pub(super) out: PathBuf,
    /// The experiment's name.
    pub(super) name: String,
}

impl Site {
    /// The site of an experiment's run. Nothing is looked at yet.
    pub fn of(experiment: &Experiment) -> Site {
        let canonical = experiment.canonical();
        let folder = folder_name(&experiment.name, &canonical.hash, experiment.shard.as_ref());
        let out = experiment.out.clone();
        Site { path: out.join(folder), canonical, out, name: experiment.name.clone() }
    }

    /// Looks at the place of the run folder.
    ///
    /// # Errors
    /// Something lies there that must not be lost.
    pub fn look(&self) -> Result<Place, OutputError> {
        place::look(&self.path, &self.canonical)
    }

    /// Is the whole run there?
    ///
    /// # Errors
    /// As [`Site::look`].
    pub fn is_played(&self) -> Result<bool, OutputError> {
        Ok(self.look()? == Place::Replace)
    }
}
