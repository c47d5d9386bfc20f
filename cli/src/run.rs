//! `upheaval run FILE`: plays an experiment and leaves a run folder and a short table.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::Summary;
use upheaval::record::GameRecord;
use upheaval::sim::{
    Experiment, Observer, OutputError, Overrides, Play, RunError, RunFolder, RunReport, Schedule, Sink, run,
};

use crate::engine;
use crate::failure::{Failure, print};
use crate::progress::Progress;

/// Play an experiment: many seeded games in parallel, recorded as Parquet files.
#[derive(Args)]
pub struct RunArguments {
    /// The experiment file (TOML).
    file: PathBuf,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games of each variant, in place of the file's.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Threads, in place of the file's; 0 for one a core. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder in which the run folder is made, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Does what the arguments say.
pub fn command(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        seed: arguments.seed,
        games: arguments.games,
        threads: arguments.threads,
        out: arguments.out.clone(),
    };
    let experiment = Experiment::read(&arguments.file, &overrides, &engine::Shelf).map_err(Failure::input)?;
    let player = engine::player(&experiment)?;
    let folder = RunFolder::create(&experiment).map_err(output)?;
    let schedule = Schedule::new(&experiment);
    let progress = Progress::start(schedule.total());
    let played = play(&experiment, &schedule, folder, player.as_ref(), &progress);
    progress.end();
    let (summary, report) = played?;
    print(&closing(&summary, &report), io::stdout().lock())
}

/// Plays the experiment into its run folder.
fn play(
    experiment: &Experiment,
    schedule: &Schedule,
    folder: RunFolder,
    player: &dyn Play,
    observer: &dyn Observer,
) -> Result<(Summary, RunReport), Failure> {
    let mut recorder = Recorder { experiment, folder, summary: Summary::default() };
    run(schedule, experiment.threads, player, &mut recorder, observer).map_err(|error| match error {
        RunError::Sink(error) => output(error),
        threads @ RunError::Threads { .. } => Failure::machine(threads),
    })?;
    let report = recorder.folder.finish().map_err(output)?;
    Ok((recorder.summary, report))
}

/// Writes the games down and sums them up.
struct Recorder<'a> {
    experiment: &'a Experiment,
    folder: RunFolder,
    summary: Summary,
}

impl Sink for Recorder<'_> {
    type Error = OutputError;
    fn take(&mut self, variant: usize, games: &[GameRecord]) -> Result<(), OutputError> {
        for game in games {
            self.summary.add(&self.experiment.variants[variant].id, &game.game);
        }
        self.folder.take(variant, games)
    }
}

fn output(error: OutputError) -> Failure {
    match error.is_refusal() {
        true => Failure::input(error),
        false => Failure::machine(error),
    }
}

/// What is printed at the end.
fn closing(summary: &Summary, report: &RunReport) -> String {
    let mut text = summary.render();
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let rows: u64 = report.manifest.files.iter().filter_map(|file| file.rows).sum();
    let _ = write!(text, "\nfiles: {} ({rows} rows, {:.1} MB)\n", report.path.display(), bytes as f64 / 1e6);
    text
}
