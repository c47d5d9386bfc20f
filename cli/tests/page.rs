//! Pages whose commands are run in a folder of their own, and whose output must be that of the page. With
//! `UPHEAVAL_PYTHON` (`notebooks/run` sets it) all commands are run, with the program that `UPHEAVAL` names, if it is
//! set; otherwise long runs and Python are left out.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

use tempfile::TempDir;

/// The mark for anything that a page leaves out: alone on a line it stands for any lines, within one for any text.
pub const LEFT_OUT: &str = "…";

/// When the commands of a block are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    #[default]
    Always,
    /// `<!-- notebooks/run -->`: if there is a Python and time.
    WithPython,
    /// `<!-- by hand -->`: it builds or installs.
    Never,
}

/// A fenced block.
#[derive(Clone)]
pub struct Block {
    pub line: usize,
    pub language: String,
    /// The name beside the language.
    pub name: String,
    /// By the mark before it.
    pub when: When,
    pub text: String,
}

/// A piece of a page: a line of prose, or a block.
#[derive(Clone)]
pub enum Piece {
    Prose(String),
    Block(Block),
}

/// The pieces of a page.
pub fn pieces(page: &str) -> Vec<Piece> {
    let (mut pieces, mut when) = (Vec::new(), When::Always);
    let mut lines = page.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            when = match line {
                "<!-- notebooks/run -->" => When::WithPython,
                "<!-- by hand -->" => When::Never,
                _ => when,
            };
            pieces.push(Piece::Prose(line.to_owned()));
            continue;
        };
        let (language, name) = info.split_once(' ').unwrap_or((info, ""));
        let text = lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```");
        pieces.push(Piece::Block(Block {
            line: number,
            language: language.to_owned(),
            name: name.to_owned(),
            when: std::mem::take(&mut when),
            text: text.flat_map(|line| [line, "\n"]).collect(),
        }));
    }
    pieces
}

/// The blocks of a page.
pub fn blocks(page: &str) -> impl Iterator<Item = Block> {
    pieces(page).into_iter().filter_map(|piece| match piece {
        Piece::Block(block) => Some(block),
        Piece::Prose(_) => None,
    })
}

/// The folder of the Python to which the path of programs leads, with a colon; nothing without a Python. A script that
/// chooses a version of Python at each start can take longer than the programs of the tests.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let folder = "import os, sys; print(os.path.dirname(sys.executable), end=':')";
    let told = Command::new("python3").args(["-c", folder]).output();
    told.map_or_else(|_| String::new(), |told| String::from_utf8_lossy(&told.stdout).into_owned())
});

/// The path of programs with this folder before it.
pub fn path_with(folder: &Path) -> String {
    format!("{}:{}{}", folder.display(), *PYTHON, env::var("PATH").unwrap_or_default())
}

/// Does a line agree with the line of the page?
pub fn line_fits(shown: &str, found: &str) -> bool {
    let pieces: Vec<&str> = shown.split(LEFT_OUT).collect();
    let [first, within @ .., last] = pieces.as_slice() else { return shown == found };
    let Some(mut rest) = found.strip_prefix(first) else { return false };
    for piece in within {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// The first line of the page that is not in the output, if there is one.
pub fn misfit<'a>(shown: &'a str, printed: &str) -> Option<&'a str> {
    let mut found = printed.lines().map(str::trim_end);
    let mut anywhere = false;
    for line in shown.lines() {
        if line == LEFT_OUT {
            anywhere = true;
            continue;
        }
        let fits = |found: &str| line_fits(line, found);
        let there = if anywhere { found.any(fits) } else { found.next().is_some_and(fits) };
        if !there {
            return Some(line);
        }
        anywhere = false;
    }
    (!anywhere && found.next().is_some()).then_some("the end")
}

/// A folder that looks to the commands like the repository with the program installed.
pub struct CommandFolder {
    pub folder: TempDir,
    page: &'static str,
    python: Option<PathBuf>,
}

impl CommandFolder {
    /// A folder for the commands of this page.
    pub fn new(page: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| env::var(name).ok().map(|path| testkit::path(&path));
        let python = named("UPHEAVAL_PYTHON");
        let program = python.as_ref().and_then(|_| named("UPHEAVAL"));
        let program = program.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_upheaval")));
        let at = |path: &str| folder.path().join(path);
        for inner in ["bin", "venv/bin"] {
            fs::create_dir_all(at(inner)).unwrap();
        }
        for inner in ["experiments", "notebooks"] {
            symlink(testkit::path(inner), at(inner)).unwrap();
        }
        symlink(program, at("bin/upheaval")).unwrap();
        if let Some(python) = &python {
            // A link would leave its environment behind.
            fs::write(at("venv/bin/python"), format!("#!/bin/sh\nexec '{}' \"$@\"\n", python.display()))
                .unwrap();
            fs::set_permissions(at("venv/bin/python"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { folder, page, python }
    }

    pub fn runs(&self, when: When) -> bool {
        match when {
            When::Always => true,
            When::WithPython => self.python.is_some(),
            When::Never => false,
        }
    }

    /// Runs a block; returns its output.
    pub fn run(&self, block: &Block) -> String {
        let (program, flag) = match block.language.as_str() {
            "sh" => ("sh", "-ec"),
            "python" => ("venv/bin/python", "-c"),
            other => panic!("line {}: nothing runs `{other}`", block.line),
        };
        let path = path_with(&self.folder.path().join("bin"));
        let mut command = match program {
            "sh" => Command::new("sh"),
            inner => Command::new(self.folder.path().join(inner)),
        };
        let done = command
            .args([flag, &block.text])
            .current_dir(self.folder.path())
            .envs([("PATH", path.as_str()), ("MPLBACKEND", "agg"), ("PYTHONDONTWRITEBYTECODE", "1")])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{}:{}: {}\n{error}", self.page, block.line, block.text);
        String::from_utf8(done.stdout).expect("what is printed is text")
    }
}

#[test]
fn what_is_not_printed_is_found() {
    let printed = "one  \ntwo 2 of 3\nthree\nfour\n";
    for fits in [
        "one\ntwo 2 of 3\nthree\nfour",
        "…",
        "…\nthree\n…",
        "one\n…\nfour",
        "…\ntwo … of …\n…",
        "one\n…\ntwo 2 of 3\n…",
    ] {
        assert_eq!(misfit(fits, printed), None, "{fits}");
    }
    for (shown, line) in [
        ("one\n…\nfive", "five"),
        ("one\ntwo 3 of 3\n…", "two 3 of 3"),
        ("…\ntwo … of 4\n…", "two … of 4"),
        ("…\nfour\n…\nthree", "three"),
        ("one\ntwo 2 of 3", "the end"),
        ("…\nthree", "the end"),
        ("…\nfour\nfive", "five"),
    ] {
        assert_eq!(misfit(shown, printed), Some(line), "{shown}");
    }
    assert!(!line_fits("aba…ba", "aba"), "what stands on both sides occurs twice");
    let page = "<!-- by hand -->\n\n```sh\ncargo x\n```\n\n```text\n…\n```\n";
    let read: Vec<_> = blocks(page).map(|block| (block.line, block.when, block.text)).collect();
    assert_eq!(read, [(3, When::Never, "cargo x\n".to_owned()), (7, When::Always, "…\n".to_owned())]);
}
