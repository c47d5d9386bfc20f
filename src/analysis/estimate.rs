//! An estimate with its 95% interval: the one form in which means, rates, differences and ratings are reported.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

/// The bounds of a 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// From the lower bound to the upper one.
    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }
}

/// An estimate with its 95% interval. As JSON it has the fields `estimate`, `low` and `high`, of which the last two are
/// `null` where no interval is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub estimate: f64,
    /// Its interval; `None` where the data do not say how far off the estimate may be, as with one block.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// An estimate without a known interval.
    pub const fn alone(estimate: f64) -> Estimate {
        Estimate { estimate, interval: None }
    }

    /// The estimate and its bounds, each changed by a monotonic function.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Estimate {
        let interval = self.interval.map(|Interval { low, high }| Interval { low: of(low), high: of(high) });
        Estimate { estimate: of(self.estimate), interval }
    }

    /// The same for a quantity that lies between these bounds: the bounds end there.
    pub(crate) fn within(self, least: f64, most: f64) -> Estimate {
        self.map(|value| value.max(least).min(most))
    }

    /// `0.25 (0.20 to 0.31)`, or the estimate alone.
    pub(crate) fn with_bounds(self, decimals: usize) -> String {
        self.written(|value| format!("{value:.decimals$}"))
    }

    /// The same with numbers that are written by this function.
    pub fn written(self, number: impl Fn(f64) -> String) -> String {
        let estimate = number(self.estimate);
        match self.interval {
            Some(Interval { low, high }) => format!("{estimate} ({} to {})", number(low), number(high)),
            None => estimate,
        }
    }

    /// This many decimals, or as many more as show on which side of 0 each bound lies.
    pub fn deciding_decimals(self, decimals: usize) -> usize {
        /// Nearer to 0 than this is the residue of rounding.
        const RESIDUE: f64 = 1e-9;
        let shows = |bound: f64, decimals: usize| {
            bound.abs() < RESIDUE || bound.abs() * 10_f64.powi(decimals.min(12) as i32) > 0.5
        };
        let shown = |decimals: &usize| {
            self.interval.is_none_or(|of| shows(of.low, *decimals) && shows(of.high, *decimals))
        };
        (decimals..=decimals + 9).find(shown).unwrap_or(decimals)
    }

    /// With signs: `+0.25 (+0.20 to +0.31)`. No bound is written as 0 that lies on one side of it.
    pub fn signed(self, decimals: usize) -> String {
        let decimals = self.deciding_decimals(decimals);
        self.written(|value| format!("{value:+.decimals$}"))
    }
}

impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Estimate", 3)?;
        fields.serialize_field("estimate", &self.estimate)?;
        fields.serialize_field("low", &self.interval.map(|interval| interval.low))?;
        fields.serialize_field("high", &self.interval.map(|interval| interval.high))?;
        fields.end()
    }
}

// Intervals of a rate of independent trials: Wilson's, and the one of Clopper and Pearson.

/// The bounds of a share of this many independent trials; `None` without trials.
pub(crate) fn wilson_share(share: f64, n: f64) -> Option<Interval> {
    if n <= 0.0 {
        return None;
    }
    let z = normal_upper();
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    Some(Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
}

/// The interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934), for a share of this many independent trials,
/// which need not be whole; `None` for less than one trial.
pub(crate) fn clopper_pearson(share: f64, n: f64) -> Option<Interval> {
    if n < 1.0 {
        return None;
    }
    let (successes, failures) = (share * n, (1.0 - share) * n);
    // The bounds are quantiles of beta distributions.
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).map(|of| of.inverse_cdf(p)).ok();
    let low = if successes > 0.0 { quantile(successes, failures + 1.0, 0.025)? } else { 0.0 };
    let high = if failures > 0.0 { quantile(successes + 1.0, failures, 0.975)? } else { 1.0 };
    Some(Interval { low, high })
}

// The quantiles that intervals are computed from.

/// The share below the upper bound of a symmetric 95% interval.
const UPPER: f64 = 0.975;

/// From this many values on, Student's t is the normal distribution to five digits.
const AS_GOOD_AS_NORMAL: u64 = 1_000_000;

/// The quantile of the standard normal distribution.
pub(crate) fn normal(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// The 97.5% quantile of the standard normal distribution.
pub(crate) fn normal_upper() -> f64 {
    normal(UPPER)
}

/// The 97.5% quantile of Student's t for the mean of this many values; infinite for one.
pub(crate) fn t_upper(values: u64) -> f64 {
    t_upper_of(values as f64 - 1.0)
}

/// The 97.5% quantile of Student's t with these degrees of freedom; infinite for none.
pub(crate) fn t_upper_of(freedom: f64) -> f64 {
    t_quantile(UPPER, freedom)
}

/// A quantile of Student's t with these degrees of freedom, for a share above a half; infinite for none.
pub(crate) fn t_quantile(share: f64, freedom: f64) -> f64 {
    if freedom >= AS_GOOD_AS_NORMAL as f64 {
        // The library searches for the quantile, and the search takes longer with more degrees of freedom.
        return normal(share);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(share))
}

// How certain an estimate is to which independent blocks contribute: its interval and its test.
//
// An estimate such as a mean, a ratio of sums or a fitted rating is, but for what vanishes with more blocks, a sum of
// one contribution of each block. The contributions' second, third and fourth moments say how it varies, how skewed it
// is, and how well they themselves are known:
//
// ```text
// V = n/(n − 1) · Σd²        variance of the estimate, from the contributions d, whose sum is 0
// γ = Σd³ / V^{3/2}          its skewness
// ν = 2 / (2/(n − 1) + κ/n)  degrees of freedom of V, from the excess kurtosis κ ≥ 0 of the contributions
// ```
// ν is F. E. Satterthwaite's approximation (Biometrics Bulletin 2, 1946): of blocks most of which have nothing, few
// say how blocks differ. Two intervals are computed. One is Student's, with ν from the moments as they are. The other
// inverts P. Hall's monotonic transformation of a skewed mean ("On the removal of skewness by transformation", JRSS B
// 54, 1992), with the skewness and the kurtosis corrected for few blocks. The printed interval reaches from the lower
// of the two lower bounds to the higher of the two upper bounds: where blocks are symmetric both are the usual t
// interval, and where outcomes are rare and large either alone is too narrow. docs/coverage.md says how often the
// result covers.

/// How an estimate varies from one set of blocks to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The variance of the estimate; above 0.
    pub variance: f64,
    /// The degrees of freedom of the variance, from the kurtosis as it is.
    pub freedom: f64,
    /// The same from the kurtosis corrected for few blocks.
    cautious: f64,
    /// The skewness of the estimate, corrected for few blocks.
    skewness: f64,
}

/// The sums of the powers of contributions whose sum is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    /// How many blocks contribute.
    pub blocks: u64,
    /// Σd².
    pub second: f64,
    /// Σd³.
    pub third: f64,
    /// Σd⁴.
    pub fourth: f64,
}

impl Moments {
    /// For the contributions of blocks, from which their mean is subtracted.
    pub(crate) fn of(contributions: impl Iterator<Item = f64> + Clone) -> Moments {
        let blocks = contributions.clone().count() as u64;
        let mean = contributions.clone().sum::<f64>() / blocks.max(1) as f64;
        let add = |sums: Moments, value: f64| {
            let square = (value - mean).powi(2);
            Moments {
                second: sums.second + square,
                third: sums.third + square * (value - mean),
                fourth: sums.fourth + square * square,
                ..sums
            }
        };
        contributions.fold(Moments { blocks, ..Moments::default() }, add)
    }

    /// The moments of contributions that are this many times as large.
    pub(crate) fn times(self, factor: f64) -> Moments {
        let Moments { blocks, second, third, fourth } = self;
        Moments {
            blocks,
            second: second * factor.powi(2),
            third: third * factor.powi(3),
            fourth: fourth * factor.powi(4),
        }
    }

    /// How the sum of the contributions varies; `None` for fewer than two blocks, and where no block differs from
    /// another: then nothing shows how blocks could have differed.
    pub(crate) fn spread(self) -> Option<Spread> {
        Spread::of_difference(&[self])
    }

    /// An estimate to which they contribute, with its interval where it is known how it varies.
    pub(crate) fn around(self, estimate: f64) -> Estimate {
        self.spread().map_or(Estimate::alone(estimate), |spread| spread.around(estimate))
    }

    fn variance(self) -> f64 {
        let n = self.blocks as f64;
        n / (n - 1.0) * self.second
    }

    /// The variance of the variance, from the excess kurtosis as it is, and from the one corrected for few blocks.
    fn of_variance(self) -> [f64; 2] {
        let (n, variance) = (self.blocks as f64, self.variance());
        if variance <= 0.0 {
            return [0.0; 2];
        }
        let excess = n * self.fourth / self.second.powi(2) - 3.0;
        let corrected = match self.blocks {
            ..4 => excess,
            _ => (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * excess + 6.0),
        };
        [excess, corrected].map(|kurtosis| variance.powi(2) * (2.0 / (n - 1.0) + kurtosis.max(0.0) / n))
    }

    /// Σd³, corrected for few blocks.
    fn unbiased_third(self) -> f64 {
        let n = self.blocks as f64;
        if self.blocks < 3 { self.third } else { n * n / ((n - 1.0) * (n - 2.0)) * self.third }
    }
}

impl Spread {
    /// The spread of a difference of independent estimates, or of one alone. `None` where one of them has fewer than
    /// two blocks, or where no block differs from another.
    pub(crate) fn of_difference(parts: &[Moments]) -> Option<Spread> {
        if parts.iter().any(|part| part.blocks < 2) {
            return None;
        }
        let variance: f64 = parts.iter().map(|part| part.variance()).sum();
        if variance <= 0.0 || !variance.is_finite() {
            return None;
        }
        let most = parts.iter().map(|part| part.blocks as f64 - 1.0).sum::<f64>();
        let freedom = |which: usize| {
            let of_variance: f64 = parts.iter().map(|part| part.of_variance()[which]).sum();
            (2.0 * variance.powi(2) / of_variance).clamp(1.0, most)
        };
        let third: f64 = parts.iter().map(|part| part.unbiased_third()).sum();
        let skewness = third / variance.powf(1.5);
        Some(Spread { variance, freedom: freedom(0), cautious: freedom(1), skewness })
    }

    /// The standard error of the estimate.
    pub(crate) fn error(self) -> f64 {
        self.variance.sqrt()
    }

    /// The estimate with its 95% interval.
    pub(crate) fn around(self, estimate: f64) -> Estimate {
        let plain = t_upper_of(self.freedom);
        let skewed = t_upper_of(self.cautious);
        let low = plain.max(self.distance(skewed));
        let high = plain.max(-self.distance(-skewed));
        let error = self.error();
        Estimate {
            estimate,
            interval: Some(Interval { low: estimate - low * error, high: estimate + high * error }),
        }
    }

    /// The probability of an estimate at least this far from 0 if the truth were 0, two-sided: below 0.05 exactly where
    /// the interval excludes 0.
    pub(crate) fn p(self, estimate: f64) -> f64 {
        let t = estimate / self.error();
        let beyond = |distance: f64, freedom: f64| {
            StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |of| 2.0 * of.sf(distance.abs()))
        };
        beyond(t, self.freedom).max(beyond(self.transformed(t), self.cautious)).min(1.0)
    }

    /// The likelihood that the truth is above 0: one-sided, by Student's t.
    pub(crate) fn above(self, estimate: f64) -> f64 {
        let t = estimate / self.error();
        StudentsT::new(0.0, 1.0, self.freedom).map_or(0.5, |of| of.cdf(t))
    }

    /// Hall's transformation of a distance in standard errors: monotonic, and without skewness.
    fn transformed(self, t: f64) -> f64 {
        let bend = self.skewness / 3.0;
        t + bend * t * t + bend * bend * t.powi(3) / 3.0 + self.skewness / 6.0
    }

    /// Its inverse.
    fn distance(self, transformed: f64) -> f64 {
        let (bend, straight) = (self.skewness / 3.0, transformed - self.skewness / 6.0);
        if bend.abs() < 1e-9 { straight } else { ((1.0 + 3.0 * bend * straight).cbrt() - 1.0) / bend }
    }
}

#[cfg(test)]
mod spread_tests {
    use super::*;

    fn of(values: &[f64]) -> Option<Spread> {
        Moments::of(values.iter().copied()).times(1.0 / values.len() as f64).spread()
    }

    #[test]
    fn symmetric_blocks_have_the_t_interval() {
        // scipy.stats.ttest_1samp([1, 2, 3, 4], 0): statistic 3.872983, p 0.030466, interval 0.445739 to 4.554261.
        let spread = of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        let Interval { low, high } = spread.around(2.5).interval.unwrap();
        assert!((low - 0.445_739_7).abs() < 1e-6 && (high - 4.554_260_3).abs() < 1e-6, "{low} {high}");
        assert!((spread.p(2.5) - 0.030_466_3).abs() < 1e-6, "{}", spread.p(2.5));
        assert!((spread.above(2.5) - (1.0 - 0.030_466_3 / 2.0)).abs() < 1e-6);
        assert_eq!((of(&[3.0]), of(&[2.0, 2.0, 2.0])), (None, None));
    }

    #[test]
    fn rare_and_large_outcomes_reach_farther_up_and_have_fewer_degrees_of_freedom() {
        let spread = of(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        // Of a kurtosis of 43/7: 2 / (2/7 + 22/7/8).
        assert!((spread.freedom - 2.0 / (2.0 / 7.0 + (43.0 / 7.0 - 3.0) / 8.0)).abs() < 1e-9, "{spread:?}");
        let Interval { low, high } = spread.around(0.125).interval.unwrap();
        assert!(high - 0.125 > 2.0 * (0.125 - low), "{low} {high}");
        // The transformation and its inverse.
        for t in [-3.0, -0.2, 0.0, 1.0, 2.5] {
            assert!((spread.distance(spread.transformed(t)) - t).abs() < 1e-9, "{t}");
        }
    }

    /// The test and the interval are one rule.
    #[test]
    fn p_is_below_5_percent_exactly_where_the_interval_excludes_0() {
        let spread = of(&[0.0, 0.3, 0.1, 0.9, 2.0, 0.0, 0.4, 0.2]).unwrap();
        for step in -400..400 {
            let estimate = f64::from(step) / 100.0 + 0.001;
            let Interval { low, high } = spread.around(estimate).interval.unwrap();
            let excluded = low > 0.0 || high < 0.0;
            assert_eq!(spread.p(estimate) < 0.05, excluded, "{estimate}");
        }
    }
}

#[cfg(test)]
mod quantile_tests {
    use super::*;

    #[test]
    fn known_values() {
        // scipy.stats.norm.ppf, scipy.stats.t.ppf
        assert!(
            (normal_upper() - 1.959_963_984_540_054).abs() < 1e-12 && t_upper(u64::MAX) == normal_upper()
        );
        assert!((normal(0.8) - 0.841_621_233_572_914_3).abs() < 1e-12);
        assert!((t_upper(5) - 2.776_445_105_197_793).abs() < 1e-9);
        assert_eq!(t_upper(1), f64::INFINITY);
    }

    #[test]
    fn student_becomes_normal_without_a_step() {
        let (last, first) = (t_upper(AS_GOOD_AS_NORMAL), t_upper(AS_GOOD_AS_NORMAL + 1));
        assert!((last - first).abs() < 1e-4, "{last} {first}");
    }
}

#[cfg(test)]
mod wilson_tests {
    use super::*;

    #[test]
    fn clopper_and_pearsons_interval_is_that_of_r() {
        // R: binom.test(x, n)$conf.int
        for (successes, trials, low, high) in [
            (0.0, 10.0, 0.0, 0.308_497_1),
            (1.0, 10.0, 0.002_528_579, 0.445_016_1),
            (10.0, 10.0, 0.691_502_9, 1.0),
        ] {
            let interval = clopper_pearson(successes / trials, trials).unwrap();
            assert!((interval.low - low).abs() < 1e-6 && (interval.high - high).abs() < 1e-6, "{interval:?}");
        }
    }

    #[test]
    fn known_values() {
        // R: prop.test(x, n, correct = FALSE)$conf.int
        for (successes, trials, low, high) in [
            (0, 10, 0.0, 0.277_532_8),
            (10, 10, 0.722_467_2, 1.0),
            (1, 10, 0.017_876_213, 0.404_150_03),
            (5, 10, 0.236_593_1, 0.763_406_9),
            (15, 148, 0.062_386_2, 0.160_491_7),
        ] {
            let trials = f64::from(trials);
            let interval = wilson_share(f64::from(successes) / trials, trials).unwrap();
            assert!((interval.low - low).abs() < 1e-4, "{successes}/{trials}: {interval:?}");
            assert!((interval.high - high).abs() < 1e-4, "{successes}/{trials}: {interval:?}");
        }
        assert_eq!(wilson_share(0.0, 0.0), None);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An estimate with a symmetric interval.
    pub(crate) fn around(estimate: f64, half_width: f64) -> Estimate {
        let interval = Some(Interval { low: estimate - half_width, high: estimate + half_width });
        Estimate { estimate, interval }
    }

    #[test]
    fn an_estimate_is_written_with_its_interval_or_alone() {
        let known = around(1.25, 0.5);
        assert_eq!(known.interval.map(Interval::width), Some(1.0));
        let texts = [known.with_bounds(2), known.signed(1)];
        assert_eq!(texts, ["1.25 (0.75 to 1.75)", "+1.2 (+0.8 to +1.8)"]);
        let alone = Estimate::alone(1.25);
        assert_eq!([alone.with_bounds(2), alone.signed(2)], ["1.25", "+1.25"]);
        assert_eq!(known.map(|value| 100.0 * value).with_bounds(0), "125 (75 to 175)");
    }

    #[test]
    fn a_bound_near_0_shows_its_side() {
        let near = |low: f64| Estimate { estimate: 0.008, interval: Some(Interval { low, high: 0.016 }) };
        assert_eq!(near(0.000_04).signed(3), "+0.00800 (+0.00004 to +0.01600)");
        assert_eq!(near(-0.000_4).signed(3), "+0.0080 (-0.0004 to +0.0160)");
        assert_eq!(near(0.0).signed(3), "+0.008 (+0.000 to +0.016)");
        assert_eq!(
            (near(1e-15).signed(2), near(0.004).deciding_decimals(2)),
            ("+0.01 (+0.00 to +0.02)".into(), 3)
        );
    }

    #[test]
    fn json_has_null_for_bounds_that_are_not_known() {
        let json = |of: Estimate| serde_json::to_string(&of).unwrap();
        assert_eq!(json(around(1.25, 0.5)), r#"{"estimate":1.25,"low":0.75,"high":1.75}"#);
        assert_eq!(json(Estimate::alone(1.25)), r#"{"estimate":1.25,"low":null,"high":null}"#);
    }
}
