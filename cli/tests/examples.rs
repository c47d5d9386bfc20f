//! The examples of every help text, run by a shell as they are printed, in a folder with the files that they name. Only
//! the experiments have fewer games, and `0123456789ab` stands for the hash of a run. Without slow tests the longest
//! examples play less.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;

use crate::page::path_with;
use crate::program::{commands, run, run_in, runs};

/// The examples of a command and of the commands below it, each with the words of its command.
fn examples(path: &[&str], found: &mut Vec<(String, String)>) {
    let help = run(&[path, &["--help"]].concat(), b"").out;
    if let Some((_, lines)) = help.split_once("Examples:\n") {
        let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        found.extend(lines.map(|line| (path.join(" "), line.to_owned())));
    }
    for name in commands(path) {
        examples(&[path, &[&name]].concat(), found);
    }
}

/// What an example plays less of without slow tests.
const LESS: [(&str, &str); 6] = [
    ("--games 210", "--games 14"),
    ("last_year=1910", "last_year=1903"),
    ("--blocks 20", "--blocks 1"),
    ("--from 4 --to 6", "--from 2 --to 3"),
    ("--futures 200", "--futures 40"),
    ("upheaval effect results", "upheaval effect --games 2 results"),
];

/// Is the example one that takes long, for what another example of its command does too?
fn is_long(example: &str) -> bool {
    example.starts_with("upheaval compliance") && !example.contains("--variant standard")
}

/// The experiments that ship, with few games of few years, and without slow tests few arms.
fn write_experiments(folder: &Path, runs_slow: bool) {
    let or = |many, few| if runs_slow { many } else { few };
    let fewer = BTreeMap::from([
        ("games", "14"),
        ("last_year", "1903"),
        ("blocks", "1"),
        ("max_blocks", "20"),
        ("budget", or("300", "200")),
        ("check", or("{ blocks = 8 }", "{ blocks = 4 }")),
    ]);
    let sizes = or("blocks = { first = 8, most = 16 }", "blocks = { first = 4, most = 8 }");
    fs::create_dir(folder.join("experiments")).unwrap();
    for name in ["quickstart", "holes", "holes-per-season", "tournament", "sprt", "fair-holes"] {
        let text = testkit::read(&format!("experiments/{name}.toml"));
        let line = |line: &str| match line.split_once(" = ") {
            Some(("blocks", value)) if value.starts_with('{') => sizes.to_owned(),
            Some(("variants", _)) if name == "holes" && !runs_slow => {
                "variants = [\"standard\", \"black-hole\", \"double-reversible\"]".to_owned()
            }
            Some(("games", _)) if name == "holes-per-season" && !runs_slow => "games = 7".to_owned(),
            Some(("values", "[1, 2, 3]")) if !runs_slow => "values = [1, 2]".to_owned(),
            Some((key, _)) if fewer.contains_key(key) => format!("{key} = {}", fewer[key]),
            _ => line.to_owned(),
        };
        let text: Vec<String> = text.lines().map(line).collect();
        fs::write(folder.join(format!("experiments/{name}.toml")), text.join("\n")).unwrap();
    }
}

/// Plays an experiment in the folder with these arguments, and returns the folder of the run.
fn played(folder: &Path, arguments: &[&str]) -> String {
    let results = folder.join("results");
    let before = if results.exists() { runs(&results) } else { Vec::new() };
    let done = run_in(folder, arguments, b"");
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.error);
    let new: Vec<_> = runs(&results).into_iter().filter(|run| !before.contains(run)).collect();
    let [run] = &new[..] else { panic!("{arguments:?}: {new:?}") };
    format!("results/{}", run.file_name().unwrap().to_str().unwrap())
}

/// The files that the examples name; returns the runs by the names that stand for them.
fn set_up(folder: &Path, runs_slow: bool) -> Vec<(&'static str, String)> {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let program = |name: &str, text: &str| {
        write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::create_dir_all(folder.join(".local/share/bash-completion/completions")).unwrap();
    symlink(cargo_bin("upheaval"), folder.join("bin/upheaval")).unwrap();
    symlink(testkit::path("bots"), folder.join("bots")).unwrap();
    // The reader of man pages, which need not be installed, and a program that speaks DAIDE.
    program("bin/man", "exec cat");
    program("old-bot", "exit 0");
    write(
        "requests.jsonl",
        "{\"id\": 1, \"phase\": \"S1901M\", \"powers\": {\"FRANCE\": {\"units\": [\"A PAR\"]}}, \"orders\": {}}\n",
    );
    write("orders.txt", "FRANCE: F BRE H\n");
    assert_eq!(run_in(folder, &["new", "map", "atlantis"], b"").code, 0);
    write(
        "board.map",
        "RED AA\nBLUE BB\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS BB CC SS\nCOAST BB ABUTS AA CC SS\nCOAST CC ABUTS AA BB SS\n",
    );
    write_experiments(folder, runs_slow);
    let text = fs::read_to_string(folder.join("experiments/holes.toml")).unwrap();
    write("experiments/x.toml", &text.replace("name = \"holes\"", "name = \"x\""));
    let shard = |part| played(folder, &["run", "experiments/x.toml", "--shard", part]);
    let quickstart = played(folder, &["run", "experiments/quickstart.toml"]);
    // A tournament, and the games of an entrant that was added to its file.
    let whole = fs::read_to_string(folder.join("experiments/tournament.toml")).unwrap();
    let fewer = whole.replace(", \"hold\"]", "]");
    assert_ne!(fewer, whole);
    write("experiments/tournament.toml", &fewer);
    let base = played(folder, &["tournament", "experiments/tournament.toml"]);
    write("experiments/tournament.toml", &whole);
    let extended = played(folder, &["tournament", "experiments/tournament.toml", "--extend", &base]);
    let saved = ["replay", &quickstart, "standard/12", "--saved-game", "games.jsonl"];
    assert_eq!(run_in(folder, &saved, b"").code, 0);
    vec![
        ("results/quickstart-0123456789ab", quickstart),
        ("results/holes-0123456789ab", played(folder, &["run", "experiments/holes.toml"])),
        (
            "results/holes-per-season-0123456789ab",
            played(folder, &["run", "experiments/holes-per-season.toml"]),
        ),
        ("results/x-0123456789ab.shard-1-of-2", shard("1/2")),
        ("results/x-0123456789ab.shard-2-of-2", shard("2/2")),
        ("results/tournament-0123456789ab", base),
        ("results/tournament-ba9876543210", extended),
    ]
}

#[test]
fn the_examples_of_every_help_text_run_as_they_are_printed() {
    let mut found = Vec::new();
    examples(&[], &mut found);
    assert!(found.len() > 50, "{found:?}");
    let runs_slow = testkit::runs_slow("examples of games in all variants, and of long games");
    let folder = tempfile::tempdir().unwrap();
    let known = set_up(folder.path(), runs_slow);
    let path = path_with(&folder.path().join("bin"));
    let mut done = BTreeSet::new();
    for (command, example) in found {
        // Some are in the help of the program and of a command.
        if !done.insert(example.clone()) || !runs_slow && is_long(&example) {
            continue;
        }
        if example.contains("python3") && !testkit::has_python() {
            testkit::skipped(&example);
            continue;
        }
        let mut line = example.clone();
        for (placeholder, run) in &known {
            line = line.replace(placeholder, run);
        }
        if !runs_slow {
            LESS.iter().for_each(|(much, less)| line = line.replace(much, less));
        }
        if command == "ladder" {
            line += " --blocks 1 --years 1"; // a rung of a whole game takes minutes
            if !runs_slow && !line.contains("--to") {
                line += " --to 4";
            }
        }
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("HOME", folder.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "upheaval {command} --help: {example}\n{line}\n{error}");
        assert!(!error.contains("panicked"), "{example}: {error}");
    }
}
