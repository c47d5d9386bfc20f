//! Plays the tasks of a search: here, or by a plan that any process of the same version can follow.

use serde::{Deserialize, Serialize};

use crate::balance::tally::FairnessMeasure;
use crate::tune::file::{CheckedSearch, Players, SeedStage};
use crate::tune::goal::{Aspect, GoalSums, Objective, name_of};
use crate::tune::search::Task;
use upheaval_engine::diagnostic::wording;
use upheaval_harness::record::GameRows;
use upheaval_harness::sim::failing::FaultCounts;
use upheaval_harness::sim::plan::{PlanError, Worker, WorkerError};
use upheaval_harness::sim::{
    Experiment, GameSpec, Observer, Play, Player, Registry, RunError, RunPlan, Schedule,
};

/// Plays tasks on the threads of the caller.
pub struct GameTable {
    objective: Objective,
    /// The bots and the policy for their faults.
    experiment: Experiment,
    player: Player,
    /// By stage and bot.
    schedules: [Vec<Schedule>; 2],
    /// The games of a block, by bot.
    sizes: Vec<u32>,
}

impl GameTable {
    /// The table that plays the games of a search.
    pub fn of(tuning: &CheckedSearch) -> GameTable {
        let schedules =
            |stage| (0..tuning.bots()).map(|bot| Schedule::new(&tuning.games(stage, bot))).collect();
        GameTable {
            objective: tuning.objective,
            player: tuning.experiment.player(),
            experiment: tuning.experiment.clone(),
            schedules: SeedStage::ALL.map(schedules),
            sizes: tuning.players.iter().map(Players::block).collect(),
        }
    }

    /// The blocks of a task of the search.
    ///
    /// # Errors
    /// The observer has stopped it, a program cannot be started, or a bot fails in too many games of the task.
    pub fn play<E>(&self, task: Task, observer: &dyn Observer) -> Result<Vec<GoalSums>, RunError<E>> {
        self.experiment.try_bots()?;
        let schedule = &self.schedules[task.stage as usize][task.bot];
        let size = self.sizes[task.bot];
        let games = task.first * size..(task.first + task.count) * size;
        let specs: Vec<GameSpec> = games.map(|game| schedule.game(task.arm, game)).collect();
        let games = self.player.play_all(&specs, observer).ok_or(RunError::Interrupted)?;
        let mut counts = FaultCounts::default();
        games.iter().for_each(|record| counts.add(&record.game));
        match self.experiment.failing(&counts) {
            Some(failing) => Err(RunError::Failing(Box::new(failing))),
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
    /// The objective: the name of a measure of fairness; `None` where it is the mean of a measure.
    objective: Option<String>,
    /// By stage and bot.
    plans: Vec<Vec<RunPlan>>,
}

impl TunePlan {
    /// The plan of a search.
    pub fn of(tuning: &CheckedSearch) -> TunePlan {
        let plans = |stage| (0..tuning.bots()).map(|bot| RunPlan::of(&tuning.games(stage, bot))).collect();
        let objective = match tuning.objective {
            Objective::Fairness(measure) => Some(name_of(measure).to_owned()),
            Objective::Near { .. } => None,
        };
        TunePlan { objective, plans: SeedStage::ALL.into_iter().map(plans).collect() }
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
        let form = |why: String| PlanError::Form(why);
        let plan: TunePlan = serde_json::from_str(text).map_err(|error| form(wording::of_json_at(&error)))?;
        let objective = match &plan.objective {
            None => Objective::Near { of: Aspect::Length, target: 0.0 },
            Some(name) => {
                let measure = FairnessMeasure::ALL.into_iter().find(|measure| name_of(*measure) == name);
                Objective::Fairness(measure.ok_or_else(|| form(format!("there is no objective `{name}`")))?)
            }
        };
        let worker = |plan: &RunPlan| {
            let plan = RunPlan::read(&plan.to_json())?;
            Ok((plan.worker(registry)?, plan.experiment.seating().block()))
        };
        let stages = plan.plans.iter().map(|bots| bots.iter().map(worker).collect::<Result<Vec<_>, _>>());
        Ok(TuneWorker { objective, workers: stages.collect::<Result<_, _>>()? })
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
