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

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::experiment::{Experiment, Logging, MapLog};
use super::faults::{FailingBot, FaultCounts};
use super::output::manifest::Code;
use super::output::{part_name, tables};
use super::player::Player;
use super::registry::Registry;
use super::resolved::ResolvedExperiment;
use super::runner::{Observer, Play};
use super::schedule::{Chunk, GameSpec, Schedule};
use super::shard::{ChunkList, Shard};
use super::stored::StoredRun;
use crate::record::column::TableRow;
use crate::record::listed::{SentFile, TableOrigin};
use crate::record::parquet::{EncodedTable, RunMeta, TableWriter, reason};
use crate::record::reader::{self, ReadError};
use crate::record::{
    DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TableFrame, TopologyRow, TurnRow,
};
use upheaval_engine::bot::{BotMaker, Incident};
use upheaval_engine::diagnostic::wording;
use upheaval_engine::rules::variant::Files;
use upheaval_map::ids::PowerNames;

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
    /// The largest share of its games in which a bot may fail ([`FaultRule::share`](super::FaultRule::share)).
    pub share: f64,
}

/// Why a plan cannot be followed here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It is not a plan.
    #[error("this is not the plan of a run: {0}")]
    Form(String),
    /// Another version made it.
    #[error(
        "the plan was made by {theirs}, but this is {ours}: both must be the same, because their games may differ"
    )]
    Version {
        /// The program that made it.
        theirs: String,
        /// This program.
        ours: String,
    },
    /// It was changed.
    #[error("the plan was changed: the hash of its experiment does not match")]
    Changed,
    /// An arm's rules are not those of the experiment.
    #[error("the rules of the arm `{arm}` are not those of the plan{why}")]
    Rules {
        /// The arm.
        arm: String,
        /// Their fault, after a colon; empty if they are valid.
        why: String,
    },
    /// A bot is not available here.
    #[error("the bot `{bot}` cannot play here: {why}")]
    Bot {
        /// The bot.
        bot: String,
        /// The reason.
        why: String,
    },
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
            share: experiment.resolved.faults.share,
        }
    }

    /// The plan by which a run on disk is played again: the whole run, or this number of its chunks, evenly spread.
    ///
    /// # Errors
    /// Another version played it, its manifest does not describe its parts, or it names a program, which `upheaval
    /// replay --verify` starts with permission.
    pub fn of_stored(run: &StoredRun, chunks: Option<usize>) -> Result<RunPlan, PlanError> {
        let (theirs, ours) = (&run.manifest.code, Code::here());
        if !theirs.is_version_of(&ours) {
            return Err(PlanError::Version { theirs: theirs.to_string(), ours: ours.to_string() });
        }
        if let Some(bot) = run.experiment.bots.iter().find(|bot| bot.content.get("command").is_some()) {
            let why = "it is a program, and the run may come from anybody; use `upheaval replay --verify --allow-program`";
            return Err(PlanError::Bot { bot: bot.name.clone(), why: why.to_owned() });
        }
        if let Some(bot) = run.manifest.recorded.first() {
            let why = "its decisions are recorded, because it is not declared to repeat them; use `upheaval replay --verify`";
            return Err(PlanError::Bot { bot: bot.clone(), why: why.to_owned() });
        }
        let schedule = run.schedule();
        let count = schedule.count();
        let whole = run.manifest.shard.clone().unwrap_or(Shard::WHOLE);
        let chosen = chunks.unwrap_or(count).clamp(1, count.max(1));
        let chosen = ChunkList::of((0..chosen).filter_map(|i| whole.chunk(i * count / chosen)));
        let mut experiment = run.experiment.clone();
        experiment.games = run.planned;
        Ok(RunPlan {
            code: ours,
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
        let form = |error: serde_json::Error| PlanError::Form(wording::of_json_at(&error));
        let (theirs, ours) = (serde_json::from_str::<Head>(text).map_err(form)?.code, Code::here());
        if !theirs.is_version_of(&ours) {
            return Err(PlanError::Version { theirs: theirs.to_string(), ours: ours.to_string() });
        }
        let plan: RunPlan = serde_json::from_str(text).map_err(form)?;
        if plan.experiment.canonical().hash != plan.experiment_hash {
            return Err(PlanError::Changed);
        }
        match plan.games_a_part > 0 && plan.shard.as_ref().is_none_or(Shard::is_sound) {
            true => Ok(plan),
            false => Err(PlanError::Form("it has no sound parts".to_owned())),
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
            arm.variant(self.rules.get(&arm.id)).map_err(|why| PlanError::Rules { arm: arm.id.clone(), why })
        });
        let variants: Vec<Arc<_>> = arms.collect::<Result<_, _>>()?;
        let bots = self.experiment.bots.iter().map(|bot| {
            let not_here = |why| PlanError::Bot { bot: bot.name.clone(), why };
            registry.recreate(&bot.name, &bot.content).map_err(not_here)
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
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The cause.
        source: rayon::ThreadPoolBuildError,
    },
    /// The observer stopped it.
    #[error("the part was interrupted")]
    Interrupted,
    /// A program cannot be started.
    #[error("the bot `{bot}` cannot be started: {why}")]
    Bot {
        /// The bot.
        bot: String,
        /// Why, with its command.
        why: String,
    },
    /// A bot fails in too many games of the part.
    #[error(transparent)]
    Failing(Box<FailingBot>),
    /// A table could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, WorkerError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("upheaval-{i}"))
        .build()
        .map_err(|source| WorkerError::Threads { threads, source })
}

impl Worker {
    /// Plays the part with this number, from 0, on this many threads; 0 for one per core.
    ///
    /// # Errors
    /// There is no such part, the threads cannot be started, or the observer stopped it.
    pub fn play(&self, at: usize, threads: usize, observer: &dyn Observer) -> Result<Part, WorkerError> {
        let chunk = self.schedule.chunk(at).ok_or(WorkerError::NoPart(at))?;
        let pool = pool(threads)?;
        let specs: Vec<GameSpec> =
            chunk.games.clone().map(|game| self.schedule.game(chunk.variant, game)).collect();
        pool.install(|| {
            let games = self.play_all(&specs, observer)?;
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
        for (bot, maker) in self.experiment.bots.iter().zip(&self.bots) {
            maker.try_out().map_err(|why| WorkerError::Bot { bot: bot.name.clone(), why })?;
        }
        let games = self.player.play_all(specs, observer).ok_or(WorkerError::Interrupted)?;
        let mut counts = FaultCounts::default();
        games.iter().for_each(|record| counts.add(&record.game));
        let failing = FailingBot::find(&counts, self.share, |name| {
            let bots = self.experiment.bots.iter().zip(&self.bots);
            let (bot, maker) = bots.into_iter().find(|(bot, _)| bot.name == name)?;
            Some((&bot.content, maker))
        });
        failing.map_or(Ok(games), |failing| Err(WorkerError::Failing(Box::new(failing))))
    }

    /// Ends the programs that wait for a game; others are started for the next part.
    pub fn dismiss(&self) {
        self.bots.iter().for_each(BotMaker::dismiss);
    }

    /// Incidents of the programs that play, by bot.
    pub fn incidents(&self) -> BTreeMap<&str, Vec<Incident>> {
        self.experiment
            .bots
            .iter()
            .map(|bot| bot.name.as_str())
            .zip(self.bots.iter().map(BotMaker::incidents))
            .collect()
    }
}

/// The files of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its identity.
    pub head: PartHead,
    /// The bytes of each file, in the order of the head.
    pub bytes: Vec<Bytes>,
}

/// The identity of a part, and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHead {
    /// The hash of the experiment.
    pub experiment_hash: String,
    /// The chunk, by its index in the schedule.
    pub chunk: usize,
    /// The arm, by its index in the experiment.
    pub variant: usize,
    /// Would the same experiment give the same bytes?
    pub repeatable: bool,
    /// Its files.
    pub files: Vec<PartFile>,
}

/// A file of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// Its path below the run folder, with `/`.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Its bytes.
    pub bytes: usize,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// Why bytes are not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPart {
    /// They do not begin with a head.
    #[error("the bytes do not begin with the head of a part: {0}")]
    Head(String),
    /// Their number differs from that in the head.
    #[error("the part has {found} bytes of files, but its head says {expected}")]
    Length {
        /// The required number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// A file was changed in transit.
    #[error("`{0}` was changed in transit: its hash differs")]
    Changed(String),
}

impl Part {
    /// Its bytes, for another process: a line with the head as JSON, followed by the files.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A struct of numbers and texts always serialises; an empty head would be refused when read.
        let mut bytes = serde_json::to_vec(&self.head).unwrap_or_default();
        bytes.push(b'\n');
        self.bytes.iter().for_each(|file| bytes.extend_from_slice(file));
        bytes
    }

    /// The part of these bytes.
    ///
    /// # Errors
    /// They are not the bytes of a part, or a file differs from the head.
    pub fn from_bytes(bytes: &[u8]) -> Result<Part, NoPart> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| NoPart::Head("they have no line".to_owned()))?;
        let head: PartHead = serde_json::from_slice(&bytes[..end])
            .map_err(|error| NoPart::Head(wording::of_json_at(&error)))?;
        let mut rest = &bytes[end + 1..];
        let expected = head.files.iter().fold(0_usize, |sum, file| sum.saturating_add(file.bytes));
        if rest.len() != expected {
            return Err(NoPart::Length { expected, found: rest.len() });
        }
        let mut files = Vec::with_capacity(head.files.len());
        for file in &head.files {
            let (own, others) = rest.split_at(file.bytes);
            rest = others;
            if blake3::hash(own).to_hex().as_str() != file.blake3 {
                return Err(NoPart::Changed(file.path.clone()));
            }
            files.push(Bytes::copy_from_slice(own));
        }
        Ok(Part { head, bytes: files })
    }

    /// The rows of its games, on a board with these powers.
    ///
    /// # Errors
    /// It does not contain such rows.
    pub fn games(&self, powers: &PowerNames) -> Result<Vec<GameRow>, ReadError> {
        let of_table = |table: &str| {
            let mut files = self.head.files.iter().zip(&self.bytes);
            let found = files.find(|(file, _)| file.path.split('/').next() == Some(table));
            let (path, bytes) =
                found.map(|(file, bytes)| (file.path.clone(), bytes.clone())).unwrap_or_default();
            SentFile { path, bytes, origin: TableOrigin::of(&self.head.experiment_hash) }
        };
        reader::games(&of_table(GameRow::TABLE), &of_table(SeatRow::TABLE), powers)
    }
}

/// Encodes the files of a run's chunks.
pub(crate) struct Encoder {
    meta: RunMeta,
    variants: Vec<String>,
    /// For each variant.
    frames: Vec<TableFrame>,
    logging: Logging,
    maps: MapLog,
}

/// Why a table cannot be encoded.
#[derive(Debug, thiserror::Error)]
#[error("cannot encode `{path}`: {source}")]
pub struct EncodeError {
    /// Its path below the run folder.
    pub path: String,
    /// The cause.
    pub source: std::io::Error,
}

impl Encoder {
    /// The encoder of an experiment; its hash is given.
    pub(crate) fn new(experiment: &ResolvedExperiment, hash: &str) -> Encoder {
        Encoder {
            meta: RunMeta { name: experiment.name.clone(), hash: hash.to_owned(), seed: experiment.seed },
            variants: experiment.variants.iter().map(|arm| arm.id.clone()).collect(),
            frames: (0..experiment.variants.len()).map(|arm| experiment.frame(arm)).collect(),
            logging: experiment.log.logging(),
            maps: experiment.log.maps(),
        }
    }

    /// The origin of its tables.
    pub(crate) fn origin(&self) -> TableOrigin {
        TableOrigin::of(&self.meta.hash)
    }

    /// The context of the tables of a variant, in addition to the schema.
    pub(crate) fn frame(&self, variant: usize) -> &TableFrame {
        &self.frames[variant]
    }

    /// Checks that a part is the chunk of this run with this index in the schedule.
    ///
    /// # Errors
    /// It belongs to another chunk or another run; the error is a sentence.
    pub(crate) fn expects(&self, at: usize, chunk: &Chunk, head: &PartHead) -> Result<(), String> {
        let hash = &self.meta.hash;
        if head.experiment_hash != *hash {
            return Err(format!("it belongs to the experiment {}, but this is {hash}", head.experiment_hash));
        }
        if head.chunk != at {
            return Err(format!("it is chunk {}, but the next is {at}", head.chunk));
        }
        match head.variant == chunk.variant
            && self.are_files_of(chunk, head.files.iter().map(|f| (&*f.path, f.rows)))
        {
            true => Ok(()),
            false => Err("its files are not those of the chunk".to_owned()),
        }
    }

    /// Are these, with their rows, exactly the files of a chunk?
    pub(crate) fn are_files_of<'a>(
        &self,
        chunk: &Chunk,
        files: impl Iterator<Item = (&'a str, u64)>,
    ) -> bool {
        let id = &self.variants[chunk.variant];
        let mut expected = tables(self.logging, self.maps).map(|table| part_name(table, id, chunk.part));
        // The first table has a row for each game.
        let mut first_rows = Some(chunk.games.len() as u64);
        let mut all = true;
        for (path, rows) in files {
            all &= expected.next().is_some_and(|name| name == path);
            all &= first_rows.take().is_none_or(|games| games == rows);
        }
        all && expected.next().is_none()
    }

    /// The files of the chunk with this index in the schedule, from its games.
    ///
    /// # Errors
    /// A table cannot be encoded.
    pub(crate) fn encode(&self, at: usize, chunk: &Chunk, games: &[GameRows]) -> Result<Part, EncodeError> {
        let mut part = Part {
            head: PartHead {
                experiment_hash: self.meta.hash.clone(),
                chunk: at,
                variant: chunk.variant,
                repeatable: !games.iter().any(|game| game.game.hangs_on_time()),
                files: Vec::new(),
            },
            bytes: Vec::new(),
        };
        self.add::<GameRow>(&mut part, chunk, games)?;
        self.add::<SeatRow>(&mut part, chunk, games)?;
        self.add::<TurnRow>(&mut part, chunk, games)?;
        self.add::<TopologyRow>(&mut part, chunk, games)?;
        self.add::<DistanceRow>(&mut part, chunk, games)?;
        self.add::<EventRow>(&mut part, chunk, games)?;
        if self.logging == Logging::WithOrders {
            self.add::<OrderRow>(&mut part, chunk, games)?;
        }
        if self.maps == MapLog::EachPhase {
            self.add::<MapRow>(&mut part, chunk, games)?;
        }
        Ok(part)
    }

    /// Adds a table's file.
    fn add<R: TableRow>(
        &self,
        part: &mut Part,
        chunk: &Chunk,
        games: &[GameRows],
    ) -> Result<(), EncodeError> {
        let id = &self.variants[chunk.variant];
        let path = part_name(R::TABLE, id, chunk.part);
        let failed = |error| EncodeError { path: path.clone(), source: reason(error) };
        let mut writer =
            TableWriter::new::<R>(&self.meta, id, &self.frames[chunk.variant]).map_err(failed)?;
        writer.write(games).map_err(failed)?;
        let EncodedTable { bytes, rows } = writer.finish().map_err(failed)?;
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        part.head.files.push(PartFile { path, rows, bytes: bytes.len(), blake3 });
        part.bytes.push(bytes.into());
        Ok(())
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
        let error = RunPlan::read(&text.replacen("\"behaviour_version\":", "\"behaviour_version\":9", 1));
        assert!(matches!(error, Err(PlanError::Version { .. })), "{error:?}");
        let error = RunPlan::read(&text.replacen("\"seed\":", "\"seed\":1", 1));
        assert_eq!(error, Err(PlanError::Changed));
        assert!(matches!(RunPlan::read("{}"), Err(PlanError::Form(_))));
        let none = text.replacen("\"games_a_part\":", "\"games_a_part\":0,\"x\":", 1);
        assert!(matches!(RunPlan::read(&none), Err(PlanError::Form(_))));
    }
}
