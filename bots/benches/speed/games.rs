//! Whole games, and single phases of random ones on the maps of every variant.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use upheaval::game::Referee;
use upheaval::rules::variant::Variant;

use super::findings::{Findings, paired};
use super::phases::Phases;
use super::seats::{LAST_YEAR, bot, play_game, variant};

/// Different games that an iteration plays.
const GAMES: u64 = 20;

pub fn whole(c: &mut Criterion, findings: &mut Findings) {
    const GROUP: &str = "random games to 1910";
    let mut group = c.benchmark_group(GROUP);
    group.throughput(Throughput::Elements(GAMES)).sample_size(100);
    let (random, standard) = (bot("random"), variant("standard"));
    let (mut referee, mut other_referee) = (Referee::new(), Referee::new());
    let play = |variant: &Arc<Variant>, referee: &mut Referee| {
        let begun = Instant::now();
        for block in 0..GAMES {
            black_box(play_game(variant, &random, block, referee, &mut ()));
        }
        begun.elapsed()
    };
    for id in Variant::shipped() {
        let variant = variant(id);
        // Alternating with `standard`, so that both have the same noise.
        paired(
            &mut group,
            findings,
            GROUP,
            id,
            || play(&variant, &mut referee),
            || play(&standard, &mut other_referee),
        );
    }
    group.finish();
}

/// Whole games of the bots that look at the board.
pub fn of_bots(c: &mut Criterion, _: &mut Findings) {
    let mut group = c.benchmark_group("games to 1910 on standard");
    group.throughput(Throughput::Elements(GAMES)).sample_size(100);
    for name in ["greedy", "dumbbot"] {
        let (variant, bot, mut referee) = (variant("standard"), bot(name), Referee::new());
        group.bench_function(name, |b| {
            b.iter(|| {
                for block in 0..GAMES {
                    black_box(play_game(&variant, &bot, block, &mut referee, &mut ()));
                }
            });
        });
    }
    group.finish();
}

/// Games behind the phases of a variant.
const GAMES_OF_PHASES: u64 = 10;

pub fn phases(c: &mut Criterion, findings: &mut Findings) {
    let mut group = c.benchmark_group("a phase, nothing drawn");
    group.sample_size(20).measurement_time(Duration::from_secs(1));
    let new = |id, last_year| Phases::new(id, last_year, GAMES_OF_PHASES);
    let mut standard = new("standard", LAST_YEAR);
    let mut units = Vec::new();
    for (id, last_year) in Variant::shipped().map(|id| (id, LAST_YEAR)).chain([("schizo-ii", 1930)]) {
        let mut phases = new(id, last_year);
        units.push(format!("{:.1} ({id} to {last_year})", phases.units()));
        let name = format!("{id} to {last_year}");
        let each = |phases: &mut Phases| phases.timed_pass() / phases.len() as u32;
        // Alternating with `standard`, so that both have the same noise.
        paired(
            &mut group,
            findings,
            "a phase, nothing drawn",
            &name,
            || each(&mut phases),
            || each(&mut standard),
        );
    }
    group.finish();
    findings.note(format!("A phase, nothing drawn: units on average {}.", units.join(", ")));
}
