//! The cost of a run: time and bytes, estimated from a sample of its games that is played and encoded in memory.
//!
//! A table's size has a part for each file (schema, footer, dictionaries) and a part for each game: encoding all games
//! of the sample, and the first half of them, separates the two. The estimate therefore holds for runs smaller than a
//! chunk and for runs of many chunks. The time is that of one thread for a game, divided by the number of threads.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::experiment::Experiment;
use super::output::location::tables;
use super::output::manifest::Manifest;
use super::part::Encoder;
use super::resolved::Canonical;
use super::runner::{Play, PlayError, pool};
use super::schedule::{Chunk, Schedule};
use crate::record::GameRows;

/// The time limit of the sample. A game that has begun is played to its end.
const LIMIT: Duration = Duration::from_secs(2);

/// The approximate maximum of games of each arm in the sample, which consists of whole blocks.
const MOST_GAMES: u32 = 168;

/// The result of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEstimate {
    /// The time for all games.
    pub time: Duration,
    /// The size of all files in bytes.
    pub bytes: u64,
    /// The maximum memory, in bytes, for the games that are played or encoded at one time, and for the program itself.
    pub memory: u64,
    /// The sample behind it.
    pub sample: Sample,
}

/// The sample behind an estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Games played.
    pub games: u32,
    /// Their time.
    pub time: Duration,
    /// The number of threads.
    pub threads: usize,
    /// The arms, by index, for which there was no time for a game: their cost is the mean of the others.
    pub without: Vec<usize>,
}

/// The cost of one game of an arm.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    /// Seconds on one thread.
    seconds: f64,
    /// Bytes of each file of a chunk, independent of its content.
    bytes_a_chunk: f64,
    /// Bytes for each game.
    bytes_a_game: f64,
    /// Bytes of memory for each game that has been recorded and not yet encoded.
    memory_a_game: f64,
}

/// Bytes of memory that a run needs in addition to its records: the program with its tables of boards, and each thread.
const MEMORY: (f64, f64) = (30e6, 4e6);

/// The time since a fixed moment, the same for all calls.
type Clock<'a> = dyn Fn() -> Duration + Sync + 'a;

/// Plays a sample of the games of the chunks from an index on, and returns the cost of all of them. `canonical` is the
/// canonical form of the experiment.
///
/// # Errors
/// The threads cannot be started.
pub(crate) fn estimate(
    experiment: &Experiment,
    canonical: &Canonical,
    schedule: &Schedule,
    from: usize,
    play: &dyn Play,
) -> Result<RunEstimate, PlayError> {
    let pool = pool(experiment.threads)?;
    let begun = Instant::now();
    Ok(pool.install(|| on_pool(experiment, canonical, schedule, from, play, &|| begun.elapsed())))
}

fn on_pool(
    experiment: &Experiment,
    canonical: &Canonical,
    schedule: &Schedule,
    from: usize,
    play: &dyn Play,
    now: &Clock<'_>,
) -> RunEstimate {
    let (begun, threads) = (now(), rayon::current_num_threads());
    let samples = samples(experiment, schedule, from, play, now);
    let encoder = Encoder::new(&experiment.resolved, &canonical.hash);
    let cost_of = |(arm, games): (usize, &Vec<Timed>)| {
        (!games.is_empty()).then(|| cost(games, |games| encoded(&encoder, arm, games), now))
    };
    let costs: Vec<Option<Cost>> = samples.iter().enumerate().map(cost_of).collect();
    let known: Vec<Cost> = costs.iter().flatten().copied().collect();
    let mean = |of: fn(&Cost) -> f64| known.iter().map(of).sum::<f64>() / known.len().max(1) as f64;
    let other = Cost {
        seconds: mean(|c| c.seconds),
        bytes_a_chunk: mean(|c| c.bytes_a_chunk),
        bytes_a_game: mean(|c| c.bytes_a_game),
        memory_a_game: mean(|c| c.memory_a_game),
    };
    let (mut seconds, mut bytes) = (0.0, folder_bytes(experiment, canonical, schedule) as f64);
    let mut largest = 0.0_f64;
    for (arm, cost) in costs.iter().enumerate() {
        let cost = cost.unwrap_or(other);
        let (chunks, games) = schedule.left_of(arm, from);
        seconds += cost.seconds * games as f64 / threads as f64;
        bytes += cost.bytes_a_chunk * chunks as f64 + cost.bytes_a_game * games as f64;
        let at_a_time = games.min(schedule.chunk_size().into()) as f64;
        // A chunk is encoded while the next is played; its encoded form is complete before it is written.
        let next = if chunks > 1 { 2.0 } else { 1.0 };
        let encoded = cost.bytes_a_chunk + cost.bytes_a_game * at_a_time;
        largest = largest.max(cost.memory_a_game * at_a_time * next + encoded);
    }
    let without = |(arm, games): (usize, &Vec<Timed>)| games.is_empty().then_some(arm);
    RunEstimate {
        time: Duration::from_secs_f64(seconds),
        bytes: bytes as u64,
        memory: (largest + MEMORY.0 + MEMORY.1 * threads as f64) as u64,
        sample: Sample {
            games: samples.iter().map(|games| games.len() as u32).sum(),
            time: now().saturating_sub(begun),
            threads,
            without: samples.iter().enumerate().filter_map(without).collect(),
        },
    }
}

/// A game, and its time.
type Timed = (GameRows, Duration);

/// The first games of each arm that is to be played, a few of each in turn until the time is over.
fn samples(
    experiment: &Experiment,
    schedule: &Schedule,
    from: usize,
    play: &dyn Play,
    now: &Clock<'_>,
) -> Vec<Vec<Timed>> {
    let (arms, begun) = (experiment.variants.len(), now());
    let (batch, block) = (rayon::current_num_threads() as u32, experiment.resolved.seating().block());
    let most = MOST_GAMES.next_multiple_of(block).min(experiment.resolved.games);
    let played = |arm: &usize| schedule.left_of(*arm, from).0 > 0;
    let arms_played: Vec<usize> = (0..arms).filter(played).collect();
    let mut samples: Vec<Vec<Timed>> = vec![Vec::new(); arms];
    let mut begin = 0;
    // The first round is a game of each arm for every thread; the following rounds are longer.
    while begin < most && now().saturating_sub(begun) < LIMIT {
        let to = most.min(begin + batch.max(begin));
        for &arm in &arms_played {
            let timed = |game: u32| {
                if now().saturating_sub(begun) >= LIMIT {
                    return None;
                }
                let start = now();
                let record = play.play(&schedule.game(arm, game));
                Some((record, now().saturating_sub(start)))
            };
            let games: Vec<Option<Timed>> = (begin..to).into_par_iter().with_max_len(1).map(timed).collect();
            samples[arm].extend(games.into_iter().flatten());
        }
        begin = to;
    }
    samples
}

/// The cost of a game of an arm; `encoded` gives the bytes of the files of a chunk with these games.
fn cost(games: &[Timed], encoded: impl Fn(&[GameRows]) -> u64, now: &Clock<'_>) -> Cost {
    let n = games.len();
    let played: Duration = games.iter().map(|(_, time)| *time).sum();
    let records: Vec<GameRows> = games.iter().map(|(record, _)| record.clone()).collect();
    let begun = now();
    let whole = encoded(&records) as f64;
    let encoding = now().saturating_sub(begun) * rayon::current_num_threads() as u32;
    let part = n.div_ceil(2);
    let half = encoded(&records[..part]) as f64;
    // With one game the two cannot be distinguished; the size of an empty file is the minimum.
    let empty = encoded(&[]) as f64;
    let bytes_a_game = if n > part { (whole - half) / (n - part) as f64 } else { whole - empty };
    Cost {
        seconds: (played + encoding).as_secs_f64() / n as f64,
        memory_a_game: games.iter().map(|(record, _)| record.memory()).sum::<usize>() as f64 / n as f64,
        bytes_a_chunk: (whole - bytes_a_game * n as f64).max(empty),
        bytes_a_game,
    }
}

/// The bytes of the files of a chunk of an arm with these games.
fn encoded(encoder: &Encoder, arm: usize, games: &[GameRows]) -> u64 {
    let chunk = Chunk { variant: arm, part: 0, games: 0..games.len() as u32 };
    // Writing to memory cannot fail; a row that cannot be encoded stops the run itself, with its reason.
    encoder.encode(0, &chunk, games).map_or(0, |part| part.head.files.iter().map(|file| file.bytes).sum())
}

/// The bytes of the files of a run folder that are not tables.
fn folder_bytes(experiment: &Experiment, canonical: &Canonical, schedule: &Schedule) -> u64 {
    /// An entry of the manifest, with a path of typical length.
    const ENTRY: u64 = 210;
    let manifest = Manifest::start(experiment, &canonical.hash, std::time::UNIX_EPOCH).to_json().len() as u64;
    let tables = tables(experiment.resolved.log).count() as u64;
    let parts = schedule.count() as u64 * tables;
    manifest + parts * ENTRY + (experiment.given.len() + canonical.text.len()) as u64
}

#[cfg(test)]
mod tests;
