//! One number in a file of any kind, however large, does not require memory: the program under a limit of the system.
//! More of that is in `sessions/memory.md`.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use testkit::amount;

use crate::program::{run_in, runs};

/// The program in a folder, with this many megabytes of address space, one thread, and a limited time.
fn within(megabytes: u32, folder: &Path, arguments: &[&str]) -> Output {
    let limit = "ulimit -v \"$1\"; shift; exec timeout \"$@\"";
    let kilobytes = (megabytes * 1000).to_string();
    let binary = assert_cmd::cargo::cargo_bin("upheaval").display().to_string();
    let words = ["-c", limit, "sh", &kilobytes, SECONDS, &binary];
    Command::new("sh")
        .args(words)
        .args(arguments)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap()
}

fn text_of(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Numbers that a file is not meant to have.
const HUGE: [&str; 6] = ["18446744073709551615", "4294967295", "1e308", "65535", "-1", "999999999"];

/// How long a command has. One that was asked for a billion games is still at it then, within its memory.
const SECONDS: &str = "20";

/// A kind of file: where it lies, commands that read it, and how many of its numbers are tried.
struct Kind {
    file: String,
    commands: Vec<Vec<String>>,
    numbers: usize,
}

fn kind(file: &str, numbers: usize, commands: &[&[&str]]) -> Kind {
    let words = |command: &&[&str]| command.iter().map(|&word| word.to_owned()).collect();
    Kind { file: file.to_owned(), commands: commands.iter().map(words).collect(), numbers }
}

/// Where the numbers of a text are: those that are not part of a word.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let of_a_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.\"#-".contains(&byte);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let from = at;
        at += 1;
        let begins = bytes[from].is_ascii_digit()
            || bytes[from] == b'-' && bytes.get(at).is_some_and(u8::is_ascii_digit);
        if !begins || from > 0 && of_a_word(bytes[from - 1]) {
            continue;
        }
        while bytes.get(at).is_some_and(|&byte| byte.is_ascii_digit() || byte == b'.') {
            at += 1;
        }
        if !bytes.get(at).is_some_and(|&byte| of_a_word(byte)) {
            found.push(from..at);
        }
    }
    found
}

/// A bot in Python, with the numbers of its replies.
const REPLIES: &str = r#"import json
import sys

for line in sys.stdin:
    said = json.loads(line)
    same = {key: said.get(key) for key in ("game", "phase", "topology_hash")}
    answers = {
        "hello": {"type": "id", "game": None, "protocol": 1, "name": "holds"},
        "isready": {"type": "readyok", "game": said["game"], "more": 7},
        "orders?": {"type": "orders", "orders": [], "more": [1, {"and": 2}], **same},
    }
    if said["type"] in answers:
        print(json.dumps(answers[said["type"]]), flush=True)
"#;

/// Writes a file of each kind into a folder.
fn every_kind(here: &Path) -> Vec<Kind> {
    let write = |name: &str, text: &str| fs::write(here.join(name), text).expect("it can be written");
    let done = |words: &[&str]| {
        let done = run_in(here, words, b"");
        assert_eq!(done.code, 0, "{words:?}: {}", done.error);
    };
    let begin = |name: &str, more: &str| {
        format!(
            "name = \"{name}\"\nvariants = [\"standard\"]\nseed = 1\nlast_year = 1901\nthreads = 1\n{more}"
        )
    };
    write("map.json", &testkit::read("maps/standard.json"));
    let variant = testkit::read("variants/black-hole.toml").replace("id = \"black-hole\"", "id = \"own\"");
    write("own.toml", &variant);
    write(
        "of-own.toml",
        &begin("own", "games = 7\nseats.all = \"hold\"\n").replace("\"standard\"", "\"own.toml\""),
    );
    write("experiment.toml", &begin("e", "games = 7\nlog.orders = true\n[stop]\nlead = 4\nyears = 3\nstill = 1\n[faults]\n\
        policy = \"void-and-replay-same-line-up\"\ntries = 3\n[seats]\nall = \"mine\"\n[bots.mine]\ncommand = [\"true\"]\n\
        move_ms = 5000\nstall_ms = 10000\nmemory_mb = 100\ncpu_s = 100\nprocesses = 10\nfile_mb = 10\n[[sweep]]\n\
        parameter = \"holes.per_season\"\nvalues = [1, 2]\n").replace("\"standard\"", "\"black-hole\""));
    let entrants = "entrants = [\"hold\", \"random\"]\n";
    write("tournament.toml", &begin("t", &format!("{entrants}format = \"one-against-rest\"\nblocks = 1\n")));
    write(
        "match.toml",
        &begin("m", &format!("{entrants}effect = 50\nalpha = 0.05\nbeta = 0.05\nmax_blocks = 20\n")),
    );
    write(
        "search.toml",
        &begin(
            "f",
            "[[sweep]]\nparameter = \"holes.per_season\"\nvalues = [1, 2]\n[tune]\n\
        objective = \"fairness.centres\"\nbots = [\"hold\"]\nbudget = 200\nblocks = { first = 4, most = 4 }\n\
        check = { blocks = 4 }\nwithin = { length = [1, 3] }\n",
        )
        .replace("[\"standard\"]", "[\"standard\", \"black-hole\"]"),
    );
    write("played.toml", &begin("p", "games = 7\nlog.orders = true\nseats.all = \"greedy\"\n"));
    done(&["run", "played.toml", "--out", "played"]);
    let run = runs(&here.join("played"))
        .pop()
        .expect("a run")
        .strip_prefix(here)
        .expect("below")
        .display()
        .to_string();
    let run = run.as_str();
    done(&["replay", run, "0", "--saved-game", "saved.json"]);
    write("game.json", &testkit::read("tests/replays/black-hole.json"));
    write(
        "request.jsonl",
        "{\"id\": 1, \"variant\": \"black-hole\", \"parameters\": {\"holes.per_season\": 2}, \"phase\": \"S1901M\", \
        \"powers\": {\"FRANCE\": {\"units\": [\"A PAR\"], \"centers\": [\"PAR\"]}}, \"orders\": {\"FRANCE\": [\"A PAR - BUR\"]}, \
        \"nature\": {\"seed\": 5, \"block\": 2}}\n",
    );
    let square = |code: &str, kind: &str, x: i32, y: i32| {
        let corners =
            [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)].map(|(x, y)| format!("[{x}, {y}]"));
        format!(
            "{{\"type\": \"Feature\", \"properties\": {{\"code\": \"{code}\", \"kind\": \"{kind}\"}}, \"geometry\": \
            {{\"type\": \"Polygon\", \"coordinates\": [[{}]]}}}}",
            corners.join(", ")
        )
    };
    let squares = [
        square("AAA", "land", 0, 0),
        square("BBB", "land", 1, 0),
        square("CCC", "sea", 0, 1),
        square("DDD", "land", 1, 1),
    ];
    write(
        "board.geojson",
        &format!("{{\"type\": \"FeatureCollection\", \"features\": [{}]}}", squares.join(", ")),
    );
    done(&["run", "played.toml", "--out", "shards", "--shard", "1/2"]);
    let shard = runs(&here.join("shards")).pop().expect("a shard");
    let shard = shard.strip_prefix(here).expect("below").display().to_string();
    write("replies.py", REPLIES);
    write("status.json", &testkit::read("tests/data/people/status.json"));
    write(
        "ring.map",
        "BEGIN SPRING 1901 MOVEMENT\nVICTORY 3\nRED AA\nBLUE BB\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS BB CC SS\n\
        COAST BB ABUTS AA CC SS\nCOAST CC ABUTS AA BB SS\n",
    );
    interrupted(here);
    let journal = runs(&here.join("begun"))
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending == "journal"))
        .expect("a journal");
    let journal = journal.strip_prefix(here).expect("below").display().to_string();
    let of_run = |name: &str| format!("{run}/{name}");
    vec![
        kind(
            "map.json",
            10,
            &[&["map", "check", "map.json"], &["map", "--map", "map.json", "--format", "svg"]],
        ),
        kind(
            "own.toml",
            30,
            &[&["variants", "show", "own.toml"], &["run", "of-own.toml", "--quiet", "--out", "own"]],
        ),
        kind("experiment.toml", 40, &[&["run", "experiment.toml", "--print-resolved"]]),
        kind("of-own.toml", 10, &[&["run", "of-own.toml", "--dry-run"]]),
        kind("tournament.toml", 10, &[&["tournament", "tournament.toml", "--quiet", "--afresh"]]),
        kind("match.toml", 10, &[&["sprt", "match.toml", "--quiet", "--afresh"]]),
        kind(
            "search.toml",
            20,
            &[&["tune", "search.toml", "--dry-run"], &["tune", "search.toml", "--quiet"]],
        ),
        kind(
            &of_run("manifest.json"),
            12,
            &[&["balance", run], &["balance", run, "--trust"], &["verify", run]],
        ),
        kind(&of_run("experiment.resolved.json"), 12, &[&["balance", run], &["balance", run, "--trust"]]),
        kind(&format!("{shard}/manifest.json"), 12, &[&["join", &shard, "--partial"]]),
        kind("replies.py", 4, &[&["compliance", "--variant", "standard", "python3", "replies.py"]]),
        kind(&journal, 12, &[&["run", "long.toml", "--quiet", "--out", "begun", "--dry-run"]]),
        kind("game.json", 12, &[&["replay", "game.json"]]),
        kind("saved.json", 12, &[&["import", "saved.json", "--out", "imported"]]),
        kind("request.jsonl", 10, &[&["adjudicate", "request.jsonl"]]),
        kind("status.json", 20, &[&["import", "status.json", "--out", "imported"]]),
        kind("ring.map", 4, &[&["map", "import", "ring.map"]]),
        kind("board.geojson", 20, &[&["map", "import", "board.geojson"]]),
    ]
}

/// Begins a run that is killed once its journal has a chunk.
fn interrupted(here: &Path) {
    let text = "name = \"long\"\nvariants = [\"standard\"]\ngames = 700000\nseed = 1\nlast_year = 1901\nthreads = 1\nseats.all = \"hold\"\n";
    fs::write(here.join("long.toml"), text).expect("it can be written");
    let mut run = Command::new(assert_cmd::cargo::cargo_bin("upheaval"))
        .args(["run", "long.toml", "--quiet", "--out", "begun"])
        .current_dir(here)
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    let has_a_chunk = || {
        let listed =
            fs::read_dir(here.join("begun")).into_iter().flatten().flatten().map(|entry| entry.path());
        let journals = listed.filter(|path| path.extension().is_some_and(|ending| ending == "journal"));
        journals.into_iter().any(|path| fs::read_to_string(path).is_ok_and(|text| text.lines().count() > 2))
    };
    while !has_a_chunk() {
        assert!(begun.elapsed() < Duration::from_secs(300), "no chunk is finished");
        std::thread::sleep(Duration::from_millis(20));
    }
    run.kill().expect("it runs");
    run.wait().expect("it ends");
}

#[test]
fn one_huge_number_in_a_file_of_any_kind_ends_with_an_answer_or_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // One number of each file; in slow tests a third of those chosen for it, with `UPHEAVAL_SLOW_TESTS=3` all.
    let thirds = amount(0, 1) as usize;
    for Kind { file, commands, numbers: most } in every_kind(here) {
        let path = here.join(&file);
        let text = fs::read_to_string(&path).unwrap();
        let at = numbers(&text);
        assert!(!at.is_empty(), "{file}");
        for command in &commands {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            text_of(&within(1200, here, &words));
        }
        let (most, huge) = match thirds {
            0 => (1, &HUGE[..1]),
            1 | 2 => (most.div_ceil(3), &HUGE[..]),
            _ => (most, &HUGE[..]),
        };
        for span in at.iter().step_by(at.len().div_ceil(most)) {
            for number in huge {
                let (before, after) = (&text[..span.start], &text[span.end..]);
                fs::write(&path, format!("{before}{number}{after}")).unwrap();
                for command in &commands {
                    let words: Vec<&str> = command.iter().map(String::as_str).collect();
                    let ended = within(1200, here, &words);
                    let error = String::from_utf8_lossy(&ended.stderr).into_owned();
                    let place = before.chars().rev().take(30).collect::<String>();
                    let place: String = place.chars().rev().collect();
                    let what = format!("{file}: {place:?} {number}: {words:?}: {error:.400}");
                    assert!(["panicked", "allocation"].iter().all(|word| !error.contains(word)), "{what}");
                    match ended.status.code() {
                        Some(0 | 1) => {}
                        Some(2) => assert!(error.lines().any(|line| line.starts_with("error: ")), "{what}"),
                        // It is still at it.
                        Some(124) => {}
                        other => panic!("{other:?}: {what}"),
                    }
                }
            }
        }
        fs::write(&path, text).unwrap();
    }
}
