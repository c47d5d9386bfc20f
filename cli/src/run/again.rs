//! `upheaval run RUN_FOLDER`: a run played again from the contents of its folder alone, and compared with it.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use upheaval::game_record::{Programs, RunReplayer};
use upheaval::sim::output::location::RunLocation;
use upheaval::sim::output::manifest::MANIFEST;
use upheaval::sim::verify::run_otherwise;

use super::{RunArguments, registry};
use crate::failure::Failure;
use crate::file::{real_place, refuse_within};
use crate::format::print_json;
use crate::progress::Progress;
use crate::replay::{notes, refuse_unrepeatable};
use crate::terminal::print;

/// The folder of the run at a path: the folder itself, or the one of its manifest.
pub(super) fn folder(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.to_owned());
    }
    let manifest = path.file_name().is_some_and(|name| name == MANIFEST) && path.is_file();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    manifest.then(|| folder.to_owned())
}

/// Plays the run of a folder again.
pub(super) fn command(arguments: &RunArguments, folder: &Path) -> Result<ExitCode, Failure> {
    refuse_changes(arguments)?;
    let programs = match arguments.allow_program.is_empty() {
        true => Programs::Refused,
        false => Programs::Allowed(arguments.allow_program.clone()),
    };
    let again = RunReplayer::open(folder, &programs, &registry())?;
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
            "{flag} is for an experiment file: the run of a folder is played again as it was played"
        )));
    }
    let of_files = [("--threads", arguments.threads.is_some()), ("--afresh", arguments.common.afresh)];
    match of_files.iter().find(|(_, given)| *given && arguments.common.out.is_none()) {
        Some((flag, _)) => Err(Failure::input(format!(
            "{flag} needs --out: without it, rows are compared on all cores and nothing is written"
        ))),
        None => Ok(()),
    }
}

/// Plays every game again and compares every row.
fn compare_rows(arguments: &RunArguments, again: &RunReplayer, folder: &Path) -> Result<ExitCode, Failure> {
    let (played, departed) = again.verify(again.games())?;
    let code = if departed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if arguments.format.is_json() {
        let differences: Vec<String> = departed.iter().map(ToString::to_string).collect();
        return print_json(object(folder, played, None, &differences)).map(|()| code);
    }
    let mut text = String::new();
    for departed in &departed {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{departed}");
    }
    let name = folder.display();
    let _ = match departed.len() {
        0 => writeln!(text, "{name}: {played} games played again, all rows equal"),
        n => writeln!(text, "{name}: {n} of {played} games played again differ"),
    };
    text += &notes(again, departed.is_empty());
    print(&text, io::stdout().lock()).map(|()| code)
}

/// The comparison of a run that was played again as an object.
fn object(folder: &Path, played: u64, written: Option<&Path>, differences: &[String]) -> Value {
    json!({
        "folder": folder.display().to_string(),
        "games": played,
        "written": written.map(|path| path.display().to_string()),
        "same": differences.is_empty(),
        "differences": differences,
    })
}

/// Plays the run into another folder and compares every file.
fn compare_files(
    arguments: &RunArguments,
    again: &RunReplayer,
    folder: &Path,
    out: &Path,
) -> Result<ExitCode, Failure> {
    let experiment = again.experiment(out.to_owned(), arguments.threads.unwrap_or(0), &registry())?;
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
    let code = if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if arguments.format.is_json() {
        let differences: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let object = object(folder, report.manifest.games, Some(&report.path), &differences);
        return print_json(object).map(|()| code);
    }
    let mut text = String::new();
    for fault in &faults {
        let _ = writeln!(text, "{fault}");
    }
    let (name, place, games) = (folder.display(), report.path.display(), report.manifest.games);
    let _ = match faults.len() {
        0 => writeln!(
            text,
            "{name}: {games} games played again in {place}, all {} files equal byte for byte",
            report.manifest.files.len()
        ),
        1 => writeln!(text, "{name}: played again in {place}; 1 file differs"),
        n => writeln!(text, "{name}: played again in {place}; {n} files differ"),
    };
    print(&text, io::stdout().lock()).map(|()| code)
}
