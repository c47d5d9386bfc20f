//! How whole numbers are distributed over games that come in blocks: how often each was seen, and quantiles with
//! intervals.

use std::fmt;

use serde::Serialize;

use crate::blocks::{SUMS, products};
use crate::{Blocks, Interval};

/// How often each whole number was seen, and how the blocks differ in it. All sums are whole numbers, so the order of
/// blocks cannot affect them; memory grows with the numbers seen and not with the blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Distribution {
    /// The numbers.
    values: Blocks,
    /// The blocks with their games, each of value 0.
    blocks: Blocks,
    /// By number, from 0.
    steps: Vec<Step>,
}

/// The contribution of one number to the sums over all numbers at or below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Step {
    /// Games.
    games: u64,
    /// By how much more the sums of products are with the games of this number than without them
    /// ([`products`]).
    products: [u128; SUMS],
}

/// A quantile with the bounds of its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Quantile {
    /// The least number at or below which at least this share of the games lies.
    pub estimate: u64,
    /// The lower bound; `None` for fewer than two blocks.
    pub low: Option<u64>,
    /// The upper bound; `None` also where there are so few blocks that the quantile may lie beyond all values seen.
    pub high: Option<u64>,
}

impl Quantile {
    /// A quantile that is known exactly, without sampling error.
    pub(crate) const fn known(self) -> Quantile {
        Quantile { estimate: self.estimate, low: Some(self.estimate), high: Some(self.estimate) }
    }
}

/// `7 (5 to 9)`, or `12 (9 or more)` where it may lie beyond all values seen.
impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.estimate)?;
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, " ({low} to {high})"),
            (Some(low), None) => write!(f, " ({low} or more)"),
            (None, _) => Ok(()),
        }
    }
}

/// The values below which 5, 25, 50, 75 and 95 in a hundred lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Quantiles {
    pub p5: Quantile,
    pub p25: Quantile,
    pub p50: Quantile,
    pub p75: Quantile,
    pub p95: Quantile,
}

impl Quantiles {
    /// Quantiles of values that are known exactly, without sampling error.
    pub(crate) const fn known(self) -> Quantiles {
        let Quantiles { p5, p25, p50, p75, p95 } = self;
        Quantiles { p5: p5.known(), p25: p25.known(), p50: p50.known(), p75: p75.known(), p95: p95.known() }
    }
}

/// All games at or below a number.
struct Level {
    share: f64,
    interval: Option<Interval>,
}

impl Distribution {
    /// Adds a block with the numbers of its games; they are sorted in place.
    pub(crate) fn add_block(&mut self, numbers: &mut [u16]) {
        numbers.sort_unstable();
        let games = numbers.len() as u64;
        self.values.add_block(games, numbers.iter().copied().map(u64::from).sum());
        self.blocks.add_block(games, 0);
        if let Some(greatest) = numbers.last().map(|&number| usize::from(number))
            && self.steps.len() <= greatest
        {
            self.steps.resize(greatest + 1, Step::default());
        }
        let mut below = 0;
        for same in numbers.chunk_by(|a, b| a == b) {
            let (step, count) = (&mut self.steps[usize::from(same[0])], same.len() as u64);
            step.games += count;
            let more = products(below + count, games).into_iter().zip(products(below, games));
            step.products.iter_mut().zip(more).for_each(|(sum, (with, without))| *sum += with - without);
            below += count;
        }
    }

    /// The numbers as values of games.
    pub(crate) fn values(&self) -> Blocks {
        self.values
    }

    /// How often each number was seen, from 0.
    pub(crate) fn counts(&self) -> Vec<u64> {
        self.steps.iter().map(|step| step.games).collect()
    }

    /// Five quantiles; `None` where nothing was seen.
    pub(crate) fn quantiles(&self) -> Option<Quantiles> {
        let levels = self.levels();
        let of = |share| quantile(&levels, share);
        Some(Quantiles { p5: of(0.05)?, p25: of(0.25)?, p50: of(0.5)?, p75: of(0.75)?, p95: of(0.95)? })
    }

    /// For each number from 0: how many games lie at or below it.
    fn levels(&self) -> Vec<Level> {
        let mut games = 0;
        // Those of the games of the blocks alone.
        let mut sums = self.blocks.sums();
        let level = |step: &Step| {
            games += step.games;
            sums.iter_mut().zip(&step.products).for_each(|(sum, more)| *sum += more);
            let of = self.blocks.with_values(games, sums);
            let interval = if of.blocks() < 2 { None } else { of.rate().and_then(|share| share.interval) };
            Level { share: games as f64 / of.games() as f64, interval }
        };
        self.steps.iter().map(level).collect()
    }
}

/// A quantile lies at or below a number if the share of games at or below this number is at least the quantile's own.
/// The lower bound is the first number at which that share may be large enough, the upper bound the first at which it
/// certainly is.
fn quantile(levels: &[Level], share: f64) -> Option<Quantile> {
    let estimate = levels.iter().position(|level| level.share >= share)?;
    let least = |fits: &dyn Fn(Interval) -> bool| {
        levels.iter().position(|level| level.interval.is_some_and(fits)).map(|at| at as u64)
    };
    Some(Quantile {
        estimate: estimate as u64,
        low: least(&|interval| interval.high >= share),
        high: least(&|interval| interval.low >= share),
    })
}

#[cfg(test)]
mod tests;
