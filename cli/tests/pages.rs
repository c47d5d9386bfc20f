//! The tables on the first pages are the output of their commands: every line of a block of text below a command.

use crate::page::{Block, CommandFolder, blocks};

/// Does a page show what a command prints?
fn is_shown(line: &&str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["upheaval", "run" | "balance", _] => true,
        ["upheaval", "map", "check" | "import", ..] => false,
        ["upheaval", "variants" | "bots" | "map", ..] => !words.contains(&">"),
        _ => false,
    }
}

/// Runs the commands of a block whose output the page shows.
fn printed(desk: &CommandFolder, mut block: Block) -> String {
    // The page has a placeholder for the hash: it is the only run of that name.
    let text = block.text.replace("cargo run --release --", "upheaval").replace("0123456789ab", "*");
    block.text = text.lines().filter(is_shown).collect::<Vec<_>>().join("\n");
    desk.run(&block)
}

/// Compares the blocks of text of a page with the output of the commands above them, in a folder of its own.
fn compare(page: &'static str, least: usize) {
    compare_in(&CommandFolder::new(page), page, least);
}

/// Compares the blocks of text of a page with the output of the commands above them. They print a run again that is in
/// the folder already.
fn compare_in(desk: &CommandFolder, page: &str, least: usize) {
    let mut said = String::new();
    let mut compared = 0;
    for block in blocks(&testkit::read(page)) {
        match block.language.as_str() {
            "sh" => said = printed(desk, block),
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
    if testkit::runs_slow("the run of README.md and docs/first-run.md") {
        let desk = CommandFolder::new("README.md");
        compare_in(&desk, "README.md", 9);
        compare_in(&desk, "docs/first-run.md", 30);
    }
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
