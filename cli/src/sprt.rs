//! `upheaval sprt FILE`: plays a match of two bots until it is decided.

use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::duel::{self, Duel, DuelReport};
use upheaval::analysis::sprt::{LEAST_BLOCKS, SprtVerdict, Test};
use upheaval::sim::tournament::TournamentOverrides;
use upheaval::sim::{RunLocation, Start, StoredRun};

use crate::common::Common;
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
}

/// Plays the match and prints its progress and its result.
pub(crate) fn command(arguments: &SprtArguments) -> Result<(), Failure> {
    let overrides = TournamentOverrides { blocks: arguments.blocks, run: arguments.common.overrides() };
    let duel = Duel::read(&arguments.file, &overrides, &registry())?;
    let start = arguments.common.start();
    let site = RunLocation::of(&duel.experiment);
    // The place is checked before anything is printed.
    let played = site.is_played()? && start == Start::GoOn;
    if !played {
        duel.experiment.try_bots()?;
    }
    let json = arguments.format.is_json();
    if !json {
        print(&opening(&duel))?;
    }
    let progress =
        if played { Progress::Silent } else { Progress::start(duel.experiment.schedule().total(), 0) };
    let mut printed = Ok(());
    let tell = |test: &Test| {
        // Only as text, the progress of the test is printed.
        if !json && printed.is_ok() {
            printed = progress.aside(|| print(&line(&duel, test)));
        }
    };
    let report = match played {
        true => read(&site, tell),
        false => duel
            .play_into_folder(&duel.experiment.player(), start, tell, &progress)
            .map(|(report, _)| report)
            .map_err(Failure::from),
    };
    progress.end();
    printed?;
    let (report, stored) = (report?, StoredRun::open_whole(&site.path)?);
    if json {
        return print_object(&duel, &report, &stored);
    }
    let games = report.test.blocks() * duel.experiment.resolved.seating().block();
    let mut text = duel.answer(&report).render(games);
    if report.faults.any() {
        text = format!("{}\n{text}", faults_text(&report.faults, duel.experiment.incidents()));
    }
    text += &record_note(&stored.manifest);
    text += &format!("files: {}\n", site.path.display());
    print(&text)
}

/// Prints the answer as an object.
fn print_object(duel: &Duel, report: &DuelReport, stored: &StoredRun) -> Result<(), Failure> {
    let mut object = of_run(&stored.path, &stored.manifest);
    let answer = serde_json::to_value(duel.answer(report)).map_err(Failure::machine)?;
    for (key, value) in answer.as_object().into_iter().flatten() {
        object[key] = value.clone();
    }
    object["variant"] = duel.experiment.variants[0].id.clone().into();
    object["faults"] = faults_json(&report.faults, duel.experiment.incidents());
    print_json(object)
}

/// The match that is already on disk.
fn read(site: &RunLocation, tell: impl FnMut(&Test)) -> Result<DuelReport, Failure> {
    let found = duel::of_stored(&StoredRun::open_whole(&site.path)?, tell)?;
    let (report, _) = found
        .ok_or_else(|| Failure::input(format!("`{}` is not the run of a match", site.path.display())))?;
    Ok(report)
}

/// The hypotheses, and the bounds of the test.
fn opening(duel: &Duel) -> String {
    let [first, second] = [0, 1].map(|bot| &duel.experiment.resolved.bots[bot].name);
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
