//! What a type is read from: a value of the text, or its replacement.

use std::ops::Range;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_spanned::de::{SpannedDeserializer, is_spanned};

use super::flaw::{Flaw, Flaws, OTHERS, Presence, Spot, What};
use super::node::{NOWHERE, Node, Value};

/// What a type is read from.
#[derive(Clone, Copy)]
pub(super) struct Given<'n> {
    what: Part<'n>,
    /// The place of a flaw in it; `None` if it is not in the text.
    spot: Option<Spot>,
    flaws: &'n Flaws,
}

#[derive(Clone, Copy)]
enum Part<'n> {
    /// A value of the text.
    Node(&'n Node),
    /// The entries of a table that its struct names; others are left to another struct.
    Named(&'n Node),
    /// The entries of a table that its struct does not name.
    Others(&'n Node, &'static [&'static str]),
    /// A key with its place.
    Key(&'n str, &'n Range<usize>),
    /// Whatever the type accepts.
    Anything(Presence),
}

/// Reads a type. A flaw in it is there if it is not in a part.
pub(super) fn read<'de, S: DeserializeSeed<'de>>(seed: S, given: Given<'_>) -> Result<S::Value, Flaw> {
    seed.deserialize(given).map_err(|flaw| flaw.at(given.spot))
}

impl<'n> Given<'n> {
    /// A value, unless it is replaced.
    pub(super) fn of(node: &'n Node, flaws: &'n Flaws) -> Given<'n> {
        let what =
            flaws.replaced.get(&node.id).map_or(Part::Node(node), |presence| Part::Anything(*presence));
        Given { what, spot: Some(Spot::Value(node.id)), flaws }
    }

    /// The entries of a table that its struct names.
    pub(super) fn named_in(node: &'n Node, flaws: &'n Flaws) -> Given<'n> {
        match Given::of(node, flaws) {
            Given { what: Part::Node(node), spot, flaws } => Given { what: Part::Named(node), spot, flaws },
            replaced => replaced,
        }
    }

    fn anything(flaws: &'n Flaws) -> Given<'n> {
        Given { what: Part::Anything(Presence::Absent), spot: None, flaws }
    }

    /// The entries of a table that belong to a struct with these keys; all of them if there is no struct.
    fn entries(self, fields: Option<&'static [&'static str]>) -> Result<Entries<'n>, Flaw> {
        let flaws = self.flaws;
        let names = fields.unwrap_or_default();
        let missing =
            |name: &'n str, value| (Given { what: Part::Key(name, &NOWHERE), spot: None, flaws }, value);
        let (node, named) = match self.what {
            Part::Node(node) => (node, fields.filter(|fields| fields.contains(&OTHERS))),
            Part::Named(node) => (node, fields),
            Part::Others(node, _) => (node, None),
            Part::Key(..) => return Err(Flaw::default()),
            Part::Anything(_) => {
                let all = names.iter().map(|name| missing(name, Given::anything(flaws)));
                return Ok(Entries { list: all.collect::<Vec<_>>().into_iter(), value: None });
            }
        };
        let Value::Table(entries) = &node.value else { return Err(What::WantedTable.into()) };
        let mut list = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(key) = &entry.key else { continue };
            let name = key.name.as_str();
            let is_asked = match self.what {
                Part::Others(_, others) => name == OTHERS || !others.contains(&name),
                _ => named.is_none_or(|named| name != OTHERS && named.contains(&name)),
            };
            if is_asked && !flaws.skipped.contains(&entry.id) {
                let key = Given { what: Part::Key(name, &key.span), spot: Some(Spot::Key(entry.id)), flaws };
                list.push((key, Given::of(entry, flaws)));
            }
        }
        for &name in names {
            if name == OTHERS {
                list.push(missing(name, Given { what: Part::Others(node, names), spot: None, flaws }));
            } else if flaws.missing.contains(&(node.id, name)) {
                list.push(missing(name, Given::anything(flaws)));
            }
        }
        Ok(Entries { list: list.into_iter(), value: None })
    }

    /// A list; if it is replaced, one of this length.
    fn list<'de, V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Flaw> {
        let elements: Vec<Given<'_>> = match self.what {
            Part::Anything(_) => vec![Given::anything(self.flaws); length],
            Part::Node(Node { value: Value::List(list), .. }) => {
                list.iter().map(|node| Given::of(node, self.flaws)).collect()
            }
            _ => return Err(What::WantedList.into()),
        };
        visitor.visit_seq(Elements(elements.into_iter()))
    }
}

/// Reads whole numbers of a type; also those that are keys.
macro_rules! whole {
    ($($method:ident $type:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
            let number = match self.what {
                Part::Anything(_) => return visitor.visit_u8(1),
                Part::Node(Node { value: Value::Whole(number), .. }) => *number,
                Part::Key(name, _) => name.parse().ok(),
                _ => None,
            };
            match number.and_then(|number| <$type>::try_from(number).ok()) {
                Some(number) => number.into_deserializer().deserialize_any(visitor),
                None => Err(Flaw::wanted(format!("a whole number from {} to {}", <$type>::MIN, <$type>::MAX))),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Given<'_> {
    type Error = Flaw;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        let node = match self.what {
            Part::Anything(_) => return visitor.visit_unit(),
            Part::Key(name, _) => return visitor.visit_str(name),
            Part::Named(_) | Part::Others(..) => return visitor.visit_map(self.entries(None)?),
            Part::Node(node) => node,
        };
        match &node.value {
            Value::Text(text) | Value::Time(text) => visitor.visit_str(text),
            Value::Whole(Some(number)) => match (u64::try_from(*number), i64::try_from(*number)) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => visitor.visit_i64(number),
                _ => visitor.visit_i128(*number),
            },
            Value::Whole(None) => Err(de::Error::invalid_value(Unexpected::Other("a number"), &visitor)),
            Value::Number(number) => visitor.visit_f64(*number),
            Value::Truth(truth) => visitor.visit_bool(*truth),
            Value::List(_) => self.list(0, visitor),
            Value::Table(_) => visitor.visit_map(self.entries(None)?),
        }
    }

    whole! {
        deserialize_u8 u8, deserialize_u16 u16, deserialize_u32 u32, deserialize_u64 u64,
        deserialize_i8 i8, deserialize_i16 i16, deserialize_i32 i32, deserialize_i64 i64,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_bool(false),
            Part::Node(Node { value: Value::Truth(truth), .. }) => visitor.visit_bool(*truth),
            _ => Err(Flaw::wanted("true or false")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_f64(1.0),
            Part::Node(Node { value: Value::Number(number), .. }) => visitor.visit_f64(*number),
            Part::Node(Node { value: Value::Whole(Some(number)), .. }) => visitor.visit_f64(*number as f64),
            _ => Err(Flaw::wanted("a number")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_str(""),
            Part::Key(text, _) => visitor.visit_str(text),
            Part::Node(Node { value: Value::Text(text), .. }) => visitor.visit_str(text),
            _ => Err(Flaw::wanted("a text in quotes")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(Presence::Absent) => visitor.visit_none(),
            Part::Anything(Presence::Present) => visitor.visit_some(Given::anything(self.flaws)),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        self.list(0, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Node(Node { value: Value::List(list), .. }) if list.len() != length => {
                Err(What::WantedLength(length, list.len()).into())
            }
            _ => self.list(length, visitor),
        }
    }

    /// A word of an enum that is given with a value: `{ word = value }`.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_unit(),
            _ => Err(What::WantedNoValue.into()),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        visitor.visit_map(self.entries(None)?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        if is_spanned(name) {
            let span = match self.what {
                Part::Node(node) | Part::Named(node) => &node.span,
                Part::Key(_, span) => span,
                Part::Others(..) | Part::Anything(_) => &NOWHERE,
            };
            return visitor.visit_map(SpannedDeserializer::new(self, span.clone()));
        }
        if let Part::Named(_) = self.what {
            let mut keys = self.flaws.keys.borrow_mut();
            let new: Vec<_> = fields.iter().filter(|field| !keys.contains(field)).copied().collect();
            keys.extend(new);
        }
        visitor.visit_map(self.entries(Some(fields))?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        let word = match self.what {
            Part::Anything(_) => words.first().copied().unwrap_or_default(),
            Part::Key(word, _) => word,
            Part::Node(Node { value: Value::Text(word), .. }) => word,
            Part::Node(Node { value: Value::Table(entries), .. }) if entries.len() == 1 => {
                let word = entries[0].name().unwrap_or_default();
                if words.contains(&word) {
                    return visitor.visit_enum(MapAccessDeserializer::new(self.entries(None)?));
                }
                word
            }
            _ => return Err(Flaw::wanted(format!("one of {}", words.join(", ")))),
        };
        visitor.visit_enum(word.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i128 u128 f32 char bytes byte_buf unit_struct tuple_struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Flaw> for Given<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The elements of a list.
struct Elements<'n>(std::vec::IntoIter<Given<'n>>);

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Flaw;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Flaw> {
        self.0.next().map(|element| read(seed, element)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a table: keys and values.
struct Entries<'n> {
    list: std::vec::IntoIter<(Given<'n>, Given<'n>)>,
    /// The value of the key that was read last.
    value: Option<Given<'n>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Flaw;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Flaw> {
        let Some((key, value)) = self.list.next() else { return Ok(None) };
        self.value = Some(value);
        read(seed, key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Flaw> {
        self.value.take().map_or_else(|| Err(Flaw::default()), |value| read(seed, value))
    }
}
