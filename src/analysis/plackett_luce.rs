//! Ratings: the Plackett–Luce model of finishing orders, fitted by minorisation and maximisation.
//!
//! The model (R. D. Luce 1959, R. L. Plackett 1975): each bot has a strength γ; the first to finish is chosen among the
//! seats with probabilities in proportion to their strengths, then the second among the rest, and so on. A bot may have
//! several seats. Seats that are tied are each chosen from all that had not finished before them (Breslow's way). Only
//! the choices and their alternatives matter, so games are kept as counts of these (`RankingCounts`); a choice among
//! seats of one bot says nothing and is left out.
//!
//! The fit is D. R. Hunter's ("MM algorithms for generalized Bradley–Terry models", Annals of Statistics 32, 2004),
//! with a weak gamma prior (F. Caron, A. Doucet, "Efficient Bayesian inference for generalized Bradley–Terry models",
//! 2012), as the Python package choix has them: a bot that never loses gets a large strength rather than an infinite
//! one.

use std::cmp::Ordering;

use indexmap::IndexMap;
use rayon::prelude::*;

use crate::estimate::{Estimate, Moments};

/// The weight of the prior, in choices: small beside any meaningful number of games.
pub(crate) const PRIOR: f64 = 0.1;

/// Blocks are put into at most this many groups of consecutive blocks, of which one after the other is left out: groups
/// of independent blocks are independent too, and the time does not grow.
const GROUPS: usize = 200;

/// The scale of Elo: the difference in rating for a strength ten times as large.
const TENFOLD: f64 = 400.0;

/// The natural logarithm of a strength on the scale of Elo.
pub(crate) fn elo(log: f64) -> f64 {
    log * TENFOLD / std::f64::consts::LN_10
}

/// The change in the logarithms of strengths below which a fit has converged.
const TOLERANCE: f64 = 1e-8;
/// After this many rounds a fit is given up.
const MOST_ROUNDS: usize = 200_000;

/// A set of seats from which one was chosen: how many of each bot.
type SeatSet = Box<[u8]>;

/// The sets of seats that choices were made from, so that games can be counted by set.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    bots: usize,
    sets: IndexMap<SeatSet, (), foldhash::fast::FixedState>,
}

/// Counted choices: whole numbers, so neither the order of games nor that of additions can affect them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankingCounts {
    /// How often each bot was chosen.
    chosen: Vec<u64>,
    /// How often a choice was made from each set, by the set's index; in order.
    from: Vec<(usize, u64)>,
}

/// Strengths, and how certain they are.
#[derive(Clone, Debug)]
pub(super) struct Strengths {
    /// Their natural logarithms, with mean 0.
    pub logs: Vec<f64>,
    /// By group of blocks, what it contributes to each logarithm.
    contributions: Vec<Vec<f64>>,
}

/// The group of a block of this many.
fn group_of(block: usize, of: usize) -> usize {
    block * of.min(GROUPS) / of
}

impl Strengths {
    /// What each group of blocks contributes to the mean of these values of blocks.
    pub(crate) fn groups(values: &[f64], mean: f64) -> Vec<f64> {
        let mut groups = vec![0.0; values.len().min(GROUPS)];
        let count = values.len();
        for (block, value) in values.iter().enumerate() {
            groups[group_of(block, count)] += (value - mean) / count as f64;
        }
        groups
    }

    /// What each group of blocks contributes to a sum of logarithms with these weights, in Elo.
    pub(crate) fn contributions<'a>(
        &'a self,
        weights: &'a [f64],
    ) -> impl ExactSizeIterator<Item = f64> + Clone + 'a {
        self.contributions.iter().map(|group| elo(weighted(group, weights)))
    }

    /// A sum of logarithms with these weights, in Elo.
    pub(crate) fn elo(&self, weights: &[f64]) -> f64 {
        elo(weighted(&self.logs, weights))
    }

    /// The likelihood that it is above 0. Where no block differs from another in it, a coin for each of this many
    /// blocks would have to fall on the same side.
    pub(crate) fn above(&self, weights: &[f64], blocks: usize) -> f64 {
        let elo = self.elo(weights);
        match (Moments::of(self.contributions(weights)).spread(), elo.partial_cmp(&0.0)) {
            (Some(spread), _) => spread.above(elo),
            (None, Some(Ordering::Greater)) => 1.0 - 0.5_f64.powf(blocks as f64),
            (None, Some(Ordering::Less)) => 0.5_f64.powf(blocks as f64),
            (None, _) => 0.5,
        }
    }

    /// It with its interval.
    pub(crate) fn estimate(&self, weights: &[f64]) -> Estimate {
        Moments::of(self.contributions(weights)).around(self.elo(weights))
    }
}

fn weighted(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

impl Sets {
    /// No sets yet, for this many bots.
    pub(crate) fn new(bots: usize) -> Sets {
        Sets { bots, sets: IndexMap::with_hasher(foldhash::fast::FixedState::default()) }
    }

    /// The choices of games, each given as the bots in its seats with their places ([`crate::scoring::places`]).
    pub(crate) fn count<S: IntoIterator<Item = (usize, u8)>>(
        &mut self,
        games: impl IntoIterator<Item = S>,
    ) -> RankingCounts {
        let mut chosen = vec![0; self.bots];
        let mut from: Vec<u64> = Vec::new();
        let mut seats: Vec<(usize, u8)> = Vec::new();
        for game in games {
            seats.clear();
            seats.extend(game);
            for place in 1..=seats.len() as u8 {
                let tied = seats.iter().filter(|(_, own)| *own == place);
                let mut set = vec![0; self.bots].into_boxed_slice();
                seats.iter().filter(|(_, own)| *own >= place).for_each(|(bot, _)| set[*bot] += 1);
                if tied.clone().next().is_none() || set.iter().filter(|&&seats| seats > 0).count() < 2 {
                    continue;
                }
                let index = self.sets.insert_full(set, ()).0;
                from.resize(from.len().max(index + 1), 0);
                for (bot, _) in tied {
                    chosen[*bot] += 1;
                    from[index] += 1;
                }
            }
        }
        let from = from.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
        RankingCounts { chosen, from }
    }

    /// The strengths that fit the choices of these blocks best, as [`Sets::fit`] gives them, with what each group of
    /// blocks contributes to them; no contributions for fewer than two blocks. `None` if the strengths do not converge.
    ///
    /// The contributions are J. Tukey's jackknife: by how much the strengths change if a group is left out.
    pub(super) fn fit_blocks(&self, blocks: &[RankingCounts]) -> Option<Strengths> {
        let logs = self.fit(blocks, PRIOR, None)?;
        if blocks.len() < 2 {
            return Some(Strengths { logs, contributions: Vec::new() });
        }
        let (all, count) = (blocks.len(), blocks.len().min(GROUPS));
        let without = |group: usize| {
            let others = blocks.iter().enumerate().filter(|(at, _)| group_of(*at, all) != group);
            let left = self.fit(others.map(|(_, block)| block), PRIOR, Some(&logs))?;
            let part = (count as f64 - 1.0) / count as f64;
            Some(logs.iter().zip(left).map(|(log, left)| part * (log - left)).collect())
        };
        let contributions = (0..count).into_par_iter().map(without).collect::<Option<_>>()?;
        Some(Strengths { logs, contributions })
    }

    /// The strengths that fit these choices best, as natural logarithms with mean 0.
    ///
    /// The lists in `choices` are added up; `start` holds initial strengths. `None` if the strengths do not converge,
    /// which they do with a prior above 0.
    pub(crate) fn fit<'a>(
        &self,
        choices: impl IntoIterator<Item = &'a RankingCounts>,
        prior: f64,
        start: Option<&[f64]>,
    ) -> Option<Vec<f64>> {
        let mut chosen = vec![0u64; self.bots];
        let mut from = vec![0u64; self.sets.len()];
        for choices in choices {
            chosen.iter_mut().zip(&choices.chosen).for_each(|(sum, n)| *sum += n);
            choices.from.iter().for_each(|&(set, n)| from[set] += n);
        }
        let sets: Vec<(&[u8], f64)> = (self.sets.keys().zip(&from))
            .filter(|(_, n)| **n > 0)
            .map(|(set, n)| (&**set, *n as f64))
            .collect();
        let mut logs = start.map_or_else(|| vec![0.0; self.bots], <[f64]>::to_vec);
        for _ in 0..MOST_ROUNDS {
            // The prior is on strengths that sum to their number.
            let sum: f64 = logs.iter().map(|log| log.exp()).sum();
            let strengths: Vec<f64> = logs.iter().map(|log| log.exp() * self.bots as f64 / sum).collect();
            let mut rates = vec![prior; self.bots];
            for &(set, n) in &sets {
                let whole: f64 = set.iter().zip(&strengths).map(|(&seats, s)| f64::from(seats) * s).sum();
                let rate = n / whole;
                rates.iter_mut().zip(set).for_each(|(r, &seats)| *r += f64::from(seats) * rate);
            }
            let mut next: Vec<f64> =
                chosen.iter().zip(&rates).map(|(&n, rate)| ((n as f64 + prior) / rate).ln()).collect();
            if next.iter().any(|log| !log.is_finite()) {
                return None;
            }
            centre(&mut next);
            let change = next.iter().zip(&logs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            logs = next;
            if change < TOLERANCE {
                return Some(logs);
            }
        }
        None
    }
}

/// Shifts numbers so that their mean is 0.
fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
mod tests;
