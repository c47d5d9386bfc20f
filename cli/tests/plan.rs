//! The estimate of `upheaval run --dry-run`: the bytes of a run that is not played yet.

use std::fs;
use std::path::Path;

use crate::program::{desk, run_in, the_run};

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
parameter = "changes.holes.count"
values = [1, 2]
"#;

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
fn the_estimate_of_bytes_is_near_what_the_run_takes() {
    let fixed = &FILE.replace("games = 28", "games = 1050");
    let large = format!("{}seats.all = \"random\"\n", fixed.split("[seats]").next().unwrap());
    for (text, tolerance) in [(FILE, 0.02), (&large.replace("last_year = 1903", "last_year = 1901"), 0.15)] {
        let dir = desk(text);
        let done = run_in(dir.path(), &["run", "e.toml", "--dry-run"], b"");
        let said = estimated(&done.out);
        assert_eq!(run_in(dir.path(), &["run", "e.toml"], b"").code, 0);
        let is = bytes_of(&the_run(dir.path())) as f64;
        assert!((said / is - 1.0).abs() < tolerance, "{said} said, {is} taken\n{}", done.out);
    }
}
