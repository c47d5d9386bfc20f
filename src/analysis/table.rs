//! Tables as plain text for a terminal.

use std::fmt::{Display, Write};

/// A table that is written line by line: a label aligned to the left, then cells aligned to the right. A cell that is
/// wider than its column keeps all its characters and pushes the rest of its line to the right.
pub(crate) struct Table<'a> {
    out: &'a mut String,
    label: usize,
    widths: Vec<usize>,
}

impl<'a> Table<'a> {
    /// Writes the line of headings, each with the width of its column in characters.
    pub(crate) fn new<H: Display>(
        out: &'a mut String,
        (label, width): (&str, usize),
        columns: impl IntoIterator<Item = (H, usize)>,
    ) -> Table<'a> {
        let (headings, widths): (Vec<H>, Vec<usize>) = columns.into_iter().unzip();
        let mut table = Table { out, label: width, widths };
        table.row(label, headings);
        table
    }

    /// Writes a line.
    pub(crate) fn row<C: Display>(&mut self, label: impl Display, cells: impl IntoIterator<Item = C>) {
        // Writing into a string cannot fail. Not every type respects a format width, so cells are turned into text
        // first.
        let _ = write!(self.out, "{:<1$}", label.to_string(), self.label);
        for (cell, width) in cells.into_iter().zip(&self.widths) {
            let _ = write!(self.out, "{:>width$}", cell.to_string());
        }
        self.out.push('\n');
    }
}

/// The width of a column of power names.
pub(crate) fn power_width(names: impl IntoIterator<Item: AsRef<str>>) -> usize {
    names.into_iter().map(|name| name.as_ref().len() + 2).max().unwrap_or(0).max(9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_flush_left_and_cells_flush_right_by_characters() {
        let mut out = String::from("before\n");
        let mut table = Table::new(&mut out, ("who", 6), [("a", 3), ("±", 4)]);
        table.row("ÅÄÖ", ["1", "±2"]);
        table.row("longer than that", [12345, 6]);
        let expected = "before\nwho     a   ±\nÅÄÖ     1  ±2\nlonger than that12345   6\n";
        assert_eq!(out, expected);
    }
}
