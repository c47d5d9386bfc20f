//! `upheaval run` from outside: a small experiment from the file to the run folder, and everything that can prevent it.

use std::fs;
use std::path::Path;

use crate::program::{desk, manifest, play, runs};
use serde_json::Value;

const SMALL: &str = r#"
name = "small"
variants = ["standard", "black-hole"]
games = 7
seed = 1
last_year = 1903
log.orders = true

[seats]
lineup = ["greedy", "random", "random", "random", "random", "random", "hold"]
rotate = true
"#;

/// The files of a run with their hashes, as its manifest lists them.
fn hashes(run: &Path) -> Value {
    manifest(run)["files"].clone()
}

#[test]
fn an_experiment_leaves_a_run_folder_and_a_table() {
    let dir = desk(SMALL);
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.starts_with("standard: 7 games"), "{}", done.out);
    assert!(done.out.contains("\nblack-hole: 7 games"), "{}", done.out);
    assert!(done.out.lines().last().unwrap().starts_with("files: results/small-"), "{}", done.out);
    let [run] = &runs(&dir.path().join("results"))[..] else { panic!("one run") };
    for table in ["games", "turns", "topology", "events", "orders"] {
        for variant in ["standard", "black-hole"] {
            let part = run.join(table).join(format!("variant={variant}/part-00000.parquet"));
            assert!(fs::read(&part).unwrap().starts_with(b"PAR1"), "{}", part.display());
        }
    }
    assert_eq!(fs::read_to_string(run.join("experiment.toml")).unwrap(), SMALL, "as given");
    let manifest = manifest(run);
    let name = format!("small-{}", &manifest["experiment_hash"].as_str().unwrap()[..12]);
    assert_eq!(run.file_name().unwrap().to_str().unwrap(), name);
    assert_eq!((&manifest["complete"], &manifest["games"]), (&Value::from(true), &Value::from(14)));
}

#[test]
fn twice_in_the_same_place_gives_the_same_bytes_and_nothing_is_left_over() {
    let dir = desk(SMALL);
    let first = play(dir.path(), &["--threads", "1"]);
    let results = dir.path().join("results");
    let before = hashes(&runs(&results)[0]);
    let second = play(dir.path(), &["--threads", "3"]);
    assert_eq!((first.code, second.code), (0, 0));
    assert_eq!(first.out, second.out, "the table is the same too");
    assert_eq!(runs(&results).len(), 1);
    assert_eq!(before, hashes(&runs(&results)[0]));
}

#[test]
fn what_the_flags_say_counts_in_place_of_the_file() {
    let dir = desk(SMALL);
    let done =
        play(dir.path(), &["--seed", "9", "--games", "14", "--out", "elsewhere/deep", "--threads", "2"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let [run] = &runs(&dir.path().join("elsewhere/deep"))[..] else { panic!("one run") };
    let resolved: Value =
        serde_json::from_slice(&fs::read(run.join("experiment.resolved.json")).unwrap()).unwrap();
    assert_eq!((&resolved["seed"], &resolved["games"]), (&Value::from(9), &Value::from(14)));
    assert_eq!(manifest(run)["games"], 28);
    assert!(!dir.path().join("results").exists());
    // Another seed is another experiment, in a folder beside the first.
    assert_eq!(play(dir.path(), &["--out", "elsewhere/deep"]).code, 0);
    assert_eq!(runs(&dir.path().join("elsewhere/deep")).len(), 2);
}

#[test]
fn an_output_folder_that_is_a_file_is_refused_before_the_first_game() {
    let dir = desk(SMALL);
    fs::write(dir.path().join("results"), "precious").unwrap();
    let done = play(dir.path(), &[]);
    assert!(done.refusal().contains("but the run needs a folder there"), "{}", done.error);
    assert_eq!(fs::read_to_string(dir.path().join("results")).unwrap(), "precious");
    let done = play(dir.path(), &["--out", "results/below"]);
    assert!(done.refusal().contains("but the run needs a folder there"), "{}", done.error);
}

#[test]
fn the_run_of_another_experiment_or_strange_files_in_the_place_are_not_touched() {
    let dir = desk(SMALL);
    assert_eq!(play(dir.path(), &[]).code, 0);
    let run = runs(&dir.path().join("results")).remove(0);
    // The place now contains a folder that claims to be the run of another experiment.
    let text = fs::read_to_string(run.join("manifest.json")).unwrap();
    let hash = manifest(&run)["experiment_hash"].as_str().unwrap().to_owned();
    fs::write(run.join("manifest.json"), text.replace(&hash, &hash.chars().rev().collect::<String>()))
        .unwrap();
    let done = play(dir.path(), &[]);
    assert!(done.refusal().contains("another experiment"), "{}", done.error);
    assert!(run.join("games/variant=standard/part-00000.parquet").exists());
    // The same run again, with somebody's notes in it.
    fs::write(run.join("manifest.json"), text).unwrap();
    fs::write(run.join("notes.txt"), "precious").unwrap();
    let done = play(dir.path(), &[]);
    assert!(done.refusal().contains("notes.txt"), "{}", done.error);
    assert_eq!(fs::read_to_string(run.join("notes.txt")).unwrap(), "precious");
    assert_eq!(runs(&dir.path().join("results")).len(), 1, "and nothing is left beside it");
}

#[test]
fn faults_are_told_with_their_place_and_what_would_be_right() {
    let cases = [
        ("games = 7", "gams = 7", "e.toml:4:1: unknown key `gams`; did you mean `games`?"),
        ("\"black-hole\"]", "\"black-whole\"]", "e.toml:3:25: "),
        ("\"hold\"]", "\"holt\"]", "did you mean `hold`?"),
        ("games = 7", "games = -7", "e.toml:4:9: "),
        ("games = 7", "games = 1e3", "e.toml:4:9: "),
        ("games = 7", "games = 8", "e.toml:4:9: "),
        ("last_year = 1903", "last_year = 1900", "e.toml:6:13: `last_year` 1900 is before"),
        ("seed = 1\n", "", "`seed`"),
        ("name = \"small\"", "name = \"../small\"", "e.toml:2:8: "),
        ("\"standard\", ", "\"standard\", \"standard\", ", "listed twice"),
        ("rotate = true", "rotate = true\nrotate = true", "e.toml:12:1: "),
        ("[seats]", "[seats", "e.toml:9:"),
    ];
    for (from, to, expected) in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        let dir = desk(&text);
        let done = play(dir.path(), &[]);
        assert!(done.refusal().contains(expected), "{to}: {}", done.error);
        assert_eq!(runs(dir.path()).len(), 1, "nothing is left behind");
    }
}

#[test]
fn flags_out_of_range_are_refused_in_a_line() {
    let dir = desk(SMALL);
    for (arguments, expected) in [
        (["--games", "0"], "--games"),
        (["--games", "8"], "--games"),
        (["--threads", "9999"], "--threads"),
        (["--out", ""], "--out"),
    ] {
        let done = play(dir.path(), &arguments);
        assert!(done.refusal().contains(expected), "{arguments:?}: {}", done.error);
    }
    for arguments in
        [["--games", "-1"], ["--seed", "x"], ["--seed", "18446744073709551616"], ["--games", "4294967296"]]
    {
        let done = play(dir.path(), &arguments);
        assert!(done.refusal().contains(arguments[1]), "{arguments:?}: {}", done.error);
    }
    assert_eq!(runs(dir.path()).len(), 1, "nothing is left behind");
}

#[test]
fn a_variant_file_beside_the_experiment_is_played() {
    let dir = desk(&SMALL.replace("\"black-hole\"]", "\"two.toml\"]"));
    let two = include_str!("../../variants/black-hole.toml")
        .replace("id = \"black-hole\"", "id = \"two-holes\"")
        .replace("per_season = 1", "per_season = 2");
    fs::write(dir.path().join("two.toml"), &two).unwrap();
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("\ntwo-holes: 7 games"), "{}", done.out);
    fs::write(dir.path().join("two.toml"), two.replace("per_season = 2", "per_season = 99")).unwrap();
    let done = play(dir.path(), &[]);
    assert!(done.refusal().contains("`per_season` must be from 1 to 10, not 99"), "{}", done.error);
}

#[test]
fn rubbish_in_place_of_an_experiment_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let deep = format!("x = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    for bytes in [&b""[..], b"\xff\xfe\x00", b"\x00", b"name", b"=", deep.as_bytes(), b"[[[[", b"name = 3"] {
        fs::write(dir.path().join("e.toml"), bytes).unwrap();
        let done = play(dir.path(), &[]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.error);
        assert!(
            done.error.lines().all(|line| line.starts_with("error: ") && line.len() < 400),
            "{}",
            done.error
        );
    }
}

/// A seed has 64 bits, wherever it is given.
#[test]
fn a_seed_of_all_64_bits_is_the_same_by_file_flag_and_setting() {
    const MOST: &str = "18446744073709551615";
    let resolved = |seed: &str, arguments: &[&str]| {
        let dir = desk(&SMALL.replace("seed = 1\n", &format!("seed = {seed}\n")));
        let done = play(dir.path(), &[&["--print-resolved"], arguments].concat());
        assert_eq!(done.code, 0, "{}", done.error);
        done.out
    };
    let by_file = resolved(MOST, &[]);
    assert!(
        by_file.contains(&format!("\"seed\": {MOST}")) || by_file.contains(&format!("\"seed\":{MOST}")),
        "{by_file}"
    );
    assert_eq!(resolved("1", &["--seed", MOST]), by_file);
    assert_eq!(resolved("1", &["--set", &format!("seed={MOST}")]), by_file);
    assert_eq!(resolved("1", &["--set", "seed=0xFFFF_FFFF_FFFF_FFFF"]), by_file);
    // Such a seed does not prevent other keys from being set.
    let less = resolved(MOST, &["--set", "games=14"]);
    assert!(less != by_file && less == resolved(MOST, &["--games", "14"]));
    let dir = desk(SMALL);
    let done = play(dir.path(), &["--set", "seed=18446744073709551616"]);
    assert!(
        done.refusal().ends_with(
            "`seed` must be a whole number from 0 to 18446744073709551615, not 18446744073709551616"
        ),
        "{}",
        done.error
    );
}
