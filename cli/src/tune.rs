//! `upheaval tune FILE`: searches for the fairest settings of a rule.

use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::tune::arm::TunedArm;
use upheaval::analysis::tune::file::CheckedSearch;
use upheaval::analysis::tune::folder::{ANSWER, FolderError, TEXT, TuneSite};
use upheaval::analysis::tune::race::Round;
use upheaval::analysis::tune::{TuneSearch, text};
use upheaval::sim::RunError;

use crate::common::Common;
use crate::elsewhere::{Elsewhere, Job, Telling};
use crate::failure::Failure;
use crate::output::{FormatArgument, print, print_to};
use crate::progress::{Progress, is_silent};
use crate::registry::registry;

/// Search for the fairest settings of a variant
///
/// All settings play the same blocks. A setting that is worse than the leader is dropped; the settings that cannot be
/// distinguished from the best are measured on fresh blocks. An interrupted search is resumed; of a finished one, only
/// the answer is printed.
#[derive(Args)]
pub(crate) struct TuneArguments {
    /// Search file (TOML)
    file: PathBuf,
    #[command(flatten)]
    format: FormatArgument,
    /// Print the search space and the maximum cost; play nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

/// Plays what is missing, and prints the answer.
pub(crate) fn command(arguments: &TuneArguments) -> Result<(), Failure> {
    let overrides = arguments.common.overrides();
    let tuning = CheckedSearch::read(&arguments.file, &overrides, &registry())?;
    let site = TuneSite::of(&tuning);
    if arguments.dry_run {
        return print(&plan(&tuning, &site));
    }
    let job = Job {
        command: "tune",
        file: &arguments.file,
        amount: ("--budget", None),
        common: &arguments.common,
        extend: &[],
        telling: Telling::There,
    };
    let is_over = !arguments.common.afresh && site.is_over().map_err(failure)?;
    if !is_over && !arguments.elsewhere.play(&job)? {
        play(&tuning, &site, arguments)?;
    }
    let answer = match arguments.format.is_json() {
        true => site.read(ANSWER).map_err(failure)?,
        false => site.read(TEXT).map_err(failure)? + &format!("\nfiles: {}\n", site.path.display()),
    };
    print(&answer)
}

fn failure(error: FolderError) -> Failure {
    if error.is_refusal() { Failure::input(error) } else { Failure::machine(error) }
}

/// Plays the search, and reports its rounds on standard error unless `--quiet` is given.
fn play(tuning: &CheckedSearch, site: &TuneSite, arguments: &TuneArguments) -> Result<(), Failure> {
    tuning.experiment.try_bots()?;
    let progress = Progress::start(tuning.budget, 0);
    let mut number = 0;
    let tell = |search: &TuneSearch, round: &Round| {
        number += 1;
        if is_silent() {
            return;
        }
        // If the line cannot be printed, the search continues.
        let _ = progress.aside(|| print_to(&text::line(search, number, round), io::stderr().lock()));
    };
    let played = tuning.play(site, arguments.common.afresh, tell, &progress);
    progress.end();
    match played {
        Ok(_) => Ok(()),
        Err(RunError::Sink(error)) => Err(failure(error)),
        Err(other) => Err(Failure::of_run(other)),
    }
}

/// The search space, and the maximum cost.
fn plan(tuning: &CheckedSearch, site: &TuneSite) -> String {
    let rules = tuning.rules();
    let mut text = tuning.heading();
    for (at, arm) in TunedArm::all(tuning).iter().enumerate() {
        text += &format!("{:>4}  {}\n", at + 1, arm.label);
    }
    let first = rules.arms as u64 * rules.games * u64::from(rules.first);
    let each = rules.games * u64::from(tuning.check_blocks);
    text += &format!(
        "the first round: {first} games; rounds: at most {}; to measure a setting of the answer: {each} games\n\
         level of each test against the leader: {:.2e}, so all together err at most once in {:.0} searches\nfiles: {}\n",
        rules.rounds(),
        rules.level_of_worse(),
        1.0 / (1.0 - tuning.confidence),
        site.path.display(),
    );
    text
}
