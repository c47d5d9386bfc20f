//! Balance: is a rule set fair, which powers does it favour, and what is the effect of a parameter?
//!
//! A [`Balance`] is computed from a run folder in one pass over its part files, in parallel and merged in order. It
//! answers the same questions for each *cell*: an arm (a variant with its parameters) and a line-up. The block is the
//! unit of every interval and test. docs/balance.md describes each measure in plain words, with its formula and source.
//!
//! ```text
//!                       ┌▶ games ─▶ CellTally ─▶ PowerBalance, YearBalance   rates, means, quantiles
//!  part files ─▶ part ──┤               └──────▶ Fairness, Comparison        of the sums of blocks
//!                       └▶ EffectTally ────────▶ Effect
//! ```

pub mod agreement;
pub mod cell;
pub mod compare;
pub mod distribution;
pub mod effect;
pub mod fairness;
pub mod headline;
pub mod play;
pub mod ranking;
pub(crate) mod sample;
pub mod source;
pub mod tally;
mod text;
pub(crate) mod years;

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use crate::balance::agreement::{Agreement, agreements};
use crate::balance::cell::CellBalance;
use crate::balance::compare::{Comparison, compare, correct};
use crate::balance::effect::{CHANGES, Query};
use crate::balance::fairness::fairness;
use crate::balance::headline::Headline;
use crate::balance::ranking::{ComparedCell, Grid, RankedCells, Ranking};
use crate::balance::source::RunSource;
use crate::balance::tally::{ArmTally, FairnessMeasure};
use crate::faults::Faults;
use crate::reading::{RunTally, read};
use upheaval_engine::diagnostic::suggest;
use upheaval_harness::sim::labels::{Labels, sweeps};
use upheaval_harness::sim::stored::StoredRun;

pub use crate::balance::source::{BalanceError, BalanceOptions, MARGIN};

/// The version of the JSON form of [`Balance`].
pub const FORMAT: u32 = 1;

/// The balance of the arms of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Balance {
    /// The version of this structure: [`FORMAT`].
    pub format: u32,
    /// What comes first: the bots, and what must be known of their games.
    pub headline: Headline,
    /// The run.
    pub run: RunFacts,
    /// The measure that text and pages rank arms by.
    pub ranked_by: FairnessMeasure,
    /// The arms of each line-up from the fairest to the least fair, by each measure; empty where there is only one arm.
    pub rankings: Vec<Ranking>,
    /// The swept variants whose arms differ in two parameters.
    pub grids: Vec<Grid>,
    /// The cells: arm by arm in the order of the experiment, and line-up by line-up.
    pub cells: Vec<CellBalance>,
    /// Each arm minus the arm that it is compared with, with the same line-up.
    pub arms: Vec<Comparison>,
    /// Each line-up of an arm minus its first line-up.
    pub line_ups: Vec<Comparison>,
    /// Whether the line-ups of each arm agree, measure by measure.
    pub agreement: Vec<Agreement>,
}

/// Which run it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunFacts {
    /// The experiment's name.
    pub experiment: String,
    /// Its hash.
    pub experiment_hash: String,
    /// Its root seed.
    pub seed: u64,
    /// The last year that is played.
    pub last_year: u16,
    /// Would the same experiment give the same games?
    pub repeatable: bool,
    /// A sentence for each bot that failed in too many games for the balance to show how it plays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The runs by which it was extended, if it is a tournament that was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extended_by: Vec<RunFacts>,
}

impl RunFacts {
    fn of(run: &StoredRun, extensions: &[StoredRun]) -> RunFacts {
        RunFacts {
            experiment: run.manifest.experiment.clone(),
            experiment_hash: run.manifest.experiment_hash.clone(),
            seed: run.experiment.seed,
            last_year: run.experiment.last_year,
            repeatable: run.manifest.repeatable,
            warnings: Vec::new(),
            extended_by: extensions.iter().map(|run| RunFacts::of(run, &[])).collect(),
        }
    }
}

impl BalanceOptions {
    /// Makes sure that the arms and line-ups that are asked for are in the run.
    ///
    /// # Errors
    /// One of them is not.
    pub fn check(&self, source: &RunSource) -> Result<(), BalanceError> {
        let arms = source.chosen_arms(&self.variants)?;
        chosen_line_ups(source, &self.line_ups)?;
        against(source, &arms, self.against.as_deref()).map(drop)
    }
}

impl Balance {
    /// The balance of a run folder.
    pub fn of(folder: &Path, options: &BalanceOptions) -> Result<Balance, BalanceError> {
        Balance::of_all(folder, &[] as &[&Path], options)
    }

    /// The balance of a tournament that was extended: of its first run and the others together.
    ///
    /// # Errors
    /// As [`Balance::of`], or the folders are not of one tournament.
    pub fn of_all(
        first: &Path,
        others: &[impl AsRef<Path>],
        options: &BalanceOptions,
    ) -> Result<Balance, BalanceError> {
        Balance::of_run_with(&RunSource::open_all(first, others, options.trust)?, options, &mut ())
    }

    /// The balance of a run that has already been opened, with another tally of the arms that are asked for, which is
    /// computed in the same pass.
    pub fn of_run_with(
        source: &RunSource,
        options: &BalanceOptions,
        other: &mut impl RunTally,
    ) -> Result<Balance, BalanceError> {
        let arms = source.chosen_arms(&options.variants)?;
        let line_ups = chosen_line_ups(source, &options.line_ups)?;
        let against = against(source, &arms, options.against.as_deref())?;
        let experiment = &source.run.experiment;
        let powers = experiment.power_names();
        let query = Query {
            power_names: powers.clone(),
            kinds: if options.events.is_empty() { CHANGES.to_vec() } else { options.events.clone() },
            whose: options.whose,
            years: options.years.max(1),
            last_year: experiment.last_year,
            blocks: source.blocks,
        };
        let labels = Labels::of(source.run.arms());
        let mut cells = Vec::new();
        let mut replicates = Vec::new();
        let mut faults = Faults::default();
        for (place, arm) in source.run.arms().iter().enumerate() {
            // Bots may fail in games of any arm.
            if !arms.contains(&place) {
                read(source.parts(place), &mut faults)?;
                continue;
            }
            let mut tallies = ArmTally::new(&query, source.line_ups.len());
            read(source.parts(place), &mut (&mut tallies, &mut (&mut faults, &mut *other)))?;
            tallies.line_ups.iter_mut().for_each(|(tally, _)| tally.close());
            for &line_up in &line_ups {
                let (tally, effects) = &tallies.line_ups[line_up];
                if tally.blocks.is_empty() {
                    continue;
                }
                let (fairness, distances) = fairness(powers, &tally.blocks, experiment.seed);
                let facts = &source.line_ups[line_up];
                let cell = CellBalance::new(
                    (arm, labels.label(&arm.id)),
                    powers,
                    line_up,
                    facts,
                    tally,
                    fairness,
                    options,
                );
                let effects = query.kinds.iter().zip(effects);
                let effects = effects.filter_map(|(kind, tally)| tally.effect(*kind, &query)).collect();
                cells.push(CellBalance { effects, ..cell });
                replicates.push((tally.blocks.clone(), distances));
            }
        }
        let sides = cells.iter().zip(&replicates).map(|(cell, (blocks, replicates))| ComparedCell {
            powers: powers.clone(),
            arm: &cell.arm,
            line_up: cell.line_up,
            blocks,
            distances: cell.fairness.iter().map(|fairness| fairness.distance).collect(),
            replicates,
        });
        let sides: Vec<ComparedCell<'_>> = sides.collect();
        // The arms of a line-up, and the line-ups of an arm: each family is ranked and compared by one rule.
        let family = |of: &dyn Fn(&ComparedCell<'_>) -> bool| -> Vec<RankedCells<'_>> {
            RankedCells::all(&sides.iter().filter(|side| of(side)).collect::<Vec<_>>())
        };
        let of_line_ups: Vec<Vec<RankedCells<'_>>> =
            line_ups.iter().map(|&line_up| family(&|side| side.line_up == line_up)).collect();
        let of_arms = sides.chunk_by(|a, b| a.arm == b.arm);
        let of_arms: Vec<Vec<RankedCells<'_>>> =
            of_arms.map(|of_arm| family(&|side| side.arm == of_arm[0].arm)).collect();
        let differences =
            |families: &[Vec<RankedCells<'_>>],
             pairs: &dyn Fn(&ComparedCell<'_>, &ComparedCell<'_>) -> bool| {
                let pair = |one| {
                    let other = sides.iter().find(|other| pairs(one, other))?;
                    let both = |ranked: &&Vec<RankedCells<'_>>| {
                        [one, other].iter().all(|side| ranked[0].includes(side))
                    };
                    Some((one, other, families.iter().find(both)?))
                };
                let pairs: Vec<_> = sides.iter().filter_map(pair).collect();
                let compared = pairs.par_iter().map(|(one, other, ranked)| {
                    compare(one, other, |measure| options.width(measure), ranked)
                });
                compared.collect::<Vec<Comparison>>()
            };
        let mut arms_compared = differences(&of_line_ups, &|one, other| {
            one.arm != against && other.arm == against && one.line_up == other.line_up
        });
        arms_compared.iter_mut().for_each(|of| correct(std::slice::from_mut(of)));
        let mut line_ups_compared = differences(&of_arms, &|one, other| {
            one.arm == other.arm && one.line_up != other.line_up && line_ups.first() == Some(&other.line_up)
        });
        line_ups_compared.chunk_by_mut(|a, b| a.arm == b.arm).for_each(correct);
        let ranking = |of| Ranking::of(of, |arm| labels.label(arm).to_owned());
        let shown = |arm: &str| cells.iter().any(|cell| cell.arm == arm);
        let grids = sweeps(source.run.arms()).iter().filter_map(|swept| Grid::of(swept, shown)).collect();
        Ok(Balance {
            format: FORMAT,
            headline: Headline::of(&cells, source.run.manifest.import.is_some()),
            run: RunFacts { warnings: faults.warnings(), ..RunFacts::of(&source.run, &source.extensions) },
            ranked_by: options.rank_by,
            rankings: of_line_ups.iter().flatten().filter_map(ranking).collect(),
            grids,
            arms: arms_compared,
            line_ups: line_ups_compared,
            agreement: agreements(&cells, &sides, options.margin),
            cells,
        })
    }

    /// The ranking of a line-up by a measure.
    pub fn ranking(&self, line_up: usize, measure: FairnessMeasure) -> Option<&Ranking> {
        self.rankings.iter().find(|ranking| ranking.line_up == line_up && ranking.measure == measure)
    }

    /// The display name of an arm.
    pub fn label<'a>(&'a self, arm: &'a str) -> &'a str {
        self.cells.iter().find(|cell| cell.arm == arm).map_or(arm, |cell| &cell.label)
    }

    /// The label of a line-up: its number, and what differs between line-ups in fixed seats.
    pub fn line_up_label(&self, line_up: usize) -> String {
        let known = self.cells.iter().find(|cell| cell.line_up == line_up);
        known.map_or_else(|| format!("line-up {line_up}"), |cell| cell.seating.label.clone())
    }

    /// The label of an arm, followed by its id where the two differ.
    pub(crate) fn label_with_id(&self, arm: &str) -> String {
        match self.label(arm) {
            label if label == arm => arm.to_owned(),
            label => format!("{label} ({arm})"),
        }
    }

    /// As [`Balance::of_all`] on this many threads, 0 for one per core. The result does not depend on their number.
    pub fn on_threads(
        threads: usize,
        first: &Path,
        others: &[impl AsRef<Path> + Sync],
        options: &BalanceOptions,
    ) -> Result<Balance, BalanceError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| Balance::of_all(first, others, options))
    }

    /// Everything as JSON; docs/balance.md describes each field.
    pub fn to_json(&self) -> String {
        // A struct of numbers and strings always serialises.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }
}

fn chosen_line_ups(source: &RunSource, chosen: &[usize]) -> Result<Vec<usize>, BalanceError> {
    let there = source.line_ups.len();
    if let Some(strange) = chosen.iter().find(|&&line_up| line_up >= there) {
        let message = match there {
            1 => format!("this run has only line-up 0, not {strange}"),
            _ => format!("this run has line-ups 0 to {}, not {strange}", there - 1),
        };
        return Err(BalanceError::Choice { option: "line-up", message });
    }
    Ok((0..there).filter(|line_up| chosen.is_empty() || chosen.contains(line_up)).collect())
}

/// The arm that the others are compared with.
fn against(source: &RunSource, arms: &[usize], asked: Option<&str>) -> Result<String, BalanceError> {
    let known = || arms.iter().map(|&arm| source.run.arms()[arm].id.as_str());
    match asked {
        Some(id) if known().any(|known| known == id) => Ok(id.to_owned()),
        Some(id) => {
            let message = format!("this balance has no variant `{id}`; {}", suggest(id, known()));
            Err(BalanceError::Choice { option: "against", message })
        }
        None => Ok(known().next().unwrap_or_default().to_owned()),
    }
}

#[cfg(test)]
mod tests;
