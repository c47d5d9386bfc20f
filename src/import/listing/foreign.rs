//! Statements of DPjudge's map files for which a map file has no place. Without this table they would be read as names
//! of powers. The source is the page "DPjudge Map File Syntax" of that program.

use std::collections::BTreeMap;

use crate::note::ImportNote;
use crate::steps::step;

/// Why a statement is left out; `None` if it is not one of these.
pub(super) fn reason(statement: &str) -> Option<&'static str> {
    Some(match statement {
        "NOTIFY" | "FLAG" | "FLAGS" | "TEXTONLY" => "it concerns the pages and letters of DPjudge",
        "BEGIN" | "VICTORY" | "RULE" | "RULES" | "RESERVES" | "MILITIA" | "LEAGUE" => {
            "rules belong in a variant file"
        }
        "DUMMY" | "DUMMIES" | "CONTROL" | "ROTATE" | "TEAM" | "TEAMS" => {
            "an experiment says who plays a power"
        }
        "FLOW" => "the seasons of a year belong to the rules",
        "NEWHOMES" => "the homes of a map do not change",
        "DIRECTIVE" | "DIRECTIVES" => {
            "rules belong in a variant file, and so do the lines up to END DIRECTIVES"
        }
        "IN" | "FROM" => "a map file has no changes for single seasons",
        _ => return None,
    })
}

/// Why a sign that stands at a home or a centre is not supported; `None` if it is not one of these.
pub(super) fn sign(sign: char) -> Option<&'static str> {
    Some(match sign {
        '*' | '+' => "a place to build that is not a centre",
        '@' => "another home in place of one; the centre is not a home",
        '~' => "hidden builds; the centre is a home like any other",
        _ => return None,
    })
}

/// What is left out at one or more lines.
struct Entry {
    /// The first line.
    line: usize,
    /// The last line, and the number of lines between it and the first, with the last.
    last: usize,
    more: usize,
    /// What stands in the first line.
    statement: String,
    why: &'static str,
}

/// The lines of a source that a note names.
#[derive(Default)]
pub(super) struct LeftOut {
    /// By file, and by statement or reason.
    entries: BTreeMap<(String, String), Entry>,
    powers: Vec<ImportNote>,
}

impl LeftOut {
    /// A statement is left out.
    pub(super) fn statement(&mut self, file: &str, line: usize, statement: &str, why: &'static str) {
        self.record(file, line, statement, statement, why);
    }

    /// An entry of a list is left out, or something about it. Entries with one reason have one note.
    pub(super) fn entry(&mut self, file: &str, line: usize, entry: &str, why: &'static str) {
        self.record(file, line, why, entry, why);
    }

    fn record(&mut self, file: &str, line: usize, key: &str, statement: &str, why: &'static str) {
        step();
        let first = || Entry { line, last: line, more: 0, statement: statement.to_owned(), why };
        let entry = self.entries.entry((file.to_owned(), key.to_owned())).or_insert_with(first);
        entry.more += usize::from(entry.last != line);
        entry.last = line;
    }

    /// A line is read as the name of a power although nothing else says so.
    pub(super) fn read_as_power(&mut self, file: &str, line: usize, name: &str) {
        self.powers.push(ImportNote::ReadAsPower { file: file.to_owned(), line, name: name.to_owned() });
    }

    /// The notes.
    pub(super) fn notes(self) -> impl Iterator<Item = ImportNote> {
        let entries = self.entries.into_iter();
        self.powers.into_iter().chain(entries.map(|((file, _), entry)| {
            let Entry { line, more, statement, why, .. } = entry;
            ImportNote::NotSupported { file, line, more, statement, why }
        }))
    }
}
