//! What is counted of the games of a cell: whole numbers, so that the order of additions cannot show.

use super::distribution::Distribution;
use super::yearly::Yearly;
use crate::Blocks;
use upheaval_harness::record::{GameEnd, GameRow, SeatOutcome};
use upheaval_map::ids::{ByPower, Power, Powers};

/// What fairness is asked of: a number that each power has of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Games won alone.
    Solos,
    /// A. B. Calhamer's point count: a win is 1, a draw of n is 1/n each.
    Score,
    /// Centres at the end.
    Centres,
    /// A unit on the board at the end.
    Survival,
}

/// One win in the unit of [`Measure::Score`]: a draw of up to seven is a whole number of these.
const WHOLE: u32 = 420;

impl Measure {
    /// All of them, in the order of tables.
    pub const ALL: [Measure; 4] = [Measure::Solos, Measure::Score, Measure::Centres, Measure::Survival];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Solos => "solos",
            Measure::Score => "draw-size score",
            Measure::Centres => "centres at the end",
            Measure::Survival => "survival",
        }
    }

    /// How many of the units in which it is summed make 1.
    pub(super) const fn unit(self) -> f64 {
        match self {
            Measure::Score => WHOLE as f64,
            Measure::Solos | Measure::Centres | Measure::Survival => 1.0,
        }
    }

    /// What each power has of a game, in units.
    fn of(self, game: &GameRow) -> ByPower<u32> {
        let is = |power: Power, outcome| game.seats[power].outcome == outcome;
        ByPower::from_fn(Powers::STANDARD, |power| match self {
            Measure::Solos => u32::from(is(power, SeatOutcome::Won)),
            Measure::Score if is(power, SeatOutcome::Won) => WHOLE,
            Measure::Score if is(power, SeatOutcome::Drew) => {
                WHOLE / Powers::STANDARD.iter().filter(|&p| is(p, SeatOutcome::Drew)).count().max(1) as u32
            }
            Measure::Score => 0,
            Measure::Centres => u32::from(game.seats[power].centres),
            Measure::Survival => u32::from(game.seats[power].units > 0),
        })
    }
}

/// The sums of a block that fairness and differences are made of. They are kept for every block, some 120 bytes each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockSums {
    /// The block.
    pub block: u32,
    /// Its games in the cell.
    pub games: u32,
    sums: [[u32; Power::COUNT]; Measure::ALL.len()],
}

impl BlockSums {
    /// The mean of a measure over the block's games, of each power.
    pub fn means(&self, measure: Measure) -> [f64; Power::COUNT] {
        let all = f64::from(self.games) * measure.unit();
        self.sums[measure as usize].map(|sum| f64::from(sum) / all)
    }

    /// The same of all powers together.
    pub fn together(&self, measure: Measure) -> f64 {
        let sum: u32 = self.sums[measure as usize].iter().sum();
        f64::from(sum) / (f64::from(self.games) * measure.unit())
    }

    #[cfg(test)]
    pub(super) fn of(block: u32, games: u32, sums: [[u32; Power::COUNT]; Measure::ALL.len()]) -> BlockSums {
        BlockSums { block, games, sums }
    }
}

/// What is counted of a game besides: `T` is a number while a block is counted, and [`Blocks`] over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts<T> {
    /// By power: solos, draws, survivals, eliminations, score (in units), centres at the end.
    pub powers: ByPower<PowerCounts<T>>,
    /// How games ended, in the order of [`GameEnd::ALL`].
    pub ends: [T; GameEnd::ALL.len()],
    /// Draws of one, two … seven.
    pub draws: [T; Power::COUNT],
    /// Game years begun.
    pub years: T,
    /// Extant centres at the end.
    pub extant: T,
}

/// The part of [`Counts`] that is one power's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct PowerCounts<T> {
    pub solos: T,
    pub draws: T,
    pub survivals: T,
    pub eliminations: T,
    pub score: T,
    pub centres: T,
}

impl<T> Counts<T> {
    /// All of them, always in the same order.
    fn all(&mut self) -> impl Iterator<Item = &mut T> {
        let Counts { powers, ends, draws, years, extant } = self;
        let powers = powers.iter_mut().flat_map(|(_, p)| {
            let PowerCounts { solos, draws, survivals, eliminations, score, centres } = p;
            [solos, draws, survivals, eliminations, score, centres]
        });
        powers.chain(ends).chain(draws).chain([years, extant])
    }
}

/// How one power stands at a year's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its centres.
    pub centres: u16,
    /// Has it a unit or a centre?
    pub in_play: bool,
}

/// A game at a year's count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameYear {
    /// The powers.
    pub powers: [Standing; Power::COUNT],
    /// Was it still going on?
    pub running: bool,
}

/// A game from year to year: what it ended with stands for all later years.
pub type Course = Yearly<GameYear>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BlockYear {
    centres: [u32; Power::COUNT],
    in_play: [u32; Power::COUNT],
    running: u32,
}

/// All games of a cell at a year's count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct YearTally {
    /// Centres, over all games.
    pub centres: ByPower<Blocks>,
    /// Centres, over the games in which the power is in play.
    pub centres_in_play: ByPower<Blocks>,
    /// Games in which the power is in play.
    pub in_play: ByPower<Blocks>,
    /// Games still going on.
    pub running: u64,
}

/// The games of one block in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockTally {
    sums: BlockSums,
    counts: Counts<u32>,
    years: Yearly<BlockYear>,
    /// Its games one by one, for what sums do not tell.
    games: Vec<Played>,
}

/// A game of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Played {
    /// Game years begun.
    years: u16,
    course: Course,
}

impl BlockTally {
    fn add(&mut self, game: &GameRow, course: &Course) {
        self.sums.games += 1;
        for measure in Measure::ALL {
            let of = measure.of(game);
            self.sums.sums[measure as usize]
                .iter_mut()
                .zip(of.values())
                .for_each(|(sum, value)| *sum += value);
        }
        self.counts.ends[game.end as usize] += 1;
        if game.end == GameEnd::Draw
            && let Some(count) =
                usize::from(game.draw_size).checked_sub(1).and_then(|i| self.counts.draws.get_mut(i))
        {
            *count += 1;
        }
        self.counts.years += u32::from(game.years);
        self.counts.extant += u32::from(game.extant_centres);
        for (power, counts) in self.counts.powers.iter_mut() {
            let seat = &game.seats[power];
            let is = |outcome| u32::from(seat.outcome == outcome);
            counts.draws += is(SeatOutcome::Drew);
            counts.eliminations += u32::from(seat.is_out());
        }
        self.years.add(course, |sum, year| {
            for (power, standing) in year.powers.iter().enumerate() {
                sum.centres[power] += u32::from(standing.centres);
                sum.in_play[power] += u32::from(standing.in_play);
            }
            sum.running += u32::from(year.running);
        });
        self.games.push(Played { years: game.years, course: course.clone() });
    }

    fn merge(&mut self, mut other: BlockTally) {
        self.sums.games += other.sums.games;
        self.sums.sums.iter_mut().flatten().zip(other.sums.sums.iter().flatten()).for_each(|(a, b)| *a += b);
        self.counts.all().zip(other.counts.all()).for_each(|(a, b)| *a += *b);
        self.years.add(&other.years, |a, b| {
            a.centres.iter_mut().zip(b.centres).for_each(|(a, b)| *a += b);
            a.in_play.iter_mut().zip(b.in_play).for_each(|(a, b)| *a += b);
            a.running += b.running;
        });
        self.games.append(&mut other.games);
    }
}

/// Games of a cell that come one after another, such as those of a part file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    blocks: Vec<BlockTally>,
}

impl Stretch {
    /// Adds a game. The games of a block must come one after another.
    pub fn add(&mut self, game: &GameRow, course: &Course) {
        if self.blocks.last().is_none_or(|last| last.sums.block != game.block) {
            let sums = BlockSums { block: game.block, ..BlockSums::default() };
            self.blocks.push(BlockTally { sums, ..BlockTally::default() });
        }
        if let Some(block) = self.blocks.last_mut() {
            block.add(game, course);
        }
    }
}

/// All games of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellTally {
    /// The sums of each block.
    pub blocks: Vec<BlockSums>,
    /// What is counted over the blocks.
    pub counts: Counts<Blocks>,
    /// Powers in a draw, over the games that ended in one.
    pub draw_sizes: Blocks,
    /// The powers from year to year.
    pub years: Yearly<YearTally>,
    /// How long games were.
    pub lengths: Distribution,
    /// Centres at the end.
    pub centres: ByPower<Distribution>,
    /// Centres by year.
    pub by_year: Yearly<ByPower<Distribution>>,
    /// The block that may have more games in what comes next.
    open: Option<BlockTally>,
}

impl CellTally {
    /// Adds the next games. A block may begin in one stretch and end in another.
    pub fn add(&mut self, stretch: Stretch) {
        for block in stretch.blocks {
            match &mut self.open {
                Some(open) if open.sums.block == block.sums.block => open.merge(block),
                _ => {
                    self.close();
                    self.open = Some(block);
                }
            }
        }
    }

    /// Closes the last block: no more games come.
    pub fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        let games = u64::from(block.sums.games);
        for (power, counts) in block.counts.powers.iter_mut() {
            let sum = |measure: Measure| block.sums.sums[measure as usize][power.index()];
            counts.solos = sum(Measure::Solos);
            counts.survivals = sum(Measure::Survival);
            counts.score = sum(Measure::Score);
            counts.centres = sum(Measure::Centres);
        }
        let (mut draws, mut sharers) = (0, 0);
        for (&count, size) in block.counts.draws.iter().zip(1_u64..) {
            draws += u64::from(count);
            sharers += size * u64::from(count);
        }
        self.draw_sizes.add_block(draws, sharers);
        self.counts
            .all()
            .zip(block.counts.all())
            .for_each(|(all, sum)| all.add_block(games, u64::from(*sum)));
        self.years.add(&block.years, |all, year| {
            for power in Powers::STANDARD {
                let (centres, in_play) =
                    (u64::from(year.centres[power.index()]), u64::from(year.in_play[power.index()]));
                all.centres[power].add_block(games, centres);
                // Who is out has no centres, so the sum is the same.
                all.centres_in_play[power].add_block(in_play, centres);
                all.in_play[power].add_block(games, in_play);
            }
            all.running += u64::from(year.running);
        });
        self.distribute(&block.games);
        self.blocks.push(block.sums);
    }

    /// Enters the games of a block where what is asked is how they are distributed.
    fn distribute(&mut self, games: &[Played]) {
        let mut numbers = Vec::with_capacity(games.len());
        let mut enter = |into: &mut Distribution, of: &dyn Fn(&Played) -> u16| {
            numbers.clear();
            numbers.extend(games.iter().map(of));
            into.add_block(&mut numbers);
        };
        enter(&mut self.lengths, &|game| game.years);
        for (power, seen) in self.centres.iter_mut() {
            enter(seen, &|game| game.course.after.powers[power.index()].centres);
        }
        let longest = games.iter().map(|game| game.course.years.len()).max().unwrap_or(0);
        let years = Yearly { years: (0..longest).collect(), after: usize::MAX };
        self.by_year.add(&years, |all, &year| {
            for (power, seen) in all.iter_mut() {
                enter(seen, &|game| game.course.at(year).powers[power.index()].centres);
            }
        });
    }
}
