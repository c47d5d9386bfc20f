//! A bootstrap over blocks, for intervals of statistics that are not means.

use rayon::prelude::*;

use crate::Interval;
use crate::balance::tally::{BlockSums, FairnessMeasure};
use upheaval_map::rng::{Purpose, Stream};

/// How often the blocks are resampled.
pub(crate) const REPLICATES: u64 = 2000;
/// Where there are more blocks than this, consecutive blocks are drawn together: groups of independent blocks are
/// independent too, and the time does not grow.
const GROUPS: usize = 2000;

/// The sums of each measure by power, over some blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    /// One measure after another, each with all powers.
    values: Vec<f64>,
    powers: usize,
}

impl Sums {
    fn new(powers: usize) -> Sums {
        Sums { values: vec![0.0; powers * FairnessMeasure::ALL.len()], powers }
    }

    /// The sums of a measure, in the order of the powers.
    pub(crate) fn of(&self, measure: FairnessMeasure) -> &[f64] {
        &self.values[measure as usize * self.powers..][..self.powers]
    }

    fn add(&mut self, other: &Sums) {
        self.values.iter_mut().zip(&other.values).for_each(|(sum, value)| *sum += value);
    }
}

/// How many groups the blocks form.
pub(crate) fn groups(blocks: usize) -> usize {
    blocks.min(GROUPS)
}

/// The sums over all resampled blocks, for each replicate. The numbers drawn depend only on the seed and on the number
/// of groups: two cells with the same blocks get the same resamples.
pub(crate) fn replicates<T: Send>(blocks: &[BlockSums], seed: u64, of: impl Fn(&Sums) -> T + Sync) -> Vec<T> {
    let count = groups(blocks.len());
    let powers = blocks.first().map_or(0, |block| block.means(FairnessMeasure::Solos).len());
    let mut grouped = vec![Sums::new(powers); count];
    for (at, block) in blocks.iter().enumerate() {
        let means = FairnessMeasure::ALL.into_iter().flat_map(|measure| block.means(measure));
        let values = means.map(|mean| f64::from(block.games) * mean).collect();
        grouped[at * count / blocks.len()].add(&Sums { values, powers });
    }
    let replicate = |number: u64| {
        let mut dice = Stream::keyed(seed, Purpose::BalanceBootstrap, &[number]);
        let mut sums = Sums::new(powers);
        for _ in 0..count {
            sums.add(&grouped[dice.below(count as u32) as usize]);
        }
        of(&sums)
    };
    (0..REPLICATES).into_par_iter().map(replicate).collect()
}

/// The values between which the middle 95% lie; `None` without values.
pub(crate) fn middle(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let at =
        |share: f64| values.get((share * values.len().saturating_sub(1) as f64).round() as usize).copied();
    at(0.025).zip(at(0.975)).map(|(low, high)| Interval { low, high })
}
