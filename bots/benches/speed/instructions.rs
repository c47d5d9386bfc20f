//! Instructions, counted by valgrind: unlike times, they are the same on a busy machine.
//!
//! For each loop of `instructions/loops.rs` this program runs itself under `valgrind --tool=cachegrind`, once with one
//! pass and once with three. The difference is the cost of the passes, without the start and the tables. A part that
//! cannot be called by itself is the difference of two loops, one of which does the part in addition.

mod loops;
mod parts;
mod ratchet;

use std::fmt::Write;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use self::loops::Loop;
use self::parts::{PARTS, Part, Tally};
pub use self::ratchet::hold;
use super::page;

/// Counts instructions and does nothing else.
pub const FLAG: &str = "--instructions";

/// Counts the instructions of a dozen loops and fails if one has grown.
pub const RATCHET: &str = "--ratchet";

/// Runs one loop: the flag that this program passes to itself.
const LOOP: &str = "--loop";

/// The passes of a loop under valgrind: first this many, then this many.
const PASSES: [usize; 2] = [1, 3];

/// Is this process one that is counted? If it is, it has done its passes.
pub fn counted(arguments: &[String]) -> bool {
    let [flag, name, passes] = arguments else { return false };
    if flag != LOOP {
        return false;
    }
    let mut of = Loop::named(name);
    (0..passes.parse().expect("a number")).for_each(|_| (of.pass)());
    true
}

/// Is valgrind installed? If it is not, that is printed.
fn has_valgrind() -> bool {
    let has = Command::new("valgrind").arg("--version").output().is_ok();
    if !has {
        println!("\nvalgrind is not installed: no instructions are counted.");
    }
    has
}

/// Counts and times the parts of a phase and prints their table.
pub fn report() {
    let valgrind = has_valgrind();
    let mut costs: Vec<_> = loops(&PARTS).into_iter().map(|name| (name, time(name))).collect();
    if valgrind {
        count(&mut costs);
    }
    let table = table(&costs);
    println!("\n{table}");
    if valgrind {
        page::put("phase", &table);
    }
}

/// The loops that the parts need.
fn loops(parts: &[Part]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = parts.iter().flat_map(Part::loops).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Counts the instructions of each loop.
fn count(costs: &mut [(&'static str, Tally)]) {
    let left = Mutex::new(costs.iter_mut());
    let next = || left.lock().expect("nobody panics").next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, tally)) = next() {
                    tally.instructions = Some(instructions(name));
                }
            });
        }
    });
}

/// The cost of a loop.
fn cost(costs: &[(&str, Tally)], name: &str) -> Tally {
    costs.iter().find(|(other, _)| *other == name).map_or(Tally::default(), |&(_, tally)| tally)
}

/// The time of a loop per unit of work: the shortest of about a dozen measurements of a few passes each, since other
/// load only makes a loop longer.
fn time(name: &str) -> Tally {
    let mut of = Loop::named(name);
    (of.pass)();
    let begun = Instant::now();
    (of.pass)();
    let passes = (Duration::from_millis(1).as_secs_f64() / begun.elapsed().as_secs_f64()).ceil();
    let timed = |of: &mut Loop| {
        let begun = Instant::now();
        (0..passes as usize).for_each(|_| (of.pass)());
        begun.elapsed()
    };
    let shortest = (0..60).map(|_| timed(&mut of)).min().unwrap_or_default();
    Tally { nanoseconds: shortest.as_secs_f64() * 1e9 / passes / of.units, instructions: None }
}

/// The instructions of a loop per unit of work.
fn instructions(name: &str) -> f64 {
    let [few, more] = PASSES.map(|passes| run_under_valgrind(name, passes));
    (more - few) / (PASSES[1] - PASSES[0]) as f64 / Loop::named(name).units
}

fn run_under_valgrind(name: &str, passes: usize) -> f64 {
    let itself = std::env::current_exe().expect("this program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(itself)
        .args([LOOP, name, &passes.to_string()])
        .output()
        .expect("valgrind runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let count =
        said.lines().find_map(|line| line.split_once("refs:").map(|(_, count)| count.replace(',', "")));
    count
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or_else(|| panic!("valgrind counted nothing: {said}"))
}

/// The parts of a phase as a table: all but the whole, what they leave of it, and the whole.
fn table(costs: &[(&str, Tally)]) -> String {
    let mut text = "| part | instructions | µs | how it is measured |\n|---|---|---|---|\n".to_owned();
    let mut line = |name: &str, tally: Tally, how: &str| {
        let count = tally.instructions.map_or("-".to_owned(), |count| format!("{count:.0}"));
        let _ = writeln!(text, "| {name} | {count} | {:.2} | {how} |", tally.nanoseconds / 1e3);
    };
    let [whole, parts @ ..] = &PARTS;
    let tally = |part: &Part| part.tally(|name| cost(costs, name));
    parts.iter().for_each(|part| line(part.name, tally(part), part.how));
    let rest = parts.iter().fold(tally(whole), |left, part| left.less(tally(part)));
    line("the rest", rest, "the whole less all of the above");
    line(whole.name, tally(whole), whole.how);
    text
}
