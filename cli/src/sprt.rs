//! `upheaval sprt FILE`: plays a match of two bots until it is decided.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use upheaval::analysis::duel::{self, Duel, DuelReport};
use upheaval::analysis::sprt::{LEAST_BLOCKS, SprtVerdict, Test};
use upheaval::sim::tournament::TournamentOverrides;
use upheaval::sim::{RunLocation, Start, StoredRun};

use crate::common::{Common, try_bots};
use crate::failure::Failure;
use crate::output::{FormatArgument, faults_json, faults_text, of_run, print, print_json, record_note};
use crate::progress::Progress;
use crate::registry::registry;

/// Run a sequential (SPRT) match between two bots
///
/// The match stops as soon as it is decided. An interrupted match is resumed; of a complete one, only the answer is
/// printed.
#[derive(Args)]
pub(crate) struct SprtArguments {
    /// Match file (TOML)
    file: PathBuf,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    format: FormatArgument,
    /// Maximum number of blocks [overrides `max_blocks`]
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Number of threads; 0 means one per core [overrides `threads`]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Plays the match and prints its progress and its result.
pub(crate) fn command(arguments: &SprtArguments) -> Result<(), Failure> {
    let overrides =
        TournamentOverrides { blocks: arguments.blocks, run: arguments.common.overrides(arguments.threads) };
    let duel = Duel::read(&arguments.file, &overrides, &registry())?;
    let start = arguments.common.start();
    let site = RunLocation::of(&duel.experiment);
    // The place is checked before anything is printed.
    let played = site.is_played()? && start == Start::GoOn;
    if !played {
        try_bots(&duel.experiment)?;
    }
    let json = arguments.format.is_json();
    if !json {
        print(&opening(&duel), io::stdout().lock())?;
    }
    // Only as text, the progress of the test is printed.
    let tell = |test: &Test| if json { Ok(()) } else { print(&line(&duel, test), io::stdout().lock()) };
    let report = if played { read(&site, tell)? } else { play(&duel, start, tell)? };
    if json {
        return print_object(&duel, &report, &site.path);
    }
    let mut text =
        duel.answer(&report).render(report.test.blocks() * duel.experiment.resolved.seating().block());
    if report.faults.any() {
        text = format!("{}\n{text}", faults_text(&report.faults, duel.experiment.incidents()));
    }
    text += &record_note(&StoredRun::open_whole(&site.path)?.manifest);
    text += &format!("files: {}\n", site.path.display());
    print(&text, io::stdout().lock())
}

/// Prints the answer as an object.
fn print_object(duel: &Duel, report: &DuelReport, folder: &Path) -> Result<(), Failure> {
    let stored = StoredRun::open_whole(folder)?;
    let mut object = of_run(folder, &stored.manifest);
    let answer = serde_json::to_value(duel.answer(report)).map_err(Failure::machine)?;
    for (key, value) in answer.as_object().into_iter().flatten() {
        object[key] = value.clone();
    }
    object["variant"] = duel.experiment.variants[0].id.clone().into();
    object["faults"] = faults_json(&report.faults, duel.experiment.incidents());
    print_json(object)
}

fn play(
    duel: &Duel,
    start: Start,
    told: impl Fn(&Test) -> Result<(), Failure> + Sync,
) -> Result<DuelReport, Failure> {
    let progress = Progress::start(duel.schedule().total(), 0);
    let mut printed = Ok(());
    let tell = |test: &Test| {
        if printed.is_ok() {
            printed = progress.aside(|| told(test));
        }
    };
    let played = duel.play_into_folder(start, tell, &progress);
    progress.end();
    printed?;
    Ok(played?.0)
}

/// The match that is already on disk.
fn read(site: &RunLocation, told: impl Fn(&Test) -> Result<(), Failure>) -> Result<DuelReport, Failure> {
    let stored = StoredRun::open_whole(&site.path)?;
    let mut printed = Ok(());
    let tell = |test: &Test| {
        if printed.is_ok() {
            printed = told(test);
        }
    };
    let found = duel::of_stored(&stored, tell)?;
    printed?;
    let path = site.path.display();
    found
        .map(|(report, _)| report)
        .ok_or_else(|| Failure::input(format!("`{path}` is not the run of a match")))
}

/// The hypotheses, and the bounds of the test.
fn opening(duel: &Duel) -> String {
    let [first, second] = names(duel);
    let question = &duel.question;
    let [for_effect, for_baseline] = SprtVerdict::ALL.map(|verdict| question.needed(verdict));
    format!(
        "{first} and {second} on {}, {}: by how much does a seat of {first} score more, in {}?\n\
         H0: by {}; H1: by {}\n\
         stops at an evidence of {for_effect:.2} for H1 or {for_baseline:.2} for H0, after at least {LEAST_BLOCKS} blocks \
         and at most {}\n\
         error rates: H1 where H0 holds {:.1} %, H0 where H1 holds {:.1} %\n",
        duel.experiment.variants[0].id,
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
    [&duel.experiment.resolved.bots[0].name, &duel.experiment.resolved.bots[1].name]
}

/// The progress.
fn line(duel: &Duel, test: &Test) -> String {
    let decimals = duel.score.decimals() + 1;
    format!(
        "block {:>5}: difference {:>+9.decimals$}, evidence {:>+6.2} for H1, {:>+6.2} for H0\n",
        test.blocks(),
        test.mean(),
        test.evidence(SprtVerdict::Effect),
        test.evidence(SprtVerdict::Baseline)
    )
}
