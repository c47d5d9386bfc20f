//! The unbiased statistics of a search: squared distances that may be negative, and means.
//!
//! A block gives a vector c, such as the amounts by which each power exceeds an equal part. The estimate is of |E c|².
//! The square of the mean is too large by what chance adds to it, and more so with fewer blocks; therefore products of
//! different blocks are taken, which are independent:
//!
//! ```text
//! U = Σ_{a≠b} ⟨c_a, c_b⟩ / (n (n − 1)) = (|Σ c|² − Σ |c|²) / (n (n − 1)),    E U = |E c|²
//! ```
//! `upheaval balance` squares and corrects the same quantity, but cuts it off at 0. Here a fair setting comes out below
//! 0 as often as above, and a mean over searches is correct. For shares, U is divided by the squared mean of the total
//! of a block. Each block's contribution is its *pseudo-value* (M. Quenouille and J. Tukey's jackknife), n θ − (n − 1)
//! θ without the block: their mean is the estimate, their spread gives its standard error, and a paired test takes the
//! differences of two settings' pseudo-values on the same blocks. Where both are fair the jackknife is conservative: it
//! is then about twice the variance (B. Efron and C. Stein, Annals of Statistics 9, 1981).

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::blocks::mean_of;
use crate::estimate::Estimate;

/// The fewest blocks from which a squared distance with a standard error can be computed.
pub(crate) const LEAST_BLOCKS: u32 = 4;

/// For a measure that not every block has, the fewest blocks that must have some. With fewer, a share says next to
/// nothing: one solo in a thousand games would have a spread of 0.
pub(crate) const LEAST_WITH_ANY: usize = 20;

/// A mean over blocks with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 where all blocks are equal.
    pub sem: f64,
    /// The number of blocks.
    pub blocks: u32,
}

impl Mean {
    /// The mean of these values, one for each block; `None` for fewer than two.
    pub(crate) fn of(values: &[f64]) -> Option<Mean> {
        let blocks = u32::try_from(values.len()).ok().filter(|&n| n >= 2)?;
        let n = f64::from(blocks);
        let mean = values.iter().sum::<f64>() / n;
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance = spread / (n - 1.0) / n;
        // The residue of equal values is the rounding of their sum.
        let alike = variance.sqrt() <= 1e-12 * mean.abs();
        Some(Mean { mean, sem: if alike { 0.0 } else { variance.sqrt() }, blocks })
    }

    /// The probability of a mean this far above the value, or farther, if the true mean were the value: one-sided, by
    /// Student's t.
    pub(crate) fn p_above(self, value: f64) -> f64 {
        let beyond = self.mean - value;
        if self.sem > 0.0 {
            let freedom = f64::from(self.blocks) - 1.0;
            return StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |t| t.cdf(-beyond / self.sem));
        }
        if beyond > 0.0 { 0.0 } else { 1.0 }
    }

    /// The same for a mean this far below the value.
    pub(crate) fn p_below(self, value: f64) -> f64 {
        Mean { mean: -self.mean, ..self }.p_above(-value)
    }
}

/// The position of a mean relative to limits that it must not exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The smallest value that is allowed.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// The largest possible value of a block: 1 for a share. The smallest is 0.
    pub most: f64,
}

impl Limits {
    /// The probability of blocks this far outside of the limits, or farther, if their true mean were within: the
    /// smaller of both sides, each one-sided.
    pub(crate) fn p_outside(self, mean: Mean) -> f64 {
        let below = self.p(mean, self.low, Mean::p_below);
        below.min(self.p(mean, self.high, Mean::p_above))
    }

    /// The probability of blocks this far within the limits, or farther, if their true mean were beyond one: the larger
    /// of both sides. A limit that cannot be exceeded always holds.
    pub(crate) fn p_within(self, mean: Mean) -> f64 {
        let inside = |limit: f64, by_spread: fn(Mean, f64) -> f64| match mean.sem == 0.0 && mean.mean == limit
        {
            // The mean of blocks that are all equal may lie on the limit.
            true => 0.5_f64.powf(f64::from(mean.blocks)),
            false => self.p(mean, limit, by_spread),
        };
        let above_low = if self.low <= 0.0 { 0.0 } else { inside(self.low, Mean::p_above) };
        let below_high = if self.high >= self.most { 0.0 } else { inside(self.high, Mean::p_below) };
        above_low.max(below_high)
    }

    /// Is a mean within the limits, by its interval? `None` where the interval contains a limit. No mean is below 0 or
    /// above the largest possible value, even if an interval reaches beyond.
    pub(crate) fn holds(self, mean: Estimate) -> Option<bool> {
        let Estimate { estimate, interval } = mean;
        let (least, greatest) =
            interval.map_or((estimate, estimate), |interval| (interval.low, interval.high));
        if greatest < self.low || least > self.high {
            return Some(false);
        }
        let is_above_low = self.low <= 0.0 || least >= self.low;
        let is_below_high = self.high >= self.most || greatest <= self.high;
        (is_above_low && is_below_high).then_some(true)
    }

    /// By how much a mean exceeds the limits: 0 or less where it is within, and the lower the farther it is from both.
    pub(crate) fn beyond(self, mean: f64) -> f64 {
        // A mean that cannot exceed a limit does not exceed it by rounding.
        let unless = |never: bool, beyond: f64| if never { beyond.min(0.0) } else { beyond };
        unless(self.low <= 0.0, self.low - mean).max(unless(self.high >= self.most, mean - self.high))
    }

    /// `by_spread` where blocks differ. Where all blocks are equal, their spread does not say how rare other values
    /// are. If the true mean of a share is the limit, the probability that it is never seen, or always, is at most (1 −
    /// |limit − mean|)^n, as the share of a block is at most 1; otherwise blocks are taken to be equally likely on
    /// either side of the limit.
    fn p(self, mean: Mean, limit: f64, by_spread: fn(Mean, f64) -> f64) -> f64 {
        let by_spread = by_spread(mean, limit);
        if mean.sem > 0.0 || by_spread > 0.5 {
            return by_spread;
        }
        let at_an_end = self.most == 1.0 && (mean.mean == 0.0 || mean.mean == 1.0);
        let alike = if at_an_end { 1.0 - (limit - mean.mean).abs() } else { 0.5 };
        alike.powf(f64::from(mean.blocks))
    }
}

/// With fewer blocks a squared distance has no interval: one that is estimated too low then has too small a standard
/// error, and no interval of docs/coverage.md covers.
pub(crate) const FEWEST_FOR_INTERVAL: usize = 150;

/// A squared distance with its 95% interval, from the pseudo-values of blocks; `None` without any, and without an
/// interval for fewer blocks than [`FEWEST_FOR_INTERVAL`].
pub(crate) fn squared_interval(pseudo_values: &[f64]) -> Option<Estimate> {
    let squared = mean_of(pseudo_values.iter().copied())?;
    let known = pseudo_values.len() >= FEWEST_FOR_INTERVAL;
    Some(if known { squared } else { Estimate::alone(squared.estimate) })
}

/// The data of blocks for a squared distance: their vectors one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BlockVectors {
    width: usize,
    vectors: Vec<f64>,
    /// The total of each block, for shares; otherwise 1.
    totals: Vec<f64>,
}

impl BlockVectors {
    /// A series without blocks, whose vectors have this many numbers.
    pub(crate) fn new(width: usize) -> BlockVectors {
        BlockVectors { width: width.max(1), vectors: Vec::new(), totals: Vec::new() }
    }

    /// Adds a block: its vector, which has the width of the series, and the divisor of its numbers on average.
    pub(crate) fn push(&mut self, vector: impl IntoIterator<Item = f64>, total: f64) {
        self.vectors.extend(vector.into_iter().take(self.width));
        self.totals.push(total);
        self.vectors.resize(self.totals.len() * self.width, 0.0);
    }

    /// How many blocks it has.
    pub(crate) fn len(&self) -> usize {
        self.totals.len()
    }

    /// The squared distance, as the contribution of each block: a mean over the numbers of the vectors. `None` with too
    /// few blocks, or where too few of them have any of the measure ([`LEAST_WITH_ANY`]).
    pub(crate) fn pseudo_values(&self) -> Option<Vec<f64>> {
        let with_any = self.totals.iter().filter(|&&total| total > 0.0).count();
        if self.len() < LEAST_BLOCKS as usize || (with_any < self.len() && with_any < LEAST_WITH_ANY) {
            return None;
        }
        let n = self.len() as f64;
        let blocks = || self.vectors.chunks_exact(self.width);
        let mut sum = vec![0.0; self.width];
        for vector in blocks() {
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
        let square = |vector: &[f64]| vector.iter().map(|value| value * value).sum::<f64>();
        let (of_sum, of_blocks) = (square(&sum), blocks().map(square).sum::<f64>());
        let total: f64 = self.totals.iter().sum();
        let width = self.width as f64;
        let theta = |of_sum: f64, of_blocks: f64, total: f64, n: f64| {
            let mean = total / n;
            if mean > 0.0 { (of_sum - of_blocks) / (n * (n - 1.0) * width * mean * mean) } else { 0.0 }
        };
        let whole = theta(of_sum, of_blocks, total, n);
        let without = |vector: &[f64], own: f64| {
            let product: f64 = sum.iter().zip(vector).map(|(sum, value)| sum * value).sum();
            let own_square = square(vector);
            theta(of_sum - 2.0 * product + own_square, of_blocks - own_square, total - own, n - 1.0)
        };
        let of = |(vector, own): (&[f64], &f64)| n * whole - (n - 1.0) * without(vector, *own);
        Some(blocks().zip(&self.totals).map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::around;
    use upheaval_map::rng::{Purpose, Stream};

    fn figure_of(series: &BlockVectors) -> Option<Mean> {
        Mean::of(&series.pseudo_values()?)
    }

    #[test]
    fn known_values() {
        let mut series = BlockVectors::new(2);
        let vectors = [[1.0, 0.0], [0.5, 0.5], [0.0, -1.0], [2.0, 1.0]];
        vectors.iter().for_each(|vector| series.push(*vector, 1.0));
        // The products of all pairs: 0.5, 0, 2, −0.5, 1.5, −1; their mean is 2.5 / 6, and half of it for two numbers.
        let figure = figure_of(&series).unwrap();
        assert!((figure.mean - 2.5 / 12.0).abs() < 1e-12, "{figure:?}");
        assert_eq!(series.len(), 4);
        // The share is the same if everything is doubled.
        let mut double = BlockVectors::new(2);
        vectors.iter().for_each(|[a, b]| double.push([2.0 * a, 2.0 * b], 2.0));
        assert!((figure_of(&double).unwrap().mean - figure.mean).abs() < 1e-12);
        // Where hardly any block has any of it, there is no figure.
        let rare = |with_any: usize| {
            let mut series = BlockVectors::new(2);
            (0..500).for_each(|block| match block < with_any {
                true => series.push([0.5, -0.5], 1.0),
                false => series.push([0.0, 0.0], 0.0),
            });
            figure_of(&series)
        };
        assert!(rare(0).is_none() && rare(LEAST_WITH_ANY - 1).is_none());
        assert!(rare(LEAST_WITH_ANY).is_some_and(|figure| figure.mean > 0.2 && figure.sem > 0.0));
    }

    /// A share that has not been seen yet is not known to be too small; how many blocks that takes follows from the
    /// limit.
    #[test]
    fn blocks_that_are_all_alike_are_out_of_a_limit_only_if_there_are_many() {
        let share = |low: f64, high: f64| Limits { low, high, most: 1.0 };
        let never = |blocks: usize| Mean::of(&vec![0.0; blocks]).unwrap();
        assert!((share(0.03, 1.0).p_outside(never(8)) - 0.97f64.powi(8)).abs() < 1e-12);
        assert!(share(0.03, 1.0).p_outside(never(8)) > 0.7 && share(0.03, 1.0).p_outside(never(400)) < 1e-5);
        assert!((share(0.0, 0.03).p_within(never(8)) - 0.97f64.powi(8)).abs() < 1e-12);
        assert_eq!(share(0.0, 1.0).p_within(never(8)), 0.0, "there is nothing beyond");
        assert_eq!(share(0.0, 0.5).p_outside(never(8)), 1.0);
        let always = Mean::of(&[1.0; 50]).unwrap();
        assert!((share(0.0, 0.9).p_outside(always) - 0.9f64.powi(50)).abs() < 1e-12);
        let years = Limits { low: 5.0, high: 10.0, most: f64::INFINITY };
        let ten = |blocks: usize| Mean::of(&vec![10.0; blocks]).unwrap();
        assert_eq!(years.p_outside(ten(8)), 1.0);
        assert!((Limits { high: 9.0, ..years }.p_outside(ten(8)) - 0.5f64.powi(8)).abs() < 1e-12);
        assert!((years.p_within(Mean::of(&[7.0; 8]).unwrap()) - 0.5f64.powi(8)).abs() < 1e-12);
    }

    #[test]
    fn an_interval_that_reaches_beyond_what_can_be_is_within() {
        let share = |low: f64, high: f64| Limits { low, high, most: 1.0 };
        let rare = around(0.004, 0.006);
        assert_eq!(share(0.0, 0.1).holds(rare), Some(true), "no share is below 0");
        assert_eq!(share(0.001, 0.1).holds(rare), None);
        assert_eq!(share(0.02, 0.1).holds(rare), Some(false));
        let nearly_all = around(0.996, 0.006);
        assert_eq!(
            (share(0.5, 1.0).holds(nearly_all), share(0.5, 0.999).holds(nearly_all)),
            (Some(true), None)
        );
        let years = Limits { low: 4.0, high: 8.0, most: 8.0 };
        assert_eq!(years.holds(around(7.99, 0.02)), Some(true), "no game is longer");
        assert_eq!(Limits { most: 9.0, ..years }.holds(around(7.99, 0.02)), None);
        assert_eq!(years.holds(Estimate::alone(4.0)), Some(true));
        assert_eq!((years.beyond(3.0), years.beyond(7.0), years.beyond(8.0 + 1e-12)), (1.0, -1.0, 0.0));
        assert_eq!((share(0.2, 0.8).beyond(0.9), share(0.0, 1.0).beyond(0.25)), (0.9 - 0.8, -0.25));
    }

    #[test]
    fn a_mean_is_tested_by_student_and_one_without_spread_by_where_it_lies() {
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((mean.mean - 2.5).abs() < 1e-12 && (mean.sem - (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
        // scipy.stats.ttest_1samp([1, 2, 3, 4], 1, alternative="greater")
        assert!((mean.p_above(1.0) - 0.051_364_039).abs() < 1e-8, "{}", mean.p_above(1.0));
        assert!((mean.p_below(4.0) - mean.p_above(1.0)).abs() < 1e-9);
        let still = Mean::of(&[0.1; 30]).unwrap();
        assert_eq!((still.sem, still.p_above(0.05), still.p_above(0.2)), (0.0, 0.0, 1.0));
        assert_eq!(Mean::of(&[1.0]), None);
    }

    /// This holds even where all powers are equal and blocks are few: its mean is 0, but that of the cut-off distance
    /// is not.
    #[test]
    fn the_squared_distance_has_no_bias_and_its_standard_error_is_not_too_small() {
        for (favoured, truth) in [(0, 0.0), (2, 0.25 * 0.25 * 6.0 / 49.0)] {
            let searches = 2000;
            let mut figures = Vec::new();
            let mut sems = 0.0;
            for number in 0..searches {
                let mut dice = Stream::keyed(number, Purpose::TuneCheck, &[9, favoured]);
                let mut series = BlockVectors::new(7);
                for _ in 0..24 {
                    // One power is favoured: in one of four blocks the first power wins.
                    let first = favoured > 0 && dice.below(4) == 0;
                    let winner = if first { 0 } else { dice.below(7) };
                    series.push((0..7).map(|power| f64::from(u8::from(power == winner)) - 1.0 / 7.0), 1.0);
                }
                let figure = figure_of(&series).unwrap();
                figures.push(figure.mean);
                sems += figure.sem / searches as f64;
            }
            let mean = Mean::of(&figures).unwrap();
            assert!((mean.mean - truth).abs() < 3.0 * mean.sem, "{} and not {truth}", mean.mean);
            let spread = mean.sem * (searches as f64).sqrt();
            assert!(sems > 0.9 * spread, "{sems} for {spread}");
        }
    }
}
