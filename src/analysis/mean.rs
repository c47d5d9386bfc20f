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

/// A mean with its interval, as the tables print it.
pub(super) fn text(interval: Option<MeanInterval>) -> String {
    match interval {
        None => "-".to_owned(),
        Some(i) if i.half_width.is_finite() => format!("{:.2} ±{:.2}", i.mean, i.half_width),
        Some(i) => format!("{:.2}", i.mean),
    }
}

/// The 97.5% quantile of Student's t for the mean of so many values; infinite for one.
pub(super) fn t_quantile(values: u64) -> f64 {
    StudentsT::new(0.0, 1.0, values as f64 - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}
