//! A check of a part file from outside: its metadata, and the games of its rows. Rows are read a batch at a time, and
//! only one of their columns, so a table of any size costs little memory.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::ParquetMetaDataReader;

use super::parquet::reason;
use super::regular::Readable;

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

/// The rows of a part file, by its footer. The error is a description of the fault.
pub(crate) fn rows(file: &(impl Readable + ?Sized)) -> Result<u64, String> {
    let file = file.chunks().map_err(|error| format!("cannot be read: {error}"))?;
    let footer = ParquetMetaDataReader::new().parse_and_finish(&file);
    let footer = footer.map_err(|error| format!("is not a sound Parquet file: {}", reason(error)))?;
    Ok(u64::try_from(footer.file_metadata().num_rows()).unwrap_or(0))
}

/// Reads a part file. The error is a description of the fault.
pub(crate) fn part(file: &(impl Readable + ?Sized)) -> Result<Audit, String> {
    let file = file.chunks().map_err(|error| format!("cannot be read: {error}"))?;
    let failed = |error| format!("is not a sound Parquet file: {}", reason(error));
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(failed)?;
    let about = builder.metadata().file_metadata();
    let rows = u64::try_from(about.num_rows()).unwrap_or(0);
    let pairs = about.key_value_metadata().into_iter().flatten();
    let metadata = pairs.map(|kv| (kv.key.clone(), kv.value.clone().unwrap_or_default())).collect();
    let mask = ProjectionMask::columns(builder.parquet_schema(), ["game"]);
    let mut games: Vec<u32> = Vec::new();
    for batch in builder.with_projection(mask).build().map_err(failed)? {
        let batch = batch.map_err(|error| failed(error.into()))?;
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
