//! Plays the tasks of a search: here, or by a plan that any process of the same version can follow.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tune::answer::TuneAnswer;
use crate::tune::file::{CheckedSearch, SeedStage};
use crate::tune::folder::{FolderError, TuneSite};
use crate::tune::goal::{GoalSums, Metric, Objective, series};
use crate::tune::race::{Round, UNKNOWN, worst};
use crate::tune::search::{Task, TuneSearch};
use crate::tune::statistic::{LEAST_BLOCKS, Mean};
use upheaval_engine::diagnostic::{Source, wording};
use upheaval_harness::record::GameRows;
use upheaval_harness::sim::faults::FaultCounts;
use upheaval_harness::sim::plan::{PlanError, Worker, WorkerError};
use upheaval_harness::sim::{
    Catalogue, Experiment, ExperimentError, GameSpec, Observer, Overrides, Play, PlayError, Player, Registry,
    RunError, RunPlan, Schedule, pool,
};

/// Plays tasks on the threads of the caller.
pub struct GameTable {
    objective: Objective,
    /// The bots and the policy for their faults.
    experiment: Experiment,
    player: Player,
    /// By stage and bot, with the games of a block.
    schedules: [Vec<(Schedule, u32)>; 2],
}

impl GameTable {
    /// The table that plays the games of a search.
    pub fn of(tuning: &CheckedSearch) -> GameTable {
        let schedules = |stage| {
            let games = (0..tuning.bots()).map(|bot| tuning.games(stage, bot));
            games.map(|games| (games.schedule(), games.resolved.seating().block())).collect()
        };
        GameTable {
            objective: tuning.objective,
            player: tuning.experiment.player(),
            experiment: tuning.experiment.clone(),
            schedules: SeedStage::ALL.map(schedules),
        }
    }

    /// The blocks of a task of the search.
    ///
    /// # Errors
    /// The observer has stopped it, a program cannot be started, or a bot fails in too many games of the task.
    pub fn play<E>(&self, task: Task, observer: &dyn Observer) -> Result<Vec<GoalSums>, RunError<E>> {
        self.experiment.try_bots().map_err(RunError::Play)?;
        let (schedule, size) = &self.schedules[task.stage as usize][task.bot];
        let games = task.first * size..(task.first + task.count) * size;
        let specs: Vec<GameSpec> = games.map(|game| schedule.game(task.arm, game)).collect();
        let games = self.player.play_all(&specs, observer).ok_or(RunError::Interrupted)?;
        let mut counts = FaultCounts::default();
        games.iter().for_each(|record| counts.add(&record.game));
        match self.experiment.failing(&counts) {
            Some(failing) => Err(RunError::Play(PlayError::Failing(Box::new(failing)))),
            None => Ok(by_block(self.objective, &games)),
        }
    }
}

fn by_block(objective: Objective, games: &[GameRows]) -> Vec<GoalSums> {
    let blocks = games.chunk_by(|a, b| a.game.block == b.game.block);
    blocks.map(|block| GoalSums::of(objective, block)).collect()
}

/// All that determines the result of a task, for another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TunePlan {
    objective: Objective,
    /// By stage and bot.
    plans: Vec<Vec<RunPlan>>,
}

impl TunePlan {
    /// The plan of a search.
    pub fn of(tuning: &CheckedSearch) -> TunePlan {
        let plans = |stage| (0..tuning.bots()).map(|bot| RunPlan::of(&tuning.games(stage, bot))).collect();
        TunePlan { objective: tuning.objective, plans: SeedStage::ALL.into_iter().map(plans).collect() }
    }

    /// Its text, as JSON.
    pub fn to_json(&self) -> String {
        // Numbers, texts and JSON values always serialise; an empty plan would be refused when read.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A worker that plays tasks by the text of a plan, with the bots of a registry.
    ///
    /// # Errors
    /// It is not a plan, another version wrote it, or it needs something that is not available here.
    pub fn worker(text: &str, registry: &Registry) -> Result<TuneWorker, PlanError> {
        let plan: TunePlan =
            serde_json::from_str(text).map_err(|error| PlanError::form(&wording::of_json_at(&error)))?;
        let worker = |plan: &RunPlan| {
            let plan = RunPlan::read(&plan.to_json())?;
            Ok((plan.worker(registry)?, plan.experiment.seating().block()))
        };
        let stages = plan.plans.iter().map(|bots| bots.iter().map(worker).collect::<Result<Vec<_>, _>>());
        Ok(TuneWorker { objective: plan.objective, workers: stages.collect::<Result<_, _>>()? })
    }
}

/// Plays tasks by a plan.
pub struct TuneWorker {
    objective: Objective,
    /// By stage and bot, with the games of a block.
    workers: Vec<Vec<(Worker, u32)>>,
}

impl TuneWorker {
    /// The blocks of a task, played on this many threads; 0 for one per core.
    ///
    /// # Errors
    /// The plan has no such task, the threads cannot be started, or the observer stopped it.
    pub fn play(
        &self,
        task: Task,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<GoalSums>, WorkerError> {
        let worker = self.workers.get(task.stage as usize).and_then(|bots| bots.get(task.bot));
        let (worker, size) = worker.ok_or(WorkerError::NoPart(task.bot))?;
        let end = task.first.checked_add(task.count).and_then(|end| end.checked_mul(*size));
        let end = end.ok_or(WorkerError::NoPart(task.arm))?;
        let games = worker.games(task.arm, task.first * size..end, threads, observer)?;
        Ok(by_block(self.objective, &games))
    }
}

// A search from its file to its folder, played on this machine.

impl CheckedSearch {
    /// Plays what is missing of a search that [can be run](CheckedSearch::check_race), and writes its answer. `tell`
    /// receives each finished round, including those of an interrupted search, and the progress of the search: the
    /// games that have been played, and those that are currently wanted.
    ///
    /// # Errors
    /// Another process runs it, the threads cannot be started, the disk fails, or the observer stopped it.
    pub fn play(
        &self,
        site: &TuneSite,
        afresh: bool,
        mut tell: impl FnMut(&TuneSearch, &Round) + Send,
        observer: &dyn Observer,
    ) -> Result<TuneAnswer, RunError<FolderError>> {
        let pool = pool(self.experiment.threads).map_err(RunError::Play)?;
        let mut search = TuneSearch::new(Arc::new(self.clone()));
        let mut journal = site.open(&mut search, afresh)?;
        let table = GameTable::of(self);
        let mut told = 0;
        pool.install(|| {
            loop {
                search.race().rounds[told..].iter().for_each(|round| tell(&search, round));
                told = search.race().rounds.len();
                let Some(task) = search.next() else { return Ok(()) };
                let blocks = table.play(task, observer)?;
                journal.enter(task, &blocks)?;
                // This is the wanted task, with its blocks.
                let taken = search.take(task, blocks);
                debug_assert_eq!(taken, Ok(()));
            }
        })
        .map_err(|error: RunError<FolderError>| error)?;
        Ok(site.finish(&search, journal)?)
    }
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
    #[error("{found} blocks are too few for a squared distance; ask for at least {LEAST_BLOCKS}")]
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
    pub fn check_blocks(blocks: &Range<u32>) -> Result<(), MeasureError> {
        match blocks {
            blocks if blocks.end > MOST_BLOCKS => Err(MeasureError::Beyond { end: blocks.end }),
            blocks if blocks.len() < LEAST_BLOCKS as usize => {
                Err(MeasureError::TooFew { found: blocks.len() })
            }
            _ => Ok(()),
        }
    }

    /// Plays those of these blocks that have not been played yet with all bots, on the threads of the file or the
    /// caller, and returns the result. The blocks must have passed [`TunedPoint::check_blocks`].
    ///
    /// # Errors
    /// The threads cannot be started, or the observer stopped it.
    pub fn measure(
        &mut self,
        stage: SeedStage,
        blocks: Range<u32>,
        observer: &dyn Observer,
    ) -> Result<Measured, RunError<MeasureError>> {
        TunedPoint::check_blocks(&blocks).map_err(RunError::Sink)?;
        let pool = pool(self.tuning.experiment.threads).map_err(RunError::Play)?;
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
