//! `upheaval tournament FILE`: plays a tournament and prints its standings; `upheaval standings FOLDER`: prints the
//! standings of a tournament, or of any run, on disk.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::online::Online;
use upheaval::analysis::{Score, Standings};
use upheaval::bot::Incident;
use upheaval::diagnostic::Source;
use upheaval::sim::tournament::{ExtensionError, TournamentOverrides, check_extension, read};
use upheaval::sim::{Experiment, RunLocation, Start, StoredRun, Trust};

use crate::common::{Common, try_bots};
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::format::{FormatArgument, of_run, print_json, record_note};
use crate::live::Live;
use crate::terminal::print;
use crate::trust::TrustArgument;
use crate::{blame, registry};

/// Play a tournament: bots against each other over seats, catastrophes and variants. An interrupted
/// tournament is resumed; for a complete one the standings are printed.
#[derive(Args)]
pub(crate) struct TournamentArguments {
    /// The tournament file (TOML).
    file: PathBuf,
    /// How games are scored in the standings.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    common: Common,
    /// Play only the line-ups that this run has not played: the file names its entrants and new ones. The standings are of
    /// both runs. May be given several times, where entrants were added more than once.
    #[arg(long, value_name = "RUN_FOLDER")]
    extend: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
    /// Blocks, in place of the file's.
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Print the standings of a tournament or run on disk. Several folders are one tournament to which entrants were
/// added with `upheaval tournament --extend`.
#[derive(Args)]
pub(crate) struct StandingsArguments {
    /// The run folder, and those by which it was extended.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// How games are scored.
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
    Score::named(name).ok_or_else(|| format!("there is no such score; take one of: {}", known()))
}

/// Plays what is missing, and prints the standings.
pub(crate) fn command(arguments: &TournamentArguments) -> Result<(), Failure> {
    let overrides =
        TournamentOverrides { blocks: arguments.blocks, run: arguments.common.overrides(arguments.threads) };
    let base = open_all(&arguments.extend, Trust::Nothing)?;
    let experiment = match base.is_empty() {
        true => read(&arguments.file, &overrides, &registry())?,
        false => extension_of(&base, &arguments.file, &overrides)?,
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
    if start == Start::Afresh || !site.is_played()? {
        match arguments.elsewhere.play(&job) {
            Some(played) => played?,
            None => play(&experiment, site.clone(), arguments.score, start)?,
        }
    }
    let how = (arguments.score, &arguments.format);
    let folders: Vec<PathBuf> = arguments.extend.iter().chain([&site.path]).cloned().collect();
    print_standings(&folders, Trust::Nothing, how, experiment.incidents())
}

/// Prints the standings of a folder.
pub(crate) fn standings(arguments: &StandingsArguments) -> Result<(), Failure> {
    let how = (arguments.score, &arguments.format);
    print_standings(&arguments.folders, arguments.trust.of(), how, BTreeMap::new())
}

fn play(experiment: &Experiment, site: RunLocation, score: Score, start: Start) -> Result<(), Failure> {
    try_bots(experiment)?;
    let run = experiment.begin_at(site, start)?;
    let mut online = Online::new(experiment.bots.iter().map(|bot| bot.name.clone()).collect(), score);
    for chunk in run.kept() {
        chunk?.games.iter().for_each(|game| online.add(game));
    }
    let live = Live::start(run.games(), online);
    let played = run.finish(&live);
    live.end();
    Ok(played.map(drop)?)
}

/// Opens the runs of a tournament.
fn open_all(folders: &[PathBuf], trust: Trust) -> Result<Vec<StoredRun>, Failure> {
    let failure = |error| Failure::stored(error, "`upheaval tournament` or `upheaval run` printed");
    let open = |folder: &PathBuf| StoredRun::open_with(folder, trust).and_then(StoredRun::whole);
    folders.iter().map(open).collect::<Result<_, _>>().map_err(failure)
}

/// The line-ups of a tournament file that these runs have not played.
fn extension_of(
    base: &[StoredRun],
    file: &Path,
    overrides: &TournamentOverrides,
) -> Result<Experiment, Failure> {
    let source = Source::read(file).map_err(Failure::input)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    check_extension(&source, folder, overrides, base, &registry()).map_err(|error| match error {
        ExtensionError::Experiment(error) => error.into(),
        ExtensionError::Runs(error) => Failure::input(format!("--extend: {error}")),
    })
}

/// Prints the standings of run folders, and a table of faults if there were any, with incidents of programs.
fn print_standings(
    folders: &[PathBuf],
    trust: Trust,
    (score, format): (Score, &FormatArgument),
    incidents: BTreeMap<&str, Vec<Incident>>,
) -> Result<(), Failure> {
    let failure = |error| Failure::stored(error, "`upheaval tournament` or `upheaval run` printed");
    let runs = open_all(folders, trust)?;
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    let (standings, faults) = Standings::of_all(first, others, score).map_err(failure)?;
    if format.is_json() {
        let mut object = of_run(&first.path, &first.manifest);
        object["extended_by"] = others.iter().map(|run| of_run(&run.path, &run.manifest)).collect();
        for (key, value) in standings.to_json().as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        object["faults"] = blame::object(&faults, incidents);
        return print_json(object);
    }
    let mut text = standings.render();
    if faults.any() {
        text = format!("{}{}\n{text}", faults.heading(), blame::text(&faults, incidents));
    }
    text.push('\n');
    for run in &runs {
        text.push_str(&record_note(&run.manifest));
        // Writing into a string cannot fail.
        let _ = writeln!(text, "files: {}", run.path.display());
    }
    print(&text, io::stdout().lock())
}
