//! How well counts fit a distribution.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The p-value of these counts by Pearson's chi-square test if all classes, two at least, are equally likely.
pub fn uniform<'a>(counts: impl IntoIterator<Item = &'a u64>) -> f64 {
    let counts: Vec<f64> = counts.into_iter().map(|&count| count as f64).collect();
    let expected = counts.iter().sum::<f64>() / counts.len() as f64;
    let statistic: f64 = counts.iter().map(|count| (count - expected).powi(2) / expected).sum();
    1.0 - ChiSquared::new((counts.len() - 1) as f64).expect("two classes").cdf(statistic)
}
