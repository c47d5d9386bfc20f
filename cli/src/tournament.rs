//! `upheaval tournament FILE`: plays a tournament and prints its standings; `upheaval standings FOLDER`: prints those of a
//! tournament, or of any run, that is on disk.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::online::Online;
use upheaval::analysis::{Score, Standings};
use upheaval::bot::Incident;
use upheaval::sim::tournament::{TournamentOverrides, read};
use upheaval::sim::{Experiment, Site, Start, StoredRun, Trust};

use crate::common::Common;
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::format::{FormatArgument, of_run, print_json};
use crate::live::Live;
use crate::terminal::print;
use crate::trust::TrustArgument;
use crate::{blame, registry};

/// Play a tournament: bots against each other over seats, catastrophes and variants. An interrupted
/// tournament is resumed; for a complete one the standings are printed.
#[derive(Args)]
pub struct TournamentArguments {
    /// The tournament file (TOML).
    file: PathBuf,
    /// How games are scored in the standings.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    format: FormatArgument,
    /// Blocks, in place of the file's.
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Threads, in place of the file's; 0 for one a core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Print the standings of a tournament or run that is on disk.
#[derive(Args)]
pub struct StandingsArguments {
    /// The run folder.
    folder: PathBuf,
    /// How games are scored.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    format: FormatArgument,
    #[command(flatten)]
    trust: TrustArgument,
}

/// The scoring system of a name.
fn score(name: &str) -> Result<Score, String> {
    let known = || Score::ALL.map(Score::name).join(", ");
    Score::named(name).ok_or_else(|| format!("there is no such score; take one of: {}", known()))
}

/// Plays what is not there yet, and prints the standings.
pub fn command(arguments: &TournamentArguments) -> Result<(), Failure> {
    let overrides =
        TournamentOverrides { blocks: arguments.blocks, run: arguments.common.overrides(arguments.threads) };
    let experiment = read(&arguments.file, &overrides, &registry())?;
    let start = arguments.common.start();
    let mut job = Job {
        command: "tournament",
        file: &arguments.file,
        amount: ("--blocks", arguments.blocks),
        common: &arguments.common,
        telling: Telling::Here,
    };
    if job.is_into_a_store() {
        job.telling = Telling::There;
    }
    job.refuse_json_of_a_store(arguments.format.is_json())?;
    let site = Site::of(&experiment);
    if job.is_into_a_store() || start == Start::Afresh || !site.is_played()? {
        match arguments.elsewhere.play(&job) {
            Some(played) => played?,
            None => play(&experiment, site.clone(), arguments.score, start)?,
        }
    }
    if job.is_into_a_store() {
        return Ok(());
    }
    let how = (arguments.score, &arguments.format);
    print_standings(&site.path, Trust::Nothing, how, experiment.incidents())
}

/// Prints the standings of a folder.
pub fn standings(arguments: &StandingsArguments) -> Result<(), Failure> {
    let how = (arguments.score, &arguments.format);
    print_standings(&arguments.folder, arguments.trust.of(), how, BTreeMap::new())
}

fn play(experiment: &Experiment, site: Site, score: Score, start: Start) -> Result<(), Failure> {
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

/// Prints the standings of a run folder, and a table of faults if there were any, with what was noticed about programs.
fn print_standings(
    path: &Path,
    trust: Trust,
    (score, format): (Score, &FormatArgument),
    incidents: BTreeMap<&str, Vec<Incident>>,
) -> Result<(), Failure> {
    let failure = |error| Failure::stored(error, "`upheaval tournament` or `upheaval run` printed");
    let stored = StoredRun::open_with(path, trust).and_then(StoredRun::whole).map_err(failure)?;
    let (standings, faults) = Standings::of(&stored, score).map_err(failure)?;
    if format.is_json() {
        let mut object = of_run(path, &stored.manifest);
        for (key, value) in standings.to_json().as_object().into_iter().flatten() {
            object[key] = value.clone();
        }
        object["faults"] = blame::object(&faults, incidents);
        return print_json(object);
    }
    let mut text = standings.render();
    if faults.any() {
        text = format!("{}\n{text}", blame::text(&faults, incidents));
    }
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\nfiles: {}", path.display());
    print(&text, io::stdout().lock())
}
