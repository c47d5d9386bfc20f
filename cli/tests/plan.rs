//! `upheaval run --dry-run` and `--print-resolved`: a description of a run, without playing it.

use std::fs;
use std::path::Path;

use crate::program::{Done, desk, run_in, the_run};

const FILE: &str = r#"
name = "planned"
variants = ["standard", "black-hole"]
games = 28
seed = 1
last_year = 1903

[seats]
lineups = [
  ["greedy", "random", "random", "random", "random", "random", "hold"],
  ["hold", "random", "random", "random", "random", "random", "hold"],
]

[[sweep]]
parameter = "holes.per_season"
values = [1, 2]
"#;

fn plan(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["run", "e.toml", "--dry-run"], arguments].concat(), b"")
}

fn bytes_of(run: &Path) -> u64 {
    fs::read_dir(run)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(
            |entry| {
                if entry.path().is_dir() { bytes_of(&entry.path()) } else { entry.metadata().unwrap().len() }
            },
        )
        .sum()
}

/// The bytes in a plan's estimate.
fn estimated(plan: &str) -> f64 {
    let line = plan.lines().find(|line| line.starts_with("estimate: ")).unwrap_or_else(|| panic!("{plan}"));
    let words: Vec<&str> = line.split([' ', ',']).collect();
    let unit = words.iter().position(|word| ["kB", "MB", "GB"].contains(word)).unwrap();
    let scale = match words[unit] {
        "kB" => 1e3,
        "MB" => 1e6,
        _ => 1e9,
    };
    words[unit - 1].parse::<f64>().unwrap() * scale
}

#[test]
fn the_plan_says_what_would_be_played_and_nothing_is_written() {
    let dir = desk(FILE);
    let done = plan(dir.path(), &["--threads", "2"]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is written");
    for expected in [
        "experiment: planned (",
        "\nrun folder: results/planned-",
        "(not started)\n",
        "\narms: 3\n  standard\n  black-hole.per_season-1  holes.per_season = 1\n  black-hole.per_season-2  holes.per_season = 2\n",
        "\nline-ups: 2 in 7 rotations, every block plays all\n  greedy random random random random random hold\n  hold random",
        "\nblocks: 2 of 14 games\ngames: 28 of each arm, 84 in all\n",
        "games played in ",
        " s on 2 threads\n",
    ] {
        assert!(done.out.contains(expected), "{expected}\n{}", done.out);
    }
}

#[test]
fn the_estimate_of_bytes_is_near_what_the_run_takes() {
    let fixed = &FILE.replace("games = 28", "games = 2000");
    let large = format!("{}seats.all = \"random\"\n", fixed.split("[seats]").next().unwrap());
    for (text, tolerance) in [(FILE, 0.02), (&large.replace("last_year = 1903", "last_year = 1901"), 0.15)] {
        let dir = desk(text);
        let done = plan(dir.path(), &[]);
        let said = estimated(&done.out);
        assert_eq!(run_in(dir.path(), &["run", "e.toml"], b"").code, 0);
        let is = bytes_of(&the_run(dir.path())) as f64;
        assert!((said / is - 1.0).abs() < tolerance, "{said} said, {is} taken\n{}", done.out);
    }
}

#[test]
fn the_plan_says_what_is_there_already() {
    let dir = desk(FILE);
    assert_eq!(run_in(dir.path(), &["run", "e.toml"], b"").code, 0);
    let before = bytes_of(dir.path());
    let done = plan(dir.path(), &[]);
    assert!(done.out.contains("(it is complete, and would be played again)"), "{}", done.out);
    assert_eq!(bytes_of(dir.path()), before);
}

#[test]
fn a_shards_plan_counts_its_own_games() {
    let dir = desk(FILE);
    let done = plan(dir.path(), &["--shard", "3/3"]);
    assert!(done.out.contains("experiment: planned, shard 3/3 ("), "{}", done.out);
    assert!(done.out.contains(".shard-3-of-3 (nothing"), "{}", done.out);
    assert!(done.out.contains("games: 28 of each arm, 84 in all, 28 in this shard\n"), "{}", done.out);
    let none = plan(dir.path(), &["--shard", "4/4"]);
    assert!(none.out.ends_with("0 in this shard\n"), "nothing to estimate: {}", none.out);
}

#[test]
fn a_run_that_would_be_refused_has_no_plan() {
    let dir = desk(FILE);
    fs::write(dir.path().join("results"), "precious").unwrap();
    assert!(plan(dir.path(), &[]).refusal().contains("but the run needs a folder there"));
}

#[test]
fn the_resolved_experiment_is_printed_as_the_run_folder_has_it() {
    let dir = desk(FILE);
    let printed = run_in(dir.path(), &["run", "e.toml", "--print-resolved"], b"");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is written");
    assert_eq!(run_in(dir.path(), &["run", "e.toml"], b"").code, 0);
    let resolved = fs::read_to_string(the_run(dir.path()).join("experiment.resolved.json")).unwrap();
    assert_eq!(printed.out, resolved);
    let both = run_in(dir.path(), &["run", "e.toml", "--print-resolved", "--dry-run"], b"");
    assert!(both.refusal().contains("cannot be used with"), "{}", both.error);
}
