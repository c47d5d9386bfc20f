//! Small tables that are not part of a run, such as the results of a search: whole columns in one Parquet file.
//!
//! The bytes depend on the columns alone: properties and the creator's name are those of a run's files.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};

use super::CREATED_BY;

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

    fn array(self) -> ArrayRef {
        match self {
            Cells::U32(values) => Arc::new(UInt32Array::from(values)),
            Cells::U64(values) => Arc::new(UInt64Array::from(values)),
            Cells::F64(values) => Arc::new(Float64Array::from(values)),
            Cells::Text(values) => Arc::new(StringArray::from(values)),
        }
    }
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
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, cells)| cells.array()).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)
        .map_err(|error| ParquetError::External(Box::new(error)))?;
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone())).collect();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(CREATED_BY.to_owned())
        .set_key_value_metadata(Some(about))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties))?;
    writer.write(&batch)?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
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
