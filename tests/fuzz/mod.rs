//! External input may be anything: it is answered or refused, and never causes a panic. Each test here is a *target*: a
//! kind of input, with valid inputs to start from and a number of changes to each.
//!
//! Inputs are numbered, and each has dice of its own, so a failure names its input and can be repeated.
//!
//! | variable | what it does |
//! |---|---|
//! | `UPHEAVAL_SLOW_TESTS=1` | five times as many inputs, or 50 times as many with 10 |
//! | `UPHEAVAL_FUZZ_SECONDS=60` | as many inputs as there is time for, in each target |
//! | `UPHEAVAL_FUZZ_FROM=5000` | with the former: from that input on, where an earlier search ended |
//! | `UPHEAVAL_FUZZ_INPUT=1234` | that input alone |
//!
//! `tests/fuzz/corpus/` has inputs that once failed, or that chance would hardly produce: a folder for each target that
//! has some. They are tried first without changes, and are then changed like the others.

mod changes;
mod files;
mod maps;
mod replies;
mod requests;
mod stored;

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::amount;
use upheaval::rng::{Purpose, Stream};

/// The inputs of a target, each with its dice.
struct Inputs {
    target: &'static str,
    first: u64,
    next: u64,
    end: End,
}

/// The end of a target's inputs.
enum End {
    /// Before the one with this number.
    Before(u64),
    /// When the time is up.
    At(Instant),
}

/// One input of a target. When a test panics while it holds the input, the input's number is printed.
struct Input {
    target: &'static str,
    number: u64,
    dice: Stream,
}

/// The number in an environment variable.
fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok().filter(|value| !value.is_empty())?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is a number, not `{value}`")))
}

/// The inputs of a target: this many if slow tests are run, or a multiple; otherwise a fifth of them.
fn inputs(target: &'static str, count: u64) -> Inputs {
    let (first, end) = match (number("UPHEAVAL_FUZZ_INPUT"), number("UPHEAVAL_FUZZ_SECONDS")) {
        (Some(only), _) => (only, End::Before(only + 1)),
        (None, Some(seconds)) => {
            let until = Instant::now() + Duration::from_secs(seconds);
            (number("UPHEAVAL_FUZZ_FROM").unwrap_or(0), End::At(until))
        }
        (None, None) => (0, End::Before(amount(count.div_ceil(5), count))),
    };
    Inputs { target, first, next: first, end }
}

impl Inputs {
    /// Are there enough of them that all likely cases have occurred?
    fn are_many(&self) -> bool {
        number("UPHEAVAL_FUZZ_INPUT").is_none() && (testkit::tries_all() || matches!(self.end, End::At(_)))
    }
}

impl Iterator for Inputs {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        let ended = match self.end {
            End::Before(end) => self.next >= end,
            End::At(end) => Instant::now() >= end,
        };
        if ended {
            if matches!(self.end, End::At(_)) {
                println!("{}: {} inputs from {}", self.target, self.next - self.first, self.first);
            }
            return None;
        }
        let (target, number) = (self.target, self.next);
        self.next += 1;
        let key = target.bytes().fold(0, |key: u64, byte| key.wrapping_mul(257).wrapping_add(byte.into()));
        Some(Input { target, number, dice: Stream::keyed(26, Purpose::Bot, &[key, number]) })
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Input { target, number, .. } = self;
            eprintln!("{target}: it is input {number}; UPHEAVAL_FUZZ_INPUT={number} tries it alone");
        }
    }
}

/// The initial inputs: texts of the repository, by folder and extension, and the target's own corpus.
fn corpus(target: &str, folders: &[(&str, &str)]) -> Vec<String> {
    let own = format!("tests/fuzz/corpus/{target}");
    let mut texts = Vec::new();
    for (folder, ending) in folders.iter().copied().chain([(own.as_str(), "")]) {
        let Ok(entries) = fs::read_dir(testkit::path(folder)) else { continue };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.is_file() && path.to_string_lossy().ends_with(ending));
        // The order of a folder is not the same everywhere.
        paths.sort();
        texts.extend(
            paths.iter().filter_map(|path| Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())),
        );
    }
    texts
}

/// Words that have a meaning in one place or another, and some that never have.
static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("words.txt").lines().collect());

/// One of these words.
fn word(stream: &mut Stream) -> &'static str {
    stream.choose(&WORDS).expect("there are some")
}

/// Changes something somewhere in a value.
fn mutate(value: &mut Value, stream: &mut Stream) {
    if stream.below(4) > 0 {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let i = stream.below(map.len() as u32) as usize;
                let key = map.keys().nth(i).cloned().unwrap();
                match stream.below(12) {
                    0 => drop(map.remove(&key)),
                    1 => {
                        let moved = map.remove(&key).unwrap();
                        map.insert(word(stream).to_owned(), moved);
                    }
                    _ => mutate(&mut map[&key], stream),
                }
                return;
            }
            Value::Array(list) if !list.is_empty() => {
                let i = stream.below(list.len() as u32) as usize;
                match stream.below(8) {
                    0 => drop(list.remove(i)),
                    1 => list.push(list[i].clone()),
                    _ => mutate(&mut list[i], stream),
                }
                return;
            }
            Value::String(text) => {
                let mut letters: Vec<char> = text.chars().collect();
                let i = stream.below(letters.len() as u32 + 1) as usize;
                match stream.below(4) {
                    0 if i < letters.len() => drop(letters.remove(i)),
                    1 => letters.insert(i, ['#', '/', ' ', '0', 'É', '-', '.'][stream.below(7) as usize]),
                    2 => letters.truncate(i),
                    _ => letters = word(stream).chars().collect(),
                }
                *text = letters.into_iter().collect();
                return;
            }
            _ => {}
        }
    }
    *value = match stream.below(8) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(-1),
        4 => json!(1e300),
        5 => json!({"FRANCE": ["A PAR - BUR"]}),
        _ => word(stream).into(),
    };
}

/// Changes, drops, doubles and swaps bytes.
fn scramble(bytes: &mut Vec<u8>, stream: &mut Stream) {
    for _ in 0..1 + stream.below(8) {
        let i = stream.below(bytes.len().max(1) as u32) as usize;
        match stream.below(6) {
            0 => bytes.truncate(i),
            1 if i < bytes.len() => drop(bytes.remove(i)),
            2 => bytes.insert(i, stream.next_u64() as u8),
            3 => {
                let copy: Vec<u8> = bytes[i..].iter().take(stream.below(40) as usize).copied().collect();
                bytes.splice(i..i, copy);
            }
            4 => bytes.insert(i, b"[]{}\"'=#.,\n0-"[stream.below(13) as usize]),
            _ if i < bytes.len() => bytes[i] = stream.next_u64() as u8,
            _ => {}
        }
    }
}
