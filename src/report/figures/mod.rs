//! The figures: numbers in, panels and tables out. One file for each.

pub(crate) mod centres;
pub(crate) mod differences;
pub(crate) mod effects;
pub(crate) mod fairness;
pub(crate) mod homes;
pub(crate) mod maps;
pub(crate) mod places;
pub(crate) mod play;
pub(crate) mod ranking;
pub(crate) mod rates;
pub(crate) mod ratings;
