//! Are all seven powers equal? One test by block.

use nalgebra::{SMatrix, SVector, SymmetricEigen};
use rayon::prelude::*;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::ids::Power;
use crate::rng::{Purpose, Stream};

/// With fewer blocks than this the powers are permuted in place of trusting the F distribution.
pub const FEW: usize = 100;
/// How often they are permuted.
const PERMUTATIONS: u64 = 4999;
/// Seven values less one mean.
const DEGREES: usize = Power::COUNT - 1;

/// How a test was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Hotelling's T² of the block means, by its F distribution.
    Hotelling,
    /// The powers change places within blocks at random.
    Permutation,
    /// Nothing to be tested by: the powers are equal in every block.
    AllEqual,
    /// The same difference in every block.
    Certain,
}

/// A test of "all seven powers are equal".
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Omnibus {
    /// How it was made.
    pub method: Method,
    /// T² for Hotelling's test, the sum of squares between the powers for a permutation test.
    pub statistic: f64,
    /// The F that T² comes to, with its degrees of freedom.
    pub f: Option<FValue>,
    /// How likely so much difference would be were they equal.
    pub p: f64,
}

/// An F with its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FValue {
    /// The value.
    pub value: f64,
    /// Degrees of freedom of the numerator: how many ways there are in which powers differ at all.
    pub numerator: usize,
    /// Degrees of freedom of the denominator.
    pub denominator: usize,
}

/// Tests the values of blocks; `None` for fewer than two.
pub fn test(blocks: &[[f64; Power::COUNT]], seed: u64, key: u64) -> Option<Omnibus> {
    match blocks.len() {
        0 | 1 => None,
        few if few < FEW => Some(permutation(blocks, seed, key)),
        _ => Some(hotelling(blocks)),
    }
}

/// Six contrasts of seven values, at right angles and of length 1 (Helmert's).
fn contrasts() -> SMatrix<f64, DEGREES, { Power::COUNT }> {
    SMatrix::from_fn(|row, column| {
        let (n, length) = ((row + 1) as f64, ((row + 1) as f64 * (row + 2) as f64).sqrt());
        match column {
            column if column <= row => 1.0 / length,
            column if column == row + 1 => -n / length,
            _ => 0.0,
        }
    })
}

/// Hotelling's T² of the contrasts. Directions in which the blocks do not differ at all, as between two powers that never
/// win, are left out: there the powers are equal for sure, or unequal for sure.
fn hotelling(blocks: &[[f64; Power::COUNT]]) -> Omnibus {
    let n = blocks.len() as f64;
    let contrasts = contrasts();
    let turned = || blocks.iter().map(|block| contrasts * SVector::from_column_slice(block));
    let mean = turned().sum::<SVector<f64, DEGREES>>() / n;
    let covariance = turned().map(|value| (value - mean) * (value - mean).transpose()).sum::<SMatrix<
        f64,
        DEGREES,
        DEGREES,
    >>() / (n - 1.0);
    let scale = blocks.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let eigen = SymmetricEigen::new(covariance);
    // What is left by rounding where there is no difference.
    let nothing = 1e-12 * scale * scale;
    let along = |i: usize| eigen.eigenvectors.column(i).dot(&mean);
    let (varying, fixed): (Vec<usize>, Vec<usize>) =
        (0..DEGREES).partition(|&i| eigen.eigenvalues[i] > nothing);
    let statistic: f64 = n * varying.iter().map(|&i| along(i).powi(2) / eigen.eigenvalues[i]).sum::<f64>();
    if fixed.iter().any(|&i| along(i).abs() > 1e-9 * scale) {
        return Omnibus { method: Method::Certain, statistic, f: None, p: 0.0 };
    }
    let (numerator, denominator) = (varying.len(), blocks.len() - varying.len());
    let value = statistic * denominator as f64 / (numerator as f64 * (n - 1.0));
    match FisherSnedecor::new(numerator as f64, denominator as f64) {
        Ok(distribution) => Omnibus {
            method: Method::Hotelling,
            statistic,
            f: Some(FValue { value, numerator, denominator }),
            p: distribution.sf(value),
        },
        Err(_) => Omnibus { method: Method::AllEqual, statistic: 0.0, f: None, p: 1.0 },
    }
}

/// The sum of squares between the powers among those that come about when the powers change places within each block.
/// Exact where equal powers are also exchangeable; it needs no distribution and no covariance.
fn permutation(blocks: &[[f64; Power::COUNT]], seed: u64, key: u64) -> Omnibus {
    let n = blocks.len() as f64;
    let between = |sums: [f64; Power::COUNT]| {
        let mean = sums.iter().sum::<f64>() / Power::COUNT as f64;
        sums.iter().map(|sum| ((sum - mean) / n).powi(2)).sum::<f64>()
    };
    let add = |mut sums: [f64; Power::COUNT], block: &[f64; Power::COUNT]| {
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
        sums
    };
    let statistic = between(blocks.iter().fold([0.0; Power::COUNT], add));
    if blocks.iter().all(|block| block.iter().all(|value| *value == block[0])) {
        return Omnibus { method: Method::AllEqual, statistic: 0.0, f: None, p: 1.0 };
    }
    // Sums in another order may differ in the last digit.
    let enough = statistic * (1.0 - 1e-9);
    let as_far = (0..PERMUTATIONS)
        .into_par_iter()
        .filter(|&number| {
            let mut dice = Stream::keyed(seed, Purpose::Permutation, &[key, number]);
            let sums = blocks.iter().fold([0.0; Power::COUNT], |sums, block| {
                let mut block = *block;
                dice.shuffle(&mut block);
                add(sums, &block)
            });
            between(sums) >= enough
        })
        .count();
    let p = (as_far + 1) as f64 / (PERMUTATIONS + 1) as f64;
    Omnibus { method: Method::Permutation, statistic, f: None, p }
}

#[cfg(test)]
mod tests;
