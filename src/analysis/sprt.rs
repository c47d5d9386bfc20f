//! A sequential test of two bots: it stops as soon as the answer is known.
//!
//! The test measures the difference of the two bots' mean scores in a block of games of a mirrored design; the blocks
//! are independent of each other, but their games are not. It decides between two hypotheses: the expected difference
//! is `baseline` (H0), or it is `effect` (H1). The generalised likelihood ratio of A. Wald's test, with the variance
//! that fits each hypothesis best, is for n blocks of mean m, variance s² = Σ(x − m)²/n and third moment k = Σ(x −
//! m)³/n
//!
//! ```text
//! LLR = n/2 · ln( (s² + d(baseline)²) / (s² + d(effect)²) )
//! d(μ) = (m − μ) + k/(6 n s²) + c (m − μ)² + c²/3 (m − μ)³,  c = k/(3 s⁴)
//! ```
//! With d(μ) = m − μ it is the ratio that testers of chess engines use on pairs of games (M. Van den Bergh, "A
//! practical introduction to the GSPRT"). The next two terms are N. J. Johnson's ("Modified t tests and confidence
//! intervals for asymmetrical populations", JASA 73, 1978): where wins are rare and large, a low mean comes with a low
//! variance, and without these terms the test would be overconfident. The last is P. Hall's ("On the removal of
//! skewness by transformation", JRSS B 54, 1992): with it d is monotonic, d′ = (1 + c (m − μ))² ≥ 0, so of two
//! hypotheses on the same side the nearer is always the more likely.
//!
//! The test ends with H1 once LLR ≥ ln((1 − β)/α), and with H0 once LLR ≤ ln(β/(1 − α)): then its error rate is at most
//! about α where H0 holds, and about β where H1 holds. The moments of a handful of blocks may be far off, so the test
//! does not end before block [`LEAST_BLOCKS`].

/// Before this many blocks nothing is decided.
pub const LEAST_BLOCKS: u32 = 20;

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
    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The verdict after this many blocks of this mean, if they are normal and have this variance.
    pub(super) fn verdict(&self, blocks: u32, mean: f64, variance: f64) -> Option<SprtVerdict> {
        let variance_about = |value: f64| variance + (mean - value).powi(2);
        let ratio = variance_about(self.baseline) / variance_about(self.effect);
        self.verdict_of(f64::from(blocks) / 2.0 * ratio.ln())
    }

    /// The verdict at this log-likelihood ratio, if there is one.
    fn verdict_of(&self, llr: f64) -> Option<SprtVerdict> {
        let (low, high) = self.bounds();
        if llr >= high {
            Some(SprtVerdict::Effect)
        } else if llr <= low {
            Some(SprtVerdict::Baseline)
        } else {
            None
        }
    }
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The difference is the baseline rather than the effect.
    Baseline,
    /// The difference is the effect rather than the baseline.
    Effect,
}

/// A test that is under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    question: SprtQuestion,
    blocks: u32,
    mean: f64,
    /// Σ(x − mean)².
    spread: f64,
    /// Σ(x − mean)³.
    skew: f64,
}

impl Test {
    /// A test that has seen nothing yet.
    pub fn new(question: SprtQuestion) -> Test {
        Test { question, blocks: 0, mean: 0.0, spread: 0.0, skew: 0.0 }
    }

    /// Adds a block's mean difference.
    pub fn add(&mut self, difference: f64) {
        // B. P. Welford's way, which loses no digits.
        self.blocks += 1;
        let n = f64::from(self.blocks);
        let from_old = difference - self.mean;
        let step = from_old / n;
        let grown = from_old * step * (n - 1.0);
        self.skew += grown * step * (n - 2.0) - 3.0 * step * self.spread;
        self.spread += grown;
        self.mean += step;
    }

    /// How many blocks it has seen.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The mean difference.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean difference, over blocks; 0 for fewer than two.
    pub fn standard_error(&self) -> f64 {
        match self.blocks {
            0 | 1 => 0.0,
            blocks => (self.spread / f64::from(blocks - 1) / f64::from(blocks)).sqrt(),
        }
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self) -> f64 {
        if self.blocks < 2 {
            return 0.0;
        }
        let n = f64::from(self.blocks);
        let (variance, third) = (self.spread / n, self.skew / n);
        let distance = |value: f64| {
            let plain = self.mean - value;
            // Blocks that are all alike have no skewness.
            if variance < f64::MIN_POSITIVE.sqrt() {
                return plain;
            }
            let bend = third / (3.0 * variance * variance);
            plain + third / (6.0 * n * variance) + bend * plain.powi(2) + bend.powi(2) / 3.0 * plain.powi(3)
        };
        let variance_about = |value: f64| variance + distance(value).powi(2);
        let ratio = variance_about(self.question.baseline) / variance_about(self.question.effect);
        n / 2.0 * ratio.ln()
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        if self.blocks < LEAST_BLOCKS { None } else { self.question.verdict_of(self.llr()) }
    }

    /// Its question.
    pub fn question(&self) -> &SprtQuestion {
        &self.question
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
        let (low, high) = QUESTION.bounds();
        assert!((low - (0.1f64 / 0.95).ln()).abs() < 1e-12 && (high - 18.0f64.ln()).abs() < 1e-12);
        let mut test = Test::new(QUESTION);
        for difference in [0.1, -0.1, 0.2, 0.0] {
            test.add(difference);
        }
        // Not skewed: m = 0.05, s² = (0.0025 + 0.0225 + 0.0225 + 0.0025) / 4 = 0.0125; 2 · ln(0.015 / 0.0125).
        assert!((test.mean() - 0.05).abs() < 1e-12);
        assert!((test.llr() - 2.0 * 1.2f64.ln()).abs() < 1e-9, "{}", test.llr());
        assert_eq!((test.blocks(), test.verdict()), (4, None));
        let mut test = Test::new(QUESTION);
        [0.0, 0.0, 0.4].into_iter().for_each(|difference| test.add(difference));
        // m = 2/15, s² = 8/225, k = 16/3375; so k/(6 n s²) = 1/135 and k/(3 s⁴) = 5/4.
        let distance = |m: f64| m + 1.0 / 135.0 + 1.25 * m * m + 1.25 * 1.25 / 3.0 * m * m * m;
        let about = |m: f64| 8.0 / 225.0 + distance(m).powi(2);
        let expected = 1.5 * (about(2.0 / 15.0) / about(2.0 / 15.0 - 0.05)).ln();
        assert!((test.llr() - expected).abs() < 1e-9, "{} and not {expected}", test.llr());
    }

    #[test]
    fn blocks_that_are_all_alike_decide_it_as_soon_as_may_be() {
        for (value, verdict) in
            [(0.0, SprtVerdict::Baseline), (-1.0, SprtVerdict::Baseline), (0.05, SprtVerdict::Effect)]
        {
            let mut test = Test::new(QUESTION);
            while test.verdict().is_none() {
                test.add(value);
                assert!(test.blocks() <= 200, "{value}");
            }
            assert_eq!(test.verdict(), Some(verdict), "{value}");
            assert!(test.blocks() >= LEAST_BLOCKS);
        }
    }

    /// How many of this number of tests accept H1 with blocks drawn by this function, and how many blocks they take on
    /// average.
    fn accepted(tests: u64, number: u64, draw: &dyn Fn(&mut Stream) -> f64) -> (f64, f64) {
        let (mut effects, mut blocks) = (0, 0u64);
        for i in 0..tests {
            let mut dice = Stream::keyed(number, Purpose::Bootstrap, &[i]);
            let mut test = Test::new(QUESTION);
            while test.verdict().is_none() {
                test.add(draw(&mut dice));
            }
            effects += u64::from(test.verdict() == Some(SprtVerdict::Effect));
            blocks += u64::from(test.blocks());
        }
        (effects as f64 / tests as f64, blocks as f64 / tests as f64)
    }

    fn unit(dice: &mut Stream) -> f64 {
        ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Both error rates are kept, for normal block means and for block means like those of games: discrete and skewed.
    #[test]
    fn the_error_rates_are_those_that_were_asked_for() {
        const TESTS: u64 = 3000;
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
        let draws = [
            ("normal", spread(0.1)),
            ("wide", spread(0.3)),
            ("rare wins", games(1)),
            ("rare losses", games(4)),
            ("coarse", coarse),
        ];
        // Three standard errors of a rate from this many tests.
        let slack = |rate: f64| 3.0 * (rate * (1.0 - rate) / TESTS as f64).sqrt();
        for (i, (name, draw)) in draws.iter().enumerate() {
            let (false_effects, under_h0) = accepted(TESTS, i as u64, &|dice| draw(dice, QUESTION.baseline));
            let (effects, under_h1) = accepted(TESTS, 100 + i as u64, &|dice| draw(dice, QUESTION.effect));
            let false_baselines = 1.0 - effects;
            println!("{name}: {false_effects} {false_baselines}, {under_h0:.1} and {under_h1:.1} blocks");
            assert!(false_effects <= QUESTION.alpha + slack(QUESTION.alpha), "{name}: {false_effects}");
            assert!(false_baselines <= QUESTION.beta + slack(QUESTION.beta), "{name}: {false_baselines}");
            // A test that always waits or always says the same would keep one of the two rates.
            assert!(effects > 0.8 && false_effects < 0.1, "{name}: it distinguishes them");
            // Far beyond either hypothesis it is more certain of the nearer one.
            for (number, beyond) in [(200, 0.1), (300, 0.4)] {
                let (low, high) = (QUESTION.baseline - beyond, QUESTION.effect + beyond);
                let (below, _) = accepted(300, number + i as u64, &|dice| draw(dice, low));
                let (above, _) = accepted(300, number + 50 + i as u64, &|dice| draw(dice, high));
                assert!(below <= 0.01 && above >= 0.99, "{name}, {beyond} beyond: {below} {above}");
            }
        }
    }
}
