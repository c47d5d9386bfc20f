//! Whole numbers that `toml_edit` cannot hold. It supports signed 64-bit numbers, and a seed may use all 64
//! bits unsigned. While a text is edited, each such number is replaced by a stand-in of the same length that
//! `toml_edit` can hold, so that all positions in the text stay the same.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// The stand-ins in a text for numbers that are too wide.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    /// The original file.
    file: String,
    list: Vec<StandIn>,
}

#[derive(Debug)]
struct StandIn {
    shown: String,
    number: String,
}

impl StandIns {
    /// A whole file with stand-ins; `None` if it is not valid TOML.
    pub(super) fn in_file(&mut self, text: &str) -> Option<String> {
        let parsed = DeTable::parse(text).ok()?;
        let mut wide = Vec::new();
        for (_, value) in parsed.get_ref() {
            find(value.span(), value.get_ref(), &mut wide);
        }
        text.clone_into(&mut self.file);
        Some(self.put(text, wide))
    }

    /// A value with stand-ins. Text that is not a value is unchanged.
    pub(super) fn in_value(&mut self, text: &str) -> String {
        let Ok(parsed) = DeValue::parse(text) else { return text.to_owned() };
        let mut wide = Vec::new();
        find(parsed.span(), parsed.get_ref(), &mut wide);
        self.put(text, wide)
    }

    /// The text with the original numbers.
    pub(super) fn taken_out(&self, text: &str) -> String {
        self.list.iter().fold(text.to_owned(), |text, of| text.replace(&of.shown, &of.number))
    }

    fn put(&mut self, text: &str, mut wide: Vec<Range<usize>>) -> String {
        let mut shown = text.to_owned();
        wide.sort_by_key(|span| span.start);
        // Backwards, because earlier positions then stay valid.
        for span in wide.into_iter().rev() {
            let number = text[span.clone()].to_owned();
            let of_length = |count: usize| format!("0x{count:0>width$x}", width = number.len() - 2);
            // A number that occurs in neither text cannot be confused with another.
            let taken = |other: &String| {
                self.file.contains(other)
                    || text.contains(other)
                    || self.list.iter().any(|of| of.shown == *other)
            };
            let Some(free) = (1..).map(of_length).find(|other| !taken(other)) else { continue };
            shown.replace_range(span, &free);
            self.list.push(StandIn { shown: free, number });
        }
        shown
    }
}

/// Finds the numbers that are too wide.
fn find(span: Range<usize>, value: &DeValue<'_>, wide: &mut Vec<Range<usize>>) {
    match value {
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            if i64::from_str_radix(&digits, number.radix()).is_err() {
                wide.push(span);
            }
        }
        DeValue::Array(list) => {
            list.iter().for_each(|value| find(value.span(), value.get_ref(), wide));
        }
        DeValue::Table(table) => {
            table.iter().for_each(|(_, value)| find(value.span(), value.get_ref(), wide));
        }
        _ => {}
    }
}
