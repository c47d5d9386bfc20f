//! How certain an estimate is to which independent blocks contribute: its interval and its test.
//!
//! An estimate such as a mean, a ratio of sums or a fitted rating is, but for what vanishes with more blocks, a sum of
//! one contribution of each block. The contributions' second, third and fourth moments say how it varies, how skewed it
//! is, and how well they themselves are known:
//!
//! ```text
//! V = n/(n − 1) · Σd²        variance of the estimate, from the contributions d, whose sum is 0
//! γ = Σd³ / V^{3/2}          its skewness
//! ν = 2 / (2/(n − 1) + κ/n)  degrees of freedom of V, from the excess kurtosis κ ≥ 0 of the contributions
//! ```
//! ν is F. E. Satterthwaite's approximation (Biometrics Bulletin 2, 1946): of blocks most of which have nothing, few
//! say how blocks differ. Two intervals are computed. One is Student's, with ν from the moments as they are. The other
//! inverts P. Hall's monotonic transformation of a skewed mean ("On the removal of skewness by transformation", JRSS B
//! 54, 1992), with the skewness and the kurtosis corrected for few blocks. The printed interval reaches from the lower
//! of the two lower bounds to the higher of the two upper bounds: where blocks are symmetric both are the usual t
//! interval, and where outcomes are rare and large either alone is too narrow. docs/coverage.md says how often the
//! result covers.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::estimate::{Estimate, Interval};
use crate::quantile::t_upper_of;

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
mod tests {
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
