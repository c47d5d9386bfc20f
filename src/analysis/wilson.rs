//! Intervals of a rate of independent trials: Wilson's, and the one of Clopper and Pearson.

use crate::estimate::{Estimate, Interval};
use crate::quantile::normal_upper;
use statrs::distribution::{Beta, ContinuousCDF};

/// The share of `successes` in `trials` with its 95% Wilson interval; `None` without trials.
///
/// Unlike the textbook interval it stays between 0 and 1 and is not empty where all or none succeed.
pub fn wilson(successes: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 || successes > trials {
        return None;
    }
    let p = successes as f64 / trials as f64;
    let Interval { low, high } = wilson_share(p, trials as f64)?;
    // Rounding may move a bound slightly where it is known exactly.
    let low = if successes == 0 { 0.0 } else { low };
    let high = if successes == trials { 1.0 } else { high };
    Some(Estimate { estimate: p, interval: Some(Interval { low, high }) })
}

/// The bounds of a share of this many independent trials; `None` without trials.
pub(super) fn wilson_share(share: f64, n: f64) -> Option<Interval> {
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
pub(super) fn clopper_pearson(share: f64, n: f64) -> Option<Interval> {
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

#[cfg(test)]
mod tests {
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
            let interval = wilson(successes, trials).unwrap().interval.unwrap();
            assert!((interval.low - low).abs() < 1e-4, "{successes}/{trials}: {interval:?}");
            assert!((interval.high - high).abs() < 1e-4, "{successes}/{trials}: {interval:?}");
        }
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
    }
}
