//! Stops a run in which a bot fails too often.
//!
//! ```text
//!  games, in any order ─▶ FaultWatch ─ counted in the order of the schedule ─▶ a bot above its share: the run stops
//! ```
//! The decision depends on the games before it in the schedule alone, and so not on threads.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::experiment::Experiment;
use super::faults::{FEWEST, FailingBot, FaultCounts};
use super::runner::{Observer, Play, PlayError, RunError, Sink, run, try_out};
use super::schedule::{Chunk, GameSpec, Schedule};
use crate::record::GameRow;

impl Experiment {
    /// Plays the games that the sink does not have yet; `kept` are the counts of those that it has. First each program
    /// is started, so that none is missing when the games begin.
    ///
    /// # Errors
    /// A program cannot be started, a bot fails in more than the permitted share of its games, or those of [`run`].
    pub fn play_into<S: Sink>(
        &self,
        schedule: &Schedule,
        play: &(impl Play + ?Sized),
        sink: &mut S,
        kept: FaultCounts,
        observer: &dyn Observer,
    ) -> Result<(), RunError<S::Error>> {
        if sink.finished() < schedule.count() {
            self.try_bots().map_err(RunError::Play)?;
        }
        let watch = FaultWatch::new(schedule, sink.finished(), kept, self.resolved.share, observer);
        let played = run(schedule, self.threads, play, sink, &watch);
        match (played, watch.found().and_then(|found| self.failing(&found))) {
            (Err(RunError::Interrupted), Some(failing)) => {
                Err(RunError::Play(PlayError::Failing(Box::new(failing))))
            }
            (played, _) => played,
        }
    }

    /// Starts each program once; it then waits for its first game.
    ///
    /// # Errors
    /// One of them cannot be started.
    pub fn try_bots(&self) -> Result<(), PlayError> {
        try_out(self.makers())
    }

    /// The bot that fails in more than the permitted share of these games, if there is one.
    pub fn failing(&self, counts: &FaultCounts) -> Option<FailingBot> {
        FailingBot::find(counts, self.resolved.share, self.makers())
    }
}

/// Counts the failures of bots in the order of the schedule, and stops the run when a bot has too many.
struct FaultWatch<'a> {
    observer: &'a dyn Observer,
    share: f64,
    progress: Mutex<FaultProgress<'a>>,
    stopped: AtomicBool,
}

/// The games that have been counted, and those that wait for games before them.
struct FaultProgress<'a> {
    /// The games that are not counted yet, in the order of the schedule: each by its arm and number.
    left: Peekable<Box<dyn Iterator<Item = (usize, u32)> + Send + 'a>>,
    waiting: BTreeMap<(usize, u32), GameRow>,
    counts: FaultCounts,
    /// The counts at which the run was stopped.
    found: Option<FaultCounts>,
}

impl<'a> FaultWatch<'a> {
    fn new(
        schedule: &'a Schedule,
        finished: usize,
        counts: FaultCounts,
        share: f64,
        observer: &'a dyn Observer,
    ) -> FaultWatch<'a> {
        let games = |chunk: Chunk| chunk.games.map(move |game| (chunk.variant, game));
        let left: Box<dyn Iterator<Item = _> + Send> =
            Box::new(schedule.chunks().skip(finished).flat_map(games));
        let progress = FaultProgress { left: left.peekable(), waiting: BTreeMap::new(), counts, found: None };
        FaultWatch { observer, share, progress: Mutex::new(progress), stopped: AtomicBool::new(false) }
    }

    fn progress(&self) -> MutexGuard<'_, FaultProgress<'a>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts at which it has stopped the run.
    fn found(&self) -> Option<FaultCounts> {
        self.progress().found.clone()
    }
}

impl FaultProgress<'_> {
    /// Counts the games that no longer wait for others.
    fn advance(&mut self, share: f64) {
        while self.found.is_none()
            && let Some(next) = self.left.peek()
            && let Some(game) = self.waiting.remove(next)
        {
            self.left.next();
            self.counts.add(&game);
            let fewest = if self.left.peek().is_none() { 0 } else { FEWEST };
            if self.counts.above(share, fewest).next().is_some() {
                self.found = Some(self.counts.clone());
            }
        }
    }
}

impl Observer for FaultWatch<'_> {
    fn played(&self, spec: &GameSpec, game: &GameRow) {
        self.observer.played(spec, game);
        let mut progress = self.progress();
        progress.waiting.insert((spec.variant, spec.game), game.clone());
        progress.advance(self.share);
        if progress.found.is_some() {
            self.stopped.store(true, Ordering::Release);
        }
    }

    fn stops(&self) -> bool {
        self.stopped.load(Ordering::Acquire) || self.observer.stops()
    }

    fn refuses(&self) -> bool {
        self.stopped.load(Ordering::Acquire) || self.observer.refuses()
    }
}

#[cfg(test)]
mod tests {
    use upheaval_engine::bot::Conduct;

    use super::super::mock;
    use super::super::schedule::Chunk;
    use super::*;
    use crate::record::GameRows;

    /// Keeps the number of games that it received.
    #[derive(Default)]
    struct Taken(u64);

    impl Sink for Taken {
        type Error = std::convert::Infallible;
        fn take(&mut self, _: &Chunk, games: &[GameRows]) -> Result<(), Self::Error> {
            self.0 += games.len() as u64;
            Ok(())
        }
    }

    /// Plays games in which `greedy` crashes where this function says so.
    fn crashing(crashes: impl Fn(u32) -> bool + Sync) -> impl Fn(&GameSpec) -> GameRows + Sync {
        move |spec| {
            let mut record = mock::play(spec);
            for (_, seat) in record.game.seats.iter_mut() {
                if &*seat.bot == "greedy" && crashes(spec.game) {
                    seat.fault = Conduct::Crash;
                }
            }
            record
        }
    }

    fn end(games: u32, threads: usize, share: f64, crashes: impl Fn(u32) -> bool + Sync) -> (u64, String) {
        let mut experiment = mock::experiment("rotated", games);
        (experiment.threads, experiment.resolved.share) = (threads, share);
        let (schedule, mut taken) = (experiment.schedule(), Taken::default());
        let ended =
            experiment.play_into(&schedule, &crashing(crashes), &mut taken, FaultCounts::default(), &());
        (taken.0, ended.map_or_else(|error| error.to_string(), |()| "played".to_owned()))
    }

    #[test]
    fn a_bot_that_fails_too_often_stops_a_run_at_the_same_game_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let (taken, told) = end(3500, threads, 0.1, |_| true);
            let expected =
                "the bot `greedy` failed in 6 of its 6 games (crash 6): `faults.share` allows a share of 0.1";
            assert_eq!((taken, told.as_str()), (0, expected), "{threads} threads");
            // It begins to fail in the second chunk: the first is kept, and no game of the other.
            let first = u64::from(mock::experiment("rotated", 3500).schedule().chunk_size());
            let (taken, told) = end(3500, threads, 0.1, |game| u64::from(game) >= first);
            assert_eq!(taken, first);
            let games = (first + 1..).find(|n| (n - first) as f64 > 0.1 * *n as f64).unwrap();
            let (failed, all) = (6 * (games - first), 6 * games);
            assert!(told.contains(&format!("{failed} of its {all} games (crash {failed})")), "{told}");
        }
    }

    #[test]
    fn a_share_that_is_not_exceeded_is_no_reason_to_stop() {
        assert_eq!(end(70, 2, 0.1, |game| game % 10 == 9), (140, "played".to_owned()));
        assert_eq!(end(70, 2, 1.0, |_| true), (140, "played".to_owned()), "nothing exceeds the whole");
        assert_eq!(
            end(7, 2, 0.3, |game| game == 0),
            (14, "played".to_owned()),
            "it is not judged by its first game"
        );
    }

    #[test]
    fn games_that_were_kept_count() {
        let mut kept = FaultCounts::default();
        (0..100).for_each(|game| kept.add(&mock::game(game).game));
        assert_eq!(kept.above(0.0, 0).count(), 0);
        let mut counts = kept.clone();
        let mut game = mock::game(0).game;
        game.seats.iter_mut().for_each(|(_, seat)| seat.fault = Conduct::Illegal);
        counts.add(&game);
        assert_eq!(counts.above(0.0, 0).count(), 0, "an illegal order is not a failure");
        game.seats.iter_mut().for_each(|(_, seat)| seat.fault = Conduct::Timeout);
        counts.add(&game);
        assert!(counts.above(0.0, 0).next().is_some() && counts.above(0.1, 0).next().is_none());
    }
}
