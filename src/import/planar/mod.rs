//! Graphs in the plane: blocks, embeddings, and obstacles to an embedding.

pub(crate) mod blocks;
pub(crate) mod chords;
pub mod effort;
pub mod graph;
pub mod left_right;
pub mod obstacle;
pub(crate) mod parts;
pub mod rotation;
