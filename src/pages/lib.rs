//! Columns as Parquet pages.
//!
//! A run writes some ten rows for each phase, and most of what they say is one of few values that come again and again.
//! Here such a column goes from the rows to dictionary and bit-packed indices at once, without an array between them and
//! without a look-up for each value. `cargo bench -- encoding` measures the same tables by arrow's own writer beside it,
//! given arrays that lie ready with each text in its dictionary.
//!
//! Of `parquet` it uses what lies below the Arrow writer: `CompressedPage`, `PageWriter`, and the metadata of a column chunk.
//! These are public but may change with a major version, which is why the crate stands by itself.

mod chunk;
mod dictionary;
mod packer;
mod values;

use foldhash::fast::FixedState;
use indexmap::IndexSet;
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;

use self::chunk::Encoded;
use self::dictionary::Dictionary;
use self::packer::{Packer, hybrid};
use self::values::Spread;

pub use self::chunk::ColumnChunk;
pub use self::dictionary::MOST_ENTRIES;
pub use self::values::{Number, Numbers, Runs};

/// How many bits an index has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// As many as are needed.
    OfBits,
    /// Whole bytes. For what comes again and again in the same order, as the maps of games with the same catastrophes
    /// do: to be compressed well, what is the same must look the same wherever it begins.
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

/// A column of words of a closed list, given by their places in it.
pub fn words(column: ColumnDescPtr, words: &[&str], pieces: &[&dyn Numbers]) -> Result<ColumnChunk> {
    indices(column, pieces, spread(pieces), 0, Dictionary::of_texts(words.iter().copied()), Width::OfBits)
}

/// A column of texts. Each is in the dictionary once, in the order in which they come.
pub fn texts(column: ColumnDescPtr, pieces: &[&[Option<&str>]]) -> Result<ColumnChunk> {
    let mut texts = IndexSet::<&str, FixedState>::default();
    let places = each(pieces, |text| text.map(|text| texts.insert_full(text).0 as u32));
    indices(column, &[&places], spread(&[&places]), 0, Dictionary::of_texts(texts), Width::OfBits)
}

/// A column of hashes of which some come often.
pub fn hashes(column: ColumnDescPtr, pieces: &[&[u64]]) -> Result<ColumnChunk> {
    let mut hashes = IndexSet::<u64, FixedState>::default();
    let places = each(pieces, |hash| hashes.insert_full(hash).0 as u32);
    let entries = hashes.len() as u32;
    let dictionary = Dictionary { bytes: hashes.into_iter().flat_map(u64::to_le_bytes).collect(), entries };
    indices(column, &[&places], spread(&[&places]), 0, dictionary, Width::OfBits)
}

/// A column of numbers with fractions that rows share. Each is in the dictionary once, in the order in which they come.
pub fn floats(column: ColumnDescPtr, pieces: &[&Runs<Option<f32>>]) -> Result<ColumnChunk> {
    let mut floats = IndexSet::<u32, FixedState>::default();
    let mut places = Runs::<Option<u32>>::default();
    for &(value, rows) in pieces.iter().flat_map(|piece| &piece.runs) {
        places.push(value.map(|value| floats.insert_full(value.to_bits()).0 as u32), rows as usize);
    }
    let entries = floats.len() as u32;
    let dictionary = Dictionary { bytes: floats.into_iter().flat_map(u32::to_le_bytes).collect(), entries };
    indices(column, &[&places], spread(&[&places]), 0, dictionary, Width::OfBytes)
}

/// A column of hashes that never come twice.
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

/// What becomes of each value, piece by piece, for which there is room at once: pieces in a row do not say how long
/// they are together.
fn each<V: Copy, T>(pieces: &[&[V]], mut of: impl FnMut(V) -> T) -> Vec<T> {
    let mut all = Vec::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    pieces.iter().for_each(|piece| all.extend(piece.iter().map(|&value| of(value))));
    all
}

fn spread(pieces: &[&dyn Numbers]) -> Spread {
    pieces.iter().fold(Spread::NONE, |spread, piece| spread.and(piece.spread()))
}

/// A column of indices into a dictionary, which are the numbers less the least.
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
