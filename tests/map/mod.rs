//! The map: its faces and borders, its changes, and all possible moves.

mod archipelago;
mod by_words;
mod files;
mod isthmuses;
mod measured;
mod passages;
mod planar_map;
mod quakes;
mod quakes_properties;
mod quaking;
mod surgery_properties;
