//! `seismic-1971`: Seismic.

mod desk;
mod fleets;
mod rules;
