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

use super::dictionary::Dictionary;
use super::packer::{hybrid, present};
use super::values::{Numbers, Spread};

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
