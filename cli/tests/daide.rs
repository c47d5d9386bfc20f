//! `upheaval daide`: games that take long, and clients that are waited for; the rest is in `sessions/daide.md`. The client
//! is in Python (`tests/bots/programs/daide.py`) and checks the server against the published protocol.

use std::collections::BTreeSet;
use std::fs;

use crate::program::{Done, desk, play};
use tempfile::TempDir;
use testkit::{has_python, runs_slow};

/// An experiment in which `mine` plays through `upheaval daide` with these flags, and writes its errors into `log`.
fn experiment((flags, program): (&str, &str), more: &str) -> TempDir {
    let upheaval = assert_cmd::cargo::cargo_bin!("upheaval").display().to_string();
    let script = format!("exec '{upheaval}' daide {flags} -- {program} 2>> log");
    let others = ", \"random\"".repeat(6);
    desk(&format!(
        "name = \"e\"\nvariants = [\"standard\"]\nseed = 1\nseats.lineup = [\"mine\"{others}]\n{more}\n\
         [bots.mine]\ncommand = [\"sh\", \"-c\", {script:?}]\nfolder = \".\"\n"
    ))
}

/// The client of the tests, in this mode.
fn client(what: &str) -> String {
    format!("python3 '{}' {what}", testkit::path("tests/bots/programs/daide.py").display())
}

/// The row of the program in the table of faults.
fn row(done: &Done) -> Vec<&str> {
    let line = done.out.lines().find(|line| line.starts_with("mine  "));
    line.unwrap_or_else(|| panic!("no row: {}{}", done.out, done.error)).split_whitespace().skip(1).collect()
}

fn log(dir: &TempDir) -> String {
    fs::read_to_string(dir.path().join("log")).unwrap_or_default()
}

/// What the client complains of, beside the messages that it sends and receives, and its messages that the server
/// rejects or does not understand.
fn complaints(log: &str) -> Vec<&str> {
    let is_sound = |line: &str| match line.split_at_checked(3) {
        Some(("-> ", _)) => true,
        Some(("<- ", told)) => !["REJ", "HUH", "PRN"].iter().any(|word| told.starts_with(word)),
        _ => false,
    };
    log.lines().filter(|line| !is_sound(line)).collect()
}

/// The orders that the client gives.
const KINDS: [&str; 8] = ["HLD", "MTO", "SUP", "CTO", "RTO", "BLD", "WVE", "REM"];

#[test]
fn a_client_plays_long_games() {
    if !has_python() || !runs_slow("long games") {
        return;
    }
    let dir = experiment(("--trace", &client("plays")), "games = 14\nlast_year = 1910");
    let done = play(dir.path(), &[]);
    let log = log(&dir);
    assert_eq!((done.code, row(&done)), (0, vec!["14", "14", "0", "0", "0", "0", "0"]), "{log}");
    assert_eq!(complaints(&log), [""; 0]);
    let ordered =
        log.lines().filter(|line| line.starts_with("-> SUB")).flat_map(|line| line.split(['(', ')', ' ']));
    let ordered: BTreeSet<&str> = ordered.filter(|word| KINDS.contains(word)).collect();
    assert_eq!(ordered, BTreeSet::from(KINDS), "every kind of order is given in some game");
}

#[test]
fn a_limit_that_is_told_is_kept() {
    if !has_python() || !runs_slow("a client that says nothing") {
        return;
    }
    let flags = "--trace --mtl 2 --rtl 2 --btl 2";
    let dir = experiment((flags, &client("silent")), "games = 7\nlast_year = 1901");
    let done = play(dir.path(), &["--threads", "7"]);
    let log = log(&dir);
    assert_eq!(row(&done), ["7", "7", "0", "0", "0", "0", "0"], "{log}");
    // It receives the time for each turn, and reminders if it has asked for them.
    let told = |what: &str| log.lines().filter(|line| *line == what).count();
    let (turns, reminders) = (told("<- TME (2)"), told("<- TME (1)"));
    // On a busy machine a client may ask too late for the reminder of its first turn.
    assert!(turns >= 14 && (1..=turns).contains(&reminders), "{log}");
    assert_eq!(complaints(&log), [""; 0]);
}

#[test]
fn a_client_that_is_late_is_told_the_next_turn_and_plays_on() {
    if !has_python() || !runs_slow("a client that is late") {
        return;
    }
    let dir = experiment(("", &client("slow")), "games = 7\nlast_year = 1902");
    let file = dir.path().join("e.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap() + "move_ms = 1000\n").unwrap();
    let done = play(dir.path(), &["--threads", "7", "--recover"]);
    assert_eq!(row(&done), ["7", "0", "7", "0", "0", "0", "0"], "{}", log(&dir));
    assert_eq!(log(&dir), "");
}

#[test]
fn a_program_that_ends_before_it_connects_is_told() {
    if runs_slow("a program that ends before it connects") {
        let dir = experiment(("", "true"), "games = 7\nlast_year = 1901");
        assert_eq!(row(&play(dir.path(), &["--recover"]))[3], "7");
        let told = "error: the program exited before it connected, with exit status: 0";
        let log = log(&dir);
        assert!(!log.is_empty() && log.lines().all(|line| line == told), "{log}");
    }
}
