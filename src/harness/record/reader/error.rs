//! Why a table cannot be read back.

use std::path::PathBuf;

use crate::record::SCHEMA_VERSION;

/// Why a table cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read, or is not a Parquet file.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is of another version.
    #[error(
        "`{}` has schema version {found}, but this program reads {SCHEMA_VERSION}: read it with the version \
         that wrote it, or play the experiment again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has, or a `?`.
        found: String,
    },
    /// The file lacks a column that was asked for.
    #[error("`{}` has no column `{name}`; it has {columns}", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        name: String,
        /// The columns that there are.
        columns: String,
    },
    /// The file lacks something.
    #[error("`{}` {what}: it is not a table of this program, or is damaged", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}
