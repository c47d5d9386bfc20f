//! Small tables that are not part of a run, such as the results of a search: whole columns in one Parquet file.
//!
//! The bytes depend on the columns alone: properties and the creator's name are those of a run's files.

use arrow_schema::{DataType, Field, Schema};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedColumnWriter;

use super::parquet::start;

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
