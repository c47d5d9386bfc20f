//! Whole runs by the library's runner: two threads compared with one, and logging compared with none.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use criterion::Criterion;
use serde_json::json;
use upheaval::bot::BotKind;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{ByPower, Powers};
use upheaval::play::{Seats, close, open, play_stage};
use upheaval::record::{GameRow, GameRows};
use upheaval::rules::variant::Variant;
use upheaval::sim::output::Storage;
use upheaval::sim::{
    BotEntry, BotOrigin, Chunk, Experiment, GameSpec, Observer, Play, RunFolder, RunLocation, RunReport,
    Seating, Sink, Start, VariantEntry, run,
};

use super::findings::{Findings, paired};
use super::seats::{LAST_YEAR, SEED, bot, variant};

/// The bots, with the games of a run: whole chunks of the runner that take some tenths of a second, so that creating
/// the folder and the threads, once per run, is negligible.
const LINE_UPS: [(&str, u32); 2] = [("random", 2048), ("greedy", 1024)];

/// How many of these games are played on each of the other variants.
const OF_OTHERS: u32 = 512;

/// A run on a variant, seven of the same bot.
struct Run {
    experiment: Experiment,
    variant: Arc<Variant>,
    bot: BotKind,
}

impl Run {
    fn new(id: &str, name: &str, games: u32, out: &Path) -> Run {
        let mut experiment = experiment(id, name, games);
        experiment.out = out.to_owned();
        Run { variant: Arc::clone(&experiment.variants[0]), experiment, bot: bot(name) }
    }

    /// The time of the games on this many threads; their records are made and discarded.
    fn played(&self, threads: usize) -> Duration {
        let schedule = self.experiment.schedule();
        let (player, begun) = (self.experiment.player(), Instant::now());
        run(&schedule, threads, &player, &mut Nowhere, &()).expect("it cannot fail");
        begun.elapsed()
    }

    /// The time of the games on one thread without a listener.
    fn unheard(&self) -> Duration {
        let schedule = self.experiment.schedule();
        let game = self.experiment.player().play(&schedule.game(0, 0)).game;
        let (turns, topology, maps, distances, events, orders) = Default::default();
        let record = GameRows { game, turns, topology, maps, distances, events, orders };
        let player = |spec: &GameSpec| unheard(&self.variant, &self.bot, spec, &record);
        let begun = Instant::now();
        run(&schedule, 1, &player, &mut Nowhere, &()).expect("it cannot fail");
        begun.elapsed()
    }

    /// The time of the same run when it writes its folder.
    fn logged(&self) -> (Duration, RunReport, u64) {
        let schedule = self.experiment.schedule();
        let (player, years) = (self.experiment.player(), Years::default());
        let begun = Instant::now();
        let mut folder =
            RunFolder::create_in(Files, &self.experiment, RunLocation::of(&self.experiment), Start::GoOn)
                .expect("the folder is empty");
        run(&schedule, 1, &player, &mut folder, &years).expect("the disk has room");
        let report = folder.finish().expect("the disk has room");
        (begun.elapsed(), report, years.0.into_inner())
    }
}

/// Games of seven of the same bot, on one thread, all tables but `orders`.
pub fn experiment(id: &str, name: &str, games: u32) -> Experiment {
    let (variant, bot) = (variant(id), bot(name));
    let variants = vec![VariantEntry { content: variant.content(), variant, swept: None }];
    let bots = vec![BotEntry {
        name: name.to_owned(),
        origin: BotOrigin::Shipped,
        content: json!({ "version": bot.version }),
        pace: bot.pace,
        maker: bot.into(),
    }];
    let seating = Seating::Fixed(ByPower::new(Powers::STANDARD));
    let experiment = Experiment::new(name.to_owned(), variants, bots, seating, games, SEED, LAST_YEAR);
    Experiment { threads: 1, ..experiment }
}

/// Plays a game without a listener. The record is this one, with the number of the game.
fn unheard(variant: &Arc<Variant>, bot: &BotKind, spec: &GameSpec, record: &GameRows) -> GameRows {
    thread_local! {
        static REFEREE: RefCell<Referee> = RefCell::new(Referee::new());
    }
    let mut bots = ByPower::from_fn(Powers::STANDARD, |_| (bot.make)());
    let mut game = Game::new(Arc::clone(variant), spec.last_year);
    let thrown = spec.dice();
    let mut dice = thrown.openings();
    let mut nature = spec.nature();
    REFEREE.with_borrow_mut(|referee| {
        open(&game, referee, &mut Seats { bots: &mut bots, dice: &mut dice }, &variant.id);
        while game.stage() != Stage::Over {
            thrown.hand_out(&game, &mut dice);
            let mut seats = Seats { bots: &mut bots, dice: &mut dice };
            play_stage(&mut game, referee, &mut seats, &mut nature, &mut ());
        }
        close(&game, referee, &mut Seats { bots: &mut bots, dice: &mut dice });
    });
    let mut record = record.clone();
    record.game.game = spec.game;
    record
}

/// Takes the games and discards them.
struct Nowhere;

impl Sink for Nowhere {
    type Error = Infallible;

    fn take(&mut self, _: &Chunk, _: &[GameRows]) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The file system without waiting for the disk: that is once per run, independent of its length.
struct Files;

impl Storage for Files {
    type File = File;

    fn create(&self, path: &Path) -> io::Result<File> {
        File::create_new(path)
    }

    fn sync(&self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

/// Counts game-years.
#[derive(Default)]
struct Years(AtomicU64);

impl Observer for Years {
    fn played(&self, _: &GameSpec, game: &GameRow) {
        self.0.fetch_add(u64::from(game.years), Ordering::Relaxed);
    }
}

pub fn threads(c: &mut Criterion, findings: &mut Findings) {
    let mut group = c.benchmark_group("two threads");
    group.sample_size(10);
    for (name, games) in LINE_UPS {
        let this = Run::new("standard", name, games, Path::new(""));
        paired(&mut group, findings, "two threads", name, || this.played(2), || this.played(1));
    }
    group.finish();
}

pub fn logging(c: &mut Criterion, findings: &mut Findings) {
    let mut group = c.benchmark_group("logged");
    group.sample_size(10);
    for (name, games) in LINE_UPS {
        let mut each = None;
        let counted = || {
            let (time, report, years) = logged("standard", name, games);
            let sizes = report.manifest.files.iter();
            let small = sizes.filter(|file| ["turns/", "topology/"].iter().any(|t| file.path.starts_with(t)));
            each = Some(small.map(|file| file.bytes).sum::<u64>() as f64 / years as f64);
            time
        };
        let bare = Run::new("standard", name, games, Path::new(""));
        paired(&mut group, findings, "logged", &format!("{name} on standard"), counted, || bare.unheard());
        if let Some(bytes) = each {
            findings.find(&format!("bytes a game-year/{name}"), bytes);
        }
        for id in Variant::shipped().filter(|id| *id != "standard") {
            let bare = Run::new(id, name, OF_OTHERS, Path::new(""));
            let kept = || logged(id, name, OF_OTHERS).0;
            paired(&mut group, findings, "logged", &format!("{name} on {id}"), kept, || bare.unheard());
        }
    }
    group.finish();
    let games = LINE_UPS.map(|(name, games)| format!("{games} of `{name}`")).join(" and ");
    findings.note(format!(
        "Runs of {games} on `standard`, through the runner; of {OF_OTHERS} on any other variant."
    ));
}

/// Logged games of each variant compared with those of `standard`.
pub fn logged_games(c: &mut Criterion, findings: &mut Findings) {
    const GROUP: &str = "logged random games to 1910";
    let mut group = c.benchmark_group(GROUP);
    group.sample_size(10);
    for id in Variant::shipped() {
        let time = |id| logged(id, "random", OF_OTHERS).0;
        paired(&mut group, findings, GROUP, id, || time(id), || time("standard"));
    }
    group.finish();
}

/// A run that writes its folder, which is deleted.
pub fn logged(id: &str, name: &str, games: u32) -> (Duration, RunReport, u64) {
    let folder = tempfile::tempdir().expect("a folder for the run");
    Run::new(id, name, games, folder.path()).logged()
}
