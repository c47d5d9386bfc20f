//! A search step by step: which games are wanted next, and how their results are used. It does not know how or where
//! they are played.
//!
//! ```text
//!  wanted() ─▶ tasks of a round, or of the check, in order ─▶ …played anywhere… ─▶ take() in the same order ─▶
//! wanted() …
//! ```
//! The result of a task depends only on the search and the numbers of the task, and tasks follow from the results taken
//! before: the same file gives the same tasks with the same sums, on any number of threads, wherever they are played
//! and however often the search was interrupted.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tune::file::{CheckedSearch, SeedStage, Wanted};
use crate::tune::goal::{GoalSums, Metric, series};
use crate::tune::play::{GameTable, TunedArm, one_step};
use crate::tune::race::{ArmStanding, Look, Race, SeenArm, UNKNOWN, worst};
use crate::tune::statistic::{LEAST_BLOCKS, Mean};
use upheaval_engine::bot::Pace;
use upheaval_engine::diagnostic::Source;
use upheaval_harness::sim::{Catalogue, ExperimentError, Observer, Overrides, RunError};

/// Blocks of a task.
const BLOCKS_A_TASK: u32 = 64;
/// The same for a slow bot.
const BLOCKS_A_SLOW_TASK: u32 = 8;

/// The most settings that are measured for a front: a larger front is thinned out.
const MOST_OF_A_FRONT: usize = 12;

/// Some blocks of a setting with a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The seed to use.
    pub stage: SeedStage,
    /// The bot, by its index.
    pub bot: usize,
    /// The setting, by its index.
    pub arm: usize,
    /// The first block.
    pub first: u32,
    /// How many blocks.
    pub count: u32,
}

/// Why the results of a task are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneRefusal {
    /// Another task is wanted first.
    #[error("another task is wanted: results are taken in the order of the tasks")]
    Order,
    /// The number of blocks is not that of the task.
    #[error("the task has {wanted} blocks, and {found} were played")]
    Blocks {
        /// How many there must be.
        wanted: u32,
        /// How many there are.
        found: usize,
    },
}

/// The current step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A round that ends with this block.
    Round(u32),
    /// The chosen settings are measured.
    Check,
    /// Nothing is left to do.
    Over,
}

/// A search in progress.
pub struct TuneSearch {
    tuning: Arc<CheckedSearch>,
    arms: Vec<TunedArm>,
    race: Race,
    /// By stage, setting and bot.
    blocks: [Vec<Vec<Vec<GoalSums>>>; 2],
    step: Step,
    queue: VecDeque<Task>,
    checked: Vec<usize>,
}

impl TuneSearch {
    /// A search of which nothing has been played.
    pub fn new(tuning: Arc<CheckedSearch>) -> TuneSearch {
        let empty = || vec![vec![Vec::new(); tuning.bots()]; tuning.arms().len()];
        let mut search = TuneSearch {
            arms: TunedArm::all(&tuning),
            race: Race::new(tuning.rules()),
            blocks: [empty(), empty()],
            step: Step::Over,
            queue: VecDeque::new(),
            checked: Vec::new(),
            tuning,
        };
        search.advance();
        search
    }

    /// The search file.
    pub fn tuning(&self) -> &CheckedSearch {
        &self.tuning
    }

    /// The settings.
    pub(crate) fn arms(&self) -> &[TunedArm] {
        &self.arms
    }

    /// The state of the race.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// The settings that are measured on fresh blocks, in their order; empty before the race is over.
    pub(crate) fn checked(&self) -> &[usize] {
        &self.checked
    }

    /// The blocks of a setting with a bot.
    pub(crate) fn blocks(&self, stage: SeedStage, arm: usize, bot: usize) -> &[GoalSums] {
        &self.blocks[stage as usize][arm][bot]
    }

    /// The tasks that can be played now, in the order in which their results are taken; empty where the search is over.
    /// They are independent of each other.
    pub fn wanted(&self) -> impl ExactSizeIterator<Item = Task> + '_ {
        self.queue.iter().copied()
    }

    /// The first of these.
    pub fn next(&self) -> Option<Task> {
        self.queue.front().copied()
    }

    /// Is everything played?
    pub fn is_over(&self) -> bool {
        self.step == Step::Over
    }

    /// Takes the blocks of the first wanted task.
    ///
    /// # Errors
    /// It is another task, or has another number of blocks. In this case nothing changes.
    pub fn take(&mut self, task: Task, blocks: Vec<GoalSums>) -> Result<(), TuneRefusal> {
        if self.next() != Some(task) {
            return Err(TuneRefusal::Order);
        }
        if blocks.len() != task.count as usize {
            return Err(TuneRefusal::Blocks { wanted: task.count, found: blocks.len() });
        }
        self.queue.pop_front();
        self.blocks[task.stage as usize][task.arm][task.bot].extend(blocks);
        if self.queue.is_empty() {
            if let Step::Round(end) = self.step {
                let seen = self.seen();
                self.race.look(end, &seen);
            }
            self.advance();
        }
        Ok(())
    }

    fn advance(&mut self) {
        let bots = 0..self.tuning.bots();
        let (stage, arms, blocks) = match (self.step, self.race.next()) {
            (Step::Check, _) => {
                self.step = Step::Over;
                return;
            }
            (_, Some(blocks)) => {
                self.step = Step::Round(blocks.end);
                (SeedStage::Search, self.race.left().collect::<Vec<_>>(), blocks)
            }
            (_, None) => {
                self.checked = self.to_check();
                self.step = if self.checked.is_empty() { Step::Over } else { Step::Check };
                (SeedStage::Check, self.checked.clone(), 0..self.tuning.check_blocks)
            }
        };
        let slow = self.tuning.experiment.bots.iter().any(|bot| bot.pace == Pace::Slow);
        let usual = if slow { BLOCKS_A_SLOW_TASK } else { BLOCKS_A_TASK };
        let size = self.tuning.experiment.fewer_if_long(BLOCKS_A_TASK).min(usual);
        for bot in bots {
            for &arm in &arms {
                for first in blocks.clone().step_by(size as usize) {
                    let count = size.min(blocks.end - first);
                    self.queue.push_back(Task { stage, bot, arm, first, count });
                }
            }
        }
    }

    /// The data for the race.
    fn seen(&self) -> Vec<Vec<SeenArm>> {
        let (tuning, powers) = (self.tuning(), self.tuning.powers());
        let of = |blocks: &Vec<GoalSums>| SeenArm {
            objective: series(tuning.objective, powers, blocks),
            bounded: tuning.bounds.iter().map(|bound| bound.of.parts(powers, blocks)).collect(),
        };
        let left: Vec<usize> = self.race.left().collect();
        let arms = self.blocks[SeedStage::Search as usize].iter().enumerate();
        arms.map(|(arm, bots)| if left.contains(&arm) { bots.iter().map(of).collect() } else { Vec::new() })
            .collect()
    }

    /// The last look at a setting.
    pub(crate) fn last_look(&self, arm: usize) -> Option<&Look> {
        self.race.rounds().iter().rev().find_map(|round| round.looks.iter().find(|look| look.arm == arm))
    }

    /// The bot with which a setting was worst when it was last looked at. Figures from fresh blocks are reported for
    /// this bot: choosing the bot by those figures would make them too bad.
    pub(crate) fn worst_bot(&self, arm: usize) -> usize {
        self.last_look(arm).map_or(0, |look| look.worst().0)
    }

    /// The settings one step from the favourite, each with the parameter that differs and its value there. Where
    /// several differ in the same way, because one parameter brings others with it, the one that looked best is taken.
    pub fn steps(&self) -> Vec<(usize, String)> {
        let Some(best) = self.race.favourite() else { return Vec::new() };
        let estimate = |arm: usize| self.last_look(arm).map_or(f64::INFINITY, |look| look.worst().1.mean);
        let mut steps: Vec<(usize, String)> = Vec::new();
        for other in (0..self.arms.len()).filter(|&other| other != best) {
            let Some(parameter) = one_step(&self.arms, best, other) else { continue };
            let value = |arm: usize| self.arms[arm].value(&parameter);
            let same = steps.iter().position(|(arm, of)| *of == parameter && value(*arm) == value(other));
            match same {
                Some(at) if estimate(other) < estimate(steps[at].0) => steps[at].0 = other,
                Some(_) => {}
                None => steps.push((other, parameter)),
            }
        }
        steps
    }

    /// The settings that no other beats in both the objective and this measure, by the games of the search.
    fn front(&self, aspect: Metric, wanted: Wanted) -> Vec<usize> {
        let powers = self.tuning.powers();
        let point = |arm: usize| {
            let look = self.last_look(arm)?;
            let (bot, objective) = look.worst();
            let parts = aspect.parts(powers, self.blocks(SeedStage::Search, arm, bot));
            let mean = parts.iter().sum::<f64>() / parts.len() as f64;
            let inside = !matches!(look.standing, ArmStanding::Outside { .. });
            (inside && objective.mean.is_finite() && mean.is_finite()).then_some((
                arm,
                objective.mean,
                if wanted == Wanted::Low { mean } else { -mean },
            ))
        };
        let points: Vec<(usize, f64, f64)> = (0..self.arms.len()).filter_map(point).collect();
        let mut front = not_dominated(&points);
        if front.len() > MOST_OF_A_FRONT {
            let last = front.len() - 1;
            front = (0..MOST_OF_A_FRONT).map(|i| front[i * last / (MOST_OF_A_FRONT - 1)]).collect();
        }
        front
    }

    /// The settings to measure on fresh blocks: the answer, all settings one step from its favourite, and the fronts.
    fn to_check(&self) -> Vec<usize> {
        let mut arms: Vec<usize> = self.race.left().collect();
        if arms.is_empty() {
            return arms;
        }
        arms.extend(self.steps().iter().map(|(arm, _)| *arm));
        arms.extend(self.tuning.fronts.iter().flat_map(|&(aspect, wanted)| self.front(aspect, wanted)));
        arms.sort_unstable();
        arms.dedup();
        arms
    }
}

/// For points with two values, both better when low: the points that no other point dominates, from the lowest first
/// value up.
pub(crate) fn not_dominated(points: &[(usize, f64, f64)]) -> Vec<usize> {
    let beats =
        |a: &(usize, f64, f64), b: &(usize, f64, f64)| a.1 <= b.1 && a.2 <= b.2 && (a.1 < b.1 || a.2 < b.2);
    let mut front: Vec<&(usize, f64, f64)> =
        points.iter().filter(|point| points.iter().all(|other| !beats(other, point))).collect();
    front.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    front.into_iter().map(|point| point.0).collect()
}

// Single settings, for a caller that decides itself where to look next: for spaces that are too large to play every
// setting.

/// The number of blocks that exist.
const MOST_BLOCKS: u32 = 1_000_000;

/// One setting of a search, with the blocks played so far: no block is played twice.
pub struct TunedPoint {
    tuning: CheckedSearch,
    table: GameTable,
    /// By stage and bot.
    played: [Vec<BTreeMap<u32, GoalSums>>; 2],
}

/// The result of some blocks of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The bot with which it is worst in these blocks, by its index.
    pub bot: usize,
    /// The objective with that bot, as the contribution of each block: their mean is the unbiased objective, and the
    /// contributions of two settings on the same blocks are paired.
    pub parts: Vec<f64>,
    /// The objective with each bot.
    pub by_bot: Vec<Mean>,
    /// Every measure with the worst bot, in the order of [`Metric::ALL`]; NaN where no game has it.
    pub aspects: Vec<Mean>,
    /// For each bound of the file, by how much its measure exceeds it, with the bot where this is largest: 0 or less is
    /// within the bound.
    pub beyond: Vec<Mean>,
}

/// Why blocks cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// There are too few of them.
    #[error("{found} blocks are too few for a squared distance: take at least {LEAST_BLOCKS}")]
    TooFew {
        /// How many.
        found: usize,
    },
    /// They are beyond the last block.
    #[error("there are {MOST_BLOCKS} blocks, from 0 on; block {end} does not exist")]
    Beyond {
        /// Where they end.
        end: u32,
    },
}

impl TunedPoint {
    /// The setting of a search file that the overrides pick ([`Overrides::pick`]).
    ///
    /// # Errors
    /// The file has a fault, or there is no such setting.
    pub fn check(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<TunedPoint, ExperimentError> {
        let tuning = CheckedSearch::check(source, base, overrides, catalogue)?;
        let played = || vec![BTreeMap::new(); tuning.bots()];
        Ok(TunedPoint { table: GameTable::of(&tuning), played: [played(), played()], tuning })
    }

    /// The search, with this setting alone.
    pub fn tuning(&self) -> &CheckedSearch {
        &self.tuning
    }

    /// Checks that these blocks can be measured.
    ///
    /// # Errors
    /// They are too few, or they do not exist.
    pub fn look(blocks: &Range<u32>) -> Result<(), MeasureError> {
        match blocks {
            blocks if blocks.end > MOST_BLOCKS => Err(MeasureError::Beyond { end: blocks.end }),
            blocks if blocks.len() < LEAST_BLOCKS as usize => {
                Err(MeasureError::TooFew { found: blocks.len() })
            }
            _ => Ok(()),
        }
    }

    /// Plays those of these blocks that have not been played yet with all bots, on the threads of the file or the
    /// caller, and returns the result. The blocks must have passed [`TunedPoint::look`].
    ///
    /// # Errors
    /// The threads cannot be started, or the observer stopped it.
    pub fn measure(
        &mut self,
        stage: SeedStage,
        blocks: Range<u32>,
        observer: &dyn Observer,
    ) -> Result<Measured, RunError<MeasureError>> {
        TunedPoint::look(&blocks).map_err(RunError::Sink)?;
        let threads = self.tuning.experiment.threads;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("upheaval-{i}"))
            .build()
            .map_err(|source| RunError::Threads { threads, source })?;
        for (bot, played) in self.played[stage as usize].iter_mut().enumerate() {
            let wanted: Vec<u32> = blocks.clone().filter(|block| !played.contains_key(block)).collect();
            for stretch in wanted.chunk_by(|a, b| a + 1 == *b) {
                let task = Task { stage, bot, arm: 0, first: stretch[0], count: stretch.len() as u32 };
                let sums = pool.install(|| self.table.play(task, observer))?;
                played.extend(stretch.iter().copied().zip(sums));
            }
        }
        Ok(self.read(stage, &blocks))
    }

    fn read(&self, stage: SeedStage, blocks: &Range<u32>) -> Measured {
        let (powers, objective) = (self.tuning.powers(), self.tuning.objective);
        let nothing = Mean { mean: f64::NAN, sem: f64::NAN, blocks: 0 };
        let of = |bot: usize| self.played[stage as usize][bot].range(blocks.clone()).map(|(_, sums)| sums);
        let mut parts: Vec<Vec<f64>> = (0..self.tuning.bots())
            .map(|bot| series(objective, powers, of(bot)).pseudo_values().unwrap_or_default())
            .collect();
        let by_bot: Vec<Mean> = parts.iter().map(|parts| Mean::of(parts).unwrap_or(UNKNOWN)).collect();
        let (bot, _) = worst(&by_bot);
        let mean_of =
            |aspect: Metric, bot: usize| Mean::of(&aspect.parts(powers, of(bot))).unwrap_or(nothing);
        let aspects = Metric::ALL.map(|aspect| mean_of(aspect, bot)).to_vec();
        let limits = self.tuning.limits();
        let beyond = self.tuning.bounds.iter().zip(limits).map(|(bound, limits)| {
            let among = (0..self.tuning.bots()).map(|bot| mean_of(bound.of, bot));
            let beyond = among.map(|mean| Mean { mean: limits.beyond(mean.mean), ..mean });
            // A measure that no game has is not within any bound.
            let far = |mean: &Mean| if mean.mean.is_nan() { f64::INFINITY } else { mean.mean };
            beyond.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(nothing)
        });
        let beyond = beyond.collect();
        Measured { bot, parts: parts.swap_remove(bot), by_bot, aspects, beyond }
    }
}
