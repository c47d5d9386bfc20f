//! The arms of a run from the fairest to the least fair, and which of them cannot be distinguished.
//!
//! All pairs of arms are tested at once: with d the difference of their squared corrected distances and e its standard
//! error over the replicates of the bootstrap, in which all arms have the same blocks drawn, two arms are distinguished
//! where |d|/e exceeds the 95th percentile, over the replicates, of the largest value among all pairs. Thus at least
//! one wrong statement occurs in at most about one run in twenty, and in the other runs the truly fairest arm is among
//! those that are not distinguished from the first.

use rayon::prelude::*;
use serde::Serialize;

use super::compare::ComparedCell;
use super::fairness::Distance;
use super::tally::FairnessMeasure;
use crate::quantile::{normal_upper, t_upper};

/// The simultaneous level of all statements of a ranking.
pub const SURE: f64 = 0.95;

/// The arms of a line-up, ranked by one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// The line-up.
    pub line_up: usize,
    /// The measure of fairness.
    pub measure: FairnessMeasure,
    /// How many blocks each arm has.
    pub blocks: u64,
    /// By how many standard errors two arms must differ to be distinguished; `None` where no arms can be: with one
    /// block, or one arm with a distance.
    pub apart: Option<f64>,
    /// The arms, the fairest first; those without a corrected distance last.
    pub arms: Vec<Ranked>,
}

/// An arm in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The arm.
    pub arm: String,
    /// Its display name.
    pub label: String,
    /// Its place, from 1; arms of the same distance share the first of their places. `None` without a corrected
    /// distance.
    pub place: Option<usize>,
    /// Its distance from equal shares.
    pub distance: Option<Distance>,
    /// Is it the first, or not distinguished from the first? Then it may be the truly fairest arm.
    pub may_be_fairest: bool,
    /// The groups that it belongs to, from 0: arms that share a group are not distinguished, arms that share none are.
    pub groups: Vec<usize>,
}

impl Ranking {
    /// The ranking of these cells of a line-up by a measure, or `None` for fewer than two. `label` names an arm.
    pub fn of(
        sides: &[&ComparedCell<'_>],
        measure: FairnessMeasure,
        label: impl Fn(&str) -> String,
    ) -> Option<Ranking> {
        if sides.len() < 2 {
            return None;
        }
        let square = |side: &ComparedCell<'_>| side.distances[measure as usize].and_then(Distance::square);
        let mut order: Vec<(&ComparedCell<'_>, Option<f64>)> =
            sides.iter().map(|side| (*side, square(side))).collect();
        // Stable: equal arms keep the order of the experiment.
        order.sort_by(|(_, a), (_, b)| a.unwrap_or(f64::INFINITY).total_cmp(&b.unwrap_or(f64::INFINITY)));
        let known: Vec<(&ComparedCell<'_>, f64)> =
            order.iter().map_while(|(side, square)| Some((*side, (*square)?))).collect();
        let told = Told::of(&known, measure);
        let groups = groups(known.len(), &|a, b| told.as_ref().is_some_and(|told| told.apart(a, b)));
        let place = |at: usize| known.iter().position(|(_, square)| *square == known[at].1).unwrap_or(at) + 1;
        let arms = order.iter().enumerate().map(|(at, (side, square))| Ranked {
            arm: side.arm.to_owned(),
            label: label(side.arm),
            place: square.map(|_| place(at)),
            distance: side.distances[measure as usize],
            may_be_fairest: square.is_some() && !told.as_ref().is_some_and(|told| told.apart(0, at)),
            groups: groups
                .iter()
                .enumerate()
                .filter(|(_, group)| group.contains(&at))
                .map(|(g, _)| g)
                .collect(),
        });
        Some(Ranking {
            line_up: sides[0].line_up,
            measure,
            blocks: sides.iter().map(|side| side.blocks.len() as u64).max().unwrap_or(0),
            apart: told.as_ref().map(|told| told.critical),
            arms: arms.collect(),
        })
    }

    /// The arms that may be the fairest.
    pub fn fairest(&self) -> impl Iterator<Item = &Ranked> {
        self.arms.iter().filter(|arm| arm.may_be_fairest)
    }

    /// The arm of this id.
    pub fn arm(&self, id: &str) -> Option<&Ranked> {
        self.arms.iter().find(|arm| arm.arm == id)
    }
}

impl Ranked {
    /// Its groups as letters: `ab`; numbers where there are more groups than letters.
    pub fn letters(&self) -> String {
        let words = self.groups.iter().map(|&group| match u8::try_from(group) {
            Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
            _ => format!("({})", group + 1),
        });
        words.collect()
    }
}

/// Which arms are distinguished.
struct Told {
    squares: Vec<f64>,
    /// By arm and replicate: how far a replicate is from their mean.
    deviations: Vec<Vec<f64>>,
    critical: f64,
}

impl Told {
    fn of(arms: &[(&ComparedCell<'_>, f64)], measure: FairnessMeasure) -> Option<Told> {
        if arms.len() < 2 {
            return None;
        }
        let deviations: Vec<Vec<f64>> = arms
            .iter()
            .map(|(side, _)| {
                let all: Vec<f64> = side.replicates.squares(measure).collect();
                // A replicate in which no power has any says nothing.
                let there: Vec<f64> = all.iter().copied().filter(|square| !square.is_nan()).collect();
                let mean = there.iter().sum::<f64>() / there.len().max(1) as f64;
                all.iter().map(|square| if square.is_nan() { 0.0 } else { square - mean }).collect()
            })
            .collect();
        let replicates = deviations.iter().map(Vec::len).min().unwrap_or(0);
        let blocks = arms.iter().map(|(side, _)| side.blocks.len()).min().unwrap_or(0);
        if replicates == 0 || blocks < 2 {
            return None;
        }
        let errors: Vec<(usize, usize, f64)> = pairs(arms.len())
            .map(|(a, b)| (a, b, error(&deviations[a], &deviations[b])))
            .filter(|(.., error)| *error > 0.0)
            .collect();
        let greatest = |replicate: usize| {
            let of = |&(a, b, error): &(usize, usize, f64)| {
                (deviations[a][replicate] - deviations[b][replicate]).abs() / error
            };
            errors.iter().map(of).fold(0.0, f64::max)
        };
        let mut greatest: Vec<f64> = (0..replicates).into_par_iter().map(greatest).collect();
        greatest.sort_by(f64::total_cmp);
        let at = ((SURE * replicates as f64).ceil() as usize).min(replicates - 1);
        // The errors are estimates themselves: few blocks widen the limit as much as Student's distribution is wider
        // than the normal one.
        let critical = greatest[at] * t_upper(blocks as u64) / normal_upper();
        let squares = arms.iter().map(|(_, square)| *square).collect();
        Some(Told { squares, deviations, critical })
    }

    fn apart(&self, a: usize, b: usize) -> bool {
        let error = error(&self.deviations[a], &self.deviations[b]);
        // Where nothing varies there is no standard error, and nothing is claimed.
        error > 0.0 && (self.squares[a] - self.squares[b]).abs() > self.critical * error
    }
}

/// All pairs of this many.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// The standard error of a difference, over replicates.
fn error(one: &[f64], other: &[f64]) -> f64 {
    let squares: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
    let error = (squares / one.len().min(other.len()).max(1) as f64).sqrt();
    // The residue of rounding equal numbers is not an error.
    if error < 1e-12 { 0.0 } else { error }
}

/// The most groups that are kept; where the distinguished pairs form more, only runs of neighbours are.
const MOST_GROUPS: usize = 64;

/// The largest groups of arms of which no two are distinguished, in the order of their first arms (H.-P. Piepho's
/// insertion and absorption, 2004).
fn groups(count: usize, apart: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![(0..count).collect()];
    for (a, b) in pairs(count).filter(|&(a, b)| apart(a, b)) {
        let (both, mut rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group: &Vec<usize>| group.contains(&a) && group.contains(&b));
        for group in both {
            for left_out in [b, a] {
                let smaller: Vec<usize> = group.iter().copied().filter(|&arm| arm != left_out).collect();
                let absorbed = |other: &Vec<usize>| smaller.iter().all(|arm| other.contains(arm));
                if !rest.iter().any(absorbed) {
                    rest.push(smaller);
                }
            }
        }
        // A group that came first may lie within one that came later.
        groups = largest(rest);
        if groups.len() > MOST_GROUPS {
            return runs(count, apart);
        }
    }
    groups.sort();
    groups
}

fn largest(groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let within = |small: &[usize], large: &[usize]| small.iter().all(|arm| large.contains(arm));
    let is_largest = |(at, group): (usize, &Vec<usize>)| {
        groups
            .iter()
            .enumerate()
            .all(|(i, other)| i == at || !within(group, other) || (other.len() == group.len() && at < i))
    };
    groups
        .iter()
        .enumerate()
        .filter(|&(at, group)| is_largest((at, group)))
        .map(|(_, group)| group.clone())
        .collect()
}

/// The longest runs of neighbours in the ranking of which no two are distinguished.
fn runs(count: usize, apart: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for first in 0..count {
        let end = (first + 1..count).find(|&next| (first..next).any(|arm| apart(arm, next))).unwrap_or(count);
        if runs.last().is_none_or(|run| run.last().is_none_or(|&last| last + 1 < end)) {
            runs.push((first..end).collect());
        }
    }
    runs
}

#[cfg(test)]
mod tests;
