//! A TOML text as a tree of values with their places. Each value has a number.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{MOST_QUOTED, short};

/// The place of values that are not in the text.
pub(crate) const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

/// A value of the text.
#[derive(Debug)]
pub(super) struct Node {
    /// Its number. Numbers increase in the order of the text, and a value has a smaller number than its parts.
    pub id: usize,
    /// Its key; `None` for the whole text and for elements of lists.
    pub key: Option<Key>,
    pub span: Range<usize>,
    pub value: Value,
}

#[derive(Debug)]
pub(super) struct Key {
    pub name: String,
    pub span: Range<usize>,
}

#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    /// `None` beyond 128 bits.
    Whole(Option<i128>),
    Number(f64),
    Truth(bool),
    Time(String),
    List(Vec<Node>),
    /// In the order of the text.
    Table(Vec<Node>),
}

impl Node {
    /// The tree of a whole text.
    pub(super) fn root(table: &DeTable<'_>) -> Node {
        Node { id: 0, key: None, span: 0..0, value: entries(table, &mut 0) }
    }

    fn new(key: Option<Key>, value: &Spanned<DeValue<'_>>, last: &mut usize) -> Node {
        *last += 1;
        let id = *last;
        let written = |text: &str| text.replace('_', "");
        let of_value = match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(number) => {
                Value::Whole(i128::from_str_radix(&written(number.as_str()), number.radix()).ok())
            }
            DeValue::Float(number) => Value::Number(written(number.as_str()).parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Datetime(time) => Value::Time(time.to_string()),
            DeValue::Array(list) => {
                Value::List(list.iter().map(|value| Node::new(None, value, last)).collect())
            }
            DeValue::Table(table) => entries(table, last),
        };
        Node { id, key, span: value.span(), value: of_value }
    }

    /// The number of values in it, itself included.
    pub(super) fn size(&self) -> usize {
        1 + self.parts().iter().map(Node::size).sum::<usize>()
    }

    /// The elements of a list, or the entries of a table.
    pub(super) fn parts(&self) -> &[Node] {
        match &self.value {
            Value::List(parts) | Value::Table(parts) => parts,
            _ => &[],
        }
    }

    /// The entry of a table with this key.
    pub(super) fn entry(&self, key: &str) -> Option<&Node> {
        self.parts().iter().find(|node| node.name() == Some(key))
    }

    /// The key's name.
    pub(super) fn name(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.name.as_str())
    }

    /// The name of the key; for a table in a list its `id`, if it has one.
    pub(super) fn label(&self) -> Option<&str> {
        match (&self.key, self.entry("id").map(|id| &id.value)) {
            (Some(key), _) => Some(&key.name),
            // The root has a name of its own.
            (None, Some(Value::Text(id))) if self.id > 0 => Some(id),
            (None, _) => None,
        }
    }

    /// The values that lead to the one with this number, beginning with this one.
    pub(super) fn way_to(&self, id: usize) -> Option<Vec<&Node>> {
        let (mut way, mut last) = (vec![self], self);
        while last.id != id {
            last = last.parts().iter().rev().find(|part| part.id <= id)?;
            way.push(last);
        }
        Some(way)
    }

    /// As a message quotes it.
    pub(super) fn quoted(&self, text: &str) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{}\"", short(text, MOST_QUOTED)),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
            _ => short(text.get(self.span.clone()).unwrap_or_default(), MOST_QUOTED),
        }
    }
}

/// The entries of a table, in the order of the text.
fn entries(table: &DeTable<'_>, last: &mut usize) -> Value {
    let mut sorted: Vec<_> = table.iter().collect();
    sorted.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (&Spanned<_>, _)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Node::new(Some(Key { name: name.to_string(), span: key.span() }), value, last)
    };
    Value::Table(sorted.into_iter().map(entry).collect())
}
