//! Golden games: a few of each variant, pinned from the centres of each year to the hash of the end. A game that
//! is missing or differs fails. If games are meant to differ now, raise `BEHAVIOUR_VERSION`, and write the tables
//! anew with `UPHEAVAL_GOLDEN=write cargo test -p upheaval-bots --test golden`.

mod engine;

use std::fs;
use std::path::PathBuf;

use engine::{experiment, player};
use serde_json::{Map, Value, json};
use upheaval::ids::Power;
use upheaval::record::{EventKind, GameRecord};
use upheaval::rules::position::Season;
use upheaval::rules::variant::Variant;
use upheaval::sim::{Play, Schedule};

/// Line-ups with the seed they play under.
const LINE_UPS: [(&str, [&str; 7], u64); 4] = [
    ("random", ["random"; 7], 1),
    ("greedy", ["greedy"; 7], 2),
    ("mixed", ["greedy", "random", "hold", "greedy", "random", "hold", "greedy"], 3),
    ("hold", ["hold"; 7], 4),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn described(variant: &str, name: &str, bots: [&str; 7], seed: u64, record: &GameRecord) -> Value {
    let mut years: Map<String, Value> = Map::new();
    for row in record.turns.iter().filter(|row| row.season == Season::Winter) {
        let line = years.entry(row.year.to_string()).or_insert_with(|| json!([]));
        line.as_array_mut().unwrap().push(row.centres.into());
    }
    let provinces = |kind: EventKind| -> Vec<&str> {
        let events = record.events.iter().filter(|event| event.kind == kind);
        events.filter_map(|event| event.province.as_deref()).collect()
    };
    let mut game = json!({
        "id": format!("{variant}/{name}"),
        "seed": seed,
        "bots": Power::ALL.into_iter().zip(bots).map(|(p, bot)| (p.name().to_owned(), bot.into())).collect::<Map<_, _>>(),
        "end": format!("{:?}", record.game.end),
        "winner": record.game.winner.map(Power::name),
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
    game
}

fn games(variant: &str) -> Value {
    let games = LINE_UPS.map(|(name, bots, seed)| {
        let seats: Vec<String> =
            Power::ALL.into_iter().zip(bots).map(|(p, bot)| format!("{p} = \"{bot}\"")).collect();
        let text = format!(
            "name = \"golden\"\nvariants = [\"{variant}\"]\ngames = 1\nseed = {seed}\nlast_year = 1912\n[seats]\n{}",
            seats.join("\n")
        );
        let experiment = experiment(&text, &folder());
        let record = player(&experiment).play(&Schedule::new(&experiment).game(0, 0));
        described(variant, name, bots, seed, &record)
    });
    games.to_vec().into()
}

/// One game a paragraph, one key a line.
fn text(games: &Value) -> String {
    let games: Vec<String> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| {
            let lines: Vec<String> = game
                .as_object()
                .unwrap()
                .iter()
                .map(|(key, value)| format!("  \"{key}\": {value}"))
                .collect();
            format!("{{\n{}\n}}", lines.join(",\n"))
        })
        .collect();
    format!("[{}]\n", games.join(", "))
}

#[test]
fn the_golden_games_are_played_again_to_the_last_unit() {
    let write = std::env::var_os("UPHEAVAL_GOLDEN").is_some_and(|value| value == "write");
    let mut known = Vec::new();
    for variant in Variant::shipped() {
        let path = folder().join(format!("{variant}.json"));
        let played = games(variant);
        known.push(format!("{variant}.json"));
        if write {
            fs::write(&path, text(&played)).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; the head of this file says how to write it", path.display())
        });
        let golden: Value = serde_json::from_str(&golden).unwrap();
        assert_eq!(golden.as_array().unwrap().len(), LINE_UPS.len(), "{variant}");
        for (golden, played) in golden.as_array().unwrap().iter().zip(played.as_array().unwrap()) {
            for (key, value) in played.as_object().unwrap() {
                assert_eq!(&golden[key], value, "{key} of {}", played["id"]);
            }
            assert_eq!(golden, played);
        }
    }
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "tests/golden/{name} belongs to no shipped variant");
    }
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
    let hashes: Vec<Value> = Variant::shipped()
        .flat_map(|variant| games(variant).as_array().unwrap().clone())
        // Bots that hold meet the same catastrophes in every variant (RULINGS 4.2), and may come to the same end.
        .filter(|game| !game["id"].as_str().unwrap().ends_with("/hold"))
        .map(|game| game["state_hash"].clone())
        .collect();
    for (i, hash) in hashes.iter().enumerate() {
        assert!(!hashes[i + 1..].contains(hash), "{hashes:?}");
    }
}
