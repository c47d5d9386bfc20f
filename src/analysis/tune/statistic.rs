//! What a search asks of blocks, as numbers without bias: squared distances that may be negative, and means.
//!
//! A block gives a vector c, such as what each power has beyond an even part of it. Wanted is |E c|². The square of the
//! mean is too large by what chance adds to it, and more so the fewer blocks there are; so products of unlike blocks
//! are taken, which are independent:
//!
//! ```text
//! U = Σ_{a≠b} ⟨c_a, c_b⟩ / (n (n − 1)) = (|Σ c|² − Σ |c|²) / (n (n − 1)),    E U = |E c|²
//! ```
//! It is what `upheaval balance` squares and corrects for chance, but for the cut at nought: a fair setting comes out
//! as often below as above it, and a mean over searches is right. Where shares are asked of, U is divided by the
//! squared mean of all there is in a block. Each block's part is its *pseudo-value* (M. Quenouille and J. Tukey's
//! jackknife), n θ − (n − 1) θ without the block: their mean is the estimate, their spread its standard error, and the
//! differences of two settings' pseudo-values on the same blocks are what a paired test takes. Where both are fair the
//! jackknife errs to the safe side: it is then about twice the variance (B. Efron and C. Stein, Annals of Statistics 9,
//! 1981).

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::blocks::mean_of_blocks;
use crate::estimate::Estimate;

/// The fewest blocks of which a squared distance with a standard error can be made.
pub const LEAST_BLOCKS: u32 = 4;

/// A mean over blocks with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; nought where all blocks are alike.
    pub sem: f64,
    /// Over how many blocks.
    pub blocks: u32,
}

impl Mean {
    /// The mean of these values, one for each block; `None` of fewer than two.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let blocks = u32::try_from(values.len()).ok().filter(|&n| n >= 2)?;
        let n = f64::from(blocks);
        let mean = values.iter().sum::<f64>() / n;
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance = spread / (n - 1.0) / n;
        // What is left of values that are all alike is the rounding of their sum.
        let alike = variance.sqrt() <= 1e-12 * mean.abs();
        Some(Mean { mean, sem: if alike { 0.0 } else { variance.sqrt() }, blocks })
    }

    /// How likely a mean that is so far above this value, or farther, were the expected one the value: one-sided, by
    /// Student's t.
    pub fn p_above(self, value: f64) -> f64 {
        let beyond = self.mean - value;
        if self.sem > 0.0 {
            let freedom = f64::from(self.blocks) - 1.0;
            return StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |t| t.cdf(-beyond / self.sem));
        }
        if beyond > 0.0 { 0.0 } else { 1.0 }
    }

    /// The same for a mean so far below it.
    pub fn p_below(self, value: f64) -> f64 {
        Mean { mean: -self.mean, ..self }.p_above(-value)
    }
}

/// The 95% interval of the mean of these values, one for each block; `None` without any.
pub fn interval(values: &[f64]) -> Option<Estimate> {
    let blocks: Vec<(f64, u64)> = values.iter().map(|&value| (value, 1)).collect();
    mean_of_blocks(&blocks)
}

/// What blocks say of a squared distance: their vectors one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    width: usize,
    vectors: Vec<f64>,
    /// All there is in each block, where shares are asked of; else 1.
    totals: Vec<f64>,
}

impl Series {
    /// A series without blocks, whose vectors have this many numbers.
    pub fn new(width: usize) -> Series {
        Series { width: width.max(1), vectors: Vec::new(), totals: Vec::new() }
    }

    /// Adds a block: its vector, which has the series' width, and by what its numbers are to be divided on average.
    pub fn push(&mut self, vector: impl IntoIterator<Item = f64>, total: f64) {
        self.vectors.extend(vector.into_iter().take(self.width));
        self.totals.push(total);
        self.vectors.resize(self.totals.len() * self.width, 0.0);
    }

    /// How many blocks it has.
    pub fn len(&self) -> usize {
        self.totals.len()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// These blocks alone, by their places.
    pub fn part(&self, places: std::ops::Range<usize>) -> Series {
        let (from, to) = (places.start.min(self.len()), places.end.min(self.len()));
        Series {
            width: self.width,
            vectors: self.vectors[from * self.width..to * self.width].to_vec(),
            totals: self.totals[from..to].to_vec(),
        }
    }

    /// The squared distance, by the part of each block: a mean over the numbers of the vectors. `None` of too few
    /// blocks. Where nobody has any of what is shared, nobody has more than another, and it is nought.
    pub fn pseudo_values(&self) -> Option<Vec<f64>> {
        if self.len() < LEAST_BLOCKS as usize {
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

    /// The squared distance with its standard error; `None` of too few blocks.
    pub fn figure(&self) -> Option<Mean> {
        Mean::of(&self.pseudo_values()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_map::rng::{Purpose, Stream};

    #[test]
    fn known_values() {
        let mut series = Series::new(2);
        let vectors = [[1.0, 0.0], [0.5, 0.5], [0.0, -1.0], [2.0, 1.0]];
        vectors.iter().for_each(|vector| series.push(*vector, 1.0));
        // The products of all pairs: 0.5, 0, 2, −0.5, 1.5, −1; their mean is 2.5 / 6, half of it for two numbers.
        let figure = series.figure().unwrap();
        assert!((figure.mean - 2.5 / 12.0).abs() < 1e-12, "{figure:?}");
        assert_eq!((series.len(), series.part(1..3).len(), series.part(0..3).figure()), (4, 2, None));
        // Twice as much of everything is the same share.
        let mut double = Series::new(2);
        vectors.iter().for_each(|[a, b]| double.push([2.0 * a, 2.0 * b], 2.0));
        assert!((double.figure().unwrap().mean - figure.mean).abs() < 1e-12);
        let mut nothing = Series::new(2);
        (0..4).for_each(|_| nothing.push([0.0, 0.0], 0.0));
        assert_eq!(nothing.figure().map(|mean| (mean.mean, mean.sem)), Some((0.0, 0.0)));
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

    /// Even where all powers are equal and blocks are few: its mean is nought, and the cut-off distance's is not.
    #[test]
    fn the_squared_distance_has_no_bias_and_its_standard_error_is_not_too_small() {
        for (favoured, truth) in [(0, 0.0), (2, 0.25 * 0.25 * 6.0 / 49.0)] {
            let searches = 2000;
            let mut figures = Vec::new();
            let mut sems = 0.0;
            for number in 0..searches {
                let mut dice = Stream::keyed(number, Purpose::TuneCheck, &[9, favoured]);
                let mut series = Series::new(7);
                for _ in 0..24 {
                    // Once in four, where one is favoured, it is the first power that wins.
                    let first = favoured > 0 && dice.below(4) == 0;
                    let winner = if first { 0 } else { dice.below(7) };
                    series.push((0..7).map(|power| f64::from(u8::from(power == winner)) - 1.0 / 7.0), 1.0);
                }
                let figure = series.figure().unwrap();
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
