//! The figures: numbers in, panels and tables out. One file for each.

pub mod centres;
pub mod differences;
pub mod effects;
pub mod fairness;
pub mod homes;
pub mod maps;
pub mod places;
pub mod play;
pub mod ranking;
pub mod rates;
pub mod ratings;
