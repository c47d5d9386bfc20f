//! Why a run folder cannot be written.

use crate::record::regular::NotRegular;
use std::io;
use std::path::{Path, PathBuf};

use crate::record::reader::ReadError;

/// Why a run folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or link stands where a folder must be.
    #[error("`{}` is no folder but {found}, and the run needs one there", path.display())]
    NotAFolder {
        /// What stands in the way.
        path: PathBuf,
        /// What it is, with its article.
        found: &'static str,
    },
    /// The folder holds something that is no part of a run.
    #[error("`{}` holds `{foreign}`, which is no part of this run", path.display())]
    Foreign {
        /// The run folder.
        path: PathBuf,
        /// What it holds.
        foreign: String,
    },
    /// The folder holds the run of another experiment.
    #[error(
        "`{}` holds the run of another experiment, `{name}` {hash}; what differs: {difference}", path.display()
    )]
    OtherExperiment {
        /// The run folder.
        path: PathBuf,
        /// The other's name.
        name: String,
        /// The other's hash.
        hash: String,
        /// In what it differs from this one.
        difference: String,
    },
    /// An experiment of the same name, but not the same, has been left unfinished.
    #[error(
        "`{}` holds an unfinished run of `{name}` ({chunks} {} finished), and the experiment is not the same any more; \
         what differs: {difference}",
        out.display(), if *chunks == 1 { "part is" } else { "parts are" }
    )]
    Changed {
        /// The folder of runs.
        out: PathBuf,
        /// The name.
        name: String,
        /// How many chunks of it are finished.
        chunks: usize,
        /// In what it differs from this one.
        difference: String,
    },
    /// Another process plays the same experiment there.
    #[error("`{}` is being played by another process", .0.display())]
    Busy(PathBuf),
    /// A chunk is to be played that the run has not.
    #[error("the run has {there} chunks, numbered from 0, and no chunk {chunk}")]
    NoChunk {
        /// The chunk.
        chunk: usize,
        /// How many there are.
        there: usize,
    },
    /// A part that another process has made is not the next of the run.
    #[error("`{}` cannot take the part that it was given: {what}", path.display())]
    OtherPart {
        /// The run folder.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Something else than the run has written into its folder while its games were played.
    #[error(
        "`{}` is not complete: {what}, and not as the run has left it. Something else has written there while it was played", path.display()
    )]
    Touched {
        /// The run folder.
        path: PathBuf,
        /// The file, and what is the matter with it.
        what: String,
    },
    /// What is there of the run cannot be read back.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file system said no.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl OutputError {
    /// Is it for the user to choose another place, rather than a failure of the disk?
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
