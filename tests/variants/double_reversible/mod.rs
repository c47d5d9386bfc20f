//! `double-reversible`: seed 001.

mod desk;
mod draws;
mod returns;
mod round_trip;
mod rules;
