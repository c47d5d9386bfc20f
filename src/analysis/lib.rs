//! The statistics of runs: intervals and summaries. This crate works only on recorded rows and does not know how games
//! are played.

#![allow(
    clippy::disallowed_methods,
    reason = "statistics end in logarithms and powers; no game depends on their last digit"
)]

pub mod balance;
pub mod blocks;
pub mod causal;
mod closing;
#[cfg(test)]
mod coverage;
pub mod duel;
pub mod estimate;
pub mod faults;
pub mod finish;
pub mod futures;
pub mod ladder;
pub mod land;
pub mod online;
pub mod plackett_luce;
mod quantile;
pub mod reading;
pub mod repeats;
pub mod scoring;
mod spread;
pub mod sprt;
pub mod standings;
mod stopped;
mod stored;
pub mod summary;
mod table;
pub mod tune;
pub(crate) mod wilson;

pub use balance::Balance;
pub use blocks::Blocks;
pub use closing::Closing;
pub use estimate::{Estimate, Interval};
pub use faults::Faults;
pub use scoring::Score;
pub use standings::Standings;
pub use summary::Summary;
pub use wilson::wilson;
