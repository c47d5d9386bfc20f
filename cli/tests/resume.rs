//! If `upheaval run` is killed at any instant, the same command resumes it, and the result has the same bytes as an
//! uninterrupted run. `upheaval` on an unfinished run is in `sessions/resume.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use testkit::tries_all;

use crate::program::{desk, play, run_in, the_run};

/// Sixteen chunks.
fn long() -> String {
    of_games(if tries_all() { 2002 } else { 126 })
}

/// Three arms in two shards: each shard has six of the twelve chunks.
fn swept() -> String {
    of_games(if tries_all() { 1001 } else { 63 })
        + "[[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 2]\n"
}

/// An experiment on two variants with this many games of each, which are stopped early. A chunk has 256, because orders
/// are logged; without slow tests it has 16, because the games might take 2,048 years.
fn of_games(games: u32) -> String {
    let last = if tries_all() { 1901 } else { 3948 };
    LONG.replace("GAMES", &games.to_string()).replace("LAST", &last.to_string())
}

const LONG: &str = r#"
name = "long"
variants = ["standard", "black-hole"]
games = GAMES
seed = 1
last_year = LAST
threads = 2
log.orders = true
stop = { lead = 1, years = 1 }

[seats]
lineup = ["greedy", "random", "hold", "hold", "hold", "hold", "hold"]
"#;

fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upheaval"));
    command
        .current_dir(dir)
        .args(["run", "e.toml"])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The files of the only run below `results`, except its manifest.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = testkit::files_below(&the_run(dir));
    files.remove(Path::new("manifest.json")).expect("a manifest");
    files
}

/// How many chunks the journal below `results` lists; `None` if the run is complete.
fn finished(dir: &Path) -> Option<usize> {
    let Ok(entries) = fs::read_dir(dir.join("results")) else { return Some(0) };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    if paths.iter().any(|path| path.join("manifest.json").exists() && !is_hidden(path)) {
        return None;
    }
    let journal = paths.iter().find(|path| path.extension().is_some_and(|e| e == "journal"));
    let text = journal.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    Some(text.lines().count().saturating_sub(1))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Random moments, from a seed that a failed test prints: `UPHEAVAL_KILL_SEED` repeats them. The progress of a process
/// by then still depends on the machine.
struct Moments {
    seed: u64,
    drawn: u64,
}

impl Moments {
    fn new() -> Moments {
        let given = std::env::var("UPHEAVAL_KILL_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = || std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.subsec_nanos().into());
        let seed = given.unwrap_or_else(now);
        println!("UPHEAVAL_KILL_SEED={seed} tries the same moments again");
        Moments { seed, drawn: 0 }
    }

    /// The next, up to this long.
    fn next(&mut self, most: Duration) -> Duration {
        self.drawn += 1;
        let hash = blake3::hash(format!("{} {}", self.seed, self.drawn).as_bytes());
        let drawn = u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap());
        most.mul_f64(drawn as f64 / u64::MAX as f64)
    }
}

/// Kills a run at random moments. `least` is how often it must have been killed, and how often it must have made
/// progress in between. On a busy machine a run may be over before that: then another one is killed.
fn kill_again_and_again(dir: &Path, arguments: &[&str], moments: &mut Moments, least: (u32, u32)) {
    let is_enough = (0..20).any(|_| {
        let _ = fs::remove_dir_all(dir.join("results"));
        let (kills, went_on) = kill_one(dir, arguments, moments);
        kills >= least.0 && went_on >= least.1
    });
    assert!(is_enough, "20 runs were over too early");
}

/// Kills the run at random moments until it is complete, or has been killed often enough. Returns how often it was
/// killed, and how often it had made progress in between.
fn kill_one(dir: &Path, arguments: &[&str], moments: &mut Moments) -> (u32, u32) {
    let (mut kills, mut went_on, mut before) = (0, 0, 0);
    let mut most = Duration::from_millis(60);
    for _ in 0..60 {
        let mut child = command(dir, arguments).spawn().unwrap();
        let moment = moments.next(most);
        std::thread::sleep(moment);
        let alive = child.try_wait().unwrap().is_none();
        let _ = child.kill(); // SIGKILL: it cannot be handled
        child.wait().unwrap();
        if !alive {
            break;
        }
        kills += 1;
        println!("killed after {moment:?}");
        let Some(now) = finished(dir) else { break };
        assert!(now >= before, "a finished chunk is lost: {before}, then {now}");
        // The interval grows while there is no progress, so that the run ends on a machine of any speed.
        most = if now > before { most } else { most.mul_f64(1.3) };
        went_on += u32::from(before > 0 && now > before);
        before = now;
    }
    (kills, went_on)
}

#[test]
fn a_run_killed_again_and_again_at_random_moments_ends_with_the_same_bytes() {
    let [clean, dir] = [desk(&long()), desk(&long())];
    let never_killed = play(clean.path(), &[]);
    assert_eq!(never_killed.code, 0, "{}", never_killed.error);
    kill_again_and_again(dir.path(), &[], &mut Moments::new(), (4, 1));
    let last = play(dir.path(), &[]);
    assert_eq!((last.code, last.out.as_str()), (0, never_killed.out.as_str()), "{}", last.error);
    assert!(files(dir.path()) == files(clean.path()));
}

#[test]
fn the_shards_of_a_sweep_killed_again_and_again_join_to_the_same_bytes() {
    let [clean, dir] = [desk(&swept()), desk(&swept())];
    assert_eq!(play(clean.path(), &[]).code, 0);
    let mut moments = Moments::new();
    // Each in a folder of its own, as on two machines.
    let machines = ["1/2", "2/2"].map(|shard| {
        let machine = desk(&swept());
        kill_again_and_again(machine.path(), &["--shard", shard], &mut moments, (1, 0));
        assert_eq!(play(machine.path(), &["--shard", shard]).code, 0);
        machine
    });
    let [first, second] = machines.each_ref().map(|machine| the_run(machine.path()).display().to_string());
    let done = run_in(dir.path(), &["join", &second, &first, "--out", "results"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(files(dir.path()) == files(clean.path()));
}
