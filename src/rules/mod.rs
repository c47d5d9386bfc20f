//! The rules of play. They see only the tables of a [`crate::topology::Board`].
pub mod order;
pub mod position;
