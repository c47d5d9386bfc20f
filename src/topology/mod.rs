//! The planar map and what is derived from it.
mod board;
pub use board::Board;
