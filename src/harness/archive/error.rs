//! Why saved games cannot be imported.

use std::io;
use std::path::{Path, PathBuf};

use crate::sim::OutputError;

/// Why files of saved games cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is not JSON.
    #[error(
        "{}:{line}:{column}: this is not JSON: {what}; a file has a saved game on each line, or one game over all lines",
        path.display()
    )]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// A game does not have a known form.
    #[error("{}:{line}: {what}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The line on which the game begins, from 1.
        line: u64,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// Two files are the same.
    #[error("`{}` and `{}` are the same file: each game is imported once", first.display(), second.display())]
    Twice {
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A file was changed while it was read.
    #[error("`{}` was changed while it was read: import it again", .0.display())]
    Changed(PathBuf),
    /// The name cannot be the name of a folder.
    #[error(
        "`{0}` is not a valid name for a run: 1 to 64 letters, digits, `-`, `_` or `.`, a letter or digit first"
    )]
    Name(String),
    /// The variant's board changes.
    #[error(
        "the board of `{0}` changes during play, and saved games do not record how: name a variant on a fixed board"
    )]
    ChangingBoard(String),
    /// Every game is left out.
    #[error("none of {games} games can be imported{}{}", first.as_ref().map_or(String::new(), |why| format!("; {why}")), by_switches(*by_one_switch))]
    Nothing {
        /// How many there are.
        games: u64,
        /// Why the first one is left out.
        first: Option<String>,
        /// How many agree with the rules by another value of one switch.
        by_one_switch: u64,
    },
    /// There are more games than a run can have.
    #[error("{0} games are more than a run can have")]
    TooMany(u64),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for; 0 for one per core.
        threads: usize,
        /// The cause.
        source: rayon::ThreadPoolBuildError,
    },
    /// The run folder cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What to do about games that differ in one switch.
fn by_switches(games: u64) -> String {
    match games {
        0 => String::new(),
        _ => format!("; --try-rules imports {games} of them, each with the switch that it needs"),
    }
}

impl ArchiveError {
    pub(super) fn unreadable(path: &Path) -> impl Fn(io::Error) -> ArchiveError + use<> {
        let path = path.to_owned();
        move |source| ArchiveError::Read { path: path.clone(), source }
    }
}
