//! `double-reversible`: Double Reversible.

mod draws;
mod returns;
mod round_trip;
mod rules;
