//! The tables on the first pages are the output of their commands: every line of a block of text below a command.

use std::path::Path;

use crate::page::blocks;
use crate::program::{run, run_in};

/// Runs the commands of a block, if the page shows their output; runs go into a folder.
fn printed(commands: &str, out: &Path) -> String {
    let mut text = String::new();
    for line in commands.lines() {
        let line =
            line.replace("cargo run --release --", "upheaval").replace("\"collapse MAR\"", "collapse·MAR");
        let words: Vec<String> = line.split_whitespace().map(|word| word.replace('·', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = match words.as_slice() {
            ["upheaval", "run", file] => {
                let file = testkit::path(file);
                run(&["run", file.to_str().unwrap(), "--quiet", "--out", out.to_str().unwrap()], b"")
            }
            // The page has a placeholder for the hash: it is the only run of that name.
            ["upheaval", "balance", folder] => {
                let name = folder.trim_start_matches("results/").trim_end_matches("0123456789ab");
                let entries = std::fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
                let there = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with(name);
                let folder = entries.into_iter().find(|path| there(path)).expect("it was just played");
                run(&["balance", folder.to_str().unwrap()], b"")
            }
            ["upheaval", "map", "check" | "import", ..] => continue,
            ["upheaval", "map", ..] if words.contains(&">") => continue,
            ["upheaval", rest @ ..] if ["variants", "bots", "map"].contains(&rest[0]) => {
                run_in(out, rest, b"")
            }
            _ => continue,
        };
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{line}");
        text += &done.out;
    }
    text
}

/// Compares the blocks of text of a page with the output of the commands above them.
fn compare(page: &str, least: usize) {
    let out = tempfile::tempdir().unwrap();
    let mut said = String::new();
    let mut compared = 0;
    for block in blocks(&testkit::read(page)) {
        match block.language.as_str() {
            "sh" => said = printed(&block.text, out.path()),
            "text" if !said.is_empty() => {
                for line in block.text.lines().filter(|line| !line.starts_with("files:") && !line.is_empty())
                {
                    assert!(
                        said.lines().any(|said| said == line),
                        "{page}:{}: not printed: {line}",
                        block.line
                    );
                    compared += 1;
                }
                said.clear();
            }
            _ => {}
        }
    }
    assert!(compared >= least, "{page}: only {compared} lines were compared");
}

#[test]
fn the_first_result_is_what_the_quickstart_prints() {
    compare("README.md", 9);
    compare("docs/first-run.md", 30);
}

#[test]
fn boards_are_what_the_command_prints() {
    compare("docs/map-command.md", 3);
}

#[test]
fn the_tables_of_the_guides_are_what_their_runs_print() {
    if testkit::runs_slow("the runs of docs/designers.md and docs/examples.md") {
        compare("docs/designers.md", 17);
        compare("docs/examples.md", 30);
    }
}
