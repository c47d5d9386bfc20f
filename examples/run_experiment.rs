//! Runs an experiment file, resumes it if it was interrupted, and reads the tables of its folder.
//!
//! ```text
//! cargo run --example run_experiment -- experiments/quickstart.toml results
//! ```
//! Without arguments it plays a small experiment of its own into a folder for temporary files.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use upheaval::analysis::balance::BalanceOptions;
use upheaval::analysis::{Balance, Score, Standings};
use upheaval::diagnostic::Source;
use upheaval::sim::{Experiment, Overrides, Registry, StoredRun};
use upheaval_bots::KINDS;
use upheaval_bots::external::PROGRAMS;

/// Two line-ups on two variants, each rotated through all seats.
const SMALL: &str = r#"
name = "example"
variants = ["standard", "black-hole"]
games = 28
seed = 1
last_year = 1905
[seats]
lineups = [
    ["greedy", "random", "random", "random", "random", "random", "random"],
    ["random", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy"],
]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1).map(PathBuf::from);
    let file = arguments.next();
    let out = arguments.next().unwrap_or_else(|| env::temp_dir().join("upheaval-example"));

    // Everything that files can name: the variants that ship and variant files, these bots, and programs.
    let registry = Registry::new(KINDS).with_programs(PROGRAMS);
    let overrides = Overrides { out: Some(out), ..Overrides::default() };
    let experiment = match &file {
        Some(file) => Experiment::read(file, &overrides, &registry)?,
        None => Experiment::check(&Source::new("small.toml", SMALL), Path::new(""), &overrides, &registry)?,
    };
    // Games that an interrupted run has finished are kept. This run has no observer: `()`.
    let report = experiment.run(&())?;
    println!("{} games in {}", report.manifest.games, report.path.display());

    let run = StoredRun::open_whole(&report.path)?;
    let (standings, _) = Standings::of(&run, Score::DrawSize)?;
    println!("\n{}", standings.render());
    let balance = Balance::of(&report.path, &BalanceOptions::default())?;
    for cell in &balance.cells {
        let solos = cell.ends.solo.map_or(0.0, |solos| solos.estimate);
        println!("{}, line-up {}: {:.1} % of games end in a solo", cell.arm, cell.line_up, 100.0 * solos);
    }
    Ok(())
}
