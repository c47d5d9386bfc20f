//! `upheaval tournament`, `upheaval standings` and `upheaval sprt` from outside.

use std::fs;
use std::path::Path;

use crate::program::{Done, manifest, run_in};
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
fn an_entrant_is_added_to_a_finished_tournament_by_the_games_that_are_new() {
    let dir = desk(SMALL);
    let first = play(dir.path(), &[]);
    assert_eq!(first.code, 0, "{}", first.error);
    let folder = |text: &str| text.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();
    let base = folder(&first.out);
    let before = testkit::files_below(&dir.path().join(&base));

    let larger = SMALL.replace("[\"hold\", \"greedy\"]", "[\"hold\", \"greedy\", \"random\"]");
    fs::write(dir.path().join("t.toml"), &larger).unwrap();
    let extend = |arguments: &[&str]| play(dir.path(), &[&["--extend", &base], arguments].concat());
    let done = extend(&[]);
    assert_eq!(done.code, 0, "{}", done.error);
    // Six ordered pairs of three entrants: two were played, four are new.
    assert!(done.out.contains("standard: 126 games in 3 blocks"), "{}", done.out);
    assert_eq!(words(&done.out, "random")[0], "random");
    let added = folder(&done.out);
    assert!(done.out.ends_with(&format!("\nfiles: {base}\nfiles: {added}\n")), "{}", done.out);
    assert!(testkit::files_below(&dir.path().join(&base)) == before, "what was played stays as it is");
    let games = |folder: &str| manifest(&dir.path().join(folder))["games"].as_u64().unwrap();
    assert_eq!((games(&base), games(&added)), (84, 168));

    // Both are sound runs, and nothing is played twice.
    assert_eq!(run_in(dir.path(), &["verify", &base, &added], b"").code, 0);
    let part = dir.path().join(&added).join("games/variant=standard/part-00000.parquet");
    let written = fs::metadata(&part).unwrap().modified().unwrap();
    assert_eq!(extend(&[]).out, done.out);
    assert_eq!(fs::metadata(&part).unwrap().modified().unwrap(), written);
    let again = run_in(dir.path(), &["standings", &base, &added], b"");
    assert_eq!((again.code, &again.out), (0, &done.out), "{}", again.error);
    let json = run_in(dir.path(), &["standings", &base, &added, "--json"], b"").json();
    assert_eq!(
        (&json["folder"], &json["extended_by"][0]["folder"]),
        (&base.as_str().into(), &added.as_str().into())
    );
    assert_eq!((&json["sections"][0]["games"], &json["counted"]), (&126.into(), &"alone".into()));

    // A third time, with both runs: an entrant more.
    let largest = larger.replace("\"random\"]", "\"random\", \"second\"]")
        + "[bots.second]\nkind = \"search\"\nrollouts = 1\n";
    fs::write(dir.path().join("t.toml"), largest).unwrap();
    let third = play(dir.path(), &["--extend", &base, "--extend", &added, "--set", "blocks=3"]);
    assert!(third.out.contains("standard: 252 games in 3 blocks"), "{}{}", third.out, third.error);

    // What does not fit is refused before a game is played.
    fs::write(dir.path().join("t.toml"), SMALL).unwrap();
    let nothing = extend(&[]);
    assert!(nothing.refusal().contains("t.toml:4:1: nothing is new: all line-ups"), "{}", nothing.error);
    fs::write(dir.path().join("t.toml"), &larger).unwrap();
    let other = extend(&["--seed", "2"]);
    assert!(other.refusal().contains("is not of the tournament of `t.toml`: seed: 1 → 2"), "{}", other.error);
    let twice = run_in(dir.path(), &["standings", &base, &base], b"");
    assert!(twice.refusal().contains("which another of the runs has too"), "{}", twice.error);
    let nowhere = play(dir.path(), &["--extend", "nowhere"]);
    assert!(nowhere.refusal().contains("`nowhere` is not a run folder"), "{}", nowhere.error);
}

#[test]
fn a_round_robin_is_extended_by_games_with_the_new_entrant() {
    let robin = SMALL.replace("one-against-rest", "round-robin").replace("blocks = 3", "blocks = 6");
    let dir = desk(&robin);
    let first = play(dir.path(), &[]);
    let base = first.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();
    fs::write(dir.path().join("t.toml"), robin.replace("\"greedy\"]", "\"greedy\", \"random\"]")).unwrap();
    let done = play(dir.path(), &["--extend", &base]);
    assert!(done.out.contains("standard: 84 games in 6 blocks"), "{}{}", done.out, done.error);
    // All three sit in each game that was added, and two in each that was there.
    let games = |bot: &str| words(&done.out, bot)[words(&done.out, bot).len() - 2].to_owned();
    assert_eq!(["hold", "greedy", "random"].map(games), ["84", "84", "42"]);
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
