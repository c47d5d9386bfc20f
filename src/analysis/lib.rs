//! The statistics of runs: intervals and summaries. This crate works only on recorded rows and does not know how games
//! are played.
//!
//! [`balance`] says whether rules are fair, and [`tune`] searches for parameters with which they are. [`standings`]
//! rates bots, and [`duel`] is a match of two that stops when it is decided. The block is the unit of every interval.

#![allow(
    clippy::disallowed_methods,
    reason = "statistics end in logarithms and powers; no game depends on their last digit"
)]

pub mod balance;
pub mod blocks;
#[cfg(test)]
mod coverage_tests;
pub mod duel;
pub mod estimate;
pub mod faults;
pub mod futures;
pub mod ladder;
pub mod online;
pub mod plackett_luce;
pub mod reading;
pub mod repeats;
pub mod scoring;
pub mod sprt;
pub mod standings;
pub mod summary;
pub mod table;
pub mod tune;

pub use balance::Balance;
pub use blocks::Blocks;
pub use estimate::{Estimate, Interval};
pub use faults::Faults;
pub use scoring::Score;
pub use standings::Standings;
pub use summary::{Closing, Summary};
