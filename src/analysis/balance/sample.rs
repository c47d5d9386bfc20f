//! The mean of independent values, such as the means of blocks, with its interval and its test.

use rayon::prelude::*;

use crate::balance::tally::{BlockSums, FairnessMeasure};
use crate::estimate::{Moments, Spread};
use crate::{Estimate, Interval};
use upheaval_map::rng::{Purpose, Stream};

/// The mean of independent values, with what a test of "it is 0" needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Their mean.
    pub mean: f64,
    /// What the values contribute to the mean: moments of 0 where all are the same.
    pub moments: Moments,
}

impl Sample {
    /// For these values.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Sample> {
        let n = values.clone().count() as u64;
        if n == 0 {
            return None;
        }
        if let Some(mean) = same(values.clone()) {
            return Some(Sample { mean, moments: Moments { blocks: n, ..Moments::default() } });
        }
        let mean = values.clone().sum::<f64>() / n as f64;
        Some(Sample { mean, moments: Moments::of(values.map(|value| value / n as f64)) })
    }

    /// How the mean varies; `None` for one value, and where all are the same.
    pub(crate) fn spread(self) -> Option<Spread> {
        self.moments.spread()
    }

    /// The variance of the values; `None` for fewer than two.
    pub(crate) fn variance(self) -> Option<f64> {
        self.error().map(|error| error * error * self.moments.blocks as f64)
    }

    /// The standard error of the mean; `None` for fewer than two values.
    pub(crate) fn error(self) -> Option<f64> {
        (self.moments.blocks > 1).then(|| self.spread().map_or(0.0, Spread::error))
    }

    /// The mean with its interval; without one for one value, and where all are the same: that does not say how they
    /// could have differed.
    pub(crate) fn estimate(self) -> Estimate {
        self.moments.around(self.mean)
    }

    /// The probability of a mean at least as far from 0 if the true mean were 0, two-sided. Where all values are the
    /// same, p is the probability that this many coins all fall on the same side.
    pub(crate) fn p(self) -> Option<f64> {
        self.error().map(|_| match self.spread() {
            Some(spread) => spread.p(self.mean),
            None if self.mean == 0.0 => 1.0,
            None => 2.0 * 0.5_f64.powf(self.moments.blocks as f64),
        })
    }
}

/// The value that all of them have, apart from rounding: the computed mean of a seventh six times is not a seventh to
/// the last digit, and no two means of blocks that differ are that close.
fn same(mut values: impl Iterator<Item = f64>) -> Option<f64> {
    let first = values.next()?;
    values.all(|value| (value - first).abs() <= 1e-9 * first.abs()).then_some(first)
}

// A bootstrap over blocks, for intervals of statistics that are not means.

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
        let values = FairnessMeasure::ALL.into_iter().flat_map(|measure| block.totals(measure)).collect();
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

// Holm's correction for several tests at once.

/// Holm's adjusted p-values, in the order given: each hypothesis whose value is below 0.05 may be rejected, and the
/// probability that any true hypothesis is rejected stays below 5%, however the tests depend on each other.
///
/// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
pub(crate) fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut adjusted = vec![1.0; values.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((values.len() - rank) as f64 * values[at]).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod holm_tests {
    use super::*;

    #[test]
    fn known_values() {
        // statsmodels.stats.multitest.multipletests([0.01, 0.04, 0.03, 0.005, 0.6], method="holm")
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.6]);
        for (found, known) in adjusted.iter().zip([0.04, 0.09, 0.09, 0.025, 0.6]) {
            assert!((found - known).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_t_test_is_as_scipy_has_it() {
        // scipy.stats.ttest_1samp([1, 2, 4, 0.5, -1], 0): statistic 1.5650161, p 0.19263133
        let sample = Sample::of([1.0, 2.0, 4.0, 0.5, -1.0].into_iter()).unwrap();
        assert!((sample.mean / sample.error().unwrap() - 1.565_016_1).abs() < 1e-6);
        assert!((sample.p().unwrap() - 0.192_631_33).abs() < 1e-7, "{sample:?}");
        // … .confidence_interval(0.95): (−1.006289, 3.606289)
        let estimate = sample.estimate();
        let interval = estimate.interval.unwrap();
        assert!((interval.low + 1.006_289).abs() < 1e-4, "{estimate:?}");
        // P. Hall's correction for skewness reaches farther up.
        assert!((interval.high - 4.82).abs() < 0.03, "{estimate:?}");
    }

    #[test]
    fn what_does_not_vary_is_known() {
        let p = |values: &[f64]| Sample::of(values.iter().copied()).unwrap().p();
        assert_eq!(p(&[0.0, 0.0]), Some(1.0));
        assert_eq!(p(&[0.5, 0.5, 0.5]), Some(0.25));
        assert_eq!(p(&[0.5]), None);
        // A seventh, and a seventh that is a difference of other numbers: they differ in the last digit.
        for n in 2..40 {
            assert_eq!(p(&vec![1.0 / 7.0; n]), Some(2.0 * 0.5_f64.powf(n as f64)), "{n} sevenths");
        }
        let seventh = |a: f64| (a + 1.0) / 7.0 - a / 7.0;
        assert_eq!(p(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(seventh)), Some(0.03125));
        let constant = Sample::of([1.0 / 7.0; 6].into_iter()).unwrap();
        assert_eq!(constant.estimate(), Estimate::alone(1.0 / 7.0));
        assert_eq!(Sample::of([].into_iter()), None);
        assert_eq!(Sample::of([2.0].into_iter()).unwrap().estimate(), Estimate::alone(2.0));
    }
}
