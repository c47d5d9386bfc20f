//! The map: its faces and borders, its changes, and all possible moves.

mod archipelago;
mod bearings;
mod by_words;
mod coast_fates;
mod files;
mod graphs;
mod hashes;
mod kinds;
mod measured;
mod names;
mod quake_lists;
mod quakes;
mod quakes_properties;
mod quaking;
mod sets;
mod surgery_properties;
mod surveys;
mod tables;
pub mod walks;
