//! A part of a run, of which nothing is told: most blocks lack games in it.

use std::path::{Path, PathBuf};

use upheaval_harness::sim::Shard;
use upheaval_harness::sim::output::manifest::Manifest;

/// A folder is a part of a run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{}` is shard {shard} of a run: it lacks games of most blocks; `upheaval join` puts all shards together, then name \
     the folder of the whole",
    path.display()
)]
pub struct PartOfRun {
    /// The folder.
    pub path: PathBuf,
    /// Which shard.
    pub shard: Shard,
}

impl PartOfRun {
    /// Refuses the folder if it is one.
    ///
    /// # Errors
    /// It is.
    pub fn refuse(path: &Path, manifest: &Manifest) -> Result<(), PartOfRun> {
        match manifest.shard {
            Some(shard) => Err(PartOfRun { path: path.to_owned(), shard }),
            None => Ok(()),
        }
    }
}
