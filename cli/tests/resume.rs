//! Killed at any instant, `upheaval run` goes on with the same command and ends with the bytes of a run that was never
//! killed.

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use program::run_in;

/// Sixteen chunks: of 256 games, for orders are logged.
const LONG: &str = r#"
name = "long"
variants = ["standard", "black-hole"]
games = 2002
seed = 1
last_year = 1902
threads = 2
log.orders = true

[seats]
lineup = ["greedy", "random", "hold", "hold", "hold", "hold", "hold"]
"#;

fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upheaval"));
    command.current_dir(dir).args(["run", "e.toml"]).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The files of the one run below `results`, all but its manifest.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let results = dir.join("results");
    let entries: Vec<_> = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [run] = entries.as_slice() else { panic!("one run and nothing else: {entries:?}") };
    let mut files = BTreeMap::new();
    let mut folders = vec![run.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("manifest.json") {
                files.insert(path.strip_prefix(run).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// How many chunks the journal below `results` lists.
fn finished(dir: &Path) -> usize {
    let Ok(entries) = fs::read_dir(dir.join("results")) else { return 0 };
    let journals = entries.flatten().map(|entry| entry.path());
    let journal = journals.filter(|path| path.extension().is_some_and(|e| e == "journal")).next();
    let text = journal.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

#[test]
fn a_run_killed_again_and_again_ends_with_the_same_bytes() {
    let [clean, dir] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for dir in [&clean, &dir] {
        fs::write(dir.path().join("e.toml"), LONG).unwrap();
    }
    let never_killed = run_in(clean.path(), &["run", "e.toml"], b"");
    assert_eq!(never_killed.code, 0, "{}", never_killed.error);
    // Longer and longer, so that it comes to an end on a machine of any speed; odd, so that it is hit anywhere.
    let (mut kills, mut went_on, mut before) = (0, 0, 0);
    for attempt in 0..40 {
        let mut child = command(dir.path()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(9_973 * (1 + attempt * attempt / 3)));
        let alive = child.try_wait().unwrap().is_none();
        let _ = child.kill(); // SIGKILL: it can do nothing about it
        child.wait().unwrap();
        if !alive {
            break;
        }
        kills += 1;
        let now = finished(dir.path());
        assert!(now >= before, "a finished chunk is lost: {before}, then {now}");
        went_on += usize::from(before > 0 && now > before);
        before = now;
    }
    assert!(kills > 3 && went_on > 0, "{kills} kills, gone on {went_on} times");
    let last = run_in(dir.path(), &["run", "e.toml"], b"");
    assert_eq!((last.code, last.out.as_str()), (0, never_killed.out.as_str()), "{}", last.error);
    assert!(files(dir.path()) == files(clean.path()));
}
