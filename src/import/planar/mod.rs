//! Graphs in the plane: blocks, embeddings, and obstacles to an embedding.

pub mod blocks;
pub mod chords;
pub mod effort;
pub mod graph;
pub mod left_right;
pub mod obstacle;
pub mod parts;
pub mod rotation;
