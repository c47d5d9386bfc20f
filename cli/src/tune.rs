//! `upheaval tune FILE`: searches for the fairest settings of a rule.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use upheaval::analysis::tune::arm::Arm;
use upheaval::analysis::tune::file::Tuning;
use upheaval::analysis::tune::folder::{ANSWER, FolderError, TEXT, TuneSite};
use upheaval::analysis::tune::race::Round;
use upheaval::analysis::tune::{Search, text};
use upheaval::sim::{Overrides, RunError};

use crate::elsewhere::{Elsewhere, Job};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::registry;
use crate::terminal::print;

/// Search the parameters of variants for the fairest settings: all of them play the same blocks, those that are worse
/// are dropped, and those that cannot be distinguished from the best are measured on fresh blocks. An interrupted
/// search is resumed; for a finished one the answer is printed.
#[derive(Args)]
pub struct TuneArguments {
    /// The search file (TOML).
    file: PathBuf,
    /// The output: text, or everything as JSON.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print the search space and the maximum cost, and play nothing.
    #[arg(long)]
    dry_run: bool,
    /// The root seed of the search, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads, in place of the file's; 0 for one per core. The result does not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "on")]
    threads: Option<usize>,
    /// The folder for the folder of the answer, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `tune.budget=20000`; the value is TOML, or a bare word.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Discard everything of this search, and start again.
    #[arg(long)]
    afresh: bool,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Words and tables for a terminal.
    Text,
    /// One JSON object, as docs/tune.schema.json describes it.
    Json,
}

/// Plays what is missing, and prints the answer.
pub fn command(arguments: &TuneArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        seed: arguments.seed,
        threads: arguments.threads,
        out: arguments.out.clone(),
        set: arguments.set.clone(),
        ..Overrides::default()
    };
    let tuning = Tuning::read(&arguments.file, &overrides, &registry())?;
    tuning.check_race().map_err(|why| Failure::input(format!("{}: {why}", arguments.file.display())))?;
    let site = TuneSite::of(&tuning);
    if arguments.dry_run {
        return print(&plan(&tuning, &site), io::stdout().lock());
    }
    let job = Job {
        command: "tune",
        file: &arguments.file,
        seed: arguments.seed,
        amount: ("--budget", None),
        out: arguments.out.as_deref(),
        set: &arguments.set,
        afresh: arguments.afresh,
    };
    if job.is_into_a_store() {
        return Err(Failure::input("`--out` is a URL: the answer of a search is written to a folder"));
    }
    if arguments.afresh || !site.is_over().map_err(failure)? {
        match arguments.elsewhere.play(&job) {
            Some(played) => played?,
            None => play(&tuning, &site, arguments)?,
        }
    }
    let answer = match arguments.format {
        Format::Text => site.read(TEXT).map_err(failure)? + &format!("\nfiles: {}\n", site.path.display()),
        Format::Json => site.read(ANSWER).map_err(failure)?,
    };
    print(&answer, io::stdout().lock())
}

fn failure(error: FolderError) -> Failure {
    if error.is_refusal() { Failure::input(error) } else { Failure::machine(error) }
}

/// Plays the search, and reports its rounds on standard error.
fn play(tuning: &Tuning, site: &TuneSite, arguments: &TuneArguments) -> Result<(), Failure> {
    let progress = Progress::start(tuning.budget, 0);
    let mut number = 0;
    let tell = |search: &Search, round: &Round| {
        number += 1;
        // If the line cannot be printed, the search continues.
        let _ = progress.aside(|| print(&text::line(search, number, round), io::stderr().lock()));
    };
    let played = tuning.play(site, arguments.afresh, tell, &progress);
    progress.end();
    match played {
        Ok(_) => Ok(()),
        Err(RunError::Sink(error)) => Err(failure(error)),
        Err(other) => Err(Failure::machine(other)),
    }
}

/// The search space, and the maximum cost.
fn plan(tuning: &Tuning, site: &TuneSite) -> String {
    let rules = tuning.rules();
    let mut text = tuning.heading();
    for (at, arm) in Arm::all(tuning).iter().enumerate() {
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
