//! The columns of some rows, by name. Errors describe the fault of the file.
//!
//! A [`Field`] is a column by its name and type; a tuple of fields reads rows:
//!
//! ```no_run
//! # fn main() -> Result<(), upheaval_harness::record::reader::ReadError> {
//! use upheaval_harness::record::reader::{by_game, turns};
//! use upheaval_map::ids::PowerNames;
//!
//! let path = std::path::Path::new("results/x-0123/turns/variant=standard/part-00000.parquet");
//! by_game(path, &PowerNames::standard(), (turns::YEAR, turns::POWER, turns::CENTRES), |game, rows| {
//!     let most = rows.iter().map(|&(_, _, centres)| centres).max();
//!     println!("{game}: {most:?}");
//! })
//! # }
//! ```

use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field as ArrowField, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{PhaseKind, Season};
use upheaval_map::ids::{Designation, Power, PowerNames};

use crate::record::column::Word;
use crate::record::parquet::reason;
use crate::record::regular::{Chunks, Readable};
use crate::record::rows::{EventKind, GameEnd, SeatOutcome};
use crate::record::{SCHEMA_VERSION, Text};

/// The number of rows that are decoded at once.
const BATCH: usize = 1 << 13;

/// Why a table cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read, or is not a Parquet file.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is of another version.
    #[error(
        "`{}` has schema version {found}, but this program reads {SCHEMA_VERSION}: read it with the version \
         that wrote it, or play the experiment again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has, or a `?`.
        found: String,
    },
    /// The file lacks a column that was asked for.
    #[error("`{}` has no column `{name}`; it has {columns}", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        name: String,
        /// The columns that there are.
        columns: String,
    },
    /// The file lacks something.
    #[error("`{}` {what}: it is not a table of this program, or is damaged", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Returns a file's rows in batches: all columns, or those with these names.
pub(super) fn read(
    file: &(impl Readable + ?Sized),
    wanted: Option<&[&str]>,
    powers: &PowerNames,
    mut take: impl FnMut(&Columns<'_>) -> Result<(), String>,
) -> Result<(), ReadError> {
    decode(file.chunks(), &file.place(), wanted, powers, &mut take)
}

/// The same for any kind of file and any use of its rows: the reader of Parquet is compiled here and nowhere else.
fn decode(
    opened: io::Result<Chunks>,
    path: &Path,
    wanted: Option<&[&str]>,
    powers: &PowerNames,
    take: &mut dyn FnMut(&Columns<'_>) -> Result<(), String>,
) -> Result<(), ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let failed = |error: ParquetError| io(reason(error));
    let opened = opened.map_err(io)?;
    let metadata = ArrowReaderMetadata::load(&opened, ArrowReaderOptions::new()).map_err(failed)?;
    refuse_other_version(metadata.metadata(), path)?;
    let options = ArrowReaderOptions::new().with_schema(Arc::new(by_dictionary(metadata.schema())));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options).map_err(failed)?;
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(opened, metadata).with_batch_size(BATCH);
    let mask = match wanted {
        Some(names) => ProjectionMask::columns(builder.parquet_schema(), names.iter().copied()),
        None => ProjectionMask::all(),
    };
    for batch in builder.with_projection(mask).build().map_err(failed)? {
        let batch = batch.map_err(|error| failed(error.into()))?;
        take(&Columns { batch: &batch, powers })
            .map_err(|what| ReadError::Shape { path: path.to_owned(), what })?;
    }
    Ok(())
}

/// Refuses a table that another version of the program has written: its columns may have another meaning.
pub(crate) fn refuse_other_version(metadata: &ParquetMetaData, path: &Path) -> Result<(), ReadError> {
    let pairs = metadata.file_metadata().key_value_metadata();
    let version = pairs.and_then(|all| all.iter().find(|kv| kv.key == "upheaval.schema_version"));
    let found = version.and_then(|kv| kv.value.clone()).unwrap_or("?".to_owned());
    match found.parse() == Ok(SCHEMA_VERSION) {
        true => Ok(()),
        false => Err(ReadError::Version { path: path.to_owned(), found }),
    }
}

/// The same schema with texts as indices into a dictionary, as in the file: each text is then converted only once.
fn by_dictionary(schema: &Schema) -> Schema {
    let field = |field: &Arc<ArrowField>| match field.data_type() {
        DataType::Utf8 => {
            let places = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            Arc::new(field.as_ref().clone().with_data_type(places))
        }
        _ => Arc::clone(field),
    };
    Schema::new_with_metadata(
        schema.fields().iter().map(field).collect::<Vec<_>>(),
        schema.metadata().clone(),
    )
}

/// The columns of some rows.
pub struct Columns<'a> {
    batch: &'a RecordBatch,
    powers: &'a PowerNames,
}

impl Columns<'_> {
    /// How many rows they are.
    pub(super) fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn column(&self, name: &str) -> Result<&dyn Array, String> {
        self.batch.column_by_name(name).map(AsRef::as_ref).ok_or_else(|| format!("has no column `{name}`"))
    }

    /// A column, whatever its type.
    pub(in crate::record) fn get<V: Value>(&self, name: &str) -> Result<Vec<V>, String> {
        V::all(self, name)
    }

    fn power(&self, name: &str, text: &str) -> Result<Power, String> {
        self.powers.find(text).ok_or_else(|| format!("has an unknown power in `{name}`: `{text}`"))
    }

    fn numbers<T: ArrowPrimitiveType>(&self, name: &str) -> Result<Vec<T::Native>, String> {
        let array = self
            .column(name)?
            .as_primitive_opt::<T>()
            .ok_or_else(|| format!("has the wrong type of numbers in `{name}`"))?;
        if array.null_count() > 0 { Err(lacks(name)) } else { Ok(array.values().to_vec()) }
    }

    fn optional_numbers<T: ArrowPrimitiveType>(&self, name: &str) -> Result<Vec<Option<T::Native>>, String> {
        let array = self.column(name)?.as_primitive_opt::<T>();
        array
            .map(|array| array.iter().collect())
            .ok_or_else(|| format!("has the wrong type of numbers in `{name}`"))
    }

    /// A column of texts, each converted once rather than once for each row.
    fn optional_texts<V: Clone>(
        &self,
        name: &str,
        mut value: impl FnMut(&str) -> Result<V, String>,
    ) -> Result<Vec<Option<V>>, String> {
        let other = || format!("has values in `{name}` that are not texts");
        let array = self.column(name)?.as_dictionary_opt::<Int32Type>().ok_or_else(other)?;
        let texts = array.values().as_string_opt::<i32>().ok_or_else(other)?;
        // A dictionary may contain unused entries: only the used ones must be valid.
        let values: Vec<Option<Result<V, String>>> = texts.iter().map(|text| text.map(&mut value)).collect();
        let at =
            |place: i32| values.get(place as usize).cloned().flatten().unwrap_or_else(|| Err(lacks(name)));
        array.keys().iter().map(|place| place.map(at).transpose()).collect()
    }

    fn texts<V: Clone>(
        &self,
        name: &str,
        value: impl FnMut(&str) -> Result<V, String>,
    ) -> Result<Vec<V>, String> {
        self.optional_texts(name, value)?.into_iter().collect::<Option<_>>().ok_or_else(|| lacks(name))
    }
}

fn lacks(name: &str) -> String {
    format!("lacks a value in `{name}`")
}

/// The types of values of a column.
pub trait Value: Clone {
    /// All values of the column of this name.
    fn all(columns: &Columns<'_>, name: &str) -> Result<Vec<Self>, String>;
}

macro_rules! numbers {
    ($($number:ty: $arrow:ty;)*) => {
        $(impl Value for $number {
            fn all(columns: &Columns<'_>, name: &str) -> Result<Vec<Self>, String> {
                columns.numbers::<$arrow>(name)
            }
        }
        impl Value for Option<$number> {
            fn all(columns: &Columns<'_>, name: &str) -> Result<Vec<Self>, String> {
                columns.optional_numbers::<$arrow>(name)
            }
        })*
    };
}

numbers! {
    u8: UInt8Type;
    u16: UInt16Type;
    u32: UInt32Type;
    u64: UInt64Type;
    f32: Float32Type;
}

macro_rules! texts {
    ($($text:ty: $of:expr;)*) => {
        $(impl Value for $text {
            fn all(columns: &Columns<'_>, name: &str) -> Result<Vec<Self>, String> {
                columns.texts(name, |text| $of(columns, name, text))
            }
        }
        impl Value for Option<$text> {
            fn all(columns: &Columns<'_>, name: &str) -> Result<Vec<Self>, String> {
                columns.optional_texts(name, |text| $of(columns, name, text))
            }
        })*
    };
}

texts! {
    Season: word;
    PhaseKind: word;
    Designation: word;
    EventKind: word;
    GameEnd: word;
    SeatOutcome: word;
    Conduct: word;
    Text: |_, _, text: &str| Ok(Text::from(text));
    Arc<str>: |_, _, text: &str| Ok(Arc::from(text));
    Power: Columns::power;
}

fn word<W: Word>(_: &Columns<'_>, name: &str, text: &str) -> Result<W, String> {
    let found = W::ALL.iter().copied().find(|word| word.text() == text);
    found.ok_or_else(|| format!("has an unknown word in `{name}`: `{text}`"))
}

/// A column of the table whose rows are `R`, with values `V`.
pub struct Field<R, V> {
    /// Its name.
    pub name: &'static str,
    of: PhantomData<fn(R) -> V>,
}

impl<R, V> Clone for Field<R, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, V> Copy for Field<R, V> {}

impl<R, V> Field<R, V> {
    pub(in crate::record) const fn new(name: &'static str) -> Self {
        Field { name, of: PhantomData }
    }
}

/// Several columns of one table: a tuple of [`Field`]s, whose rows are tuples of values.
pub trait Fields {
    /// The rows of the table.
    type Table;
    /// What is read of one row.
    type Row;
    /// The names of the columns.
    fn names(&self) -> Vec<&'static str>;
    /// The rows; an error says what is wrong with the columns.
    fn rows(&self, columns: &Columns<'_>) -> Result<Vec<Self::Row>, String>;
}

macro_rules! tuples {
    ($(($($value:ident)+))*) => {
        $(#[allow(non_snake_case)] // a variable for each type
        impl<R, $($value: Value),+> Fields for ($(Field<R, $value>,)+) {
            type Table = R;
            type Row = ($($value,)+);
            fn names(&self) -> Vec<&'static str> {
                let ($($value,)+) = self;
                vec![$($value.name),+]
            }
            fn rows(&self, columns: &Columns<'_>) -> Result<Vec<Self::Row>, String> {
                let ($($value,)+) = self;
                $(let $value = columns.get::<$value>($value.name)?;)+
                Ok((0..columns.rows()).map(|i| ($($value[i].clone(),)+)).collect())
            }
        })*
    };
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}
