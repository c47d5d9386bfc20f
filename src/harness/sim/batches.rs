//! The tables of a run as streams of record batches, for programs that read Arrow.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::output::tables;
use super::stored::StoredRun;
use super::{Logging, MapLog};
use crate::record::listed::ListedFile;
use crate::record::parquet::reason;
use crate::record::reader::{ReadError, refuse_other_version};
use crate::record::regular::{Chunks, Readable};

/// The column that gives the arm of a row. It is in the names of the folders, and not in the files.
pub(crate) const VARIANT: &str = "variant";

/// The rows of some files, one batch after the other, with the column `variant` first. Each file is opened when it is
/// needed, so at most one is in memory.
pub struct Batches {
    schema: SchemaRef,
    columns: Option<Vec<String>>,
    files: VecDeque<(String, ListedFile)>,
    open: Option<(String, ParquetRecordBatchReader)>,
}

impl Batches {
    /// The rows of these files, each with its arm. With `columns`, only these, in the order of the files.
    ///
    /// # Errors
    /// There is no file, the first cannot be read, or a column is missing.
    pub(crate) fn open(
        files: impl IntoIterator<Item = (String, ListedFile)>,
        columns: Option<Vec<String>>,
    ) -> Result<Option<Batches>, ReadError> {
        let mut files: VecDeque<(String, ListedFile)> = files.into_iter().collect();
        let Some((variant, first)) = files.pop_front() else { return Ok(None) };
        if let Some(columns) = &columns {
            let known = builder(&first)?.schema().clone();
            let unknown =
                columns.iter().find(|name| *name != VARIANT && known.field_with_name(name).is_err());
            if let Some(name) = unknown {
                let known: Vec<&str> = known.fields().iter().map(|field| field.name().as_str()).collect();
                let columns = known.join(", ");
                return Err(ReadError::Column { path: first.place(), name: name.clone(), columns });
            }
        }
        let reader = reader(&first, columns.as_deref())?;
        let with_variant = columns.as_ref().is_none_or(|columns| columns.iter().any(|name| name == VARIANT));
        let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let variant_field = with_variant.then(|| Arc::new(Field::new(VARIANT, data_type, false)));
        let of_file = reader.schema();
        let fields = variant_field.into_iter().chain(of_file.fields().iter().cloned());
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Ok(Some(Batches { schema, columns, files, open: Some((variant, reader)) }))
    }

    fn with_variant(&self, variant: &str, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(batch.num_columns() + 1);
        if self.schema.fields().len() > batch.num_columns() {
            let keys = Int32Array::from(vec![0; batch.num_rows()]);
            let values = Arc::new(StringArray::from(vec![variant]));
            columns.push(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values)?));
        }
        columns.extend(batch.columns().iter().cloned());
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

fn builder(file: &ListedFile) -> Result<ParquetRecordBatchReaderBuilder<Chunks>, ReadError> {
    let io = |source| ReadError::Io { path: file.place(), source };
    let opened = file.chunks().map_err(io)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(opened).map_err(|error| io(reason(error)))?;
    refuse_other_version(builder.metadata(), &file.place())?;
    Ok(builder)
}

fn reader(file: &ListedFile, columns: Option<&[String]>) -> Result<ParquetRecordBatchReader, ReadError> {
    let mut builder = builder(file)?;
    if let Some(columns) = columns {
        let names = columns.iter().map(String::as_str).filter(|name| *name != VARIANT);
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        builder = builder.with_projection(mask);
    }
    builder.build().map_err(|error| ReadError::Io { path: file.place(), source: reason(error) })
}

impl StoredRun {
    /// The rows of a table for these arms, by their ids, or for all: in the order of arms and games. `None` where the
    /// run has no such rows, as for orders if the experiment did not log them.
    ///
    /// # Errors
    /// There is no such table, arm or column, or a file cannot be read.
    pub fn batches(
        &self,
        table: &str,
        columns: Option<Vec<String>>,
        arms: &[String],
    ) -> Result<Option<Batches>, BatchesError> {
        let known: Vec<&str> = tables(Logging::WithOrders, MapLog::EachPhase).collect();
        if !known.contains(&table) {
            return Err(BatchesError::Table { name: table.to_owned(), known: known.join(", ") });
        }
        let ids = || self.arms().iter().map(|arm| arm.id.as_str());
        if let Some(name) = arms.iter().find(|name| !ids().any(|id| id == **name)) {
            let known = ids().collect::<Vec<_>>().join(", ");
            return Err(BatchesError::Arm { name: name.clone(), known });
        }
        // Only runs that log orders or maps have these tables.
        let recorded: Vec<&str> = tables(self.experiment.log.logging(), self.experiment.log.maps()).collect();
        if !recorded.contains(&table) {
            return Ok(None);
        }
        let chosen =
            (0..self.arms().len()).filter(|&arm| arms.is_empty() || arms.contains(&self.arms()[arm].id));
        let files = chosen.flat_map(|arm| {
            let id = self.arms()[arm].id.clone();
            self.parts(arm).into_iter().map(move |part| (id.clone(), self.file(&part, table)))
        });
        Ok(Batches::open(files, columns)?)
    }
}

/// Why a table of a run cannot be read as batches.
#[derive(Debug, thiserror::Error)]
pub enum BatchesError {
    /// There is no such table.
    #[error("there is no table `{name}`; there are {known}")]
    Table {
        /// The name.
        name: String,
        /// The tables.
        known: String,
    },
    /// There is no such arm.
    #[error("the run has no variant `{name}`; it has {known}")]
    Arm {
        /// The name.
        name: String,
        /// The arms.
        known: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((variant, reader)) = &mut self.open else {
                let (variant, file) = self.files.pop_front()?;
                match reader(&file, self.columns.as_deref()) {
                    Ok(reader) => self.open = Some((variant, reader)),
                    Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
                }
                continue;
            };
            match reader.next() {
                Some(Ok(batch)) => {
                    let variant = variant.clone();
                    return Some(self.with_variant(&variant, &batch));
                }
                Some(Err(error)) => return Some(Err(error)),
                None => self.open = None,
            }
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
