//! What must hold in every game of every variant with every bot, after every phase; and that every game can be played
//! again from its transcript to the same state. `UPHEAVAL_GAMES=60` plays so many games of each pairing instead of a
//! few.

mod watch;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use watch::{Fixture, MUTE, watch_all};

fn games(default: u64) -> u64 {
    std::env::var("UPHEAVAL_GAMES").ok().map_or(default, |n| n.parse().expect("a number of games"))
}

fn variant(id: &str) -> Arc<Variant> {
    Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"))
}

fn every_bot(variant: &Arc<Variant>, games: u64) -> Vec<Fixture> {
    let fixture =
        |name, seed| Fixture { variant: Arc::clone(variant), line_up: [name; 7], seed, last_year: 1914 };
    let names = upheaval_bots::KINDS.map(|kind| kind.name);
    names.into_iter().flat_map(|name| (0..games).map(move |seed| fixture(name, seed))).collect()
}

/// Games of bots drawn by lot, the one that leaves things undone among them.
fn mixtures(variant: &Arc<Variant>, games: u64) -> Vec<Fixture> {
    let mut names: Vec<&'static str> = upheaval_bots::KINDS.map(|kind| kind.name).to_vec();
    names.push(MUTE);
    let fixture = |seed| {
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[99]);
        let line_up = [(); 7].map(|()| names[dice.below(names.len() as u32) as usize]);
        Fixture { variant: Arc::clone(variant), line_up, seed: 1_000 + seed, last_year: 1914 }
    };
    (0..games).map(fixture).collect()
}

#[test]
fn kinds() {
    for id in Variant::shipped() {
        let variant = variant(id);
        let clock = std::time::Instant::now();
        let mut fixtures = every_bot(&variant, games(6));
        let n = fixtures.len();
        let kinds = watch_all(&fixtures);
        println!("{id}: {n} games in {:?}: {kinds:?}", clock.elapsed());
        let clock = std::time::Instant::now();
        fixtures = mixtures(&variant, 2 * games(6));
        let n = fixtures.len();
        let more: BTreeSet<_> = watch_all(&fixtures).difference(&kinds).copied().collect();
        println!("   {n} mixed in {:?}: {more:?}", clock.elapsed());
    }
}
