//! Plays a schedule on a pool of threads, a chunk of games at a time, into a [`Sink`]: the run folder of an experiment,
//! or tables in memory.
//!
//! ```text
//!  Experiment ── forecast() ─▶ Forecast                what there is of it, and what the rest takes; nothing is written
//!             ── begin() ────▶ Run ── finish() ─▶ RunReport         the run folder and its manifest
//!                               └── kept(): the games that an interrupted run has finished
//! ```
//! While chunk *k + 1* is played, chunk *k* is passed to the sink on the same pool, in order. At most two chunks of
//! records are therefore in memory, however many games there are, and the input of the sink does not depend on the
//! threads. Nothing here prints: implement [`Observer`] to follow the progress of a run. An interrupted run is resumed
//! by starting it again: the chunks in its journal are kept, the rest is played.

use rayon::prelude::*;

use super::estimate::{RunEstimate, estimate};
use super::experiment::Experiment;
use super::faults::{FailingBot, FaultCounts};
use super::output::location::RunLocation;
use super::output::place::{FoundRun, Start};
use super::output::{Disk, OutputError, RunFolder, RunReport, StoredChunk};
use super::schedule::{Chunk, GameSpec, Schedule};
use super::shard::Shard;
use crate::record::{GameRow, GameRows, TopologyRow};

/// Plays one game. It must depend on its argument alone.
pub trait Play: Sync {
    /// Plays the game to its end.
    fn play(&self, spec: &GameSpec) -> GameRows;

    /// Plays these games of one variant, in their order, on the threads of the caller; `None` if the observer stops it.
    fn play_all(&self, specs: &[GameSpec], observer: &dyn Observer) -> Option<Vec<GameRows>> {
        play_each(self, specs, observer)
    }
}

impl<F: Fn(&GameSpec) -> GameRows + Sync> Play for F {
    fn play(&self, spec: &GameSpec) -> GameRows {
        self(spec)
    }
}

/// Takes the games, in order.
pub trait Sink: Send {
    /// The error of the sink.
    type Error: Send;
    /// How many chunks of the schedule, from the first on, it already has: these are not played.
    fn finished(&self) -> usize {
        0
    }
    /// Takes the games of one chunk, in their order.
    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), Self::Error>;
}

/// Watches a run. Calls come from many threads, in no order.
pub trait Observer: Sync {
    /// A game is over.
    fn played(&self, _spec: &GameSpec, _game: &GameRow) {}

    /// Is the run to be stopped? Called before each game. A chunk with a game that was not played is not passed to the
    /// sink.
    fn stops(&self) -> bool {
        false
    }

    /// Are the games of the chunk that was just played not to be passed to the sink? The run is stopped too.
    fn refuses(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
impl Observer for () {}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for; 0 for one per core.
        threads: usize,
        /// The cause.
        source: rayon::ThreadPoolBuildError,
    },
    /// The observer stopped it.
    #[error("the run was interrupted: its finished part is kept, and it is resumed when it is started again")]
    Interrupted,
    /// A bot cannot be started.
    #[error("the bot `{bot}` cannot be started: {why}")]
    Bot {
        /// The bot.
        bot: String,
        /// Why, with the command as the user wrote it.
        why: String,
    },
    /// A bot fails in too many of its games.
    #[error(transparent)]
    Failing(Box<FailingBot>),
    /// The sink failed.
    #[error(transparent)]
    Sink(E),
}

impl<E> RunError<E> {
    /// The error of the sink.
    ///
    /// # Errors
    /// It has another cause: the same error of a run into another sink.
    pub fn of_sink<F>(self) -> Result<E, RunError<F>> {
        Err(match self {
            RunError::Sink(error) => return Ok(error),
            RunError::Threads { threads, source } => RunError::Threads { threads, source },
            RunError::Interrupted => RunError::Interrupted,
            RunError::Bot { bot, why } => RunError::Bot { bot, why },
            RunError::Failing(failing) => RunError::Failing(failing),
        })
    }
}

impl<E> From<E> for RunError<E> {
    fn from(error: E) -> RunError<E> {
        RunError::Sink(error)
    }
}

/// Plays every game of the schedule that the sink does not have yet, with this many threads, 0 for one per core, unless
/// the observer stops it.
pub fn run<S: Sink>(
    schedule: &Schedule,
    threads: usize,
    play: &(impl Play + ?Sized),
    sink: &mut S,
    observer: &dyn Observer,
) -> Result<(), RunError<S::Error>> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("upheaval-{i}"))
        .build()
        .map_err(|source| RunError::Threads { threads, source })?;
    pool.install(|| {
        let mut last: Option<(Chunk, Vec<GameRows>)> = None;
        for chunk in schedule.chunks().skip(sink.finished()) {
            let (games, taken) = rayon::join(
                || play_chunk(schedule, &chunk, play, observer),
                || match last.take() {
                    Some((chunk, games)) => sink.take(&chunk, &games),
                    None => Ok(()),
                },
            );
            taken.map_err(RunError::Sink)?;
            last = Some((chunk, games.ok_or(RunError::Interrupted)?));
        }
        match last {
            Some((chunk, games)) => sink.take(&chunk, &games).map_err(RunError::Sink),
            None => Ok(()),
        }
    })
}

fn play_chunk(
    schedule: &Schedule,
    chunk: &Chunk,
    play: &(impl Play + ?Sized),
    observer: &dyn Observer,
) -> Option<Vec<GameRows>> {
    let specs: Vec<GameSpec> = chunk.games.clone().map(|game| schedule.game(chunk.variant, game)).collect();
    play.play_all(&specs, observer).filter(|_| !observer.refuses())
}

/// Plays each of these games by itself.
pub(super) fn play_each(
    play: &(impl Play + ?Sized),
    specs: &[GameSpec],
    observer: &dyn Observer,
) -> Option<Vec<GameRows>> {
    specs
        .par_iter()
        .with_max_len(1) // a game is long: no thread may keep a queue of them
        .map(|spec| {
            if observer.stops() {
                return None;
            }
            let record = play.play(spec);
            debug_assert_eq!(
                (record.game.game, record.game.block, record.game.rotation),
                (spec.game, spec.block, spec.rotation),
                "the record belongs to another game"
            );
            observer.played(spec, &record.game);
            Some(record)
        })
        .collect()
}

impl Experiment {
    /// Plays the experiment into its run folder, and resumes an interrupted run of it.
    ///
    /// # Errors
    /// The folder is used by something else, the threads cannot be started, or the disk fails.
    pub fn run(&self, observer: &dyn Observer) -> Result<RunReport, RunError<OutputError>> {
        self.begin(Start::GoOn)?.finish(observer)
    }

    /// Creates the run folder of the experiment, or takes over the one of an interrupted run. Nothing is played yet.
    ///
    /// # Errors
    /// The folder is used by something else, or the disk fails.
    pub fn begin(&self, start: Start) -> Result<Run<'_>, OutputError> {
        self.begin_at(RunLocation::of(self), start)
    }

    /// [`Experiment::begin`] at a site of the experiment that is already known.
    ///
    /// # Errors
    /// Those of [`Experiment::begin`].
    pub fn begin_at(&self, site: RunLocation, start: Start) -> Result<Run<'_>, OutputError> {
        self.check_chunks()?;
        let folder = RunFolder::create_in(Disk, self, site, start)?;
        Ok(Run { experiment: self, schedule: self.schedule(), folder })
    }

    /// Ends the programs that wait for a game: otherwise they could still write into a complete run.
    fn dismiss(&self) {
        self.bots.iter().for_each(|bot| bot.maker.dismiss());
    }

    /// Checks that the chunks to be played belong to the run.
    fn check_chunks(&self) -> Result<(), OutputError> {
        let Some(Shard::Chunks { chunks }) = &self.shard else { return Ok(()) };
        let whole = Schedule::new(&self.resolved, self.games_a_part(), None);
        let (chunk, there) = (chunks.last(), whole.count());
        if chunk < there { Ok(()) } else { Err(OutputError::NoChunk { chunk, there }) }
    }

    /// The games that a run of the experiment would play, and their cost. Nothing is written.
    ///
    /// # Errors
    /// The refusals of [`Experiment::begin`], or the threads for the sample cannot be started.
    pub fn forecast(&self, start: Start) -> Result<Forecast, RunError<OutputError>> {
        self.check_chunks()?;
        let site = RunLocation::of(self);
        let standing = match start {
            Start::GoOn => site.standing()?,
            Start::Afresh => {
                site.check()?;
                FoundRun::Nothing
            }
        };
        let schedule = self.schedule();
        let kept = match standing {
            FoundRun::Chunks(kept) => kept,
            FoundRun::Nothing | FoundRun::Whole => 0,
        };
        let estimate = match kept < schedule.count() {
            false => None,
            true => {
                self.try_bots()?;
                Some(estimate(self, &site.canonical, &schedule, kept, &self.player())?)
            }
        };
        Ok(Forecast { site, standing, schedule, kept, estimate })
    }
}

/// The games that a run would play, and their cost.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Its future path.
    pub site: RunLocation,
    /// The existing part of it.
    pub standing: FoundRun,
    /// All its games.
    pub schedule: Schedule,
    /// How many chunks, from the first on, would not be played.
    pub kept: usize,
    /// The cost of the others; `None` if there are none.
    pub estimate: Option<RunEstimate>,
}

impl Forecast {
    /// How many games would be played.
    pub fn games_left(&self) -> u64 {
        self.schedule.total() - self.schedule.games_of(self.kept)
    }
}

/// Takes the games of a run for other tables: first the games that an interrupted run has finished, from their rows,
/// then those that are played, all in order.
pub trait Collect: Send {
    /// A game that was finished before, of this arm, with its maps.
    fn kept(&mut self, arm: &str, game: &GameRow, maps: &[TopologyRow]);
    /// A game of this arm that has just been played.
    fn played(&mut self, arm: &str, game: &GameRows);
}

/// A run with its folder.
pub struct Run<'a> {
    experiment: &'a Experiment,
    schedule: Schedule,
    folder: RunFolder,
}

impl Run<'_> {
    /// The number of all games.
    pub fn games(&self) -> u64 {
        self.schedule.total()
    }

    /// The number of games that an interrupted run has finished.
    pub fn games_kept(&self) -> u64 {
        self.schedule.games_of(self.folder.finished())
    }

    /// The games that an interrupted run has finished, chunk by chunk.
    pub fn kept(&self) -> impl Iterator<Item = Result<StoredChunk, OutputError>> {
        self.folder.stored()
    }

    /// Plays the rest, and puts the folder into its place.
    ///
    /// # Errors
    /// The threads cannot be started, or the disk fails. The finished part stays for another run to resume.
    pub fn finish(mut self, observer: &dyn Observer) -> Result<RunReport, RunError<OutputError>> {
        let (experiment, player) = (self.experiment, self.experiment.player());
        let mut counts = FaultCounts::default();
        for chunk in self.folder.stored() {
            chunk?.games.iter().for_each(|game| counts.add(game));
        }
        experiment.play_into(&self.schedule, &player, &mut self.folder, counts, observer)?;
        experiment.dismiss();
        Ok(self.folder.finish()?)
    }

    /// The same; all games go through a collector of tables.
    ///
    /// # Errors
    /// Those of [`Run::finish`], and the kept games cannot be read.
    pub fn finish_into(
        self,
        tables: &mut impl Collect,
        observer: &dyn Observer,
    ) -> Result<RunReport, RunError<OutputError>> {
        let Run { experiment, schedule, folder } = self;
        let mut counts = FaultCounts::default();
        for chunk in folder.stored() {
            let chunk = chunk?;
            chunk.games.iter().for_each(|game| counts.add(game));
            let arm = &experiment.variants[chunk.variant].id;
            chunk.iter().for_each(|(game, maps)| tables.kept(arm, game, maps));
        }
        let mut collected = Collected { experiment, folder, tables };
        experiment.play_into(&schedule, &experiment.player(), &mut collected, counts, observer)?;
        experiment.dismiss();
        Ok(collected.folder.finish()?)
    }
}

/// Writes games and shows them to a collector.
struct Collected<'a, C> {
    experiment: &'a Experiment,
    folder: RunFolder,
    tables: &'a mut C,
}

impl<C: Collect> Sink for Collected<'_, C> {
    type Error = OutputError;

    fn finished(&self) -> usize {
        self.folder.finished()
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), OutputError> {
        let arm = &self.experiment.variants[chunk.variant].id;
        games.iter().for_each(|game| self.tables.played(arm, game));
        self.folder.take(chunk, games)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::mock;
    use super::*;

    struct Order(Vec<(usize, u32)>);
    impl Sink for Order {
        type Error = &'static str;
        fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), &'static str> {
            self.0.extend(games.iter().map(|g| (chunk.variant, g.game.game)));
            if self.0.len() > 3000 { Err("full") } else { Ok(()) }
        }
    }

    struct Counter(AtomicU64);
    impl Observer for Counter {
        fn played(&self, _: &GameSpec, _: &GameRow) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn games_reach_the_sink_in_order() {
        for threads in [1, 2, 7] {
            let schedule = mock::experiment("fixed", 1300).schedule();
            let (mut sink, counter) = (Order(Vec::new()), Counter(AtomicU64::new(0)));
            run(&schedule, threads, &mock::play, &mut sink, &counter).unwrap();
            let all: Vec<_> = (0..2).flat_map(|v| (0..1300).map(move |g| (v, g))).collect();
            assert_eq!(sink.0, all);
            assert_eq!(counter.0.into_inner(), 2600);
        }
    }

    /// Stops a run after this many games.
    struct Impatient(AtomicU64);
    impl Observer for Impatient {
        fn played(&self, _: &GameSpec, _: &GameRow) {
            let _ = self.0.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        }
        fn stops(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn a_run_that_is_stopped_leaves_whole_chunks() {
        let schedule = mock::experiment("fixed", 5000).schedule();
        let first: Vec<usize> = schedule.chunks().take(2).map(|chunk| chunk.games.len()).collect();
        let mut sink = Order(Vec::new());
        let observer = Impatient(AtomicU64::new((first[0] + first[1] / 2) as u64));
        let error = run(&schedule, 2, &mock::play, &mut sink, &observer).unwrap_err();
        assert!(matches!(error, RunError::Interrupted), "{error}");
        assert_eq!(sink.0.len(), first[0]);
    }

    #[test]
    fn a_failing_sink_ends_the_run() {
        let schedule = mock::experiment("fixed", 5000).schedule();
        let error = run(&schedule, 2, &mock::play, &mut Order(Vec::new()), &()).unwrap_err();
        assert_eq!(error.to_string(), "full");
    }
}
