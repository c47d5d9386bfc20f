//! A column: its name, unit and meaning, and how rows fill it. The schema of a file is derived from it.
//!
//! A column of words from a closed list, such as seasons, stores the index of each word, never its letters. A
//! [`TableFrame`] is the context of an arm's tables: the powers of its board, and the parameters that the run sweeps.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Metadata, Schema, SchemaRef};
use parquet::errors::Result;
use parquet::schema::types::ColumnDescPtr;
use serde_json::{Map, Value};
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{PhaseKind, Season};
use upheaval_map::ids::{Designation, PowerNames};
use upheaval_pages as pages;
use upheaval_pages::{ColumnChunk, Numbers, Runs, Width};

use super::rows::{EventKind, GameEnd, GameRows, SeatOutcome};

/// A function from games to the values that a column has in their rows: one call for many rows, since a call costs more
/// than a value.
pub(crate) type Fill = Box<dyn for<'a> Fn(&'a [GameRows]) -> ColumnPiece<'a> + Send + Sync>;

/// The values of a column, whose rows can have any type: code that writes tables is compiled once rather than for each
/// kind of row.
pub struct ColumnValues {
    /// The Arrow type, and whether a value can be missing.
    pub(super) form: (DataType, bool),
    /// How they are encoded.
    pub(super) encoding: Encoding,
    /// The values in the rows of some games.
    pub(super) fill: Fill,
}

/// How the values of a column are encoded.
pub(super) enum Encoding {
    Numbers(Width),
    Floats,
    Words(Words),
    Texts,
    Hashes,
    /// Hashes that no two rows share.
    UniqueHashes,
}

/// A closed list of words; a column stores their indices.
pub(crate) type Words = Vec<Cow<'static, str>>;

/// One column of a table.
pub struct Column {
    /// The name.
    pub name: Cow<'static, str>,
    /// The unit of its numbers, or the set its words come from.
    pub unit: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// How it is filled.
    pub values: ColumnValues,
}

/// The values of a column in some games.
pub(crate) enum ColumnPiece<'a> {
    /// Numbers, or the indices of words.
    Numbers(Box<dyn Numbers>),
    /// Numbers with fractions.
    Floats(Runs<Option<f32>>),
    /// Texts.
    Texts(Vec<Option<&'a str>>),
    /// Hashes.
    Hashes(Vec<u64>),
}

impl Column {
    fn field(&self) -> Field {
        let (data_type, is_optional) = self.values.form.clone();
        let metadata = [("unit", self.unit), ("meaning", self.meaning)];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Field::new(self.name.as_ref(), data_type, is_optional).with_metadata(Metadata::from_iter(metadata))
    }

    /// All pieces of this column encoded.
    pub(super) fn chunk<'a>(
        &self,
        in_file: ColumnDescPtr,
        pieces: impl Iterator<Item = &'a ColumnPiece<'a>>,
    ) -> Result<ColumnChunk> {
        let (mut numbers, mut floats) = (Vec::new(), Vec::new());
        let (mut texts, mut hashes) = (Vec::new(), Vec::new());
        for piece in pieces {
            match piece {
                ColumnPiece::Numbers(piece) => numbers.push(piece.as_ref()),
                ColumnPiece::Floats(piece) => floats.push(piece),
                ColumnPiece::Texts(piece) => texts.push(piece.as_slice()),
                ColumnPiece::Hashes(piece) => hashes.push(piece.as_slice()),
            }
        }
        match &self.values.encoding {
            Encoding::Numbers(width) => pages::numbers(in_file, &numbers, *width),
            Encoding::Floats => pages::floats(in_file, &floats),
            Encoding::Words(words) => {
                let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
                pages::words(in_file, &words, &numbers)
            }
            Encoding::Texts => pages::texts(in_file, &texts),
            Encoding::Hashes => pages::hashes(in_file, &hashes),
            Encoding::UniqueHashes => pages::unique_hashes(in_file, &hashes),
        }
    }
}

/// The number of rows of a kind that these games have.
pub(super) fn count<R: TableRow>(games: &[GameRows]) -> usize {
    games.iter().map(|game| R::of(game).len()).sum()
}

/// A table: its name, what a row is, and its columns.
pub struct TableSchema {
    /// The name, which is also the folder's.
    pub name: &'static str,
    /// The meaning of one row.
    pub about: &'static str,
    /// The columns in their order.
    pub columns: Vec<Column>,
    /// The number of rows that games have in the table.
    pub(super) rows: fn(&[GameRows]) -> usize,
}

impl TableSchema {
    /// The Arrow schema, with unit and meaning as metadata of the fields.
    pub(crate) fn arrow_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns.iter().map(Column::field).collect::<Vec<_>>()))
    }
}

/// A kind of row: where a game keeps such rows, and which table they form.
pub trait TableRow: Sync + Sized + 'static {
    /// The name of the table.
    const TABLE: &'static str;
    /// The table of an arm of a run.
    fn table(frame: &TableFrame) -> TableSchema;
    /// The rows of a game.
    fn of(game: &GameRows) -> &[Self];
}

/// A type whose values are the words of a closed list.
pub(super) trait Word: Copy + 'static {
    /// All of them, in the order of [`Word::place`].
    const ALL: &'static [Self];
    /// The word as files have it.
    fn text(self) -> String;
    /// Its index in the list.
    fn place(self) -> u8;
}

macro_rules! words {
    ($($kind:ty: $all:expr, $text:expr;)*) => {
        $(impl Word for $kind {
            const ALL: &'static [Self] = &$all;
            fn text(self) -> String {
                $text(self).to_string()
            }
            fn place(self) -> u8 {
                self as u8
            }
        })*

        #[test]
        fn every_word_stands_in_its_place() {
            $(for (place, word) in <$kind as Word>::ALL.iter().enumerate() {
                assert_eq!(usize::from(word.place()), place, "{word:?}");
            })*
        }
    };
}

words! {
    Season: Season::ALL, Season::letter;
    PhaseKind: PhaseKind::ALL, PhaseKind::name;
    Designation: Designation::ALL, Designation::name;
    EventKind: EventKind::ALL, EventKind::name;
    GameEnd: GameEnd::ALL, GameEnd::name;
    SeatOutcome: SeatOutcome::ALL, SeatOutcome::name;
    Conduct: Conduct::ALL, Conduct::name;
}

/// The context of the tables of an arm, in addition to the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFrame {
    /// The powers of the board, in the order of their rows.
    pub power_names: PowerNames,
    /// A column of `games` for each parameter that a sweep sets in any arm of the run, in the order of their keys.
    pub swept: Vec<SweptColumn>,
}

/// A swept parameter and its value in one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptColumn {
    /// The key of the parameter: `changes.holes.count`.
    pub parameter: String,
    /// Its value; the same kind in all arms of a run, so that their files have one schema.
    pub value: SweptValue,
}

/// The value of a swept parameter in an arm; `None` where the arm does not set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweptValue {
    /// For a parameter whose values are all whole numbers.
    Whole(Option<u32>),
    /// For any other: a word as it is, everything else as JSON.
    Text(Option<String>),
}

impl TableFrame {
    /// The frame of a run without sweeps.
    pub fn new(power_names: PowerNames) -> TableFrame {
        TableFrame { power_names, swept: Vec::new() }
    }

    /// The frame of an arm, given the parameters that sweeps set in each arm of its run.
    pub(crate) fn of_arm<'a>(
        power_names: PowerNames,
        arms: impl Iterator<Item = Option<&'a Map<String, Value>>> + Clone,
        arm: usize,
    ) -> TableFrame {
        let keys: BTreeSet<&String> = arms.clone().flatten().flat_map(Map::keys).collect();
        let column = |parameter: &String| {
            let values = arms.clone().map(|set| set.and_then(|set| set.get(parameter)));
            let whole = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
            let own = values.clone().nth(arm).flatten();
            let value = match values.flatten().all(|value| whole(value).is_some()) {
                true => SweptValue::Whole(own.and_then(whole)),
                false => SweptValue::Text(own.map(text)),
            };
            SweptColumn { parameter: parameter.clone(), value }
        };
        TableFrame { power_names, swept: keys.into_iter().map(column).collect() }
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod frame_tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_swept_parameter_has_one_kind_of_value_in_all_arms() {
        let arms = [
            Some(json!({"changes.holes.count": 1, "builds.sites": "home"})),
            None,
            Some(json!({"changes.holes.count": 2})),
            Some(json!({"changes.holes.chance": 0.5})),
            Some(json!({"changes.holes.chance": 1})),
        ];
        let arms = arms.map(|arm| arm.and_then(|arm| arm.as_object().cloned()));
        let frame =
            |arm| TableFrame::of_arm(PowerNames::standard(), arms.iter().map(Option::as_ref), arm).swept;
        let swept = |arm| -> Vec<(String, SweptValue)> {
            frame(arm).into_iter().map(|column| (column.parameter, column.value)).collect()
        };
        let (text, whole) =
            (|text: &str| SweptValue::Text(Some(text.to_owned())), |n| SweptValue::Whole(Some(n)));
        let (sites, chance, holes) = ("builds.sites", "changes.holes.chance", "changes.holes.count");
        let row = |values: [SweptValue; 3]| {
            [sites, chance, holes].map(str::to_owned).into_iter().zip(values).collect::<Vec<_>>()
        };
        assert_eq!(swept(0), row([text("home"), SweptValue::Text(None), whole(1)]));
        assert_eq!(swept(1), row([SweptValue::Text(None), SweptValue::Text(None), SweptValue::Whole(None)]));
        assert_eq!(swept(2)[2].1, whole(2));
        assert_eq!(swept(3)[1].1, text("0.5"));
        assert_eq!(swept(4)[1].1, text("1"), "as the value of the other arm is not a whole number");
        assert_eq!(
            TableFrame::of_arm(PowerNames::standard(), [None].into_iter(), 0),
            TableFrame::new(PowerNames::standard())
        );
    }
}
