//! Plays the tasks of a search: here, or by a plan that any process of the same version can follow.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::balance::tally::FairnessMeasure;
use crate::tune::answer::TuneAnswer;
use crate::tune::file::{CheckedSearch, Players, SeedStage};
use crate::tune::folder::{FolderError, TuneSite};
use crate::tune::goal::{GoalSums, Metric, Objective, name_of};
use crate::tune::race::Round;
use crate::tune::search::{Task, TuneSearch};
use crate::tune::text;
use upheaval_engine::diagnostic::wording;
use upheaval_harness::record::GameRows;
use upheaval_harness::sim::faults::FaultCounts;
use upheaval_harness::sim::labels::Labels;
use upheaval_harness::sim::plan::{PlanError, Worker, WorkerError};
use upheaval_harness::sim::resolved::Arm;
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
        let schedules = |stage| (0..tuning.bots()).map(|bot| tuning.games(stage, bot).schedule()).collect();
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
        let form = |why: String| PlanError::form(&why);
        let plan: TunePlan = serde_json::from_str(text).map_err(|error| form(wording::of_json_at(&error)))?;
        let objective = match &plan.objective {
            None => Objective::Near { of: Metric::Length, target: 0.0 },
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
        let threads = self.experiment.threads;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("upheaval-{i}"))
            .build()
            .map_err(|source| RunError::Threads { threads, source })?;
        let mut search = TuneSearch::new(Arc::new(self.clone()));
        let mut journal = site.open(&mut search, afresh)?;
        let table = GameTable::of(self);
        let mut told = 0;
        pool.install(|| {
            loop {
                search.race().rounds()[told..].iter().for_each(|round| tell(&search, round));
                told = search.race().rounds().len();
                let Some(task) = search.next() else { return Ok(()) };
                let blocks = table.play(task, observer)?;
                journal.enter(task, &blocks)?;
                // This is the wanted task, with its blocks.
                let taken = search.take(task, blocks);
                debug_assert_eq!(taken, Ok(()));
            }
        })
        .map_err(|error: RunError<FolderError>| error)?;
        let answer = TuneAnswer::of(&search, &site.hash);
        Ok(site.finish(&search, journal, &text::render(&search, &answer))?)
    }
}

// A setting as texts and tables name it: the variant, and the parameters that are swept in it.

/// The name of the variant among the parameters.
pub(crate) const VARIANT: &str = "variant";

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedArm {
    /// The arm's id, as in tables and in folders of experiments.
    pub id: String,
    /// Its display name, as in balances and reports.
    pub label: String,
    /// Its values: the variant where there are several, and the parameters that are swept in it, in the order of the
    /// file.
    pub values: Vec<(String, Value)>,
}

impl TunedArm {
    /// The settings of a search.
    pub fn all(tuning: &CheckedSearch) -> Vec<TunedArm> {
        let labels = Labels::of(tuning.arms());
        let base = |arm: &Arm| arm.base.as_ref().unwrap_or(&arm.id).clone();
        let several = tuning.arms().iter().any(|arm| base(arm) != base(&tuning.arms()[0]));
        let of = |arm: &Arm| {
            let variant = several.then(|| (VARIANT.to_owned(), Value::String(base(arm))));
            let values = arm.settings().map(|set| (set.parameter, set.value));
            TunedArm {
                id: arm.id.clone(),
                label: labels.label(&arm.id).to_owned(),
                values: variant.into_iter().chain(values).collect(),
            }
        };
        tuning.arms().iter().map(of).collect()
    }

    /// The value of a parameter, if it has one.
    pub(crate) fn value(&self, parameter: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| name == parameter).map(|(_, value)| value)
    }
}

/// The parameter in which two settings differ, if it is a single one and differs by one step: to the next value of a
/// number, or to any other word. Parameters that only one of them has belong to its variant and do not count.
pub(crate) fn one_step(arms: &[TunedArm], from: usize, to: usize) -> Option<String> {
    let (from, to) = (&arms[from], &arms[to]);
    let differs = |(name, value): &&(String, Value)| to.value(name).is_some_and(|other| other != value);
    let mut different = from.values.iter().filter(differs);
    let (name, value) = different.next()?;
    if different.next().is_some() {
        return None;
    }
    let other = to.value(name)?;
    if let (Value::Integer(a), Value::Integer(b)) = (value, other) {
        let (low, high) = (a.min(b), a.max(b));
        let between =
            |arm: &TunedArm| matches!(arm.value(name), Some(Value::Integer(n)) if low < n && n < high);
        if arms.iter().any(between) {
            return None;
        }
    }
    Some(name.clone())
}

#[cfg(test)]
mod arm_tests {
    use super::*;

    fn arm(variant: &str, values: &[(&str, Value)]) -> TunedArm {
        let own = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let variant = (VARIANT.to_owned(), Value::from(variant));
        let [id, label] = [variant.1.to_string(), String::new()];
        TunedArm { id, label, values: [variant].into_iter().chain(own).collect() }
    }

    #[test]
    fn one_step_is_the_next_number_or_another_word_in_one_parameter() {
        let holes = |n: i64, closure: &str| {
            arm("black-hole", &[("holes.per_season", n.into()), ("holes.closure", closure.into())])
        };
        let arms = [
            holes(1, "void"),
            holes(2, "void"),
            holes(3, "void"),
            holes(1, "collapse"),
            arm("standard", &[]),
        ];
        let step = |a, b| one_step(&arms, a, b);
        assert_eq!(step(0, 1).as_deref(), Some("holes.per_season"));
        assert_eq!((step(0, 2), step(0, 0), step(1, 3)), (None, None, None));
        assert_eq!(step(0, 3).as_deref(), Some("holes.closure"));
        // The other variant has no holes, so the hole parameters of the first do not count.
        assert_eq!((step(0, 4).as_deref(), step(4, 2).as_deref()), (Some(VARIANT), Some(VARIANT)));
    }
}
