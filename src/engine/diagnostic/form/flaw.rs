//! A fault of form: why a text is not of a type, and its message.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::ops::Range;

use serde::de::{self, Expected, Unexpected};

use super::node::{Node, Value};
use crate::diagnostic::{MOST_QUOTED, short, suggest};

/// The name of a struct's field for the entries of a table that no other field names.
pub const OTHERS: &str = "*";

/// A fault of form.
#[derive(Debug, Default)]
pub(super) struct Flaw {
    pub spot: Option<Spot>,
    pub what: What,
}

/// The value or key at fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Value(usize),
    /// The key of this value.
    Key(usize),
}

#[derive(Debug, Default)]
pub(super) enum What {
    /// A key is missing in the table.
    Missing(&'static str),
    /// The key is none of these.
    UnknownKey(&'static [&'static str]),
    /// The word is none of these.
    UnknownWord(String, &'static [&'static str]),
    /// Something else must be there.
    Wanted(String),
    /// A list must be there.
    WantedList,
    /// The list must have this length, not the second.
    WantedLength(usize, usize),
    /// Only the key must be there, as a word.
    WantedNoValue,
    /// A table must be there.
    #[default]
    WantedTable,
    /// What the type says.
    Said(String),
}

impl From<What> for Flaw {
    fn from(what: What) -> Flaw {
        Flaw { spot: None, what }
    }
}

impl Flaw {
    pub(super) fn wanted(what: impl Into<String>) -> Flaw {
        What::Wanted(what.into()).into()
    }

    /// The flaw at this place, if it does not have one.
    pub(super) fn at(self, spot: Option<Spot>) -> Flaw {
        Flaw { spot: self.spot.or(spot), ..self }
    }
}

impl Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Flaw {}

impl de::Error for Flaw {
    fn custom<T: Display>(message: T) -> Flaw {
        What::Said(message.to_string()).into()
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Flaw {
        Flaw::wanted(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Flaw {
        Flaw::wanted(expected.to_string())
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Flaw {
        Flaw::wanted(expected.to_string())
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Flaw {
        What::UnknownWord(word.to_owned(), known).into()
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Flaw {
        What::UnknownKey(known).into()
    }

    fn missing_field(key: &'static str) -> Flaw {
        What::Missing(key).into()
    }
}

/// What an optional value is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// By a value, so that nothing seems to be missing.
    Present,
    /// By none, if its type accepts no other value.
    Absent,
}

/// What earlier readings of a text found.
#[derive(Debug, Default)]
pub(super) struct Flaws {
    /// Values that are replaced.
    pub replaced: BTreeMap<usize, Presence>,
    /// Entries that are skipped.
    pub skipped: BTreeSet<usize>,
    /// Keys that are missing in a table.
    pub missing: BTreeSet<(usize, &'static str)>,
    /// The keys that the structs of [`Form::read_both`](super::Form::read_both) have.
    pub keys: RefCell<Vec<&'static str>>,
}

impl Flaws {
    /// Replaces a value, or removes it if it is replaced; returns whether that is possible.
    pub(super) fn replace(&mut self, id: usize) -> bool {
        let presence = if self.replaced.contains_key(&id) { Presence::Absent } else { Presence::Present };
        self.replaced.insert(id, presence) != Some(Presence::Absent)
    }
}

/// The place and the words of a flaw of the last value of a way through a text.
pub(super) fn message(
    what: &What,
    spot: Spot,
    way: &[&Node],
    text: &str,
    example: fn(&str) -> Option<String>,
) -> (Range<usize>, String) {
    let names: Vec<&str> = way.iter().filter_map(|node| node.label()).collect();
    let path = names.join(".");
    let Some(node) = way.last() else { return (0..0, String::new()) };
    let (span, is_key) = match (spot, &node.key) {
        (Spot::Key(_), Some(key)) => (key.span.clone(), true),
        _ => (node.span.clone(), false),
    };
    let must = |wanted: &str| {
        let which = if node.key.is_none() && !path.is_empty() { "each of " } else { "" };
        format!("{which}`{path}` must be {wanted}, not {}", node.quoted(text))
    };
    let message = match what {
        What::Missing(key) if path.is_empty() => missing(key, example),
        What::Missing(key) => missing(&format!("{path}.{key}"), example),
        What::UnknownKey(known) => unknown_key(&path, names.last().unwrap_or(&""), known),
        What::UnknownWord(word, known) if is_key => unknown_key(&path, word, known),
        What::UnknownWord(word, known) => {
            let known = suggest(word, known.iter().copied());
            format!("unknown word `{}` for `{path}`; {known}", short(word, MOST_QUOTED))
        }
        What::Wanted(wanted) if is_key => format!("the key `{path}` must be {wanted}"),
        What::Wanted(wanted) => must(wanted),
        What::WantedList => match node.value {
            Value::Table(_) if text.get(span.clone()).is_some_and(|text| text.starts_with('[')) => {
                must(&format!("a list; a list of tables is written `[[{path}]]`"))
            }
            Value::Table(_) => must("a list: `[…]`"),
            _ => must("a list"),
        },
        What::WantedLength(wanted, found) => {
            format!("`{path}` must be a list of {wanted} values, not of {found}")
        }
        What::WantedNoValue => {
            let word = names.last().unwrap_or(&"");
            format!("`{path}` has no value; write the word `\"{word}\"` in place of the table")
        }
        What::WantedTable if node.key.is_none() => must("a table"),
        What::WantedTable => must(&format!("a table: `[{path}]`")),
        What::Said(said) if path.is_empty() => said.clone(),
        What::Said(said) => format!("`{path}`: {said}"),
    };
    (span, message)
}

/// The message of a missing key.
pub(super) fn missing(path: &str, example: fn(&str) -> Option<String>) -> String {
    let example = example(path).map_or_else(String::new, |example| format!("; {example}"));
    format!("`{path}` is missing{example}")
}

/// The message of a key that no field has.
pub(super) fn unknown_key(path: &str, name: &str, known: &[&str]) -> String {
    let known = known.iter().copied().filter(|known| *known != OTHERS);
    format!("unknown key `{}`; {}", short(path, MOST_QUOTED), suggest(name, known))
}
