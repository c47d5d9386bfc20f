//! Graphs that are drawn in the plane: blocks, embeddings, and what stands in the way of one.

pub mod blocks;
pub mod embed;
pub mod graph;
pub mod obstacle;
pub mod rotation;
