//! Rows of many games into Parquet, and back for tests.
//!
//! A [`TableWriter`] writes one file. Each call of [`TableWriter::write`] becomes one row group; its columns are built
//! and encoded in parallel on the rayon pool that the caller is in, then written one after another. The bytes therefore
//! depend on the rows and on their division into calls, never on the number of threads. Writer properties, the
//! creator's name and the metadata are fixed, and a file contains no times.
//!
//! [`encode`] writes small tables that are not part of a run, such as the results of a search: whole columns in one
//! file, with the properties and the creator's name of a run's files. The bytes depend on the columns only.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaDataReader};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::SchemaDescriptor;
use rayon::prelude::*;
use upheaval_map::rng;
use upheaval_pages::ColumnChunk;

use super::column::{Column, ColumnPiece, TableFrame, TableRow, TableSchema};
use super::regular::Chunks;
use super::rows::GameRows;
use crate::record::{BEHAVIOUR_VERSION, CREATED_BY, SCHEMA_VERSION};

/// The key-value metadata of every file, in order.
pub(super) const METADATA: [(&str, &str); 9] = [
    ("upheaval.schema_version", "version of these tables and columns"),
    ("upheaval.behaviour_version", "version of everything that determines the course of a game"),
    ("upheaval.experiment", "the experiment's name"),
    (
        "upheaval.experiment_hash",
        "BLAKE3 of `experiment.resolved.json`: threads and output folder are not part of it",
    ),
    ("upheaval.seed", "the root seed"),
    ("upheaval.rng", "the random generator"),
    (
        "upheaval.rng_derivation_version",
        "version of the derivation of streams from keys, and of numbers from streams",
    ),
    ("upheaval.table", "the table"),
    ("upheaval.variant", "the variant"),
];

/// Games whose rows become columns together.
const PIECE: usize = 32;

/// The metadata of a run's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunMeta {
    /// The experiment's name.
    pub name: String,
    /// The experiment's hash in hexadecimal digits.
    pub hash: String,
    /// The root seed.
    pub seed: u64,
}

impl RunMeta {
    fn key_values(&self, table: &str, variant: &str) -> Vec<KeyValue> {
        let values: [String; METADATA.len()] = [
            SCHEMA_VERSION.to_string(),
            BEHAVIOUR_VERSION.to_string(),
            self.name.clone(),
            self.hash.clone(),
            self.seed.to_string(),
            rng::ALGORITHM.to_owned(),
            rng::DERIVATION_VERSION.to_string(),
            table.to_owned(),
            variant.to_owned(),
        ];
        METADATA
            .into_iter()
            .zip(values)
            .map(|((key, _), value)| KeyValue::new(key.to_owned(), value))
            .collect()
    }
}

fn properties(metadata: Vec<KeyValue>) -> WriterProperties {
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(CREATED_BY.to_owned())
        .set_key_value_metadata(Some(metadata))
        .build()
}

/// Encodes one table of one variant.
pub struct TableWriter {
    table: TableSchema,
    file: SerializedFileWriter<Vec<u8>>,
    rows: u64,
}

/// A file with a table.
pub struct EncodedTable {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The number of its rows.
    pub rows: u64,
}

impl TableWriter {
    /// Starts the file of an arm, whose rows are `R`.
    pub fn new<R: TableRow>(meta: &RunMeta, variant: &str, frame: &TableFrame) -> Result<Self> {
        let table = R::table(frame);
        let file = start(table.name, &table.arrow_schema(), meta.key_values(table.name, variant))?;
        Ok(TableWriter { table, file, rows: 0 })
    }

    /// Appends the rows of these games as one row group. Games without rows have no effect.
    pub fn write(&mut self, games: &[GameRows]) -> Result<()> {
        let rows = (self.table.rows)(games);
        if rows == 0 {
            return Ok(());
        }
        let chunks = encoded(&self.table.columns, games, self.file.schema_descr())?;
        let mut group = self.file.next_row_group()?;
        for ColumnChunk { bytes, close } in chunks {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        self.rows += rows as u64;
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self) -> Result<EncodedTable> {
        Ok(EncodedTable { bytes: self.file.into_inner()?, rows: self.rows })
    }
}

/// Starts a file whose readers find the Arrow schema of its columns in it.
pub(super) fn start(
    table: &str,
    schema: &Schema,
    metadata: Vec<KeyValue>,
) -> Result<SerializedFileWriter<Vec<u8>>> {
    let in_file = ArrowSchemaConverter::new().schema_root(table).convert(schema)?;
    let mut properties = properties(metadata);
    add_encoded_arrow_schema_to_metadata(schema, &mut properties);
    SerializedFileWriter::new(Vec::new(), in_file.root_schema_ptr(), Arc::new(properties))
}

/// The columns of one row group.
fn encoded(columns: &[Column], games: &[GameRows], in_file: &SchemaDescriptor) -> Result<Vec<ColumnChunk>> {
    // Columns are built from a few games at a time, while their rows are in a core's cache: a pass over all rows for
    // each column costs more than the encoding.
    let pieces = |games| columns.iter().map(|column| (column.values.fill)(games)).collect();
    let pieces: Vec<Vec<ColumnPiece<'_>>> = games.par_chunks(PIECE).map(pieces).collect();
    let columns = columns.par_iter().enumerate();
    columns.map(|(i, column)| column.chunk(in_file.column(i), pieces.iter().map(|piece| &piece[i]))).collect()
}

/// A whole Parquet file, for tests and small tools.
pub fn read(path: &Path) -> Result<(Vec<RecordBatch>, Vec<KeyValue>)> {
    let file = File::open(path).map_err(|error| ParquetError::External(Box::new(error)))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let metadata = builder.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let batches = builder.build()?.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok((batches, metadata))
}

/// What a file says of itself: the pairs of its metadata.
///
/// # Errors
/// It is not a Parquet file.
pub(crate) fn says(file: &Chunks) -> std::io::Result<Vec<(String, String)>> {
    let footer = ParquetMetaDataReader::new().parse_and_finish(file).map_err(reason)?;
    Ok(pairs(footer.file_metadata()))
}

/// The pairs in a file's footer.
pub(super) fn pairs(footer: &FileMetaData) -> Vec<(String, String)> {
    let pairs = footer.key_value_metadata().into_iter().flatten();
    pairs.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())).collect()
}

/// Why a Parquet call failed: the I/O error that caused it, else the library's own message.
pub(crate) fn reason(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => *io,
            Err(other) => std::io::Error::other(other.to_string()),
        },
        other => std::io::Error::other(other.to_string()),
    }
}

/// The name that Arrow gives the root of a schema.
const ROOT: &str = "arrow_schema";

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Whole numbers.
    U32(Vec<u32>),
    /// Large whole numbers.
    U64(Vec<u64>),
    /// Numbers with a fraction, some of which may be unknown.
    F64(Vec<Option<f64>>),
    /// Texts, some of which may be missing.
    Text(Vec<Option<String>>),
}

impl Cells {
    fn form(&self) -> (DataType, bool) {
        match self {
            Cells::U32(_) => (DataType::UInt32, false),
            Cells::U64(_) => (DataType::UInt64, false),
            Cells::F64(_) => (DataType::Float64, true),
            Cells::Text(_) => (DataType::Utf8, true),
        }
    }

    fn len(&self) -> usize {
        match self {
            Cells::U32(values) => values.len(),
            Cells::U64(values) => values.len(),
            Cells::F64(values) => values.len(),
            Cells::Text(values) => values.len(),
        }
    }

    /// Appends the values to a column. Parquet stores an unsigned number as the signed one with the same bits.
    fn write(&self, column: &mut SerializedColumnWriter<'_>) -> Result<usize> {
        match self {
            Cells::U32(values) => {
                let values: Vec<i32> = values.iter().map(|value| value.cast_signed()).collect();
                column.typed::<Int32Type>().write_batch(&values, None, None)
            }
            Cells::U64(values) => {
                let values: Vec<i64> = values.iter().map(|value| value.cast_signed()).collect();
                column.typed::<Int64Type>().write_batch(&values, None, None)
            }
            Cells::F64(values) => {
                let known: Vec<f64> = values.iter().flatten().copied().collect();
                column.typed::<DoubleType>().write_batch(&known, Some(&levels(values)), None)
            }
            Cells::Text(values) => {
                let known: Vec<ByteArray> =
                    values.iter().flatten().map(|text| text.as_str().into()).collect();
                column.typed::<ByteArrayType>().write_batch(&known, Some(&levels(values)), None)
            }
        }
    }
}

/// Which values are there: 1 for each that is, and 0 for the others.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

/// The bytes of a Parquet file with these columns, each with its name, and this metadata.
///
/// # Errors
/// The columns are not equally long.
pub fn encode(columns: Vec<(String, Cells)>, about: &[(&str, String)]) -> Result<Vec<u8>> {
    let field = |(name, cells): &(String, Cells)| {
        let (form, optional) = cells.form();
        Field::new(name.clone(), form, optional)
    };
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())).collect();
    let mut file = start(ROOT, &schema, about)?;
    if columns.iter().any(|(_, cells)| cells.len() > 0) {
        let mut group = file.next_row_group()?;
        for (_, cells) in &columns {
            if let Some(mut column) = group.next_column()? {
                cells.write(&mut column)?;
                column.close()?;
            }
        }
        group.close()?;
    }
    file.into_inner()
}

#[cfg(test)]
pub(crate) mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{UInt32Type, UInt64Type};

    use super::*;
    use crate::record::rows::{
        DistanceRow, EventRow, GameRow, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
    };
    use crate::sim::mock;
    use upheaval_map::ids::PowerNames;

    fn frame() -> TableFrame {
        TableFrame::new(PowerNames::standard())
    }

    /// A table of these games in a run with the hash `ab`, written by this number of games.
    pub(crate) fn encoded<R: TableRow>(games: &[GameRows], at_once: usize) -> EncodedTable {
        let meta = RunMeta { name: "x".into(), hash: "ab".into(), seed: 7 };
        let mut writer = TableWriter::new::<R>(&meta, "standard", &frame()).unwrap();
        games.chunks(at_once).for_each(|games| writer.write(games).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn rows_come_back_as_they_were_written() {
        let games: Vec<_> = (0..410).map(mock::game).collect();
        let EncodedTable { bytes, rows } = encoded::<GameRow>(&games, 400);
        assert_eq!(rows, 410);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.parquet");
        std::fs::write(&path, bytes).unwrap();
        let (batches, metadata) = read(&path).unwrap();
        let batch = arrow_select::concat::concat_batches(&batches[0].schema(), &batches).unwrap();
        assert_eq!(batch.schema().fields(), GameRow::table(&frame()).arrow_schema().fields());
        let column = |name: &str| batch.column_by_name(name).unwrap();
        for (i, game) in games.iter().enumerate() {
            assert_eq!(column("game").as_primitive::<UInt32Type>().value(i), game.game.game);
            assert_eq!(column("state_hash").as_primitive::<UInt64Type>().value(i), game.game.state_hash);
            assert_eq!(column("end").as_string::<i32>().value(i), game.game.end.name());
        }
        let seed = metadata.iter().find(|kv| kv.key == "upheaval.seed").unwrap();
        assert_eq!(seed.value.as_deref(), Some("7"));
        let rng = metadata.iter().find(|kv| kv.key == "upheaval.rng").unwrap();
        assert_eq!(rng.value.as_deref(), Some(rng::ALGORITHM));
    }

    #[test]
    fn every_table_can_be_written() {
        let games: Vec<_> = (0..410).map(mock::game).collect();
        let turns: usize = games.iter().map(|g| g.turns.len()).sum();
        assert_eq!(encoded::<TurnRow>(&games, 400).rows, turns as u64);
        assert_eq!(encoded::<SeatRow>(&games, 400).rows, 7 * 410);
        assert!(encoded::<TopologyRow>(&games, 400).rows > 0);
        assert!(encoded::<MapRow>(&games, 400).rows > 0);
        assert!(encoded::<DistanceRow>(&games, 400).rows >= 21 * 410);
        assert!(encoded::<EventRow>(&games, 400).rows > 0);
        assert!(encoded::<OrderRow>(&games, 400).rows > 0);
        assert_eq!(encoded::<OrderRow>(&[], 400).rows, 0, "an empty table is still a file");
    }

    #[test]
    fn turns_and_topology_stay_small() {
        let games: Vec<_> = (0..400).map(mock::game).collect();
        let years: usize = games.iter().map(|g| usize::from(g.game.years)).sum();
        let tables = [
            encoded::<TurnRow>(&games, 400),
            encoded::<TopologyRow>(&games, 400),
            encoded::<DistanceRow>(&games, 400),
        ];
        let each = tables.iter().map(|table| table.bytes.len()).sum::<usize>() as f64 / years as f64;
        assert!(each < 350.0, "{each} bytes a game-year");
    }
}

#[cfg(test)]
mod small_tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Float64Type;

    use super::*;

    fn columns() -> Vec<(String, Cells)> {
        vec![
            ("n".to_owned(), Cells::U32(vec![1, 2])),
            ("x".to_owned(), Cells::F64(vec![Some(0.5), None])),
            ("of".to_owned(), Cells::Text(vec![Some("a".to_owned()), None])),
        ]
    }

    #[test]
    fn columns_come_back_as_they_were_written_and_give_the_same_bytes_again() {
        let bytes = encode(columns(), &[("about", "a test".to_owned())]).unwrap();
        assert_eq!(bytes, encode(columns(), &[("about", "a test".to_owned())]).unwrap());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("small.parquet");
        std::fs::write(&path, bytes).unwrap();
        let (batches, about) = super::super::parquet::read(&path).unwrap();
        assert!(about.iter().any(|entry| entry.key == "about" && entry.value.as_deref() == Some("a test")));
        let x = batches[0].column_by_name("x").unwrap();
        assert_eq!(x.as_primitive::<Float64Type>().iter().collect::<Vec<_>>(), [Some(0.5), None]);
    }

    #[test]
    fn columns_of_unlike_length_are_refused() {
        let mut columns = columns();
        columns[0].1 = Cells::U32(vec![1]);
        assert!(encode(columns, &[]).is_err());
    }
}

/// Pages as a reader of Parquet sees them.
#[cfg(test)]
mod pages_tests {
    use std::sync::Arc;

    use arrow_array::types::UInt32Type;
    use arrow_array::{Array, cast::AsArray};
    use bytes::Bytes;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use upheaval_pages::{MOST_ENTRIES, Number, Numbers, Width, numbers};

    /// The values that a reader finds in a column that was written in pieces.
    fn read_back<N: Number>(column: &str, words: Option<&[&'static str]>, values: &[N]) -> Arc<dyn Array> {
        let schema = Arc::new(parse_message_type(&format!("message x {{ {column}; }}")).unwrap());
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
        let pieces: Vec<Vec<N>> = values.chunks(11).map(<[N]>::to_vec).collect();
        let pieces: Vec<&dyn Numbers> = pieces.iter().map(|piece| piece as &dyn Numbers).collect();
        let column = file.schema_descr().column(0);
        let chunk = match words {
            Some(list) => upheaval_pages::words(column, list, &pieces),
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
