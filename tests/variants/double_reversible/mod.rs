//! `double-reversible`: Double Reversible.

mod desk;
mod draws;
mod returns;
mod round_trip;
mod rules;
