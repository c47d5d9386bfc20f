//! Helpers of several parts of the tests. What one part alone needs is a module of it.

pub mod drawn_events;
pub mod engine;
pub mod quick;
pub mod small_maps;
pub mod table;
