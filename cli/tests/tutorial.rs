//! `docs/tutorial.md` from beginning to end: its commands are run, and what they print must be what the page shows.
#![cfg(unix)]

use std::fs;

use crate::page::{Desk, When, blocks, misfit};

#[test]
fn the_page_shows_what_its_commands_print() {
    let page = fs::read_to_string(testkit::path("docs/tutorial.md")).unwrap();
    let desk = Desk::new("docs/tutorial.md");
    let (mut ran, mut skipped, mut compared) = (0, 0, 0);
    let mut printed = None;
    for block in blocks(&page) {
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
                    panic!("docs/tutorial.md:{}: not printed: {line}\nbut\n{printed}", block.line);
                }
                compared += 1;
            }
            "toml" => {
                let file = fs::read_to_string(testkit::path("experiments/tutorial.toml")).unwrap();
                assert!(
                    file.trim_end().ends_with(&block.text),
                    "docs/tutorial.md:{}: another file",
                    block.line
                );
            }
            other => panic!("docs/tutorial.md:{}: what is `{other}`?", block.line),
        }
    }
    assert!(ran >= 8 && compared >= 8, "{ran} blocks were run, {compared} compared: is the page still read?");
    if skipped > 0 {
        testkit::skipped(&format!(
            "{skipped} blocks of docs/tutorial.md need a Python: `notebooks/run` runs them"
        ));
    }
}
