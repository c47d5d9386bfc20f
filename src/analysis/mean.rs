//! The mean of whole numbers with its t interval, from sums that are exact.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How many, their sum and the sum of their squares: all that a mean and its interval need. Whole numbers,
/// so that the order of additions and merges cannot show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u128,
}

/// A mean with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanInterval {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; infinite for a single value.
    pub half_width: f64,
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: u64) {
        self.count += 1;
        self.sum += value;
        self.squares += u128::from(value) * u128::from(value);
    }

    /// Adds all values of another.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean of `value / divisor` over all values with its 95% t interval; `None` without values.
    pub fn interval(&self, divisor: f64) -> Option<MeanInterval> {
        if self.count == 0 {
            return None;
        }
        let n = self.count as f64;
        let mean = self.sum as f64 / n / divisor;
        let half_width = match self.count {
            1 => f64::INFINITY,
            count => {
                // n Σx² − (Σx)² is a whole number: no digits are lost in the difference.
                let spread = u128::from(count) * self.squares - u128::from(self.sum) * u128::from(self.sum);
                let variance = spread as f64 / (n * (n - 1.0));
                if spread == 0 { 0.0 } else { t_quantile(count) * (variance / n).sqrt() / divisor }
            }
        };
        Some(MeanInterval { mean, half_width })
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

/// The 97.5% quantile of Student's t for the mean of so many values; infinite for one.
pub(super) fn t_quantile(values: u64) -> f64 {
    StudentsT::new(0.0, 1.0, values as f64 - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Moments {
        let mut moments = Moments::default();
        values.iter().for_each(|&v| moments.add(v));
        moments
    }

    #[test]
    fn known_values() {
        // s² = 26.8 / 4 and t(0.975; 4) = 2.776445, so 2.776445 · √(6.7 / 5)
        let interval = of(&[2, 4, 4, 5, 9]).interval(1.0).unwrap();
        assert!((interval.mean - 4.8).abs() < 1e-12);
        assert!((interval.half_width - 3.213_960).abs() < 1e-5, "{interval:?}");
        let half = of(&[4, 8, 8, 10, 18]).interval(2.0).unwrap();
        assert!((half.half_width - interval.half_width).abs() < 1e-12);
        assert_eq!(of(&[3, 3, 3]).interval(1.0), Some(MeanInterval { mean: 3.0, half_width: 0.0 }));
        assert_eq!(of(&[3]).interval(1.0).unwrap().half_width, f64::INFINITY);
        assert_eq!(of(&[]).interval(1.0), None);
    }

    #[test]
    fn merging_is_adding() {
        let mut a = of(&[1, 2]);
        a.merge(&of(&[7]));
        assert_eq!(a, of(&[1, 2, 7]));
    }
}
