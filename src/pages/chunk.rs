//! Pages with their headers, and their metadata in a file's footer. Only this module depends on the internals
//! of `parquet`.

use std::cell::RefCell;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

// The values of a column in the form that rows have.

/// A value of a column: a number, the index of a word in its list, or none.
pub trait Number: Copy + Send + Sync + 'static {
    /// The type of the number.
    type Plain: Bounded;
    /// Is there always a number?
    const ALWAYS: bool;
    /// The number; `None` if there is none.
    fn number(self) -> Option<Self::Plain>;
}

/// A number type as narrow as the column: bounds of bytes are found sixteen at a time.
pub trait Bounded: Copy + Ord + Into<u32> {
    /// The smallest and the largest number of the type.
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

/// The values of a column in some games, concatenated.
pub trait Numbers: Send + Sync {
    /// The number of rows.
    fn rows(&self) -> usize;
    /// The number of values, and their bounds.
    fn spread(&self) -> Spread;
    /// Packs the differences of the values from the least.
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

/// Values that stay the same for consecutive rows.
pub struct Runs<T> {
    /// Each value with the number of rows that have it, in order.
    pub(crate) runs: Vec<(T, u32)>,
    rows: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Runs { runs: Vec::new(), rows: 0 }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Appends a value for this number of rows.
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

/// The number of values, and their bounds.
#[derive(Clone, Copy)]
pub struct Spread {
    /// The number of values.
    pub count: usize,
    /// The smallest; the largest possible number if there are none.
    pub least: u32,
    /// The largest; 0 if there are none.
    pub greatest: u32,
}

impl Spread {
    /// The spread of no values.
    pub(crate) const NONE: Spread = Spread { count: 0, least: u32::MAX, greatest: 0 };

    /// The union of both.
    pub(crate) fn and(self, other: Spread) -> Spread {
        Spread {
            count: self.count + other.count,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}

// The dictionary of a column: the values that its indices represent.

/// The largest number of entries in a dictionary.
pub const MOST_ENTRIES: u32 = 1 << 12;

/// The concatenated entries of a dictionary, and their number.
pub(crate) struct Dictionary {
    pub bytes: Vec<u8>,
    pub entries: u32,
}

impl Dictionary {
    /// Entries of the same length.
    pub(crate) fn of_fixed<const LENGTH: usize>(entries: impl Iterator<Item = [u8; LENGTH]>) -> Dictionary {
        let all = entries.collect::<Vec<[u8; LENGTH]>>();
        Dictionary { entries: all.len() as u32, bytes: all.into_flattened() }
    }

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
        let is_small = spread.count == 0 || spread.greatest - spread.least < MOST_ENTRIES;
        is_small.then(|| Dictionary::of_fixed((spread.least..=spread.greatest).map(u32::to_le_bytes)))
    }

    /// The bits of an index.
    pub(crate) fn width(&self) -> u32 {
        u32::BITS - self.entries.saturating_sub(1).leading_zeros()
    }
}

// Packs numbers of a few bits each.

/// Writes numbers of a fixed width in bits, the first in the lowest bits.
pub struct Packer {
    width: u32,
    bytes: Vec<u8>,
    /// Bits that do not fill four bytes yet.
    held: u64,
    bits: u32,
}

impl Packer {
    /// Appends to these bytes.
    pub(crate) fn new(width: u32, bytes: Vec<u8>) -> Packer {
        Packer { width, bytes, held: 0, bits: 0 }
    }

    /// Appends a number for each value.
    pub(crate) fn extend<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> u32) {
        match self.width {
            0..=4 => self.extend_by::<8, V>(values, number),
            5..=8 => self.extend_by::<4, V>(values, number),
            9..=16 => self.extend_by::<2, V>(values, number),
            _ => self.extend_by::<1, V>(values, number),
        }
    }

    /// Numbers that fit into 32 bits together are combined before they are appended.
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
    pub(crate) fn extend_present<V: Copy>(&mut self, values: &[V], number: impl Fn(V) -> Option<u32>) {
        values.iter().filter_map(|&value| number(value)).for_each(|number| self.take(number, self.width));
    }

    /// Appends the same number many times.
    pub(crate) fn repeat(&mut self, number: u32, count: u32) {
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

    /// Appends the lowest bits, at most 32; higher bits must be zero.
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

    /// The bytes of 32-bit numbers, for which no bits are pending.
    pub(crate) fn into_plain(self) -> Vec<u8> {
        debug_assert!(self.width == u32::BITS && self.bits == 0);
        self.bytes
    }

    /// The bytes, padded to a whole number of groups of eight.
    pub(crate) fn finish(mut self, count: usize) -> Vec<u8> {
        let rest = (count.next_multiple_of(8) - count) as u32 * self.width + self.bits;
        self.bytes.extend_from_slice(&self.held.to_le_bytes()[..self.bits.div_ceil(8) as usize]);
        let zeros = (rest / 8).saturating_sub(self.bits.div_ceil(8)) as usize;
        self.bytes.resize(self.bytes.len() + zeros, 0);
        self.bytes
    }
}

/// Appends numbers in the hybrid encoding of runs and bit-packed groups; this uses a single run or a single
/// sequence of groups.
pub(crate) fn hybrid(
    width: u32,
    count: usize,
    mut bytes: Vec<u8>,
    pack: impl FnOnce(&mut Packer),
) -> Vec<u8> {
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

/// One run saying that this number of rows all have a value.
pub(crate) fn present(rows: usize) -> Vec<u8> {
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

/// The compression level of pages. A lower level saves too little time: most columns have few bytes to
/// compress.
const LEVEL: i32 = 1;

thread_local! {
    /// Each thread's compressor, reused from page to page: creating one costs as much as a page.
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

/// One column of a row group, ready to be appended to a file.
pub struct ColumnChunk {
    /// Its pages.
    pub bytes: Bytes,
    /// Its metadata in the file's footer.
    pub close: ColumnCloseResult,
}

/// A column that is encoded but not compressed.
pub(crate) struct Encoded {
    pub rows: usize,
    pub spread: Spread,
    /// The rows that have a value, unless all must.
    pub levels: Vec<u8>,
    pub dictionary: Option<Dictionary>,
    pub values: Vec<u8>,
}

impl Encoded {
    pub(crate) fn new(
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

    pub(crate) fn into_chunk(self, column: ColumnDescPtr) -> Result<ColumnChunk> {
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
    /// Appends a page with this uncompressed length, and returns its position.
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
