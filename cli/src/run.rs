//! `upheaval run FILE`: plays an experiment, writes a run folder and prints a short table.

mod again;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use upheaval::analysis::{Closing, Summary};
use upheaval::sim::shard::ChunkList;
use upheaval::sim::{BotOrigin, Experiment, Overrides, RunReport, Shard, Start};

use crate::elsewhere::{Elsewhere, Job};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::print;
use crate::{blame, plan, registry};

/// Play an experiment: many seeded games in parallel, recorded as Parquet files. An interrupted run is resumed. Given
/// the folder of a run, play that run again from its contents alone and compare: exit code 1 if it differs.
#[derive(Args)]
pub struct RunArguments {
    /// The experiment file (TOML); or the folder of a run, or its `manifest.json`, to play that run again.
    file: PathBuf,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games of each arm, in place of the file's.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
    /// The folder for the run folder, in place of the file's. A run that is played again is written there and compared
    /// file by file; without --out it is compared row by row, and nothing is written.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `seats.all=random` or `parameters.holes.per_season=2`; the value is TOML, or a bare
    /// word. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Play one of N shards of the run, to be joined with `upheaval join`.
    #[arg(long, value_name = "I/N", conflicts_with = "on")]
    shard: Option<Shard>,
    /// Play these chunks of the run, by their numbers, in the form in which `upheaval join --partial` lists missing
    /// ones: `17,18,40-60`.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["on", "shard"])]
    chunks: Option<ChunkList>,
    /// Print the plan: arms, line-ups, blocks, games, and their cost. Nothing is written.
    #[arg(long)]
    dry_run: bool,
    /// Print everything that determines the result, in the form of `experiment.resolved.json`, and play nothing.
    #[arg(long, conflicts_with = "dry_run")]
    print_resolved: bool,
    /// Discard the leftovers of unfinished runs of this name, and start again.
    #[arg(long)]
    afresh: bool,
    /// Start this program, which the run that is played again names as one of its bots; the whole command line, as the refusal
    /// prints it. May be given several times. Without it, nothing that a run names is started.
    #[arg(long, value_name = "COMMAND")]
    allow_program: Vec<String>,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Runs the command.
pub fn command(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    if let Some(folder) = again::folder(&arguments.file) {
        return again::command(arguments, &folder);
    }
    if !arguments.allow_program.is_empty() {
        return Err(Failure::input(
            "--allow-program is for the folder of a run: the programs of an experiment file are those of its author",
        ));
    }
    play(arguments).map(|()| ExitCode::SUCCESS)
}

/// The treatment of an interrupted run.
fn start(arguments: &RunArguments) -> Start {
    if arguments.afresh { Start::Afresh } else { Start::GoOn }
}

/// Plays an experiment file.
fn play(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        seed: arguments.seed,
        games: arguments.games,
        threads: arguments.threads,
        out: arguments.out.clone(),
        shard: arguments.shard.clone().or_else(|| Some(Shard::Chunks { chunks: arguments.chunks.clone()? })),
        set: arguments.set.clone(),
        ..Overrides::default()
    };
    let experiment = Experiment::read(&arguments.file, &overrides, &registry())?;
    if arguments.print_resolved {
        return print(&experiment.canonical().text, io::stdout().lock());
    }
    let start = start(arguments);
    if arguments.dry_run {
        return print(&plan::text(&experiment, &experiment.forecast(start)?), io::stdout().lock());
    }
    let job = Job {
        command: "run",
        file: &arguments.file,
        seed: arguments.seed,
        amount: ("--games", arguments.games),
        out: arguments.out.as_deref(),
        set: &arguments.set,
        afresh: arguments.afresh,
    };
    if let Some(played) = arguments.elsewhere.play(&job) {
        return played;
    }
    let run = experiment.begin(start)?;
    let progress = Progress::start(run.games(), run.games_kept());
    let mut tables = Closing::default();
    let played = run.finish_into(&mut tables, &progress);
    progress.end();
    let report = played?;
    let programs = experiment.bots.iter().any(|bot| bot.origin != BotOrigin::Shipped);
    let faults = if programs || tables.faults.any() {
        blame::text(&tables.faults, experiment.incidents())
    } else {
        String::new()
    };
    print(&closing(&tables.summary, &faults, &report), io::stdout().lock())
}

/// The output at the end.
fn closing(summary: &Summary, faults: &str, report: &RunReport) -> String {
    let mut text = summary.render();
    if report.manifest.games == 0 {
        text.push_str("no games: there are more shards than parts\n");
    }
    if !faults.is_empty() {
        let _ = write!(text, "\n{faults}");
    }
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let rows: u64 = report.manifest.files.iter().filter_map(|file| file.rows).sum();
    let _ = write!(text, "\nfiles: {} ({rows} rows, {:.1} MB)\n", report.path.display(), bytes as f64 / 1e6);
    text
}
