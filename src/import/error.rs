//! Errors of an import.

use upheaval_map::letters::listed;

/// Why a file cannot be imported; each message is a single line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line has a fault.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The fault, and how to correct it.
        message: String,
    },
    /// The file as a whole has a fault.
    #[error("{file}: {message}")]
    File {
        /// The file as it was named.
        file: String,
        /// The fault, and how to correct it.
        message: String,
    },
    /// Several faults, each with its position.
    #[error("{file}: {}", listed(faults))]
    Faults {
        /// The file as it was named.
        file: String,
        /// Each fault.
        faults: Vec<String>,
    },
}

impl ImportError {
    /// The fault of a line.
    pub(crate) fn line(file: &str, line: usize, message: impl Into<String>) -> ImportError {
        ImportError::Line { file: file.to_owned(), line, message: message.into() }
    }

    /// The fault of a file.
    pub(crate) fn file(file: &str, message: impl Into<String>) -> ImportError {
        ImportError::File { file: file.to_owned(), message: message.into() }
    }
}
