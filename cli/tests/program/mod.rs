//! Runs the program and checks its results. It never panics, whatever its input.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub fn upheaval() -> Command {
    Command::cargo_bin("upheaval").unwrap()
}

/// The results of a run of the program.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub error: String,
}

impl Done {
    /// The one JSON value on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON and nothing else")
    }

    pub fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs the program in a folder with these arguments and this on standard input.
pub fn run_in(folder: &Path, arguments: &[&str], input: &[u8]) -> Done {
    let output = upheaval().current_dir(folder).args(arguments).write_stdin(input).output().unwrap();
    let error = String::from_utf8(output.stderr).expect("errors are text");
    assert!(!error.contains("panicked"), "{arguments:?}: {error}");
    let out = String::from_utf8(output.stdout).expect("output is text");
    let code = output.status.code().expect("no signal ended it");
    Done { code, out, error }
}

pub fn run(arguments: &[&str], input: &[u8]) -> Done {
    run_in(Path::new("."), arguments, input)
}

/// The commands below a command, as its help lists them.
pub fn commands(path: &[&str]) -> Vec<String> {
    let help = run(&[path, &["-h"]].concat(), b"").out;
    let list = match path {
        [] => help.split_once("Usage:").and_then(|(_, rest)| rest.split_once("Options:")).expect("groups").0,
        _ => help.split_once("\nCommands:\n").map_or("", |(_, list)| list),
    };
    let names = list.lines().take_while(|line| path.is_empty() || !line.is_empty());
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = names.filter(is_name).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// A folder with an experiment of this text in `e.toml`.
pub fn desk(text: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e.toml"), text).unwrap();
    dir
}

/// `upheaval run e.toml` in a folder, with these additional arguments.
pub fn play(dir: &Path, arguments: &[&str]) -> Done {
    run_in(dir, &[&["run", "e.toml"], arguments].concat(), b"")
}

/// A folder with the experiment of this text and its run, and the run.
pub fn played(text: &str) -> (TempDir, PathBuf) {
    let dir = desk(text);
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let run = the_run(dir.path());
    (dir, run)
}

/// The contents of a folder such as `results`, by name.
pub fn runs(results: &Path) -> Vec<PathBuf> {
    let mut runs: Vec<_> = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.sort();
    runs
}

/// The only run below `results` of a folder.
pub fn the_run(dir: &Path) -> PathBuf {
    let runs = runs(&dir.join("results"));
    let [run] = &runs[..] else { panic!("one run: {runs:?}") };
    run.clone()
}

/// The manifest of a run.
pub fn manifest(run: &Path) -> Value {
    serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap()
}

/// Where pictures of pages are kept.
pub fn screenshots() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots")
}
