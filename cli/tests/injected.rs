//! Calls of the system that fail, and kills at calls: `strace` stands between the program and the system. After each,
//! the same command ends with the bytes of a run without it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use testkit::{amount, files_below, skipped};

use crate::program::{desk, play, played, run_in, runs};

/// Three chunks, each of which is played in a moment; all seven tables. The games end after their first year, but they
/// might take 8,099 years, so a chunk has four.
const TINY: &str = "name = \"tiny\"\nvariants = [\"black-hole\"]\ngames = 10\nseed = 26\nlast_year = 9999\nthreads = 1\n\
                    log.orders = true\nstop = { lead = 1, years = 1 }\n[seats]\nall = \"hold\"\n";

/// Calls by the names that they have on one machine or another, and about how many of each a thread of such a run
/// makes.
const CALLS: [(&str, usize); 12] = [
    ("openat", 70),
    ("write", 28),
    ("fsync", 64),
    ("fdatasync", 5),
    ("?rename,?renameat,?renameat2", 24),
    ("?unlink,?unlinkat", 3),
    ("?mkdir,?mkdirat", 42),
    ("close", 70),
    ("ftruncate", 3),
    ("flock", 2),
    ("pread64", 3),
    ("lseek", 6),
];

/// What befalls a call.
#[derive(Clone, Copy)]
enum Blow {
    Fails(&'static str),
    Kills,
}

const BLOWS: [Blow; 4] = [Blow::Fails("EIO"), Blow::Kills, Blow::Fails("ENOSPC"), Blow::Fails("EACCES")];

/// The call of a thread that it befalls: the one with this number, from 1.
#[derive(Clone, Copy)]
struct Case {
    calls: &'static str,
    number: usize,
    blow: Blow,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { calls, number, blow } = self;
        match blow {
            Blow::Fails(error) => write!(f, "{calls}:error={error}:when={number}"),
            Blow::Kills => write!(f, "{calls}:signal=KILL:when={number}"),
        }
    }
}

/// Can processes be traced here? If not, a line says that the test is skipped.
fn has_strace() -> bool {
    let traced = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let has = traced.is_ok_and(|output| output.status.success());
    if !has {
        skipped("there is no strace here, or it may not trace");
    }
    has
}

/// How a run ended that something befell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// It was complete all the same.
    Well,
    /// With an error that says what failed.
    WithAnError,
    /// It was killed.
    Killed,
    /// It had not begun.
    NotBegun,
}

impl Ended {
    fn of(output: &Output, case: Case) -> Ended {
        let error = String::from_utf8_lossy(&output.stderr);
        // So begins what is said of a panic.
        assert!(!error.lines().any(|line| line.starts_with("thread '")), "{case}: {error}");
        match (output.status.code(), output.status.signal()) {
            (Some(0), _) => Ended::Well,
            // The loader of the system ends like this.
            (Some(127), _) if error.split(": ").nth(1) == Some("error while loading shared libraries") => {
                Ended::NotBegun
            }
            (Some(1 | 2), _) => {
                // The call that fails may be the one that says so.
                let silent = case.calls == "write" && error.is_empty();
                let one_line = error.starts_with("error: ") && error.trim_end().lines().count() == 1;
                assert!(silent || one_line, "{case}: {error}");
                Ended::WithAnError
            }
            (None, Some(9)) | (Some(137), _) if matches!(case.blow, Blow::Kills) => Ended::Killed,
            other => panic!("{case}: {other:?} {error}"),
        }
    }
}

/// A search that plays a few games.
const SEARCH: &str = "name = \"tiny\"\nvariants = [\"standard\", \"black-hole\"]\nseed = 1\nlast_year = 1901\nthreads = 1\n\
                      [[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 2]\n[tune]\n\
                      objective = \"fairness.centres\"\nbots = [\"hold\"]\nbudget = 200\n\
                      blocks = { first = 4, most = 4 }\ncheck = { blocks = 4 }\nwithin = { length = [1, 3] }\n";

/// Calls of the other commands that write folders, and about how many of each a thread of them makes.
const OTHER_CALLS: [(&str, usize); 5] = [
    ("write", 6),
    ("fsync", 12),
    ("?rename,?renameat,?renameat2", 4),
    ("?mkdir,?mkdirat", 8),
    ("openat", 60),
];

/// Files by their paths.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn given(name: &str, text: &str) -> Files {
    Files::from([(PathBuf::from(name), text.as_bytes().to_vec())])
}

/// All files of a folder; of manifests, which say when they were written, only that they exist.
fn everything(dir: &Path) -> Files {
    let mut files = files_below(dir);
    files.iter_mut().filter(|(path, _)| path.ends_with("manifest.json")).for_each(|(_, bytes)| bytes.clear());
    files
}

/// The record of a game by hand in the folder `g`.
const RECORD: &str = "g/game.json";

/// A command that writes a folder.
struct Writer {
    words: Vec<String>,
    /// The files that it finds.
    given: Files,
    /// The files that are there after it.
    sound: Files,
}

impl Writer {
    /// The command, after it has been run once without a blow.
    fn new(words: &[&str], given: Files) -> Writer {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let mut writer = Writer { words, given, sound: Files::new() };
        let dir = writer.desk();
        writer.again(dir.path(), "nothing");
        writer.sound = everything(dir.path());
        assert!(writer.sound.len() > writer.given.len(), "{:?} writes nothing", writer.words);
        writer
    }

    /// A folder with what the command finds.
    fn desk(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        for (path, bytes) in &self.given {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("below it")).expect("a folder");
            fs::write(path, bytes).expect("it can be written");
        }
        dir
    }

    fn again(&self, dir: &Path, case: &str) {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        // A phase that is settled is not settled again.
        if words[0] == "game" && fs::read(dir.join(RECORD)).ok().as_ref() == self.sound.get(Path::new(RECORD))
        {
            words = vec!["game", "show", "g"];
        }
        let again = run_in(dir, &words, b"");
        assert_eq!(again.code, 0, "{words:?} {case}: {}", again.error);
    }

    /// The paths of a run's files in another folder, while it is played.
    fn unfinished(&self, dir: &Path) -> impl Iterator<Item = String> {
        let hidden = |path: &Path| {
            let path = dir.join(path).display().to_string();
            path.replacen("/results/", "/results/.upheaval-partial-", 1)
        };
        self.sound.keys().filter(|path| path.starts_with("results")).flat_map(move |path| {
            match path.parent().filter(|_| path.ends_with("manifest.json")) {
                Some(run) => vec![format!("{}.journal", hidden(run))],
                None => vec![hidden(path), format!("{}.unfinished", hidden(path))],
            }
        })
    }

    /// Runs the command while the case befalls it, and then once more.
    fn befall(&self, case: Case) -> Ended {
        let (words, dir, is_run) = (&self.words, self.desk(), self.words[0] == "run");
        // Paths as the tracer finds them of what is open.
        let here = fs::canonicalize(dir.path()).expect("a folder");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e"]).arg(format!("inject={case}"));
        if case.calls == "close" && matches!(case.blow, Blow::Fails(_)) {
            // Only of files: the standard library panics where a folder that it has listed cannot be closed.
            command.args(self.unfinished(&here).flat_map(|path| ["-P".to_owned(), path]));
        }
        command.arg(assert_cmd::cargo::cargo_bin("upheaval")).args(words).current_dir(&here);
        let ended = Ended::of(&command.output().expect("strace starts"), case);
        if is_run && ended == Ended::Well {
            // A hidden file that could not be removed does no harm.
            let found = everything(&here);
            let differing = self.sound.iter().find(|(path, bytes)| found.get(*path) != Some(bytes));
            assert_eq!(differing.map(|(path, _)| path), None, "{case}: other bytes");
        }
        if is_run || ended != Ended::Well {
            self.again(&here, &case.to_string());
        }
        let found = everything(&here);
        let differing = |path: &&PathBuf| found.get(*path) != self.sound.get(*path);
        let differing: Vec<_> = found.keys().chain(self.sound.keys()).filter(differing).collect();
        assert!(differing.is_empty(), "{words:?} {case}: {ended:?}, other files: {differing:?}");
        assert!(
            !is_run || runs(&here.join("results")).len() == 1,
            "{case}: something is left beside the run"
        );
        ended
    }

    /// Befalls the command with each case: some must fail, and some must be killed.
    fn befall_all(&self, cases: impl IntoIterator<Item = Case>) {
        let ended: Vec<Ended> = cases.into_iter().map(|case| self.befall(case)).collect();
        println!("{:?}: {} cases, {ended:?}", self.words, ended.len());
        for expected in [Ended::WithAnError, Ended::Killed] {
            assert!(ended.contains(&expected), "{:?}: something must befall: {ended:?}", self.words);
        }
    }
}

#[test]
fn calls_that_fail_and_kills_at_calls_cost_no_byte() {
    if !has_strace() {
        return;
    }
    // One call of each of eight kinds; in slow tests every eighth call, `UPHEAVAL_SLOW_TESTS=8` every call with one blow,
    // 16 with two.
    let eighths = amount(0, 1) as usize;
    let (blows, each) = (eighths.div_ceil(8), (8 / eighths.max(1)).max(1));
    let mut cases = Vec::new();
    for (at, &(calls, most)) in CALLS.iter().enumerate() {
        if blows == 0 && at < 8 {
            cases.push(Case { calls, number: most / 2 + 1, blow: BLOWS[at % BLOWS.len()] });
        }
        for number in (1 + at % each.min(most)..=most).step_by(each) {
            let some = (0..blows.min(BLOWS.len())).map(|more| BLOWS[(at + number + more) % BLOWS.len()]);
            cases.extend(some.map(|blow| Case { calls, number, blow }));
        }
    }
    Writer::new(&["run", "e.toml", "--quiet"], given("e.toml", TINY)).befall_all(cases);
}

/// Searches, joined shards, imported games and a phase of a game by hand: the commands with what they find.
fn writers() -> [Writer; 4] {
    let search = Writer::new(&["tune", "e.toml", "--quiet"], given("e.toml", SEARCH));
    let dir = desk(TINY);
    for shard in ["1/2", "2/2"] {
        assert_eq!(play(dir.path(), &["--quiet", "--shard", shard]).code, 0);
    }
    let shards: Vec<String> = runs(&dir.path().join("results"))
        .iter()
        .map(|shard| shard.strip_prefix(dir.path()).expect("below it").display().to_string())
        .collect();
    let join = Writer::new(&["join", &shards[0], &shards[1]], files_below(dir.path()));
    let (game, run) = played(
        "name = \"game\"\nvariants = [\"standard\"]\ngames = 7\nseed = 26\nlast_year = 1902\nthreads = 1\n\
         log.orders = true\nseats.all = \"greedy\"\n",
    );
    let saved = ["replay", run.to_str().expect("a path"), "0", "--saved-game", "saved.json"];
    assert_eq!(run_in(game.path(), &saved, b"").code, 0);
    let saved = fs::read_to_string(game.path().join("saved.json")).expect("a game");
    let import = Writer::new(&["import", "saved.json", "--threads", "1"], given("saved.json", &saved));
    let dir = tempfile::tempdir().expect("a folder");
    let begun = run_in(dir.path(), &["game", "new", "standard", "g", "--seed", "7"], b"");
    assert_eq!(begun.code, 0, "{}", begun.error);
    fs::write(dir.path().join("orders.txt"), "FRANCE: A PAR - BUR").expect("it can be written");
    let handed_in = run_in(dir.path(), &["game", "orders", "g", "orders.txt"], b"");
    assert_eq!(handed_in.code, 0, "{}", handed_in.error);
    let phase = Writer::new(&["game", "next", "g"], files_below(dir.path()));
    [search, join, import, phase]
}

#[test]
fn searches_joined_shards_imported_games_and_games_by_hand_lose_nothing_to_calls_that_fail_and_kills() {
    if !has_strace() {
        return;
    }
    // Two failing calls and two kills of each command; in slow tests every fourth call with one blow, with
    // `UPHEAVAL_SLOW_TESTS=4` every call with two.
    let fourths = amount(0, 1) as usize;
    for writer in writers() {
        let mut cases = Vec::new();
        for (at, &(calls, most)) in OTHER_CALLS.iter().enumerate().take(if fourths == 0 { 4 } else { 5 }) {
            if fourths == 0 {
                cases.push(Case { calls, number: (most / 4).max(1), blow: BLOWS[at % 2] });
            }
            for number in (1..=most).step_by(if fourths < 4 { 4 } else { 1 }) {
                let blows = (0..fourths.div_ceil(2).min(2)).map(|more| BLOWS[(at + number / 2 + more) % 4]);
                cases.extend(blows.map(|blow| Case { calls, number, blow }));
            }
        }
        writer.befall_all(cases);
    }
}
