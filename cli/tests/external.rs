//! External bots from outside: `upheaval run` with programs good and bad, and `upheaval compliance`.
//!
//! The programs are in Python; without a `python3` these tests report that and do nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
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
    let is_row = |line: &&str| line.starts_with(&format!("{bot} ")) && !line.contains(" failed in ");
    let line = done.out.lines().find(is_row);
    line.unwrap_or_else(|| panic!("no row of {bot}: {}", done.out)).split_whitespace().skip(1).collect()
}

#[test]
fn a_good_program_has_a_clean_table_and_a_repeatable_run() {
    if !has_python() {
        return;
    }
    let dir = desk_of(&["python3", &program("bots/python/random_bot.py")], "repeats = true\n");
    let done = play(dir.path(), &["--threads", "1"]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert_eq!(row(&done, "mine"), ["7", "7", "0", "0", "0", "0", "0"]);
    let first = manifest(&the_run(dir.path()));
    assert_eq!((&first["repeatable"], &first["recorded"]), (&Value::Bool(true), &Value::Null));
    assert!(!the_run(dir.path()).join("orders").exists() && !done.out.contains("recorded:"), "{}", done.out);
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
    let bad = program("tests/bots/programs/bad.py");
    let dir = desk_of(&["python3", &bad, "die-in-the-middle"], "repeats = true\n");
    let done = play(dir.path(), &["--recover"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let first = "mine failed in 7 of its 7 games (crash 7): the results below do not show how it plays";
    assert_eq!(done.out.lines().next(), Some(first), "{}", done.out);
    assert_eq!(row(&done, "mine"), ["7", "0", "0", "7", "0", "0", "0"]);
    assert_eq!(row(&done, "random"), ["35", "35", "0", "0", "0", "0", "0"]);
    assert!(
        done.out.contains("mine: crash in standard/0, AUSTRIA, S1902M: it exited when it received `orders?`"),
        "{}",
        done.out
    );
    assert!(done.out.lines().last().unwrap().starts_with("files: "), "{}", done.out);
    assert_eq!(manifest(&the_run(dir.path()))["repeatable"], true, "it always dies there");

    let dir = desk_of(&["python3", &bad, "crash"], "[faults]\npolicy = \"forfeit\"\nshare = 1\n");
    let done = play(dir.path(), &[]);
    assert!(done.out.contains("mine: its last words: RuntimeError: boom"), "{}", done.out);
}

/// A file of each command that plays, with the bot `mine`.
fn files_with(section: &str) -> [(&'static str, String); 4] {
    let head =
        |name: &str| format!("name = \"{name}\"\nvariants = [\"standard\"]\nseed = 1\nlast_year = 1901\n");
    let own = format!("[bots.mine]\n{section}");
    let seats = "[seats]\nlineup = [\"mine\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n";
    let two = "entrants = [\"mine\", \"hold\"]\n";
    let search = "[[sweep]]\nparameter = \"holes.per_season\"\nvalues = [1, 2]\n[tune]\nobjective = \"fairness.centres\"\n\
                  bots = [\"mine\"]\nbudget = 200\nblocks = { first = 4, most = 4 }\ncheck = { blocks = 4 }\n";
    [
        ("run", format!("{}games = 7\n{seats}{own}", head("e"))),
        ("tournament", format!("{}{two}format = \"one-against-rest\"\nblocks = 4\n{own}", head("t"))),
        ("sprt", format!("{}{two}effect = 0.05\nmax_blocks = 20\n{own}", head("m"))),
        ("tune", format!("{}{search}{own}", head("f").replace("standard", "black-hole"))),
    ]
}

/// The names of the results below a folder: those that do not begin with a dot.
fn results(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir.join("results")).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.')).collect()
}

#[test]
fn a_program_that_cannot_be_started_stops_every_command_before_the_first_game() {
    if !has_python() {
        return;
    }
    let cases = [
        ("command = [\"./no-such-bot\", \"--deep\"]\n", "cannot start `./no-such-bot --deep`"),
        ("command = [\"./plain.txt\"]\n", "cannot start `./plain.txt`: the file is not executable"),
        ("command = [\"false\"]\n", "`false`: it exited when it received `hello`, with exit status: 1"),
        (
            "command = [\"python3\", \"my_bott.py\"]\n",
            "there is no file `my_bott.py` in the folder in which the command is run",
        ),
        (
            "command = [\"./script\"]\n",
            "cannot start `./script`: its interpreter `/no/such`, which its first line names",
        ),
        ("command = [\"./by-env\"]\n", "cannot start `./by-env`: its interpreter `no-such-python`"),
        (
            "command = [\"sh\"]\nfolder = \"nowhere\"\n",
            "cannot start `sh`: its folder `nowhere` does not exist, or is not a folder",
        ),
    ];
    for (i, (section, told)) in cases.into_iter().enumerate() {
        for (command, text) in files_with(section) {
            if i > 0 && command != "run" {
                // The same way leads there from all of them.
                continue;
            }
            let dir = desk(&text);
            fs::write(dir.path().join("plain.txt"), "no program").unwrap();
            for (script, line) in
                [("script", "#!/no/such -x\n"), ("by-env", "#!/usr/bin/env no-such-python\n")]
            {
                let path = dir.path().join(script);
                fs::write(&path, line).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            let done = run_in(dir.path(), &[command, "e.toml"], b"");
            assert_eq!((done.code, done.out.as_str()), (2, ""), "{command}: {}", done.error);
            let error = done.error.lines().last().unwrap_or_default();
            assert!(
                error.contains("the bot `mine` cannot be started: ") && error.contains(told),
                "{command}: {error}"
            );
            assert!(results(dir.path()).is_empty(), "{command} has left a result");
        }
    }
    let dir = desk(&files_with("command = [\"./no-such-bot\"]\n")[0].1);
    assert!(run_in(dir.path(), &["run", "e.toml", "--dry-run"], b"").refusal().contains("./no-such-bot"));
    assert!(run_in(dir.path(), &["run", "e.toml", "--recover"], b"").refusal().contains("./no-such-bot"));
}

/// A match with a program that never orders anything is not decided; its verdict would say nothing about it.
#[test]
fn a_program_that_fails_in_most_games_stops_a_run_a_tournament_and_a_match() {
    // It introduces itself, and exits in every game.
    let script =
        "read line; echo '{\"type\":\"id\",\"game\":null,\"name\":\"x\"}'; read line; echo boom >&2; exit 3";
    let section = format!("command = [\"sh\", \"-c\", {script:?}]\n");
    for (command, text) in files_with(&section) {
        let dir = desk(&text);
        let done = run_in(dir.path(), &[command, "e.toml"], b"");
        assert_eq!(done.code, 1, "{command}: {}", done.out);
        let error = done.error.lines().last().unwrap_or_default();
        let games = if command == "run" { "3 of its 3 games (crash 3)" } else { " games (crash " };
        assert!(
            error.contains("the bot `mine`, the program `sh -c ") && error.contains(games),
            "{command}: {error}"
        );
        for told in ["allows a share of 0.1", "its last words: boom", "--recover"] {
            assert!(error.contains(told), "{command}: {error}");
        }
        assert!(!done.out.contains("stronger"), "{command}: {}", done.out);
        assert!(results(dir.path()).is_empty(), "{command} has left a result");
        if command == "tune" || (command == "sprt" && !runs_slow("a match of a thousand processes")) {
            continue;
        }
        let done = run_in(dir.path(), &[command, "e.toml", "--recover"], b"");
        assert_eq!(done.code, 0, "{command}: {}", done.error);
        // A match first prints its question and its progress.
        let warned = |text: &str| {
            let lines: Vec<&str> = text
                .lines()
                .skip_while(|line| command == "sprt" && !line.starts_with("mine failed"))
                .collect();
            lines.len() > 1 && lines[0].starts_with("mine failed in ") && lines[0].contains(" games (crash ")
        };
        assert!(warned(&done.out), "{command}: {}", done.out);
        let run = the_run(dir.path());
        let folder = run.to_str().unwrap();
        for read in [&["standings", folder][..], &["balance", folder], &["sprt", "e.toml"]] {
            if (read[0] == "sprt") == (command == "sprt") {
                let done = run_in(dir.path(), read, b"");
                assert!(warned(&done.out), "{read:?}: {}{}", done.out, done.error);
            }
        }
    }
}

#[test]
fn a_run_that_hangs_on_time_is_marked() {
    if !has_python() {
        return;
    }
    if !runs_slow("a program that is waited for") {
        return;
    }
    let bad = program("tests/bots/programs/bad.py");
    let dir = desk_of(&["python3", &bad, "hang"], "stall_ms = 3000\nrepeats = true\n");
    let done = play(dir.path(), &["--recover"]);
    assert_eq!(row(&done, "mine"), ["7", "0", "0", "0", "7", "0", "0"]);
    assert_eq!(manifest(&the_run(dir.path()))["repeatable"], false, "it was ended by the watchdog");
}

/// A program that plays at random, however often it is asked. Its answers to all kinds of requests differ from run to
/// run, and it leaves a mark beside it whenever it is started.
const FICKLE: &str = "import os, random, sys
open(os.path.join(os.path.dirname(__file__), 'started'), 'a').write('x')
sys.path.insert(0, BOTS)
from random_bot import RandomBot

class Fickle(RandomBot):
    def movement(self, game, request):
        game.dice = random.SystemRandom()
        wrong = request[\"phase\"] == \"S1901M\" or game.dice.randrange(4) == 0
        return super().movement(game, request) + ([\"A XYZ - PAR\"] if wrong else [])

    def adjustments(self, game, request):
        # The second of two equal orders is refused when they are settled.
        return [order for order in super().adjustments(game, request) for _ in range(game.dice.randrange(1, 3))]

Fickle().run()
";

/// A desk on which the fickle program plays one seat of this variant.
fn desk_of_fickle(variant: &str, more: &str) -> TempDir {
    let dir = desk_of(&["python3", "mine.py"], more);
    let text = fs::read_to_string(dir.path().join("e.toml")).unwrap();
    let text =
        text.replace("\"standard\"", &format!("{variant:?}")).replace("last_year = 1902", "last_year = 1905");
    fs::write(dir.path().join("e.toml"), text).unwrap();
    let bots = format!("{:?}", program("bots/python"));
    fs::write(dir.path().join("mine.py"), FICKLE.replace("BOTS", &bots)).unwrap();
    dir
}

#[test]
fn a_run_with_a_program_that_answers_differently_is_shown_from_its_record() {
    if !has_python() {
        return;
    }
    let variants = ["black-hole", "seismic-1971", "schizo-ii", "deluge-ii", "standard"];
    let some = if runs_slow("all kinds of requests") { variants.len() } else { 1 };
    for variant in &variants[..some] {
        let dir = desk_of_fickle(variant, "");
        let done = play(dir.path(), &[]);
        assert_eq!(done.code, 0, "{}", done.error);
        assert!(
            done.out.contains("recorded: the orders of `mine`, because they are not declared"),
            "{}",
            done.out
        );
        let (run, path) = (the_run(dir.path()), |name: &str| dir.path().join(name));
        let kept = manifest(&run);
        assert_eq!((&kept["repeatable"], &kept["recorded"][0]), (&Value::Bool(false), &"mine".into()));
        assert!(run.join("orders").exists());
        fs::remove_file(path("started")).unwrap();

        // Nothing of all this starts it.
        let run = run.to_str().unwrap();
        let shown = |arguments: &[&str]| {
            let done = run_in(dir.path(), arguments, b"");
            assert_eq!(done.code, 0, "{variant} {arguments:?}: {}{}", done.out, done.error);
            done.out
        };
        let files = ["--html", "x.html", "--export", "x.json"];
        shown(&[&["replay", run, "3"], &files[..]].concat());
        assert!(fs::metadata(path("x.html")).unwrap().len() > 10_000);
        assert!(shown(&["replay", run, "3", "--text"]).contains("A XYZ - PAR (refused: "), "{variant}");
        if *variant == "standard" {
            shown(&["replay", run, "3", "--saved-game", "saved.json"]);
        }
        for all in [&["replay", run, "--verify", "--all"][..], &["run", run]] {
            let told = shown(all);
            assert!(
                told.contains("all rows equal")
                    && told.contains("`mine` are taken from the record of the run"),
                "{told}"
            );
        }
        shown(&["replay", "x.json"]);
        shown(&["verify", run]);
        let refused = run_in(dir.path(), &["run", run, "--out", "again"], b"");
        assert!(refused.refusal().contains("recorded decisions of `mine`"), "{}", refused.error);
        // A future needs decisions that nobody has made: the program is started for these alone, with permission.
        let what_if = ["replay", run, "3", "--at", "F1902", "--seat", "AUSTRIA=random", "--futures", "2"];
        let refused = run_in(dir.path(), &what_if, b"");
        let error = refused.refusal();
        assert!(
            error.contains("must decide again") && error.contains("--allow-program 'python3 mine.py'"),
            "{error}"
        );
        assert!(!path("started").exists(), "{variant}");
        let allowed = ["--allow-program", "python3 mine.py"];
        let told = shown(&[&what_if[..], &allowed].concat());
        assert!(told.contains("cannot be repeated") && path("started").exists(), "{told}");
        if *variant == "black-hole" {
            let effect = ["effect", run, "--games", "1", "--years", "1"];
            assert!(run_in(dir.path(), &effect, b"").refusal().contains("must decide again"));
            assert!(shown(&[&effect[..], &allowed].concat()).contains("cannot be repeated"));
        }
    }
}

/// A program that is declared to repeat, and does not.
#[test]
fn a_false_declaration_is_found_out_and_the_message_says_what_to_do() {
    if !has_python() {
        return;
    }
    let dir = desk_of_fickle("standard", "repeats = true\n");
    assert_eq!(play(dir.path(), &[]).code, 0);
    let run = the_run(dir.path());
    let run = run.to_str().unwrap();
    let permission = ["--allow-program", "python3 mine.py"];
    let done = run_in(dir.path(), &[&["replay", run, "3"], &permission[..]].concat(), b"");
    assert_eq!(done.code, 1, "{}", done.out);
    let error = done.only_error();
    assert!(error.contains("standard/3: ") && error.contains(" in the run, but "), "{error}");
    assert!(error.contains("remove `repeats = true` from `[bots.mine]`"), "{error}");
    let done = run_in(dir.path(), &[&["replay", run, "--verify"], &permission[..]].concat(), b"");
    assert!(done.code == 1 && done.out.contains("remove `repeats = true` from"), "{}", done.out);
}

/// Faults of a program are part of its games, whatever the policy makes of them.
#[test]
fn faults_are_shown_from_the_record_under_every_policy() {
    if !has_python() {
        return;
    }
    let bad = program("tests/bots/programs/bad.py");
    let policies = ["hold", "forfeit", "void-and-replay-same-line-up"];
    let some = if runs_slow("every policy") { policies.len() } else { 1 };
    for policy in policies.into_iter().rev().take(some) {
        let faults = format!("[faults]\npolicy = {policy:?}\n");
        let dir = desk_of(&["python3", &bad, "die-in-the-middle"], &faults);
        assert_eq!(play(dir.path(), &["--recover"]).code, 0);
        let run = the_run(dir.path());
        let run = run.to_str().unwrap();
        let done = run_in(dir.path(), &["replay", run, "--verify", "--all"], b"");
        assert_eq!(done.code, 0, "{policy}: {}{}", done.out, done.error);
        let done = run_in(dir.path(), &["replay", run, "0", "--html", "x.html"], b"");
        assert_eq!(done.code, 0, "{policy}: {}{}", done.out, done.error);
    }
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
    let text = "name = \"e\"\nvariants = [\"standard\"]\ngames = 14\nseed = 1\nlast_year = 1901\n[seats]\n\
                lineups = [[\"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"],\n\
                [\"mine\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]\n\
                [bots.mine]\n\
                command = [\"python3\", \"it's mine.py\", \"$(touch owned)\", \"\\u001b[2J\"]\nrepeats = true\n";
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
        "error: e.toml:9:1: unknown key `bots.deep.rollouts`; known: kind, weights, without"
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
        assert!(done.out.ends_with("all checks passed\n"), "{}", done.out);
        // Every kind of decision was asked for.
        for asked in ["movement", "retreats", "builds", "removals", "seismic", "coasts"] {
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
        ("nameless", "WRONG  hello\n       protocol: `name` is missing in `id`; expected a text"),
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
        assert!(!done.out.contains("all checks passed"), "{what}: {}", done.out);
        // What it is not asked for in a game of its own, it is asked for in the positions of another.
        let positions = "WRONG  positions of standard, played by dumbbot (";
        let asked = done.out.lines().find(|line| line.starts_with(positions));
        for kind in [" retreats", " builds", " removals"] {
            assert!(asked.is_some_and(|line| line.contains(kind)), "{what}: {}", done.out);
        }
    }
}

#[test]
fn the_example_in_javascript_complies() {
    if !has_node() {
        return;
    }
    let done = run_in(Path::new("."), &["compliance", "node", &program("bots/node/random_bot.mjs")], b"");
    assert_eq!(done.code, 0, "{}", done.out);
    for asked in ["movement", "retreats", "builds", "removals", "seismic", "coasts"] {
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
    let played = [
        "ok     standard as AUSTRIA",
        "ok     own as ENGLAND",
        "ok     positions of standard, played by dumbbot",
        "all checks passed",
    ];
    assert_eq!(parts[4..], played, "{}", done.out);
    let first = transcript("first");
    let starts: Vec<&str> = first.lines().filter(|line| line.starts_with('#')).collect();
    let named = ["# hello", "# isready", "# quit", "# another game with the same process"];
    assert_eq!(
        starts,
        [
            &named[..],
            &["# standard as AUSTRIA", "# own as ENGLAND", "# positions of standard, played by dumbbot"]
        ]
        .concat()
    );
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
    assert!(error.contains("there is no variant `blackhole`; did you mean `black-hole`?"), "{error}");
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
