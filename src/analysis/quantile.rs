//! The quantiles that intervals are computed from.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The share below the upper bound of a symmetric 95% interval.
const UPPER: f64 = 0.975;

/// From this many values on, Student's t is the normal distribution to five digits.
const AS_GOOD_AS_NORMAL: u64 = 1_000_000;

/// The quantile of the standard normal distribution.
pub(super) fn normal(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// The 97.5% quantile of the standard normal distribution.
pub(super) fn normal_upper() -> f64 {
    normal(UPPER)
}

/// The 97.5% quantile of Student's t for the mean of this many values; infinite for one.
pub(super) fn t_upper(values: u64) -> f64 {
    t_upper_of(values as f64 - 1.0)
}

/// The 97.5% quantile of Student's t with these degrees of freedom; infinite for none.
pub(super) fn t_upper_of(freedom: f64) -> f64 {
    t_quantile(UPPER, freedom)
}

/// A quantile of Student's t with these degrees of freedom, for a share above a half; infinite for none.
pub(super) fn t_quantile(share: f64, freedom: f64) -> f64 {
    if freedom >= AS_GOOD_AS_NORMAL as f64 {
        // The library searches for the quantile, and the search takes longer with more degrees of freedom.
        return normal(share);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(share))
}

#[cfg(test)]
mod tests {
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
