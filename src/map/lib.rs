//! The planar map of a board, the changes that can be made to it, and the tables derived from it.
//!
//! [`topology`] holds the map: half-edges, surgery, derivation. [`ids`] are the small numbers by which everything else
//! names provinces, coasts and powers, and [`rng`] the one random generator, keyed by what is drawn. The map knows
//! no unit, owner or rule.

mod by_power;
pub mod ids;
mod powers;
pub mod rng;
pub mod tally;
pub mod topology;
