//! A mean with its t interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanInterval {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; infinite where there is one value, or one block of them.
    pub half_width: f64,
}

impl MeanInterval {
    /// The mean of values that come in blocks, each a sum and of how many values, with its t interval over the blocks; `None`
    /// without values.
    pub fn of_blocks(blocks: &[(f64, u64)]) -> Option<MeanInterval> {
        let filled = || blocks.iter().filter(|(_, n)| *n > 0);
        let (count, n) = (filled().count(), filled().map(|(_, n)| *n as f64).sum::<f64>());
        if count == 0 {
            return None;
        }
        let mean = filled().map(|(sum, _)| sum).sum::<f64>() / n;
        if count < 2 {
            return Some(MeanInterval { mean, half_width: f64::INFINITY });
        }
        let spread: f64 = filled().map(|(sum, own)| (sum - mean * *own as f64).powi(2)).sum();
        let variance = count as f64 / (count as f64 - 1.0) * spread / (n * n);
        Some(MeanInterval { mean, half_width: t_quantile(count as u64) * variance.sqrt() })
    }
}

/// A mean with its interval, as the tables print it.
pub(super) fn text(interval: Option<MeanInterval>) -> String {
    match interval {
        None => "-".to_owned(),
        Some(i) if i.half_width.is_finite() => format!("{:.2} ±{:.2}", i.mean, i.half_width),
        Some(i) => format!("{:.2}", i.mean),
    }
}

/// The 97.5% quantile of the normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// From so many values on Student's t is the normal distribution, to five digits.
const AS_GOOD_AS_NORMAL: u64 = 1_000_000;

/// The 97.5% quantile of Student's t for the mean of so many values; infinite for one.
pub(super) fn t_quantile(values: u64) -> f64 {
    if values > AS_GOOD_AS_NORMAL {
        // The library searches for the quantile, and the longer the more degrees of freedom there are.
        return NORMAL_QUANTILE;
    }
    StudentsT::new(0.0, 1.0, values as f64 - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_several_sizes() {
        // As in `blocks`: sums 5, 2, 6 of 3, 1, 2 values; one that is empty counts for nothing.
        let mean = MeanInterval::of_blocks(&[(5.0, 3), (0.0, 0), (2.0, 1), (6.0, 2)]).unwrap();
        assert!((mean.mean - 13.0 / 6.0).abs() < 1e-12);
        let half = 4.302_653 * (1.5 * (2.25 + 1.0 / 36.0 + 25.0 / 9.0) / 36.0_f64).sqrt();
        assert!((mean.half_width - half).abs() < 1e-5, "{mean:?}");
        assert_eq!(MeanInterval::of_blocks(&[(1.0, 2)]).unwrap().half_width, f64::INFINITY);
        assert_eq!(MeanInterval::of_blocks(&[(0.0, 0)]), None);
    }
}
