//! Holm's correction for several tests at once.

/// Holm's adjusted p-values, in the order given: each hypothesis whose value is below 0.05 may be rejected, and the
/// probability that any true hypothesis is rejected stays below 5%, however the tests depend on each other.
///
/// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
pub(crate) fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut adjusted = vec![1.0; values.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((values.len() - rank) as f64 * values[at]).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // statsmodels.stats.multitest.multipletests([0.01, 0.04, 0.03, 0.005, 0.6], method="holm")
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.6]);
        for (found, known) in adjusted.iter().zip([0.04, 0.09, 0.09, 0.025, 0.6]) {
            assert!((found - known).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
