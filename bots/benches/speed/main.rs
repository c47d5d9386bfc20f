//! The costs of operations, row by row of the table in `docs/performance.md`.
//!
//! ```sh
//! cargo bench                       # all of it: times first, then instructions
//! cargo bench -- adjudicate         # the benches with this in their names
//! cargo bench -- --instructions     # only instructions, counted by valgrind
//! cargo bench -- --ratchet          # fails if a loop takes more instructions than `instructions/kept.txt` has
//! UPDATE_EXPECT=1 cargo bench       # the same as the first, and the page's tables are written again
//! ```
//!
//! Criterion measures; at the end the rows of the table (`rows.txt`) are formed from its estimates.
#![allow(clippy::print_stdout, unreachable_pub)]

mod adjudication;
mod batch;
mod corpus;
mod encoding;
mod findings;
mod games;
mod ground;
mod instructions;
mod legal_orders;
mod map;
mod measured;
mod page;
mod phases;
mod picture;
mod runs;
mod seats;
mod table;

use std::env;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use criterion::Criterion;

use findings::Findings;
use measured::Estimates;
use table::{Run, Table};

/// All groups, in the order of the table.
const GROUPS: [fn(&mut Criterion, &mut Findings); 14] = [
    games::whole,
    games::of_bots,
    adjudication::bench,
    legal_orders::bench,
    games::phases,
    map::changes_of_the_map,
    map::seismic_seasons,
    map::measured,
    picture::bench,
    runs::threads,
    runs::logging,
    runs::logged_games,
    encoding::bench,
    batch::bench,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if instructions::counted(&arguments) {
        return ExitCode::SUCCESS;
    }
    if has(instructions::RATCHET) {
        return instructions::hold();
    }
    if has(instructions::FLAG) || measure(&arguments) {
        instructions::report();
    }
    ExitCode::SUCCESS
}

/// Runs the benches and prints the table. Was every row of it measured?
fn measure(arguments: &[String]) -> bool {
    let begun = SystemTime::now();
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .nresamples(10_000)
        .output_directory(&measured::folder())
        .configure_from_args();
    let mut findings = Findings::default();
    for group in GROUPS {
        group(&mut criterion, &mut findings);
    }
    criterion.final_summary();
    // `cargo test --benches` and `--test` run everything once and measure nothing.
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if !has("--bench") || has("--test") || has("--list") {
        return false;
    }
    let run = Run { estimates: &Estimates::written(begun), findings: &findings };
    let table = Table::new(&run);
    let notes = table::notes(&run);
    println!("\n{}\n{notes}", table.text);
    if table.missing.is_empty() {
        page::put("rows", &table.text);
        page::put("behind", &format!("{notes}\n{}", table::benches(&run)));
        return true;
    }
    println!("Not measured: {}.", table.missing.join("; "));
    false
}
