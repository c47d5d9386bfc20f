//! The rules of play. They see only the tables of a [`crate::topology::Board`].
pub mod adjustment;
pub mod gazetteer;
pub mod legal;
pub mod movement;
pub mod notation;
pub mod order;
pub mod position;
pub mod retreat;
pub mod rulebook;
#[cfg(test)]
mod test_board;
pub mod victory;
