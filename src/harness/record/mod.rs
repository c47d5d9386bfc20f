//! What a run writes down: rows, the one schema they have, and Parquet files.
//!
//! [`rows`] are plain structs that a game fills; [`schema`] is the one list of tables and columns, from which
//! the Arrow schema, the metadata of the files and `docs/schema.md` are made; [`parquet`] encodes the rows of
//! many games, [`reader`] gives back what the program reads again; these two alone know the file format. [`regular`] opens
//! what a run folder holds, [`listed`] what its manifest lists.

use std::ops::RangeInclusive;

pub mod audit;
pub mod column;
pub mod compare;
pub mod course;
mod doc;
pub mod frame;
pub mod listed;
#[cfg(test)]
mod pages_tests;
pub mod parquet;
pub mod reader;
pub mod regular;
pub mod rows;
pub mod schema;
pub mod small;
mod text;
mod word;

pub use course::Course;
pub use frame::Frame;
pub use rows::{
    DistanceRow, EventKind, EventRow, GameEnd, GameRow, GameRows, OrderRow, SeatOutcome, SeatRow, Seats,
    TopologyRow, TurnRow,
};
pub use text::Text;

/// Version of the tables and columns; goes up when a column changes its name, type or meaning.
pub const SCHEMA_VERSION: u32 = 7;

/// The versions of tables that this program reads: those whose columns are the same. The tables of version 6 have no rows of
/// orders that were refused.
pub const READABLE_SCHEMA_VERSIONS: RangeInclusive<u32> = 6..=SCHEMA_VERSION;

/// Version of everything that decides what happens in a game: rules, mechanisms, bots, the schedule. Goes up
/// when the same experiment would no longer give the same games. It is part of the experiment's hash.
pub const BEHAVIOUR_VERSION: u32 = 4;

/// The program and version that a file names as its maker.
pub const CREATED_BY: &str = concat!("upheaval version ", env!("CARGO_PKG_VERSION"));
