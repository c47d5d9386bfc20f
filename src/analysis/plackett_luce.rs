//! Ratings: the Plackett–Luce model of finishing orders, fitted by minorisation and maximisation.
//!
//! The model (R. D. Luce 1959, R. L. Plackett 1975): each bot has a strength γ; whoever finishes first is chosen among the
//! seats with chances in proportion to their strengths, then the second among the rest, and so on. A bot may have several
//! seats. Seats that are tied are each chosen from all that had not finished before them (Breslow's way). Only what was
//! chosen from what counts, so games are kept as [`Choices`]; a choice among seats of one bot says nothing and is left out.
//!
//! The fit is D. R. Hunter's ("MM algorithms for generalized Bradley–Terry models", Annals of Statistics 32, 2004), with a
//! weak gamma prior (F. Caron, A. Doucet, "Efficient Bayesian inference for generalized Bradley–Terry models", 2012), as the
//! Python package choix has them: a bot that never loses gets a great strength and not an infinite one.

use indexmap::IndexMap;

/// The weight of the prior, in choices: small beside any number of games that says something.
pub const PRIOR: f64 = 0.1;

/// How often the blocks are drawn again for the intervals of ratings.
pub(super) const REPLICATES: u64 = 1000;

/// Elo's scale: what a strength ten times as great is more.
const TENFOLD: f64 = 400.0;

/// The natural logarithm of a strength on the scale of Elo.
pub fn elo(log: f64) -> f64 {
    log * TENFOLD / std::f64::consts::LN_10
}

/// By how little the logarithms of strengths may still change.
const TOLERANCE: f64 = 1e-8;
/// After so many rounds a fit is given up.
const MOST_ROUNDS: usize = 200_000;

/// A set of seats that somebody was chosen from: of each bot how many.
type SeatSet = Box<[u8]>;

/// Which sets of seats there were to choose from, so that games can be counted by them.
#[derive(Clone, Debug)]
pub struct Sets {
    bots: usize,
    sets: IndexMap<SeatSet, (), foldhash::fast::FixedState>,
}

/// Choices, counted: whole numbers, so that neither the order of games nor that of additions can show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// How often each bot was chosen.
    chosen: Vec<u64>,
    /// From which set how often, by the set's index; in order.
    from: Vec<(usize, u64)>,
}

impl Sets {
    /// No sets of so many bots yet.
    pub fn new(bots: usize) -> Sets {
        Sets { bots, sets: IndexMap::with_hasher(foldhash::fast::FixedState::default()) }
    }

    /// The choices of games, each given as the bots in its seats with their places ([`super::finish::places`]).
    pub fn count<S: IntoIterator<Item = (usize, u8)>>(
        &mut self,
        games: impl IntoIterator<Item = S>,
    ) -> Choices {
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
        Choices { chosen, from }
    }

    /// The strengths that fit these choices best, as natural logarithms of mean 0.
    ///
    /// `choices` are added up; `start` are strengths to start from. `None` if the strengths do not settle, which they do with
    /// a prior above 0.
    pub fn fit<'a>(
        &self,
        choices: impl IntoIterator<Item = &'a Choices>,
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
            // The prior is of strengths that sum to their number.
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
