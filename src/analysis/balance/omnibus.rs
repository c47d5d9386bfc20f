//! Are all powers equal? One test by block.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rayon::prelude::*;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use upheaval_map::rng::{Purpose, Stream};

/// How often the powers are permuted.
const PERMUTATIONS: u64 = 4999;
/// Where there are more blocks than this, consecutive blocks are added up: if powers are exchangeable within blocks,
/// they are exchangeable within sums of blocks, and the time does not grow.
const GROUPS: usize = 256;
/// The values of a power must vary at least as much as this number of events spread over many blocks before the F
/// distribution is trusted: with fewer events, as with rare solos, the covariance follows the mean, and F is too large
/// far too often.
const EVENTS: f64 = 100.0;

/// How a test was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Hotelling's T² of the block means, by its F distribution.
    Hotelling,
    /// Powers are exchanged within blocks at random.
    Permutation,
    /// There is nothing to test: the powers are equal in every block.
    AllEqual,
}

/// A test of "all powers are equal".
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Omnibus {
    /// The method of the test.
    pub method: Method,
    /// T² for Hotelling's test, the sum of squares between the powers for a permutation test.
    pub statistic: f64,
    /// The F value of T², with its degrees of freedom.
    pub f: Option<FValue>,
    /// The probability of at least this difference if the powers were equal.
    pub p: f64,
}

/// An F with its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FValue {
    /// The value.
    pub value: f64,
    /// Degrees of freedom of the numerator.
    pub numerator: usize,
    /// Degrees of freedom of the denominator.
    pub denominator: usize,
}

/// Tests the values of blocks; `None` for fewer than two.
pub(crate) fn test(blocks: &[Vec<f64>], seed: u64, key: u64) -> Option<Omnibus> {
    if blocks.len() < 2 {
        return None;
    }
    if blocks.iter().all(|block| block.iter().all(|value| *value == block[0])) {
        return Some(Omnibus { method: Method::AllEqual, statistic: 0.0, f: None, p: 1.0 });
    }
    let enough = (0..blocks[0].len()).all(|power| events(blocks, power) >= EVENTS);
    let by_f = if enough { hotelling(blocks) } else { None };
    Some(by_f.unwrap_or_else(|| permutation(blocks, seed, key)))
}

/// The number of events that would vary as much as the values of the blocks: (Σ d²)² / Σ d⁴ of the distances from the
/// mean. For rare events it is their number, for normal values a third of the number of blocks.
fn events(blocks: &[Vec<f64>], power: usize) -> f64 {
    let of = || blocks.iter().map(|block| block[power]);
    let mean = of().sum::<f64>() / blocks.len() as f64;
    let (squares, fourths) = of().fold((0.0, 0.0), |(squares, fourths), value| {
        let square = (value - mean).powi(2);
        (squares + square, fourths + square * square)
    });
    if fourths > 0.0 { squares * squares / fourths } else { 0.0 }
}

/// One contrast fewer than there are values, orthogonal and of length 1 (Helmert's).
fn contrasts(values: usize) -> DMatrix<f64> {
    DMatrix::from_fn(values - 1, values, |row, column| {
        let (n, length) = ((row + 1) as f64, ((row + 1) as f64 * (row + 2) as f64).sqrt());
        match column {
            column if column <= row => 1.0 / length,
            column if column == row + 1 => -n / length,
            _ => 0.0,
        }
    })
}

/// Hotelling's T² of the contrasts; `None` where there is a contrast in which the blocks do not differ at all.
fn hotelling(blocks: &[Vec<f64>]) -> Option<Omnibus> {
    let (n, degrees) = (blocks.len() as f64, blocks[0].len() - 1);
    let contrasts = contrasts(blocks[0].len());
    let turned = || blocks.iter().map(|block| &contrasts * DVector::from_column_slice(block));
    let mean = turned().fold(DVector::zeros(degrees), |sum, value| sum + value) / n;
    let covariance = turned().fold(DMatrix::zeros(degrees, degrees), |sum, value| {
        let beyond = value - &mean;
        sum + &beyond * beyond.transpose()
    }) / (n - 1.0);
    let scale = blocks.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let eigen = SymmetricEigen::new(covariance);
    // The residue of rounding where there is no difference.
    let nothing = 1e-12 * scale * scale;
    if eigen.eigenvalues.iter().any(|&value| value <= nothing) {
        return None;
    }
    let along = |i: usize| eigen.eigenvectors.column(i).dot(&mean);
    let statistic = n * (0..degrees).map(|i| along(i).powi(2) / eigen.eigenvalues[i]).sum::<f64>();
    let (numerator, denominator) = (degrees, blocks.len().checked_sub(degrees)?);
    let value = statistic * denominator as f64 / (numerator as f64 * (n - 1.0));
    let distribution = FisherSnedecor::new(numerator as f64, denominator as f64).ok()?;
    let f = Some(FValue { value, numerator, denominator });
    Some(Omnibus { method: Method::Hotelling, statistic, f, p: distribution.sf(value) })
}

/// The sum of squares between the powers, compared with the sums that arise when powers are exchanged within each
/// block, or group of blocks. The test is exact where equal powers are also exchangeable; it needs no distribution and
/// no covariance.
fn permutation(blocks: &[Vec<f64>], seed: u64, key: u64) -> Omnibus {
    let n = blocks.len() as f64;
    let powers = blocks[0].len();
    let between = |sums: &[f64]| {
        let mean = sums.iter().sum::<f64>() / powers as f64;
        sums.iter().map(|sum| ((sum - mean) / n).powi(2)).sum::<f64>()
    };
    let add = |sums: &mut [f64], values: &[f64]| {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    };
    let sum = |of: &[Vec<f64>]| {
        let mut sums = vec![0.0; powers];
        of.iter().for_each(|values| add(&mut sums, values));
        sums
    };
    let together = blocks.len().div_ceil(GROUPS).max(1);
    let groups: Vec<Vec<f64>> = blocks.chunks(together).map(sum).collect();
    let statistic = between(&sum(&groups));
    // Sums in another order may differ in the last digit.
    let enough = statistic * (1.0 - 1e-9);
    let as_far = (0..PERMUTATIONS)
        .into_par_iter()
        .filter(|&number| {
            let mut dice = Stream::keyed(seed, Purpose::Permutation, &[key, number]);
            let (mut sums, mut dealt) = (vec![0.0; powers], vec![0.0; powers]);
            for group in &groups {
                dealt.copy_from_slice(group);
                dice.shuffle(&mut dealt);
                add(&mut sums, &dealt);
            }
            between(&sums) >= enough
        })
        .count();
    let p = (as_far + 1) as f64 / (PERMUTATIONS + 1) as f64;
    Omnibus { method: Method::Permutation, statistic, f: None, p }
}

#[cfg(test)]
mod tests;
