//! Parses map files, in JSON or in TOML, before any check of their content.

use std::ops::Range;

use super::super::map_file::MapFile;
use crate::wording;

/// A text that does not have the form of a map file.
pub(super) struct FormFault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What was wrong and what would be right.
    pub message: String,
}

/// Reads a file: TOML if its name ends in `.toml`, otherwise JSON.
pub(super) fn read(file: &str, text: &str) -> Result<MapFile, FormFault> {
    if file.ends_with(".toml") {
        return toml::from_str(text).map_err(|error| {
            let (line, column) = place(text, error.span().unwrap_or_default());
            FormFault { line, column, message: wording::of_toml(&error) }
        });
    }
    serde_json::from_str(text).map_err(|error| FormFault {
        line: error.line(),
        column: error.column(),
        message: wording::of_json(&error),
    })
}

/// The line and column of a byte, counted in characters.
fn place(text: &str, span: Range<usize>) -> (usize, usize) {
    let at = (0..=span.start.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
