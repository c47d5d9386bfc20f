//! Plays a schedule on a pool of threads, a chunk of games at a time, into a [`Sink`]: the run folder of an experiment,
//! or tables in memory.
//!
//! While chunk *k + 1* is played, chunk *k* is passed to the sink on the same pool, in order. At most two chunks of
//! records are therefore in memory, however many games there are, and the input of the sink does not depend on the
//! threads. Nothing here prints: implement [`Observer`] to follow the progress of a run.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::faults::FailingBot;
use super::schedule::{Chunk, GameSpec, Schedule};
use crate::record::{GameRow, GameRows};
use upheaval_engine::bot::BotMaker;

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

/// Why games cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for; 0 for one per core.
        threads: usize,
        /// The cause.
        source: ThreadPoolBuildError,
    },
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
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// Its games cannot be played.
    #[error(transparent)]
    Play(PlayError),
    /// The observer stopped it.
    #[error("the run was interrupted: its finished part is kept, and it is resumed when it is started again")]
    Interrupted,
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
            RunError::Play(error) => RunError::Play(error),
            RunError::Interrupted => RunError::Interrupted,
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
    pool(threads).map_err(RunError::Play)?.install(|| {
        let mut last: Option<(Chunk, Vec<GameRows>)> = None;
        for chunk in schedule.chunks().skip(sink.finished()) {
            let (games, taken) = rayon::join(
                || play.play_all(&schedule.games_in(&chunk), observer).filter(|_| !observer.refuses()),
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

/// A pool of this many threads, 0 for one per core.
///
/// # Errors
/// They cannot be started.
pub fn pool(threads: usize) -> Result<ThreadPool, PlayError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("upheaval-{i}"));
    pool.build().map_err(|source| PlayError::Threads { threads, source })
}

/// Starts these bots, each by its name, if they are programs.
///
/// # Errors
/// One cannot be started.
pub(super) fn try_out<'a>(
    mut bots: impl Iterator<Item = (&'a str, &'a serde_json::Value, &'a BotMaker)>,
) -> Result<(), PlayError> {
    bots.try_for_each(|(bot, _, maker)| {
        let fault = |why| PlayError::Bot { bot: bot.to_owned(), why };
        maker.try_out().map_err(fault)
    })
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
            if self.0.len() > 300 { Err("full") } else { Ok(()) }
        }
    }

    /// Chunks of a hundred games, as of games that may take 1,310 years.
    fn schedule(games: u32) -> Schedule {
        let long = mock::with(&mock::experiment("fixed", games), |resolved| resolved.last_year = 3210);
        let schedule = long.schedule();
        assert_eq!(schedule.chunks().map(|chunk| chunk.games.len()).max(), Some(100));
        schedule
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
            let schedule = schedule(130);
            let (mut sink, counter) = (Order(Vec::new()), Counter(AtomicU64::new(0)));
            run(&schedule, threads, &mock::play, &mut sink, &counter).unwrap();
            let all: Vec<_> = (0..2).flat_map(|v| (0..130).map(move |g| (v, g))).collect();
            assert_eq!(sink.0, all);
            assert_eq!(counter.0.into_inner(), 260);
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
        let schedule = schedule(500);
        let first: Vec<usize> = schedule.chunks().take(2).map(|chunk| chunk.games.len()).collect();
        let mut sink = Order(Vec::new());
        let observer = Impatient(AtomicU64::new((first[0] + first[1] / 2) as u64));
        let error = run(&schedule, 2, &mock::play, &mut sink, &observer).unwrap_err();
        assert!(matches!(error, RunError::Interrupted), "{error}");
        assert_eq!(sink.0.len(), first[0]);
    }

    #[test]
    fn a_failing_sink_ends_the_run() {
        let schedule = schedule(500);
        let error = run(&schedule, 2, &mock::play, &mut Order(Vec::new()), &()).unwrap_err();
        assert_eq!(error.to_string(), "full");
    }
}
