//! Searches over the parameters of variants: the same answer wherever and however often they are played, with figures
//! from games that no setting was chosen by.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use upheaval::analysis::tune::file::SeedStage;
use upheaval::analysis::tune::folder::{ANSWER, FolderError, line_of, read_line};
use upheaval::analysis::tune::play::{GameTable, MeasureError, TunePlan, TunedPoint};
use upheaval::analysis::tune::{CheckedSearch, TuneAnswer, TuneSearch, TuneSite};
use upheaval::diagnostic::Source;
use upheaval::record::{GameRow, GameRows, TopologyRow};
use upheaval::rules::variant::setting::Setting;
use upheaval::sim::{Collect, Experiment, GameSpec, Observer, Overrides, RunError, Start};

use crate::helpers::engine::registry;

/// The file, for a search of fewer games if slow tests are not run.
fn file() -> String {
    let few = [
        ("last_year = 1903", "last_year = 1902"),
        ("budget = 1500", "budget = 300"),
        ("first = 20, most = 150", "first = 6, most = 30"),
    ];
    let few = few.into_iter().filter(|_| !testkit::tries_all());
    few.fold(FILE.to_owned(), |text, (many, few)| text.replacen(many, few, 1))
}

const FILE: &str = r#"
name = "holes"
variants = ["standard", "black-hole"]
seed = 7
last_year = 1903
[[sweep]]
parameter = "changes.holes.count"
values = [1, 3]
[[sweep]]
parameter = "changes.holes.change"
values = ["collapse", "void"]
[[skip]]
changes.holes.count = 3
changes.holes.change = "void"
[tune]
objective = "fairness.centres"
bots = ["random", "hold"]
budget = 1500
blocks = { first = 20, most = 150 }
check = { blocks = 24 }
within = { length = [1, 3] }
front = { land = "high" }
"#;

fn overrides(out: &Path, threads: usize) -> Overrides {
    Overrides { out: Some(out.to_owned()), threads: Some(threads), ..Overrides::default() }
}

fn tuning(out: &Path, threads: usize) -> CheckedSearch {
    checked(&file(), &overrides(out, threads)).unwrap()
}

fn checked(text: &str, overrides: &Overrides) -> Result<CheckedSearch, String> {
    CheckedSearch::check(&Source::new("f", text), Path::new(""), overrides, &registry())
        .map_err(|error| error.to_string())
}

/// The answer of an uninterrupted search, with its files.
fn played(out: &Path, threads: usize) -> (TuneAnswer, BTreeMap<PathBuf, Vec<u8>>) {
    let tuning = tuning(out, threads);
    let site = TuneSite::of(&tuning);
    let answer = tuning.play(&site, false, |_, _| {}, &()).unwrap();
    assert!(site.is_over().unwrap());
    (answer, testkit::files_below(out))
}

/// Stops a search after this many games.
struct Impatient(AtomicU64);
impl Observer for Impatient {
    fn played(&self, _: &GameSpec, _: &GameRow) {
        let _ = self.0.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    }
    fn stops(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn a_search_leaves_the_same_bytes_on_any_threads_and_after_any_interruption() {
    let dirs = [0; 3].map(|_| tempfile::tempdir().unwrap());
    let (answer, files) = played(dirs[0].path(), 1);
    assert_eq!(files, played(dirs[1].path(), 2).1);
    // Stopped in the first round, in a later one and while the answer is measured, and with one half-written line in
    // the journal.
    let out = dirs[2].path();
    let tuning = tuning(out, 2);
    let site = TuneSite::of(&tuning);
    let all = answer.games.search + answer.games.check;
    for games in [all / 8, all / 4, all / 4] {
        let stopped = tuning.play(&site, false, |_, _| {}, &Impatient(AtomicU64::new(games)));
        assert!(matches!(stopped, Err(RunError::Interrupted)), "{games}");
        assert!(!site.is_over().unwrap(), "the folder is whole or not there");
        let [journal] = &testkit::files_below(out).into_keys().collect::<Vec<_>>()[..] else {
            panic!("a journal")
        };
        let journal = out.join(journal);
        let kept = std::fs::read(&journal).unwrap();
        std::fs::write(&journal, [&kept[..], b"{\"task\":{\"sta"].concat()).unwrap();
    }
    let again = tuning.play(&site, false, |_, _| {}, &()).unwrap();
    assert_eq!((&again, &testkit::files_below(out)), (&answer, &files));
    // If anything that affects the result differs, the search has another hash and another folder.
    let other = checked(&file().replace("most = ", "most = 1"), &overrides(out, 2));
    assert_ne!(TuneSite::of(&other.unwrap()).path, site.path);
}

#[test]
fn tasks_that_are_played_elsewhere_by_a_plan_give_the_same_answer() {
    let dirs = [0; 2].map(|_| tempfile::tempdir().unwrap());
    let (answer, files) = played(dirs[0].path(), 2);
    let tuning = Arc::new(tuning(dirs[1].path(), 0));
    let worker = TunePlan::worker(&TunePlan::of(&tuning).to_json(), &registry()).unwrap();
    let (site, mut search) = (TuneSite::of(&tuning), TuneSearch::new(Arc::clone(&tuning)));
    let mut journal = site.open(&mut search, false).unwrap();
    assert!(matches!(site.open(&mut TuneSearch::new(Arc::clone(&tuning)), false), Err(FolderError::Busy(_))));
    while let Some(first) = search.next() {
        // The last of the current tasks is played first, as on a cluster.
        let tasks: Vec<_> = search.wanted().collect();
        let mut lines: Vec<String> = Vec::new();
        for task in tasks.iter().rev() {
            lines.push(line_of(*task, &worker.play(*task, 1, &()).unwrap()));
        }
        if tasks.len() > 1 {
            let (task, blocks) = read_line(&lines[0], &tuning).unwrap();
            assert!(search.take(task, blocks).is_err(), "tasks are taken in their order");
        }
        assert_eq!(tasks[0], first);
        for line in lines.iter().rev() {
            let (task, blocks) = read_line(line, &tuning).unwrap();
            journal.enter(task, &blocks).unwrap();
            search.take(task, blocks).unwrap();
        }
    }
    assert_eq!(site.finish(&search, journal).unwrap(), answer);
    assert_eq!(testkit::files_below(dirs[1].path()), files);
    assert!(TunePlan::worker("{}", &registry()).is_err());
}

/// A line-up of different bots plays in every rotation, as the page promises.
#[test]
fn a_search_among_a_mixed_line_up_is_played() {
    let line_up = "line_ups = [[\"random\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]";
    let text =
        file().replace("bots = [\"random\", \"hold\"]", line_up).replace("budget = 1500", "budget = 4000");
    let text = text.replace("budget = 300", "budget = 600");
    let dir = tempfile::tempdir().unwrap();
    let tuning = checked(&text, &overrides(dir.path(), 1)).unwrap();
    assert_eq!((tuning.bots(), tuning.games_a_block()), (1, 7));
    let answer = tuning.play(&TuneSite::of(&tuning), false, |_, _| {}, &()).unwrap();
    assert!(answer.games.search > 0 && answer.games.search.is_multiple_of(7), "{:?}", answer.games);
}

#[test]
fn every_figure_of_an_answer_is_of_the_seed_that_was_not_searched() {
    let dir = tempfile::tempdir().unwrap();
    let (answer, files) = played(dir.path(), 2);
    let tuning = tuning(dir.path(), 2);
    assert_ne!(answer.seed, answer.check_seed);
    assert_eq!(tuning.games(SeedStage::Check, 0).resolved.seed, answer.check_seed);
    assert!(answer.games.search <= answer.games.budget);
    assert_eq!(answer.games.check, 24 * 2 * answer.checked.len() as u64);
    assert!(answer.set.iter().all(|id| answer.figures_of(id).is_some_and(|of| of.in_set)));
    assert!(answer.set.contains(answer.best.as_ref().unwrap()));
    // Each setting by itself, measured on the same blocks, gives the same result.
    let facts = |id: &str| answer.settings.iter().find(|of| of.id == id).unwrap();
    for checked in &answer.checked {
        let values = &facts(&checked.id).values;
        let pick = values.iter().map(|(parameter, value)| {
            let value = serde_json::from_value(value.clone()).unwrap();
            Setting { parameter: parameter.clone(), value }
        });
        let overrides = Overrides { pick: Some(pick.collect()), ..overrides(dir.path(), 2) };
        let mut point =
            TunedPoint::check(&Source::new("f", file()), Path::new(""), &overrides, &registry()).unwrap();
        assert_eq!(point.tuning().arms().len(), 1);
        let early = point.measure(SeedStage::Check, 10..20, &()).unwrap();
        let measured = point.measure(SeedStage::Check, 0..24, &()).unwrap();
        assert_eq!((early.parts.len(), measured.parts.len()), (10, 24));
        for (of, mean) in checked.by_bot.iter().zip(&measured.by_bot) {
            assert!((of.objective.unwrap().estimate - mean.mean).abs() < 1e-12, "{of:?} {mean:?}");
        }
    }
    let folder = TuneSite::of(&tuning).path;
    let json = &files[&folder.strip_prefix(dir.path()).unwrap().join(ANSWER)];
    assert_eq!(String::from_utf8_lossy(json), answer.to_json());
}

/// The games of a run.
#[derive(Default)]
struct Rows(Vec<GameRow>);
impl Collect for Rows {
    fn kept(&mut self, _: &str, _: &GameRow, _: &[TopologyRow]) {}
    fn played(&mut self, _: &str, game: &GameRows) {
        self.0.push(game.game.clone());
    }
}

#[test]
fn the_table_plays_the_games_of_an_experiment_of_that_arm() {
    let dir = tempfile::tempdir().unwrap();
    let tuning = Arc::new(tuning(dir.path(), 1));
    let task = TuneSearch::new(Arc::clone(&tuning)).wanted().nth(2).unwrap();
    let blocks = GameTable::of(&tuning).play::<()>(task, &()).unwrap();
    let mut experiment = Experiment { out: dir.path().join("run"), ..tuning.games(task.stage, task.bot) };
    experiment.resolved.games = task.count;
    experiment.resolved.variants = vec![tuning.arms()[task.arm].clone()];
    experiment.variants = vec![experiment.variants[task.arm].clone()];
    let mut rows = Rows::default();
    experiment.begin(Start::GoOn).unwrap().finish_into(&mut rows, &()).unwrap();
    assert_eq!((task.first, rows.0.len(), blocks.len()), (0, task.count as usize, task.count as usize));
    let rows = rows.0;
    for (block, row) in blocks.iter().zip(&rows) {
        let centres: Vec<u64> = row.seats.rows().iter().map(|seat| u64::from(seat.centres)).collect();
        assert_eq!((block.counts[0], &block.powers), (1, &centres));
    }
}

#[test]
fn what_sweeps_leave_out_is_no_arm_and_a_setting_can_be_picked_without_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let ids: Vec<String> = tuning(dir.path(), 1).arms().iter().map(|arm| arm.id.clone()).collect();
    let hole = |rest: &str| format!("black-hole.count-{rest}");
    let arms = ["1.change-collapse", "1.change-void", "3.change-collapse"].map(hole);
    assert_eq!(ids, [&["standard".to_owned()][..], &arms].concat());
    let of = |variant: &str, count: u8, closure: &str| {
        format!(
            "variant = '{variant}'\n'changes.holes.count' = {count}\n'changes.holes.change' = '{closure}'"
        )
    };
    for (values, told) in [
        (of("black-hole", 1, "void"), Ok("black-hole.count-1.change-void")),
        // It has no holes: what is said of them is passed over.
        (of("standard", 1, "void"), Ok("standard")),
        (of("black-hole", 3, "void"), Err("`skip` leaves no arm of `black-hole`; remove one")),
        (of("black-hole", 2, "void"), Err("`changes.holes.count` is not swept over 2")),
        (of("deluge", 1, "void"), Err("there is no variant \"deluge\" here; there are standard, black-hole")),
        ("'changes.holes.count' = 1".to_owned(), Err("name the `variant`: standard, black-hole")),
        ("variant = 'black-hole'".to_owned(), Err("no value is picked for `changes.holes.count`")),
    ] {
        let settings = values.parse::<toml::Table>().unwrap().into_iter();
        let pick = settings.map(|(parameter, value)| Setting { parameter, value }).collect();
        let picked = checked(FILE, &Overrides { pick: Some(pick), ..Overrides::default() });
        let arm = picked.as_ref().map(|tuning| &*tuning.arms()[0].id);
        // The place of the fault comes first.
        let arm = arm.map_err(|error| error.split_once(": ").unwrap().1);
        assert_eq!(arm, told, "{values}");
    }
}

#[test]
fn a_squared_distance_needs_enough_blocks_that_exist() {
    assert_eq!(TunedPoint::check_blocks(&(0..3)), Err(MeasureError::TooFew { found: 3 }));
    assert_eq!(TunedPoint::check_blocks(&(999_990..1_000_001)), Err(MeasureError::Beyond { end: 1_000_001 }));
}
