//! The output of the program never acts on a terminal, whatever its input.

use std::fs;

use crate::program::{desk, run, run_in};

/// Clears the screen, in two encodings; reorders the letters; ends the line.
const HOSTILE: [&str; 5] = ["\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{2066}", "\u{7f}"];

const TINY: &str = "name = \"e\"\nvariants = [\"black-hole\"]\ngames = 7\nseed = 1\nlast_year = 1901\nseats.all = \"hold\"\n";

/// Has the text a character that a terminal acts on, other than ends of lines and tabs?
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
