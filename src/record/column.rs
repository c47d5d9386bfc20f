//! A column: its name, unit and meaning, and how a row fills it. Arrow types and arrays come from here.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Metadata, Schema, SchemaRef};

use super::packed::{Number, Numbers};
use super::rows::GameRecord;

/// A function that appends the values of a column in some rows: one call for many rows, as a value costs less than a
/// call.
pub type Fill<R, T> = Box<dyn Fn(&[R], &mut Vec<T>) + Send + Sync>;
/// A function from a row to the text of a column.
pub type GetText<R> = Box<dyn for<'a> Fn(&'a R) -> &'a str + Send + Sync>;
/// A function from a row to the text of a column that may be missing.
pub type GetOptionalText<R> = Box<dyn for<'a> Fn(&'a R) -> Option<&'a str> + Send + Sync>;

/// How a column is filled, which fixes its type.
#[allow(missing_docs)] // the names are the types
pub enum Values<R> {
    U8(Fill<R, u8>),
    U16(Fill<R, u16>),
    U32(Fill<R, u32>),
    U64(Fill<R, u64>),
    OptionalU16(Fill<R, Option<u16>>),
    Word(Words, Fill<R, u8>),
    OptionalWord(Words, Fill<R, Option<u8>>),
    Text(GetText<R>),
    OptionalText(GetOptionalText<R>),
}

/// A closed list of words, of which a column keeps the places.
pub type Words = Vec<&'static str>;

/// How a column lies in the file. A choice of size and time alone: readers see no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Numbers and words of closed lists: a dictionary that is known beforehand, and indices of a few bits
    /// ([`super::packed`]).
    Packed,
    /// Other texts and hashes, of which some come often: a dictionary of those that come.
    Dictionary,
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
    /// A column: numbers and words packed, texts and hashes with a dictionary.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        meaning: impl Into<Cow<'static, str>>,
        values: Values<R>,
    ) -> Self {
        let layout = match values {
            Values::Text(_) | Values::OptionalText(_) | Values::U64(_) => Layout::Dictionary,
            _ => Layout::Packed,
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
            Values::Word(..) | Values::OptionalWord(..) | Values::Text(_) | Values::OptionalText(_) => {
                DataType::Utf8
            }
        }
    }

    /// Can a value be missing?
    pub fn is_optional(&self) -> bool {
        matches!(self.values, Values::OptionalU16(_) | Values::OptionalWord(..) | Values::OptionalText(_))
    }

    /// The list that its words are of, if it has one.
    pub fn words(&self) -> Option<&[&'static str]> {
        match &self.values {
            Values::Word(words, _) | Values::OptionalWord(words, _) => Some(words),
            _ => None,
        }
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

/// The values of a column in some games.
pub enum Piece {
    /// What the library encodes.
    Array(ArrayRef),
    /// What [`super::packed`] does.
    Packed(Box<dyn Numbers>),
}

impl Piece {
    /// The array; `None` of what is packed.
    pub fn array(&self) -> Option<&ArrayRef> {
        match self {
            Piece::Array(array) => Some(array),
            Piece::Packed(_) => None,
        }
    }

    /// The numbers to be packed; `None` of an array.
    pub fn numbers(&self) -> Option<&dyn Numbers> {
        match self {
            Piece::Array(_) => None,
            Piece::Packed(numbers) => Some(numbers.as_ref()),
        }
    }
}

impl<R: Row> Column<R> {
    /// The values of this column in the rows of the games given.
    pub fn piece(&self, games: &[GameRecord]) -> Piece {
        match &self.values {
            Values::U8(fill) | Values::Word(_, fill) => packed(games, fill),
            Values::U16(fill) => packed(games, fill),
            Values::U32(fill) => packed(games, fill),
            Values::OptionalU16(fill) => packed(games, fill),
            Values::OptionalWord(_, fill) => packed(games, fill),
            Values::U64(fill) => Piece::Array(Arc::new(UInt64Array::from(values(games, fill)))),
            Values::Text(get) => {
                let mut texts = texts::<R>(games);
                games.iter().flat_map(R::of).for_each(|row| texts.append_value(get(row)));
                Piece::Array(Arc::new(texts.finish()))
            }
            Values::OptionalText(get) => {
                let mut texts = texts::<R>(games);
                games.iter().flat_map(R::of).for_each(|row| texts.append_option(get(row)));
                Piece::Array(Arc::new(texts.finish()))
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

fn values<R: Row, T>(games: &[GameRecord], fill: &Fill<R, T>) -> Vec<T> {
    let mut values = Vec::with_capacity(count::<R>(games));
    games.iter().for_each(|game| fill(R::of(game), &mut values));
    values
}

fn packed<R: Row, T: Number>(games: &[GameRecord], fill: &Fill<R, T>) -> Piece {
    Piece::Packed(Box::new(values(games, fill)))
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
