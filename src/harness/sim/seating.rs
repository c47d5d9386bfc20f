//! Which bot plays which power, game by game.

use serde::{Deserialize, Serialize};

use upheaval_map::ids::ByPower;
use upheaval_map::rng::{Purpose, Stream};

/// Which bot plays which power. The numbers are indices into [`Experiment::bots`](super::Experiment::bots).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "a run has one")]
pub enum Seating {
    /// The same in every game.
    Fixed(ByPower<usize>),
    /// Several line-ups in fixed seats: each plays one game of a block, under the nature of all of them. Two at least.
    FixedLineUps(Vec<ByPower<usize>>),
    /// Line-ups that move on by one seat from game to game, all rotations under the nature of one block.
    Rotated(LineUps),
}

/// A bot for each power of the board, in their order in the first rotation if the seats are not shuffled.
pub type LineUp = Vec<usize>;

/// The line-ups of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUps {
    /// The line-ups; at least one.
    pub list: Vec<LineUp>,
    /// Which of them a block plays.
    pub deal: LineUpSchedule,
    /// In which order their bots sit.
    pub order: SeatOrder,
}

/// The order in which the bots of a line-up sit, which decides who has which neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatOrder {
    /// In every block as listed. Any effect of the neighbours is in all blocks, so no interval includes it.
    #[default]
    Listed,
    /// Drawn for each block, the same for all its line-ups and rotations and in all arms. The orders differ from block
    /// to block, so intervals over blocks include their effect.
    ShuffledByBlock,
}

impl SeatOrder {
    /// The place in a line-up of the bot that sits in each seat of a block in the first rotation. Every order is equally
    /// likely, and depends on nothing but the root seed, the block and the number of seats.
    pub(crate) fn places(self, seed: u64, block: u32, seats: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..seats).collect();
        if self == SeatOrder::ShuffledByBlock {
            Stream::keyed(seed, Purpose::Seats, &[block.into()]).shuffle(&mut places);
        }
        places
    }
}

/// Which line-ups a block plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineUpSchedule {
    /// All, one after the other: they meet the same natures.
    #[serde(rename = "all")]
    EveryBlock,
    /// The next one, and after the last the first again.
    #[serde(rename = "next")]
    InTurn,
}

impl From<LineUp> for LineUps {
    fn from(line_up: LineUp) -> LineUps {
        LineUps { list: vec![line_up], deal: LineUpSchedule::EveryBlock, order: SeatOrder::Listed }
    }
}

impl Seating {
    /// In how many ways a line-up is seated: as many as there are powers.
    pub fn rotations(&self) -> u8 {
        match self {
            Seating::Fixed(_) | Seating::FixedLineUps(_) => 1,
            // At most 34.
            Seating::Rotated(LineUps { list, .. }) => list.first().map_or(1, Vec::len) as u8,
        }
    }

    /// How many games make a block.
    pub fn block(&self) -> u32 {
        match self {
            Seating::FixedLineUps(list) => list.len() as u32,
            Seating::Rotated(LineUps { list, deal: LineUpSchedule::EveryBlock, .. }) => {
                list.len() as u32 * u32::from(self.rotations())
            }
            _ => u32::from(self.rotations()),
        }
    }
}
