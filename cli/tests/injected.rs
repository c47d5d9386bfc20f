//! Calls of the system that fail, and kills at calls: `strace` stands between the program and the system. After each,
//! the same command ends with the bytes of a run without it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use testkit::{amount, files_below, skipped};

use crate::program::{desk, play, run_in, runs, the_run};

/// Three chunks, each of which is played in a moment; all seven tables.
const TINY: &str = "name = \"tiny\"\nvariants = [\"black-hole\"]\ngames = 600\nseed = 26\nlast_year = 1901\nthreads = 1\n\
                    log.orders = true\n[seats]\nall = \"hold\"\n";

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

/// What a run that nothing befell leaves.
struct Sound {
    run: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// The files of a run but its manifest, which says when it was played.
fn files(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files_below(run);
    files.remove(Path::new("manifest.json")).expect("a manifest");
    files
}

impl Sound {
    fn play() -> Sound {
        let dir = desk(TINY);
        assert_eq!(play(dir.path(), &["--quiet"]).code, 0);
        let run = the_run(dir.path());
        Sound { files: files(&run), run: run.strip_prefix(dir.path()).expect("below it").to_owned() }
    }

    /// The paths of this run's files in another folder, while it is played.
    fn unfinished(&self, dir: &Path) -> impl Iterator<Item = PathBuf> {
        let name = self.run.file_name().expect("a name").to_string_lossy();
        let hidden = dir.join(format!("results/.upheaval-partial-{name}"));
        let journal = hidden.with_file_name(format!(".upheaval-partial-{name}.journal"));
        let both = self.files.keys().flat_map(move |path| {
            let path = hidden.join(path);
            let unfinished = format!("{}.unfinished", path.display());
            [path, PathBuf::from(unfinished)]
        });
        [journal].into_iter().chain(both)
    }

    /// Plays the run while the case befalls it, and then once more.
    fn befall(&self, case: Case) -> Ended {
        let dir = desk(TINY);
        // Paths as the tracer finds them of what is open.
        let here = fs::canonicalize(dir.path()).expect("a folder");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e"]).arg(format!("inject={case}"));
        if case.calls == "close" && matches!(case.blow, Blow::Fails(_)) {
            // Of files alone: the standard library panics where a folder that it has listed cannot be closed.
            for path in self.unfinished(&here) {
                command.arg("-P").arg(path);
            }
        }
        let program = assert_cmd::cargo::cargo_bin("upheaval");
        let output = command.arg(program).args(["run", "e.toml", "--quiet"]).current_dir(&here).output();
        let ended = Ended::of(&output.expect("strace starts"), case);
        if ended == Ended::Well {
            self.assert_whole(&here, case);
        }
        let again = play(&here, &["--quiet"]);
        assert_eq!(again.code, 0, "{case}: {}", again.error);
        self.assert_whole(&here, case);
        assert_eq!(runs(&here.join("results")).len(), 1, "{case}: something is left beside the run");
        ended
    }

    /// The run is there, with its bytes; a hidden file that could not be removed does no harm.
    fn assert_whole(&self, dir: &Path, case: Case) {
        assert!(files(&dir.join(&self.run)) == self.files, "{case}: other bytes");
    }
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

#[test]
fn calls_that_fail_and_kills_at_calls_cost_no_byte() {
    if !has_strace() {
        return;
    }
    let sound = Sound::play();
    // One call of each of eight kinds; in slow tests every fourth call, `UPHEAVAL_SLOW_TESTS=4` every call with one blow,
    // 8 with two.
    let fourths = amount(0, 1) as usize;
    let (blows, each) = (fourths.div_ceil(4), (4 / fourths.max(1)).max(1));
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
    let mut count = BTreeMap::<&str, usize>::new();
    for case in cases {
        let ended = sound.befall(case);
        *count
            .entry(match ended {
                Ended::Well => "complete",
                Ended::WithAnError => "an error",
                Ended::Killed => "killed",
                Ended::NotBegun => "not begun",
            })
            .or_default() += 1;
    }
    println!("{count:?}");
    assert!(
        count.contains_key("an error") && count.contains_key("killed"),
        "something must befall: {count:?}"
    );
}

/// A search that plays a few games.
const SEARCH: &str = "name = \"tiny\"\nvariants = [\"standard\", \"black-hole\"]\nseed = 1\nlast_year = 1901\nthreads = 1\n\
                      [[sweep]]\nparameter = \"holes.per_season\"\nvalues = [1, 2]\n[tune]\n\
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

/// Another command that writes a folder.
struct Writer {
    words: Vec<String>,
    /// The files that it finds.
    given: BTreeMap<PathBuf, Vec<u8>>,
    /// The files that are there after it, all with their bytes; of manifests, which say when they were written, only that
    /// they exist.
    sound: BTreeMap<PathBuf, Vec<u8>>,
}

/// All files of a folder.
fn everything(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files_below(dir);
    for (path, bytes) in &mut files {
        if path.ends_with("manifest.json") {
            bytes.clear();
        }
    }
    files
}

impl Writer {
    /// The command, after it has been run once without a blow.
    fn new(words: &[&str], given: BTreeMap<PathBuf, Vec<u8>>) -> Writer {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let mut writer = Writer { words, given, sound: BTreeMap::new() };
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
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let again = run_in(dir, &words, b"");
        assert_eq!(again.code, 0, "{words:?} {case}: {}", again.error);
    }

    /// Runs the command while the case befalls it, and then once more.
    fn befall(&self, case: Case) -> Ended {
        let dir = self.desk();
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e"]).arg(format!("inject={case}"));
        command.arg(assert_cmd::cargo::cargo_bin("upheaval")).args(&self.words).current_dir(dir.path());
        let ended = Ended::of(&command.output().expect("strace starts"), case);
        if ended != Ended::Well {
            self.again(dir.path(), &case.to_string());
        }
        let (found, words) = (everything(dir.path()), &self.words);
        let differing = |path: &&PathBuf| found.get(*path) != self.sound.get(*path);
        let differing: Vec<_> = found.keys().chain(self.sound.keys()).filter(differing).collect();
        assert!(differing.is_empty(), "{words:?} {case}: {ended:?}, other files: {differing:?}");
        ended
    }
}

/// Searches, joined shards and imported games: the commands with what they find.
fn writers() -> [Writer; 3] {
    let given = |files: &[(&str, &str)]| {
        files.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect()
    };
    let search = Writer::new(&["tune", "e.toml", "--quiet"], given(&[("e.toml", SEARCH)]));
    let dir = desk(TINY);
    for shard in ["1/2", "2/2"] {
        assert_eq!(play(dir.path(), &["--quiet", "--shard", shard]).code, 0);
    }
    let shards: Vec<String> = runs(&dir.path().join("results"))
        .iter()
        .map(|shard| shard.strip_prefix(dir.path()).expect("below it").display().to_string())
        .collect();
    let join = Writer::new(&["join", &shards[0], &shards[1]], files_below(dir.path()));
    let game = desk(
        "name = \"game\"\nvariants = [\"standard\"]\ngames = 7\nseed = 26\nlast_year = 1902\nthreads = 1\n\
                     log.orders = true\n[seats]\nall = \"greedy\"\n",
    );
    assert_eq!(play(game.path(), &["--quiet"]).code, 0);
    let run = the_run(game.path()).display().to_string();
    let saved = run_in(game.path(), &["replay", &run, "0", "--saved-game", "saved.json"], b"");
    assert_eq!(saved.code, 0, "{}", saved.error);
    let saved = fs::read_to_string(game.path().join("saved.json")).expect("a game");
    let import = Writer::new(&["import", "saved.json", "--threads", "1"], given(&[("saved.json", &saved)]));
    [search, join, import]
}

#[test]
fn searches_joined_shards_and_imported_games_lose_nothing_to_calls_that_fail_and_kills() {
    if !has_strace() {
        return;
    }
    // Two failing calls and two kills of each command; in slow tests every other call with one blow, with
    // `UPHEAVAL_SLOW_TESTS=4` every call with two.
    let fourths = amount(0, 1) as usize;
    for writer in writers() {
        let mut cases = Vec::new();
        for (at, &(calls, most)) in OTHER_CALLS.iter().enumerate().take(if fourths == 0 { 4 } else { 5 }) {
            if fourths == 0 {
                cases.push(Case { calls, number: (most / 4).max(1), blow: BLOWS[at % 2] });
            }
            for number in (1..=most).step_by(if fourths < 4 { 2 } else { 1 }) {
                let blows = (0..fourths.div_ceil(2).min(2)).map(|more| BLOWS[(at + number / 2 + more) % 4]);
                cases.extend(blows.map(|blow| Case { calls, number, blow }));
            }
        }
        let ended: Vec<Ended> = cases.into_iter().map(|case| writer.befall(case)).collect();
        println!("{:?}: {} cases, {ended:?}", writer.words, ended.len());
        for expected in [Ended::WithAnError, Ended::Killed] {
            assert!(ended.contains(&expected), "{:?}: something must befall: {ended:?}", writer.words);
        }
    }
}
