//! The help of every command and flag.

use crate::program::{commands, run};

/// The longest line of help, in characters.
const LONGEST: usize = 80;

/// Phrases that a reader stumbles over.
const REFUSED: [&str; 6] =
    ["in place of the file's", "left out:", "what is", "those that", "the same,", "take it out"];

/// Every command by its words, the program first.
fn all() -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(path) = all.get(at).cloned() {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        all.extend(commands(&words).into_iter().map(|name| [&path[..], &[name]].concat()));
        at += 1;
    }
    all
}

fn help(path: &[String], flag: &str) -> String {
    let words: Vec<&str> = path.iter().map(String::as_str).chain([flag]).collect();
    let done = run(&words, b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{path:?}");
    done.out
}

/// The flags and arguments of a long help text, each with the lines of its help.
fn flags(help: &str) -> Vec<(&str, Vec<&str>)> {
    let (help, _) = help.split_once("Examples:\n").unwrap_or((help, ""));
    let mut flags: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        match line.len() - text.len() {
            2..=6 if text.starts_with(['-', '<', '[']) => flags.push((text, Vec::new())),
            10.. if !text.is_empty() => {
                flags.last_mut().unwrap_or_else(|| panic!("help without a flag: {help}")).1.push(text);
            }
            _ => {}
        }
    }
    flags
}

#[test]
fn every_flag_has_one_short_line_of_help() {
    let mut count = 0;
    for path in all() {
        let text = help(&path, "--help");
        for (flag, lines) in flags(&text) {
            let mut lines = lines.into_iter();
            let first = lines.next().unwrap_or_else(|| panic!("{path:?} {flag}: no help"));
            assert!(first.chars().count() <= LONGEST, "{path:?} {flag}: {first}");
            for more in lines {
                // The default and the values, which `clap` adds.
                let value = more.strip_prefix("- ");
                let added = more.starts_with("[default: ") || more == "Possible values:" || value.is_some();
                assert!(added || more.starts_with("[possible values: "), "{path:?} {flag}: {more}");
                assert!(value.is_none_or(|text| text.chars().count() <= LONGEST), "{path:?} {flag}: {more}");
            }
            count += 1;
        }
        let lower = text.to_lowercase();
        for phrase in REFUSED {
            assert!(!lower.contains(phrase), "{path:?}: `{phrase}`");
        }
    }
    assert!(count > 200, "only {count} flags were found: does the search still work?");
}

#[test]
fn every_command_has_a_line_of_help_and_an_example() {
    let all = all();
    assert!(all.len() > 28, "{all:?}");
    for path in &all {
        let (short, long) = (help(path, "-h"), help(path, "--help"));
        let about = short.lines().next().unwrap_or_default();
        assert!(!about.is_empty() && about.chars().count() <= LONGEST, "{path:?}: {about}");
        assert!(!short.contains("Examples:"), "{path:?}");
        let (_, examples) = long.split_once("Examples:\n").unwrap_or_else(|| panic!("{path:?}: no example"));
        let name = [&["upheaval".to_owned()], &path[..]].concat().join(" ");
        assert!(examples.contains(&name), "{path:?}: {examples}");
    }
}
