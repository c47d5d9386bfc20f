//! Graphs in the plane: blocks, embeddings, and obstacles to an embedding.

pub mod blocks;
pub mod embed;
pub mod graph;
pub mod obstacle;
pub mod rotation;
