//! How often each whole number was seen.

use serde::Serialize;

/// How often each whole number was seen, from 0 upwards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Histogram {
    counts: Vec<u64>,
}

/// Numbers below which lie 5, 25, 50, 75 and 95 in a hundred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Quantiles {
    pub p5: u64,
    pub p25: u64,
    pub p50: u64,
    pub p75: u64,
    pub p95: u64,
}

impl Histogram {
    /// Adds a number that was seen once.
    pub fn add(&mut self, value: usize) {
        if self.counts.len() <= value {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += 1;
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Histogram) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(a, b)| *a += b);
    }

    /// How often each number was seen, from 0.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The least number at or below which at least this share of all lies; `None` where nothing was seen.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let all: u64 = self.counts.iter().sum();
        let enough = (share * all as f64).ceil().max(1.0) as u64;
        let mut below = 0;
        let found = self.counts.iter().position(|count| {
            below += count;
            below >= enough
        });
        found.map(|value| value as u64)
    }

    /// Five quantiles; `None` where nothing was seen.
    pub fn quantiles(&self) -> Option<Quantiles> {
        let of = |share| self.quantile(share);
        Some(Quantiles { p5: of(0.05)?, p25: of(0.25)?, p50: of(0.5)?, p75: of(0.75)?, p95: of(0.95)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_numbers_that_were_seen() {
        // numpy.quantile([0, 0, 1, 3, 3, 3, 4, 9, 9, 10], q, method="inverted_cdf")
        let mut seen = Histogram::default();
        [3, 0, 9, 1, 3, 0, 3, 4, 10, 9].into_iter().for_each(|value| seen.add(value));
        let q = seen.quantiles().unwrap();
        assert_eq!((q.p5, q.p25, q.p50, q.p75, q.p95), (0, 1, 3, 9, 10));
        assert_eq!(Histogram::default().quantiles(), None);
        let mut both = Histogram::default();
        both.add(2);
        both.merge(&seen);
        assert_eq!(both.counts(), [2, 1, 1, 3, 1, 0, 0, 0, 0, 2, 1]);
    }
}
