//! Do two line-ups give a power the same share of the total? A test of a difference, and one of its absence.
//!
//! A difference that is not shown is not agreement: few games show nothing. Shares are called equal only where two
//! one-sided t tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987) show that they lie
//! less than a margin apart.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::balance::compare::{common, unpaired};
use crate::balance::sample::Sample;
use crate::balance::tally::{BlockSums, FairnessMeasure};

/// How many events of the mean size are added to the spread of every power: one that was seen to win never or always
/// may be as many events away from it. 95% of samples with 2.7 expected events would have some, and 1.645² is 2.7.
const UNSEEN: f64 = 2.7;

/// The share of one power with one line-up minus its share with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShareDifference {
    /// The difference.
    pub difference: f64,
    /// Two-sided, of "the difference is 0".
    pub p: f64,
    /// The standard error, including events that were not seen.
    error: f64,
    freedom: f64,
    /// Of how many blocks it is.
    blocks: f64,
}

impl ShareDifference {
    /// The differences of all powers. They are taken over the blocks that both sides have, block by block, or over all
    /// blocks where the two have none in common. `None` where a side has fewer than two blocks or nothing to share, or
    /// where no block differs from another.
    pub(super) fn of(
        one: &[BlockSums],
        other: &[BlockSums],
        measure: FairnessMeasure,
    ) -> Option<Vec<ShareDifference>> {
        let common = common(one, other);
        if common.is_empty() {
            let (one, other) = (Linear::of(one.iter(), measure)?, Linear::of(other.iter(), measure)?);
            let (a, b) = (one.unseen(), other.unseen());
            let of = |power: usize| {
                let (one, other) = (one.sample(power)?, other.sample(power)?);
                let p = unpaired(one, other)?.p?;
                let squares = [one.square(a)?, other.square(b)?];
                let error = squares.iter().sum::<f64>().sqrt();
                let parts =
                    squares[0].powi(2) / (one.n - 1) as f64 + squares[1].powi(2) / (other.n - 1) as f64;
                let freedom = if parts > 0.0 { error.powi(4) / parts } else { 1.0 };
                let blocks = one.n.min(other.n) as f64;
                Some(ShareDifference { difference: one.mean - other.mean, p, error, freedom, blocks })
            };
            return (0..one.powers()).map(of).collect::<Option<Vec<_>>>().filter(|all| varies(all));
        }
        let one = Linear::of(common.iter().map(|(one, _)| *one), measure)?;
        let other = Linear::of(common.iter().map(|(_, other)| *other), measure)?;
        let difference = one.minus(&other);
        let unseen = difference.unseen();
        let of = |power: usize| {
            let sample = difference.sample(power)?;
            let error = sample.square(unseen)?.sqrt();
            let (blocks, freedom) = (sample.n as f64, sample.n as f64 - 1.0);
            Some(ShareDifference { difference: sample.mean, p: sample.p()?, error, freedom, blocks })
        };
        (0..difference.powers()).map(of).collect::<Option<Vec<_>>>().filter(|all| varies(all))
    }

    /// The greater p-value of two one-sided t tests: of "the difference is not below the margin", and of "it is not
    /// above the margin below 0". If it is below 0.05, the true difference is smaller than the margin.
    pub(super) fn p_equivalent(self, margin: f64) -> f64 {
        let t = (margin - self.difference.abs()) / self.error;
        StudentsT::new(0.0, 1.0, self.freedom).map_or(1.0, |student| student.sf(t))
    }

    /// How many standard deviations of a block lie between the difference, without what chance adds to it, and the
    /// margin. Negative where the difference is greater than the margin.
    pub(super) fn room(self, margin: f64) -> f64 {
        let without_chance = (self.difference.powi(2) - self.error.powi(2)).max(0.0).sqrt();
        (margin - without_chance) / (self.error * self.blocks.sqrt())
    }
}

/// Where nothing varies, nothing says how far apart the shares may be.
fn varies(all: &[ShareDifference]) -> bool {
    all.iter().all(|of| of.error > 0.0)
}

impl Sample {
    /// The squared standard error of the mean, with this sum of squares added to that of the sample.
    fn square(self, unseen: f64) -> Option<f64> {
        let n = self.n as f64;
        self.variance().map(|variance| variance / n + unseen / (n * (n - 1.0)))
    }
}

/// The shares of a side, each as the mean of a value of each block (linearised: the mean of `share + (x − share · Σx) /
/// mean Σx` is the share, and its variance over blocks is that of the share).
struct Linear {
    /// By block, and by power.
    values: Vec<Vec<f64>>,
}

impl Linear {
    fn of<'a>(blocks: impl Iterator<Item = &'a BlockSums>, measure: FairnessMeasure) -> Option<Linear> {
        let sums = |block: &BlockSums| -> Vec<f64> {
            block.means(measure).into_iter().map(|mean| mean * f64::from(block.games)).collect()
        };
        let sums: Vec<Vec<f64>> = blocks.map(sums).collect();
        let total: f64 = sums.iter().flatten().sum();
        if sums.len() < 2 || total <= 0.0 {
            return None;
        }
        let mean = total / sums.len() as f64;
        let share = |power: usize| sums.iter().map(|of| of[power]).sum::<f64>() / total;
        let shares: Vec<f64> = (0..sums[0].len()).map(share).collect();
        let block = |of: &Vec<f64>| {
            let all: f64 = of.iter().sum();
            of.iter().zip(&shares).map(|(x, share)| share + (x - share * all) / mean).collect()
        };
        Some(Linear { values: sums.iter().map(block).collect() })
    }

    fn powers(&self) -> usize {
        self.values[0].len()
    }

    fn minus(&self, other: &Linear) -> Linear {
        // Rounded: the residue of terms that should cancel would otherwise look like a difference that is certain in
        // every block.
        let less = |(a, b): (&f64, &f64)| ((a - b) * 1e12).round() / 1e12;
        let block = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(less).collect();
        Linear { values: self.values.iter().zip(&other.values).map(block).collect() }
    }

    fn sample(&self, power: usize) -> Option<Sample> {
        Sample::of(self.values.iter().map(|of| of[power]))
    }

    /// The sum of squares of the events that were not seen: [`UNSEEN`] times Σd⁴ / Σd² of the distances of all powers
    /// from their means. For rare events it is the square of what one event moves, for normal values three times their
    /// variance.
    fn unseen(&self) -> f64 {
        let means: Vec<f64> =
            (0..self.powers()).map(|power| self.sample(power).map_or(0.0, |sample| sample.mean)).collect();
        let distances = self.values.iter().flat_map(|of| of.iter().zip(&means).map(|(x, mean)| x - mean));
        let (squares, fourths) = distances
            .map(|d| if d.abs() < 1e-9 { 0.0 } else { d * d })
            .fold((0.0, 0.0), |(squares, fourths), square| (squares + square, fourths + square * square));
        if squares > 0.0 { UNSEEN * fourths / squares } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
