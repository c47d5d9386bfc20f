//! Thousands of games in parallel, and what is kept of them.
//!
//! [`record`] is what a run writes: rows, their schema, Parquet. [`sim`] reads experiments and plays them into a run
//! folder. [`game_record`] keeps single games as text and plays them again. [`archive`] imports games of people.

pub mod archive;
pub mod branch;
pub mod game_record;
pub mod record;
pub mod sim;
