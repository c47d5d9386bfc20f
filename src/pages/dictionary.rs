//! The dictionary of a column: the values that its indices represent.

use super::values::Spread;

/// The largest number of entries in a dictionary.
pub const MOST_ENTRIES: u32 = 1 << 12;

/// The concatenated entries of a dictionary, and their number.
pub(crate) struct Dictionary {
    pub bytes: Vec<u8>,
    pub entries: u32,
}

impl Dictionary {
    pub(crate) fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Dictionary {
        let mut dictionary = Dictionary { bytes: Vec::new(), entries: 0 };
        for text in texts {
            dictionary.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
            dictionary.bytes.extend_from_slice(text.as_bytes());
            dictionary.entries += 1;
        }
        dictionary
    }

    /// All numbers of the spread; `None` if there are too many.
    pub(crate) fn of_numbers(spread: Spread) -> Option<Dictionary> {
        if spread.count == 0 {
            return Some(Dictionary { bytes: Vec::new(), entries: 0 });
        }
        let entries = (spread.greatest - spread.least).checked_add(1).filter(|&n| n <= MOST_ENTRIES)?;
        let numbers = spread.least..=spread.greatest;
        Some(Dictionary { bytes: numbers.flat_map(u32::to_le_bytes).collect(), entries })
    }

    /// The bits of an index.
    pub(crate) fn width(&self) -> u32 {
        u32::BITS - self.entries.saturating_sub(1).leading_zeros()
    }
}
