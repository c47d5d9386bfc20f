//! `upheaval run FILE`: plays an experiment and leaves a run folder and a short table.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use upheaval::analysis::{Faults, Summary};
use upheaval::bot::Conduct;
use upheaval::diagnostic::one_line;
use upheaval::record::GameRecord;
use upheaval::sim::output::unfinished::Start;
use upheaval::sim::{
    BotOrigin, Chunk, Experiment, Observer, OutputError, Overrides, Play, RunError, RunFolder, RunReport,
    Schedule, Shard, Sink, run,
};

use crate::engine;
use crate::failure::{Failure, print};
use crate::plan;
use crate::progress::Progress;

/// Play an experiment: many seeded games in parallel, recorded as Parquet files. What a killed run has finished is not
/// played again.
#[derive(Args)]
pub struct RunArguments {
    /// The experiment file (TOML).
    file: PathBuf,
    /// The root seed, in place of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games of each arm, in place of the file's.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Threads, in place of the file's; 0 for one a core. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder in which the run folder is made, in place of the file's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Set a key of the file, such as `seats.all=random` or `parameters.holes.per_season=2`; the value is TOML, or a bare
    /// word. May be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Play one of N shards of the run, to be put together with `upheaval join`.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Print the plan: arms, line-ups, blocks, games, and what they will take. Nothing is written.
    #[arg(long)]
    dry_run: bool,
    /// Print everything that decides the result, as `experiment.resolved.json` has it, and play nothing.
    #[arg(long, conflicts_with = "dry_run")]
    print_resolved: bool,
    /// Throw away what unfinished runs of this name have left, and begin anew.
    #[arg(long)]
    afresh: bool,
}

/// Does what the arguments say.
pub fn command(arguments: &RunArguments) -> Result<(), Failure> {
    let overrides = Overrides {
        seed: arguments.seed,
        games: arguments.games,
        threads: arguments.threads,
        out: arguments.out.clone(),
        shard: arguments.shard,
        set: arguments.set.clone(),
    };
    let shelf = engine::Shelf::default();
    let experiment = Experiment::read(&arguments.file, &overrides, &shelf).map_err(Failure::input)?;
    if arguments.print_resolved {
        return print(&experiment.resolved(), io::stdout().lock());
    }
    let player = shelf.player(&experiment)?;
    let start = if arguments.afresh { Start::Afresh } else { Start::GoOn };
    if arguments.dry_run {
        return print(&plan::text(&experiment, player.as_ref(), start)?, io::stdout().lock());
    }
    let folder = RunFolder::start(&experiment, start).map_err(output)?;
    let schedule = Schedule::new(&experiment);
    let progress = Progress::start(schedule.total(), schedule.games_of(folder.finished()));
    let played = play(&experiment, &schedule, folder, player.as_ref(), &progress);
    progress.end();
    let (summary, faults, report) = played?;
    let programs = experiment.bots.iter().any(|bot| bot.origin != BotOrigin::Shipped);
    let blame = if programs || faults.any() { blame(&faults, &shelf) } else { String::new() };
    print(&closing(&summary, &blame, &report), io::stdout().lock())
}

/// The table of faults, and of each bot the first of each kind in words.
pub(crate) fn blame(faults: &Faults, shelf: &engine::Shelf) -> String {
    let mut text = faults.render();
    for (bot, mut incidents) in shelf.incidents() {
        // Within a game they are in order already.
        incidents.sort_by(|a, b| (&a.game, a.power).cmp(&(&b.game, b.power)));
        for word in Conduct::ALL {
            let Some(first) = incidents.iter().find(|incident| incident.conduct == word) else { continue };
            let phase = first.phase.as_deref().unwrap_or("the start");
            let (game, power, name) = (&first.game, first.power, word.name());
            let _ = writeln!(text, "{bot}: {name} in {game}, {power}, {phase}: {}", one_line(&first.reason));
            if let Some(words) = first.last_words.lines().last() {
                let _ = writeln!(text, "{bot}: its last words: {words}");
            }
        }
    }
    text
}

/// Plays the experiment into its run folder.
fn play(
    experiment: &Experiment,
    schedule: &Schedule,
    folder: RunFolder,
    player: &dyn Play,
    observer: &dyn Observer,
) -> Result<(Summary, Faults, RunReport), Failure> {
    let mut recorder =
        Recorder { experiment, folder, summary: Summary::default(), faults: Faults::default() };
    recorder.sum_up_stored().map_err(output)?;
    run(schedule, experiment.threads, player, &mut recorder, observer).map_err(stopped)?;
    let report = recorder.folder.finish().map_err(output)?;
    Ok((recorder.summary, recorder.faults, report))
}

/// Writes the games down and sums them up.
struct Recorder<'a> {
    experiment: &'a Experiment,
    folder: RunFolder,
    summary: Summary,
    faults: Faults,
}

impl Recorder<'_> {
    /// Sums up the games that a run before this one has finished.
    fn sum_up_stored(&mut self) -> Result<(), OutputError> {
        for stored in self.folder.stored() {
            let stored = stored?;
            let variant = &self.experiment.variants[stored.variant].id;
            for (game, maps) in stored.iter() {
                self.summary.add_stored(variant, game, maps);
                self.faults.add(game);
            }
        }
        Ok(())
    }
}

impl Sink for Recorder<'_> {
    type Error = OutputError;
    fn finished(&self) -> usize {
        self.folder.finished()
    }
    fn take(&mut self, chunk: &Chunk, games: &[GameRecord]) -> Result<(), OutputError> {
        for game in games {
            self.summary.add(&self.experiment.variants[chunk.variant].id, game);
            self.faults.add(&game.game);
        }
        self.folder.take(chunk, games)
    }
}

/// Why a run stopped that was written to a run folder.
pub(crate) fn stopped(error: RunError<OutputError>) -> Failure {
    match error {
        RunError::Sink(error) => output(error),
        threads @ RunError::Threads { .. } => Failure::machine(threads),
    }
}

pub(crate) fn output(error: OutputError) -> Failure {
    match error.is_refusal() {
        true => Failure::input(error),
        false => Failure::machine(error),
    }
}

/// What is printed at the end.
fn closing(summary: &Summary, blame: &str, report: &RunReport) -> String {
    let mut text = summary.render();
    if report.manifest.games == 0 {
        text.push_str("no games: there are more shards than parts\n");
    }
    if !blame.is_empty() {
        let _ = write!(text, "\n{blame}");
    }
    let bytes: u64 = report.manifest.files.iter().map(|file| file.bytes).sum();
    let rows: u64 = report.manifest.files.iter().filter_map(|file| file.rows).sum();
    let _ = write!(text, "\nfiles: {} ({rows} rows, {:.1} MB)\n", report.path.display(), bytes as f64 / 1e6);
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use upheaval::diagnostic::Source;
    use upheaval::ids::ByPower;
    use upheaval::record::{GameEnd, GameRow, SeatOutcome, SeatRow};
    use upheaval::rules::position::{Phase, PhaseKind, Season};
    use upheaval::sim::{BotEntry, BotOrigin, Catalogue, GameSpec, LookupError, VariantEntry};

    use super::*;

    struct Anything;
    impl Catalogue for Anything {
        fn variants(&self) -> Vec<String> {
            Vec::new()
        }
        fn variant(&self, name: &str, _: &Path) -> Result<VariantEntry, LookupError> {
            Ok(VariantEntry {
                id: name.into(),
                first_year: 1901,
                content: Default::default(),
                arm: None,
                files: Default::default(),
            })
        }
        fn bots(&self) -> Vec<String> {
            Vec::new()
        }
        fn bot(&self, name: &str, _: &Path) -> Result<BotEntry, LookupError> {
            let (origin, pace) = (BotOrigin::Shipped, upheaval::bot::Pace::Quick);
            Ok(BotEntry { name: name.into(), origin, content: Default::default(), pace })
        }
    }

    fn draw(spec: &GameSpec) -> GameRecord {
        let seat = |_| SeatRow {
            outcome: SeatOutcome::Drew,
            centres: 3,
            units: 3,
            eliminated_year: None,
            fault: Default::default(),
            faults: 0,
        };
        let game = GameRow {
            game: spec.game,
            block: spec.block,
            line_up: spec.line_up,
            rotation: spec.rotation,
            end: GameEnd::Draw,
            winner: None,
            draw_size: 7,
            last_phase: Phase { year: 1901, season: Season::Winter, kind: PhaseKind::Adjustments },
            years: 1,
            extant_centres: 34,
            centres_to_win: 18,
            holes: 0,
            voided: 0,
            state_hash: 0,
            bots: spec.names.clone(),
            seats: ByPower::from_fn(seat),
        };
        GameRecord { game, turns: vec![], topology: vec![], events: vec![], orders: vec![] }
    }

    #[test]
    fn a_run_ends_with_the_table_and_the_place() {
        let dir = tempfile::tempdir().unwrap();
        let text = "name = \"x\"\nvariants = [\"a\", \"b\"]\ngames = 4\nseed = 1\nlast_year = 1901\n\
                    seats.all = \"hold\"";
        let overrides = Overrides { out: Some(dir.path().to_owned()), ..Overrides::default() };
        let experiment =
            Experiment::check(&Source::new("e", text), Path::new(""), &overrides, &Anything).unwrap();
        let (schedule, folder) = (Schedule::new(&experiment), RunFolder::create(&experiment).unwrap());
        let (summary, _, report) = play(&experiment, &schedule, folder, &draw, &()).unwrap();
        let text = closing(&summary, "", &report);
        assert!(text.starts_with("a: 4 games (4 draw)\n"), "{text}");
        assert!(
            text.contains("AUSTRIA        0.0 (0.0 to 49.0)  100.0 (51.0 to 100.0)  100.0 (51.0 to 100.0)"),
            "{text}"
        );
        assert!(text.contains("3.00 ±0.00"), "{text}");
        assert!(text.contains(&format!("files: {} (8 rows", report.path.display())), "{text}");
    }
}
