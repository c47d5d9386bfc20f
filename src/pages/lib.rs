//! Columns as Parquet pages.
//!
//! A run writes some ten rows for each phase, and most of their columns have few different values that
//! repeat. Here such a column is converted directly from the rows to a dictionary and bit-packed indices,
//! without an intermediate array and without a look-up for each value. `cargo bench -- encoding` compares
//! this with arrow's own writer on the same tables, given arrays with their texts already in a dictionary.
//!
//! This crate uses the layer of `parquet` below the Arrow writer: `CompressedPage`, `PageWriter`, and the
//! metadata of a column chunk. These are public but may change with a major version, which is why this is a
//! separate crate.

mod chunk;

use foldhash::fast::FixedState;
use indexmap::IndexSet;
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

use crate::chunk::{Dictionary, Encoded, Packer, Spread, hybrid};

pub use crate::chunk::{ColumnChunk, MOST_ENTRIES, Number, Numbers, Runs};

/// The width of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// As many bits as are needed.
    OfBits,
    /// Whole bytes. For values that repeat in the same order, as the maps of games with the same catastrophes
    /// do: they compress well only if equal sequences have equal bytes wherever they begin.
    OfBytes,
}

/// A column of numbers.
pub fn numbers(column: ColumnDescPtr, pieces: &[&dyn Numbers], width: Width) -> Result<ColumnChunk> {
    let spread = spread(pieces);
    match Dictionary::of_numbers(spread) {
        Some(dictionary) => indices(column, pieces, spread, spread.least, dictionary, width),
        None => {
            let mut packer = Packer::new(u32::BITS, Vec::with_capacity(4 * spread.count));
            pieces.iter().for_each(|piece| piece.pack(0, &mut packer));
            Encoded::new(&column, pieces, spread, None, packer.into_plain()).into_chunk(column)
        }
    }
}

/// A column of words from a closed list, given by their indices.
pub fn words(column: ColumnDescPtr, words: &[&str], pieces: &[&dyn Numbers]) -> Result<ColumnChunk> {
    indices(column, pieces, spread(pieces), 0, Dictionary::of_texts(words.iter().copied()), Width::OfBits)
}

/// A column of texts. Each different text is in the dictionary once, in the order of first occurrence.
pub fn texts(column: ColumnDescPtr, pieces: &[&[Option<&str>]]) -> Result<ColumnChunk> {
    let mut texts = IndexSet::<&str, FixedState>::default();
    let places = each(pieces, |text| text.map(|text| texts.insert_full(text).0 as u32));
    indices(column, &[&places], spread(&[&places]), 0, Dictionary::of_texts(texts), Width::OfBits)
}

/// A column of hashes, some of which repeat often.
pub fn hashes(column: ColumnDescPtr, pieces: &[&[u64]]) -> Result<ColumnChunk> {
    let mut hashes = IndexSet::<u64, FixedState>::default();
    let places = each(pieces, |hash| hashes.insert_full(hash).0 as u32);
    let dictionary = Dictionary::of_fixed(hashes.into_iter().map(u64::to_le_bytes));
    indices(column, &[&places], spread(&[&places]), 0, dictionary, Width::OfBits)
}

/// A column of fractional numbers shared by several rows. Each different one is in the dictionary once, in
/// the order of first occurrence.
pub fn floats(column: ColumnDescPtr, pieces: &[&Runs<Option<f32>>]) -> Result<ColumnChunk> {
    let mut floats = IndexSet::<u32, FixedState>::default();
    let mut places = Runs::<Option<u32>>::default();
    for &(value, rows) in pieces.iter().flat_map(|piece| &piece.runs) {
        places.push(value.map(|value| floats.insert_full(value.to_bits()).0 as u32), rows as usize);
    }
    let dictionary = Dictionary::of_fixed(floats.into_iter().map(u32::to_le_bytes));
    indices(column, &[&places], spread(&[&places]), 0, dictionary, Width::OfBytes)
}

/// A column of hashes that never repeat.
pub fn unique_hashes(column: ColumnDescPtr, pieces: &[&[u64]]) -> Result<ColumnChunk> {
    let values = each(pieces, u64::to_le_bytes).into_flattened();
    let rows = values.len() / size_of::<u64>();
    Encoded {
        rows,
        spread: Spread { count: rows, ..Spread::NONE },
        levels: Vec::new(),
        dictionary: None,
        values,
    }
    .into_chunk(column)
}

/// Applies the function to each value, piece by piece, reserving space once: chained iterators do not know
/// their total length.
fn each<V: Copy, T>(pieces: &[&[V]], mut of: impl FnMut(V) -> T) -> Vec<T> {
    let mut all = Vec::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    pieces.iter().for_each(|piece| all.extend(piece.iter().map(|&value| of(value))));
    all
}

fn spread(pieces: &[&dyn Numbers]) -> Spread {
    pieces.iter().fold(Spread::NONE, |spread, piece| spread.and(piece.spread()))
}

/// A column of indices into a dictionary; each index is the number minus the least one.
fn indices(
    column: ColumnDescPtr,
    pieces: &[&dyn Numbers],
    spread: Spread,
    least: u32,
    dictionary: Dictionary,
    width: Width,
) -> Result<ColumnChunk> {
    let width = match width {
        Width::OfBits => dictionary.width(),
        Width::OfBytes => dictionary.width().next_multiple_of(8),
    };
    let mut values = Vec::with_capacity(16 + spread.count * width as usize / 8);
    values.push(width as u8);
    let values = hybrid(width, spread.count, values, |packer| {
        pieces.iter().for_each(|piece| piece.pack(least, packer));
    });
    Encoded::new(&column, pieces, spread, Some(dictionary), values).into_chunk(column)
}
