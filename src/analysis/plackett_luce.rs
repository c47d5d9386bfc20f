//! Ratings: the Plackett–Luce model of finishing orders, fitted by minorisation and maximisation.
//!
//! The model (R. D. Luce 1959, R. L. Plackett 1975): each bot has a strength γ; the first to finish is chosen among the
//! seats with probabilities in proportion to their strengths, then the second among the rest, and so on. A bot may have
//! several seats. Seats that are tied are each chosen from all that had not finished before them (Breslow's way). Only
//! the choices and their alternatives matter, so games are kept as [`RankingCounts`]; a choice among seats of one bot
//! says nothing and is left out.
//!
//! The fit is D. R. Hunter's ("MM algorithms for generalized Bradley–Terry models", Annals of Statistics 32, 2004),
//! with a weak gamma prior (F. Caron, A. Doucet, "Efficient Bayesian inference for generalized Bradley–Terry models",
//! 2012), as the Python package choix has them: a bot that never loses gets a large strength rather than an infinite
//! one.

use indexmap::IndexMap;

/// The weight of the prior, in choices: small beside any meaningful number of games.
pub const PRIOR: f64 = 0.1;

/// How often the blocks are resampled for the intervals of ratings.
pub(super) const REPLICATES: u64 = 1000;

/// The scale of Elo: the difference in rating for a strength ten times as large.
const TENFOLD: f64 = 400.0;

/// The natural logarithm of a strength on the scale of Elo.
pub fn elo(log: f64) -> f64 {
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
pub struct Sets {
    bots: usize,
    sets: IndexMap<SeatSet, (), foldhash::fast::FixedState>,
}

/// Counted choices: whole numbers, so neither the order of games nor that of additions can affect them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingCounts {
    /// How often each bot was chosen.
    chosen: Vec<u64>,
    /// How often a choice was made from each set, by the set's index; in order.
    from: Vec<(usize, u64)>,
}

impl Sets {
    /// No sets yet, for this many bots.
    pub fn new(bots: usize) -> Sets {
        Sets { bots, sets: IndexMap::with_hasher(foldhash::fast::FixedState::default()) }
    }

    /// The choices of games, each given as the bots in its seats with their places ([`super::finish::places`]).
    pub fn count<S: IntoIterator<Item = (usize, u8)>>(
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

    /// The strengths that fit these choices best, as natural logarithms with mean 0.
    ///
    /// The lists in `choices` are added up; `start` holds initial strengths. `None` if the strengths do not converge,
    /// which they do with a prior above 0.
    pub fn fit<'a>(
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
