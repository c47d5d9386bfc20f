//! The rules of play. They see only the tables of a [`upheaval_map::topology::Board`].
pub mod adjustment;
pub mod answers;
pub mod conduct;
pub mod decision;
pub mod event;
pub mod game_state;
pub mod gazetteer;
pub mod legal;
mod lexicon;
pub mod map_tables;
pub mod mechanism;
pub mod movement;
pub mod nature;
pub mod notation;
pub mod order;
pub mod position;
pub mod retreat;
pub mod rulebook;
pub mod seismic;
pub mod settlement;
#[cfg(test)]
mod test_board;
pub mod variant;
pub mod victory;
