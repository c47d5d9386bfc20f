//! Blocks drawn again, for intervals of what is no mean.

use rayon::prelude::*;

use super::tally::{BlockSums, Measure};
use crate::Interval;
use upheaval_map::ids::Power;
use upheaval_map::rng::{Purpose, Stream};

/// How often the blocks are drawn again.
pub const REPLICATES: u64 = 2000;
/// Where there are more blocks, those that follow each other are drawn together: groups of independent blocks are as
/// independent, and the time does not grow.
const GROUPS: usize = 2000;

/// The sums of each measure by power, over some blocks.
pub type Sums = [[f64; Power::COUNT]; Measure::ALL.len()];

/// How many groups the blocks make.
pub fn groups(blocks: usize) -> usize {
    blocks.min(GROUPS)
}

/// The sums of all blocks drawn again, for each replicate. The numbers drawn depend on the seed and on how many groups
/// there are alone: two cells of the same blocks have the same blocks drawn.
pub fn replicates<T: Send>(blocks: &[BlockSums], seed: u64, of: impl Fn(&Sums) -> T + Sync) -> Vec<T> {
    let count = groups(blocks.len());
    let mut grouped = vec![Sums::default(); count];
    for (at, block) in blocks.iter().enumerate() {
        let group = &mut grouped[at * count / blocks.len()];
        for measure in Measure::ALL {
            let weight = f64::from(block.games);
            let means = block.means(measure);
            group[measure as usize].iter_mut().zip(means).for_each(|(sum, mean)| *sum += weight * mean);
        }
    }
    let replicate = |number: u64| {
        let mut dice = Stream::keyed(seed, Purpose::BalanceBootstrap, &[number]);
        let mut sums = Sums::default();
        for _ in 0..count {
            let drawn = &grouped[dice.below(count as u32) as usize];
            sums.iter_mut().flatten().zip(drawn.iter().flatten()).for_each(|(sum, value)| *sum += value);
        }
        of(&sums)
    };
    (0..REPLICATES).into_par_iter().map(replicate).collect()
}

/// The values between which the middle 95% lie; `None` of none.
pub fn middle(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let at =
        |share: f64| values.get((share * values.len().saturating_sub(1) as f64).round() as usize).copied();
    at(0.025).zip(at(0.975)).map(|(low, high)| Interval { low, high })
}
