//! A board that `upheaval new` writes is symmetric, and variants that are printed whole are the same when they are read.

use std::path::Path;

use expect_test::expect_file;
use serde_json::Value;
use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;

use crate::program::{run, run_in};

/// The code of the corresponding province of the next power, counter-clockwise.
fn turned(code: &str) -> String {
    match code {
        "CROWN" | "OUT" => code.to_owned(),
        _ => {
            let next = match code.as_bytes()[0] {
                b'E' => 'A',
                letter => char::from(letter + 1),
            };
            format!("{next}{}", &code[1..])
        }
    }
}

/// A boundary, beginning with its smallest code.
fn canonical(mut cycle: Vec<String>) -> Vec<String> {
    let least = (0..cycle.len()).min_by_key(|&i| cycle[i].clone()).unwrap_or(0);
    cycle.rotate_left(least);
    cycle
}

#[test]
fn the_new_board_turned_by_a_power_is_itself() {
    let dir = tempfile::tempdir().unwrap();
    run_in(dir.path(), &["new", "map", "mine"], b"");
    let report = run_in(dir.path(), &["map", "--map", "mine.toml", "--format", "json"], b"").json();
    let faces = report["faces"].as_object().unwrap();
    let cycles = |face: &Value, turn: fn(&str) -> String| -> Vec<Vec<String>> {
        let cycles = face["boundaries"].as_array().unwrap().iter();
        let names = |cycle: &Value| {
            cycle.as_array().unwrap().iter().map(|name| turn(name.as_str().unwrap())).collect()
        };
        cycles.map(|cycle| canonical(names(cycle))).collect()
    };
    let powers = ["AMBER", "BASALT", "COBALT", "DIAMOND", "EMERALD"];
    let next = |home: &Value| {
        let at = powers.iter().position(|power| home == power);
        at.map_or(Value::Null, |at| powers[(at + 1) % powers.len()].into())
    };
    assert_eq!(faces.len(), 37);
    for (code, face) in faces {
        let image = &faces[&turned(code)];
        assert_eq!(cycles(face, turned), cycles(image, str::to_owned), "{code}");
        assert_eq!(
            (&face["kind"], &face["supply_centre"]),
            (&image["kind"], &image["supply_centre"]),
            "{code}"
        );
        assert_eq!(next(&face["home"]), image["home"], "{code}");
    }
}

#[test]
fn a_shipped_variant_printed_whole_is_the_same_variant_when_it_is_read() {
    for id in Variant::shipped() {
        let variant = Variant::find(id, Path::new("")).unwrap().unwrap();
        let read = |text: String| Variant::check(&Source::new("shown.toml", text), Path::new("")).unwrap();
        let toml = run(&["variants", "show", id, "--format", "toml"], b"");
        let json: Value =
            serde_json::from_str(&run(&["variants", "show", id, "--format", "json"], b"").out).unwrap();
        let from_json = toml::to_string(&json).unwrap();
        for again in [read(toml.out), read(from_json)] {
            assert_eq!(again.content(), variant.content(), "{id}");
            assert_eq!((&again.id, &again.sources), (&variant.id, &variant.sources), "{id}");
        }
    }
}

/// The ideas for changes of the map, each with those that its picture shows.
const IDEAS: [(&str, &[&str]); 8] = [
    ("sea-holes", &["collapse NTH", "collapse ION"]),
    ("crush", &["collapse BEL"]),
    ("growth", &["void BUR", "void MUN", "void MAR"]),
    ("flood", &["submerge HOL", "submerge DEN"]),
    ("outvoted", &["collapse PAR"]),
    ("volcano", &["void NAP"]),
    ("white-sea", &["dig STP BAR BOT"]),
    ("freeze-up", &["freeze BAL", "freeze BOT", "freeze BAR"]),
];

#[test]
fn every_idea_is_written_is_played_and_is_on_the_page_with_its_picture() {
    let page = testkit::read("docs/changes.md");
    for (idea, changes) in IDEAS {
        let dir = tempfile::tempdir().unwrap();
        let (variant, experiment) = (format!("{idea}-variant.toml"), format!("{idea}-experiment.toml"));
        let orders: [&[&str]; 3] = [
            &["new", "variant", idea, "--from", idea],
            &["new", "experiment", idea, "--variant", &variant],
            &["run", &experiment, "--quiet", "--games", "2", "--set", "last_year=1904"],
        ];
        for order in orders {
            let done = run_in(dir.path(), order, b"");
            assert_eq!((done.code, done.error.as_str()), (0, ""), "{order:?}");
        }
        let shown = run_in(dir.path(), &["variants", "show", &format!("./{variant}")], b"").out;
        let sentence = shown.lines().nth(1).expect("a summary");
        let row = format!("| `{idea}` | {sentence} | ![{idea}](ideas/{idea}.svg) |");
        assert!(page.contains(&row), "docs/changes.md lacks:\n{row}");
        let apply = changes.iter().flat_map(|change| ["--apply", change]);
        let arguments: Vec<&str> = ["map"].into_iter().chain(apply).chain(["--format", "svg"]).collect();
        let drawn = run(&arguments, b"");
        assert_eq!((drawn.code, drawn.error.as_str()), (0, ""), "{idea}");
        expect_file![testkit::path(&format!("docs/ideas/{idea}.svg"))].assert_eq(&drawn.out);
    }
}
