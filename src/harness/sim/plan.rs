//! The plan of a run in a form that can be sent, and its parts: with the plan any process of the same version can play
//! any part of the run.
//!
//! ```text
//!  Experiment ── RunPlan::of() ─▶ RunPlan ═ to_json() ═▶ …another machine… ═ read() ═▶ RunPlan ── worker() ─▶ Worker
//!                                                                                                            │ play(k)
//!  RunFolder::accept() ◀═ Part::from_bytes() ◀═════════════════ bytes ═════════════════ to_bytes() ◀═ Part ◀─┘
//! ```
//! A part is a function of the plan and a number: its bytes do not depend on the machine, the threads, or the parts
//! played before.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::experiment::Experiment;
use super::faults::{FailingBot, FaultCounts};
use super::output::manifest::Code;
use super::part::{EncodeError, Encoder, Part};
use super::player::Player;
use super::registry::Registry;
use super::resolved::ResolvedExperiment;
use super::runner::{Observer, Play, PlayError, pool, try_out};
use super::schedule::{GameSpec, Schedule};
use super::shard::{ChunkList, Shard};
use super::stored::StoredRun;
use crate::record::GameRows;
use upheaval_engine::bot::{BotMaker, Incident};
use upheaval_engine::diagnostic::wording;
use upheaval_engine::rules::variant::Files;

/// Everything that determines the bytes of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// The program that made the plan.
    pub code: Code,
    /// The experiment's hash.
    pub experiment_hash: String,
    /// The experiment.
    pub experiment: ResolvedExperiment,
    /// The rules of each arm, as files.
    pub rules: BTreeMap<String, Files>,
    /// Games of each part except a variant's last.
    pub games_a_part: u32,
    /// Which shard of the run it is, if it is not the whole.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The largest share of its games in which a bot may fail ([`ResolvedExperiment::share`]).
    pub share: f64,
}

/// Why a plan cannot be followed here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(String);

impl PlanError {
    /// The text is not a plan.
    pub fn form(why: &str) -> PlanError {
        PlanError(format!("this is not the plan of a run: {why}"))
    }

    /// A bot is not available here.
    fn bot(name: &str, why: &str) -> PlanError {
        PlanError(format!("the bot `{name}` cannot play here: {why}"))
    }
}

/// Checks that a plan of this program can be followed here.
fn is_of_version(theirs: &Code) -> Result<(), PlanError> {
    let ours = Code::here();
    match theirs.is_version_of(&ours) {
        true => Ok(()),
        false => Err(PlanError(format!(
            "the plan was made by {theirs}, but this is {ours}: both must be the same, because their games may differ"
        ))),
    }
}

impl RunPlan {
    /// The plan of an experiment.
    pub fn of(experiment: &Experiment) -> RunPlan {
        let arms = experiment.variants.iter();
        RunPlan {
            code: Code::here(),
            experiment_hash: experiment.resolved.canonical().hash,
            experiment: experiment.resolved.clone(),
            rules: arms.map(|arm| (arm.id.clone(), arm.files.clone())).collect(),
            games_a_part: experiment.games_a_part(),
            shard: experiment.shard.clone(),
            share: experiment.resolved.share,
        }
    }

    /// The plan by which a run on disk is played again: the whole run, or this number of its chunks, evenly spread.
    ///
    /// # Errors
    /// Another version played it, its manifest does not describe its parts, or it names a program, which `upheaval
    /// replay --verify` starts with permission.
    pub fn of_stored(run: &StoredRun, chunks: Option<usize>) -> Result<RunPlan, PlanError> {
        is_of_version(&run.manifest.code)?;
        if let Some(bot) = run.experiment.bots.iter().find(|bot| bot.content.get("command").is_some()) {
            let why = "it is a program, and the run may come from anybody; use `upheaval replay --verify --allow-program`";
            return Err(PlanError::bot(&bot.name, why));
        }
        if let Some(bot) = run.manifest.recorded.first() {
            let why = "its decisions are recorded, because it is not declared to repeat them; use `upheaval replay --verify`";
            return Err(PlanError::bot(bot, why));
        }
        let schedule = run.schedule();
        let count = schedule.count();
        let whole = run.manifest.shard.clone().unwrap_or(Shard::WHOLE);
        let chosen = chunks.unwrap_or(count).clamp(1, count.max(1));
        let chosen = ChunkList::of((0..chosen).filter_map(|i| whole.chunk(i * count / chosen)));
        let mut experiment = run.experiment.clone();
        experiment.games = run.planned;
        Ok(RunPlan {
            code: Code::here(),
            experiment_hash: run.manifest.experiment_hash.clone(),
            experiment,
            rules: run.manifest.rules.clone(),
            games_a_part: run.manifest.games_a_part,
            shard: chosen.map(|chunks| Shard::Chunks { chunks }),
            share: 1.0,
        })
    }

    /// Its text, as JSON.
    pub fn to_json(&self) -> String {
        // Numbers, texts and JSON values always serialise; an empty plan would be refused when read.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the text of a plan, and checks that this program would play the same games.
    ///
    /// # Errors
    /// It is not a plan, was changed, or was made by another version.
    pub fn read(text: &str) -> Result<RunPlan, PlanError> {
        // The versions come first: another version may have another form.
        #[derive(Deserialize)]
        struct Head {
            code: Code,
        }
        let form = |error: serde_json::Error| PlanError::form(&wording::of_json_at(&error));
        is_of_version(&serde_json::from_str::<Head>(text).map_err(form)?.code)?;
        let plan: RunPlan = serde_json::from_str(text).map_err(form)?;
        if plan.experiment.canonical().hash != plan.experiment_hash {
            let what = "the plan was changed: the hash of its experiment does not match";
            return Err(PlanError(what.to_owned()));
        }
        match plan.games_a_part > 0 && plan.shard.as_ref().is_none_or(Shard::is_sound) {
            true => Ok(plan),
            false => Err(PlanError::form("its parts have no games, or its shard does not exist")),
        }
    }

    /// Its games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.experiment, self.games_a_part, self.shard.clone())
    }

    /// A worker that plays its parts, with the bots of a registry. Programs that it names are started when they have to
    /// move: follow a plan only if its author is trusted.
    ///
    /// # Errors
    /// Its rules are not valid, or a bot is not available here or plays differently.
    pub fn worker(&self, registry: &Registry) -> Result<Worker, PlanError> {
        let arms = self.experiment.variants.iter().map(|arm| {
            arm.variant(self.rules.get(&arm.id)).map_err(|why| {
                PlanError(format!("the rules of the arm `{}` are not those of the plan{why}", arm.id))
            })
        });
        let variants: Vec<Arc<_>> = arms.collect::<Result<_, _>>()?;
        let bots = self.experiment.bots.iter().map(|bot| {
            registry.recreate(&bot.name, &bot.content).map_err(|why| PlanError::bot(&bot.name, &why))
        });
        let bots: Vec<BotMaker> = bots.collect::<Result<_, _>>()?;
        Ok(Worker {
            experiment: self.experiment.clone(),
            player: Player::new(variants, bots.clone()).with_faults(self.experiment.faults.clone()),
            share: self.share,
            bots,
            schedule: self.schedule(),
            encoder: Encoder::new(&self.experiment, &self.experiment_hash),
        })
    }
}

/// Plays parts of a plan.
pub struct Worker {
    schedule: Schedule,
    player: Player,
    encoder: Encoder,
    experiment: ResolvedExperiment,
    bots: Vec<BotMaker>,
    share: f64,
}

/// Why a part was not played.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is no part with this number.
    #[error("the plan has no part {0}")]
    NoPart(usize),
    /// Its games cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The observer stopped it.
    #[error("the part was interrupted")]
    Interrupted,
    /// A table could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Worker {
    /// Plays the part with this number, from 0, on this many threads; 0 for one per core.
    ///
    /// # Errors
    /// There is no such part, the threads cannot be started, or the observer stopped it.
    pub fn play(&self, at: usize, threads: usize, observer: &dyn Observer) -> Result<Part, WorkerError> {
        let chunk = self.schedule.chunk(at).ok_or(WorkerError::NoPart(at))?;
        pool(threads)?.install(|| {
            let games = self.play_all(&self.schedule.games_in(&chunk), observer)?;
            Ok(self.encoder.encode(at, &chunk, &games)?)
        })
    }

    /// The records of these games of an arm, by their numbers within it, played on this many threads; 0 for one per
    /// core.
    ///
    /// # Errors
    /// There are no such games, the threads cannot be started, or the observer stopped it.
    pub fn games(
        &self,
        arm: usize,
        games: Range<u32>,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<GameRows>, WorkerError> {
        if arm >= self.experiment.variants.len() || games.end > self.experiment.games {
            return Err(WorkerError::NoPart(arm));
        }
        let pool = pool(threads)?;
        let specs: Vec<GameSpec> = games.map(|game| self.schedule.game(arm, game)).collect();
        pool.install(|| self.play_all(&specs, observer))
    }

    /// Plays these games, if all programs can be started and none fails too often.
    fn play_all(&self, specs: &[GameSpec], observer: &dyn Observer) -> Result<Vec<GameRows>, WorkerError> {
        try_out(self.makers())?;
        let games = self.player.play_all(specs, observer).ok_or(WorkerError::Interrupted)?;
        let mut counts = FaultCounts::default();
        games.iter().for_each(|record| counts.add(&record.game));
        let failing = FailingBot::find(&counts, self.share, self.makers());
        failing.map_or(Ok(games), |failing| Err(PlayError::Failing(Box::new(failing)).into()))
    }

    /// The name, the content and the maker of each bot.
    fn makers(&self) -> impl Iterator<Item = (&str, &serde_json::Value, &BotMaker)> + Clone {
        self.experiment.bots.iter().zip(&self.bots).map(|(bot, maker)| (&*bot.name, &bot.content, maker))
    }

    /// Ends the programs that wait for a game; others are started for the next part.
    pub fn dismiss(&self) {
        self.bots.iter().for_each(BotMaker::dismiss);
    }

    /// Incidents of the programs that play, by bot.
    pub fn incidents(&self) -> BTreeMap<&str, Vec<Incident>> {
        self.makers().map(|(bot, _, maker)| (bot, maker.incidents())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::mock;
    use super::*;

    #[test]
    fn a_plan_of_another_version_or_with_another_experiment_is_refused() {
        let text = RunPlan::of(&mock::experiment("rotated", 70)).to_json();
        assert!(RunPlan::read(&text).is_ok());
        let changes = [
            ("\"behaviour_version\":", "\"behaviour_version\":9", "the plan was made by upheaval"),
            ("\"seed\":", "\"seed\":1", "the plan was changed"),
            ("\"games_a_part\":", "\"games_a_part\":0,\"x\":", "this is not the plan of a run: its parts"),
            ("{", "", "this is not the plan of a run"),
        ];
        for (piece, by, expected) in changes {
            let error = RunPlan::read(&text.replacen(piece, by, 1)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
