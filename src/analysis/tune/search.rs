//! A search step by step: which games are wanted next, and what is made of them. Who plays them, and where, is no part
//! of it.
//!
//! ```text
//!  wanted() ─▶ tasks of a round, or of the check, in order ─▶ …played anywhere… ─▶ take() in the same order ─▶
//! wanted() …
//! ```
//! A task is a function of the search and its own numbers, and tasks follow from what was taken before: the same file
//! gives the same tasks with the same sums, on any threads, wherever they are played and however often the search was
//! interrupted.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::arm::{Arm, one_step};
use super::file::{Stage, Tuning, Wanted};
use super::goal::{Aspect, BlockSums, series};
use super::race::{Look, Race, Seen, Standing};
use upheaval_engine::bot::Pace;

/// Blocks of a task.
const BLOCKS_A_TASK: u32 = 64;
/// The same where a bot takes its time.
const BLOCKS_A_SLOW_TASK: u32 = 8;

/// The most settings that are measured for a front: a front of more is thinned out.
const MOST_OF_A_FRONT: usize = 12;

/// Some blocks of a setting among a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Under which seed.
    pub stage: Stage,
    /// The bot, by its place.
    pub bot: usize,
    /// The setting, by its place.
    pub arm: usize,
    /// The first block.
    pub first: u32,
    /// How many blocks.
    pub count: u32,
}

/// Why what was played is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another task is wanted first.
    #[error("another task is wanted than the one that was played: tasks are taken in their order")]
    Order,
    /// There are not as many blocks as the task has.
    #[error("the task has {wanted} blocks, and {found} were played")]
    Blocks {
        /// How many there must be.
        wanted: u32,
        /// How many there are.
        found: usize,
    },
}

/// What is done at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A round that ends with this block.
    Round(u32),
    /// The settings that were chosen are measured.
    Check,
    /// Nothing any more.
    Over,
}

/// A search that is under way.
pub struct Search {
    tuning: Arc<Tuning>,
    arms: Vec<Arm>,
    race: Race,
    /// By stage, setting and bot.
    blocks: [Vec<Vec<Vec<BlockSums>>>; 2],
    step: Step,
    queue: VecDeque<Task>,
    checked: Vec<usize>,
}

impl Search {
    /// A search of which nothing is played.
    pub fn new(tuning: Arc<Tuning>) -> Search {
        let empty = || vec![vec![Vec::new(); tuning.bots()]; tuning.arms().len()];
        let mut search = Search {
            arms: Arm::all(&tuning),
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

    /// The file's.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The settings.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// How the race stands.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// The settings that are measured on fresh blocks, in their order; none before the race is over.
    pub fn checked(&self) -> &[usize] {
        &self.checked
    }

    /// The blocks of a setting among a bot.
    pub fn blocks(&self, stage: Stage, arm: usize, bot: usize) -> &[BlockSums] {
        &self.blocks[stage as usize][arm][bot]
    }

    /// The tasks that can be played now, in the order in which they are taken; none where the search is over. All that
    /// are listed are independent of each other.
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

    /// Takes the blocks of the first task that is wanted.
    ///
    /// # Errors
    /// It is another task, or has another number of blocks. Then nothing is changed.
    pub fn take(&mut self, task: Task, blocks: Vec<BlockSums>) -> Result<(), Refusal> {
        if self.next() != Some(task) {
            return Err(Refusal::Order);
        }
        if blocks.len() != task.count as usize {
            return Err(Refusal::Blocks { wanted: task.count, found: blocks.len() });
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
                (Stage::Search, self.race.left().collect::<Vec<_>>(), blocks)
            }
            (_, None) => {
                self.checked = self.to_check();
                self.step = if self.checked.is_empty() { Step::Over } else { Step::Check };
                (Stage::Check, self.checked.clone(), 0..self.tuning.check_blocks)
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

    /// What the race looks at.
    fn seen(&self) -> Vec<Vec<Seen>> {
        let (tuning, powers) = (self.tuning(), self.tuning.powers());
        let of = |blocks: &Vec<BlockSums>| Seen {
            objective: series(tuning.objective, powers, blocks),
            bounded: tuning.bounds.iter().map(|bound| bound.of.parts(powers, blocks)).collect(),
        };
        let left: Vec<usize> = self.race.left().collect();
        let arms = self.blocks[Stage::Search as usize].iter().enumerate();
        arms.map(|(arm, bots)| if left.contains(&arm) { bots.iter().map(of).collect() } else { Vec::new() })
            .collect()
    }

    /// The last look at a setting.
    pub fn last_look(&self, arm: usize) -> Option<&Look> {
        self.race.rounds().iter().rev().find_map(|round| round.looks.iter().find(|look| look.arm == arm))
    }

    /// The bot among which a setting was the worst when it was last looked at. Figures on fresh blocks are told of this
    /// bot: to choose it by them would make them too bad.
    pub fn worst_bot(&self, arm: usize) -> usize {
        self.last_look(arm).map_or(0, |look| look.worst().0)
    }

    /// The settings one step from the favourite, each with the parameter that differs and its value there. Where
    /// several differ in the same way, for one parameter brings others with it, it is the one that looked best.
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

    /// The settings of which none is better in both the objective and this measure, by the games of the search.
    fn front(&self, aspect: Aspect, wanted: Wanted) -> Vec<usize> {
        let powers = self.tuning.powers();
        let point = |arm: usize| {
            let look = self.last_look(arm)?;
            let (bot, objective) = look.worst();
            let parts = aspect.parts(powers, self.blocks(Stage::Search, arm, bot));
            let mean = parts.iter().sum::<f64>() / parts.len() as f64;
            let inside = !matches!(look.standing, Standing::Outside { .. });
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

    /// What is measured on fresh blocks: the answer, what is one step from its favourite, and the fronts.
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

/// Of points with two values, both better when low, those than which no other is as good in both and better in one;
/// from the lowest first value up.
pub fn not_dominated(points: &[(usize, f64, f64)]) -> Vec<usize> {
    let beats =
        |a: &(usize, f64, f64), b: &(usize, f64, f64)| a.1 <= b.1 && a.2 <= b.2 && (a.1 < b.1 || a.2 < b.2);
    let mut front: Vec<&(usize, f64, f64)> =
        points.iter().filter(|point| points.iter().all(|other| !beats(other, point))).collect();
    front.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    front.into_iter().map(|point| point.0).collect()
}
