//! Stops a run in which a bot fails too often.
//!
//! ```text
//!  games, in any order ─▶ FaultWatch ─ counted in the order of the schedule ─▶ a bot above its share: the run stops
//! ```
//! The decision depends on the games before it in the schedule alone, and so not on threads.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::experiment::Experiment;
use super::runner::{Observer, Play, RunError, Sink, run};
use super::schedule::{GameSpec, Schedule};
use crate::record::GameRow;
use upheaval_engine::bot::{BotMaker, Conduct, Incident};

/// Until a bot has played this many games, its failures are compared with this number of games: a bot is not judged by
/// its first game.
const FEWEST: u64 = 20;

/// The games of a bot by its gravest fault in them, in the order of [`Conduct::ALL`].
pub type ByConduct = [u64; Conduct::ALL.len()];

/// The games of each bot by its gravest fault in them. A game counts for each power that the bot plays in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts(BTreeMap<String, ByConduct>);

impl FaultCounts {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRow) {
        game.seats.rows().iter().for_each(|seat| self.add_seat(&seat.bot, seat.fault));
    }

    /// Adds a seat of a game with its gravest fault.
    fn add_seat(&mut self, bot: &str, fault: Conduct) {
        if !self.0.contains_key(bot) {
            self.0.insert(bot.to_owned(), Default::default());
        }
        let place = Conduct::ALL.iter().position(|&word| word == fault);
        if let (Some(counts), Some(place)) = (self.0.get_mut(bot), place) {
            counts[place] += 1;
        }
    }

    /// Adds the games of others.
    pub fn merge(&mut self, others: FaultCounts) {
        for (bot, counts) in others.0 {
            let sums = self.0.entry(bot).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The bots and their games.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ByConduct)> {
        self.0.iter().map(|(bot, counts)| (bot.as_str(), counts))
    }

    /// The bots that failed in more than this share of their games, where those of a bot count as at least `fewest`.
    pub fn above(&self, share: f64, fewest: u64) -> impl Iterator<Item = FailureCount<'_>> {
        self.iter()
            .map(FailureCount::from)
            .filter(move |count| count.failed as f64 > share * count.games.max(fewest) as f64)
    }
}

/// The games of a bot, and those in which it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureCount<'a> {
    /// The bot.
    pub bot: &'a str,
    /// The games in which it failed.
    pub failed: u64,
    /// All its games.
    pub games: u64,
    by_conduct: &'a ByConduct,
}

impl<'a> From<(&'a str, &'a ByConduct)> for FailureCount<'a> {
    fn from((bot, by_conduct): (&'a str, &'a ByConduct)) -> FailureCount<'a> {
        let failures = Conduct::ALL.iter().zip(by_conduct).filter(|(conduct, _)| conduct.is_failure());
        let failed = failures.map(|(_, count)| count).sum();
        FailureCount { bot, failed, games: by_conduct.iter().sum(), by_conduct }
    }
}

/// `7 of its 7 games (crash 6, stall 1)`
impl fmt::Display for FailureCount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailureCount { failed, games, .. } = self;
        let kinds = Conduct::ALL.iter().zip(self.by_conduct);
        let kinds = kinds.filter(|(conduct, count)| conduct.is_failure() && **count > 0);
        let kinds: Vec<String> =
            kinds.map(|(conduct, count)| format!("{} {count}", conduct.name())).collect();
        write!(f, "{failed} of its {games} games ({})", kinds.join(", "))
    }
}

/// A bot that failed in too many of its games.
#[derive(Clone, Debug, PartialEq)]
pub struct FailingBot {
    /// Its name.
    pub bot: String,
    /// Its command, if it is a program.
    pub command: Option<String>,
    /// In how many games it failed, and how.
    pub count: String,
    /// The largest share of failures with which a run goes on.
    pub share: f64,
    /// Its first failure, with the end of its log.
    pub first: Option<Incident>,
}

impl fmt::Display for FailingBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailingBot { bot, command, count, share, first } = self;
        write!(f, "the bot `{bot}`")?;
        if let Some(command) = command {
            write!(f, ", the program `{command}`,")?;
        }
        write!(f, " failed in {count}: `faults.share` allows a share of {share}")?;
        if let Some(Incident { conduct, game, power, phase, reason, last_words, .. }) = first {
            let phase = phase.as_deref().unwrap_or("the start");
            write!(f, "; {} in {game}, {power}, {phase}: {reason}", conduct.name())?;
            if let Some(words) = last_words.lines().last() {
                write!(f, "; its last words: {words}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for FailingBot {}

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
            self.try_bots()?;
        }
        let watch = FaultWatch::new(schedule, sink.finished(), kept, self.faults.share, observer);
        let played = run(schedule, self.threads, play, sink, &watch);
        match (played, watch.found().and_then(|found| self.failing(&found))) {
            (Err(RunError::Interrupted), Some(failing)) => Err(RunError::Failing(Box::new(failing))),
            (played, _) => played,
        }
    }

    /// Starts each program once; it then waits for its first game.
    ///
    /// # Errors
    /// One of them cannot be started.
    pub fn try_bots<E>(&self) -> Result<(), RunError<E>> {
        self.bots.iter().try_for_each(|bot| {
            let fault = |why| RunError::Bot { bot: bot.name.clone(), why };
            bot.maker.try_out().map_err(fault)
        })
    }

    /// The bot that fails in more than the permitted share of these games, if there is one.
    pub fn failing(&self, counts: &FaultCounts) -> Option<FailingBot> {
        FailingBot::find(counts, self.faults.share, |name| {
            let bot = self.bots.iter().find(|bot| bot.name == name)?;
            Some((&bot.content, &bot.maker))
        })
    }
}

impl FailingBot {
    /// The bot that failed in more than this share of its games, if there is one; `bot` gives the content and the maker
    /// of a bot.
    pub(super) fn find<'a>(
        counts: &FaultCounts,
        share: f64,
        bot: impl Fn(&str) -> Option<(&'a Value, &'a BotMaker)>,
    ) -> Option<FailingBot> {
        let mut above = counts.above(share, FEWEST).chain(counts.above(share, 0));
        let (count, (content, maker)) = above.find_map(|count| Some((count, bot(count.bot)?)))?;
        let words = content.get("command").and_then(Value::as_array);
        let words = words.map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
        let failures = maker.incidents().into_iter().filter(|incident| incident.conduct.is_failure());
        let first = failures.min_by(|a, b| {
            // Of two numbers the longer is the larger.
            let key =
                |incident: &Incident| (incident.game.len(), incident.game.clone(), incident.power.clone());
            key(a).cmp(&key(b))
        });
        let (bot, count) = (count.bot.to_owned(), count.to_string());
        Some(FailingBot { bot, command: words, count, share, first })
    }
}

/// Counts the failures of bots in the order of the schedule, and stops the run when a bot has too many.
struct FaultWatch<'a> {
    observer: &'a dyn Observer,
    share: f64,
    course: Mutex<Course<'a>>,
    stopped: AtomicBool,
}

/// The games that have been counted, and those that wait for games before them.
struct Course<'a> {
    schedule: &'a Schedule,
    /// The chunk whose games are counted, with its remaining games.
    chunk: usize,
    variant: usize,
    left: Range<u32>,
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
        let mut course = Course {
            schedule,
            chunk: finished,
            variant: 0,
            left: 0..0,
            waiting: BTreeMap::new(),
            counts,
            found: None,
        };
        course.enter(finished);
        FaultWatch { observer, share, course: Mutex::new(course), stopped: AtomicBool::new(false) }
    }

    fn course(&self) -> MutexGuard<'_, Course<'a>> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts at which it has stopped the run.
    fn found(&self) -> Option<FaultCounts> {
        self.course().found.clone()
    }
}

impl Course<'_> {
    /// Goes to this chunk.
    fn enter(&mut self, chunk: usize) {
        self.chunk = chunk;
        if let Some(chunk) = self.schedule.chunk(chunk) {
            (self.variant, self.left) = (chunk.variant, chunk.games);
        }
    }

    /// Counts the games that no longer wait for others.
    fn advance(&mut self, share: f64) {
        while self.found.is_none()
            && let Some(game) = self.waiting.remove(&(self.variant, self.left.start))
        {
            self.left.start += 1;
            if self.left.is_empty() {
                self.enter(self.chunk + 1);
            }
            self.counts.add(&game);
            let fewest = if self.left.is_empty() { 0 } else { FEWEST };
            if self.counts.above(share, fewest).next().is_some() {
                self.found = Some(self.counts.clone());
            }
        }
    }
}

impl Observer for FaultWatch<'_> {
    fn played(&self, spec: &GameSpec, game: &GameRow) {
        self.observer.played(spec, game);
        let mut course = self.course();
        course.waiting.insert((spec.variant, spec.game), game.clone());
        course.advance(self.share);
        if course.found.is_some() {
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
        (experiment.threads, experiment.faults.share) = (threads, share);
        let (schedule, mut taken) = (Schedule::new(&experiment), Taken::default());
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
            let first = u64::from(Schedule::new(&mock::experiment("rotated", 3500)).chunk_size());
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
