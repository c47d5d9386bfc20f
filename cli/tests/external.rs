//! External bots from outside: `upheaval run` with programs good and bad, and `upheaval compliance`.
//!
//! The programs are in Python; without a `python3` these tests report that and do nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{Done, desk, manifest, play, run_in, runs, the_run};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{has_node, has_python, runs_slow};

/// The path of a program in the repository, as an argument.
fn program(path: &str) -> String {
    testkit::path(path).display().to_string()
}

/// A folder with an experiment in which this command plays, with these additional settings.
fn desk_of(command: &[&str], more: &str) -> TempDir {
    let text = format!(
        "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1902\n[seats]\n\
         lineup = [\"mine\", \"random\", \"random\", \"random\", \"random\", \"random\", \"hold\"]\n\
         [bots.mine]\ncommand = {command:?}\n{more}"
    );
    desk(&text)
}

/// The row of a bot in the table of faults.
fn row<'a>(done: &'a Done, bot: &str) -> Vec<&'a str> {
    let line = done.out.lines().find(|line| line.starts_with(&format!("{bot} ")));
    line.unwrap_or_else(|| panic!("no row of {bot}: {}", done.out)).split_whitespace().skip(1).collect()
}

#[test]
fn a_good_program_has_a_clean_table_and_a_repeatable_run() {
    if !has_python() {
        return;
    }
    let dir = desk_of(&["python3", &program("bots/python/random_bot.py")], "");
    let done = play(dir.path(), &["--threads", "1"]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert_eq!(row(&done, "mine"), ["7", "7", "0", "0", "0", "0", "0"]);
    let first = manifest(&the_run(dir.path()));
    assert_eq!(first["repeatable"], true);
    assert_eq!(play(dir.path(), &["--threads", "3"]).code, 0);
    let again = manifest(&the_run(dir.path()));
    assert_eq!(first["files"], again["files"], "the same bytes on any number of threads");
}

#[test]
fn the_contents_of_the_program_are_part_of_the_hash() {
    if !has_python() {
        return;
    }
    let dir = desk_of(&["python3", "mine.py"], "");
    let import = format!("import sys\nsys.path.insert(0, {:?})\n", program("bots/python"));
    let text = format!("{import}from random_bot import RandomBot\nRandomBot().run()\n");
    fs::write(dir.path().join("mine.py"), &text).unwrap();
    assert_eq!(play(dir.path(), &[]).code, 0);
    fs::write(dir.path().join("mine.py"), format!("{text}# changed\n")).unwrap();
    assert_eq!(play(dir.path(), &[]).code, 0);
    assert_eq!(runs(&dir.path().join("results")).len(), 2, "two programs, two run folders");
}

#[test]
fn a_bad_program_is_blamed_and_the_run_is_finished() {
    if !has_python() {
        return;
    }
    let dir = desk_of(&["python3", &program("tests/bots/programs/bad.py"), "die-in-the-middle"], "");
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert_eq!(row(&done, "mine"), ["7", "0", "0", "7", "0", "0", "0"]);
    assert_eq!(row(&done, "random"), ["35", "35", "0", "0", "0", "0", "0"]);
    assert!(
        done.out.contains("mine: crash in standard/0, AUSTRIA, S1902M: it exited when it received `orders?`"),
        "{}",
        done.out
    );
    assert!(done.out.lines().last().unwrap().starts_with("files: "), "{}", done.out);
    assert_eq!(manifest(&the_run(dir.path()))["repeatable"], true, "it always dies there");

    let dir = desk_of(
        &["python3", &program("tests/bots/programs/bad.py"), "crash"],
        "[faults]\npolicy = \"forfeit\"\n",
    );
    let done = play(dir.path(), &[]);
    assert!(done.out.contains("mine: its last words: RuntimeError: boom"), "{}", done.out);

    let dir = desk_of(&["./there-is-no-such-program"], "");
    let done = play(dir.path(), &[]);
    assert_eq!(row(&done, "mine"), ["7", "0", "0", "7", "0", "0", "0"]);
    assert!(done.out.contains("cannot start `./there-is-no-such-program`"), "{}", done.out);
}

#[test]
fn a_run_that_hangs_on_time_is_marked() {
    if !has_python() {
        return;
    }
    let random = program("bots/python/random_bot.py");
    let dir = desk_of(&["python3", &random], "move_ms = 60000\n");
    assert_eq!(play(dir.path(), &[]).code, 0);
    assert_eq!(manifest(&the_run(dir.path()))["repeatable"], false, "it may be late");
    if !runs_slow("a program that is waited for") {
        return;
    }
    let dir = desk_of(&["python3", &program("tests/bots/programs/bad.py"), "hang"], "stall_ms = 3000\n");
    let done = play(dir.path(), &[]);
    assert_eq!(row(&done, "mine"), ["7", "0", "0", "0", "7", "0", "0"]);
    assert_eq!(manifest(&the_run(dir.path()))["repeatable"], false, "it was ended by the watchdog");
}

/// A program that plays at random, as a program under a clock may.
const FICKLE: &str = "import random, sys
sys.path.insert(0, BOTS)
from random_bot import RandomBot

class Fickle(RandomBot):
    def movement(self, game, request):
        lots = random.SystemRandom()
        return [lots.choice(legal) for legal in request[\"legal\"].values()]

Fickle().run()
";

#[test]
fn a_run_under_a_clock_is_replayed_where_it_goes_as_it_went() {
    if !has_python() {
        return;
    }
    let dir = desk_of(&["python3", &program("bots/python/random_bot.py")], "move_ms = 60000\n");
    assert_eq!(play(dir.path(), &[]).code, 0);
    let run = the_run(dir.path());
    let line = format!("python3 {}", program("bots/python/random_bot.py"));
    let replay = |run: &Path, game: &str| {
        run_in(dir.path(), &["replay", run.to_str().unwrap(), game, "--allow-program", &line], b"")
    };
    assert_eq!(replay(&run, "3").code, 0, "{}", replay(&run, "3").error);
    let verify = run_in(dir.path(), &["replay", run.to_str().unwrap(), "--verify"], b"");
    assert!(verify.refusal().contains("not repeatable"), "{}", verify.error);

    let dir = desk_of(&["python3", "mine.py"], "move_ms = 60000\n");
    fs::write(dir.path().join("mine.py"), FICKLE.replace("BOTS", &format!("{:?}", program("bots/python"))))
        .unwrap();
    let done = play(dir.path(), &[]);
    assert_eq!((done.code, row(&done, "mine")[1]), (0, "7"), "{}{}", done.out, done.error);
    let run = the_run(dir.path());
    let permission = ["--allow-program", "python3 mine.py"];
    let done = run_in(dir.path(), &[&["replay", run.to_str().unwrap(), "3"], &permission[..]].concat(), b"");
    assert_eq!(done.code, 1, "{}", done.out);
    let error = done.only_error();
    assert!(error.contains("standard/3: ") && error.contains(" in the run, but "), "{error}");
    assert!(error.contains("not repeatable: a program played under a clock"), "{error}");
}

/// A run may come from anybody, and it names the programs that played in it.
#[cfg(unix)]
#[test]
fn programs_that_a_run_names_are_started_with_permission_alone() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    // The program leaves a mark beside it; its command contains everything that a shell would interpret.
    let script = format!(
        "import os, sys\nopen(os.path.join(os.path.dirname(__file__), 'started'), 'a').write('x')\nsys.path.insert(0, {:?})\nfrom random_bot import RandomBot\n\
         RandomBot().run()\n",
        program("bots/python")
    );
    fs::write(path("it's mine.py"), script).unwrap();
    let text = "name = \"e\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1901\nlog.orders = true\n[seats]\n\
                lineups = [[\"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"],\n\
                [\"mine\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]\n\
                [bots.mine]\n\
                command = [\"python3\", \"it's mine.py\", \"$(touch owned)\", \"\\u001b[2J\"]\n";
    fs::write(path("e.toml"), text).unwrap();
    // Naming an experiment file permits its programs.
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(path("started").exists());
    fs::remove_file(path("started")).unwrap();
    let run = the_run(dir.path());
    let run = run.to_str().unwrap();
    let replay = |arguments: &[&str]| run_in(dir.path(), &[&["replay", run], arguments].concat(), b"");
    assert_eq!(replay(&["2"]).code, 0, "a game that no program has a seat in needs no permission");
    for arguments in
        [&["9"][..], &["9", "--html", "x.html"], &["9", "--text"], &["--verify"], &["--verify", "--all"]]
    {
        let done = replay(arguments);
        let error = done.refusal();
        assert!(error.contains("programs that a run names are not started without permission"), "{error}");
        assert!(
            !error.contains('\u{1b}') && !path("started").exists() && !path("x.html").exists(),
            "{error}"
        );
        for near in ["python3", "python3 'it'\\''s mine.py'", "it's mine.py", "mine", ""] {
            let done = replay(&[arguments, &["--allow-program", near]].concat());
            assert_eq!(done.refusal(), error, "{near}");
        }
    }
    for arguments in [&["run", run][..], &["run", run, "--out", "again"]] {
        for near in [&[][..], &["--allow-program", "python3"], &["--allow-program", "mine"]] {
            let done = run_in(dir.path(), &[arguments, near].concat(), b"");
            let error = done.refusal();
            assert!(
                error.contains("programs that a run names are not started without permission"),
                "{error}"
            );
            assert!(!path("started").exists() && !path("again").exists(), "{error}");
        }
    }
    assert!(replay(&[]).refusal().contains("name one of its games"));
    assert_eq!(run_in(dir.path(), &["verify", run], b"").code, 0);
    assert!(!path("started").exists(), "nothing of all this has started it");
    // The flag that the refusal prints can be used in a shell unchanged.
    let error = replay(&["9"]).refusal().to_owned();
    let flag = error.split(", add ").nth(1).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("upheaval").display().to_string();
    let command = |arguments: &str| {
        let line = format!("'{program}' {arguments} {flag}").replace("RUN", &format!("'{run}'"));
        Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap()
    };
    let commands =
        ["replay RUN 9 --export game.json", "replay RUN --verify", "run RUN", "run RUN --out again"];
    for arguments in commands {
        let done = command(arguments);
        assert!(done.status.success(), "{flag}: {}", String::from_utf8_lossy(&done.stderr));
    }
    assert!(path("started").exists() && !path("owned").exists());
    // A game in a file is played from its orders, without bots.
    fs::remove_file(path("started")).unwrap();
    let done = run_in(dir.path(), &["replay", "game.json", "--html", "x.html"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(!path("started").exists());
}

#[test]
fn a_kind_that_has_no_such_setting_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1902\nseats.all = \"deep\"\n\
                [bots.deep]\nkind = \"greedy\"\nrollouts = 3\n";
    fs::write(dir.path().join("e.toml"), text).unwrap();
    let done = play(dir.path(), &[]);
    assert_eq!(
        done.refusal(),
        "error: e.toml:7:7: bot `deep` cannot be used: `greedy` has no settings, so there is no `rollouts`"
    );
}

fn comply(arguments: &[&str]) -> Done {
    run_in(Path::new("."), &[&["compliance", "--stall-ms", "3000", "python3"], arguments].concat(), b"")
}

#[test]
fn good_programs_comply() {
    if !has_python() {
        return;
    }
    // The second line-up plays the same number of games again.
    let files = ["random_bot.py", "walker_bot.py"];
    let some = if runs_slow("the second program") { files.len() } else { 1 };
    for file in &files[..some] {
        let done = comply(&[&program(&format!("bots/python/{file}"))]);
        assert_eq!(done.code, 0, "{}", done.out);
        assert!(done.out.ends_with("nothing is wrong\n"), "{}", done.out);
        // Every kind of decision was asked for.
        for asked in ["movement", "retreats", "adjustments", "seismic", "coasts"] {
            assert!(done.out.contains(&format!(" {asked}")), "{asked}: {}", done.out);
        }
    }
}

#[test]
fn bad_programs_are_told_what_is_wrong_and_what_would_be_right() {
    if !has_python() {
        return;
    }
    let cases = [
        (
            "exits-at-once",
            "WRONG  hello\n       crash: it exited when it received `hello`, with exit status: 2",
        ),
        ("nameless", "WRONG  hello\n       protocol: `name` is missing in `id`; it is a text"),
        ("reads-hello-only", "WRONG  isready\n       at the start: stall: no `readyok` for 10 s"),
        ("wrong-hash", "protocol in S1901M: `topology_hash` is \"0\", but must be \""),
        (
            "wrong-game",
            "protocol in S1901M: `game` is \"another\", but must be \"standard/1\", as in the request",
        ),
        ("illegal", "illegal in S1901M: `A XYZ - PAR`: "),
        ("illegal", "illegal in S1901M: `nonsense`: "),
        ("no-newline", "17 bytes without an end of the line for 3 s; write a newline after each message"),
        ("never-quits", "WRONG  quit\n       it is still running 2 s after `quit`"),
    ];
    // The first two end at the start; the others play.
    let some = if runs_slow("programs that play a while") { cases.len() } else { 2 };
    for (what, told) in cases.into_iter().take(some) {
        let done = comply(&[&program("tests/bots/programs/bad.py"), what]);
        assert_eq!(done.code, 1, "{what}: {}", done.out);
        assert!(done.out.contains(told), "{what}: {}", done.out);
        assert!(
            done.out.ends_with("docs/bot-protocol.md has every message with examples\n"),
            "{what}: {}",
            done.out
        );
    }
    let done = run_in(Path::new("."), &["compliance", "./there-is-no-such-program"], b"");
    assert_eq!(done.code, 1);
    assert!(done.out.contains("cannot start `./there-is-no-such-program`"), "{}", done.out);
}

/// Two builds at one site, and one build too many: the game leaves such orders out, and the program must hear of it.
#[test]
fn a_program_of_which_any_order_is_refused_does_not_comply() {
    if !has_python() {
        return;
    }
    let cases = [
        ("same-site", "the province is occupied, by a unit or by an earlier build"),
        ("one-too-many", "no build is left"),
    ];
    for (what, told) in cases {
        let bad = program("tests/bots/programs/bad.py");
        let arguments = ["compliance", "--variant", "standard", "--seed", "2", "python3", &bad, what];
        let done = run_in(Path::new("."), &arguments, b"");
        assert_eq!(done.code, 1, "{what}: {}{}", done.out, done.error);
        assert!(done.out.contains("WRONG  standard as FRANCE"), "{what}: {}", done.out);
        assert!(done.out.contains("illegal in W19") && done.out.contains(told), "{what}: {}", done.out);
        let verdict = done.out.lines().last().unwrap();
        assert!(verdict.contains("refused; docs/bot-protocol.md has"), "{what}: {verdict}");
        assert!(!done.out.contains("nothing is wrong"), "{what}: {}", done.out);
    }
}

#[test]
fn the_example_in_javascript_complies() {
    if !has_node() {
        return;
    }
    let done = run_in(Path::new("."), &["compliance", "node", &program("bots/node/random_bot.mjs")], b"");
    assert_eq!(done.code, 0, "{}", done.out);
    for asked in ["movement", "retreats", "adjustments", "seismic", "coasts"] {
        assert!(done.out.contains(&format!(" {asked}")), "{asked}: {}", done.out);
    }
}

#[test]
fn a_trial_has_the_variants_the_seed_and_the_transcript_that_are_asked_for() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let own = testkit::read("variants/black-hole.toml").replace("id = \"black-hole\"", "id = \"own\"");
    fs::write(dir.path().join("own.toml"), own).unwrap();
    let bot = program("bots/python/walker_bot.py");
    let comply = |arguments: &[&str]| {
        run_in(dir.path(), &[&["compliance"], arguments, &["python3", &bot]].concat(), b"")
    };
    let transcript = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let chosen = ["--variant", "standard", "--variant", "own.toml"];
    let done = comply(&[&chosen[..], &["--transcript", "first"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    let parts: Vec<&str> = done.out.lines().map(|line| line.split(" (").next().unwrap()).collect();
    let played = ["ok     standard as AUSTRIA", "ok     own as ENGLAND", "nothing is wrong"];
    assert_eq!(parts[4..], played, "{}", done.out);
    let first = transcript("first");
    let starts: Vec<&str> = first.lines().filter(|line| line.starts_with('#')).collect();
    let named = ["# hello", "# isready", "# quit", "# another game with the same process"];
    assert_eq!(starts, [&named[..], &["# standard as AUSTRIA", "# own as ENGLAND"]].concat());
    let lines: Vec<&str> = first.lines().collect();
    assert!(lines[1].starts_with("> {\"type\":\"hello\",\"game\":null,"), "{}", lines[1]);
    assert!(lines[2].starts_with("< {\"type\": \"id\", \"game\": null,"), "{}", lines[2]);
    let count = |mark: &str| lines.iter().filter(|line| line.starts_with(mark)).count();
    assert_eq!(count("> {\"type\":\"orders?\""), count("< {\"type\": \"orders\""), "each has its answer");
    // The same seed gives the same transcript, another seed another one.
    comply(&[&chosen[..], &["--seed", "0", "--transcript", "again"]].concat());
    assert_eq!(transcript("again"), first);
    let done = comply(&[&chosen[..], &["--seed", "9", "--transcript", "other"]].concat());
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    assert!(done.out.contains("ok     standard as FRANCE"), "{}", done.out);
    assert_ne!(transcript("other"), first);

    let error = comply(&["--variant", "blackhole"]).refusal().to_owned();
    assert!(error.contains("--variant: there is no `blackhole`; did you mean `black-hole`?"), "{error}");
    let error = comply(&["--transcript", "no/such/folder"]).refusal().to_owned();
    assert!(error.contains("cannot write `no/such/folder`: "), "{error}");
}

#[test]
fn a_program_decides_in_the_positions_of_a_kept_game() {
    if !has_python() {
        return;
    }
    let text = "name = \"e\"\nvariants = [\"black-hole\"]\ngames = 1\nseed = 3\nlast_year = 1903\nseats.all = \"random\"\n";
    let dir = desk(text);
    assert_eq!(play(dir.path(), &[]).code, 0);
    let run = the_run(dir.path());
    let export = ["replay", run.to_str().unwrap(), "0", "--export", "game.json"];
    assert_eq!(run_in(dir.path(), &export, b"").code, 0);
    let comply = |bot: &[&str]| {
        run_in(dir.path(), &[&["compliance", "--game", "game.json", "python3"], bot].concat(), b"")
    };
    let done = comply(&[&program("bots/python/random_bot.py")]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.error);
    let line = done.out.lines().find(|line| line.starts_with("ok     positions of black-hole/0 (")).unwrap();
    let kept: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("game.json")).unwrap()).unwrap();
    let movements =
        kept["stages"].as_array().unwrap().iter().filter(|stage| stage["stage"] == "movement").count();
    assert_eq!(movements, 6, "the game has three years");
    let asked: usize =
        line.split(" movement").next().unwrap().rsplit(['(', ' ']).next().unwrap().parse().unwrap();
    assert!((5 * movements..=7 * movements).contains(&asked), "each power in each of {movements}: {line}");
    let done = comply(&[&program("tests/bots/programs/bad.py"), "illegal"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains("WRONG  positions of black-hole/0"), "{}", done.out);
    assert!(done.out.contains("illegal in S1901M: `A XYZ - PAR`: "), "{}", done.out);
    fs::write(dir.path().join("game.json"), "{}").unwrap();
    comply(&[&program("bots/python/random_bot.py")]).refusal();
}

#[cfg(unix)]
#[test]
fn the_last_words_of_a_program_are_in_what_is_wrong_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let hello = "read line; echo '{\"type\":\"id\",\"game\":null,\"name\":\"x\"}'; ";
    for (script, part) in [("", "hello"), (hello, "isready")] {
        let script = format!("{script}echo 'Traceback:' >&2; echo '  no table' >&2; exit 3");
        let command = ["compliance", "--transcript", "t", "sh", "-c", &script];
        let done = run_in(dir.path(), &command, b"");
        assert_eq!(done.code, 1, "{}", done.out);
        assert!(done.out.contains(&format!("WRONG  {part}\n")), "{part}: {}", done.out);
        let words = "           its last words: Traceback:\n           its last words:   no table\n";
        assert!(done.out.contains(words), "{part}: {}", done.out);
        let transcript = fs::read_to_string(dir.path().join("t")).unwrap();
        assert!(transcript.ends_with("! Traceback:\n!   no table\n"), "{part}: {transcript}");
    }
}

/// If a run is asked to end, it also ends a program that would never exit by itself.
#[cfg(unix)]
#[test]
fn nothing_is_left_of_a_run_that_is_told_to_end() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("id");
    let script = format!("echo $$ > {}; exec sleep 600", mark.display());
    let desk = desk_of(&["sh", "-c", &script], "stall_ms = 600000\n");
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("upheaval"))
        .args(["run", "e.toml"])
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
    let state = Command::new("ps").args(["-o", "stat=", "-p", &id]).output().unwrap().stdout;
    let state = String::from_utf8_lossy(&state);
    assert!(state.trim().is_empty() || state.trim().starts_with('Z'), "{state}");
}
