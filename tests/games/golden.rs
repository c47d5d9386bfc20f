//! Golden games: a few of each variant, pinned from the centres of each year to the hash of the end. A game that
//! is missing or differs fails. If games are meant to differ now, raise `BEHAVIOUR_VERSION`, and write the tables
//! again with `UPDATE_EXPECT=1 cargo test --test all games::golden`.

use crate::helpers::name_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::helpers::engine::experiment;
use expect_test::expect_file;
use serde_json::{Map, Value, json};
use upheaval::ids::PowerNames;
use upheaval::record::{EventKind, GameRows};
use upheaval::rules::position::{Phase, Season};
use upheaval::rules::variant::Variant;
use upheaval::sim::Play;

/// Line-ups with their seeds.
const LINE_UPS: [(&str, [&str; 7], u64); 7] = [
    ("random", ["random"; 7], 1),
    ("greedy", ["greedy"; 7], 2),
    ("mixed", ["greedy", "random", "hold", "greedy", "random", "hold", "greedy"], 3),
    ("hold", ["hold"; 7], 4),
    ("dumbbot", ["dumbbot", "greedy", "dumbbot", "dumbbot", "dumbbot", "greedy", "dumbbot"], 5),
    ("feud", ["feud", "greedy", "feud", "feud", "dumbbot", "feud", "feud"], 7),
    ("search", ["dumbbot", "dumbbot", "search", "dumbbot", "dumbbot", "dumbbot", "search"], 6),
];

fn folder() -> PathBuf {
    testkit::path("tests/games/golden")
}

fn described(variant: &str, name: &str, bots: [&str; 7], seed: u64, record: &GameRows) -> Value {
    let mut years: Map<String, Value> = Map::new();
    for row in record.turns.iter().filter(|row| row.season == Season::Winter) {
        let line = years.entry(row.year.to_string()).or_insert_with(|| json!([]));
        line.as_array_mut().unwrap().push(row.counts.centres.into());
    }
    let provinces = |kind: EventKind| -> Vec<&str> {
        let events = record.events.iter().filter(|event| event.kind == kind);
        events.filter_map(|event| event.province.as_deref()).collect()
    };
    let mut game = json!({
        "id": format!("{variant}/{name}"),
        "seed": seed,
        "bots": PowerNames::standard().iter().zip(bots).map(|(p, bot)| (p.to_owned(), bot.into())).collect::<Map<_, _>>(),
        "end": format!("{:?}", record.game.end),
        "winner": record.game.winner.map(name_of),
        "last_phase": record.game.last_phase.to_string(),
        "holes": provinces(EventKind::HoleDrawn).join(" "),
        "centres": years,
        "state_hash": format!("{:016x}", record.game.state_hash),
    });
    for (key, kind) in [("restored", EventKind::Restored), ("split", EventKind::SplitDrawn)] {
        let of_kind = provinces(kind);
        if !of_kind.is_empty() {
            game[key] = of_kind.join(" ").into();
        }
    }
    for (key, kind) in [("submerged", EventKind::Submerged), ("founded", EventKind::CentreFounded)] {
        let by_phase = by_phase(record, kind);
        if !by_phase.is_empty() {
            game[key] = by_phase.into();
        }
    }
    game
}

/// The provinces of these events, by phase.
fn by_phase(record: &GameRows, kind: EventKind) -> Map<String, Value> {
    let mut phases: BTreeMap<Phase, Vec<&str>> = BTreeMap::new();
    for event in record.events.iter().filter(|event| event.kind == kind) {
        phases.entry(event.phase).or_default().extend(event.province.as_deref());
    }
    phases.into_iter().map(|(phase, names)| (phase.to_string(), names.join(" ").into())).collect()
}

/// The games of a variant. Those of `search` take most of the time, so some variants have the kept one in its place.
fn games(variant: &str, plays_search: bool) -> Value {
    let games = LINE_UPS.map(|(name, bots, seed)| {
        if name == "search" && !plays_search {
            return golden(variant).as_array().unwrap().last().unwrap().clone();
        }
        let seats: Vec<String> =
            PowerNames::standard().iter().zip(bots).map(|(p, bot)| format!("{p} = \"{bot}\"")).collect();
        let text = format!(
            "name = \"golden\"\nvariants = [\"{variant}\"]\ngames = 1\nseed = {seed}\nlast_year = 1912\n[seats]\n{}",
            seats.join("\n")
        );
        let experiment = experiment(&text, &folder());
        let record = experiment.player().play(&experiment.schedule().game(0, 0));
        described(variant, name, bots, seed, &record)
    });
    games.to_vec().into()
}

/// The kept games of a variant.
fn golden(variant: &str) -> Value {
    serde_json::from_str(&testkit::read(&format!("tests/games/golden/{variant}.json"))).unwrap()
}

/// One game a paragraph, one key a line.
fn text(games: &Value) -> String {
    let line = |(key, value): (&String, &Value)| format!("  \"{key}\": {value}");
    let game = |game: &Value| {
        let lines: Vec<String> = game.as_object().unwrap().iter().map(line).collect();
        format!("{{\n{}\n}}", lines.join(",\n"))
    };
    let games: Vec<String> = games.as_array().unwrap().iter().map(game).collect();
    format!("[{}]\n", games.join(", "))
}

#[test]
fn the_golden_games_are_played_again_to_the_last_unit() {
    let mut known = Vec::new();
    let all = testkit::tries_all() || testkit::updates();
    for (number, variant) in Variant::shipped().enumerate() {
        let name = format!("{variant}.json");
        let plays_search = all || number % 3 == 0;
        expect_file![folder().join(&name)].assert_eq(&text(&games(variant, plays_search)));
        known.push(name);
    }
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "tests/games/golden/{name} belongs to no shipped variant");
    }
}

/// Table 1 of ru10, as printed there.
const TABLE_1: [(&str, &str); 7] = [
    ("W1901A", "Lon Hol Bel Gas Ven Lvn"),
    ("W1902A", "Yor Pic Apu Rum Sev Fin Syr Den Lpl"),
    ("W1903A", "Arm Bre StP Par Tus Nap Bud Kie"),
    ("W1904A", "Ber Mos Mar Por Rom Vie Bul Gre Pru Ruh Gal Ukr Con"),
    ("W1905A", "Wal Cly Swe Tri Alb War Ice"),
    ("W1906A", "Edi Spa Tun Ser Smy Sil Boh"),
    ("W1907A", "Nwy Mun Pie Tyr NAf Bur Ank"),
];

/// A golden game goes to the end of 1908, and in it every province sinks in its Winter.
#[test]
fn seed_003_a_golden_game_reaches_the_end_of_1908_and_all_57_provinces_sink_in_their_winters() {
    if testkit::updates() {
        return; // Another test is about to write the file.
    }
    let golden = golden("deluge-ii");
    let whole = golden.as_array().unwrap().iter().filter(|game| game["last_phase"] == "W1908A");
    let (mut games, mut seen) = (0, 0);
    for game in whole {
        games += 1;
        let sunk = game["submerged"].as_object().unwrap();
        assert_eq!(sunk.len(), TABLE_1.len(), "{}", game["id"]);
        for (winter, names) in TABLE_1 {
            let code = |name: &str| if name == "Lpl" { "LVP".to_owned() } else { name.to_uppercase() };
            let table: BTreeSet<String> = names.split(' ').map(code).collect();
            let told: Vec<&str> = sunk[winter].as_str().unwrap().split(' ').collect();
            assert_eq!(told.len(), table.len(), "{winter} of {}", game["id"]);
            let told: BTreeSet<String> = told.into_iter().map(str::to_owned).collect();
            assert_eq!(told, table, "{winter} of {}", game["id"]);
            seen += table.len();
        }
    }
    assert!(games > 0, "no golden game of deluge-ii reaches W1908A: take another seed");
    assert_eq!(seen, 57 * games);
}

#[test]
fn every_bot_plays_in_a_golden_game() {
    for kind in upheaval_bots::KINDS {
        assert!(
            LINE_UPS.iter().any(|(_, bots, _)| bots.contains(&kind.name)),
            "{} plays in none of the line-ups: add one and write the tables",
            kind.name
        );
    }
}

#[test]
fn golden_games_of_chance_differ_from_seed_to_seed_and_variant_to_variant() {
    if testkit::updates() {
        return; // Another test is about to write the files.
    }
    let hashes: Vec<Value> = Variant::shipped()
        .flat_map(|variant| golden(variant).as_array().unwrap().clone())
        // Bots that hold have the same catastrophes in every variant (rules.md 4.2), and may have the same end.
        .filter(|game| !game["id"].as_str().unwrap().ends_with("/hold"))
        .map(|game| game["state_hash"].clone())
        .collect();
    for (i, hash) in hashes.iter().enumerate() {
        assert!(!hashes[i + 1..].contains(hash), "{hashes:?}");
    }
}
