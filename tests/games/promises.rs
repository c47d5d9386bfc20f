//! Determinism in real games: the same seed gives the same bytes, and the actions of one bot change neither nature nor
//! the dice of another.

use std::sync::Arc;

use crate::helpers::engine::{experiment, files, play};
use crate::helpers::quick::kind;
use crate::helpers::shipped::BLACK_HOLE;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, BotKind};
use upheaval::ids::{Power, Powers};
use upheaval::record::{EventKind, GameRows, Text};
use upheaval::rng::Stream;
use upheaval::rules::variant::Variant;
use upheaval::sim::{GameSpec, Play, Player};
use upheaval_bots::Hold;

/// Enough games for two chunks of each variant.
const MIXED: &str = r#"
name = "promise"
variants = ["standard", "black-hole"]
games = 266
seed = 20
last_year = 1903
log.orders = true
[seats]
lineup = ["greedy", "random", "dumbbot", "greedy", "hold", "random", "dumbbot"]
rotate = true
"#;

#[test]
fn one_two_and_seven_threads_write_the_same_bytes_in_every_table() {
    let last_year = if testkit::tries_all() { "1903" } else { "1901" };
    let text = MIXED.replacen("1903", last_year, 1);
    let runs: Vec<_> = testkit::thinned([1, 7, 2], 2)
        .map(|threads| {
            let dir = tempfile::tempdir().unwrap();
            files(&play(&experiment(&text, dir.path()), threads).path)
        })
        .collect();
    let names: Vec<String> = runs[0].keys().map(|path| path.display().to_string()).collect();
    for table in ["games", "turns", "topology", "events", "orders"] {
        // Two chunks of games for each of the two variants.
        assert_eq!(names.iter().filter(|name| name.starts_with(table)).count(), 4, "{names:?}");
    }
    for other in &runs[1..] {
        assert!(other.keys().eq(runs[0].keys()), "other files");
        for (path, bytes) in &runs[0] {
            assert!(*bytes == other[path], "{} differs", path.display());
        }
    }
}

#[test]
fn another_seed_writes_other_bytes_in_every_table() {
    let text = MIXED.replace("games = 266", "games = 7").replace("last_year = 1903", "last_year = 1902");
    let runs = ["seed = 20", "seed = 21"].map(|seed| {
        let dir = tempfile::tempdir().unwrap();
        files(&play(&experiment(&text.replace("seed = 20", seed), dir.path()), 2).path)
    });
    for ((path, a), (_, b)) in runs[0].iter().zip(&runs[1]) {
        assert!(a != b, "{} is the same under both seeds", path.display());
    }
}

/// Seven games of every variant that changes the map, to where the first holes come back.
const CHANGING: &str = r#"
name = "promise"
variants = ["black-hole", "black-hole-i", "black-hole-ii", "double-reversible", "schizo-ii", "deluge-ii",
    "seismic-1971", "seismic-acerunner", "black-hole-2012", "double-reversible-2014", "schizo", "deluge", "sahara",
    "impassable"]
games = 7
seed = 21
last_year = 1906
log.orders = true
[seats]
lineup = ["greedy", "random", "dumbbot", "greedy", "hold", "search", "dumbbot"]
rotate = true
"#;

#[test]
fn every_variant_is_the_same_on_one_two_and_seven_threads() {
    for id in Variant::shipped() {
        assert!(format!("{MIXED}{CHANGING}").contains(&format!("\"{id}\"")), "{id} is in no experiment here");
    }
    let last_year = if testkit::tries_all() { "1906" } else { "1902" };
    let mut text = CHANGING.replacen("1906", last_year, 1);
    if !testkit::tries_all() {
        // It takes most of the time.
        text = text.replacen("search", "feud", 1);
    }
    let runs = testkit::thinned([1, 7, 2], 2).map(|threads| {
        let dir = tempfile::tempdir().unwrap();
        files(&play(&experiment(&text, dir.path()), threads).path)
    });
    let runs: Vec<_> = runs.collect();
    assert!(runs[0].len() >= 25, "{} files", runs[0].len());
    assert!(runs.iter().all(|run| *run == runs[0]), "the bytes differ");
}

/// Game 0 of black-hole with these bots.
fn game(line_up: [&'static str; 7], kinds: &[BotKind], seed: u64) -> GameRows {
    let text = format!(
        "name = \"x\"\nvariants = [\"black-hole\"]\ngames = 1\nseed = {seed}\nlast_year = 1910\nlog.orders = true\n\
         seats.all = \"hold\""
    );
    let schedule = experiment(&text, std::path::Path::new("x")).schedule();
    let mut spec: GameSpec = schedule.game(0, 0);
    for (power, name) in Powers::STANDARD.iter().zip(line_up) {
        spec.seats[power] = kinds.iter().position(|kind| kind.name == name).expect("a bot");
        Arc::make_mut(&mut spec.names)[power] = Arc::from(name);
    }
    Player::new(vec![BLACK_HOLE.variant()], kinds.to_vec()).play(&spec)
}

/// The bots that ship, and one more.
fn kinds_and(name: &'static str, make: fn() -> Box<dyn Bot>) -> Vec<BotKind> {
    [&upheaval_bots::KINDS[..], &[BotKind { name, make, ..kind("hold") }]].concat()
}

fn holes(record: &GameRows) -> Vec<(String, Option<Text>)> {
    let toggles = [EventKind::HoleDrawn, EventKind::Restored];
    let drawn = record.events.iter().filter(|event| toggles.contains(&event.kind));
    drawn.map(|event| (event.phase.to_string(), event.province.clone())).collect()
}

/// The first orders of all powers but one.
fn first_orders(record: &GameRows, but: Power) -> Vec<(Power, Text)> {
    let first = record.orders.iter().filter(|row| row.phase.to_string() == "S1901M" && row.power != but);
    first.map(|row| (row.power, row.order.clone())).collect()
}

/// Plays like another bot, but names no exempt centre, so that the same one is drawn for every bot.
struct Nameless(Box<dyn Bot>);

impl Bot for Nameless {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Movement(_) | Ask::Retreats(_) | Ask::Adjustments(_) = ask {
            self.0.decide(seen, ask, dice, answer);
        }
    }
}

#[test]
fn swapping_one_bot_changes_no_hole_and_no_other_bots_dice() {
    let kinds = kinds_and("nameless", || Box::new(Nameless((kind("greedy").make)())));
    for (i, power) in Powers::STANDARD.iter().enumerate() {
        for seed in testkit::thinned(0..6, 3) {
            let mut line_up = ["random"; 7];
            let [with_hold, with_greedy] = ["hold", "nameless"].map(|bot| {
                line_up[i] = bot;
                game(line_up, &kinds, seed)
            });
            assert_ne!(with_hold.game.state_hash, with_greedy.game.state_hash);
            let (a, b) = (holes(&with_hold), holes(&with_greedy));
            let n = a.len().min(b.len());
            assert!(n >= 2 && a[..n] == b[..n], "{power:?}, seed {seed}: {a:?} {b:?}");
            assert_eq!(
                first_orders(&with_hold, power),
                first_orders(&with_greedy, power),
                "{power:?}, seed {seed}"
            );
        }
    }
}

/// Plays like `hold`, and discards its dice by the hundred.
struct Wasteful;

impl Bot for Wasteful {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        for _ in 0..100 {
            dice.next_u64();
        }
        Hold.decide(seen, ask, dice, answer);
    }
}

#[test]
fn however_many_dice_a_bot_throws_nobody_else_throws_others() {
    let kinds = kinds_and("wasteful", || Box::new(Wasteful));
    for seed in testkit::thinned(0..8, 4) {
        for i in 0..7 {
            let mut line_up = ["random"; 7];
            line_up[i] = "hold";
            let plain = game(line_up, &kinds, seed);
            line_up[i] = "wasteful";
            let other = game(line_up, &kinds, seed);
            assert_eq!(plain.game.state_hash, other.game.state_hash, "seed {seed}, seat {i}");
            assert_eq!((plain.orders, plain.turns), (other.orders, other.turns), "seed {seed}, seat {i}");
        }
    }
}

#[test]
fn every_rotation_and_variant_of_a_block_has_the_same_catastrophes() {
    // Nothing is exempt here, so the same provinces are eligible in both games.
    let text = "name = \"x\"\nvariants = [\"double-reversible\"]\ngames = 14\nseed = 4\nlast_year = 1908\n[seats]\n\
                lineup = [\"hold\", \"greedy\", \"greedy\", \"greedy\", \"hold\", \"greedy\", \"hold\"]\nrotate = true";
    let experiment = experiment(text, std::path::Path::new("x"));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    let games: Vec<_> = (0..14).map(|n| holes(&player.play(&schedule.game(0, n)))).collect();
    for block in games.chunks(7) {
        for game in block {
            let n = game.len().min(block[0].len());
            assert!(n >= 6 && game[..n] == block[0][..n], "{game:?}");
        }
    }
    assert_ne!(games[0][..6], games[7][..6], "another block has others");
}

#[test]
fn the_kinds_of_bot_are_told_apart_by_name() {
    let mut names: Vec<&str> = upheaval_bots::KINDS.iter().map(|kind| kind.name).collect();
    names.dedup();
    assert_eq!(names.len(), upheaval_bots::KINDS.len());
    assert!(names.iter().all(|name| kind(name).version >= 1));
}
