//! Helpers of several parts of the tests. What one part alone needs is a module of it.

pub mod chances;
pub mod charts;
pub mod drawn_events;
pub mod engine;
pub mod quick;
pub mod seats;
pub mod shipped;
pub mod small_maps;
pub mod table;
