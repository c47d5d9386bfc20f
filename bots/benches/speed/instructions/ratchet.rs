//! A ratchet: the instructions of a dozen loops are kept in `kept.txt`, and none may grow.

use std::fmt::Write;
use std::fs;
use std::process::ExitCode;

use super::parts::{HELD, Tally};
use super::{cost, count, has_valgrind, loops};

/// The kept counts, a line for each part: the instructions per unit of work and the part's name. Its path starts at the
/// package, in whose folder cargo runs a bench.
const KEPT: &str = "speed/instructions/kept.txt";

/// A count may exceed the kept one by this share of it: libraries of the system differ a little.
const TOLERANCE: f64 = 0.02;

/// Counts every part of [`HELD`] and prints it beside its kept count. With `UPDATE_EXPECT` the counts are written;
/// without it the process fails if one has grown by more than [`TOLERANCE`] or is not kept. Without valgrind nothing is
/// counted and nothing fails.
pub fn hold() -> ExitCode {
    if !has_valgrind() {
        return ExitCode::SUCCESS;
    }
    let mut costs: Vec<_> = loops(&HELD).into_iter().map(|name| (name, Tally::default())).collect();
    count(&mut costs);
    let counts = HELD.iter().map(|part| {
        let tally = part.tally(|name| cost(&costs, name));
        (part.name, tally.instructions.expect("valgrind has counted").round())
    });
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text: String = counts.map(|(name, count)| format!("{count:>10} {name}\n")).collect();
        fs::write(KEPT, &text).expect("the file of counts can be written");
        print!("{KEPT} is written:\n{text}");
        return ExitCode::SUCCESS;
    }
    let kept = fs::read_to_string(KEPT).expect("the file of counts can be read");
    let (mut table, mut grown, mut shrunk) = (String::new(), false, false);
    for (name, count) in counts {
        let line =
            kept.lines().find_map(|line| line.trim_start().split_once(' ').filter(|line| line.1 == name));
        let Some(before) = line.and_then(|(count, _)| count.parse::<f64>().ok()) else {
            let _ = writeln!(table, "{count:>10}      new {name}");
            grown = true;
            continue;
        };
        let change = count / before - 1.0;
        let _ = writeln!(table, "{count:>10} {:>+7.2}% {name}", 100.0 * change);
        grown |= change > TOLERANCE;
        shrunk |= change < -TOLERANCE;
    }
    let bound = 100.0 * TOLERANCE;
    print!("instructions per unit of work, and the change since {KEPT}:\n{table}");
    let again = "`UPDATE_EXPECT=1 cargo bench -- --ratchet` keeps today's counts";
    match (grown, shrunk) {
        (true, _) => {
            println!(
                "A loop has grown by more than {bound}% or has no kept count. {again}; say why in the commit."
            );
            return ExitCode::FAILURE;
        }
        (false, true) => println!("A loop has shrunk by more than {bound}%. {again}."),
        (false, false) => println!("No loop has grown by more than {bound}%."),
    }
    ExitCode::SUCCESS
}
