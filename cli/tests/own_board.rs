//! A whole study on a user's board with five powers, from `upheaval new map` to the report: equal powers are reported
//! as equal, and if one of them has more than the others the report names it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Done, run_in};

/// The powers of the board of `upheaval new map`.
const POWERS: [&str; 5] = ["AMBER", "BASALT", "COBALT", "DIAMOND", "EMERALD"];

fn done(folder: &Path, arguments: &[&str]) -> Done {
    let done = run_in(folder, arguments, b"");
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.error);
    done
}

/// A map, a variant on it, and an experiment of games between bots that do not distinguish the powers.
fn desk() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    done(dir.path(), &["new", "map", "five"]);
    done(dir.path(), &["new", "variant", "five", "--map", "five.toml"]);
    done(dir.path(), &["new", "experiment", "five", "--variant", "five-variant.toml"]);
    dir
}

/// Plays the experiment; returns the run's folder.
fn played(folder: &Path, more: &[&str]) -> PathBuf {
    let own = ["run", "five-experiment.toml", "--set", "seats.all=\"dumbbot\"", "--set", "last_year=1912"];
    done(folder, &[&own, more].concat());
    let mut runs = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let run = runs.next().expect("a run");
    assert_eq!(runs.next(), None);
    run
}

/// The report of a run.
fn report(folder: &Path, run: &Path) -> String {
    done(folder, &["report", run.to_str().unwrap(), "--out", "report.html"]);
    fs::read_to_string(folder.join("report.html")).unwrap()
}

fn balance(folder: &Path, run: &Path) -> Value {
    let done = done(folder, &["balance", run.to_str().unwrap(), "--format", "json"]);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn five_equal_powers_on_a_new_board_are_not_called_unequal() {
    let dir = desk();
    let run = played(dir.path(), &["--games", "300"]);
    assert!(done(dir.path(), &["verify", run.to_str().unwrap()]).out.contains(": sound (300 games"));
    let balance = balance(dir.path(), &run);
    let cell = &balance["cells"][0];
    let powers: Vec<&String> = cell["powers"].as_object().unwrap().keys().collect();
    assert_eq!(powers, POWERS);
    // Each has a fifth of the total, as far as chance allows, and some games are won.
    for fairness in cell["fairness"].as_array().unwrap() {
        assert_eq!((fairness["pairs"].as_array().unwrap().len(), &fairness["untested"]), (10, &Value::Null));
        let p = fairness["omnibus"]["p"].as_f64().unwrap();
        assert!(p > 0.05, "{}: {p}", fairness["measure"]);
        for power in POWERS {
            let share = fairness["shares"][power].as_f64().unwrap();
            assert!((share - 0.2).abs() < 0.1, "{}: {power} {share}", fairness["measure"]);
        }
    }
    let page = report(dir.path(), &run);
    assert!(page.contains("No difference between the five powers is shown"), "the verdict");
    assert!(
        page.contains("1/5") && !page.contains("1/7") && !page.contains("AUSTRIA"),
        "five powers and no others"
    );
    // A game of it, as a page and as text.
    let game = done(dir.path(), &["replay", run.to_str().unwrap(), "five/3"]).out;
    assert!(POWERS.iter().all(|power| game.contains(&format!(
        "{}{}",
        &power[..1],
        power[1..].to_lowercase()
    ))));
    done(dir.path(), &["replay", run.to_str().unwrap(), "five/3", "--html", "game.html"]);
    assert!(fs::read_to_string(dir.path().join("game.html")).unwrap().contains("Emerald"));
}

#[test]
fn a_power_that_starts_with_more_is_told_from_the_other_four() {
    let dir = desk();
    let file = dir.path().join("five-variant.toml");
    let text = fs::read_to_string(&file).unwrap();
    // A second army, on the centre between it and its neighbour.
    let more = text.replacen("\"A AVAL\"", "\"A AVAL\", \"A AMAR\", \"A CROWN\"", 1);
    assert_ne!(text, more);
    fs::write(&file, more).unwrap();
    let run = played(dir.path(), &["--games", "600"]);
    let page = report(dir.path(), &run);
    assert!(page.contains("Not fair. The five powers do not score equally"), "the verdict");
    assert!(page.contains("More than an equal share of 20.0\u{a0}%: AMBER"), "whose it is");
}

#[test]
fn line_ups_matches_and_standings_are_of_as_many_bots_as_powers() {
    let dir = desk();
    let tournament = "name = \"five\"\nvariants = [\"five-variant.toml\"]\nentrants = [\"greedy\", \"random\", \"hold\"]\n\
                      format = \"one-against-rest\"\nblocks = 2\nseed = 1\nlast_year = 1905\n";
    fs::write(dir.path().join("tournament.toml"), tournament).unwrap();
    let told = done(dir.path(), &["tournament", "tournament.toml"]).out;
    // Six ordered pairs in five rotations, twice.
    assert!(told.contains("60 games in 2 blocks"), "{told}");
    let few = "[\"greedy\", \"random\", \"greedy\", \"greedy\"]";
    let text = fs::read_to_string(dir.path().join("five-experiment.toml")).unwrap();
    fs::write(dir.path().join("four.toml"), text.replace("all = \"greedy\"", &format!("lineup = {few}")))
        .unwrap();
    let refused = run_in(dir.path(), &["run", "four.toml"], b"");
    assert!(
        refused.refusal().contains("`seats.lineup` must name 5 bots, one for each power, not 4"),
        "{}",
        refused.error
    );
    let both = text.replace("variants = [", "variants = [\"standard\", ");
    fs::write(dir.path().join("both.toml"), both).unwrap();
    let refused = run_in(dir.path(), &["run", "both.toml"], b"");
    assert!(
        refused.refusal().contains("has a board with the powers AMBER BASALT COBALT DIAMOND EMERALD"),
        "{}",
        refused.error
    );
}
