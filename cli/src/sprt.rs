//! `upheaval sprt FILE`: plays a match of two bots until it is decided.

use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::duel::{Duel, DuelReport};
use upheaval::analysis::sprt::{LEAST_BLOCKS, Test, Verdict};
use upheaval::sim::Overrides;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::print;
use crate::{blame, registry};

/// Play a match of two bots that stops when it is decided (sequential probability ratio test).
#[derive(Args)]
pub struct SprtArguments {
    /// The match file (TOML).
    file: PathBuf,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads, in place of the file's; 0 for one a core. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Plays the match and prints how it goes and how it ends.
pub fn command(arguments: &SprtArguments) -> Result<(), Failure> {
    let overrides = Overrides { seed: arguments.seed, threads: arguments.threads, ..Overrides::default() };
    let duel = Duel::read(&arguments.file, &overrides, &registry())?;
    print(&opening(&duel), io::stdout().lock())?;
    let progress = Progress::start(duel.schedule().total(), 0);
    let mut printed = Ok(());
    let tell = |test: &Test| {
        if printed.is_ok() {
            printed = progress.aside(|| print(&line(&duel, test), io::stdout().lock()));
        }
    };
    let played = duel.play(tell, &progress);
    progress.end();
    printed?;
    let DuelReport { verdict, test, faults } = played.map_err(Failure::machine)?;
    let mut text = closing(&duel, &test, verdict);
    if faults.any() {
        text = format!("{}\n{text}", blame::text(&faults, duel.experiment.incidents()));
    }
    print(&text, io::stdout().lock())
}

/// What is asked, and when it is answered.
fn opening(duel: &Duel) -> String {
    let [first, second] = names(duel);
    let question = &duel.question;
    let (low, high) = question.bounds();
    format!(
        "{first} and {second} on {}, {}: by how much does a seat of {first} score more, in {}?\n\
         H0: by {}; H1: by {}\n\
         stops with H1 at a log-likelihood ratio of {high:.2}, with H0 at {low:.2}, after {LEAST_BLOCKS} blocks at least and \
         {} at most\n\
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

/// How it goes.
fn line(duel: &Duel, test: &Test) -> String {
    let decimals = duel.score.decimals() + 1;
    format!(
        "block {:>5}: difference {:>+9.decimals$}, ratio {:>+7.2}\n",
        test.blocks(),
        test.mean(),
        test.llr()
    )
}

/// How it ended.
fn closing(duel: &Duel, test: &Test, verdict: Option<Verdict>) -> String {
    let [first, second] = names(duel);
    let question = &duel.question;
    let games = test.blocks() * duel.experiment.seating.block();
    let said = match verdict {
        Some(Verdict::Effect) => format!(
            "H1: {first} scores more than {second} by {} rather than {}",
            question.effect, question.baseline
        ),
        Some(Verdict::Baseline) => format!(
            "H0: {first} scores more than {second} by {} rather than {}",
            question.baseline, question.effect
        ),
        None => "undecided: more blocks (`max_blocks`) may decide it".to_owned(),
    };
    format!("{said}\n{} blocks, {games} games\n", test.blocks())
}
