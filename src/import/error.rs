//! Errors of an import.

/// Why a file cannot be imported: one clear line each.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line of it is at fault.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The fault, and how to mend it.
        message: String,
    },
    /// The file as a whole is at fault.
    #[error("{file}: {message}")]
    File {
        /// The file as it was named.
        file: String,
        /// The fault, and how to mend it.
        message: String,
    },
    /// Several things are at fault, each with its place.
    #[error("{file}: {}", faults.join("; "))]
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
