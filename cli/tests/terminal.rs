//! The output of the program never acts on a terminal, whatever its input; errors have at most a screenful; a reader
//! that stops reading is not a failure.

use std::fs;
use std::process::{Command, Stdio};

use crate::program::{desk, played, run, run_in};

/// Clears the screen, in two encodings; reorders the letters; ends the line.
const HOSTILE: [&str; 5] = ["\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{2066}", "\u{7f}"];

const TINY: &str = "name = \"e\"\nvariants = [\"black-hole\"]\ngames = 7\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"\n";

/// Does the text contain a character that a terminal acts on, other than ends of lines and tabs?
fn acts(text: &str) -> bool {
    text.chars().any(|c| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

#[test]
fn what_is_refused_is_repeated_without_what_a_terminal_acts_on() {
    for hostile in HOSTILE {
        let name = format!("x{hostile}y");
        let dir = desk(&TINY.replace("\"e\"", &format!("{name:?}")));
        let here = dir.path();
        fs::write(here.join("list.json"), format!("{{{name:?}: 1}}")).unwrap();
        fs::write(here.join("list.toml"), format!("\"{name}\" = 1\n")).unwrap();
        for words in [
            &["run", "e.toml"][..],
            &["run", &name],
            &["tournament", "list.toml"],
            &["sprt", "list.toml"],
            &["tune", "list.toml"],
            &["verify", &name],
            &["join", &name],
            &["balance", &name],
            &["report", &name],
            &["standings", &name],
            &["effect", &name, "--event", "hole", "--at", "F1901"],
            &["replay", &name, "0"],
            &["replay", "list.json"],
            &["adjudicate", &name],
            &["import", &name],
            &["variants", "show", &name],
            &["map", &name],
            &["map", "--apply", &name],
            &["map", "check", "list.json"],
            &["map", "check", "list.toml"],
            &["map", "import", "list.json"],
            &["new", "variant", &name],
            &["ladder", &name],
            &["run", "e.toml", "--set", &name],
            &["compliance", &name],
            &[&name],
            &["run", "--no-such", &name],
        ] {
            let done = run_in(here, words, b"");
            assert!(done.code != 0, "{words:?}");
            assert!(!acts(&done.out) && !acts(&done.error), "{words:?}: {:?} {:?}", done.out, done.error);
        }
    }
}

#[test]
fn answers_keep_the_values_that_they_repeat_and_a_terminal_is_not_acted_on() {
    for hostile in HOSTILE {
        let id = serde_json::Value::from(format!("x{hostile}y"));
        let request = serde_json::json!({ "id": id, "phase": "S1901M", "powers": {}, "orders": {} });
        let done = run(&["adjudicate"], format!("{request}\n").as_bytes());
        assert!(!acts(&done.out), "{:?}", done.out);
        assert_eq!(done.json_lines()[0]["id"], id, "{}", done.out);
    }
}

#[test]
fn maps_and_variants_whose_names_a_terminal_acts_on_are_refused() {
    let map = run(&["map", "--format", "json"], b"");
    assert_eq!(map.code, 0, "{}", map.error);
    let pond = |name: &str| {
        format!(
            "faces.ISLE = {{ name = {name}, kind = \"land\", neighbours_ccw = [\"SEA\"] }}\n\
             faces.SEA = {{ name = \"Sea\", kind = \"sea\", neighbours_ccw = [\"ISLE\"] }}\n"
        )
    };
    let dir = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        fs::write(dir.path().join("pond.toml"), text).unwrap();
        run_in(dir.path(), &["map", "check", "pond.toml"], b"")
    };
    let sound = check(&pond("\"Côte d’Azur\""));
    assert_eq!(sound.code, 0, "{}", sound.out);
    let variant = run(&["variants", "show", "standard", "--format", "toml"], b"").out;
    let title = variant.lines().find(|line| line.starts_with("title = ")).expect("a title");
    for (code, hostile) in [("001B", "\\u001b"), ("202E", "\\u202e"), ("000A", "\\n"), ("009B", "\\u009b")] {
        let done = check(&pond(&format!("\"x{hostile}y\"")));
        assert_eq!(done.code, 1, "{}", done.out);
        assert!(
            done.out.contains("ISLE: `name`: it contains the control character U+")
                && done.out.contains(code),
            "{}",
            done.out
        );
        for key in ["title", "summary", "source"] {
            let line = variant.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap_or(title);
            let odd = variant.replace(line, &format!("{key} = \"x{hostile}y\""));
            fs::write(dir.path().join("own.toml"), odd).unwrap();
            let done = run_in(dir.path(), &["variants", "show", "own.toml"], b"");
            assert!(
                done.refusal().contains(&format!("`{key}`: it contains the control character U+{code}")),
                "{}",
                done.error
            );
        }
    }
}

#[test]
fn an_error_is_a_screenful_at_most() {
    let long = "é".repeat(60_000);
    let dir = desk(&TINY.replace("hold", &long));
    fs::write(dir.path().join("long.json"), format!("{{{long:?}: 1}}")).unwrap();
    for words in [
        &["run", "e.toml"][..],
        &["run", "e.toml", "--set", &long],
        &["map", "check", "long.json"],
        &["map", "--apply", &long],
        &["replay", "long.json"],
        &["variants", "show", &long],
        &["balance", &long],
        &[&long],
    ] {
        let done = run_in(dir.path(), words, b"");
        let count = done.error.chars().count() + done.out.chars().count();
        assert!(done.code != 0 && count < 2200, "{} {}: {count} characters", words[0], words.len());
    }
    let request = serde_json::json!({ "phase": "S1901M", "powers": {}, "orders": { "FRANCE": [long] }, "variant": long });
    let done = run(&["adjudicate"], format!("{request}\n").as_bytes());
    assert!(done.code == 1 && done.out.chars().count() < 2200, "{} characters", done.out.len());
}

/// Runs the program with standard output closed at the other end before it begins: it is quiet about it.
#[cfg(unix)]
fn assert_quiet(here: &std::path::Path, words: &[&str]) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let program = assert_cmd::cargo::cargo_bin("upheaval");
    let output = Command::new(program)
        .current_dir(here)
        .args(words)
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let answered_or_not = words[0] == "adjudicate" && code == Some(1);
    assert!(code == Some(0) || answered_or_not, "{words:?}: {code:?} {error}");
    assert!(!error.contains("error") && !error.contains("panicked"), "{words:?}: {error}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_failure_of_any_command() {
    let (dir, folder) = played(&TINY.replace("1901", "1902"));
    let (here, folder) = (dir.path(), folder.to_str().unwrap());
    fs::write(here.join("r.jsonl"), "{}\n".repeat(20_000)).unwrap();
    for (name, text) in [
        (
            "t.toml",
            "name = \"t\"\nvariants = [\"standard\"]\nentrants = [\"hold\", \"random\"]\nformat = \"one-against-rest\"\nblocks = 1\nseed = 1\nlast_year = 1901\n",
        ),
        (
            "m.toml",
            "name = \"m\"\nvariants = [\"standard\"]\nentrants = [\"greedy\", \"hold\"]\neffect = 50\nmax_blocks = 20\nseed = 1\nlast_year = 1901\n",
        ),
        (
            "f.toml",
            "name = \"f\"\nvariants = [\"standard\", \"black-hole\"]\nseed = 7\nlast_year = 1901\n[tune]\nobjective = \"fairness.centres\"\nbots = [\"hold\"]\nbudget = 200\nblocks = { first = 4, most = 4 }\ncheck = { blocks = 4 }\n",
        ),
        (
            "s.toml",
            "name = \"s\"\nvariants = [\"standard\"]\ngames = 1\nseed = 1\nlast_year = 1901\nseats.all = \"greedy\"\n",
        ),
        (
            "ring.map",
            "RED AA\nBLUE BB\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS BB CC SS\nCOAST BB ABUTS AA CC SS\nCOAST CC ABUTS AA BB SS\n",
        ),
    ] {
        fs::write(here.join(name), text).unwrap();
    }
    let set_up = |words: &[&str]| {
        let done = run_in(here, words, b"");
        assert_eq!(done.code, 0, "{words:?}: {}", done.error);
    };
    set_up(&["run", "s.toml", "--out", "saved"]);
    let saved = crate::program::runs(&here.join("saved")).pop().unwrap();
    set_up(&["replay", saved.to_str().unwrap(), "0", "--saved-game", "saved.json"]);
    for shard in ["1/2", "2/2"] {
        set_up(&["run", "e.toml", "--shard", shard, "--out", "shards"]);
    }
    let shards = crate::program::runs(&here.join("shards"));
    let [first, second] = &shards[..] else { panic!("two shards: {shards:?}") };
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    let python = testkit::path("bots/python/random_bot.py");
    for words in [
        &["--help"][..],
        &["help", "run"],
        &["variants"],
        &["variants", "show", "black-hole"],
        &["bots"],
        &["schema", "variant"],
        &["completions", "bash"],
        &["man"],
        &["map"],
        &["map", "--format", "svg"],
        &["map", "--format", "json"],
        &["map", "import", "ring.map"],
        &["new", "map", "mine"],
        &["new", "variant", "mine"],
        &["new", "experiment", "mine"],
        &["run", "e.toml", "--dry-run"],
        &["run", "e.toml", "--print-resolved"],
        &["run", "e.toml"],
        &["join", first, second],
        &["tournament", "t.toml"],
        &["sprt", "m.toml"],
        &["tune", "f.toml", "--dry-run"],
        &["tune", "f.toml"],
        &["tune", "f.toml"],
        &["ladder", "standard", "--from", "1", "--to", "1", "--blocks", "1", "--years", "1"],
        &["effect", folder, "--event", "hole", "--at", "F1901", "--years", "1", "--games", "2"],
        &["import", "saved.json"],
        &["compliance", "--variant", "standard", "python3", python.to_str().unwrap()],
        &["verify", folder],
        &["balance", folder],
        &["standings", folder],
        &["report", folder, "--out", "p.html"],
        &["replay", folder, "0", "--text"],
        &["replay", folder, "--verify"],
        &["replay", folder, "0", "--at", "F1901", "--without"],
        &["replay", folder, "0", "--html", "g.html"],
        &["adjudicate", "r.jsonl"],
    ] {
        assert_quiet(here, words);
    }
}

#[test]
fn a_list_of_faults_in_an_error_ends_with_their_number() {
    let dir = tempfile::tempdir().unwrap();
    let faces: Vec<String> = (0..60)
        .map(|n| format!("faces.F{n} = {{ name = \"n\", kind = \"land\", neighbours_ccw = [\"G{n}\"] }}\n"))
        .collect();
    fs::write(dir.path().join("bad.toml"), faces.concat()).unwrap();
    let done = run_in(dir.path(), &["map", "--map", "bad.toml"], b"");
    let refusal = done.refusal();
    assert!(refusal.contains("F0: ") && refusal.contains("; and 50 more"), "{refusal}");
    assert_eq!(refusal.matches("is not a face of the map").count(), 10, "{refusal}");
    // The command that is for it lists all of them.
    let all = run_in(dir.path(), &["map", "check", "bad.toml"], b"");
    assert!(all.code == 1 && all.out.ends_with("bad.toml: 60 faults\n"), "{}", all.out);
    assert_eq!(all.out.lines().count(), 61, "{}", all.out);
}
