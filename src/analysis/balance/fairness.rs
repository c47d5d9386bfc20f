//! Is a cell fair, and which powers does it favour?

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rayon::prelude::*;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::balance::sample::{Sample, groups, holm, middle, replicates};
use crate::balance::tally::{BlockSums, FairnessMeasure};
use crate::estimate::{Moments, normal_upper, t_upper};
use crate::{Estimate, Interval};
use upheaval_map::ids::{ByPower, Power, PowerNames, Powers};
use upheaval_map::rng::{Purpose, Stream};

/// A p-value below this shows a difference.
pub const LEVEL: f64 = 0.05;
/// The tolerance for squares of shares.
const ROUNDING: f64 = 1e-18;

/// How fair a cell is in one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fairness {
    /// The measure.
    pub measure: FairnessMeasure,
    /// The share of each power in the total; `None` where no power has any.
    pub shares: Option<BTreeMap<String, f64>>,
    /// How far the shares lie from equal ones.
    pub distance: Option<Distance>,
    /// Are all powers equal? `None` where there is no test.
    pub omnibus: Option<Omnibus>,
    /// Why the measure is not tested, if it is not.
    pub untested: Option<Untested>,
    /// Each power compared with the mean of all powers in its block; `None` without blocks.
    pub powers: BTreeMap<String, Option<PowerDifference>>,
    /// All pairs.
    pub pairs: Vec<PairDifference>,
}

/// Why a measure is not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Untested {
    /// No power has any of it in any game: no power has more than another, and no difference could have been seen.
    NobodyHasAny,
    /// There are fewer than two blocks.
    TooFewBlocks,
}

/// How far the shares of the powers lie from equal ones: a seventh each, where there are seven.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// The root of the mean squared distance of a share from 1/n, as observed.
    pub found: f64,
    /// The part of it that would be observed if all powers were equal: the root of the mean variance of the shares.
    /// `None` for one block, and where no block differs from another.
    pub by_chance: Option<f64>,
    /// The distance corrected for chance, √(found² − by_chance²), with its bootstrap interval over blocks.
    pub corrected: Option<Estimate>,
    /// The share of the total that would have to change hands to make all powers equal, as observed.
    pub to_move: f64,
}

impl Distance {
    /// The squared distance minus what chance adds to it: an unbiased estimate, which may be negative.
    pub(crate) fn square(self) -> Option<f64> {
        self.by_chance.map(|by_chance| self.found.powi(2) - by_chance.powi(2))
    }
}

/// A power compared with the mean of all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerDifference {
    /// The mean of the power minus the n-th part of what all n powers have per game, by block.
    pub difference: Estimate,
    /// By a t test over blocks; `None` where there is no test.
    pub p: Option<f64>,
    /// After Holm's correction for all powers; at least as great as the p-value of the test of all powers.
    pub p_holm: Option<f64>,
}

/// Two powers beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairDifference {
    /// One power.
    pub power: String,
    /// The other power.
    pub other: String,
    /// The mean of the first minus that of the second per game, by block.
    pub difference: Estimate,
    /// By a t test over blocks; `None` where there is no test.
    pub p: Option<f64>,
    /// After Holm's correction for all pairs; at least as great as the p-value of the test of all powers.
    pub p_holm: Option<f64>,
}

impl Fairness {
    /// Are the powers shown to be unequal? `None` where nothing can be tested. No power and no pair is shown to differ
    /// unless they are.
    pub(crate) fn unequal(&self) -> Option<bool> {
        self.omnibus.map(|test| test.p < LEVEL)
    }

    /// The powers that are shown to have more than an equal share, or less, in their order.
    pub fn apart(&self, above: bool) -> impl Iterator<Item = &String> {
        let is = move |of: &PowerDifference| {
            of.p_holm.is_some_and(|p| p < LEVEL) && (of.difference.estimate > 0.0) == above
        };
        self.powers.iter().filter(move |(_, of)| of.as_ref().is_some_and(is)).map(|(power, _)| power)
    }
}

/// What the replicates of a cell say of its distances, by measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Replicates(Vec<[Replicate; FairnessMeasure::ALL.len()]>);

/// One measure in one replicate; NaN where there is no distance.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Replicate {
    /// The squared distance, corrected: negative where chance would add more than was observed.
    square: f64,
    /// The true distance with which this replicate's chance would have given the distance that was found.
    truth: f64,
}

impl Replicates {
    /// The true distances of a measure that explain the one that was found, each with the chance of a replicate.
    pub(crate) fn of(&self, measure: FairnessMeasure) -> impl Iterator<Item = f64> {
        self.0.iter().map(move |replicate| replicate[measure as usize].truth)
    }

    /// The squared distances, which are not cut off at 0.
    pub(crate) fn squares(&self, measure: FairnessMeasure) -> impl Iterator<Item = f64> {
        self.0.iter().map(move |replicate| replicate[measure as usize].square)
    }
}

/// How fair the games of these blocks are to these powers in each measure, with the replicates of the distances.
pub(crate) fn fairness(names: &PowerNames, blocks: &[BlockSums], seed: u64) -> (Vec<Fairness>, Replicates) {
    let (spreads, replicates) = distances(blocks, seed);
    let of = |measure: FairnessMeasure| {
        let spread = spreads[measure as usize].as_ref();
        let values: Vec<Vec<f64>> = blocks.iter().map(|block| block.means(measure)).collect();
        let untested = untested(&values);
        let omnibus = test(&values, seed, measure as u64).filter(|_| untested.is_none());
        Fairness {
            measure,
            shares: spread
                .map(|spread| names.by_name(names.powers().iter().zip(spread.shares.iter().copied()))),
            distance: spread.map(|spread| spread.distance(replicates.of(measure).collect())),
            omnibus,
            untested,
            powers: names.by_name(differences(names.powers(), &values, omnibus).into_iter()),
            pairs: pairs(names, &values, omnibus),
        }
    };
    (FairnessMeasure::ALL.into_iter().map(of).collect(), replicates)
}

/// The p-values of samples, each with its value after Holm's correction; none if there is no test of all powers, and no
/// correction if some sample has none. No corrected value is below that of the test of all powers: that test and those
/// of single powers answer one question, and no power differs if the powers are not shown to be unequal.
fn tested(samples: &[Sample], omnibus: Option<Omnibus>) -> Vec<(Option<f64>, Option<f64>)> {
    let Some(omnibus) = omnibus else { return vec![(None, None); samples.len()] };
    let values: Vec<Option<f64>> = samples.iter().map(|sample| sample.p()).collect();
    let corrected = values.iter().copied().collect::<Option<Vec<f64>>>().map(|values| holm(&values));
    let corrected = |at: usize| Some(corrected.as_ref()?[at].max(omnibus.p));
    values.iter().enumerate().map(|(at, &p)| (p, corrected(at))).collect()
}

/// Why values of blocks cannot be tested, if they cannot.
fn untested(blocks: &[Vec<f64>]) -> Option<Untested> {
    let nothing = blocks.iter().flatten().all(|value| *value == 0.0);
    match blocks.len() {
        0 => Some(Untested::TooFewBlocks),
        _ if nothing => Some(Untested::NobodyHasAny),
        1 => Some(Untested::TooFewBlocks),
        _ => None,
    }
}

/// The spread of each measure, and the replicates of the distances.
fn distances(blocks: &[BlockSums], seed: u64) -> ([Option<Spread>; FairnessMeasure::ALL.len()], Replicates) {
    let spreads: [Option<Spread>; FairnessMeasure::ALL.len()] =
        FairnessMeasure::ALL.map(|measure| Spread::of(blocks, measure));
    let replicates = if blocks.len() < 2 {
        Replicates::default()
    } else {
        let of = |sums: &crate::balance::sample::Sums| {
            FairnessMeasure::ALL.map(|measure| {
                let spread = spreads[measure as usize].as_ref();
                let none = Replicate { square: f64::NAN, truth: f64::NAN };
                spread.map_or(none, |spread| spread.again(sums.of(measure), blocks.len()))
            })
        };
        Replicates(self::replicates(blocks, seed, of))
    };
    (spreads, replicates)
}

/// The shares of a measure and how certain they are.
#[derive(Clone, Debug, PartialEq)]
struct Spread {
    shares: Vec<f64>,
    /// The mean squared distance of a share from an equal one.
    squared: f64,
    /// The mean variance of the shares; `None` for one block, and where no block differs from another.
    chance: Option<f64>,
    /// How much wider Student's distribution is than the normal one.
    widened: f64,
    /// How the distance varies if it is far from 0: in the direction of the observed shares.
    along: Option<crate::estimate::Spread>,
    blocks: usize,
}

impl Spread {
    fn of(blocks: &[BlockSums], measure: FairnessMeasure) -> Option<Spread> {
        let mut all = blocks.first()?.totals(measure);
        for block in &blocks[1..] {
            all.iter_mut().zip(block.totals(measure)).for_each(|(all, sum)| *all += sum);
        }
        let shares = shares(&all)?;
        let total: f64 = all.iter().sum();
        let even = 1.0 / shares.len() as f64;
        let squared = squared(shares.iter().map(|share| share - even));
        let mut squares = 0.0;
        let mut along = Vec::with_capacity(blocks.len());
        for block in blocks {
            let of = block.totals(measure);
            let whole: f64 = of.iter().sum();
            let apart =
                of.iter().zip(&shares).map(|(sum, share)| ((sum - share * whole) / total, share - even));
            squares += apart.clone().map(|(apart, _)| apart * apart).sum::<f64>();
            along.push(apart.map(|(apart, share)| apart * share).sum::<f64>());
        }
        let along = match squared > 0.0 {
            true => {
                Moments::of(along.into_iter()).times(1.0 / (shares.len() as f64 * squared.sqrt())).spread()
            }
            false => None,
        };
        let count = blocks.len() as f64;
        // Where no block differs from another (one power has everything, or all games are drawn by all), the data do
        // not say how much the blocks could have differed.
        let chance = (count > 1.0 && squares > ROUNDING)
            .then(|| count / (count - 1.0) * squares / shares.len() as f64);
        let widened = if blocks.len() > 1 { t_upper(blocks.len() as u64) / normal_upper() } else { 1.0 };
        Some(Spread { shares, squared, chance, widened, along, blocks: blocks.len() })
    }

    /// The share of each power if all powers were equal.
    fn even(&self) -> f64 {
        1.0 / self.shares.len() as f64
    }

    /// The squared distance minus what chance adds to it.
    fn corrected(&self) -> Option<f64> {
        Some((self.squared - self.chance?).max(0.0))
    }

    /// A replicate of the distance.
    ///
    /// *square*: The observed distance exceeds the true one by about what chance adds, so the replicates are centred on
    /// a point that is moved back by this amount: otherwise they would include chance twice.
    ///
    /// *truth*: The replicate's shares differ from the observed ones by its chance. The truth is taken to lie in the
    /// direction in which the observed shares differ from even ones, at the distance from which this chance leads to
    /// the distance that was found: θ² + 2 θ (direction · chance) + chance² = found², 0 where no distance does. The
    /// middle of these distances inverts the test of each distance. Of few blocks the variances are estimates, so that
    /// the chance in this direction is larger by as much as Student's distribution is wider than the normal one.
    fn again(&self, sums: &[f64], blocks: usize) -> Replicate {
        let (Some(corrected), Some(chance), Some(again)) = (self.corrected(), self.chance, shares(sums))
        else {
            return Replicate { square: f64::NAN, truth: f64::NAN };
        };
        let groups = groups(blocks);
        let stretch = (groups as f64 / (groups as f64 - 1.0)).sqrt();
        let found = self.squared.sqrt();
        let back = if found > 0.0 { corrected.sqrt() / found } else { 0.0 };
        let even = self.even();
        let pairs =
            || again.iter().zip(&self.shares).map(|(again, share)| (stretch * (again - share), share - even));
        let square = squared(pairs().map(|(moved, apart)| moved + back * apart)) - chance;
        let count = again.len() as f64;
        let along = if found > 0.0 {
            pairs().map(|(moved, apart)| moved * apart / found).sum::<f64>() / count
        } else {
            0.0
        };
        let widened = self.widened * along;
        let root = widened * widened - squared(pairs().map(|(moved, _)| moved)) + self.squared;
        Replicate { square, truth: if root > 0.0 { (root.sqrt() - widened).max(0.0) } else { 0.0 } }
    }

    /// The distance with its interval. The inverted test is right where the distance is about what chance adds; far
    /// from 0 the distance is nearly a sum of contributions, and few or skewed blocks need the interval of such a sum.
    /// The result reaches to the farther bounds of both, as far as a distance can be.
    fn interval(&self, distance: f64, inverted: Option<Interval>) -> Estimate {
        let linear = self.along.and_then(|along| along.around(distance).interval);
        let farther = |inverted: Interval| match linear {
            Some(Interval { low, high }) => {
                Interval { low: inverted.low.min(low), high: inverted.high.max(high) }
            }
            None => inverted,
        };
        let around = |bounds: Interval| widened(distance, farther(bounds), self.blocks);
        let interval = inverted.map(around);
        Estimate { estimate: distance, interval }.within(0.0, most_distance(self.shares.len()))
    }

    fn distance(&self, replicates: Vec<f64>) -> Distance {
        let interval = middle(replicates.into_iter().filter(|distance| !distance.is_nan()).collect());
        Distance {
            found: self.squared.sqrt(),
            by_chance: self.chance.map(f64::sqrt),
            corrected: self.corrected().map(|corrected| self.interval(corrected.sqrt(), interval)),
            to_move: self.shares.iter().map(|share| (share - self.even()).abs()).sum::<f64>() / 2.0,
        }
    }
}

/// The greatest distance of the shares of this many powers from equal ones: one power has everything.
pub fn most_distance(powers: usize) -> f64 {
    (powers.max(1) as f64 - 1.0).sqrt() / powers.max(1) as f64
}

/// An interval of a distance, wider by 3/B for B blocks: the simulations of docs/coverage.md find intervals of
/// distances too narrow by about that much.
fn widened(estimate: f64, bounds: Interval, blocks: usize) -> Interval {
    let factor = 1.0 + 3.0 / blocks.max(1) as f64;
    Interval {
        low: estimate - factor * (estimate - bounds.low),
        high: estimate + factor * (bounds.high - estimate),
    }
}

fn shares(sums: &[f64]) -> Option<Vec<f64>> {
    let total: f64 = sums.iter().sum();
    (total > 0.0).then(|| sums.iter().map(|sum| sum / total).collect())
}

/// The mean square.
fn squared(distances: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = distances.len() as f64;
    distances.map(|distance| distance * distance).sum::<f64>() / count
}

/// Each power minus its equal part of its block's total. The mean is that of the same block, so the uncertainty of both
/// is taken into account, and a block with a larger total says nothing about how the total is shared.
fn differences(
    powers: Powers,
    blocks: &[Vec<f64>],
    omnibus: Option<Omnibus>,
) -> ByPower<Option<PowerDifference>> {
    let even = 1.0 / powers.len() as f64;
    let sample = |power: Power| {
        // Rounded: the residue of terms that should cancel would otherwise look like a difference that is certain in
        // every block.
        let beyond = |block: &Vec<f64>| {
            let beyond = block[power.index()] - even * block.iter().sum::<f64>();
            (beyond * 1e12).round() / 1e12
        };
        Sample::of(blocks.iter().map(beyond))
    };
    // Without blocks there are no samples.
    let samples: Vec<Sample> = powers.iter().filter_map(sample).collect();
    let tested = tested(&samples, omnibus);
    ByPower::from_fn(powers, |power| {
        let (sample, &(p, p_holm)) = samples.get(power.index()).zip(tested.get(power.index()))?;
        Some(PowerDifference { difference: sample.estimate(), p, p_holm })
    })
}

/// All pairs of powers, block by block.
fn pairs(names: &PowerNames, blocks: &[Vec<f64>], omnibus: Option<Omnibus>) -> Vec<PairDifference> {
    let powers = names.powers();
    let all = powers.iter().flat_map(|a| powers.iter().filter(move |b| a < *b).map(move |b| [a, b]));
    let sample = |[a, b]: [Power; 2]| {
        let sample = Sample::of(blocks.iter().map(|block| block[a.index()] - block[b.index()]))?;
        Some(([a, b], sample))
    };
    let (pairs, samples): (Vec<[Power; 2]>, Vec<Sample>) = all.filter_map(sample).unzip();
    let tested = tested(&samples, omnibus);
    let pair = |((pair, sample), (p, p_holm)): (([Power; 2], Sample), _)| {
        let [power, other] = pair.map(|power| names.name(power).to_owned());
        PairDifference { power, other, difference: sample.estimate(), p, p_holm }
    };
    pairs.into_iter().zip(samples).zip(tested).map(pair).collect()
}

// Are all powers equal? One test by block.

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
mod omnibus_tests;

#[cfg(test)]
pub(crate) mod tests;
