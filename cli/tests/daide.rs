//! `upheaval daide`: programs that speak DAIDE play in runs, over a real connection. The client is in Python
//! (`tests/bots/programs/daide.py`) and checks the server against the published protocol.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{Done, desk, play, run, run_in, runs};
use tempfile::TempDir;
use testkit::{has_python, runs_slow};

/// An experiment in which `mine` plays through `upheaval daide` with these flags, and writes its errors into `log`.
fn experiment(variant: &str, others: usize, (flags, program): (&str, &str), more: &str) -> String {
    let upheaval = assert_cmd::cargo::cargo_bin!("upheaval").display().to_string();
    let script = format!("exec '{upheaval}' daide {flags} -- {program} 2>> log");
    let others = vec!["random"; others];
    let line_up = [&["mine"], &others[..]].concat();
    format!(
        "name = \"e\"\nvariants = [{variant:?}]\nseed = 1\n{more}\n[seats]\nlineup = {line_up:?}\n\
         [bots.mine]\ncommand = [\"sh\", \"-c\", {script:?}]\nfolder = \".\"\n"
    )
}

/// The client of the tests, in this mode.
fn client(what: &str) -> String {
    format!("python3 '{}' {what}", testkit::path("tests/bots/programs/daide.py").display())
}

/// The row of the program in the table of faults.
fn row(done: &Done) -> Vec<&str> {
    let is_row = |line: &&str| line.starts_with("mine ") && !line.contains(" failed in ");
    let line = done.out.lines().find(is_row);
    line.unwrap_or_else(|| panic!("no row: {}{}", done.out, done.error)).split_whitespace().skip(1).collect()
}

fn log(dir: &TempDir) -> String {
    fs::read_to_string(dir.path().join("log")).unwrap_or_default()
}

#[test]
fn a_program_that_speaks_daide_plays_game_after_game() {
    if !has_python() {
        return;
    }
    let years = if runs_slow("long games") { 1910 } else { 1904 };
    let more = format!("games = 14\nlast_year = {years}\nlog.orders = true");
    let dir = desk(&experiment("standard", 6, ("--trace", &client("plays")), &more));
    let done = play(dir.path(), &["--threads", "1"]);
    assert_eq!((done.code, row(&done)), (0, vec!["14", "14", "0", "0", "0", "0", "0"]), "{}", log(&dir));
    let log = log(&dir);
    let odd: Vec<&str> =
        log.lines().filter(|line| !line.starts_with("<- ") && !line.starts_with("-> ")).collect();
    assert!(odd.is_empty(), "the client complains: {odd:?}");
    let count = |start: &str| log.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("-> NME ('Walker')"), count("<- OFF")), (14, 14), "a process for each game");
    assert!(count("<- ORD (FAL 19") > 14 * 22 && count("<- SCO ") > 28);
    assert!(count("<- HLO (TUR)") == 2 && count("<- SMR ") == 14);
    assert_eq!(count("<- REJ") + count("<- HUH") + count("<- PRN"), 0);
    let said = |word: &str| log.lines().any(|line| line.starts_with("-> SUB") && line.contains(word));
    for word in ["MTO", "SUP", "HLD", "CTO"] {
        assert!(said(word), "{word} was never ordered");
    }
    // The same games again, on several threads: a deterministic client makes a deterministic run.
    let before = fs::read(runs(&dir.path().join("results"))[0].join("manifest.json")).unwrap();
    let files =
        |manifest: &[u8]| serde_json::from_slice::<serde_json::Value>(manifest).unwrap()["files"].clone();
    assert_eq!(play(dir.path(), &["--threads", "2", "--out", "again"]).code, 0);
    let again = fs::read(runs(&dir.path().join("again"))[0].join("manifest.json")).unwrap();
    assert_eq!(files(&before), files(&again));
}

#[test]
fn another_board_is_played_with_tokens_of_its_own() {
    if !has_python() {
        return;
    }
    for (board, powers) in [("ancient-mediterranean", 5), ("modern", 10)] {
        let file = testkit::path(&format!("experiments/boards/{board}.toml")).display().to_string();
        let last_year = if board == "modern" { 1996 } else { 3 };
        let more = format!("games = {powers}\nlast_year = {last_year}");
        let dir = desk(&experiment(&file, powers - 1, ("", &client("plays")), &more));
        let done = play(dir.path(), &[]);
        assert_eq!(done.code, 0, "{}", done.error);
        let all = powers.to_string();
        assert_eq!(row(&done)[..2], [all.as_str(), all.as_str()], "{board}: {}{}", done.out, log(&dir));
        assert_eq!(log(&dir), "", "{board}");
    }
}

#[test]
fn the_bridge_complies_with_the_protocol_of_bots() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let upheaval = assert_cmd::cargo::cargo_bin!("upheaval").display().to_string();
    let client = testkit::path("tests/bots/programs/daide.py").display().to_string();
    let program = [&upheaval, "daide", "--", "python3", &client, "plays", "-s{host}", "-p{port}"];
    let done = run_in(dir.path(), &[&["compliance", "--variant", "standard"], &program[..]].concat(), b"");
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    assert!(done.out.contains("ok     standard as AUSTRIA (22 movement") && !done.out.contains("black-hole"));
    assert!(done.out.ends_with("all checks passed\n"), "{}", done.out);
}

/// The mistakes of clients, and the resulting errors.
const WRONG: [(&str, &str); 7] = [
    ("rubbish", "the program has sent something that is not DAIDE: a message of an unknown type"),
    ("little-endian", "the initial message has its bytes in the wrong order"),
    ("no-greeting", "the first message was not an initial message"),
    ("rejects", "the client rejects the map `standard`"),
    ("watches", "the client sent OBS, but NME, which joins the game, was expected"),
    ("leaves", "the program is gone: the connection was closed"),
    ("babbles", "a message of an unknown type"),
];

#[test]
fn a_client_that_leaves_or_sends_rubbish_ends_the_bridge_with_an_error() {
    if !has_python() {
        return;
    }
    for (what, told) in WRONG {
        let more = "games = 7\nlast_year = 1901";
        let dir = desk(&experiment("standard", 6, ("", &client(what)), more));
        let done = play(dir.path(), &["--recover"]);
        assert_eq!(row(&done), ["7", "0", "0", "7", "0", "0", "0"], "{what}: {}", log(&dir));
        let log = log(&dir);
        let errors: Vec<&str> = log.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(errors.len() == 7 && errors.iter().all(|error| error.contains(told)), "{what}: {log}");
    }
}

#[test]
fn a_program_that_does_not_come_is_told() {
    let more = "games = 7\nlast_year = 1901";
    let dir = desk(&experiment("standard", 6, ("", "./there-is-no-such-program"), more));
    let done = play(dir.path(), &[]);
    assert!(done.refusal().contains("the bot `mine` cannot be started: "), "{}", done.error);
    assert!(log(&dir).contains("cannot start `./there-is-no-such-program`"), "{}", log(&dir));
    if runs_slow("a program that ends before it connects") {
        let dir = desk(&experiment("standard", 6, ("", "true"), more));
        assert_eq!(row(&play(dir.path(), &["--recover"]))[3], "7");
        assert!(log(&dir).contains("exited before it connected, with exit status: 0"), "{}", log(&dir));
    }
}

#[test]
fn boards_that_change_are_refused() {
    for variant in ["black-hole", "seismic-1971"] {
        let more = "games = 7\nlast_year = 1901";
        let dir = desk(&experiment(variant, 6, ("", "true"), more));
        assert_eq!(row(&play(dir.path(), &["--recover"]))[3], "7");
        let expected =
            format!("error: `{variant}` cannot be played in DAIDE: it has mechanisms that change the map");
        assert!(log(&dir).starts_with(&expected), "{}", log(&dir));
    }
}

#[test]
fn a_limit_that_is_told_is_kept() {
    if !has_python() || !runs_slow("a client that says nothing") {
        return;
    }
    let flags = "--trace --mtl 2 --rtl 2 --btl 2";
    let dir = desk(&experiment("standard", 6, (flags, &client("silent")), "games = 7\nlast_year = 1901"));
    let done = play(dir.path(), &["--threads", "7"]);
    let log = log(&dir);
    assert_eq!(row(&done), ["7", "7", "0", "0", "0", "0", "0"], "{log}");
    // It receives the time for each turn, and reminders if it has asked for them.
    let told = |what: &str| log.lines().filter(|line| *line == what).count();
    let (turns, reminders) = (told("<- TME (2)"), told("<- TME (1)"));
    // On a busy machine a client may ask too late for the reminder of its first turn.
    assert!(turns >= 14 && (1..=turns).contains(&reminders), "{log}");
    assert!(!log.contains("Traceback"), "{log}");
}

#[test]
fn a_client_that_is_late_is_told_the_next_turn_and_plays_on() {
    if !has_python() || !runs_slow("a client that is late") {
        return;
    }
    let more = "games = 7\nlast_year = 1902";
    let text = experiment("standard", 6, ("", &client("slow")), more) + "move_ms = 1000\n";
    let dir = desk(&text);
    let done = play(dir.path(), &["--threads", "7", "--recover"]);
    assert_eq!(row(&done), ["7", "0", "7", "0", "0", "0", "0"], "{}", log(&dir));
    assert_eq!(log(&dir), "");
}

#[test]
fn without_a_program_there_is_nothing_to_bridge() {
    assert!(run(&["daide"], b"").refusal().contains("<COMMAND>"));
    assert!(run(&["daide", "--listen", "nowhere", "--", "x"], b"").refusal().contains("--listen"));
    let done = run(
        &["daide", "--", "true"],
        b"{\"type\": \"hello\"}\n{\"type\": \"later\"}\n{\"type\": \"quit\"}\n",
    );
    assert_eq!(done.code, 0, "{}", done.error);
    let id = done.json_lines().remove(0);
    assert_eq!((id["type"].as_str(), id["history"].as_bool()), (Some("id"), Some(true)));
    let done = run(&["daide", "--", "true"], b"what\n");
    assert_eq!(done.code, 2);
    assert!(done.only_error().contains("is not a message"), "{}", done.error);
    // A port that is in use is reported.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let done = run_in(Path::new("."), &["daide", "--listen", &address, "--", "true"], b"");
    assert!(done.code == 1 && done.only_error().contains("cannot listen on"), "{}", done.error);
}

/// Ending a run ends the bridges, and with them the programs that they have started.
#[test]
fn nothing_is_left_of_a_program_when_the_run_is_told_to_end() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("id");
    let program = format!("sh -c 'echo $$ > {}; exec sleep 600'", mark.display());
    let desk = desk(&experiment("standard", 6, ("", &program), "games = 7\nlast_year = 1901"));
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("upheaval"))
        .args(["run", "e.toml", "--threads", "1"])
        .current_dir(desk.path())
        .spawn()
        .unwrap();
    let id = loop {
        match fs::read_to_string(&mark) {
            Ok(id) if id.ends_with('\n') => break id.trim().to_owned(),
            _ => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    let told = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(told.success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    // A process that is still listed is only waiting to be reaped.
    let state = || {
        let listed = Command::new("ps").args(["-o", "stat=", "-p", &id]).output().unwrap().stdout;
        String::from_utf8_lossy(&listed).trim().to_owned()
    };
    let gone = |state: String| state.is_empty() || state.starts_with('Z');
    for _ in 0..100 {
        if gone(state()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{}", state());
}
