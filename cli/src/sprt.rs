//! `upheaval sprt FILE`: plays a match of two bots until it is decided.

use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::duel::{self, Duel};
use upheaval::analysis::sprt::{LEAST_BLOCKS, Test};
use upheaval::sim::tournament::TournamentOverrides;
use upheaval::sim::{Overrides, Site, Start, StoredRun};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::print;
use crate::{blame, registry};

/// Play a match of two bots that stops when it is decided (sequential probability ratio test). An interrupted
/// match is resumed; for a complete one the answer is printed.
#[derive(Args)]
pub struct SprtArguments {
    /// The match file (TOML).
    file: PathBuf,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most blocks, in place of the file's `max_blocks`.
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder for the run folder, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `effect=0.05` or `parameters.holes.per_season=2`; the value is TOML, or a bare
    /// word.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Discard the leftovers of unfinished runs of this name, and start again.
    #[arg(long)]
    afresh: bool,
}

/// Plays the match and prints its progress and its result.
pub fn command(arguments: &SprtArguments) -> Result<(), Failure> {
    let overrides = TournamentOverrides {
        blocks: arguments.blocks,
        run: Overrides {
            seed: arguments.seed,
            threads: arguments.threads,
            out: arguments.out.clone(),
            set: arguments.set.clone(),
            ..Overrides::default()
        },
    };
    let duel = Duel::read(&arguments.file, &overrides, &registry())?;
    let start = if arguments.afresh { Start::Afresh } else { Start::GoOn };
    let site = Site::of(&duel.experiment);
    // The place is checked before anything is printed.
    let played = site.is_played()? && start == Start::GoOn;
    print(&opening(&duel), io::stdout().lock())?;
    let report = if played { read(&duel, &site)? } else { play(&duel, start)? };
    let mut text = duel.answer(&report).render(report.test.blocks() * duel.experiment.seating.block());
    if report.faults.any() {
        text = format!("{}\n{text}", blame::text(&report.faults, duel.experiment.incidents()));
    }
    text += &format!("files: {}\n", site.path.display());
    print(&text, io::stdout().lock())
}

fn play(duel: &Duel, start: Start) -> Result<duel::DuelReport, Failure> {
    let progress = Progress::start(duel.schedule().total(), 0);
    let mut printed = Ok(());
    let tell = |test: &Test| {
        if printed.is_ok() {
            printed = progress.aside(|| print(&line(duel, test), io::stdout().lock()));
        }
    };
    let played = duel.play_into_folder(start, tell, &progress);
    progress.end();
    printed?;
    Ok(played?.0)
}

/// The match that is already on disk.
fn read(duel: &Duel, site: &Site) -> Result<duel::DuelReport, Failure> {
    let failure = |error| Failure::stored(error, "`upheaval sprt` printed");
    let stored = StoredRun::open_whole(&site.path).map_err(failure)?;
    let mut lines = String::new();
    let tell = |test: &Test| lines += &line(duel, test);
    let found = duel::of_stored(&stored, tell).map_err(failure)?;
    print(&lines, io::stdout().lock())?;
    let path = site.path.display();
    found
        .map(|(report, _)| report)
        .ok_or_else(|| Failure::input(format!("`{path}` is not the run of a match")))
}

/// The hypotheses, and the bounds of the test.
fn opening(duel: &Duel) -> String {
    let [first, second] = names(duel);
    let question = &duel.question;
    let (low, high) = question.bounds();
    format!(
        "{first} and {second} on {}, {}: by how much does a seat of {first} score more, in {}?\n\
         H0: by {}; H1: by {}\n\
         stops with H1 at a log-likelihood ratio of {high:.2}, with H0 at {low:.2}, after at least {LEAST_BLOCKS} blocks and \
         at most {}\n\
         error rates: H1 where H0 holds {:.1} %, H0 where H1 holds {:.1} %\n",
        duel.experiment.variants[0].id(),
        duel.design.name(),
        duel.score.name(),
        question.baseline,
        question.effect,
        duel.most_blocks(),
        100.0 * question.alpha,
        100.0 * question.beta,
    )
}

fn names(duel: &Duel) -> [&str; 2] {
    [&duel.experiment.bots[0].name, &duel.experiment.bots[1].name]
}

/// The progress.
fn line(duel: &Duel, test: &Test) -> String {
    let decimals = duel.score.decimals() + 1;
    format!(
        "block {:>5}: difference {:>+9.decimals$}, ratio {:>+7.2}\n",
        test.blocks(),
        test.mean(),
        test.llr()
    )
}
