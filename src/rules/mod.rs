//! The rules of play. They see only the tables of a [`crate::topology::Board`].
pub mod adjustment;
pub mod movement;
pub mod order;
pub mod position;
pub mod retreat;
pub mod rulebook;
pub mod victory;
