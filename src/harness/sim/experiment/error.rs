//! Why an experiment file is refused.

use std::fmt;
use std::ops::Range;

use super::catalogue::LookupError;
use upheaval_engine::diagnostic::table::Table;
use upheaval_engine::diagnostic::{Diagnostic, SourceError, one_line, suggest};

/// Why an experiment file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file has a fault, or a value that the caller has set in it.
    #[error(transparent)]
    Fault(#[from] Diagnostic),
    /// A value of the caller that takes the place of the file's has a fault.
    #[error("{of}: {message}")]
    Override {
        /// The value.
        of: Override,
        /// What is wrong, and what would be right.
        message: String,
    },
}

/// A value of the caller that takes the place of the file's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Override {
    /// Games of each arm.
    Games,
    /// Blocks of a tournament.
    Blocks,
    /// Threads.
    Threads,
    /// The folder for the run folder.
    Out,
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Override::Games => "games",
            Override::Blocks => "blocks",
            Override::Threads => "threads",
            Override::Out => "out",
        })
    }
}

/// A name in the file that does not give a variant or bot.
pub(super) fn unusable(
    root: &Table<'_>,
    span: Range<usize>,
    what: &str,
    name: &str,
    error: LookupError,
    known: &[String],
) -> Diagnostic {
    let message = match error {
        LookupError::Unknown => {
            format!("unknown {what} `{name}`; {}", suggest(name, known.iter().map(String::as_str)))
        }
        LookupError::Unusable(why) => format!("{what} `{name}` cannot be used: {}", one_line(&why)),
    };
    root.fault(span, message)
}
