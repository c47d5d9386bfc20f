//! The Wilson score interval of a rate.

use super::estimate::{Estimate, Interval};
use super::quantile::normal_upper;

/// The share of `successes` in `trials` with its 95% Wilson interval; `None` without trials.
///
/// Unlike the textbook interval it stays between 0 and 1 and is not empty where all or none succeed.
pub fn wilson(successes: u64, trials: u64) -> Option<Estimate> {
    wilson_of(successes, trials, trials as f64)
}

/// The same where the trials are worth only this many independent ones.
pub(super) fn wilson_of(successes: u64, trials: u64, n: f64) -> Option<Estimate> {
    if trials == 0 || successes > trials {
        return None;
    }
    let p = successes as f64 / trials as f64;
    let Interval { low, high } = wilson_share(p, n)?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
