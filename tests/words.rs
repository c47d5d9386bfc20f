//! Every text that is read, with each of its values in turn replaced by one of another kind, left out or misspelt: no
//! message has a parser's words in place of the library's.

use std::path::Path;

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::analysis::duel::Duel;
use upheaval::analysis::tune::CheckedSearch;
use upheaval::analysis::tune::play::TunePlan;
use upheaval::diagnostic::Source;
use upheaval::game_record::{GameRecord, Origin, game_record};
use upheaval::ids::Power;
use upheaval::import::Hints;
use upheaval::rules::variant::Variant;
use upheaval::session::Session;
use upheaval::sim::tournament::{self, TournamentOverrides};
use upheaval::sim::{Experiment, Overrides, RunPlan, Schedule, stored};

use crate::helpers::engine::{experiment, registry};

/// Words of parsers, of Rust and of serde.
const FOREIGN: [&str; 24] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown field",
    "missing field",
    "duplicate field",
    "untagged",
    "enum",
    "struct ",
    "any variant",
    "unit variant",
    "newtype",
    "sequence",
    "EOF",
    "trailing",
    "recursion",
    "expected a string",
    "expected string",
    "floating point",
    "u8",
    "u16",
    "u32",
    "u64",
    "f64",
];

/// All texts that come of one: every value replaced by three of other kinds, every key left out, and every key
/// misspelt.
fn spoilt(whole: &Value) -> Vec<Value> {
    fn walk(at: &mut Vec<String>, value: &Value, places: &mut Vec<Vec<String>>) {
        let mut below = |key: String, value: &Value| {
            at.push(key);
            places.push(at.clone());
            walk(at, value, places);
            at.pop();
        };
        match value {
            Value::Object(entries) => entries.iter().for_each(|(key, value)| below(key.clone(), value)),
            // The first of a list stands for all.
            Value::Array(items) => items.iter().take(1).for_each(|value| below("0".to_owned(), value)),
            _ => {}
        }
    }
    let mut places = Vec::new();
    walk(&mut Vec::new(), whole, &mut places);
    let mut texts = Vec::new();
    let wrong = [json!(3), json!("zebra"), json!(-1.5), json!({"zebra": 1}), json!(true), json!([])];
    for (number, place) in places.into_iter().enumerate() {
        let (key, above) = place.split_last().expect("a key");
        let pointer = |keys: &[String]| {
            keys.iter()
                .map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1")))
                .collect::<String>()
        };
        // Half of them at each place, and each of them at every other place.
        for wrong in wrong.iter().skip(number % 2).step_by(2).cloned() {
            let mut text = whole.clone();
            *text.pointer_mut(&pointer(&place)).expect("the place") = wrong;
            texts.push(text);
        }
        let mut text = whole.clone();
        if let Some(Value::Object(entries)) = text.pointer_mut(&pointer(above)) {
            let value = entries.remove(key).expect("the key");
            texts.push(text.clone());
            if let Some(Value::Object(entries)) = text.pointer_mut(&pointer(above)) {
                entries.insert(format!("{key}x"), value);
            }
            texts.push(text);
        }
    }
    texts
}

/// The faults that are found in texts that come of this one; `read` gives the message of a fault.
fn hold(kind: &str, whole: &Value, read: impl Fn(&Value) -> Option<String>) {
    assert_eq!(read(whole), None, "{kind}: the text itself");
    let mut faults = 0;
    for text in spoilt(whole) {
        let Some(message) = read(&text) else { continue };
        faults += 1;
        let words: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).collect();
        let found = FOREIGN.iter().find(|foreign| match foreign.contains(' ') {
            true => message.contains(*foreign),
            false => words.contains(*foreign),
        });
        assert!(found.is_none(), "{kind}: `{}` in: {message}\n{text}", found.unwrap_or(&""));
        // In files of experiments, a variant is one of Diplomacy.
        let of_game = message.contains("standard") && message.contains("black-hole");
        assert!(!message.contains("unknown variant") || of_game, "{kind}: {message}");
        assert!(!message.contains('\n'), "{kind}: {message}");
    }
    assert!(faults > 10, "{kind}: only {faults} faults");
}

fn of_toml(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Value>(text).expect("TOML")).expect("plain values")
}

fn toml_of(value: &Value) -> Source {
    Source::new("x.toml", toml::to_string(value).expect("no null"))
}

fn told<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

#[test]
fn variants_and_maps() {
    for id in ["deluge-ii", "seismic-1971", "black-hole-ii"] {
        let whole = of_toml(Variant::shipped_text(id).expect("shipped"));
        hold(id, &whole, |value| told(Variant::check(&toml_of(value), Path::new(""))));
    }
    let map = json!({
        "faces": {
            "AAA": {"name": "Aa", "kind": "land", "supply_centre": true, "home": "RED", "centre": [1.0, 2.0],
                    "neighbours_ccw": ["BBB", "SEA"]},
        },
        "powers": {"RED": {"colour": "#ff0000"}}, "canals": [], "straits": [],
    });
    // The form alone: the faults of content are of another kind.
    for value in spoilt(&map) {
        for (file, text) in [("x.json", value.to_string()), ("x.toml", toml_of(&value).text().to_owned())] {
            let message = told(upheaval::topology::atlas::parse(file, &text)).expect("not a board");
            let found = FOREIGN.iter().find(|foreign| message.contains(*foreign));
            assert!(found.is_none() && !message.contains("unknown variant"), "{message}\n{text}");
        }
    }
}

#[test]
fn hints_of_an_import() {
    let hints = "outside = [\"AAA\"]\npoints = [[\"A\", \"B\", \"C\", \"D\"]]\nleave_out = [[\"A\", \"B\"]]\nnorth = \"A\"\n\
                 [around]\nA = [\"B\", \"C\", \"D\"]\n[fillers.ICE]\nname = \"Ice\"\naround = [\"A\"]\n";
    hold("hints", &of_toml(hints), |value| told(Hints::parse("hints.toml", toml_of(value).text())));
}

#[test]
fn files_of_games() {
    let run = "name = \"x\"\nvariants = [\"black-hole\"]\nseed = 1\nlast_year = 1903\nthreads = 1\nout = \"results\"\n\
               stop = { lead = 4, years = 3, still = 6 }\nlog = { orders = true, choices = false, maps = true }\n\
               parameters.victory.rule = \"unit-and-centre-majority\"\nskip = []\n";
    let sweep = "[[sweep]]\nparameter = \"holes.per_season\"\nrange = { from = 1, to = 3, step = 2 }\n[[sweep]]\n\
                 parameter = \"holes.closure\"\nvalues = [\"void\"]\nvariants = [\"black-hole\"]\n";
    let bots = "[bots.own]\nkind = \"greedy\"\n";
    let check = |value: &Value| {
        let overrides = Overrides::default();
        told(Experiment::check(&toml_of(value), Path::new(""), &overrides, &registry()))
    };
    for seats in [
        "seats.all = \"own\"\n",
        "seats.lineup = [\"own\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n",
    ] {
        hold("experiment", &of_toml(&format!("{run}games = 7\n{seats}{sweep}{bots}")), check);
    }
    let tournament =
        format!("{run}entrants = [\"own\", \"hold\"]\nformat = \"round-robin\"\nblocks = 2\n{sweep}{bots}");
    let overrides = TournamentOverrides::default();
    hold("tournament", &of_toml(&tournament), |value| {
        told(tournament::check(&toml_of(value), Path::new(""), &overrides, &registry()))
    });
    let duel = "name = \"x\"\nvariants = [\"standard\"]\nseed = 1\nlast_year = 1903\nentrants = [\"own\", \"hold\"]\n\
                effect = 0.1\nalpha = 0.05\nbeta = 0.05\nmax_blocks = 40\n";
    hold("match", &of_toml(&format!("{duel}{bots}")), |value| {
        told(Duel::check(&toml_of(value), Path::new(""), &overrides, &registry()))
    });
    let search = std::fs::read_to_string(testkit::path("experiments/fair-holes.toml")).expect("the file");
    let tuning = |value: &Value| {
        told(CheckedSearch::check(
            &toml_of(value),
            &testkit::path("experiments"),
            &Overrides::default(),
            &registry(),
        ))
    };
    hold("search", &of_toml(&search), tuning);
    let whole = CheckedSearch::check(
        &Source::new("x", search),
        &testkit::path("experiments"),
        &Overrides::default(),
        &registry(),
    );
    let plan: Value = serde_json::from_str(&TunePlan::of(&whole.expect("sound")).to_json()).expect("JSON");
    hold("plan of a search", &plan, |value| told(TunePlan::worker(&value.to_string(), &registry())));
}

#[test]
fn what_programs_send_and_keep() {
    let out = tempfile::tempdir().expect("a folder");
    let text = "name = \"x\"\nvariants = [\"black-hole\"]\ngames = 1\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"\n";
    let experiment = experiment(text, out.path());
    let plan: Value = serde_json::from_str(&RunPlan::of(&experiment).to_json()).expect("JSON");
    hold("plan", &plan, |value| told(RunPlan::read(&value.to_string())));
    let run = crate::helpers::engine::play(&experiment, 1).path;
    let manifest = run.join("manifest.json");
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(&manifest).expect("a manifest")).expect("JSON");
    hold("manifest", &kept, |value| {
        std::fs::write(&manifest, value.to_string()).expect("written");
        told(stored::manifest(&run))
    });
    let (record, _) =
        game_record(&Origin::from(&experiment), &experiment.player(), &Schedule::new(&experiment).game(0, 0));
    let record: Value = serde_json::from_str(&record.to_json()).expect("JSON");
    hold("game", &record, |value| told(GameRecord::parse("g.json", &value.to_string())));
    let mut game = Session::new("black-hole", 3).expect("shipped");
    game.order(Power::ENGLAND, "F LON - NTH").expect("an order");
    game.advance();
    let saved: Value = serde_json::from_str(&game.save().expect("saved")).expect("JSON");
    hold("session", &saved, |value| told(Session::restore(&value.to_string())));
    let request = json!({
        "id": "x", "variant": "black-hole", "rulebook": {"base": "2023", "paradox": "1982"}, "phase": "F1901M",
        "map_events": ["collapse MAR", ["collapse TUN"]], "nature": {"seed": 7, "block": 0},
        "parameters": {"holes.per_season": 2}, "contested": ["TYR"], "last_year": 1910,
        "state": {"eliminated": {}},
        "powers": {"FRANCE": {"units": ["A PAR", "F MAO"], "centers": ["PAR"], "retreats": []}},
        "orders": {"FRANCE": ["A PAR - BUR", "F MAO - SPA/SC"]},
    });
    hold("request", &request, |value| told(AdjudicationService::new().answer(&value.to_string())));
}
