//! Sessions with the program as a shell shows them: the pages in `cli/tests/sessions`. Their commands are run, and the
//! pages must have what they print; `UPDATE_EXPECT=1` writes it, and a person reads the change.
//!
//! Each section of a page is a session in a new folder, after the blocks before the first section. A block of `sh` is
//! a script, and the block of `text` below it has what it prints, errors included; without one it prints nothing. Any
//! other block is a file with the name beside its language. `…` stands for what differs from time to time, `$PWD` for
//! the folder, and `$REPO` leads to the files of the repository. A page whose name ends in `_long` has what another page
//! has less of, and is only followed with the slow tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::expect_file;

use crate::page::{Block, LEFT_OUT, Piece, line_fits, misfit, path_with, pieces};

macro_rules! pages {
    ($($page:ident)*) => {
        $(#[test]
        fn $page() {
            follow(concat!("cli/tests/sessions/", stringify!($page), ".md"));
        })*

        #[test]
        fn every_page_of_the_folder_is_followed() {
            let folder = fs::read_dir(testkit::path("cli/tests/sessions")).unwrap();
            assert_eq!(folder.count(), [$(stringify!($page)),*].len());
        }
    };
}
pages!(
    adjudicate adjudicate_army_fleets adjudicate_black_hole adjudicate_black_hole_i
    adjudicate_black_hole_ii adjudicate_boarding adjudicate_deluge_ii
    adjudicate_double_reversible adjudicate_illegal adjudicate_nature adjudicate_phases adjudicate_schizo_ii
    adjudicate_seismic_1971 adjudicate_seismic_acerunner adjudicate_seismic_acerunner_long adjudicate_state
    adjudicate_typed adjudicate_winter balance bots compliance compliance_long compliance_node daide daide_long experiment
    experiment_refused game guests help import import_saved json ladder links map map_import_drawings map_import_lists memory
    memory_long new own_board plan programs programs_again programs_again_long programs_fail
    programs_fail_long replay replay_changed replay_changed_long report resume settings shard shell
    shuffle sweep terminal tournament tournament_refused tune tune_refused variant_refused variants verify
    verify_long viewer viewer_long what_if
);

/// Runs the commands of a page, and compares it with what it would be with their output. Some pages need a Python or a
/// Node.js.
fn follow(page: &str) {
    if page.ends_with("_long.md") && !testkit::runs_slow(page) {
        return;
    }
    let text = testkit::read(page);
    let lacks = |program: &str, has: fn() -> bool| text.contains(program) && !has();
    if lacks("python3", testkit::has_python) || lacks("node ", testkit::has_node) {
        return;
    }
    let pieces = pieces(&text);
    let is_section = |piece: &Piece| matches!(piece, Piece::Prose(line) if line.starts_with("## "));
    let starts: Vec<usize> = (0..pieces.len()).filter(|&at| is_section(&pieces[at])).collect();
    let before = &pieces[..starts[0]];
    let mut now = String::new();
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(pieces.len());
        let session: Vec<Piece> = [before, &pieces[start..end]].concat();
        let shown = play(page, &session);
        let head = if at == 0 { 0 } else { shown.find("\n## ").unwrap() + 1 };
        now += &shown[head..];
    }
    expect_file![testkit::path(page)].assert_eq(&now);
}

/// Plays a session, and returns its page with what was printed.
fn play(page: &str, session: &[Piece]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = String::new();
    let mut pieces = session.iter().peekable();
    let block = |info: &str, text: &str| format!("```{info}\n{text}```\n");
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Prose(line) => shown += &format!("{line}\n"),
            Piece::Block(Block { language, text: script, .. }) if language == "sh" => {
                shown += &block("sh", script);
                let printed = run(folder.path(), script);
                let blank = pieces.next_if(|piece| matches!(piece, Piece::Prose(line) if line.is_empty()));
                let old =
                    pieces.next_if(|piece| matches!(piece, Piece::Block(block) if block.language == "text"));
                let kept = match &old {
                    Some(Piece::Block(block)) => block.text.as_str(),
                    _ => "",
                };
                if !printed.is_empty() {
                    shown += &format!("\n{}", block("text", &merged(kept, &printed)));
                }
                if blank.is_some() && old.is_none() {
                    shown += "\n";
                }
            }
            Piece::Block(Block { language, name, text, .. }) => {
                assert!(
                    !name.is_empty() && language != "text",
                    "{page}: a block of {language} after no command"
                );
                fs::write(folder.path().join(name), text).unwrap();
                shown += &block(&format!("{language} {name}"), text);
            }
        }
    }
    shown
}

/// Runs a script in a folder; returns what it prints, and its exit code unless it is 0.
pub fn run(folder: &Path, script: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_upheaval")).parent().unwrap();
    let done = Command::new("sh")
        .args(["-ec", &format!("exec 2>&1\n{script}")])
        .current_dir(folder)
        .envs([
            ("LC_ALL", "C.UTF-8"),
            ("PATH", &path_with(program)),
            ("REPO", testkit::path("").to_str().unwrap()),
        ])
        .env_remove("UPHEAVAL_PYTHON")
        .output()
        .unwrap();
    let mut printed = String::from_utf8(done.stdout).expect("output is text");
    assert!(!printed.contains("panicked"), "{printed}");
    let here = fs::canonicalize(folder).unwrap();
    printed = printed.replace(here.to_str().unwrap(), "$PWD");
    if !printed.is_empty() && !printed.ends_with('\n') {
        printed += "\n[no end of line]\n";
    }
    match done.status.code() {
        Some(0) => printed,
        code => printed + &format!("[exit code {}]\n", code.expect("no signal ended it")),
    }
}

/// The lines that were printed, those that fit a kept line with an omission as it is kept.
fn merged(kept: &str, printed: &str) -> String {
    if misfit(kept, printed).is_none() {
        return kept.to_owned();
    }
    let patterns: Vec<&str> =
        kept.lines().filter(|line| line.contains(LEFT_OUT) && *line != LEFT_OUT).collect();
    let line = |line| patterns.iter().find(|pattern| line_fits(pattern, line)).copied().unwrap_or(line);
    printed.lines().flat_map(|printed| [line(printed), "\n"]).collect()
}
