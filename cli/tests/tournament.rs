//! Extended tournaments: their page and their balance have the games of all runs.

use std::fs;

use crate::program::run_in;
use tempfile::TempDir;
use upheaval::analysis::balance::BalanceOptions;
use upheaval::report::Report;

const SMALL: &str = r#"
name = "small"
variants = ["standard", "black-hole"]
entrants = ["hold", "greedy"]
format = "one-against-rest"
blocks = 2
seed = 1
last_year = 1902
"#;

/// A finished tournament of two entrants, and the run by which a third was added.
fn extended() -> (TempDir, [String; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let play = |text: &str, arguments: &[&str]| {
        fs::write(dir.path().join("t.toml"), text).unwrap();
        let done = run_in(dir.path(), &[&["tournament", "t.toml"], arguments].concat(), b"");
        assert_eq!(done.code, 0, "{}", done.error);
        done.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned()
    };
    let base = play(SMALL, &[]);
    let added = play(&SMALL.replace("\"greedy\"]", "\"greedy\", \"random\"]"), &["--extend", &base]);
    (dir, [base, added])
}

#[test]
fn the_page_of_an_extended_tournament_has_the_entrants_and_pairs_of_all_runs() {
    let (dir, runs) = extended();
    let [base, added] = runs.map(|run| dir.path().join(run));
    let html = Report::of_all(&base, std::slice::from_ref(&added), &BalanceOptions::default()).unwrap();
    let scores = &html.figures().find(|figure| figure.id == "alone-all").unwrap().table;
    assert_eq!((scores.head.len(), scores.rows.len()), (4, 3));
    let missing = scores.rows.iter().flatten().filter(|cell| *cell == "–").count();
    assert_eq!(missing, 3, "only the diagonal is empty: {:?}", scores.rows);
}

#[test]
fn the_balance_of_an_extended_tournament_has_the_line_ups_of_all_runs() {
    let (dir, [base, added]) = extended();
    let balance = |folders: &[&str]| {
        run_in(dir.path(), &[&["balance", "--format", "json"], folders].concat(), b"").json()
    };
    let (all, first, second) = (balance(&[&base, &added]), balance(&[&base]), balance(&[&added]));
    assert_eq!(all["run"]["experiment_hash"], first["run"]["experiment_hash"]);
    assert_eq!(all["run"]["extended_by"][0], second["run"]);
    assert_eq!(first["run"].get("extended_by"), None);
    // Six ordered pairs of each variant: those of the first run, then those of the second, with the same numbers.
    let cell = |of: &serde_json::Value, arm: &str, line_up: u64| {
        let cells = of["cells"].as_array().unwrap();
        let found = cells.iter().find(|cell| cell["arm"] == arm && cell["line_up"] == line_up);
        let mut cell = found.unwrap_or_else(|| panic!("no {arm} {line_up}")).clone();
        ["line_up", "seating"].iter().for_each(|own| drop(cell.as_object_mut().unwrap().remove(*own)));
        cell
    };
    assert_eq!(all["cells"].as_array().unwrap().len(), 12);
    for arm in ["standard", "black-hole"] {
        for line_up in 0..2 {
            assert_eq!(cell(&all, arm, line_up), cell(&first, arm, line_up), "{arm} {line_up}");
        }
        for line_up in 0..4 {
            assert_eq!(cell(&all, arm, 2 + line_up), cell(&second, arm, line_up), "{arm} {line_up}");
        }
    }
    // Line-ups of different runs met the same catastrophes, so their blocks are paired.
    let across = all["line_ups"].as_array().unwrap().iter().find(|pair| pair["line_up"] == 5).unwrap();
    assert_eq!((&across["against_line_up"], &across["paired_blocks"]), (&0.into(), &2.into()));
    let chosen = balance(&[&base, &added, "--line-up", "5"]);
    assert_eq!(chosen["cells"].as_array().unwrap().len(), 2);
}
