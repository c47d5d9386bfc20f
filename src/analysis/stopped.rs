//! The estimate after a sequential test: how large the difference is, given that the test stopped when it did.
//!
//! A test that stops as soon as the mean is far enough from one hypothesis stops, more often than not, on a mean that
//! is farther than the truth. The estimate is the difference under which half of all tests of as many blocks at most
//! end with a mean above the one that was seen, and the bounds are those under which 2.5 and 97.5 % do: the estimate is
//! median-unbiased, and the interval covers. Ends are ordered by the mean, not by when they came: if all tests end
//! earlier than this one, their means still say which differences fit.
//!
//! The shares come from simulated tests by the rule of the real one, with normal blocks of the variance that was seen.
//! Under another difference δ, an end after t blocks with the sum S has a likelihood that differs by a factor of S, t
//! and δ alone, so that tests simulated under a few differences serve for all. Blocks are not normal, and their
//! variance is estimated: the bounds are farther from the estimate by as much as those of [`Spread`] are farther than
//! normal ones. A test that ended at its first look has the interval of a fixed number of blocks.

use crate::estimate::{Estimate, Interval};
use crate::quantile::normal_upper;
use crate::spread::{Moments, Spread};
use crate::sprt::{LEAST_BLOCKS, Test};
use upheaval_map::rng::{Purpose, Stream};

/// How many tests are simulated under each difference.
const TESTS: u64 = 300;

/// The differences under which tests are simulated, in standard errors from the mean, for as many blocks as a test with
/// this mean takes.
const PROPOSALS: [f64; 4] = [-3.0, -1.0, 1.0, 3.0];

/// The most steps of a simulated test: in longer ones, a step is the mean of several blocks.
const STEPS: u32 = 400;

/// The end of a simulated test.
struct End {
    blocks: f64,
    sum: f64,
    /// Is its mean at least the one that was seen?
    above: bool,
}

/// The difference after a test of these blocks with its 95% interval, within the possible differences. Without an
/// interval where no block differs from another.
pub(super) fn estimate(test: &Test, blocks: &[f64], seed: u64) -> Estimate {
    let mean = test.mean();
    let moments = Moments::of(blocks.iter().copied()).times(1.0 / blocks.len().max(1) as f64);
    let Some(spread) = moments.spread().filter(|_| !test.is_uniform()) else {
        return Estimate::alone(mean);
    };
    let of_fixed_length = spread.around(mean);
    let stopped = match of_fixed_length.interval {
        // There was no earlier look.
        Some(fixed) if test.blocks() > LEAST_BLOCKS => moved(test, spread, fixed, seed),
        _ => of_fixed_length,
    };
    stopped.within(-test.most(), test.most())
}

/// The estimate that accounts for the stop, beside the interval of a fixed number of blocks.
fn moved(test: &Test, spread: Spread, fixed: Interval, seed: u64) -> Estimate {
    let (mean, error) = (test.mean(), spread.error());
    let variance = error * error * f64::from(test.blocks());
    let usual = ends(test, error, &[mean], seed);
    let blocks = usual.iter().map(|end| end.blocks).sum::<f64>() / usual.len() as f64;
    let usual_error = (variance / blocks).sqrt();
    let proposals = PROPOSALS.map(|far| mean + far * usual_error);
    let ends = ends(test, error, &proposals, seed);
    let likelihood =
        |of: f64, end: &End| ((of - mean) * (end.sum - end.blocks * (of + mean) / 2.0)) / variance;
    let mixed: Vec<f64> = ends
        .iter()
        .map(|end| proposals.map(|of| likelihood(of, end).exp()).iter().sum::<f64>() / proposals.len() as f64)
        .collect();
    let share_above = |of: f64| {
        let (mut above, mut all) = (0.0, 0.0);
        for (end, mixed) in ends.iter().zip(&mixed) {
            let weight = likelihood(of, end).exp() / mixed;
            all += weight;
            above += if end.above { weight } else { 0.0 };
        }
        above / all
    };
    let where_share_is = |share: f64| {
        let (mut low, mut high) = (mean - 6.0 * usual_error, mean + 6.0 * usual_error);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if share_above(middle) < share { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    };
    let median = where_share_is(0.5);
    // How far each bound is, in parts of a normal one.
    let [down, up] = [mean - fixed.low, fixed.high - mean].map(|far| far / (normal_upper() * error));
    let low = median - down * (median - where_share_is(0.025));
    let high = median + up * (where_share_is(0.975) - median);
    Estimate { estimate: median, interval: Some(Interval { low, high }) }
}

/// Tests of the same question under each of these differences, with normal blocks of the variance of this test, as far
/// as this test went.
fn ends(test: &Test, error: f64, differences: &[f64], seed: u64) -> Vec<End> {
    let (mean, last) = (test.mean(), test.blocks());
    let step = last.div_ceil(STEPS);
    let deviation = error * (f64::from(last) / f64::from(step)).sqrt();
    // The mean of several blocks varies less, and the capital that they win is the product of what each would win: both
    // are as if the possible differences were smaller.
    let most = test.most() / f64::from(step);
    let simulate = |(place, number): (usize, u64)| {
        let mut dice = Stream::keyed(seed, Purpose::Bootstrap, &[place as u64, number]);
        let difference = differences[place];
        let mut simulated = Test::new(*test.question());
        let (mut blocks, mut sum) = (0, 0.0);
        while blocks < last && (blocks < LEAST_BLOCKS || simulated.decided().is_none()) {
            let value = difference + deviation * normal_draw(&mut dice);
            simulated.add(value, most);
            (blocks, sum) = (blocks + step, sum + f64::from(step) * value);
        }
        End { blocks: f64::from(blocks), sum, above: sum >= mean * f64::from(blocks) }
    };
    (0..differences.len()).flat_map(|place| (0..TESTS).map(move |n| (place, n))).map(simulate).collect()
}

/// A number from the standard normal distribution (G. E. P. Box and M. E. Muller, 1958).
pub(super) fn normal_draw(dice: &mut Stream) -> f64 {
    let mut unit = || ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (radius, turn) = ((-2.0 * unit().ln()).sqrt(), std::f64::consts::TAU * unit());
    radius * turn.cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::{SprtQuestion, SprtVerdict};

    const QUESTION: SprtQuestion = SprtQuestion { baseline: 0.0, effect: 0.05, alpha: 0.05, beta: 0.05 };

    /// A test of blocks that are this far above and below this mean in turn.
    fn test_of(question: SprtQuestion, blocks: usize, mean: f64, half: f64) -> (Test, Vec<f64>) {
        let blocks: Vec<f64> = [mean + half, mean - half].into_iter().cycle().take(blocks).collect();
        let mut test = Test::new(question);
        blocks.iter().for_each(|&block| test.add(block, 1.0));
        (test, blocks)
    }

    /// The same, until the test ends.
    fn ended(question: SprtQuestion, mean: f64, half: f64) -> (Test, Vec<f64>) {
        let ends = |blocks: &usize| test_of(question, *blocks, mean, half).0.verdict().is_some();
        test_of(question, (20..).find(ends).unwrap(), mean, half)
    }

    #[test]
    fn a_test_that_ended_at_its_first_look_has_the_interval_of_a_fixed_length() {
        let (test, blocks) = test_of(QUESTION, 20, 0.4, 0.1);
        let found = estimate(&test, &blocks, 1);
        // t(0.975; 19) = 2.093024, times √(0.01 · 20/19 / 20).
        assert!((found.estimate - 0.4).abs() < 1e-12);
        assert!((found.interval.unwrap().high - 0.4 - 2.093_024 * (0.01_f64 / 19.0).sqrt()).abs() < 1e-6);
        let (test, blocks) = test_of(QUESTION, 20, 0.4, 0.0);
        assert_eq!(estimate(&test, &blocks, 1), Estimate::alone(test.mean()));
    }

    #[test]
    fn an_end_that_was_late_is_not_as_far_from_the_middle_as_its_mean() {
        // Accepting H1 at the bound: the mean is biased upwards.
        let (test, blocks) = ended(QUESTION, 0.06, 0.12);
        assert!(test.blocks() > LEAST_BLOCKS && test.verdict() == Some(SprtVerdict::Effect), "{test:?}");
        let found = estimate(&test, &blocks, 1);
        assert!(found.estimate < test.mean(), "{found:?} {}", test.mean());
        let Interval { low, high } = found.interval.unwrap();
        assert!(low < found.estimate && found.estimate < high);
        assert_eq!(found, estimate(&test, &blocks, 1), "the same games, the same estimate");
    }

    /// Far beyond the hypotheses, nearly all tests end earlier than this one, with the same verdict.
    #[test]
    fn an_end_that_came_later_than_usual_has_an_interval_around_its_mean() {
        for (mean, half) in [(0.2, 0.08), (-0.2, 0.08), (0.2, 0.01), (-0.4, 0.3)] {
            for count in [21, 25, 40, 100, 2000] {
                let (test, blocks) = test_of(QUESTION, count, mean, half);
                let found = estimate(&test, &blocks, 1);
                let error = half / (count as f64).sqrt();
                let Interval { low, high } = found.interval.unwrap();
                let case = format!("{mean} {half} {count}: {found:?}");
                assert!((found.estimate - mean).abs() < 2.5 * error.max(half / 20.0), "{case}");
                assert!(low < mean && mean < high && low < found.estimate && found.estimate < high, "{case}");
                // Such tests end after 20 blocks at the earliest.
                let widest = 5.0 * half / f64::from(LEAST_BLOCKS).sqrt();
                assert!((3.5 * error..widest).contains(&(high - low)), "{case}");
            }
        }
    }
}
