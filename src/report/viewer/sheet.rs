//! Boards that share most of their content: each line of their SVG is stored once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The lines of all boards.
#[derive(Default)]
pub(super) struct Sheet {
    lines: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Sheet {
    /// Adds the lines of a board, and returns their numbers: `0-12,40,13-20`.
    pub(super) fn add(&mut self, board: &str) -> String {
        let numbers: Vec<usize> = board.lines().map(|line| self.number(line)).collect();
        let mut text = String::new();
        for run in numbers.chunk_by(|a, b| a + 1 == *b) {
            let comma = if text.is_empty() { "" } else { "," };
            // Writing into a string cannot fail.
            let _ = match run {
                [only] => write!(text, "{comma}{only}"),
                run => write!(text, "{comma}{}-{}", run[0], run[run.len() - 1]),
            };
        }
        text
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(&number) = self.places.get(line) {
            return number;
        }
        self.lines.push(line.to_owned());
        self.places.insert(line.to_owned(), self.lines.len() - 1);
        self.lines.len() - 1
    }

    /// The board with these numbers.
    pub(super) fn board(&self, numbers: &str) -> String {
        let run = |run: &str| {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            Some(first.parse().ok()?..=last.parse().ok()?)
        };
        let numbers = numbers.split(',').filter_map(run).flatten();
        numbers.filter_map(|number: usize| self.lines.get(number)).map(|line| format!("{line}\n")).collect()
    }

    /// All lines, by number.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_kept_once_and_boards_are_runs_of_lines() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.add("a\nb\nc\n"), "0-2");
        assert_eq!(sheet.add("a\nd\nb\nc\n"), "0,3,1-2");
        assert_eq!(sheet.add("d\n"), "3");
        assert_eq!(sheet.lines(), ["a", "b", "c", "d"]);
        assert_eq!(sheet.board("0,3,1-2"), "a\nd\nb\nc\n");
    }
}
