//! `seismic-acerunner`: seed 004, second part.

mod desk;
mod rules;
mod straits;
mod waterways;
