//! Types of values in files that people write, each with its schema: with their places ([`Placed`]), within bounds
//! ([`Whole`], [`Decimal`]), in the order of the file ([`Entries`]), of any form ([`Open`]).

use std::fmt;
use std::ops::{Deref, Range};

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::diagnostic::{MOST_QUOTED, short};

/// A value with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed<T>(Spanned<T>);

impl<T> Placed<T> {
    /// A value at this place.
    pub fn new(span: Range<usize>, value: T) -> Placed<T> {
        Placed(Spanned::new(span, value))
    }

    /// Its place.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    /// The value only.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get_ref()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::deserialize(deserializer).map(Placed)
    }
}

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole<const LOW: u64, const HIGH: u64>(u64);

impl<const LOW: u64, const HIGH: u64> Whole<LOW, HIGH> {
    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number, if the bounds are those of this type.
    pub const fn small(self) -> u32 {
        const { assert!(HIGH <= u32::MAX as u64, "these bounds are too wide") };
        self.0 as u32
    }

    /// The number, if the bounds are those of this type.
    pub const fn short(self) -> u16 {
        const { assert!(HIGH <= u16::MAX as u64, "these bounds are too wide") };
        self.0 as u16
    }
}

impl<'de, const LOW: u64, const HIGH: u64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = format!("a whole number from {LOW} to {HIGH}");
        match deserializer.deserialize_any(Number { wanted: &wanted })? {
            Found::Nothing => Ok(Whole(LOW)),
            Found::Whole(number) if (LOW..=HIGH).contains(&number) => Ok(Whole(number)),
            Found::Whole(_) | Found::Decimal(_) => Err(outside(&wanted)),
        }
    }
}

/// What a file has in place of a number.
enum Found {
    /// The replacement of a value that is at fault.
    Nothing,
    Whole(u64),
    Decimal(f64),
}

/// Reads a number.
struct Number<'w> {
    wanted: &'w str,
}

impl Visitor<'_> for Number<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wanted)
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::Nothing)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Found, E> {
        Ok(Found::Whole(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Found, E> {
        Ok(u64::try_from(number).map_or(Found::Decimal(number as f64), Found::Whole))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Found, E> {
        Ok(Found::Decimal(number))
    }
}

/// The number is outside of the bounds.
fn outside<E: de::Error>(wanted: &str) -> E {
    E::invalid_value(de::Unexpected::Other("another number"), &wanted)
}

/// A number within bounds, which are given in millionths.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Decimal<const LOW: i64, const HIGH: i64>(f64);

impl<const LOW: i64, const HIGH: i64> Decimal<LOW, HIGH> {
    const LOWEST: f64 = LOW as f64 / 1e6;
    const HIGHEST: f64 = HIGH as f64 / 1e6;

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de, const LOW: i64, const HIGH: i64> Deserialize<'de> for Decimal<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = format!("a number from {} to {}", Self::LOWEST, Self::HIGHEST);
        let number = match deserializer.deserialize_any(Number { wanted: &wanted })? {
            Found::Nothing => Self::LOWEST,
            Found::Whole(number) => number as f64,
            Found::Decimal(number) => number,
        };
        match (Self::LOWEST..=Self::HIGHEST).contains(&number) {
            true => Ok(Decimal(number)),
            false => Err(outside(&wanted)),
        }
    }
}

/// The entries of a table whose keys are open, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T>(Vec<(Placed<String>, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Entries<T> {
        Entries(Vec::new())
    }
}

impl<T> Deref for Entries<T> {
    type Target = [(Placed<String>, T)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Table<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Table<T> {
            type Value = Vec<(Placed<String>, T)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                std::iter::from_fn(|| map.next_entry().transpose()).collect()
            }
        }

        deserializer.deserialize_map(Table(std::marker::PhantomData)).map(Entries)
    }
}

/// A value of any form. The places of its parts are kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// A text, a number or a truth; a date is a text.
    Single(toml::Value),
    /// A list.
    List(Vec<Placed<Open>>),
    /// A table.
    Table(Entries<Placed<Open>>),
}

impl Open {
    /// Without the places.
    pub fn value(&self) -> toml::Value {
        match self {
            Open::Single(value) => value.clone(),
            Open::List(list) => toml::Value::Array(list.iter().map(|value| value.value()).collect()),
            Open::Table(entries) => {
                let entries = entries.iter().map(|(key, value)| (key.to_string(), value.value()));
                toml::Value::Table(entries.collect())
            }
        }
    }
}

/// As a message quotes it.
impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Single(toml::Value::String(text)) => write!(f, "\"{}\"", short(text, MOST_QUOTED)),
            Open::Single(value) => value.fmt(f),
            Open::List(_) => f.write_str("a list"),
            Open::Table(_) => f.write_str("a table"),
        }
    }
}

impl<'de> Deserialize<'de> for Open {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Open;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {} to {}", i64::MIN, i64::MAX)
            }

            fn visit_str<E>(self, text: &str) -> Result<Open, E> {
                Ok(Open::Single(text.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Open, E> {
                Ok(Open::Single(number.into()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Open, E> {
                match i64::try_from(number) {
                    Ok(number) => self.visit_i64(number),
                    Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
                }
            }

            fn visit_f64<E>(self, number: f64) -> Result<Open, E> {
                Ok(Open::Single(number.into()))
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Open, E> {
                Ok(Open::Single(truth.into()))
            }

            /// In place of a value that is at fault.
            fn visit_unit<E>(self) -> Result<Open, E> {
                Ok(Open::Single("".into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Open, A::Error> {
                std::iter::from_fn(|| list.next_element().transpose())
                    .collect::<Result<_, _>>()
                    .map(Open::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Open, A::Error> {
                Entries::deserialize(de::value::MapAccessDeserializer::new(map)).map(Open::Table)
            }
        }

        deserializer.deserialize_any(Any)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Decimal, Entries, Open, Placed, Whole};

    /// The methods of a type whose schema is written out wherever it is used.
    macro_rules! inline_schema {
        ($name:expr, |$generator:pat_param| $schema:expr) => {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        };
    }

    impl<T: JsonSchema> JsonSchema for Placed<T> {
        fn inline_schema() -> bool {
            T::inline_schema()
        }

        fn schema_name() -> Cow<'static, str> {
            T::schema_name()
        }

        fn schema_id() -> Cow<'static, str> {
            T::schema_id()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            T::json_schema(generator)
        }
    }

    impl<const LOW: u64, const HIGH: u64> JsonSchema for Whole<LOW, HIGH> {
        inline_schema!("Whole", |_| json_schema!({ "type": "integer", "minimum": LOW, "maximum": HIGH }));
    }

    impl<const LOW: i64, const HIGH: i64> JsonSchema for Decimal<LOW, HIGH> {
        inline_schema!(
            "Decimal",
            |_| json_schema!({ "type": "number", "minimum": Self::LOWEST, "maximum": Self::HIGHEST })
        );
    }

    impl<T: JsonSchema> JsonSchema for Entries<T> {
        inline_schema!(
            format!("EntriesOf{}", T::schema_name()),
            |generator| json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
        );
    }

    impl JsonSchema for Open {
        inline_schema!("Open", |_| true.into());
    }
}
