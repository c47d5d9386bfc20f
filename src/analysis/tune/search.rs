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

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tune::arm::{TunedArm, one_step};
use crate::tune::file::{CheckedSearch, SeedStage, Wanted};
use crate::tune::goal::{GoalSums, Metric, series};
use crate::tune::race::{ArmStanding, Look, Race, SeenArm};
use upheaval_engine::bot::Pace;

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
    #[error("this is not the next task: results are accepted only in the order of the tasks")]
    Order,
    /// The number of blocks is not that of the task.
    #[error("the task has {wanted} blocks, not {found}")]
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
    /// The settings.
    pub(crate) arms: Vec<TunedArm>,
    race: Race,
    /// By stage, setting and bot.
    blocks: [Vec<Vec<Vec<GoalSums>>>; 2],
    step: Step,
    queue: VecDeque<Task>,
    /// The settings that are measured on fresh blocks, in their order; empty before the race is over.
    pub(crate) checked: Vec<usize>,
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

    /// The state of the race.
    pub fn race(&self) -> &Race {
        &self.race
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
                self.race.judge(end, &seen);
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
        self.race.rounds.iter().rev().find_map(|round| round.looks.iter().find(|look| look.arm == arm))
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
