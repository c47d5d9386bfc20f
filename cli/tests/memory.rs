//! One number in a file of any kind, however large, does not require memory: the program under a limit of the system.
//! More of that is in `sessions/memory.md`.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};

use testkit::amount;

/// The program in a folder, with 1200 megabytes of address space, one thread, and a limited time.
fn within(folder: &Path, arguments: &[&str]) -> Output {
    let binary = assert_cmd::cargo::cargo_bin("upheaval").display().to_string();
    Command::new("sh")
        .args(["-c", "ulimit -v 1200000; exec timeout \"$@\"", "sh", SECONDS, &binary])
        .args(arguments)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap()
}

/// Numbers that a file is not meant to have.
const HUGE: [&str; 6] = ["18446744073709551615", "4294967295", "1e308", "65535", "-1", "999999999"];

/// How long a command has. One that was asked for a billion games is still at it then, within its memory.
const SECONDS: &str = "20";

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

#[test]
fn one_huge_number_in_a_file_of_any_kind_ends_with_an_answer_or_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // One number of every second file; in slow tests, of all files, a sixth of those chosen for it, with
    // `UPHEAVAL_SLOW_TESTS=6` all.
    let sixths = amount(0, 1) as usize;
    let kinds = crate::sessions::run(here, &testkit::read("cli/tests/files_of_every_kind.sh"));
    for kind in testkit::thinned(kinds.lines(), 2) {
        let (file, most, commands) = kind
            .split_once(": ")
            .and_then(|(file, commands)| file.split_once(' ').map(|(file, most)| (file, most, commands)))
            .unwrap_or_else(|| panic!("{kind}"));
        let most: usize = most.parse().expect("a number");
        let commands: Vec<Vec<&str>> =
            commands.split("; ").map(|command| command.split(' ').collect()).collect();
        let path = here.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let at = numbers(&text);
        assert!(!at.is_empty(), "{file}");
        for words in &commands {
            let output = within(here, words);
            assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let (most, huge) = match sixths {
            0 => (1, &HUGE[..1]),
            1..6 => ((most * sixths).div_ceil(6), &HUGE[..]),
            _ => (most, &HUGE[..]),
        };
        for span in at.iter().step_by(at.len().div_ceil(most)) {
            for number in huge {
                let (before, after) = (&text[..span.start], &text[span.end..]);
                fs::write(&path, format!("{before}{number}{after}")).unwrap();
                for words in &commands {
                    let ended = within(here, words);
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
