//! Blocks that are the same games again: they are one observation, however often they were played.
//!
//! If neither the variant nor the bots draw anything, every block is the same block. The usual formulas would take
//! twenty such blocks for twenty observations that agree, and would be certain. `sprt`, `standings` and `ladder` ask
//! this module, and print no verdict and no interval where too few blocks differ.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use crate::estimate::Estimate;
use upheaval_harness::record::GameRow;
use upheaval_harness::sim::{LineUps, SeatOrder, Seating};

/// With fewer blocks that differ, no bot is called stronger. docs/coverage.md simulates every interval from this many
/// blocks on: the intervals cover, and the likelihoods of superiority are right. With fewer, discrete outcomes such as
/// solos leave hardly anything to estimate a variance from.
pub const FEWEST_BLOCKS: usize = 8;

/// Could blocks differ more if their seats were shuffled? So it is where they are not, and some line-up can sit in several
/// orders: a block plays all rotations of one order.
pub(crate) fn shuffling_helps(seating: &Seating) -> bool {
    matches!(seating, Seating::Rotated(LineUps { list, order: SeatOrder::Listed, .. })
        if !list.iter().all(|line_up| has_one_order(line_up)))
}

/// Can these bots sit in one order alone, up to rotation? So it is with one bot, and if all others of one bot are
/// another.
fn has_one_order(line_up: &[usize]) -> bool {
    let count = |bot: usize| line_up.iter().filter(|&&other| other == bot).count();
    line_up.iter().any(|&bot| count(bot) + 1 >= line_up.len())
}

/// Is it one bot alone against another in all other seats?
pub fn one_against_rest(line_up: &[String]) -> bool {
    let has = |seats: usize| {
        line_up.iter().any(|bot| line_up.iter().filter(|other| *other == bot).count() == seats)
    };
    has(1) && has(line_up.len().saturating_sub(1))
}

/// How many blocks there are, and how many of them are not the same games as an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// All blocks.
    pub blocks: usize,
    /// Those that differ from all before them.
    pub distinct: usize,
    /// Is shuffling the seats a remedy?
    pub shuffling_helps: bool,
}

/// What two games share if they are the same game again, as a number: who sat where, how it went and the state that it
/// ended in. The rotation and the line-up by which the bots came to their seats do not count.
pub(crate) fn fingerprint(game: &GameRow) -> u64 {
    let course = &game.course;
    let of_game = (
        (game.state_hash, game.years, game.end, game.winner, game.draw_size),
        (course.lead_changes, course.decided, course.closeness, course.drama),
    );
    let seats = game.seats.rows().iter();
    let seats = seats.map(|seat| (&seat.bot, seat.centres, seat.units, seat.eliminated_year, seat.place));
    FixedState::default().hash_one((of_game, seats.collect::<Vec<_>>()))
}

/// The blocks that were seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenBlocks {
    seen: BTreeSet<Vec<u64>>,
    /// How many there are.
    pub(crate) repeats: Repeats,
}

impl SeenBlocks {
    /// No blocks of this kind yet.
    pub(crate) fn new(shuffling_helps: bool) -> SeenBlocks {
        SeenBlocks { repeats: Repeats { shuffling_helps, ..Repeats::default() }, ..SeenBlocks::default() }
    }

    /// Adds a block, given by the [`fingerprint`]s of its games in any order: a block that begins with another rotation
    /// is the same block.
    pub(crate) fn add(&mut self, block: impl IntoIterator<Item = u64>) {
        let mut games: Vec<u64> = block.into_iter().collect();
        games.sort_unstable();
        self.repeats.blocks += 1;
        self.repeats.distinct += usize::from(self.seen.insert(games));
    }
}

impl Repeats {
    /// Of these blocks, each given by the [`fingerprint`]s of its games.
    pub(crate) fn of<B: IntoIterator<Item = u64>>(
        shuffling_helps: bool,
        blocks: impl IntoIterator<Item = B>,
    ) -> Repeats {
        let mut seen = SeenBlocks::new(shuffling_helps);
        blocks.into_iter().for_each(|block| seen.add(block));
        seen.repeats
    }

    /// Do the blocks repeat each other so that they show nothing?
    pub(crate) fn show_nothing(self) -> bool {
        self.distinct < self.blocks && self.distinct < FEWEST_BLOCKS
    }

    /// An estimate from these blocks: if they show nothing, it has no interval.
    pub(crate) fn known(self, estimate: Estimate) -> Estimate {
        if self.show_nothing() { Estimate::alone(estimate.estimate) } else { estimate }
    }

    /// Are there too few blocks that differ to call a bot stronger than another?
    pub fn are_too_few(self) -> bool {
        self.distinct < FEWEST_BLOCKS
    }

    /// What must be said before anything is concluded from these blocks; `None` where there are enough and all differ.
    pub(crate) fn warning(self) -> Option<String> {
        self.sentence().or_else(|| {
            self.are_too_few().then(|| {
                format!(
                    "too few blocks ({}) to decide which bot is stronger; at least {FEWEST_BLOCKS} are needed",
                    self.blocks
                )
            })
        })
    }

    /// What is said of blocks that repeat each other, and what to do; `None` where all differ.
    pub fn sentence(self) -> Option<String> {
        let Repeats { blocks, distinct, shuffling_helps } = self;
        if distinct == blocks {
            return None;
        }
        let remedy = match shuffling_helps {
            true => "use a variant with chance, bots that draw dice, or seats that are shuffled by block",
            false => "use a variant with chance, or bots that draw dice",
        };
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
    use upheaval_harness::sim::{LineUpSchedule, mock};
    use upheaval_map::ids::Power;

    use super::*;

    fn of(blocks: &[u64]) -> Repeats {
        Repeats::of(true, blocks.iter().map(|&game| [game, 7]))
    }

    fn seats(order: SeatOrder, list: &[&[usize]]) -> bool {
        let list = list.iter().map(|line_up| line_up.to_vec()).collect();
        shuffling_helps(&Seating::Rotated(LineUps { list, deal: LineUpSchedule::EveryBlock, order }))
    }

    /// A block is the set of its games, whichever rotation it begins with.
    #[test]
    fn a_block_that_begins_one_seat_later_is_the_same_block() {
        let rotated = (0..20_usize).map(|block| (0..7).map(move |game| ((block + game) % 7) as u64));
        assert_eq!(Repeats::of(false, rotated).distinct, 1);
        // The same game twice is not the same as once.
        assert_eq!(Repeats::of(false, [[1, 1, 2], [1, 2, 2], [2, 1, 1]]).distinct, 2);
        let game = mock::game(3).game;
        let again = GameRow { rotation: game.rotation + 1, line_up: 1, block: 7, game: 9, ..game.clone() };
        assert_eq!(fingerprint(&game), fingerprint(&again));
        let mut other = game.clone();
        other.seats[Power::FRANCE].bot = "another".into();
        assert_ne!(fingerprint(&game), fingerprint(&other));
    }

    #[test]
    fn shuffling_is_advised_only_where_it_can_make_a_difference() {
        use SeatOrder::{Listed, ShuffledByBlock};
        let halves: &[usize] = &[0, 1, 0, 1, 0, 1, 0];
        assert!(seats(Listed, &[halves]));
        assert!(!seats(ShuffledByBlock, &[halves]));
        // Of two bots on three seats there is one order up to rotation, and so where one sits alone.
        for one_order in [&[0, 1, 0][..], &[0, 1], &[0, 1, 1, 1], &[2; 5]] {
            assert!(!seats(Listed, &[one_order]), "{one_order:?}");
        }
        assert!(seats(Listed, &[&[0, 1, 0], &[0, 1, 2]]));
        let said = Repeats { blocks: 9, distinct: 1, shuffling_helps: false }.sentence().unwrap();
        assert!(said.ends_with("; use a variant with chance, or bots that draw dice"), "{said}");
    }

    #[test]
    fn one_block_again_and_again_is_one_observation() {
        let same = of(&[3; 20]);
        assert_eq!((same.blocks, same.distinct), (20, 1));
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
