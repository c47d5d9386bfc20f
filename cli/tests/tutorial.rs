//! The tutorials from beginning to end: their commands are run, and their output must be that of the pages.
#![cfg(unix)]

use std::fs;

use crate::page::{CommandFolder, When, blocks, misfit};

/// Runs the commands of a page, and compares their output with the page. Its blocks of TOML are appended to a file.
/// Returns the folder in which they were run.
fn follow(page: &'static str, experiment: &str) -> CommandFolder {
    let text = fs::read_to_string(testkit::path(page)).unwrap();
    let desk = CommandFolder::new(page);
    let (mut ran, mut skipped, mut compared) = (0, 0, 0);
    let mut printed = None;
    for block in blocks(&text) {
        match block.language.as_str() {
            "sh" | "python" if desk.runs(block.when) => {
                printed = Some(desk.run(&block));
                ran += 1;
            }
            "sh" | "python" => {
                printed = None;
                skipped += usize::from(block.when == When::WithPython);
            }
            "text" => {
                let Some(printed) = &printed else { continue };
                if let Some(line) = misfit(&block.text, printed) {
                    panic!("{page}:{}: not printed: {line}\nbut\n{printed}", block.line);
                }
                compared += 1;
            }
            "toml" => {
                let file = fs::read_to_string(testkit::path(experiment)).unwrap();
                assert!(file.trim_end().ends_with(&block.text), "{page}:{}: another file", block.line);
            }
            other => panic!("{page}:{}: what is `{other}`?", block.line),
        }
    }
    assert!(ran >= 8 && compared >= 8, "{ran} blocks were run, {compared} compared: is the page still read?");
    if skipped > 0 {
        testkit::skipped(&format!("{skipped} blocks of {page} need a Python: `notebooks/run` runs them"));
    }
    desk
}

#[test]
fn the_page_of_the_paper_shows_what_its_commands_print() {
    follow("docs/tutorial.md", "experiments/tutorial.toml");
}

#[test]
fn the_page_of_the_fair_variant_shows_what_its_commands_print() {
    let desk = follow("docs/design.md", "experiments/design.toml");
    // The figure is the one that its command draws.
    let (drawn, kept) = (desk.folder.path().join("germany.svg"), testkit::path("docs/design.svg"));
    let drawn = fs::read_to_string(drawn).unwrap();
    if testkit::updates() {
        fs::write(&kept, &drawn).unwrap();
    }
    assert!(fs::read_to_string(kept).unwrap() == drawn, "docs/design.svg is a different figure");
}
