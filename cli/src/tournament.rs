//! `upheaval tournament FILE`: plays a tournament and prints its standings; `upheaval standings FOLDER`: prints the
//! standings of a tournament, or of any run, on disk.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::online::Online;
use upheaval::analysis::{Score, Standings};
use upheaval::bot::Incident;
use upheaval::diagnostic::Source;
use upheaval::sim::tournament::{ExtensionError, TournamentOverrides, check, check_extension};
use upheaval::sim::{Experiment, RunLocation, Start, StoredRun, Trust};

use crate::common::{Common, TrustArgument};
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::output::{FormatArgument, faults_json, faults_text, of_run, print, print_json, record_note};
use crate::progress::Progress;
use crate::registry::registry;

/// Play a tournament of bots and print its standings
///
/// An interrupted tournament is resumed; of a complete one, only the standings are printed.
#[derive(Args)]
pub(crate) struct TournamentArguments {
    /// Tournament file (TOML)
    file: PathBuf,
    /// How games are scored
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    common: Common,
    /// Play only line-ups that this run has not played; repeatable
    #[arg(long, value_name = "RUN_FOLDER")]
    extend: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
    /// Number of blocks [overrides `blocks`]
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Print the standings of a tournament or run
///
/// Several folders are one tournament, extended with `upheaval tournament --extend`.
#[derive(Args)]
pub(crate) struct StandingsArguments {
    /// Run folder, followed by the runs that extend it
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// How games are scored
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    format: FormatArgument,
    #[command(flatten)]
    trust: TrustArgument,
}

/// The scoring system with this name.
fn score(name: &str) -> Result<Score, String> {
    let known = || Score::ALL.map(Score::name).join(", ");
    Score::named(name).ok_or_else(|| format!("expected one of: {}", known()))
}

/// Plays what is missing, and prints the standings.
pub(crate) fn command(arguments: &TournamentArguments) -> Result<(), Failure> {
    let overrides = TournamentOverrides { blocks: arguments.blocks, run: arguments.common.overrides() };
    let base = open_all(&arguments.extend, Trust::Nothing)?;
    let source = Source::read(&arguments.file).map_err(Failure::input)?;
    let folder = arguments.file.parent().unwrap_or(Path::new(""));
    let experiment = match base.is_empty() {
        true => check(&source, folder, &overrides, &registry())?,
        false => {
            check_extension(&source, folder, &overrides, &base, &registry()).map_err(extension_failure)?
        }
    };
    let start = arguments.common.start();
    let job = Job {
        command: "tournament",
        file: &arguments.file,
        amount: ("--blocks", arguments.blocks),
        common: &arguments.common,
        extend: &arguments.extend,
        telling: Telling::Here,
    };
    let site = RunLocation::of(&experiment);
    if (start == Start::Afresh || !site.is_played()?) && !arguments.elsewhere.play(&job)? {
        play(&experiment, site.clone(), arguments.score, start)?;
    }
    let how = (arguments.score, &arguments.format);
    let mut runs = base;
    runs.extend(open_all(&[site.path], Trust::Nothing)?);
    print_standings(&runs, how, experiment.incidents())
}

/// Prints the standings of a folder.
pub(crate) fn standings(arguments: &StandingsArguments) -> Result<(), Failure> {
    let how = (arguments.score, &arguments.format);
    print_standings(&open_all(&arguments.folders, arguments.trust.of())?, how, BTreeMap::new())
}

fn play(experiment: &Experiment, site: RunLocation, score: Score, start: Start) -> Result<(), Failure> {
    experiment.try_bots()?;
    let run = experiment.begin_at(site, start)?;
    let mut online =
        Online::new(experiment.resolved.bots.iter().map(|bot| bot.name.clone()).collect(), score);
    for chunk in run.kept() {
        chunk?.games.iter().for_each(|game| online.add(game));
    }
    let progress = Progress::of_tournament(run.games(), online);
    let played = run.finish(&progress);
    progress.end();
    Ok(played.map(drop)?)
}

/// Opens the runs of a tournament.
fn open_all(folders: &[PathBuf], trust: Trust) -> Result<Vec<StoredRun>, Failure> {
    let open = |folder: &PathBuf| StoredRun::open_with(folder, trust).and_then(StoredRun::whole);
    folders.iter().map(open).map(|run| Ok(run?)).collect()
}

/// Why a tournament cannot be extended.
fn extension_failure(error: ExtensionError) -> Failure {
    match error {
        ExtensionError::Experiment(error) => error.into(),
        ExtensionError::Runs(error) => Failure::input(format!("--extend: {error}")),
    }
}

/// Prints the standings of runs, and a table of faults if there were any, with incidents of programs.
fn print_standings(
    runs: &[StoredRun],
    (score, format): (Score, &FormatArgument),
    incidents: BTreeMap<&str, Vec<Incident>>,
) -> Result<(), Failure> {
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    let (standings, faults) = Standings::of_all(first, others, score)?;
    if format.is_json() {
        let mut object = of_run(&first.path, &first.manifest);
        object["extended_by"] = others.iter().map(|run| of_run(&run.path, &run.manifest)).collect();
        for (key, value) in standings.to_json().as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        object["faults"] = faults_json(&faults, incidents);
        return print_json(object);
    }
    let mut text = standings.render();
    if faults.any() {
        text = format!("{}{}\n{text}", faults.heading(), faults_text(&faults, incidents));
    }
    text.push('\n');
    for run in runs {
        text.push_str(&record_note(&run.manifest));
        // Writing into a string cannot fail.
        let _ = writeln!(text, "files: {}", run.path.display());
    }
    print(&text)
}
