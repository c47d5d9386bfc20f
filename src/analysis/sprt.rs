//! A sequential test of two bots: it stops as soon as the answer is known.
//!
//! The test measures the difference of the two bots' mean scores in a block of games of a mirrored design; the blocks
//! are independent of each other, but their games are not. It decides between two hypotheses: the expected difference
//! is `baseline` or less (H0), or it is `effect` or more (H1). The evidence against each hypothesis is the capital of a
//! gambler who starts with 1 and bets on every block that the hypothesis is false (I. Waudby-Smith and A. Ramdas,
//! "Estimating means of bounded random variables by betting", JRSS B 86, 2024):
//!
//! ```text
//! against H0   K ← K · (1 + λ (x − baseline))      0 ≤ λ ≤ 0.9 / (most + baseline)
//! against H1   K ← K · (1 + λ (effect − x))        0 ≤ λ ≤ 0.9 / (most − effect)
//! ```
//! Here x is the block's difference, which lies in ±`most` whatever happens in its games, and λ depends on earlier
//! blocks alone. If the hypothesis holds, no bet has a positive expectation, so the capital reaches 1/α with a
//! probability of α at most (J. Ville, 1939): the test accepts H1 when the capital against H0 reaches 1/α, and H0 when
//! the capital against H1 reaches 1/β. Both error rates therefore hold for every distribution of blocks, whenever the
//! test looks, and for outcomes that have not been seen yet. Blocks without any difference say no more than that large
//! ones are rare.
//!
//! The stake decides only how soon the test ends. λ = g/(s² + g²) lets the capital grow fastest where a block gains g
//! on average with variance s²: g is the distance of the hypotheses, or the distance from the hypothesis that is one
//! standard error nearer than the mean so far, whichever is greater. Where the true difference is far from both
//! hypotheses, the test ends soon. s² counts a first block that is `most`/4 from the mean.
//!
//! The estimate after the test needs a variance, so the test does not end before block [`LEAST_BLOCKS`].

use crate::estimate::{Estimate, Interval, Moments, Spread, normal_upper};
use upheaval_map::rng::{Purpose, Stream};

/// Before this many blocks nothing is decided.
pub const LEAST_BLOCKS: u32 = 20;

/// The part of the capital that a bet may lose.
const STAKE: f64 = 0.9;

/// What a first block is taken to be away from the mean, as a part of the most that it can be.
const FIRST_GUESS: f64 = 0.25;

/// Blocks that are nearer than this part of the most possible difference are equal: the rest is rounding.
const ROUNDING: f64 = 1e-12;

/// The hypotheses of a test, and its error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtQuestion {
    /// The difference under H0.
    pub baseline: f64,
    /// The difference under H1; greater.
    pub effect: f64,
    /// How often H1 may be accepted where H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    pub beta: f64,
}

impl SprtQuestion {
    /// The evidence at which a verdict is accepted.
    pub fn needed(&self, verdict: SprtVerdict) -> f64 {
        match verdict {
            SprtVerdict::Effect => -self.alpha.ln(),
            SprtVerdict::Baseline => -self.beta.ln(),
        }
    }
}

upheaval_map::named! {
    /// The result of a test.
    pub enum SprtVerdict {
        /// The difference is the effect rather than the baseline.
        Effect = "H1",
        /// The difference is the baseline rather than the effect.
        Baseline = "H0",
    }
}

/// A test that is under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Its question.
    pub(crate) question: SprtQuestion,
    blocks: u32,
    mean: f64,
    /// Σ(x − mean)².
    spread: f64,
    /// The most that a block can differ from 0.
    pub(crate) most: f64,
    /// The logarithms of the capitals that speak for H1 and for H0.
    evidence: [f64; 2],
}

impl Test {
    /// A test that has seen nothing yet.
    pub fn new(question: SprtQuestion) -> Test {
        Test { question, blocks: 0, mean: 0.0, spread: 0.0, most: 0.0, evidence: [0.0; 2] }
    }

    /// Adds a block's mean difference, and the most that it could have been on either side: a number that was known
    /// before the block was played.
    pub fn add(&mut self, difference: f64, most: f64) {
        self.most = most;
        for verdict in SprtVerdict::ALL {
            let gain = self.stake(verdict) * self.beyond(verdict, difference);
            self.evidence[verdict as usize] += (1.0 + gain).max(1.0 - STAKE).ln();
        }
        // B. P. Welford's way, which loses no digits.
        self.blocks += 1;
        let from_old = difference - self.mean;
        let from_old = if from_old.abs() <= ROUNDING * most { 0.0 } else { from_old };
        let step = from_old / f64::from(self.blocks);
        self.spread += from_old * step * f64::from(self.blocks - 1);
        self.mean += step;
    }

    /// How far this difference is beyond the hypothesis that a verdict rejects, on the side of the verdict.
    fn beyond(&self, verdict: SprtVerdict, difference: f64) -> f64 {
        match verdict {
            SprtVerdict::Effect => difference - self.question.baseline,
            SprtVerdict::Baseline => self.question.effect - difference,
        }
    }

    /// The stake of the next bet for a verdict, for each point of a gain.
    fn stake(&self, verdict: SprtVerdict) -> f64 {
        let blocks = f64::from(self.blocks);
        let variance = (self.spread + (FIRST_GUESS * self.most).powi(2)) / (blocks + 1.0);
        let nearer = self.beyond(verdict, self.mean) - (variance / blocks.max(1.0)).sqrt();
        let gain = (self.question.effect - self.question.baseline).max(nearer);
        // The most that a block can lose; nothing if the hypothesis is impossible.
        let loss = -match verdict {
            SprtVerdict::Effect => self.beyond(verdict, -self.most),
            SprtVerdict::Baseline => self.beyond(verdict, self.most),
        };
        (gain / (variance + gain.powi(2))).min(STAKE / loss.max(ROUNDING * self.most).max(f64::MIN_POSITIVE))
    }

    /// How many blocks it has seen.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The mean difference.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Does no block differ from another?
    pub(crate) fn is_uniform(&self) -> bool {
        self.spread <= 0.0
    }

    /// The evidence for a verdict: the natural logarithm of the capital that was won by betting on it. The verdict is
    /// accepted when this reaches what is [needed](SprtQuestion::needed).
    pub fn evidence(&self, verdict: SprtVerdict) -> f64 {
        self.evidence[verdict as usize]
    }

    /// About how many blocks would decide the test if it went on like this; `None` where its evidence does not grow.
    pub(crate) fn blocks_to_decide(&self) -> Option<f64> {
        let share = |verdict| self.evidence(verdict) / self.question.needed(verdict);
        let share = SprtVerdict::ALL.map(share).into_iter().fold(0.0, f64::max);
        (share > 0.0).then(|| f64::from(self.blocks) / share)
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        if self.blocks < LEAST_BLOCKS { None } else { self.decided() }
    }

    /// The verdict whatever the number of blocks.
    pub(crate) fn decided(&self) -> Option<SprtVerdict> {
        // Of a difference between the hypotheses both may be rejected at once.
        let excess = |verdict: SprtVerdict| self.evidence(verdict) - self.question.needed(verdict);
        let ahead = |a: &SprtVerdict, b: &SprtVerdict| excess(*a).total_cmp(&excess(*b));
        SprtVerdict::ALL.into_iter().max_by(ahead).filter(|verdict| excess(*verdict) >= 0.0)
    }
}

// The estimate after a sequential test: how large the difference is, given that the test stopped when it did.
//
// A test that stops as soon as the mean is far enough from one hypothesis stops, more often than not, on a mean that
// is farther than the truth. The estimate is the difference under which half of all tests of as many blocks at most
// end with a mean above the one that was seen, and the bounds are those under which 2.5 and 97.5 % do: the estimate is
// median-unbiased, and the interval covers. Ends are ordered by the mean, not by when they came: if all tests end
// earlier than this one, their means still say which differences fit.
//
// The shares come from simulated tests by the rule of the real one, with normal blocks of the variance that was seen.
// Under another difference δ, an end after t blocks with the sum S has a likelihood that differs by a factor of S, t
// and δ alone, so that tests simulated under a few differences serve for all. Blocks are not normal, and their
// variance is estimated: the bounds are farther from the estimate by as much as those of [`Spread`] are farther than
// normal ones. A test that ended at its first look has the interval of a fixed number of blocks.

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
pub(crate) fn stopped_estimate(test: &Test, blocks: &[f64], seed: u64) -> Estimate {
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
    stopped.within(-test.most, test.most)
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
    let mix = |end: &End| {
        proposals.map(|of| likelihood(of, end).exp()).iter().sum::<f64>() / proposals.len() as f64
    };
    let mixed: Vec<f64> = ends.iter().map(mix).collect();
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
    let most = test.most / f64::from(step);
    let simulate = |(place, number): (usize, u64)| {
        let mut dice = Stream::keyed(seed, Purpose::Bootstrap, &[place as u64, number]);
        let difference = differences[place];
        let mut simulated = Test::new(test.question);
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
pub(crate) fn normal_draw(dice: &mut Stream) -> f64 {
    let mut unit = || ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let (radius, turn) = ((-2.0 * unit().ln()).sqrt(), std::f64::consts::TAU * unit());
    radius * turn.cos()
}

#[cfg(test)]
mod stopped_tests {
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
        let found = stopped_estimate(&test, &blocks, 1);
        // t(0.975; 19) = 2.093024, times √(0.01 · 20/19 / 20).
        assert!((found.estimate - 0.4).abs() < 1e-12);
        assert!((found.interval.unwrap().high - 0.4 - 2.093_024 * (0.01_f64 / 19.0).sqrt()).abs() < 1e-6);
        let (test, blocks) = test_of(QUESTION, 20, 0.4, 0.0);
        assert_eq!(stopped_estimate(&test, &blocks, 1), Estimate::alone(test.mean()));
    }

    #[test]
    fn an_end_that_was_late_is_not_as_far_from_the_middle_as_its_mean() {
        // Accepting H1 at the bound: the mean is biased upwards.
        let (test, blocks) = ended(QUESTION, 0.06, 0.12);
        assert!(test.blocks() > LEAST_BLOCKS && test.verdict() == Some(SprtVerdict::Effect), "{test:?}");
        let found = stopped_estimate(&test, &blocks, 1);
        assert!(found.estimate < test.mean(), "{found:?} {}", test.mean());
        let Interval { low, high } = found.interval.unwrap();
        assert!(low < found.estimate && found.estimate < high);
        assert_eq!(found, stopped_estimate(&test, &blocks, 1), "the same games, the same estimate");
    }

    /// Far beyond the hypotheses, nearly all tests end earlier than this one, with the same verdict.
    #[test]
    fn an_end_that_came_later_than_usual_has_an_interval_around_its_mean() {
        for (mean, half) in [(0.2, 0.08), (-0.2, 0.08), (0.2, 0.01), (-0.4, 0.3)] {
            for count in [21, 25, 40, 100, 2000] {
                let (test, blocks) = test_of(QUESTION, count, mean, half);
                let found = stopped_estimate(&test, &blocks, 1);
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

#[cfg(test)]
mod tests {
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use upheaval_map::rng::{Purpose, Stream};

    const QUESTION: SprtQuestion = SprtQuestion { baseline: 0.0, effect: 0.05, alpha: 0.05, beta: 0.1 };

    #[test]
    fn known_values() {
        let needed = SprtVerdict::ALL.map(|verdict| QUESTION.needed(verdict));
        assert!((needed[0] - 20.0f64.ln()).abs() < 1e-12 && (needed[1] - 10.0f64.ln()).abs() < 1e-12);
        let mut test = Test::new(QUESTION);
        // The first stake: a gain of 0.05, a variance of (0.25 · 0.4)² = 0.01, at most 0.9/0.4 and 0.9/0.35.
        test.add(0.1, 0.4);
        assert!((test.evidence(SprtVerdict::Effect) - 1.225f64.ln()).abs() < 1e-12);
        assert!((test.evidence(SprtVerdict::Baseline) - (1.0 - 0.9 / 0.35 * 0.05f64).ln()).abs() < 1e-12);
        // The second: a variance of 0.01/2 beside the mean of 0.1, so a gain of 0.05 and 0.05/(0.005 + 0.0025).
        test.add(-0.1, 0.4);
        assert!((test.evidence(SprtVerdict::Effect) - (1.225f64 * 0.775).ln()).abs() < 1e-12);
        test.add(0.2, 0.4);
        test.add(0.0, 0.4);
        assert!((test.mean() - 0.05).abs() < 1e-12);
        assert_eq!((test.blocks(), test.verdict()), (4, None));
    }

    /// Blocks without a difference say that large ones are rare, and no more than that.
    #[test]
    fn blocks_that_are_all_alike_are_as_much_evidence_as_the_stakes_and_no_more() {
        for (value, verdict) in
            [(0.0, SprtVerdict::Baseline), (-1.0, SprtVerdict::Baseline), (0.05, SprtVerdict::Effect)]
        {
            let mut test = Test::new(QUESTION);
            while test.verdict().is_none() {
                test.add(value, 1.0);
                assert!(test.blocks() <= 200, "{value}");
            }
            assert_eq!(test.verdict(), Some(verdict), "{value}");
            assert!(test.is_uniform() && test.blocks() >= LEAST_BLOCKS);
            // Of a chance of one in twenty a block, twenty blocks without it are not evidence.
            assert!(value == -1.0 || test.blocks() > 45, "{value}: {}", test.blocks());
        }
        // Nobody can tell 0 from a billionth.
        let mut test = Test::new(SprtQuestion { effect: 1e-9, ..QUESTION });
        (0..1000).for_each(|_| test.add(0.0, 1.0));
        assert_eq!(test.verdict(), None);
        assert!(SprtVerdict::ALL.iter().all(|&verdict| test.evidence(verdict).abs() < 1e-5));
        assert!(test.blocks_to_decide().unwrap() > 1e8);
    }

    /// How many of this number of tests accept H1 with blocks drawn by this function, and how many blocks they take on
    /// average.
    fn accepted(
        tests: u64,
        number: u64,
        question: SprtQuestion,
        most: f64,
        draw: &dyn Fn(&mut Stream) -> f64,
    ) -> (f64, f64) {
        let (mut effects, mut blocks) = (0, 0u64);
        for i in 0..tests {
            let mut dice = Stream::keyed(number, Purpose::Bootstrap, &[i]);
            let mut test = Test::new(question);
            while test.verdict().is_none() {
                test.add(draw(&mut dice), most);
            }
            effects += u64::from(test.verdict() == Some(SprtVerdict::Effect));
            blocks += u64::from(test.blocks());
        }
        (effects as f64 / tests as f64, blocks as f64 / tests as f64)
    }

    fn unit(dice: &mut Stream) -> f64 {
        ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Both error rates are kept, for normal block means and for block means like those of games: discrete, skewed, and
    /// nearly always 0.
    #[test]
    fn the_error_rates_are_those_that_were_asked_for() {
        let tests = testkit::amount(700, 2000);
        let normal = Normal::standard();
        type Draw<'a> = Box<dyn Fn(&mut Stream, f64) -> f64 + 'a>;
        let spread =
            |sd: f64| -> Draw<'_> { Box::new(move |dice, mean| mean + sd * normal.inverse_cdf(unit(dice))) };
        // Fourteen games, each won once in five or four times in five, with a large gain or loss for the win.
        let games = |chance: u32| -> Draw<'_> {
            Box::new(move |dice, mean| {
                let wins = (0..14).filter(|_| dice.below(5) < chance).count() as f64;
                mean + 1.8 * (wins / 14.0 - f64::from(chance) / 5.0)
            })
        };
        let coarse: Draw<'_> =
            Box::new(|dice, mean| mean + [-0.06, -0.06, -0.06, 0.18][dice.below(4) as usize]);
        // Six games of three seats: a solo, for the first or the second, is worth 0.75 of a game on average.
        let solos: Draw<'_> = Box::new(|dice, mean| {
            let (own, other) = (mean / 0.75 + 0.004, 0.004);
            let game = |_| {
                let luck = unit(dice);
                if luck < own {
                    0.75
                } else if luck < own + other {
                    -0.75
                } else {
                    0.0
                }
            };
            (0..6).map(game).sum::<f64>() / 6.0
        });
        let rare = SprtQuestion { effect: 0.02, ..QUESTION };
        let draws = [
            ("normal", QUESTION, 0.6, spread(0.1)),
            ("wide", QUESTION, 2.0, spread(0.3)),
            ("rare wins", QUESTION, 1.5, games(1)),
            ("rare losses", QUESTION, 1.5, games(4)),
            ("coarse", QUESTION, 0.6, coarse),
            ("rare solos", rare, 0.75, solos),
        ];
        // Three standard errors of a rate from this many tests.
        let slack = |rate: f64| 3.0 * (rate * (1.0 - rate) / tests as f64).sqrt();
        for (i, (name, question, most, draw)) in draws.iter().enumerate() {
            let (i, question, most) = (i as u64, *question, *most);
            let (false_effects, under_h0) =
                accepted(tests, i, question, most, &|dice| draw(dice, question.baseline));
            let (effects, under_h1) =
                accepted(tests, 100 + i, question, most, &|dice| draw(dice, question.effect));
            let false_baselines = 1.0 - effects;
            println!("{name}: {false_effects} {false_baselines}, {under_h0:.1} and {under_h1:.1} blocks");
            assert!(false_effects <= question.alpha + slack(question.alpha), "{name}: {false_effects}");
            assert!(false_baselines <= question.beta + slack(question.beta), "{name}: {false_baselines}");
            // A test that always waits or always says the same would keep one of the two rates.
            assert!(effects > 0.8 && false_effects < 0.1, "{name}: it distinguishes them");
            // Far beyond either hypothesis it is certain of the nearer one, and soon.
            for (number, beyond) in [(200, 0.1), (300, 0.4)] {
                let (low, high) = (question.baseline - beyond, question.effect + beyond);
                let above = accepted(300, number + 50 + i, question, most, &|dice| draw(dice, high));
                assert!(above.0 >= 0.99 && above.1 < 110.0, "{name}, {beyond} beyond: {above:?}");
                if *name != "rare solos" {
                    let below = accepted(300, number + i, question, most, &|dice| draw(dice, low));
                    assert!(below.0 <= 0.01 && below.1 < 110.0, "{name}, {beyond} beyond: {below:?}");
                }
            }
        }
    }

    /// `greedy` against `random` on three seats: a difference of 0.61, and an effect of 0.02.
    #[test]
    fn a_difference_far_beyond_the_effect_is_decided_at_once() {
        let question = SprtQuestion { baseline: 0.0, effect: 0.02, alpha: 0.05, beta: 0.05 };
        let draw = |dice: &mut Stream| {
            let game = |_| if dice.below(100) < 82 { 0.75 } else { 0.0 };
            (0..6).map(game).sum::<f64>() / 6.0
        };
        let (effects, blocks) = accepted(300, 1, question, 0.75, &draw);
        assert!(effects == 1.0 && blocks < 25.0, "{effects} {blocks}");
    }
}
