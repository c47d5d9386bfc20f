//! Common helpers of the tests of all crates: paths in the repository, slow tests, files that a test keeps.
//!
//! This crate does not depend on `upheaval`, so the unit tests of each of its crates can use it. Helpers for maps,
//! games or bots are modules of the one test binary that uses them: `tests/helpers/`, `cli/tests/program/`. With the
//! feature `browser` it can open pages in Chromium.

pub mod browser;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that asks for slow tests: `UPHEAVAL_SLOW_TESTS=1` runs all of them as `.ci/run` does, a larger number
/// tries that many times as many random cases.
pub const SLOW_TESTS: &str = "UPHEAVAL_SLOW_TESTS";

/// The variable with which a test writes the files that it compares with: `UPDATE_EXPECT=1`. The crate `expect-test`
/// reads the same.
pub const UPDATE_EXPECT: &str = "UPDATE_EXPECT";

/// A file or folder of the repository, by its path from the root.
pub fn path(from_the_root: &str) -> PathBuf {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tests/testkit is below the root");
    root.join(from_the_root)
}

/// The text of a file of the repository.
///
/// # Panics
///
/// If the file cannot be read.
pub fn read(from_the_root: &str) -> String {
    let path = path(from_the_root);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// How many times as many random cases slow tests try; `None` if slow tests are not requested.
///
/// # Panics
///
/// If the variable holds anything but a number.
fn slow() -> Option<u64> {
    let value = std::env::var(SLOW_TESTS).ok().filter(|value| !value.is_empty())?;
    let times = value.parse().unwrap_or_else(|_| panic!("{SLOW_TESTS} is a number such as 1, not `{value}`"));
    Some(times).filter(|&times| times > 0)
}

/// Are slow tests run? If not, a line reports that `what` is left out of the running test.
pub fn runs_slow(what: &str) -> bool {
    let runs = tries_all();
    if !runs {
        skipped(&format!("{what}: {SLOW_TESTS}=1 runs that too"));
    }
    runs
}

/// Are slow tests run? For a test that only tries fewer cases without them, which is not worth a line.
pub fn tries_all() -> bool {
    slow().is_some()
}

/// A number of random cases: a few, or many if slow tests are run.
pub fn amount(few: u64, many: u64) -> u64 {
    slow().map_or(few, |times| many * times)
}

/// Every item of a list, or, if slow tests are not run, only every n-th.
pub fn thinned<T>(list: impl IntoIterator<Item = T>, each: usize) -> impl Iterator<Item = T> {
    list.into_iter().step_by(if tries_all() { 1 } else { each })
}

/// Reports that the running test, or a part of it, is skipped. The output of a test that passes is captured; this line
/// bypasses that.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    // The harness names the thread of a test after the test.
    let test = thread.name().unwrap_or("a test");
    // A reader that is gone is not a fault of the test.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// Are the files that tests compare with to be written?
pub fn updates() -> bool {
    std::env::var_os(UPDATE_EXPECT).is_some()
}

/// Is there a Python to run programs? If not, a line reports that the test is skipped.
pub fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        skipped("there is no python3 here");
    }
    found
}

/// Is there a Node.js to run programs? If not, a line reports that the test is skipped.
pub fn has_node() -> bool {
    let found = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        skipped("there is no node here");
    }
    found
}

/// Every file below a folder by its path from there, with its bytes.
///
/// # Panics
///
/// If a file or folder cannot be read.
pub fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).expect("a file");
                files.insert(path.strip_prefix(folder).expect("it is below").to_owned(), bytes);
            }
        }
    }
    files
}
