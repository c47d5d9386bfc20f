//! `upheaval schema`: every file that ships conforms to its schema, and the schema refuses files that a reader refuses
//! for their form.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use jsonschema::Validator;
use serde_json::{Value, json};
use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;
use upheaval::sim::tournament::{self, TournamentOverrides};
use upheaval::sim::{Experiment, Overrides, Registry};
use upheaval::topology::atlas;

use crate::program::run;

const KINDS: [&str; 4] = ["map", "variant", "experiment", "tournament"];

fn schema(kind: &str) -> Value {
    let done = run(&["schema", kind], b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{kind}");
    serde_json::from_str(&done.out).unwrap()
}

fn validator(kind: &str) -> Validator {
    jsonschema::options().build(&schema(kind)).unwrap()
}

/// The fault that a schema finds in a file, if any.
fn fault(validator: &Validator, file: &Value) -> Option<String> {
    validator.iter_errors(file).next().map(|error| error.to_string())
}

/// The files below a folder with this extension, of any kind.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let all = testkit::files_below(&testkit::path(folder)).into_keys();
    let ends = |path: &PathBuf| path.extension().is_some_and(|extension| extension == ending);
    all.filter(ends).map(|path| testkit::path(folder).join(path)).collect()
}

fn toml_of(path: &Path) -> Value {
    toml::from_str(&fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The kind of a file, by the keys that only that kind has.
fn kind_of(file: &Value) -> Option<&'static str> {
    let of_key =
        [("faces", "map"), ("rulebook", "variant"), ("seats", "experiment"), ("format", "tournament")];
    of_key.into_iter().find(|(key, _)| file.get(key).is_some()).map(|(_, kind)| kind)
}

#[test]
fn the_schemas_are_kept_beside_the_pages() {
    for kind in KINDS {
        let printed = run(&["schema", kind], b"").out;
        expect_file![testkit::path(&format!("docs/{kind}.schema.json"))].assert_eq(&printed);
        assert!(jsonschema::meta::is_valid(&schema(kind)), "{kind}");
    }
}

#[test]
fn every_file_that_ships_is_of_the_form_of_its_schema() {
    let validators = KINDS.map(|kind| (kind, validator(kind)));
    let mut seen = Vec::new();
    let read_json = |path: &PathBuf| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut all: Vec<(PathBuf, Value)> =
        files("maps", "json").iter().map(|path| (path.clone(), read_json(path))).collect();
    for folder in ["variants", "experiments", "docs/three"] {
        all.extend(files(folder, "toml").into_iter().map(|path| (path.clone(), toml_of(&path))));
    }
    for (path, file) in &all {
        // Matches have a form of their own.
        let Some(kind) = kind_of(file) else { continue };
        let (_, validator) = validators.iter().find(|(known, _)| *known == kind).unwrap();
        assert_eq!(fault(validator, file), None, "{}", path.display());
        seen.push(kind);
    }
    let count = |kind: &str| seen.iter().filter(|seen| **seen == kind).count();
    assert!(
        count("map") >= 4 && count("variant") >= 9 && count("experiment") >= 10 && count("tournament") >= 1,
        "{seen:?}"
    );
}

#[test]
fn new_files_are_of_the_form_of_their_schemas() {
    let dir = tempfile::tempdir().unwrap();
    for (kind, file) in
        [("map", "mine.toml"), ("variant", "mine-variant.toml"), ("experiment", "mine-experiment.toml")]
    {
        let done = crate::program::run_in(dir.path(), &["new", kind, "mine"], b"");
        assert_eq!(done.code, 0, "{}", done.error);
        assert_eq!(fault(&validator(kind), &toml_of(&dir.path().join(file))), None, "{file}");
    }
}

/// Does the program read the file, as far as its form goes?
fn is_read(kind: &str, file: &Value) -> Result<(), String> {
    // Values that TOML does not have, such as `null`, occur only in JSON maps.
    let source = Source::new("x.toml", toml::to_string(file).unwrap_or_default());
    let registry = Registry::new(upheaval_bots::KINDS);
    let (base, overrides) = (Path::new(""), Overrides::default());
    match kind {
        "map" => atlas::parse("x.json", &file.to_string()).map(drop).map_err(|error| error.to_string()),
        "variant" => Variant::check(&source, base).map(drop).map_err(|error| error.to_string()),
        "experiment" => Experiment::check(&source, base, &overrides, &registry)
            .map(drop)
            .map_err(|error| error.to_string()),
        _ => tournament::check(&source, base, &TournamentOverrides::default(), &registry)
            .map(drop)
            .map_err(|error| error.to_string()),
    }
}

/// Every path to a table or value of a file.
fn pointers(file: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match file {
        Value::Object(entries) => {
            for (key, value) in entries {
                pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(list) if !list.is_empty() => pointers(&list[0], &format!("{at}/0"), found),
        _ => {}
    }
}

/// A file of each kind that ships, with as many keys as possible.
fn examples() -> Vec<(&'static str, Value)> {
    let text = |path: &str| testkit::read(path);
    let read = |path: &str| toml::from_str::<Value>(&text(path)).unwrap();
    let mut experiment = read("experiments/holes-per-season.toml");
    experiment["log"] = json!({ "orders": false });
    experiment["threads"] = json!(1);
    experiment["out"] = json!("results");
    experiment["faults"] = json!({ "policy": "forfeit", "answers": ["timeout", "crash"] });
    vec![
        ("map", serde_json::from_str(&text("maps/standard.json")).unwrap()),
        ("variant", read("variants/schizo-ii.toml")),
        ("variant", read("variants/seismic-1971.toml")),
        ("variant", read("variants/double-reversible.toml")),
        ("experiment", experiment),
        ("tournament", read("experiments/tournament.toml")),
    ]
}

/// Tables in which any key may occur: names of provinces, powers, years, parameters.
fn is_open(kind: &str, at: &str) -> bool {
    let open: &[&str] = match kind {
        "map" => &["/faces", "/coasts"],
        "variant" => &["/start/units", "/sources", "/seismic/passages"],
        _ => &["/parameters", "/bots"],
    };
    open.iter().any(|open| at == *open || kind == "map" && at.starts_with("/coasts/"))
}

#[test]
fn what_a_reader_refuses_for_its_form_its_schema_refuses() {
    let mut tried = 0;
    for (kind, file) in examples() {
        let validator = validator(kind);
        assert_eq!((is_read(kind, &file), fault(&validator, &file)), (Ok(()), None), "{kind}");
        let mut all = Vec::new();
        pointers(&file, "", &mut all);
        // All faces have the same form.
        let all = all.iter().filter(|at| !at.starts_with("/faces/") || at.starts_with("/faces/PAR"));
        for at in all {
            let mut changed: Vec<(String, Value)> = Vec::new();
            let mut change = |what: &str, change: &dyn Fn(&mut Value)| {
                let mut other = file.clone();
                change(other.pointer_mut(at).expect("it is there"));
                changed.push((format!("{kind} {at}: {what}"), other));
            };
            match file.pointer(at).expect("it is there") {
                Value::Object(_) if !is_open(kind, at) => {
                    change("an unknown key", &|table| table["unknown_key"] = json!(1));
                }
                Value::Object(_) => {}
                Value::String(_) => change("a truth for a text", &|value| *value = json!(true)),
                Value::Number(_) => change("a text for a number", &|value| *value = json!("many")),
                Value::Bool(_) => change("a text for a truth", &|value| *value = json!("yes")),
                Value::Array(_) => change("a truth for a list", &|value| *value = json!(true)),
                Value::Null => {}
            }
            for (what, other) in changed {
                // A value of a sweep may be anything; the variant checks it.
                if at.starts_with("/sweep/0/values/") {
                    continue;
                }
                assert!(is_read(kind, &other).is_err(), "{what} is read");
                assert!(
                    fault(&validator, &other).is_some(),
                    "{what} is refused by the reader and not by the schema"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn a_code_that_cannot_be_is_refused() {
    let validator = validator("map");
    for code in ["P", "PARISIANS", "1PAR", "PAR.", "PA R", "PAR/NC", ""] {
        let text = testkit::read("maps/standard.json").replace("\"PAR\"", &format!("\"{code}\""));
        let file: Value = serde_json::from_str(&text).unwrap();
        assert!(is_read("map", &file).is_err() && fault(&validator, &file).is_some(), "{code}");
    }
    let text = testkit::read("maps/standard.json").replace("\"PAR\"", "\"Par.is7\"");
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((is_read("map", &file), fault(&validator, &file)), (Ok(()), None));
}

#[test]
fn words_and_numbers_that_cannot_be_are_refused() {
    for (kind, at, value) in [
        ("map", "/faces/PAR/kind", json!("swamp")),
        ("map", "/faces/PAR/centre", json!([1])),
        ("variant", "/rulebook", json!("1999")),
        ("variant", "/victory/rule", json!("most-of-it")),
        ("experiment", "/last_year", json!(0)),
        ("experiment", "/name", json!("a b")),
        ("experiment", "/faults/policy", json!("forgive")),
        ("experiment", "/seats", json!({ "al": "greedy" })),
        ("tournament", "/format", json!("knock-out")),
        ("tournament", "/entrants", json!(["greedy"])),
    ] {
        let (_, mut file) = examples().into_iter().find(|(known, _)| *known == kind).unwrap();
        *file.pointer_mut(at).unwrap() = value;
        assert!(is_read(kind, &file).is_err(), "{kind} {at} is read");
        assert!(fault(&validator(kind), &file).is_some(), "{kind} {at}");
    }
}
