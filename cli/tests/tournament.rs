//! `upheaval tournament`, `upheaval standings` and `upheaval sprt` from outside.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::program::{Done, manifest, run_in};
use tempfile::TempDir;
use upheaval::analysis::balance::BalanceOptions;
use upheaval::report::Report;

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
    assert!(none.refusal().contains("expected one of: solo, draw-size"), "{}", none.error);
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
    assert!(nothing.refusal().contains("t.toml:4:12: nothing is new: all line-ups"), "{}", nothing.error);
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
    assert!(!done.out.contains("the bot of the row in one seat"), "{}", done.out);
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
    assert!(done.out.contains("stops at an evidence of 3.00 for H1 or 3.00 for H0"), "{}", done.out);
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
    // Nobody wins alone so early: blocks that do not differ are hardly evidence, and the last lines say so.
    let none = MATCH.replace("sum-of-squares", "solo").replace("max_blocks = 60", "max_blocks = 20");
    for (effect, said) in [
        ("0.01", " blocks like these (`max_blocks`, or --blocks) would decide it\n"),
        (
            "1e-9",
            "; `baseline` and `effect` are too near to each other for any number of blocks like these\n",
        ),
    ] {
        fs::write(dir.path().join("t.toml"), none.replace("effect = 5", &format!("effect = {effect}")))
            .unwrap();
        let undecided = run("2").out;
        for said in [
            "\nundecided: the evidence is ",
            ", and no block differs from another; ",
            said,
            "\nneither is shown to be stronger: no block differs from another in solo\n",
            "\nElo rates the order in which powers finish, with centres and late eliminations: greedy is ahead in it",
        ] {
            assert!(undecided.contains(said), "{undecided}");
        }
        assert!(!undecided.contains("inf"), "{undecided}");
    }
    fs::write(dir.path().join("t.toml"), MATCH.replace("max_blocks = 60", "max_blocks = 19")).unwrap();
    assert!(run("2").refusal().contains("t.toml:7:14: `max_blocks` must be"), "{}", run("2").error);
    fs::write(dir.path().join("t.toml"), MATCH.replace("\"hold\"", "\"greedy\"")).unwrap();
    assert!(run("2").refusal().contains("t.toml:4:23: `greedy` is listed twice"));
}

/// A finished tournament and the run by which it was extended: their folders.
fn extended(dir: &TempDir, first: &str, with_entrant: &str) -> [String; 2] {
    let folder = |done: &Done| {
        assert_eq!(done.code, 0, "{}", done.error);
        done.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned()
    };
    fs::write(dir.path().join("t.toml"), first).unwrap();
    let base = folder(&play(dir.path(), &[]));
    fs::write(dir.path().join("t.toml"), with_entrant).unwrap();
    let added = folder(&play(dir.path(), &["--extend", &base]));
    [base, added]
}

#[test]
fn the_report_of_an_extended_tournament_is_of_all_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let larger = SMALL.replace("\"greedy\"]", "\"greedy\", \"random\"]");
    let [base, added] = extended(&dir, SMALL, &larger);
    let done = run_in(dir.path(), &["report", &base, &added], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    // Beside the pages of each of the runs.
    let page = fs::canonicalize(dir.path())
        .unwrap()
        .join(format!("results/pages/{}-extended.html", Path::new(&base).file_name().unwrap().display()));
    assert_eq!(done.out, format!("report: {}\n", page.display()));
    let html = fs::read_to_string(&page).unwrap();
    for said in [
        "Standings of small",
        "2 arms, 6 line-ups, 252 games, seed 1",
        "standard: 126 games in 3 blocks",
        "all variants: 252 games in 3 blocks",
        "Extended by",
        "168 games",
    ] {
        assert!(html.contains(said), "{said}");
    }
    // Each bot with its content is named once, and the pairs of old and new entrants have scores.
    assert_eq!(html.matches("random (version").count(), 1);
    let hash =
        |folder: &str| manifest(&dir.path().join(folder))["experiment_hash"].as_str().unwrap().to_owned();
    assert!(html.contains(&hash(&base)) && html.contains(&hash(&added)));
    let report =
        Report::of_all(&dir.path().join(&base), &[dir.path().join(&added)], &BalanceOptions::default());
    let report = report.unwrap();
    let alone = &report.figures().find(|figure| figure.id == "alone-all").unwrap().table;
    assert_eq!((alone.head.len(), alone.rows.len()), (4, 3));
    let missing = alone.rows.iter().flatten().filter(|cell| *cell == "–").count();
    assert_eq!(missing, 3, "only the diagonal is empty: {:?}", alone.rows);

    // The order of the folders decides the page's name and order, not its numbers.
    let turned = run_in(dir.path(), &["report", &added, &base, "--out", "turned.html"], b"");
    assert_eq!(turned.code, 0, "{}", turned.error);
    let turned = fs::read_to_string(dir.path().join("turned.html")).unwrap();
    assert!(turned.contains("all variants: 252 games in 3 blocks"));

    // Folders that do not belong together are refused, and the page is in none of them.
    let refused = |arguments: &[&str]| run_in(dir.path(), arguments, b"").refusal().to_owned();
    assert!(refused(&["report", &base, &base]).contains("which another of the runs has too"));
    assert!(refused(&["balance", &base, &base]).contains("which another of the runs has too"));
    let inside = format!("{added}/page.html");
    assert!(refused(&["report", &base, &added, "--out", &inside]).contains("is in the run folder"));
    fs::write(dir.path().join("t.toml"), SMALL.replace("seed = 1", "seed = 2")).unwrap();
    let other = play(dir.path(), &[]).out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();
    for command in ["report", "balance", "standings"] {
        let said = refused(&[command, &added, &other]);
        assert!(
            said.contains(&format!("`{other}` is not of the tournament of `{added}`: seed: 1 → 2")),
            "{said}"
        );
        assert!(refused(&[command, &base, "nowhere"]).contains("`nowhere` is not a run folder"));
    }
}

#[test]
fn the_balance_of_an_extended_tournament_has_the_line_ups_of_all_runs() {
    let dir = tempfile::tempdir().unwrap();
    let larger = SMALL.replace("\"greedy\"]", "\"greedy\", \"random\"]");
    let [base, added] = extended(&dir, SMALL, &larger);
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
    assert_eq!((&across["against_line_up"], &across["paired_blocks"]), (&0.into(), &3.into()));
    let chosen = balance(&[&base, &added, "--line-up", "5"]);
    assert_eq!(chosen["cells"].as_array().unwrap().len(), 2);
    let none = run_in(dir.path(), &["balance", &base, &added, "--line-up", "6"], b"");
    assert!(none.refusal().contains("this run has line-ups 0 to 5, not 6"), "{}", none.error);
}

#[test]
fn a_round_robin_of_as_many_entrants_as_seats_can_be_added_though_it_has_one_line_up() {
    let six = r#"["hold", "greedy", "random", "a", "b", "c"]"#;
    let more = "[bots]\na.kind = \"hold\"\nb.kind = \"random\"\nc.kind = \"hold\"\nd.kind = \"greedy\"\n";
    let robin = SMALL.replace("one-against-rest", "round-robin").replace("blocks = 3", "blocks = 6");
    let robin = robin.replace("[\"hold\", \"greedy\"]", six).replace(", \"black-hole\"", "") + more;
    let dir = tempfile::tempdir().unwrap();
    let [base, added] = extended(&dir, &robin, &robin.replace("\"c\"]", "\"c\", \"d\"]"));
    let done = run_in(dir.path(), &["standings", &base, &added], b"");
    assert!(done.out.contains("standard: 84 games in 6 blocks"), "{}{}", done.out, done.error);
    assert_eq!(run_in(dir.path(), &["report", &base, &added], b"").code, 0);
    // One bot in all seats is not a tournament.
    let alone = "name = \"x\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"\n";
    fs::write(dir.path().join("x.toml"), alone).unwrap();
    let run = run_in(dir.path(), &["run", "x.toml", "--json"], b"").json();
    let refused = run_in(dir.path(), &["standings", &base, run["folder"].as_str().unwrap()], b"");
    assert!(refused.refusal().contains("in which different bots sit in all rotations"), "{}", refused.error);
}

#[test]
fn an_extension_that_is_played_elsewhere_names_the_runs_to_the_package() {
    let dir = desk(SMALL);
    let first = play(dir.path(), &[]);
    let base = first.out.lines().last().unwrap().strip_prefix("files: ").unwrap().to_owned();
    fs::write(dir.path().join("t.toml"), SMALL.replace("\"greedy\"]", "\"greedy\", \"random\"]")).unwrap();
    // In place of Python: it notes its arguments, and then this program plays.
    let program = assert_cmd::cargo::cargo_bin("upheaval").display().to_string();
    let script = format!(
        "#!/bin/sh\necho \"$@\" > words\nexec '{program}' tournament t.toml --quiet --extend '{base}'\n"
    );
    let python = dir.path().join("python");
    fs::write(&python, script).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["tournament", "t.toml", "--extend", &base, "--on", "processes"];
    let mut command = Command::new(&program);
    command.args(words).env("UPHEAVAL_PYTHON", &python).current_dir(dir.path());
    let done = command.output().unwrap();
    let (out, error) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(out.contains("standard: 126 games in 3 blocks"), "{out}{error}");
    let words = fs::read_to_string(dir.path().join("words")).unwrap();
    let expected = format!("-P -m upheaval tournament --on=processes --extend={base} -- t.toml");
    assert_eq!(words.trim(), expected);
}
