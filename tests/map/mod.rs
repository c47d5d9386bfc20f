//! The map: its faces and borders, its changes, and all possible moves.

mod archipelago;
mod by_words;
mod coast_fates;
mod files;
mod measured;
mod quakes;
mod quakes_properties;
mod quaking;
mod surgery_properties;
