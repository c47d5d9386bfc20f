//! `seismic-1971`: Seismic.

mod fleets;
mod rules;
