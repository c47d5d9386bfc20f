//! `upheaval tournament FILE`: plays a tournament and prints its standings; `upheaval standings FOLDER`: prints those of a
//! tournament, or of any run, that is on disk.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::Score;
use upheaval::analysis::online::Online;
use upheaval::analysis::stored::{StoredError, StoredRun};
use upheaval::sim::output::look;
use upheaval::sim::output::place::Place;
use upheaval::sim::output::unfinished::Start;
use upheaval::sim::tournament::{TournamentOverrides, read};
use upheaval::sim::{Experiment, Overrides, RunFolder, Schedule, output, run};

use crate::engine;
use crate::failure::{Failure, print};
use crate::live::Live;
use crate::run::{blame, output as output_failure, stopped};

/// Play a tournament: bots against each other over seats, catastrophes and variants. What is there of it is not played
/// again: a killed one goes on, and of a whole one the standings are printed.
#[derive(Args)]
pub struct TournamentArguments {
    /// The tournament file (TOML).
    file: PathBuf,
    /// How games are scored in the standings.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Blocks, in place of the file's.
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Threads, in place of the file's; 0 for one a core. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder in which the run folder is made, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `blocks=7` or `log.orders=true`; the value is TOML, or a bare word.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Throw away what unfinished runs of this name have left, and begin anew.
    #[arg(long)]
    afresh: bool,
}

/// Print the standings of a tournament or run that is on disk.
#[derive(Args)]
pub struct StandingsArguments {
    /// The run folder.
    folder: PathBuf,
    /// How games are scored.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
}

/// The scoring system of a name.
fn score(name: &str) -> Result<Score, String> {
    let known = || Score::ALL.map(Score::name).join(", ");
    Score::named(name).ok_or_else(|| format!("there is no such score; take one of: {}", known()))
}

/// Plays what is not there yet, and prints the standings.
pub fn command(arguments: &TournamentArguments) -> Result<(), Failure> {
    let overrides = TournamentOverrides {
        blocks: arguments.blocks,
        run: Overrides {
            seed: arguments.seed,
            games: None,
            threads: arguments.threads,
            out: arguments.out.clone(),
            set: arguments.set.clone(),
            ..Overrides::default()
        },
    };
    let shelf = engine::Shelf::default();
    let experiment = read(&arguments.file, &overrides, &shelf).map_err(Failure::input)?;
    let path = output::path(&experiment);
    let start = if arguments.afresh { Start::Afresh } else { Start::GoOn };
    if look(&experiment).map_err(output_failure)? == Place::Free || start == Start::Afresh {
        play(&shelf, &experiment, arguments.score, start)?;
    }
    print_standings(&path, arguments.score, &shelf)
}

/// Prints the standings of a folder.
pub fn standings(arguments: &StandingsArguments) -> Result<(), Failure> {
    print_standings(&arguments.folder, arguments.score, &engine::Shelf::default())
}

fn play(shelf: &engine::Shelf, experiment: &Experiment, score: Score, start: Start) -> Result<(), Failure> {
    let player = shelf.player(experiment)?;
    let mut folder = RunFolder::start(experiment, start).map_err(output_failure)?;
    let schedule = Schedule::new(experiment);
    let mut online = Online::new(experiment.bots.iter().map(|bot| bot.name.clone()).collect(), score);
    for chunk in folder.stored() {
        chunk.map_err(output_failure)?.games.iter().for_each(|game| online.add(game));
    }
    let live = Live::start(schedule.total(), online);
    let played = run(&schedule, experiment.threads, player.as_ref(), &mut folder, &live);
    live.end();
    played.map_err(stopped)?;
    folder.finish().map(drop).map_err(output_failure)
}

/// Prints the standings of a run folder, and a table of faults if there were any; what was wrong with the programs of this
/// process the shelf knows.
fn print_standings(path: &Path, score: Score, shelf: &engine::Shelf) -> Result<(), Failure> {
    let failure = |error: StoredError| match error {
        StoredError::Read(error) => Failure::machine(error),
        other => Failure::input(other),
    };
    let stored = StoredRun::open(path).map_err(failure)?;
    let (standings, faults) = stored.standings(score).map_err(failure)?;
    let mut text = standings.render();
    if faults.any() {
        text = format!("{}\n{text}", blame(&faults, shelf));
    }
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\nfiles: {}", path.display());
    print(&text, io::stdout().lock())
}
