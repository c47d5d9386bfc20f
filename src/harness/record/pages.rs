//! Columns as Parquet pages.
//!
//! The library could encode them too, at some 70 to 300 instructions a value: it is handed a word's letters and looks
//! each up in a hash table, and it takes every number for 32 bits. But rows know which word it is, and most numbers
//! are a few bits wide: here a value costs 20, compression and all. Headers and the file are still the library's.
//!
//! ```text
//!   dictionary page       data page
//!   S F W                 rows that have a value,     width │ indices into the dictionary,
//!                         a bit each, if not all do         │ that many bits each
//! ```
//!
//! A column of numbers has all from the least to the greatest in its dictionary. Where that would be too many, the
//! page holds the numbers as they are.

use std::cell::RefCell;

use bytes::Bytes;
use foldhash::fast::FixedState;
use indexmap::IndexSet;
use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// The most numbers in a dictionary.
const MOST_ENTRIES: u32 = 1 << 12;

/// How hard pages are compressed. Less hard saves no time worth the bytes: most columns have few to compress.
const LEVEL: i32 = 1;

thread_local! {
    /// Each thread's compressor, kept from page to page: to make one costs as much as a page.
    static COMPRESSOR: RefCell<std::io::Result<zstd::bulk::Compressor<'static>>> =
        RefCell::new(zstd::bulk::Compressor::new(LEVEL));
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    COMPRESSOR
        .with_borrow_mut(|compressor| match compressor {
            Ok(compressor) => compressor.compress(bytes),
            Err(error) => Err(std::io::Error::new(error.kind(), error.to_string())),
        })
        .map_err(|error| ParquetError::External(Box::new(error)))
}

/// A value of a column: a number, the place of a word in its list, or neither.
pub trait Number: Copy + Send + Sync + 'static {
    /// The type of the number.
    type Plain: Bounded;
    /// Is there always a number?
    const ALWAYS: bool;
    /// The number; `None` where there is none.
    fn number(self) -> Option<Self::Plain>;
}

/// A type of numbers, as narrow as the column: bounds of bytes are found sixteen at a time.
pub trait Bounded: Copy + Ord + Into<u32> {
    /// The least and the greatest number of the type.
    const BOUNDS: (Self, Self);
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Bounded for $number {
            const BOUNDS: (Self, Self) = (<$number>::MIN, <$number>::MAX);
        }
        impl Number for $number {
            type Plain = $number;
            const ALWAYS: bool = true;
            #[inline]
            fn number(self) -> Option<$number> {
                Some(self)
            }
        }
        impl Number for Option<$number> {
            type Plain = $number;
            const ALWAYS: bool = false;
            #[inline]
            fn number(self) -> Option<$number> {
                self
            }
        })*
    };
}

numbers! { u8 u16 u32 }

/// The values of a column in some games, one after another.
pub trait Numbers: Send + Sync {
    /// In how many rows.
    fn rows(&self) -> usize;
    /// How many of them have a value, and between which bounds.
    fn spread(&self) -> Spread;
    /// Packs the values by how much they are above the least.
    fn pack(&self, least: u32, into: &mut Packer);
    /// Packs for each row a 1 if it has a value, a 0 if not.
    fn pack_presence(&self, into: &mut Packer);
}

impl<N: Number> Numbers for Vec<N> {
    fn rows(&self) -> usize {
        self.len()
    }
    fn spread(&self) -> Spread {
        let numbers = || self.iter().filter_map(|value| value.number());
        let (least, greatest) = N::Plain::BOUNDS;
        let (least, greatest) =
            numbers().fold((greatest, least), |(least, greatest), n| (least.min(n), greatest.max(n)));
        match numbers().count() {
            0 => Spread::NONE,
            count => Spread { count, least: least.into(), greatest: greatest.into() },
        }
    }
    fn pack(&self, least: u32, into: &mut Packer) {
        match N::ALWAYS {
            true => into.extend(self, |value| value.number().map_or(0, |number| number.into() - least)),
            false => into.extend_present(self, |value| value.number().map(|number| number.into() - least)),
        }
    }
    fn pack_presence(&self, into: &mut Packer) {
        into.extend(self, |value| u32::from(value.number().is_some()));
    }
}

/// Values that stay as they are for rows on end.
pub struct Runs<T> {
    /// Each value with the number of rows that have it, one after another.
    runs: Vec<(T, u32)>,
    rows: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Runs { runs: Vec::new(), rows: 0 }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Appends a value for so many rows.
    pub fn push(&mut self, value: T, rows: usize) {
        self.rows += rows;
        match self.runs.last_mut() {
            Some((last, count)) if *last == value => *count += rows as u32,
            _ => self.runs.push((value, rows as u32)),
        }
    }
}

impl<N: Number> Numbers for Runs<N> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn spread(&self) -> Spread {
        let of_run = |&(value, rows): &(N, u32)| {
            let number: Option<u32> = value.number().map(Into::into);
            let one = |number| Spread { count: rows as usize, least: number, greatest: number };
            number.map_or(Spread::NONE, one)
        };
        self.runs.iter().map(of_run).fold(Spread::NONE, Spread::and)
    }
    fn pack(&self, least: u32, into: &mut Packer) {
        for &(value, rows) in &self.runs {
            let Some(number) = value.number() else { continue };
            into.repeat(number.into() - least, rows);
        }
    }
    fn pack_presence(&self, into: &mut Packer) {
        self.runs.iter().for_each(|&(value, rows)| into.repeat(u32::from(value.number().is_some()), rows));
    }
}

/// How many bits an index has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// As many as are needed.
    OfBits,
    /// Whole bytes. For what comes again and again in the same order, as the maps of games with the same catastrophes
    /// do: to be compressed well, what is the same must look the same wherever it begins.
    OfBytes,
}

/// How many numbers there are, and between which bounds.
#[derive(Clone, Copy)]
pub struct Spread {
    count: usize,
    least: u32,
    greatest: u32,
}

impl Spread {
    const NONE: Spread = Spread { count: 0, least: u32::MAX, greatest: 0 };

    fn and(self, other: Spread) -> Spread {
        Spread {
            count: self.count + other.count,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}

/// Writes numbers of a fixed width in bits, the first in the lowest bits.
pub struct Packer {
    width: u32,
    bytes: Vec<u8>,
    /// What does not fill four bytes yet.
    held: u64,
    bits: u32,
}

impl Packer {
    fn new(width: u32, bytes: Vec<u8>) -> Packer {
        Packer { width, bytes, held: 0, bits: 0 }
    }

    /// Appends a number for each value.
    fn extend<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> u32) {
        match self.width {
            0..=4 => self.extend_by::<8, V>(values, number),
            5..=8 => self.extend_by::<4, V>(values, number),
            9..=16 => self.extend_by::<2, V>(values, number),
            _ => self.extend_by::<1, V>(values, number),
        }
    }

    /// Numbers that fit into 32 bits together are put side by side before anything is held.
    #[inline]
    fn extend_by<const TOGETHER: usize, V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> u32) {
        let shifts: [u32; TOGETHER] = std::array::from_fn(|i| i as u32 * self.width);
        let (groups, rest) = values.as_chunks::<TOGETHER>();
        for group in groups {
            let beside = |all, (&value, &shift)| all | number(value).wrapping_shl(shift);
            let numbers = group.iter().zip(&shifts).fold(0, beside);
            self.take(numbers, TOGETHER as u32 * self.width);
        }
        rest.iter().for_each(|&value| self.take(number(value), self.width));
    }

    /// Appends numbers for those values that have one.
    fn extend_present<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> Option<u32>) {
        values.iter().filter_map(|&value| number(value)).for_each(|number| self.take(number, self.width));
    }

    /// Appends the same number many times.
    fn repeat(&mut self, number: u32, count: u32) {
        let together = u32::BITS / self.width;
        let mut left = count;
        if left >= together {
            let numbers = (0..together).fold(0, |all, i| all | number << (i * self.width));
            while left >= together {
                self.take(numbers, together * self.width);
                left -= together;
            }
        }
        (0..left).for_each(|_| self.take(number, self.width));
    }

    /// Appends the lowest bits, at most 32; those above must be zeros.
    #[inline]
    fn take(&mut self, numbers: u32, bits: u32) {
        self.held |= u64::from(numbers) << self.bits;
        self.bits += bits;
        if self.bits >= u32::BITS {
            self.bytes.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.bits -= u32::BITS;
        }
    }

    /// The bytes, filled up to a whole number of groups of eight.
    fn finish(mut self, count: usize) -> Vec<u8> {
        let rest = (count.next_multiple_of(8) - count) as u32 * self.width + self.bits;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..self.bits.div_ceil(8) as usize]);
        let zeros = (rest / 8).saturating_sub(self.bits.div_ceil(8)) as usize;
        self.bytes.resize(self.bytes.len() + zeros, 0);
        self.bytes
    }
}

/// Appends numbers in the hybrid of runs and bit-packed groups, of which only one run or one row of groups is used.
fn hybrid(width: u32, count: usize, mut bytes: Vec<u8>, pack: impl FnOnce(&mut Packer)) -> Vec<u8> {
    match width {
        0 => {
            vlq(count << 1, &mut bytes);
            bytes
        }
        _ => {
            vlq(count.div_ceil(8) << 1 | 1, &mut bytes);
            let mut packer = Packer::new(width, bytes);
            pack(&mut packer);
            packer.finish(count)
        }
    }
}

/// That all of so many rows have a value: one run.
fn present(rows: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    vlq(rows << 1, &mut bytes);
    bytes.push(1);
    bytes
}

/// A number in as many groups of seven bits as it needs, the lowest first.
fn vlq(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The entries of a dictionary, one after another, and how many they are.
struct Dictionary {
    bytes: Vec<u8>,
    entries: u32,
}

impl Dictionary {
    fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Dictionary {
        let mut dictionary = Dictionary { bytes: Vec::new(), entries: 0 };
        for text in texts {
            dictionary.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
            dictionary.bytes.extend_from_slice(text.as_bytes());
            dictionary.entries += 1;
        }
        dictionary
    }

    /// All numbers of the spread; `None` if they are too many.
    fn of_numbers(spread: Spread) -> Option<Dictionary> {
        if spread.count == 0 {
            return Some(Dictionary { bytes: Vec::new(), entries: 0 });
        }
        let entries = (spread.greatest - spread.least).checked_add(1).filter(|&n| n <= MOST_ENTRIES)?;
        let numbers = spread.least..=spread.greatest;
        Some(Dictionary { bytes: numbers.flat_map(u32::to_le_bytes).collect(), entries })
    }

    /// The bits of an index.
    fn width(&self) -> u32 {
        u32::BITS - self.entries.saturating_sub(1).leading_zeros()
    }
}

/// One column of a row group, ready to be appended to a file.
pub struct ColumnChunk {
    /// Its pages.
    pub bytes: Bytes,
    /// What is said of it in the file's footer.
    pub close: ColumnCloseResult,
}

/// A column of numbers.
pub fn numbers(column: ColumnDescPtr, pieces: &[&dyn Numbers], width: Width) -> Result<ColumnChunk> {
    let spread = spread(pieces);
    match Dictionary::of_numbers(spread) {
        Some(dictionary) => indices(column, pieces, spread, spread.least, dictionary, width),
        None => {
            let mut packer = Packer::new(u32::BITS, Vec::with_capacity(4 * spread.count));
            pieces.iter().for_each(|piece| piece.pack(0, &mut packer));
            Encoded::new(&column, pieces, spread, None, packer.bytes).into_chunk(column)
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

/// A column that is encoded but not compressed.
struct Encoded {
    rows: usize,
    spread: Spread,
    /// Which rows have a value, if not all must.
    levels: Vec<u8>,
    dictionary: Option<Dictionary>,
    values: Vec<u8>,
}

impl Encoded {
    fn new(
        column: &ColumnDescPtr,
        pieces: &[&dyn Numbers],
        spread: Spread,
        dictionary: Option<Dictionary>,
        values: Vec<u8>,
    ) -> Encoded {
        let rows = pieces.iter().map(|piece| piece.rows()).sum();
        let levels = match column.max_def_level() {
            0 => Vec::new(),
            _ if rows == spread.count => present(rows),
            _ => hybrid(1, rows, Vec::new(), |packer| {
                pieces.iter().for_each(|piece| piece.pack_presence(packer));
            }),
        };
        Encoded { rows, spread, levels, dictionary, values }
    }

    fn into_chunk(self, column: ColumnDescPtr) -> Result<ColumnChunk> {
        let Encoded { rows, spread, levels, dictionary, values } = self;
        let nulls = rows - spread.count;
        let mut pages = Pages::default();
        if let Some(Dictionary { bytes, entries }) = &dictionary {
            let page = Page::DictionaryPage {
                buf: compressed(bytes)?.into(),
                num_values: *entries,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            pages.push(page, bytes.len())?;
        }
        let (encoding, dictionary_page) = match dictionary {
            Some(_) => (Encoding::RLE_DICTIONARY, Some(0)),
            None => (Encoding::PLAIN, None),
        };
        let squeezed = compressed(&values)?;
        let is_compressed = squeezed.len() < values.len();
        let page = Page::DataPageV2 {
            buf: [&levels, if is_compressed { &squeezed } else { &values }]
                .map(Vec::as_slice)
                .concat()
                .into(),
            num_values: rows as u32,
            encoding,
            num_nulls: nulls as u32,
            num_rows: rows as u32,
            def_levels_byte_len: levels.len() as u32,
            rep_levels_byte_len: 0,
            is_compressed,
            statistics: None,
        };
        let data_page = pages.push(page, levels.len() + values.len())?;

        let nulls = Some(nulls as u64);
        let bound = |bound: u32| (spread.count > 0).then_some(bound as i32);
        let statistics = match column.physical_type() {
            Type::INT32 => Statistics::int32(bound(spread.least), bound(spread.greatest), None, nulls, false),
            Type::INT64 => Statistics::int64(None, None, None, nulls, false),
            Type::FLOAT => Statistics::float(None, None, None, nulls, false),
            _ => Statistics::byte_array(None, None, None, nulls, false),
        };
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, encoding])
            .set_num_values(rows as i64)
            .set_dictionary_page_offset(dictionary_page)
            .set_data_page_offset(data_page)
            .set_total_compressed_size(pages.bytes.len() as i64)
            .set_total_uncompressed_size(pages.uncompressed)
            .set_statistics(statistics)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: pages.bytes.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(ColumnChunk { bytes: pages.bytes.into(), close })
    }
}

/// Pages with their headers, one after another.
#[derive(Default)]
struct Pages {
    bytes: Vec<u8>,
    uncompressed: i64,
}

impl Pages {
    /// Appends a page that is so long uncompressed, and returns where it begins.
    fn push(&mut self, page: Page, uncompressed: usize) -> Result<i64> {
        let start = self.bytes.len() as i64;
        let mut written = TrackedWrite::new(std::mem::take(&mut self.bytes));
        let page =
            SerializedPageWriter::new(&mut written).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed += page.uncompressed_size as i64;
        self.bytes = written.into_inner()?;
        Ok(start)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Array, AsArray};
    use arrow::datatypes::UInt32Type;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// What a reader finds in a column that was written in pieces.
    fn read_back<N: Number>(column: &str, words: Option<&[&'static str]>, values: &[N]) -> Arc<dyn Array> {
        let schema = Arc::new(parse_message_type(&format!("message x {{ {column}; }}")).unwrap());
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
        let pieces: Vec<Vec<N>> = values.chunks(11).map(<[N]>::to_vec).collect();
        let pieces: Vec<&dyn Numbers> = pieces.iter().map(|piece| piece as &dyn Numbers).collect();
        let column = file.schema_descr().column(0);
        let chunk = match words {
            Some(list) => super::words(column, list, &pieces),
            None => numbers(column, &pieces, Width::OfBits),
        };
        let chunk = chunk.unwrap();
        let mut group = file.next_row_group().unwrap();
        group.append_column(&chunk.bytes, chunk.close).unwrap();
        group.close().unwrap();
        let bytes = Bytes::from(file.into_inner().unwrap());
        let mut batches = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
        batches.next().unwrap().unwrap().column(0).clone()
    }

    #[test]
    fn numbers_come_back_whatever_their_width_and_count() {
        for widest in [0, 1, 2, 5, 100, MOST_ENTRIES - 1, MOST_ENTRIES, u32::MAX - 7] {
            for count in [1, 7, 8, 9, 63, 300] {
                let some: Vec<u32> =
                    (0..count).map(|i| 7 + (i * 37 + i / 3) % count * (widest / count)).collect();
                let back = read_back("required int32 n (INTEGER(32, false))", None, &some);
                assert_eq!(back.as_primitive::<UInt32Type>().values(), some.as_slice(), "{widest} {count}");
            }
        }
    }

    #[test]
    fn what_is_missing_stays_missing() {
        let words = ["spring", "fall", "winter"];
        for missing in 1..5 {
            let some: Vec<Option<u8>> = (0..100).map(|i: u8| (i % 4 >= missing).then_some(i % 3)).collect();
            let back = read_back("optional binary n (STRING)", Some(&words), &some);
            let expected: Vec<_> = some.iter().map(|place| place.map(|i| words[usize::from(i)])).collect();
            assert_eq!(back.as_string::<i32>().iter().collect::<Vec<_>>(), expected);
            let back = read_back("optional int32 n (INTEGER(32, false))", None, &some);
            let expected: Vec<_> = some.iter().map(|n| n.map(u32::from)).collect();
            assert_eq!(back.as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), expected);
        }
    }
}
