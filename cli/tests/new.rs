//! `upheaval new`: files to start from, which are valid; and `upheaval map check` and the lists.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use upheaval::diagnostic::Source;
use upheaval::rules::variant::Variant;

use crate::program::{Done, run, run_in};

fn desk() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Done {
    let done = run_in(folder, arguments, b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{arguments:?}");
    done
}

#[test]
fn each_new_file_runs_and_names_the_command_that_comes_next() {
    let dir = desk();
    let next =
        |done: &Done| done.out.lines().last().unwrap().strip_prefix("next: upheaval ").unwrap().to_owned();
    let mut command = "new map mine".to_owned();
    for file in ["mine.toml", "mine-variant.toml", "mine-experiment.toml"] {
        let words: Vec<&str> = command.split_whitespace().collect();
        let made = done(dir.path(), &words);
        assert!(made.out.starts_with(&format!("wrote {file}\n")), "{}", made.out);
        assert!(!fs::read_to_string(dir.path().join(file)).unwrap().contains("{{"), "{file}");
        command = next(&made);
    }
    assert_eq!(command, "run mine-experiment.toml");
    let check = done(dir.path(), &["map", "check", "mine.toml"]);
    assert!(check.out.starts_with("mine.toml: sound (36 provinces, "), "{}", check.out);
    let shown = done(dir.path(), &["variants", "show", "./mine-variant.toml"]);
    assert!(shown.out.contains("\nstart.units = AMBER: F ACAP, A AHAR, A AVAL; BASALT: "), "{}", shown.out);
    // The board is played with the rules that ship.
    done(dir.path(), &["new", "variant", "regular"]);
    done(dir.path(), &["new", "experiment", "regular", "--variant", "regular-variant.toml"]);
    let played = run_in(dir.path(), &["run", "regular-experiment.toml", "--games", "2"], b"");
    assert_eq!(played.code, 0, "{}", played.error);
    assert!(played.out.starts_with("regular: 2 games"), "{}", played.out);
}

#[test]
fn a_new_regular_variant_is_the_standard_one() {
    let dir = desk();
    done(dir.path(), &["new", "variant", "regular"]);
    let text = fs::read_to_string(dir.path().join("regular-variant.toml")).unwrap();
    let new = Variant::check(&Source::new("regular-variant.toml", text), Path::new("")).unwrap();
    let standard = Variant::find("standard", Path::new("")).unwrap().unwrap();
    assert_eq!(new.content(), standard.content());
}

#[test]
fn no_file_is_overwritten_and_none_is_half_written() {
    let dir = desk();
    fs::write(dir.path().join("mine.toml"), "mine").unwrap();
    let refused = run_in(dir.path(), &["new", "map", "mine"], b"");
    assert!(
        refused.refusal().contains("`mine.toml` exists already and is not overwritten"),
        "{}",
        refused.error
    );
    for (arguments, part) in [
        (&["new", "map", "Mine"][..], "begins with a letter, such as `mine`, not `Mine`"),
        (&["new", "map", "../mine"], "expected a name of 1 to 32 lower-case letters, digits and `-`"),
        (&["new", "variant", "other", "--map", "atlantis"], "there is no map `atlantis`"),
        (&["new", "variant", "other", "--map", "mine.toml"], "mine.toml:1:"),
        (&["new", "experiment", "other", "--variant", "atlantis"], "there is no variant `atlantis`"),
    ] {
        let refused = run_in(dir.path(), arguments, b"");
        assert!(refused.refusal().contains(part), "{arguments:?}: {}", refused.error);
    }
    assert_eq!(fs::read_to_string(dir.path().join("mine.toml")).unwrap(), "mine");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

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
    let dir = desk();
    done(dir.path(), &["new", "map", "mine"]);
    let report = done(dir.path(), &["map", "--map", "mine.toml", "--format", "json"]).json_lines().remove(0);
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

// ---- upheaval map check ----

#[test]
fn every_fault_of_a_map_is_a_line_and_the_exit_code_is_one() {
    let dir = desk();
    let text = testkit::read("maps/standard.json")
        .replace(r#"["PIC", "BRE", "GAS", "BUR"]"#, r#"["BUR", "GAS", "BRE", "PIC"]"#)
        .replace(r#"{"through": "KIE""#, r#"{"through": "PAR""#);
    fs::write(dir.path().join("mine.json"), text).unwrap();
    fs::copy(testkit::path("maps/deluge.json"), dir.path().join("sound.json")).unwrap();
    let checked = run_in(dir.path(), &["map", "check", "sound.json", "mine.json"], b"");
    assert_eq!((checked.code, checked.error.as_str()), (1, ""));
    let expected = "\
sound.json: sound (75 provinces, 56 on land and 19 at sea, beside 2 impassable faces; 34 supply centres; powers AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY)
mine.json: PAR does not have a border `BAL`; its neighbours are BUR PIC BRE GAS
mine.json: PAR does not have a border `HEL`; its neighbours are BUR PIC BRE GAS
mine.json: PAR seems to be reversed; its neighbours' lists require `BUR PIC BRE GAS`
mine.json: 3 faults
";
    assert_eq!(checked.out, expected);
    let json = run_in(dir.path(), &["map", "check", "mine.json", "--format", "json"], b"");
    let found = json.json_lines().remove(0);
    assert_eq!(
        (json.code, &found["sound"], found["faults"].as_array().unwrap().len()),
        (1, &false.into(), 3)
    );
    fs::write(dir.path().join("cut.toml"), "faces = {").unwrap();
    let cut = run_in(dir.path(), &["map", "check", "cut.toml"], b"");
    assert!(cut.code == 1 && cut.out.starts_with("cut.toml:1:") && cut.out.ends_with("cut.toml: 1 fault\n"));
    assert!(run(&["map", "check", "nonesuch.json"], b"").refusal().contains("cannot read `nonesuch.json`"));
}

// ---- lists, and whole variants ----

#[test]
fn provinces_are_listed_with_names_kinds_coasts_and_homes() {
    let listed = run(&["map", "--list"], b"").out;
    for line in [
        "ADR  Adriatic Sea           sea",
        "BEL  Belgium                land        coast   centre",
        "BUR  Burgundy               land",
        "STP  St. Petersburg         land        NC SC   home of RUSSIA",
        "SWI  Switzerland            impassable",
    ] {
        assert!(listed.lines().any(|listed| listed == line), "{line}\n{listed}");
    }
    let json = run(&["map", "--map", "deluge", "--list", "--format", "json"], b"").json_lines().remove(0);
    let spain = json.as_array().unwrap().iter().find(|line| line["code"] == "SPA").unwrap();
    assert_eq!(
        spain.to_string(),
        r#"{"code":"SPA","name":"Spain","kind":"land","coasts":["NC","SC"],"supply_centre":true,"home":null}"#
    );
    assert!(run(&["map", "--list", "--format", "svg"], b"").refusal().contains("--format text"));
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

#[test]
fn variants_are_listed_for_programs() {
    let list: Value = serde_json::from_str(&run(&["variants", "--format", "json"], b"").out).unwrap();
    let ids: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert_eq!(ids, Variant::shipped().collect::<Vec<_>>());
    assert_eq!(list[0]["powers"].as_array().unwrap().len(), 7);
    assert_eq!((&list[6]["map"], &list[6]["title"]), (&"deluge".into(), &"Deluge II".into()));
}
