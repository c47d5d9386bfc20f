//! The arms of a run from the fairest to the least fair, and which of them cannot be distinguished.
//!
//! All pairs of arms are tested at once: with d the difference of their squared corrected distances and e its standard
//! error over the replicates of the bootstrap, in which all arms have the same blocks drawn, two arms are distinguished
//! where |d|/e exceeds the 95th percentile, over the replicates, of the largest value among all pairs. Thus at least
//! one wrong statement occurs in at most about one run in twenty, and in the other runs the truly fairest arm is among
//! those that are not distinguished from the first.

use rayon::prelude::*;
use serde::Serialize;

use crate::balance::fairness::{Distance, Replicates};
use crate::balance::tally::{BlockSums, FairnessMeasure};
use crate::estimate::{normal_upper, t_upper};
use crate::{Estimate, Interval};
use upheaval_harness::sim::labels::{SweptParameter, SweptVariant};
use upheaval_map::ids::PowerNames;

/// The simultaneous level of all statements of a ranking.
pub(crate) const SURE: f64 = 0.95;

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
    /// The ranking of the arms of a line-up, or `None` for fewer than two. `label` names an arm.
    pub(crate) fn of(ranked: &RankedCells<'_>, label: impl Fn(&str) -> String) -> Option<Ranking> {
        let sides = &ranked.sides;
        if sides.len() < 2 {
            return None;
        }
        let known: Vec<f64> = ranked.squares.iter().map_while(|square| *square).collect();
        let groups = groups(known.len(), &|a, b| ranked.apart(a, b));
        let place = |square: f64| known.iter().position(|known| *known == square).map(|at| at + 1);
        let arms = sides.iter().enumerate().map(|(at, side)| Ranked {
            arm: side.arm.to_owned(),
            label: label(side.arm),
            place: ranked.squares[at].and_then(place),
            distance: side.distances[ranked.measure as usize],
            may_be_fairest: at < known.len() && !ranked.apart(0, at),
            groups: (0..groups.len()).filter(|&group| groups[group].contains(&at)).collect(),
        });
        Some(Ranking {
            line_up: sides[0].line_up,
            measure: ranked.measure,
            blocks: sides.iter().map(|side| side.blocks.len() as u64).max().unwrap_or(0),
            apart: ranked.critical,
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
    /// Its distance corrected for chance.
    pub fn corrected(&self) -> Option<Estimate> {
        self.distance?.corrected
    }

    /// Its groups as letters: `ab`; numbers where there are more groups than letters.
    pub fn letters(&self) -> String {
        let words = self.groups.iter().map(|&group| match u8::try_from(group) {
            Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
            _ => format!("({})", group + 1),
        });
        words.collect()
    }
}

/// A cell, as far as it is compared.
pub(crate) struct ComparedCell<'a> {
    /// The powers of its board.
    pub powers: PowerNames,
    /// Its arm.
    pub arm: &'a str,
    /// Its line-up.
    pub line_up: usize,
    /// Its blocks.
    pub blocks: &'a [BlockSums],
    /// Its distances, by measure.
    pub distances: Vec<Option<Distance>>,
    /// The distances of its replicates.
    pub replicates: &'a Replicates,
}

/// Which of several cells are distinguished: the one rule for rankings and for comparisons of two.
pub(crate) struct RankedCells<'a> {
    /// By which measure.
    pub measure: FairnessMeasure,
    /// The cells, the fairest first; those without a corrected distance last.
    sides: Vec<&'a ComparedCell<'a>>,
    /// Their squared distances, minus what chance adds.
    squares: Vec<Option<f64>>,
    /// By cell and replicate: how far a replicate is from their mean.
    deviations: Vec<Vec<f64>>,
    critical: Option<f64>,
}

impl<'a> RankedCells<'a> {
    /// Of these cells, by each measure.
    pub(crate) fn all(sides: &[&'a ComparedCell<'a>]) -> Vec<RankedCells<'a>> {
        FairnessMeasure::ALL.map(|measure| RankedCells::of(sides, measure)).into()
    }

    /// Of these cells, by one measure.
    pub(crate) fn of(sides: &[&'a ComparedCell<'a>], measure: FairnessMeasure) -> RankedCells<'a> {
        let square = |side: &ComparedCell<'_>| side.distances[measure as usize].and_then(Distance::square);
        let mut order: Vec<(&ComparedCell<'_>, Option<f64>)> =
            sides.iter().map(|side| (*side, square(side))).collect();
        // Stable: equal cells keep the order of the experiment.
        order.sort_by(|(_, a), (_, b)| a.unwrap_or(f64::INFINITY).total_cmp(&b.unwrap_or(f64::INFINITY)));
        let (sides, squares): (Vec<_>, Vec<_>) = order.into_iter().unzip();
        let known = squares.iter().flatten().count();
        let deviations: Vec<Vec<f64>> = sides[..known].iter().map(|side| deviations(side, measure)).collect();
        let critical = critical(&sides[..known], &deviations);
        RankedCells { measure, sides, squares, deviations, critical }
    }

    /// The corrected distance of one cell minus that of another, with the interval that excludes 0 exactly where they
    /// are distinguished. A difference of squares is the difference of the roots times their sum, so the interval of
    /// the one divided by the sum is that of the other.
    pub(crate) fn difference(&self, one: &ComparedCell<'_>, other: &ComparedCell<'_>) -> Option<Estimate> {
        let (a, b) = (self.at(one)?, self.at(other)?);
        let (square_a, square_b) = (self.squares[a]?, self.squares[b]?);
        let [root_a, root_b] = [square_a, square_b].map(|square| square.max(0.0).sqrt());
        let estimate = root_a - root_b;
        let half =
            |critical: f64| critical * error(&self.deviations[a], &self.deviations[b]) / (root_a + root_b);
        let half = self.critical.map(half).filter(|half| *half > 0.0 && half.is_finite());
        let interval = half.map(|half| {
            let middle = (square_a - square_b) / (root_a + root_b);
            // A square below 0 counts as 0 in the estimate.
            Interval { low: (middle - half).min(estimate), high: (middle + half).max(estimate) }
        });
        Some(Estimate { estimate, interval })
    }

    /// Is the cell one of them?
    pub(crate) fn includes(&self, side: &ComparedCell<'_>) -> bool {
        self.at(side).is_some()
    }

    fn at(&self, side: &ComparedCell<'_>) -> Option<usize> {
        self.sides.iter().position(|known| (known.arm, known.line_up) == (side.arm, side.line_up))
    }

    fn apart(&self, a: usize, b: usize) -> bool {
        let (Some(critical), Some((one, other))) = (self.critical, self.squares[a].zip(self.squares[b]))
        else {
            return false;
        };
        let error = error(&self.deviations[a], &self.deviations[b]);
        // Where nothing varies there is no standard error, and where chance explains both distances there is no
        // difference: nothing is claimed.
        error > 0.0 && one.max(other) > 0.0 && (one - other).abs() > critical * error
    }
}

/// How far the replicates of a cell's squared distance are from their mean. A replicate in which no power has any says
/// nothing.
fn deviations(side: &ComparedCell<'_>, measure: FairnessMeasure) -> Vec<f64> {
    let all: Vec<f64> = side.replicates.squares(measure).collect();
    let there: Vec<f64> = all.iter().copied().filter(|square| !square.is_nan()).collect();
    let mean = there.iter().sum::<f64>() / there.len().max(1) as f64;
    all.iter().map(|square| if square.is_nan() { 0.0 } else { square - mean }).collect()
}

/// By how many standard errors two of these cells must differ; `None` for fewer than two cells, or two blocks.
fn critical(sides: &[&ComparedCell<'_>], deviations: &[Vec<f64>]) -> Option<f64> {
    let replicates = deviations.iter().map(Vec::len).min().unwrap_or(0);
    let blocks = sides.iter().map(|side| side.blocks.len()).min().unwrap_or(0);
    if sides.len() < 2 || replicates == 0 || blocks < 2 {
        return None;
    }
    let errors: Vec<(usize, usize, f64)> = pairs(sides.len())
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
    // The errors are estimates themselves: few blocks widen the limit as much as Student's distribution is wider than
    // the normal one.
    Some(greatest[at] * t_upper(blocks as u64) / normal_upper())
}

/// All pairs of this many.
pub(crate) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
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
    let is_largest = |&at: &usize| {
        let (group, mut all) = (&groups[at], groups.iter().enumerate());
        all.all(|(i, other)| i == at || !within(group, other) || (other.len() == group.len() && at < i))
    };
    (0..groups.len()).filter(is_largest).map(|at| groups[at].clone()).collect()
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

// Two swept parameters as rows and columns: where the arms of a variant lie beside each other.

/// The arms of a variant that differ in two parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// The variant that is swept.
    pub variant: String,
    /// The first parameter.
    pub rows: Axis,
    /// The second.
    pub columns: Axis,
    /// Row by row the arm with these values; `None` where there is no such arm.
    pub cells: Vec<Vec<Option<String>>>,
}

/// A parameter with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Its key.
    pub parameter: String,
    /// Its display name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
}

impl Axis {
    fn of(parameter: &SweptParameter) -> Axis {
        let SweptParameter { key, name, values, .. } = parameter;
        Axis { parameter: key.clone(), name: name.clone(), values: values.clone() }
    }
}

impl Grid {
    /// The grid of a variant whose arms differ in two parameters, restricted to the arms that are shown.
    pub(crate) fn of(variant: &SweptVariant, shown: impl Fn(&str) -> bool) -> Option<Grid> {
        let [rows, columns] = variant.parameters.as_slice() else { return None };
        let mut cells = vec![vec![None; columns.values.len()]; rows.values.len()];
        for (arm, places) in variant.arms.iter().filter(|(arm, _)| shown(arm)) {
            if let [row, column] = places[..] {
                cells[row][column] = Some(arm.clone());
            }
        }
        let several = cells.iter().flatten().flatten().count() > 1;
        several.then(|| Grid {
            variant: variant.base.clone(),
            rows: Axis::of(rows),
            columns: Axis::of(columns),
            cells,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
