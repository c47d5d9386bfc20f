//! The figures: numbers in, panels and tables out. One file for each.

pub(crate) mod centres;
pub(crate) mod fairness;
pub(crate) mod maps;
pub(crate) mod play;
pub(crate) mod ratings;
