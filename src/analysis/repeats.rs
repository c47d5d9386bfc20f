//! Blocks that are the same games again: they are one observation, however often they were played.
//!
//! If neither the variant nor the bots draw anything, every block is the same block. The usual formulas would take
//! twenty such blocks for twenty observations that agree, and would be certain. `sprt`, `standings` and `ladder` ask
//! this module, and print no verdict and no interval where too few blocks differ.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use serde::Serialize;

use upheaval_harness::record::GameRow;

/// With fewer blocks that differ, no bot is called stronger. docs/coverage.md simulates every interval from this many
/// blocks on: the intervals cover, and the likelihoods of superiority are right. With fewer, discrete outcomes such as
/// solos leave hardly anything to estimate a variance from.
pub const FEWEST_BLOCKS: usize = 8;

/// How many blocks there are, and how many of them are not the same games as an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repeats {
    /// All blocks.
    pub blocks: usize,
    /// Those that differ from all before them.
    pub distinct: usize,
}

/// What two games share if they are the same game again, as a number: who sat where, how it went and the state that it
/// ended in.
pub(crate) fn fingerprint(game: &GameRow) -> u64 {
    let course = &game.course;
    let of_game = (
        (game.line_up, game.rotation, game.state_hash, game.years, game.end, game.winner, game.draw_size),
        (course.lead_changes, course.decided, course.closeness, course.drama),
    );
    let seats: Vec<_> = game
        .seats
        .rows()
        .iter()
        .map(|seat| (&seat.bot, seat.centres, seat.units, seat.eliminated_year, seat.place))
        .collect();
    FixedState::default().hash_one((of_game, seats))
}

/// The blocks that were seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenBlocks {
    seen: BTreeSet<Vec<u64>>,
    repeats: Repeats,
}

impl SeenBlocks {
    /// Adds a block, given by the [`fingerprint`]s of its games.
    pub fn add(&mut self, block: impl IntoIterator<Item = u64>) {
        self.repeats.blocks += 1;
        self.repeats.distinct += usize::from(self.seen.insert(block.into_iter().collect()));
    }

    /// How many there are.
    pub fn repeats(&self) -> Repeats {
        self.repeats
    }
}

impl Repeats {
    /// Of these blocks, each given by the [`fingerprint`]s of its games.
    pub(crate) fn of<B: IntoIterator<Item = u64>>(blocks: impl IntoIterator<Item = B>) -> Repeats {
        let mut seen = SeenBlocks::default();
        blocks.into_iter().for_each(|block| seen.add(block));
        seen.repeats()
    }

    /// Do the blocks repeat each other so that they show nothing?
    pub fn show_nothing(self) -> bool {
        self.distinct < self.blocks && self.distinct < FEWEST_BLOCKS
    }

    /// Are there too few blocks that differ to call a bot stronger than another?
    pub fn are_too_few(self) -> bool {
        self.distinct < FEWEST_BLOCKS
    }

    /// What must be said before anything is concluded from these blocks; `None` where there are enough and all differ.
    pub fn warning(self) -> Option<String> {
        self.sentence().or_else(|| {
            self.are_too_few().then(|| {
                format!(
                    "too few blocks ({}) to decide which bot is stronger; {FEWEST_BLOCKS} are the least that may decide it",
                    self.blocks
                )
            })
        })
    }

    /// What is said of blocks that repeat each other, and what to do; `None` where all differ.
    pub fn sentence(self) -> Option<String> {
        let Repeats { blocks, distinct } = self;
        if distinct == blocks {
            return None;
        }
        let remedy = "take a variant with chance, bots that draw dice, or seats that are shuffled by block";
        Some(match (self.show_nothing(), distinct) {
            (true, 1) => format!(
                "all {blocks} blocks are the same games again: they are one observation, and more of them show nothing; {remedy}"
            ),
            (true, _) => format!(
                "the {blocks} blocks are {distinct} different ones again and again: they are {distinct} observations, which show \
                 nothing; {remedy}"
            ),
            (false, _) => format!(
                "{} of the {blocks} blocks are the same games as an earlier one: if nothing was drawn in them, they add no \
                 observations; {remedy}",
                blocks - distinct
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(blocks: &[u64]) -> Repeats {
        Repeats::of(blocks.iter().map(|&game| [game, 7]))
    }

    #[test]
    fn one_block_again_and_again_is_one_observation() {
        let same = of(&[3; 20]);
        assert_eq!(same, Repeats { blocks: 20, distinct: 1 });
        assert!(same.show_nothing() && same.are_too_few());
        let said = same.sentence().unwrap();
        assert!(
            said.starts_with("all 20 blocks are the same games again: they are one observation"),
            "{said}"
        );
        let two: Vec<u64> = (0..20).map(|block| block % 2).collect();
        assert!(of(&two).show_nothing());
        let said = of(&two).sentence().unwrap();
        assert!(said.starts_with("the 20 blocks are 2 different ones again and again"), "{said}");
    }

    #[test]
    fn blocks_that_mostly_differ_are_evidence_and_the_others_are_counted() {
        let few = of(&[1, 2, 3]);
        assert_eq!((few.show_nothing(), few.are_too_few(), few.sentence()), (false, true, None));
        let most: Vec<u64> = (0..20).map(|block: u64| block.saturating_sub(5)).collect();
        assert!(!of(&most).show_nothing() && !of(&most).are_too_few());
        let said = of(&most).sentence().unwrap();
        assert!(said.starts_with("5 of the 20 blocks are the same games as an earlier one"), "{said}");
    }
}
