//! Whole numbers that `toml_edit` cannot hold. It supports signed 64-bit numbers, and a seed may use all 64
//! bits unsigned. While a text is edited, each such number is replaced by a stand-in of the same length that
//! `toml_edit` can hold, so that all positions in the text stay the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

/// The stand-ins for numbers that are too wide, in a file and in values that are put into it.
#[derive(Debug)]
pub(super) struct StandIns {
    /// The words of all texts that look like a stand-in, which is none of them.
    words: BTreeSet<String>,
    /// The number of stand-ins that were tried.
    tried: u64,
    /// The numbers, by their stand-ins.
    numbers: BTreeMap<String, String>,
}

impl StandIns {
    /// None yet, for a file and settings.
    pub(super) fn new(file: &str, settings: &[String]) -> StandIns {
        let texts = settings.iter().map(String::as_str).chain([file]);
        let words = texts.flat_map(|text| text.split(is_between)).filter(|word| word.starts_with("0x"));
        StandIns { words: words.map(str::to_owned).collect(), tried: 0, numbers: BTreeMap::new() }
    }

    /// A text, which is parsed, with stand-ins.
    pub(super) fn of(&mut self, text: &str, parsed: &Spanned<DeValue<'_>>) -> String {
        let mut wide = Vec::new();
        find(parsed.span(), parsed.get_ref(), &mut wide);
        self.put(text, wide)
    }

    /// A value with stand-ins. Text that is not a value is unchanged.
    pub(super) fn in_value(&mut self, text: &str) -> String {
        DeValue::parse(text).map_or_else(|_| text.to_owned(), |parsed| self.of(text, &parsed))
    }

    /// The text with the original numbers.
    pub(super) fn taken_out(&self, text: &str) -> String {
        let mut original = String::with_capacity(text.len());
        for piece in text.split_inclusive(is_between) {
            let word = piece.trim_end_matches(is_between);
            let number = self.numbers.get(word);
            original.push_str(number.map_or(word, String::as_str));
            original.push_str(&piece[word.len()..]);
        }
        original
    }

    fn put(&mut self, text: &str, mut wide: Vec<Range<usize>>) -> String {
        wide.sort_by_key(|span| span.start);
        let (mut shown, mut end) = (String::with_capacity(text.len()), 0);
        for span in wide {
            let number = &text[span.clone()];
            let free = self.free(number.len());
            shown.push_str(&text[end..span.start]);
            shown.push_str(&free);
            end = span.end;
            self.numbers.insert(free, number.to_owned());
        }
        shown + &text[end..]
    }

    /// A number of this length, at least 18, that is in none of the texts.
    fn free(&mut self, length: usize) -> String {
        loop {
            self.tried += 1;
            let digits = format!("{:x}", self.tried);
            let number = format!("0x{}{digits}", "0".repeat(length - 2 - digits.len()));
            if !self.words.contains(&number) {
                return number;
            }
        }
    }
}

fn is_between(character: char) -> bool {
    !character.is_ascii_alphanumeric()
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
