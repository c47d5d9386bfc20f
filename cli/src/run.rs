//! `upheaval run`: plays an experiment, writes a run folder and prints a short table; or plays a run again from the
//! contents of its folder, and compares the two.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use upheaval::analysis::Closing;
use upheaval::bot::Incident;
use upheaval::game_record::RunReplayer;
use upheaval::ids::PowerNames;
use upheaval::sim::output::manifest::{MANIFEST, Manifest};
use upheaval::sim::output::whole::folder_of;
use upheaval::sim::shard::ChunkList;
use upheaval::sim::verify::run_otherwise;
use upheaval::sim::{BotOrigin, Experiment, Overrides, RunLocation, RunReport, Shard, StoredRun};

use crate::common::{Common, ProgramsArgument};
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::output::{
    FormatArgument, code, faults_json, faults_text, files_line, lines, of_run, print, print_json, real_place,
    record_note, refuse_within,
};
use crate::plan;
use crate::progress::Progress;
use crate::registry::registry;
use crate::replay::{notes, refuse_unrepeatable};

/// Play an experiment, or a run again to compare it
///
/// Many seeded games are played in parallel and recorded as Parquet files. An interrupted run is resumed.
///
/// Given a run folder, the run is played again from the contents of the folder and compared: file by file with --out,
/// row by row without it. Exit code 1 if they differ.
#[derive(Args)]
pub(crate) struct RunArguments {
    /// Experiment file (TOML), or a run folder to play again
    file: PathBuf,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    format: FormatArgument,
    /// Number of games per arm [overrides `games`]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Play shard I of N, to be joined with `upheaval join`
    #[arg(long, value_name = "I/N", conflicts_with = "on")]
    shard: Option<Shard>,
    /// Play these chunks, as listed by `upheaval join --partial`: `17,40-60`
    #[arg(long, value_name = "LIST", conflicts_with_all = ["on", "shard"])]
    chunks: Option<ChunkList>,
    /// Print the plan and its estimated cost; play nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the experiment with all its defaults filled in; play nothing
    #[arg(long, conflicts_with = "dry_run")]
    print_resolved: bool,
    #[command(flatten)]
    programs: ProgramsArgument,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Runs the command.
pub(crate) fn command(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    if let Some(folder) = run_folder(&arguments.file) {
        return play_again(arguments, &folder);
    }
    if arguments.programs.is_given() {
        return Err(Failure::input(
            "`--allow-program` needs a run folder: the programs of an experiment file are started without it",
        ));
    }
    play(arguments).map(|()| ExitCode::SUCCESS)
}

/// Plays an experiment file.
fn play(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        games: arguments.games,
        shard: arguments.shard.clone().or_else(|| Some(Shard::Chunks { chunks: arguments.chunks.clone()? })),
        ..arguments.common.overrides()
    };
    let experiment = Experiment::read(&arguments.file, &overrides, &registry())?;
    if arguments.print_resolved {
        return print(&experiment.resolved.canonical().text);
    }
    let start = arguments.common.start();
    if arguments.dry_run {
        let forecast = experiment.forecast(start)?;
        return match arguments.format.is_json() {
            true => print_json(plan::object(&experiment, &forecast)),
            false => print(&plan::text(&experiment, &forecast)),
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
    if arguments.elsewhere.play(&job)? {
        return if json { print_stored(&RunLocation::of(&experiment).path) } else { Ok(()) };
    }
    experiment.try_bots()?;
    let run = experiment.begin(start)?;
    let progress = Progress::start(run.games(), run.games_kept());
    let mut tables = Closing::default();
    let played = run.finish_into(&mut tables, &progress);
    progress.end();
    let (report, names) = (played?, experiment.resolved.power_names());
    if json {
        return print_object(&report.path, &report.manifest, &tables, names, experiment.incidents());
    }
    let programs = experiment.bots.iter().any(|bot| bot.origin != BotOrigin::Shipped);
    let faults = if programs || tables.faults.any() {
        faults_text(&tables.faults, experiment.incidents())
    } else {
        String::new()
    };
    print(&closing(&tables, names, &faults, &report))
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
    object["faults"] = faults_json(&tables.faults, incidents);
    print_json(object)
}

/// The output at the end.
fn closing(tables: &Closing, powers: &PowerNames, faults: &str, report: &RunReport) -> String {
    let mut text = tables.faults.heading() + &tables.summary.render(powers);
    if report.manifest.games == 0 {
        text.push_str("no games: the run has more shards than chunks\n");
    }
    if !faults.is_empty() {
        text += &format!("\n{faults}");
    }
    let RunReport { path, manifest, .. } = report;
    text + "\n" + &record_note(manifest) + &files_line(path, manifest)
}

/// The folder of the run at a path: the folder itself, or the one of its manifest.
fn run_folder(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.to_owned());
    }
    let manifest = path.file_name().is_some_and(|name| name == MANIFEST) && path.is_file();
    manifest.then(|| folder_of(path).to_owned())
}

/// Plays the run of a folder again.
fn play_again(arguments: &RunArguments, folder: &Path) -> Result<ExitCode, Failure> {
    refuse_changes(arguments)?;
    let again = RunReplayer::open(folder, &arguments.programs.programs(), &registry())?;
    refuse_unrepeatable(&again, folder)?;
    match &arguments.common.out {
        None => compare_rows(arguments, &again, folder),
        Some(out) => compare_files(arguments, &again, folder, out),
    }
}

/// A run is played again unchanged: refuses flags that would change it.
fn refuse_changes(arguments: &RunArguments) -> Result<(), Failure> {
    let changes = [
        ("--seed", arguments.common.seed.is_some()),
        ("--games", arguments.games.is_some()),
        ("--set", !arguments.common.set.is_empty()),
        ("--recover", arguments.common.recover),
        ("--shard", arguments.shard.is_some()),
        ("--chunks", arguments.chunks.is_some()),
        ("--dry-run", arguments.dry_run),
        ("--print-resolved", arguments.print_resolved),
        ("--on", arguments.elsewhere.is_asked_for()),
    ];
    if let Some((flag, _)) = changes.iter().find(|(_, given)| *given) {
        return Err(Failure::input(format!(
            "`{flag}` needs an experiment file, but this is a run folder, which is played again unchanged"
        )));
    }
    let of_files = [("--threads", arguments.common.threads.is_some()), ("--afresh", arguments.common.afresh)];
    match of_files.iter().find(|(_, given)| *given && arguments.common.out.is_none()) {
        Some((flag, _)) => Err(Failure::input(format!(
            "`{flag}` needs `--out`: without it, rows are compared on all cores and nothing is written"
        ))),
        None => Ok(()),
    }
}

/// Plays every game again and compares every row.
fn compare_rows(arguments: &RunArguments, again: &RunReplayer, folder: &Path) -> Result<ExitCode, Failure> {
    let (played, departed) = again.verify(again.games())?;
    let code = code(departed.is_empty());
    if arguments.format.is_json() {
        return print_json(comparison(folder, played, None, &departed)).map(|()| code);
    }
    let name = folder.display();
    let said = match departed.len() {
        0 => format!("{name}: {played} games played again, all rows equal\n"),
        n => format!("{name}: {n} of {played} games played again differ\n"),
    };
    print(&(lines(&departed) + &said + &notes(again, departed.is_empty()))).map(|()| code)
}

/// The comparison of a run that was played again as an object.
fn comparison(folder: &Path, played: u64, written: Option<&Path>, differences: &[impl ToString]) -> Value {
    json!({
        "folder": folder.display().to_string(),
        "games": played,
        "written": written.map(|path| path.display().to_string()),
        "same": differences.is_empty(),
        "differences": differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// Plays the run into another folder and compares every file.
fn compare_files(
    arguments: &RunArguments,
    again: &RunReplayer,
    folder: &Path,
    out: &Path,
) -> Result<ExitCode, Failure> {
    let experiment = again.experiment(out.to_owned(), arguments.common.threads.unwrap_or(0), &registry())?;
    let site = RunLocation::of(&experiment);
    if real_place(&site.path) == real_place(folder) {
        return Err(Failure::input(format!(
            "`{}` is the run itself; choose another folder with --out",
            site.path.display()
        )));
    }
    refuse_within(&site.path, folder)?;
    let run = experiment.begin_at(site, arguments.common.start())?;
    let progress = Progress::start(run.games(), run.games_kept());
    let played = run.finish(&progress);
    progress.end();
    let report = played?;
    let faults = run_otherwise(&again.run().manifest, &report.manifest);
    let code = code(faults.is_empty());
    if arguments.format.is_json() {
        let object = comparison(folder, report.manifest.games, Some(&report.path), &faults);
        return print_json(object).map(|()| code);
    }
    let (name, place, games) = (folder.display(), report.path.display(), report.manifest.games);
    let said = match faults.len() {
        0 => {
            let files = report.manifest.files.len();
            format!("{name}: {games} games played again in {place}, all {files} files equal byte for byte\n")
        }
        1 => format!("{name}: played again in {place}; 1 file differs\n"),
        n => format!("{name}: played again in {place}; {n} files differ\n"),
    };
    print(&(lines(&faults) + &said)).map(|()| code)
}
