//! The planar map of a board, the changes that can be made to it, and the tables derived from it.
//!
//! [`topology`] holds the map: half-edges, surgery, derivation. [`ids`] are the small numbers by which all
//! other code names provinces, coasts and powers, and [`rng`] is the one random generator, keyed by the
//! purpose of each draw. [`wording`] takes what parsers say about a file without its place. The map knows nothing
//! about units, owners or rules.

pub mod ids;
pub mod letters;
mod named;
mod powers;
pub mod rng;
pub mod tally;
pub mod topology;
pub mod wording;
