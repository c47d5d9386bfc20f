//! JSON that is kept as it was received: numbers of any size, and no duplicate keys.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The id of a request: any JSON, kept as text, so that a number beyond 64 bits or `1.50` is returned
/// unchanged.
#[derive(Serialize, Debug, Clone)]
#[serde(transparent)]
pub struct Id(Box<RawValue>);

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Id {}

impl Default for Id {
    /// `null`
    fn default() -> Id {
        Id(RawValue::NULL.to_owned())
    }
}

impl Id {
    /// The JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        // Ends of lines and tabs occur only between the parts of a JSON text, never inside one: a space in place
        // of each keeps the answer on one line.
        if !raw.get().contains(['\n', '\r', '\t']) {
            return Ok(Id(raw));
        }
        RawValue::from_string(raw.get().replace(['\n', '\r', '\t'], " ")).map(Id).map_err(D::Error::custom)
    }
}

/// A table without duplicate keys: a second entry for a name is an error rather than silently ignored.
pub(super) fn each_once<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct EachOnce<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for EachOnce<T> {
        type Value = BTreeMap<String, T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with names as keys")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut table = BTreeMap::new();
            while let Some(key) = entries.next_key::<String>()? {
                if table.contains_key(&key) {
                    return Err(twice(&key));
                }
                table.insert(key, entries.next_value()?);
            }
            Ok(table)
        }
    }

    deserializer.deserialize_map(EachOnce(PhantomData))
}

/// [`each_once`] for an optional table.
pub(super) fn each_once_if_any<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Table<T>(BTreeMap<String, T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Table<T>, D::Error> {
            each_once(deserializer).map(Table)
        }
    }

    Ok(Option::<Table<T>>::deserialize(deserializer)?.map(|Table(table)| table))
}

/// Values by name; no object, at any depth, may have a duplicate key.
pub(super) fn values<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Value>, D::Error> {
    let table: BTreeMap<String, Plain> = each_once(deserializer)?;
    Ok(table.into_iter().map(|(key, Plain(value))| (key, value)).collect())
}

/// An optional value; no object, at any depth, may have a duplicate key.
pub(super) fn value_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Ok(Option::<Plain>::deserialize(deserializer)?.map(|Plain(value)| value))
}

struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        PlainValue.deserialize(deserializer).map(Plain)
    }
}

/// Reads a value whose objects have no duplicate keys.
struct PlainValue;

impl<'de> DeserializeSeed<'de> for PlainValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PlainValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = entries.next_element_seed(PlainValue)? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut table = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if table.contains_key(&key) {
                return Err(twice(&key));
            }
            let value = entries.next_value_seed(PlainValue)?;
            table.insert(key, value);
        }
        Ok(table.into())
    }
}

fn twice<E: serde::de::Error>(key: &str) -> E {
    E::custom(format_args!("the key `{key}` occurs twice"))
}
