//! The map: its faces and borders, what changes them, and who may move where.

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
