//! `upheaval run FILE`: plays an experiment, writes a run folder and prints a short table.

mod again;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use upheaval::analysis::Closing;
use upheaval::bot::Incident;
use upheaval::ids::PowerNames;
use upheaval::sim::output::manifest::Manifest;
use upheaval::sim::shard::ChunkList;
use upheaval::sim::{BotOrigin, Experiment, Overrides, RunLocation, RunReport, Shard, StoredRun};

use crate::common::{Common, try_bots};
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::format::{FormatArgument, of_run, print_json, record_note};
use crate::progress::Progress;
use crate::terminal::print;
use crate::{blame, plan, registry};

/// Play an experiment: many seeded games in parallel, recorded as Parquet files. An interrupted run is resumed. Given
/// the folder of a run, play that run again from its contents alone and compare: exit code 1 if it differs. With --out
/// it is written there and compared file by file; without --out it is compared row by row, and nothing is written.
#[derive(Args)]
pub(crate) struct RunArguments {
    /// The experiment file (TOML); or the folder of a run, or its `manifest.json`, to play that run again.
    file: PathBuf,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    format: FormatArgument,
    /// Games of each arm, in place of the file's.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
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
    /// Start this program, which the run that is played again names as one of its bots; the whole command line, as the
    /// refusal prints it. May be given several times. Without it, nothing that a run names is started.
    #[arg(long, value_name = "COMMAND")]
    allow_program: Vec<String>,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Runs the command.
pub(crate) fn command(arguments: &RunArguments) -> Result<ExitCode, Failure> {
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

/// Plays an experiment file.
fn play(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        games: arguments.games,
        shard: arguments.shard.clone().or_else(|| Some(Shard::Chunks { chunks: arguments.chunks.clone()? })),
        ..arguments.common.overrides(arguments.threads)
    };
    let experiment = Experiment::read(&arguments.file, &overrides, &registry())?;
    if arguments.print_resolved {
        return print(&experiment.canonical().text, io::stdout().lock());
    }
    let start = arguments.common.start();
    if arguments.dry_run {
        let forecast = experiment.forecast(start)?;
        return match arguments.format.is_json() {
            true => print_json(plan::object(&experiment, &forecast)),
            false => print(&plan::text(&experiment, &forecast), io::stdout().lock()),
        };
    }
    let json = arguments.format.is_json();
    let job = Job {
        command: "run",
        file: &arguments.file,
        amount: ("--games", arguments.games),
        common: &arguments.common,
        extend: &[],
        telling: if json { Telling::Here } else { Telling::There },
    };
    if let Some(played) = arguments.elsewhere.play(&job) {
        played?;
        return if json { print_stored(&RunLocation::of(&experiment).path) } else { Ok(()) };
    }
    try_bots(&experiment)?;
    let run = experiment.begin(start)?;
    let progress = Progress::start(run.games(), run.games_kept());
    let mut tables = Closing::default();
    let played = run.finish_into(&mut tables, &progress);
    progress.end();
    let (report, names) = (played?, &experiment.power_names);
    if json {
        return print_object(&report.path, &report.manifest, &tables, names, experiment.incidents());
    }
    let programs = experiment.bots.iter().any(|bot| bot.origin != BotOrigin::Shipped);
    let faults = if programs || tables.faults.any() {
        blame::text(&tables.faults, experiment.incidents())
    } else {
        String::new()
    };
    print(&closing(&tables, names, &faults, &report), io::stdout().lock())
}

/// Prints the object of a run that was played elsewhere.
fn print_stored(folder: &Path) -> Result<(), Failure> {
    let stored = StoredRun::open(folder)?;
    print_object(
        folder,
        &stored.manifest,
        &Closing::of(&stored)?,
        stored.experiment.power_names(),
        BTreeMap::new(),
    )
}

/// Prints the result of a run as an object.
fn print_object(
    folder: &Path,
    manifest: &Manifest,
    tables: &Closing,
    powers: &PowerNames,
    incidents: BTreeMap<&str, Vec<Incident>>,
) -> Result<(), Failure> {
    let mut object = of_run(folder, manifest);
    object["arms"] = tables.summary.to_json(powers);
    object["faults"] = blame::object(&tables.faults, incidents);
    print_json(object)
}

/// The output at the end.
fn closing(tables: &Closing, powers: &PowerNames, faults: &str, report: &RunReport) -> String {
    let mut text = format!("{}{}", tables.faults.heading(), tables.summary.render(powers));
    if report.manifest.games == 0 {
        text.push_str("no games: there are more shards than parts\n");
    }
    if !faults.is_empty() {
        let _ = write!(text, "\n{faults}");
    }
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let rows: u64 = report.manifest.files.iter().filter_map(|file| file.rows).sum();
    let _ = write!(text, "\n{}", record_note(&report.manifest));
    let _ = writeln!(text, "files: {} ({rows} rows, {:.1} MB)", report.path.display(), bytes as f64 / 1e6);
    text
}
