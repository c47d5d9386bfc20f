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
use upheaval::sim::tournament::{TournamentOverrides, read};
use upheaval::sim::{Experiment, Overrides, Site, Start, StoredRun, Trust};

use crate::elsewhere::{Elsewhere, Job};
use crate::failure::Failure;
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
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Blocks, in place of the file's.
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
    /// The folder for the run folder, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `blocks=7` or `log.orders=true`; the value is TOML, or a bare word.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Discard the leftovers of unfinished runs of this name, and start again.
    #[arg(long)]
    afresh: bool,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Print the standings of a tournament or run on disk.
#[derive(Args)]
pub struct StandingsArguments {
    /// The run folder.
    folder: PathBuf,
    /// How games are scored.
    #[arg(long, value_name = "NAME", default_value = "draw-size", value_parser = score)]
    score: Score,
    #[command(flatten)]
    trust: TrustArgument,
}

/// The scoring system with this name.
fn score(name: &str) -> Result<Score, String> {
    let known = || Score::ALL.map(Score::name).join(", ");
    Score::named(name).ok_or_else(|| format!("there is no such score; take one of: {}", known()))
}

/// Plays what is missing, and prints the standings.
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
    let experiment = read(&arguments.file, &overrides, &registry())?;
    let start = if arguments.afresh { Start::Afresh } else { Start::GoOn };
    let job = Job {
        command: "tournament",
        file: &arguments.file,
        seed: arguments.seed,
        amount: ("--blocks", arguments.blocks),
        out: arguments.out.as_deref(),
        set: &arguments.set,
        afresh: arguments.afresh,
    };
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
    print_standings(&site.path, Trust::Nothing, arguments.score, experiment.incidents())
}

/// Prints the standings of a folder.
pub fn standings(arguments: &StandingsArguments) -> Result<(), Failure> {
    print_standings(&arguments.folder, arguments.trust.of(), arguments.score, BTreeMap::new())
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

/// Prints the standings of a run folder, and a table of faults if there were any, with incidents of programs.
fn print_standings(
    path: &Path,
    trust: Trust,
    score: Score,
    incidents: BTreeMap<&str, Vec<Incident>>,
) -> Result<(), Failure> {
    let failure = |error| Failure::stored(error, "`upheaval tournament` or `upheaval run` printed");
    let stored = StoredRun::open_with(path, trust).and_then(StoredRun::whole).map_err(failure)?;
    let (standings, faults) = Standings::of(&stored, score).map_err(failure)?;
    let mut text = standings.render();
    if faults.any() {
        text = format!("{}\n{text}", blame::text(&faults, incidents));
    }
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\nfiles: {}", path.display());
    print(&text, io::stdout().lock())
}
