//! `seismic-1971`: seed 004, first part.

mod desk;
mod fleets;
mod rules;
