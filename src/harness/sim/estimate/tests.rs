//! The estimate of time with a simulated clock, so that it is exact on every machine.

use std::cell::Cell;
use std::path::Path;

use super::*;
use crate::sim::{GameSpec, mock};

thread_local! {
    /// The time that the clock of this thread shows: games that are played at once take no longer than one of them.
    static SHOWN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn pass(time: Duration) {
    SHOWN.set(SHOWN.get() + time);
}

const MILLI: Duration = Duration::from_millis(1);

/// The estimate for a run of two arms, a game of which takes this many milliseconds, from a chunk on.
fn estimated(games: u32, millis: [u32; 2], threads: usize, look: Duration, from: usize) -> RunEstimate {
    let out = Path::new("nowhere").to_owned();
    let experiment = Experiment { out, ..mock::experiment("rotated", games) };
    let schedule = experiment.schedule();
    let play = |spec: &GameSpec| {
        pass(MILLI * millis[spec.variant]);
        mock::play(spec)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let canonical = experiment.resolved.canonical();
    // A clock that advances while games are played, and by this much whenever it is read.
    let now = || {
        pass(look);
        SHOWN.get()
    };
    pool.install(|| on_pool(&experiment, &canonical, &schedule, from, &play, &now))
}

fn assert_takes(estimate: &RunEstimate, seconds: f64) {
    let found = estimate.time.as_secs_f64();
    assert!((found / seconds - 1.0).abs() < 1e-6, "{found} s, not {seconds} s: {:?}", estimate.sample);
}

#[test]
fn time_is_that_of_a_game_of_each_arm_over_the_threads() {
    // 7000 games of 10 ms and the same number of 30 ms.
    for threads in [1, 2, 4] {
        let estimate = estimated(7000, [10, 30], threads, Duration::ZERO, 0);
        assert_takes(&estimate, 7000.0 * 0.040 / threads as f64);
        assert_eq!((estimate.sample.threads, estimate.sample.without.len()), (threads, 0));
    }
}

#[test]
fn what_is_finished_takes_no_time_any_more() {
    let experiment = mock::experiment("rotated", 7000);
    let chunks: Vec<Chunk> = experiment.schedule().chunks().collect();
    let (last, of_first_arm) = (chunks.len() - 1, chunks.iter().filter(|chunk| chunk.variant == 0).count());
    let games = |i: usize| chunks[i].games.len() as f64;
    assert_takes(
        &estimated(7000, [10, 30], 1, Duration::ZERO, of_first_arm - 1),
        games(of_first_arm - 1) * 0.010 + 7000.0 * 0.030,
    );
    // An arm of which nothing is left is not played for the sample.
    let rest = estimated(7000, [10, 30], 1, Duration::ZERO, last);
    assert_takes(&rest, games(last) * 0.030);
    assert_eq!(rest.sample.games, 67, "two seconds of it");
}

#[test]
fn the_sample_ends_with_its_time_or_with_its_games() {
    let slow = estimated(7000, [10, 10], 1, Duration::ZERO, 0).sample;
    assert_eq!((slow.games, slow.time), (200, LIMIT));
    let quick = estimated(7000, [1, 1], 1, Duration::ZERO, 0).sample;
    assert_eq!((quick.games, quick.time), (2 * MOST_GAMES, MILLI * 2 * MOST_GAMES));
    let few = estimated(7, [1, 1], 1, Duration::ZERO, 0).sample;
    assert_eq!(few.games, 14);
}

#[test]
fn an_arm_without_a_game_is_taken_as_the_others_are() {
    // The first game of the first arm takes all the time there is.
    let estimate = estimated(70, [3000, 10], 1, Duration::ZERO, 0);
    assert_eq!((estimate.sample.games, estimate.sample.without.as_slice()), (1, &[1][..]));
    assert_takes(&estimate, 140.0 * 3.0);
}

#[test]
fn encoding_takes_its_time_on_all_threads() {
    // Playing or encoding reads the clock twice, so a game takes 10 ms, and so does the encoding of all games of an
    // arm.
    let estimate = estimated(7, [0, 0], 1, MILLI * 10, 0);
    assert_eq!(estimate.sample.games, 14);
    assert_takes(&estimate, 14.0 * 0.010 + 2.0 * 0.010);
}

#[test]
fn memory_is_that_of_the_chunks_that_are_there_at_a_time() {
    let of = |games: u32| estimated(games, [1, 1], 1, Duration::ZERO, 0).memory;
    let schedule = mock::experiment("rotated", 7000).schedule();
    let one = (0..168).map(|game| mock::play(&schedule.game(0, game)).memory()).sum::<usize>() as f64 / 168.0;
    // Two chunks of 1024 games, one being played and one being encoded.
    let (few, many) = (of(7), of(7_000_000));
    let grown = (many - few) as f64;
    assert!(grown > 2.0 * 1024.0 * one * 0.9 && grown < 4.0 * 1024.0 * one, "{grown} for games of {one}");
    assert_eq!(
        of(4_200_000_000) / 1_000_000,
        many / 1_000_000,
        "the same for six hundred times as many games"
    );
}
