//! Which bot plays which power, game by game.

use serde::{Deserialize, Serialize};

use upheaval_map::ids::ByPower;

/// Which bot plays which power. The numbers are indices into [`super::Experiment::bots`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "a run has one")]
pub enum Seating {
    /// The same in every game.
    Fixed(ByPower<usize>),
    /// Line-ups that move on by one seat from game to game, all rotations under the nature of one block.
    Rotated(LineUps),
}

/// A bot for each power of the board, in their order in the first rotation.
pub type LineUp = Vec<usize>;

/// The line-ups of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUps {
    /// The line-ups; at least one.
    pub list: Vec<LineUp>,
    /// Which of them a block plays.
    pub deal: Deal,
}

/// Which line-ups a block plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deal {
    /// All, one after the other: they meet the same natures.
    #[serde(rename = "all")]
    EveryBlock,
    /// The next one, and after the last the first again.
    #[serde(rename = "next")]
    InTurn,
}

impl From<LineUp> for LineUps {
    fn from(line_up: LineUp) -> LineUps {
        LineUps { list: vec![line_up], deal: Deal::EveryBlock }
    }
}

impl Seating {
    /// In how many ways a line-up is seated: as many as there are powers.
    pub fn rotations(&self) -> u8 {
        match self {
            Seating::Fixed(_) => 1,
            // At most 34.
            Seating::Rotated(LineUps { list, .. }) => list.first().map_or(1, Vec::len) as u8,
        }
    }

    /// How many games make a block.
    pub fn block(&self) -> u32 {
        match self {
            Seating::Rotated(LineUps { list, deal: Deal::EveryBlock }) => {
                list.len() as u32 * u32::from(self.rotations())
            }
            _ => u32::from(self.rotations()),
        }
    }
}
