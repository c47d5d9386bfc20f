//! The output of a run: rows, their single schema, and Parquet files.
//!
//! [`rows`] are plain structs that a game fills; [`schema`] is the one list of tables and columns, from which the Arrow
//! schema, the metadata of the files and `docs/schema.md` are derived; [`parquet`] encodes the rows of many games, and
//! [`reader`] decodes the rows that the program needs again; only these two know the file format. [`regular`] opens the
//! files of a run folder, and [`listed`] checks them against the manifest.

pub mod column;
pub(crate) mod compare;
#[cfg(test)]
mod doc_tests;
pub mod listed;
pub mod parquet;
pub mod reader;
pub mod regular;
pub mod rows;
pub mod schema;

pub use column::TableFrame;
pub use rows::{
    DistanceRow, EventKind, EventRow, GameEnd, GameRow, GameRows, LeadHistory, MapRow, OrderRow, SeatOutcome,
    SeatRow, SeatRows, Text, TopologyRow, TurnCounts, TurnRow,
};

/// The version of the tables and columns; it is raised when a column changes its name, type or meaning.
pub const SCHEMA_VERSION: u32 = 7;

/// The version of everything that determines the course of a game: rules, mechanisms, bots, the schedule. It is raised
/// when the same experiment would no longer give the same games. It is part of the experiment's hash.
pub const BEHAVIOUR_VERSION: u32 = 5;

/// The program and version that a file names as its creator.
pub(crate) const CREATED_BY: &str = concat!("upheaval version ", env!("CARGO_PKG_VERSION"));
