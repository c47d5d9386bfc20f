//! What runs say: intervals and summaries. Works on recorded rows alone and knows nothing of how games are
//! played.

pub mod balance;
pub mod blocks;
pub mod duel;
pub mod faults;
pub mod finish;
pub mod land;
pub mod mean;
pub mod online;
pub mod part_of_run;
pub mod plackett_luce;
pub mod scoring;
pub mod sprt;
pub mod standings;
pub mod stored;
pub mod summary;
pub mod wilson;

pub use balance::Balance;
pub use blocks::{Blocks, Rate};
pub use faults::Faults;
pub use mean::MeanInterval;
pub use scoring::Score;
pub use standings::Standings;
pub use summary::Summary;
pub use wilson::{Interval, wilson};
