//! A column: its name, unit and meaning, and how a row fills it. Arrow types and arrays come from here.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{ArrayRef, PrimitiveArray, StringBuilder};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, Metadata, Schema, SchemaRef, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};

use super::rows::GameRecord;

/// A function from a row to the value of a column.
pub type Get<R, T> = Box<dyn Fn(&R) -> T + Send + Sync>;
/// A function from a row to the text of a column.
pub type GetText<R> = Box<dyn for<'a> Fn(&'a R) -> &'a str + Send + Sync>;
/// A function from a row to the text of a column that may be missing.
pub type GetOptionalText<R> = Box<dyn for<'a> Fn(&'a R) -> Option<&'a str> + Send + Sync>;

/// How a column is filled, which fixes its type.
#[allow(missing_docs)] // the names are the types
pub enum Values<R> {
    U8(Get<R, u8>),
    U16(Get<R, u16>),
    U32(Get<R, u32>),
    U64(Get<R, u64>),
    OptionalU16(Get<R, Option<u16>>),
    Text(GetText<R>),
    OptionalText(GetOptionalText<R>),
}

/// How a column lies in the file. A choice of size alone: readers see no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Few different values: a dictionary and runs of its indices.
    Dictionary,
    /// Numbers: the differences from row to row in as few bits as they need. Takes a quarter of the
    /// dictionary's time, which is why small numbers have it too.
    Delta,
    /// Values that never repeat.
    Plain,
}

/// One column of a table whose rows are `R`.
pub struct Column<R> {
    /// The name.
    pub name: Cow<'static, str>,
    /// The unit of its numbers, or the set its words come from.
    pub unit: &'static str,
    /// What it means.
    pub meaning: Cow<'static, str>,
    /// How it is filled.
    pub values: Values<R>,
    /// How it is stored.
    pub layout: Layout,
}

impl<R> Column<R> {
    /// A column: numbers stored by differences, texts and hashes with a dictionary.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        meaning: impl Into<Cow<'static, str>>,
        values: Values<R>,
    ) -> Self {
        let layout = match values {
            Values::Text(_) | Values::OptionalText(_) | Values::U64(_) => Layout::Dictionary,
            Values::U8(_) | Values::U16(_) | Values::U32(_) | Values::OptionalU16(_) => Layout::Delta,
        };
        Column { name: name.into(), unit, meaning: meaning.into(), values, layout }
    }

    /// The same column stored otherwise.
    pub fn stored(self, layout: Layout) -> Self {
        Column { layout, ..self }
    }

    /// The Arrow type.
    pub fn data_type(&self) -> DataType {
        match self.values {
            Values::U8(_) => DataType::UInt8,
            Values::U16(_) | Values::OptionalU16(_) => DataType::UInt16,
            Values::U32(_) => DataType::UInt32,
            Values::U64(_) => DataType::UInt64,
            Values::Text(_) | Values::OptionalText(_) => DataType::Utf8,
        }
    }

    /// Can a value be missing?
    pub fn is_optional(&self) -> bool {
        matches!(self.values, Values::OptionalU16(_) | Values::OptionalText(_))
    }

    fn field(&self) -> Field {
        Field::new(self.name.as_ref(), self.data_type(), self.is_optional()).with_metadata(
            Metadata::from_iter([
                ("unit".to_owned(), self.unit.to_owned()),
                ("meaning".to_owned(), self.meaning.to_string()),
            ]),
        )
    }
}

impl<R: Row> Column<R> {
    /// The values of this column in the rows of the games given.
    pub fn array(&self, games: &[GameRecord]) -> ArrayRef {
        match &self.values {
            Values::U8(get) => numbers::<R, UInt8Type>(games, get),
            Values::U16(get) => numbers::<R, UInt16Type>(games, get),
            Values::U32(get) => numbers::<R, UInt32Type>(games, get),
            Values::U64(get) => numbers::<R, UInt64Type>(games, get),
            Values::OptionalU16(get) => {
                Arc::new(games.iter().flat_map(R::of).map(get).collect::<PrimitiveArray<UInt16Type>>())
            }
            Values::Text(get) => {
                let mut texts = texts::<R>(games);
                games.iter().flat_map(R::of).for_each(|row| texts.append_value(get(row)));
                Arc::new(texts.finish())
            }
            Values::OptionalText(get) => {
                let mut texts = texts::<R>(games);
                games.iter().flat_map(R::of).for_each(|row| texts.append_option(get(row)));
                Arc::new(texts.finish())
            }
        }
    }
}

fn count<R: Row>(games: &[GameRecord]) -> usize {
    games.iter().map(|game| R::of(game).len()).sum()
}

fn texts<R: Row>(games: &[GameRecord]) -> StringBuilder {
    let rows = count::<R>(games);
    StringBuilder::with_capacity(rows, 8 * rows)
}

fn numbers<R: Row, T: ArrowPrimitiveType>(games: &[GameRecord], get: &Get<R, T::Native>) -> ArrayRef {
    let mut values = Vec::with_capacity(count::<R>(games));
    games.iter().for_each(|game| values.extend(R::of(game).iter().map(get)));
    Arc::new(PrimitiveArray::<T>::new(values.into(), None))
}

/// A table: its name, what a row is, and its columns.
pub struct Table<R> {
    /// The name, which is also the folder's.
    pub name: &'static str,
    /// What one row stands for.
    pub about: &'static str,
    /// The columns in their order.
    pub columns: Vec<Column<R>>,
}

impl<R> Table<R> {
    /// The Arrow schema, with unit and meaning as metadata of the fields.
    pub fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns.iter().map(Column::field).collect::<Vec<_>>()))
    }
}

/// A kind of row: where a game keeps such rows and what table they form.
pub trait Row: Sync + Sized + 'static {
    /// The table.
    fn table() -> &'static Table<Self>;
    /// The rows of a game.
    fn of(game: &GameRecord) -> &[Self];
}
