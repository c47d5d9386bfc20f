//! The rules of play. They see only the tables of a [`crate::topology::Board`].
pub mod gazetteer;
pub mod legal;
pub mod notation;
pub mod order;
pub mod position;
#[cfg(test)]
mod test_board;
