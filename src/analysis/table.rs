//! Tables of results, as plain text for a terminal.

use std::fmt::{Display, Write};

/// A column behind the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Cells are aligned to the right in this number of characters, which includes the gap to the column before.
    Right(usize),
    /// Cells begin after a gap of two characters and are padded to this width.
    Left(usize),
}

impl From<usize> for Column {
    fn from(width: usize) -> Column {
        Column::Right(width)
    }
}

/// A table that is written line by line: a label aligned to the left, then cells. A cell that is wider than its column
/// keeps all its characters and pushes the rest of its line to the right.
pub(crate) struct Table<'a> {
    out: &'a mut String,
    label: usize,
    columns: Vec<Column>,
}

impl<'a> Table<'a> {
    /// Writes the line of headings, each with its column.
    pub(crate) fn new<H: Display>(
        out: &'a mut String,
        (label, width): (&str, usize),
        columns: impl IntoIterator<Item = (H, impl Into<Column>)>,
    ) -> Table<'a> {
        let (headings, columns): (Vec<H>, Vec<Column>) =
            columns.into_iter().map(|(heading, column)| (heading, column.into())).unzip();
        let mut table = Table::without_headings(out, width, columns);
        table.row(label, headings);
        table
    }

    /// A table without a line of headings, or one that continues a table with these columns.
    pub(crate) fn without_headings(
        out: &'a mut String,
        label: usize,
        columns: impl IntoIterator<Item = impl Into<Column>>,
    ) -> Table<'a> {
        Table { out, label, columns: columns.into_iter().map(Into::into).collect() }
    }

    /// Writes a line.
    pub(crate) fn row<C: Display>(&mut self, label: impl Display, cells: impl IntoIterator<Item = C>) {
        let Table { out, label: label_width, columns } = self;
        // Writing into a string cannot fail. Not every type respects a format width, so cells are turned into text
        // first.
        let _ = write!(out, "{:<1$}", label.to_string(), *label_width);
        for (cell, column) in cells.into_iter().map(|cell| cell.to_string()).zip(&*columns) {
            let _ = match column {
                Column::Right(width) => write!(out, "{cell:>width$}"),
                Column::Left(width) => write!(out, "  {cell:<width$}"),
            };
        }
        if let Some(Column::Left(_)) = columns.last() {
            out.truncate(out.trim_end_matches(' ').len());
        }
        out.push('\n');
    }
}

/// `1 block`, `2 blocks`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The words of a p-value.
pub fn p(value: f64) -> String {
    if value < 0.001 { "p < 0.001".to_owned() } else { format!("p = {value:.3}") }
}

/// A number whose digits are in groups of three.
pub fn grouped(number: u64, between: char) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(between);
        }
        text.push(digit);
    }
    text
}

/// The width of a column of power names.
pub(crate) fn power_width(names: impl IntoIterator<Item: AsRef<str>>) -> usize {
    names.into_iter().map(|name| name.as_ref().len() + 2).max().unwrap_or(0).max(9)
}

/// The number of characters of the longest of these words, and at least `least`.
pub(crate) fn width_of<W: AsRef<str>>(words: impl IntoIterator<Item = W>, least: usize) -> usize {
    words.into_iter().map(|word| word.as_ref().chars().count()).max().unwrap_or(0).max(least)
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

    #[test]
    fn columns_of_words_are_flush_left_without_spaces_at_the_end() {
        let mut out = String::new();
        let columns = [("n", Column::Right(4)), ("word", Column::Left(6)), ("end", Column::Left(5))];
        let mut table = Table::new(&mut out, ("who", 4), columns);
        table.row("a", ["1", "one", "x"]);
        table.row("b", ["2", "two", ""]);
        assert_eq!(out, "who    n  word    end\na      1  one     x\nb      2  two\n");
    }
}
