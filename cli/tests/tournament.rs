//! `upheaval tournament`, `upheaval standings` and `upheaval sprt` from outside.

use std::fs;
use std::path::Path;

use crate::program::{Done, run_in};
use tempfile::TempDir;

const SMALL: &str = r#"
name = "small"
variants = ["standard", "black-hole"]
entrants = ["hold", "greedy"]
format = "one-against-rest"
blocks = 3
seed = 1
last_year = 1905
"#;

fn desk(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("t.toml"), text).unwrap();
    dir
}

fn play(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["tournament", "t.toml"], arguments].concat(), b"")
}

/// The words of the first line that starts with this one.
fn words<'a>(text: &'a str, first: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(first));
    line.unwrap_or_else(|| panic!("no line of {first}: {text}")).split_whitespace().collect()
}

#[test]
fn a_tournament_ends_with_standings_that_can_be_had_again() {
    let dir = desk(SMALL);
    let done = play(dir.path(), &["--threads", "2"]);
    assert_eq!(done.code, 0, "{}", done.error);
    for title in
        ["standard: 42 games in 3 blocks", "black-hole: 42 games in 3 blocks", "all variants: 84 games in 3"]
    {
        assert!(done.out.contains(title), "{}", done.out);
    }
    let greedy = words(&done.out, "greedy");
    let rating: f64 = greedy[1].parse().unwrap();
    assert!(rating > 50.0, "greedy is stronger than hold: {}", done.out);
    assert_eq!(greedy.last(), Some(&"0"), "no faults: {}", done.out);
    let run = done.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();

    let path = dir.path().join(&run);
    let part = path.join("games/variant=standard/part-00000.parquet");
    let written = fs::metadata(&part).unwrap().modified().unwrap();
    assert_eq!(play(dir.path(), &["--threads", "1"]).out, done.out, "the same table");
    assert_eq!(fs::metadata(&part).unwrap().modified().unwrap(), written, "nothing is played again");
    let again = run_in(dir.path(), &["standings", &run], b"");
    assert_eq!((again.code, again.out.as_str()), (0, done.out.as_str()), "{}", again.error);

    let other = run_in(dir.path(), &["standings", &run, "--score", "carnage"], b"");
    assert!(other.out.contains("carnage (95% CI)") && other.out != done.out, "{}", other.out);
    let none = run_in(dir.path(), &["standings", &run, "--score", "carnival"], b"");
    assert!(none.refusal().contains("take one of: solo, draw-size"), "{}", none.error);
    assert!(run_in(dir.path(), &["standings", "."], b"").refusal().contains("is not a run folder"));

    fs::remove_dir_all(&path).unwrap();
    assert_eq!(play(dir.path(), &["--threads", "1"]).out, done.out, "on one thread as on two");
}

#[test]
fn a_round_robin_deals_its_entrants_over_the_seats() {
    let dir = desk(&SMALL.replace("one-against-rest", "round-robin").replace("blocks = 3", "blocks = 4"));
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("standard: 28 games in 4 blocks"), "{}", done.out);
    assert!(!done.out.contains("the bot of the row alone"), "{}", done.out);
    let refused = play(dir.path(), &["--blocks", "3"]);
    assert!(refused.refusal().contains("multiple of 2 blocks"), "{}", refused.error);
}

const MATCH: &str = r#"
name = "match"
variants = ["standard"]
entrants = ["greedy", "hold"]
score = "sum-of-squares"
effect = 5
max_blocks = 60
seed = 1
last_year = 1904
"#;

#[test]
fn a_match_says_its_bounds_and_rates_and_ends_with_a_verdict() {
    let dir = desk(MATCH);
    let run = |threads: &str| run_in(dir.path(), &["sprt", "t.toml", "--threads", threads], b"");
    let done = run("2");
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("ratio of 2.94, with H0 at -2.94"), "{}", done.out);
    assert!(done.out.contains("H1 where H0 holds 5.0 %, H0 where H1 holds 5.0 %"), "{}", done.out);
    assert!(done.out.contains("\nblock    20: difference "), "{}", done.out);
    assert!(done.out.contains("\nH1: greedy scores more than hold by 5 rather than 0\n"), "{}", done.out);
    assert!(done.out.contains("blocks, 280 games\nfiles: results/match-"), "{}", done.out);
    assert!(
        done.out.contains("\ngreedy is stronger than hold\n") && done.out.contains("; Elo +"),
        "{}",
        done.out
    );
    assert_eq!(run("1").out, done.out, "read again");
    let folder = done.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();
    assert_eq!(run_in(dir.path(), &["verify", &folder], b"").code, 0);
    fs::remove_dir_all(dir.path().join(&folder)).unwrap();
    assert_eq!(run("1").out, done.out, "played again on one thread");
    // The difference is too small for this many blocks, and nothing is decided before the twentieth.
    let hard = MATCH.replace("effect = 5", "effect = 0.0001").replace("max_blocks = 60", "max_blocks = 20");
    fs::write(dir.path().join("t.toml"), hard).unwrap();
    assert!(run("2").out.contains("\nundecided: "), "{}", run("2").out);
    fs::write(dir.path().join("t.toml"), MATCH.replace("max_blocks = 60", "max_blocks = 19")).unwrap();
    assert!(run("2").refusal().contains("t.toml:7:14: `max_blocks` must be"), "{}", run("2").error);
    fs::write(dir.path().join("t.toml"), MATCH.replace("\"hold\"", "\"greedy\"")).unwrap();
    assert!(run("2").refusal().contains("t.toml:4:23: `greedy` is listed twice"));
}
