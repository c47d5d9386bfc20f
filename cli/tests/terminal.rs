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
            done.out.contains("ISLE: `name`: it has a control character, U+") && done.out.contains(code),
            "{}",
            done.out
        );
        for key in ["title", "summary", "source"] {
            let line = variant.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap_or(title);
            let odd = variant.replace(line, &format!("{key} = \"x{hostile}y\""));
            fs::write(dir.path().join("own.toml"), odd).unwrap();
            let done = run_in(dir.path(), &["variants", "show", "own.toml"], b"");
            assert!(
                done.refusal().contains(&format!("`{key}`: it has a control character, U+{code}")),
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

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_failure_of_any_command() {
    let (dir, folder) = played(TINY);
    let folder = folder.to_str().unwrap();
    fs::write(dir.path().join("r.jsonl"), "{}\n".repeat(20_000)).unwrap();
    for words in [
        &["--help"][..],
        &["variants"],
        &["variants", "show", "black-hole"],
        &["bots"],
        &["schema", "variant"],
        &["completions", "bash"],
        &["man"],
        &["map"],
        &["map", "--format", "svg"],
        &["run", "e.toml", "--dry-run"],
        &["run", "e.toml", "--print-resolved"],
        &["run", "e.toml"],
        &["verify", folder],
        &["balance", folder],
        &["standings", folder],
        &["report", folder, "--out", "p.html"],
        &["replay", folder, "0", "--text"],
        &["replay", folder, "--verify"],
        &["adjudicate", "r.jsonl"],
    ] {
        // The other end of the pipe is closed before the program begins.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let program = assert_cmd::cargo::cargo_bin("upheaval");
        let output = Command::new(program)
            .current_dir(dir.path())
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
}
