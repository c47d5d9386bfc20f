//! The estimate after a sequential test: how large the difference is, given that the test stopped when it did.
//!
//! A test that stops as soon as the mean is far enough from one hypothesis stops, more often than not, on a mean that
//! is farther than the truth. The outcomes of a test are therefore put in an order: a stop with H1 ranks above
//! everything later, and the higher the earlier it came; a stop with H0 ranks below everything later; of two ends at
//! one block, the one with the higher mean ranks above (the stagewise order of P. Armitage, and of D. Siegmund,
//! "Estimation following sequential tests", Biometrika 65, 1978). The estimate is the difference under which half of
//! all tests end above the one that was seen, and the bounds are those under which 2.5 and 97.5 % do: the estimate is
//! median-unbiased, and the interval covers.
//!
//! The shares come from simulated tests with normal blocks of the variance that was seen. Under another difference δ,
//! an end after t blocks with the sum S has a likelihood that differs by a factor of S, t and δ alone, so that tests
//! simulated under a few differences serve for all.

use super::estimate::{Estimate, Interval};
use super::quantile::{normal_upper, t_upper};
use super::sprt::{LEAST_BLOCKS, SprtVerdict, Test};
use upheaval_map::rng::{Purpose, Stream};

/// How many tests are simulated under each difference.
const TESTS: u64 = 500;

/// The differences under which tests are simulated, in standard errors from the mean.
const PROPOSALS: [f64; 4] = [-3.0, -1.0, 1.0, 3.0];

/// The most looks at a simulated test: in longer ones, several blocks lie between two looks.
const LOOKS: u32 = 500;

/// The end of a simulated test.
struct End {
    blocks: f64,
    sum: f64,
    /// Does it rank above the end that was seen?
    above: bool,
}

/// The difference after a test with its 95% interval. Without an interval where no block differs from another.
pub(super) fn estimate(test: &Test, seed: u64) -> Estimate {
    let (mean, error) = (test.mean(), test.standard_error());
    if error <= 0.0 {
        return Estimate::alone(mean);
    }
    let widened = t_upper(test.blocks().into()) / normal_upper();
    if test.blocks() <= LEAST_BLOCKS {
        // There was no earlier look.
        return Estimate::around(mean, widened * normal_upper() * error);
    }
    let ends = ends(test, seed);
    let variance = error * error * f64::from(test.blocks());
    let proposals = PROPOSALS.map(|far| mean + far * error);
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
        let (mut low, mut high) = (mean - 6.0 * error, mean + 6.0 * error);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if share_above(middle) < share { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    };
    let median = where_share_is(0.5);
    let [low, high] = [0.025, 0.975].map(|share| median + widened * (where_share_is(share) - median));
    Estimate { estimate: median, interval: Some(Interval { low, high }) }
}

/// Tests of the same question, with normal blocks of the variance of this test, as far as this test went.
fn ends(test: &Test, seed: u64) -> Vec<End> {
    let (mean, error, last) = (test.mean(), test.standard_error(), test.blocks());
    let variance = error * error * f64::from(last);
    let step = (last - LEAST_BLOCKS).div_ceil(LOOKS).max(1);
    let simulate = |(proposal, number): (usize, u64)| {
        let mut dice = Stream::keyed(seed, Purpose::Bootstrap, &[proposal as u64, number]);
        let difference = mean + PROPOSALS[proposal] * error;
        let (mut blocks, mut sum) = (0, 0.0);
        loop {
            let more = if blocks == 0 { LEAST_BLOCKS } else { step.min(last - blocks) };
            let more_blocks = f64::from(more);
            blocks += more;
            sum += more_blocks * difference + (more_blocks * variance).sqrt() * normal_draw(&mut dice);
            let above = match test.question().verdict(blocks, sum / f64::from(blocks), variance) {
                _ if blocks >= last => sum >= mean * f64::from(last),
                Some(verdict) => verdict == SprtVerdict::Effect,
                None => continue,
            };
            return End { blocks: f64::from(blocks), sum, above };
        }
    };
    (0..PROPOSALS.len()).flat_map(|proposal| (0..TESTS).map(move |n| (proposal, n))).map(simulate).collect()
}

/// A number from the standard normal distribution (G. E. P. Box and M. E. Muller, 1958).
pub(super) fn normal_draw(dice: &mut Stream) -> f64 {
    let mut unit = || ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (radius, turn) = ((-2.0 * unit().ln()).sqrt(), std::f64::consts::TAU * unit());
    radius * turn.cos()
}

#[cfg(test)]
mod tests {
    use super::super::sprt::SprtQuestion;
    use super::*;

    const QUESTION: SprtQuestion = SprtQuestion { baseline: 0.0, effect: 0.05, alpha: 0.05, beta: 0.05 };

    fn test_of(blocks: u32, mean: f64, half: f64) -> Test {
        let mut test = Test::new(QUESTION);
        (0..blocks).for_each(|block| test.add(if block % 2 == 0 { mean + half } else { mean - half }));
        test
    }

    #[test]
    fn a_test_that_ended_at_its_first_look_has_the_interval_of_a_fixed_length() {
        let test = test_of(20, 0.4, 0.1);
        let estimate = estimate(&test, 1);
        // t(0.975; 19) = 2.093024, times √(0.01 · 20/19 / 20).
        assert!((estimate.estimate - 0.4).abs() < 1e-12);
        assert!((estimate.interval.unwrap().high - 0.4 - 2.093_024 * (0.01_f64 / 19.0).sqrt()).abs() < 1e-6);
        assert_eq!(super::estimate(&test_of(20, 0.4, 0.0), 1), Estimate::alone(0.4));
    }

    #[test]
    fn an_end_that_was_late_is_not_as_far_from_the_middle_as_its_mean() {
        // Accepting H1 at the bound: the mean is biased upwards.
        let mut test = Test::new(QUESTION);
        let mut block = 0;
        while test.verdict().is_none() {
            block += 1;
            test.add(if block % 2 == 0 { 0.045 + 0.12 } else { 0.045 - 0.12 });
        }
        assert!(test.blocks() > LEAST_BLOCKS, "{}", test.blocks());
        let found = estimate(&test, 1);
        assert!(found.estimate < test.mean(), "{found:?} {}", test.mean());
        let Interval { low, high } = found.interval.unwrap();
        assert!(low < found.estimate && found.estimate < high);
        assert_eq!(found, estimate(&test, 1), "the same games, the same estimate");
    }
}
