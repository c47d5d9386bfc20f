//! Thousands of games in parallel, and their records.
//!
//! [`record`] has the output of a run: rows, their schema, Parquet. [`sim`] reads experiments and plays them into a run
//! folder. [`game_record`] keeps single games as text and plays them again. [`branch`] plays a game of a run again with
//! a change. [`archive`] imports games of people.

pub mod archive;
pub mod branch;
pub mod game_record;
pub mod record;
pub mod sim;
