//! Comparison of the stored rows of a game with those of the same game played again.
//!
//! [`Audit`] is a check of a part file from outside: its metadata, and the games of its rows. Rows are read a batch at
//! a time, and only one of their columns, so a table of any size costs little memory.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Metadata, Schema};
use arrow_select::concat::concat_batches;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;

use super::column::{TableFrame, TableRow};
use super::parquet::{RunMeta, TableWriter, pairs, reason};
use super::regular::{Chunks, Readable};
use super::rows::GameRows;

/// A part of a table on disk, completely in memory, with the position of each game's rows.
pub(crate) struct StoredPart {
    table: &'static str,
    frame: TableFrame,
    rows: RecordBatch,
    /// The first row of each game, and the number of its rows.
    games: BTreeMap<u32, (usize, usize)>,
}

impl StoredPart {
    /// Reads a part file of an arm. The error is a description of the fault.
    pub(crate) fn read<R: TableRow>(
        part: &(impl Readable + ?Sized),
        frame: &TableFrame,
    ) -> Result<StoredPart, String> {
        let rows = rows(open(part)?).map_err(unsound)?;
        let numbers = rows.column_by_name("game").and_then(|column| column.as_primitive_opt::<UInt32Type>());
        let numbers = numbers.ok_or("does not have a column `game` of whole numbers")?;
        let mut games: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for (row, &game) in numbers.values().iter().enumerate() {
            games.entry(game).or_insert((row, 0)).1 += 1;
        }
        Ok(StoredPart { table: R::TABLE, frame: frame.clone(), rows, games })
    }

    /// A game with rows in the part that does not belong to it.
    pub(crate) fn foreign(&self, games: &Range<u32>) -> Option<u32> {
        self.games.keys().copied().find(|game| !games.contains(game))
    }

    /// The difference between the stored rows of a game and those of its record, in words; `None` if there is none.
    pub(crate) fn differs<R: TableRow>(&self, game: u32, record: &GameRows) -> Option<String> {
        self.differs_from(game, played::<R>(record, &self.frame))
    }

    fn differs_from(&self, game: u32, played: Result<Vec<u8>, ParquetError>) -> Option<String> {
        let played = match played.and_then(|file| rows(Chunks::Bytes(file.into()))) {
            Ok(played) => played,
            Err(error) => return Some(format!("{}: cannot be written again: {error}", self.table)),
        };
        let (first, count) = self.games.get(&game).copied().unwrap_or((0, 0));
        let stored = self.rows.slice(first, count);
        if stored == played {
            return None;
        }
        if stored.schema() != played.schema() {
            return Some(format!(
                "{}: its columns differ from the columns that this program writes",
                self.table
            ));
        }
        let both = count.min(played.num_rows());
        let other = |row: &usize| stored.slice(*row, 1) != played.slice(*row, 1);
        Some(match (0..both).find(other) {
            Some(row) => self.row_differs(&stored.slice(row, 1), &played.slice(row, 1)),
            None => format!("{}: {count} rows are stored, but {} were played", self.table, played.num_rows()),
        })
    }

    /// `turns S1903: units is 4 and was 5`, for the first column that differs.
    fn row_differs(&self, stored: &RecordBatch, played: &RecordBatch) -> String {
        let text = |batch: &RecordBatch, name: &str| Some(first(batch.column_by_name(name)?));
        let at: String = ["season", "year", "phase"].iter().filter_map(|name| text(stored, name)).collect();
        let schema = stored.schema();
        let column =
            schema.fields().iter().find(|field| text(stored, field.name()) != text(played, field.name()));
        let name = column.map_or("?", |field| field.name());
        let value = |batch| text(batch, name).unwrap_or_default();
        let space = if at.is_empty() { "" } else { " " };
        format!(
            "{}{space}{at}: `{name}` is {} in the run, but {} now",
            self.table,
            value(stored),
            value(played)
        )
    }
}

/// The first value of a column whose type occurs in the tables.
fn first(column: &dyn Array) -> String {
    if column.is_null(0) {
        return "null".to_owned();
    }
    match column.data_type() {
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(0).to_string(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(0).to_string(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(0).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(0).to_string(),
        DataType::Float32 => format!("{:?}", column.as_primitive::<Float32Type>().value(0)),
        DataType::Utf8 => column.as_string::<i32>().value(0).to_owned(),
        other => format!("a value of type {other}"),
    }
}

/// The file that has the rows of a record alone.
fn played<R: TableRow>(record: &GameRows, frame: &TableFrame) -> Result<Vec<u8>, ParquetError> {
    let meta = RunMeta { name: String::new(), hash: String::new(), seed: 0 };
    let mut writer = TableWriter::new::<R>(&meta, "", frame)?;
    writer.write(std::slice::from_ref(record))?;
    Ok(writer.finish()?.bytes)
}

/// All rows of a file, without its metadata and that of its columns.
fn rows(file: Chunks) -> Result<RecordBatch, ParquetError> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let bare = |field: &Arc<Field>| field.as_ref().clone().with_metadata(Metadata::default());
    let schema = Arc::new(Schema::new(reader.schema().fields().iter().map(bare).collect::<Vec<Field>>()));
    let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
    let bare =
        batches.into_iter().map(|batch| RecordBatch::try_new(schema.clone(), batch.columns().to_vec()));
    let bare = bare.collect::<Result<Vec<_>, _>>()?;
    Ok(concat_batches(&schema, &bare)?)
}

/// The content of a part file as far as the audit reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Audit {
    /// Its rows, by its footer.
    pub rows: u64,
    /// Its key-value metadata.
    pub metadata: Vec<(String, String)>,
    /// The games of its rows, each run of rows of one game once, in order.
    pub games: Vec<u32>,
}

fn open(file: &(impl Readable + ?Sized)) -> Result<Chunks, String> {
    file.chunks().map_err(|error| format!("cannot be read: {error}"))
}

fn unsound(error: ParquetError) -> String {
    format!("is not a valid Parquet file: {}", reason(error))
}

/// The rows of a part file, by its footer. The error is a description of the fault.
pub(crate) fn count_rows(file: &(impl Readable + ?Sized)) -> Result<u64, String> {
    let footer = ParquetMetaDataReader::new().parse_and_finish(&open(file)?).map_err(unsound)?;
    Ok(u64::try_from(footer.file_metadata().num_rows()).unwrap_or(0))
}

/// Reads a part file. The error is a description of the fault.
pub(crate) fn audit(file: &(impl Readable + ?Sized)) -> Result<Audit, String> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(open(file)?).map_err(unsound)?;
    let about = builder.metadata().file_metadata();
    let rows = u64::try_from(about.num_rows()).unwrap_or(0);
    let metadata = pairs(about);
    let mask = ProjectionMask::columns(builder.parquet_schema(), ["game"]);
    let mut games: Vec<u32> = Vec::new();
    for batch in builder.with_projection(mask).build().map_err(unsound)? {
        let batch = batch.map_err(|error| unsound(error.into()))?;
        let column = batch.column_by_name("game").and_then(|column| column.as_primitive_opt::<UInt32Type>());
        let Some(column) = column else {
            return Err("does not have a column `game` of whole numbers".to_owned());
        };
        for &game in column.values() {
            if games.last() != Some(&game) {
                games.push(game);
            }
        }
    }
    Ok(Audit { rows, metadata, games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::parquet::tests::encoded;
    use crate::record::rows::{GameRow, TurnRow};
    use crate::sim::mock;

    #[test]
    fn what_differs_is_told_with_phase_and_column() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let games: Vec<_> = (0..40).map(mock::game).collect();
        let frame = &TableFrame::new(upheaval_map::ids::PowerNames::standard());
        std::fs::write(&path, encoded::<TurnRow>(&games, 40).bytes).unwrap();
        let part = StoredPart::read::<TurnRow>(&*path, frame).unwrap();
        for game in &games {
            assert_eq!(part.differs::<TurnRow>(game.game.game, game), None);
        }
        let mut other = games[3].clone();
        other.turns[9].counts.centres += 1;
        let told = part.differs::<TurnRow>(3, &other).unwrap();
        let row = games[3].turns[9];
        assert!(told.starts_with("turns ") && told.contains(&row.year.to_string()), "{told}");
        assert!(
            told.contains(&format!(
                "`centres` is {} in the run, but {} now",
                row.counts.centres,
                row.counts.centres + 1
            )),
            "{told}"
        );
        assert_eq!(
            (part.foreign(&(0..40)), part.foreign(&(1..40)), part.foreign(&(0..39))),
            (None, Some(0), Some(39))
        );
        let told = part.differs::<GameRow>(3, &games[3]).unwrap();
        assert_eq!(told, "turns: its columns differ from the columns that this program writes");
        other.turns.pop();
        other.turns[9].counts.centres -= 1;
        let told = part.differs::<TurnRow>(3, &other).unwrap();
        let rows = games[3].turns.len();
        assert_eq!(told, format!("turns: {rows} rows are stored, but {} were played", rows - 1));
        assert!(StoredPart::read::<GameRow>(&*dir.path().join("none"), frame).is_err());
    }
}
