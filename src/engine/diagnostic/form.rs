//! Reads TOML into types by serde, and finds all faults of a text rather than the first.
//!
//! serde stops at the first fault. A [`Form`] notes it and reads again; this time the faulty value, or the missing one, is
//! replaced by one that its type accepts, and an unknown key is skipped. What is read in the end is a value of the type
//! in which the replaced parts have no place in the text ([`Form::fault`] ignores them), so that the content of all other
//! parts can be checked as well.
//!
//! The messages are made here, from what the type asks for and what the text has: no message of serde is taken apart.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::ops::Range;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use toml::de::{DeTable, DeValue};

use super::{Diagnostic, Faults, Place, Source, suggest, wording};

/// The most faults that are reported of one text. Each costs one more reading.
const MOST_FAULTS: usize = 50;

/// The most letters of a value that a message quotes.
const MOST_QUOTED: usize = 80;

/// The name of a struct's field for the entries of a table that no other field names.
pub const OTHERS: &str = "*";

/// The place of values that are not in the text.
pub(crate) const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

/// A text that is being read, with the faults found so far.
pub struct Form<'a> {
    source: &'a Source,
    root: Node,
    flaws: Flaws,
    /// What to add to the message of a missing key.
    example: fn(&str) -> Option<String>,
    found: RefCell<Vec<Found>>,
    /// For unknown keys that are misspelled ones: the table and the key that is meant.
    meant: RefCell<BTreeSet<(usize, &'static str)>>,
}

/// A fault that was found.
struct Found {
    fault: Diagnostic,
    /// The place by which it is sorted: its own, or the one that names another file.
    at: Place,
    /// The table and the key, if it is the fault of a missing one.
    missing: Option<(usize, &'static str)>,
}

/// A value of the text.
#[derive(Debug)]
struct Node {
    id: usize,
    span: Range<usize>,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Text(String),
    /// `None` beyond 128 bits.
    Whole(Option<i128>, String),
    Number(f64, String),
    Truth(bool),
    Time(String),
    List(Vec<Node>),
    /// In the order of the text.
    Table(Vec<(Key, Node)>),
}

#[derive(Debug)]
struct Key {
    name: String,
    span: Range<usize>,
}

/// What an optional value is replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// By a value, so that nothing seems to be missing.
    Present,
    /// By none, if its type accepts no other value.
    Absent,
}

/// What earlier readings of a text found.
#[derive(Debug, Default)]
struct Flaws {
    /// Values that are replaced.
    replaced: BTreeMap<usize, Presence>,
    /// Entries that are skipped.
    skipped: BTreeSet<usize>,
    /// Keys that are missing in a table.
    missing: BTreeSet<(usize, &'static str)>,
    /// The keys that the structs of [`Form::read_both`] have.
    keys: RefCell<Vec<&'static str>>,
}

impl<'a> Form<'a> {
    /// Parses a text. `example` may add to the message of a missing key, which it receives with the names of its tables.
    ///
    /// # Errors
    /// The text is not TOML.
    pub fn new(source: &'a Source, example: fn(&str) -> Option<String>) -> Result<Form<'a>, Faults> {
        let table = DeTable::parse(source.text()).map_err(|error| {
            let message = format!("not valid TOML: {}", wording::of_toml(&error));
            source.fault(error.span().unwrap_or_default(), message)
        })?;
        let ids = Cell::new(0);
        let root = Node { id: ids.get(), span: 0..0, value: entries(table.get_ref(), &ids) };
        Ok(Form {
            source,
            root,
            flaws: Flaws::default(),
            example,
            found: RefCell::default(),
            meant: RefCell::default(),
        })
    }

    /// The text as a value of a type; `None` if not even the rest of it can be read as one.
    pub fn read<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.read_as(|root| T::deserialize(root), Extent::Whole)
    }

    /// Those keys of the text that a struct has; other keys are ignored.
    pub fn read_part<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.read_as(|root| T::deserialize(root), Extent::OwnKeys)
    }

    /// The text as two structs that share its keys: any other key is a fault.
    pub fn read_both<A: DeserializeOwned, B: DeserializeOwned>(&mut self) -> Option<(A, B)> {
        let first = self.read_as(|root| A::deserialize(root), Extent::OwnKeys);
        let second = self.read_as(|root| B::deserialize(root), Extent::OwnKeys);
        let known = self.flaws.keys.take();
        if let Value::Table(entries) = &self.root.value {
            for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
                self.meant(self.root.id, &key.name, &known);
                self.fault(key.span.clone(), unknown_key(&key.name, &key.name, &known));
            }
        }
        first.zip(second)
    }

    /// A table of the text as a value of a type; `None` if it is not there, or cannot be read as one. The reading of the
    /// rest leaves it out.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Option<(T, Range<usize>)> {
        let Value::Table(entries) = &self.root.value else { return None };
        let at = entries.iter().position(|(name, _)| name.name == key)?;
        let (id, span) = (entries[at].1.id, entries[at].1.span.clone());
        let read = |root: Given<'_>| {
            let Value::Table(entries) = &root.node()?.value else { return Err(Flaw::default()) };
            let (_, node) = &entries[at];
            T::deserialize(Given::of(node, root.flaws)).map_err(|flaw| flaw.at(Spot::Value(node.id)))
        };
        let value = self.read_as(read, Extent::Whole);
        self.flaws.skipped.insert(id);
        value.map(|value| (value, span))
    }

    fn read_as<T>(&mut self, read: impl Fn(Given<'_>) -> Result<T, Flaw>, extent: Extent) -> Option<T> {
        loop {
            let flaw = match read(Given { extent, ..Given::of(&self.root, &self.flaws) }) {
                Ok(value) => return Some(value),
                Err(flaw) => flaw,
            };
            if !self.note(flaw) {
                return None;
            }
        }
    }

    /// Reports a flaw and prepares the next reading. Returns whether there may be one.
    fn note(&mut self, flaw: Flaw) -> bool {
        let spot = flaw.spot.unwrap_or(Spot::Value(self.root.id));
        let (Spot::Value(id) | Spot::Key(id)) = spot;
        let is_new = match (&flaw.what, spot) {
            (What::Missing(key), _) => self.flaws.missing.insert((id, *key)),
            (_, Spot::Key(_)) => self.flaws.skipped.insert(id),
            (_, Spot::Value(_)) => !self.flaws.replaced.contains_key(&id) && self.flaws.replace(id),
        };
        let Some(way) = self.root.way_to(id) else { return false };
        if !is_new {
            // The type accepts no value in place of a faulty one: what it is in is replaced.
            return way.iter().rev().any(|step| self.flaws.replace(step.node.id))
                && !self.flaws.replaced.contains_key(&self.root.id);
        }
        if let (What::UnknownKey(known), [.., table, Step { key: Some(key), .. }]) = (&flaw.what, &way[..]) {
            self.meant(table.node.id, &key.name, known);
        }
        let (span, message) = message(&flaw.what, spot, &way, self.example);
        let missing = match flaw.what {
            What::Missing(key) => Some((id, key)),
            _ => None,
        };
        let fault = self.source.fault(span, message);
        self.found.borrow_mut().push(Found { at: fault.place.clone(), fault, missing });
        if self.found.borrow().len() < MOST_FAULTS {
            return true;
        }
        let end = self.source.text().len();
        self.fault(end..end, "there may be more faults; correct these first");
        false
    }

    /// Notes which key of a table an unknown one stands for, if it is near one.
    fn meant(&self, table: usize, name: &str, known: &[&'static str]) {
        let nearest = wording::nearest(name, known.iter().copied());
        self.meant.borrow_mut().extend(nearest.map(|key| (table, key)));
    }

    /// Adds a fault of content. It is ignored if it is about a value that was replaced, because that one has been
    /// reported.
    pub fn fault(&self, span: Range<usize>, message: impl Into<String>) {
        if span != NOWHERE {
            self.add(self.source.fault(span, message));
        }
    }

    /// Adds a fault of content; nothing can be made of the value.
    pub fn refuse<T>(&self, span: Range<usize>, message: impl Into<String>) -> Option<T> {
        self.fault(span, message);
        None
    }

    /// Adds a fault that another reader of the text has found.
    pub fn add(&self, fault: Diagnostic) {
        self.found.borrow_mut().push(Found { at: fault.place.clone(), fault, missing: None });
    }

    /// Adds the faults of another file, which this one names here.
    pub fn add_of_file(&self, span: Range<usize>, faults: &Faults) {
        if span == NOWHERE {
            return;
        }
        let at = self.source.fault(span, "").place;
        let found = faults.iter().map(|fault| Found { fault: fault.clone(), at: at.clone(), missing: None });
        self.found.borrow_mut().extend(found);
    }

    /// Was no fault found?
    pub(crate) fn is_faultless(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// The fault of a missing key that only some files need.
    pub fn missing<T>(&self, table: Range<usize>, path: &str) -> Option<T> {
        self.refuse(table, missing(path, self.example))
    }

    /// Has the key of the whole text no fault of form in it?
    pub(crate) fn is_sound(&self, key: &str) -> bool {
        let Value::Table(entries) = &self.root.value else { return false };
        let is_missing =
            self.flaws.missing.iter().any(|(id, missing)| (*id, *missing) == (self.root.id, key));
        !is_missing
            && entries.iter().filter(|(name, _)| name.name == key).all(|(_, node)| self.flaws.spare(node))
    }

    /// The keys of the whole text.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        let entries: &[(Key, Node)] = match &self.root.value {
            Value::Table(entries) => entries,
            _ => &[],
        };
        entries.iter().map(|(key, _)| key.name.as_str())
    }

    /// The position of a key of the whole text.
    pub fn key(&self, key: &str) -> Option<Range<usize>> {
        match &self.root.value {
            Value::Table(entries) => {
                entries.iter().find(|(name, _)| name.name == key).map(|(name, _)| name.span.clone())
            }
            _ => None,
        }
    }

    /// The value, if no fault was found.
    ///
    /// # Errors
    /// All faults, in the order of the text.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Faults> {
        let (mut found, meant) = (self.found.into_inner(), self.meant.into_inner());
        // A misspelled key is one fault, not two.
        found.retain(|found| found.missing.is_none_or(|missing| !meant.contains(&missing)));
        found.sort_by_key(|found| match found.at {
            Place::File { line, column, .. } => (line, column),
            Place::Setting(_) | Place::Argument(_) => (usize::MAX, usize::MAX),
        });
        let mut faults: Vec<Diagnostic> = Vec::new();
        for Found { fault, .. } in found {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        match value.filter(|_| faults.is_empty()) {
            Some(value) => Ok(value),
            None if faults.is_empty() => Err(self.source.fault(0..0, "this cannot be read").into()),
            None => Err(Faults(faults)),
        }
    }
}

impl Flaws {
    /// Replaces a value, or removes it if it is replaced; returns whether that is possible.
    fn replace(&mut self, id: usize) -> bool {
        let presence = if self.replaced.contains_key(&id) { Presence::Absent } else { Presence::Present };
        self.replaced.insert(id, presence) != Some(Presence::Absent)
    }

    /// Is nothing in this value faulty?
    fn spare(&self, node: &Node) -> bool {
        let own = !self.replaced.contains_key(&node.id)
            && !self.skipped.contains(&node.id)
            && self.missing.iter().all(|(id, _)| *id != node.id);
        own && match &node.value {
            Value::List(list) => list.iter().all(|node| self.spare(node)),
            Value::Table(entries) => entries.iter().all(|(_, node)| self.spare(node)),
            _ => true,
        }
    }
}

/// A step from the whole text to one of its values.
struct Step<'a> {
    /// The key; `None` for an element of a list.
    key: Option<&'a Key>,
    node: &'a Node,
}

impl Node {
    /// The steps to the value with this number, beginning with the whole text.
    fn way_to(&self, id: usize) -> Option<Vec<Step<'_>>> {
        let mut way = vec![Step { key: None, node: self }];
        while let Some(Step { node, .. }) = way.last() {
            if node.id == id {
                return Some(way);
            }
            // Numbers increase in the order of the text, and a value has a smaller number than its parts.
            let step = match &node.value {
                Value::List(list) => {
                    list.iter().rev().find(|node| node.id <= id).map(|node| Step { key: None, node })
                }
                Value::Table(entries) => {
                    let entry = entries.iter().rev().find(|(_, node)| node.id <= id);
                    entry.map(|(key, node)| Step { key: Some(key), node })
                }
                _ => None,
            };
            way.push(step?);
        }
        None
    }
}

/// The entries of a table, in the order of the text.
fn entries(table: &DeTable<'_>, ids: &Cell<usize>) -> Value {
    let mut sorted: Vec<_> = table.iter().collect();
    sorted.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (&toml::Spanned<_>, _)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        (Key { name: name.to_string(), span: key.span() }, node(value, ids))
    };
    Value::Table(sorted.into_iter().map(entry).collect())
}

fn node(value: &toml::Spanned<DeValue<'_>>, ids: &Cell<usize>) -> Node {
    let id = ids.get() + 1;
    ids.set(id);
    let written = |text: &str| text.replace('_', "");
    let of_value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let read = i128::from_str_radix(&written(number.as_str()), number.radix()).ok();
            Value::Whole(read, number.to_string())
        }
        DeValue::Float(number) => {
            Value::Number(written(number.as_str()).parse().unwrap_or(f64::NAN), number.to_string())
        }
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(time) => Value::Time(time.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|value| node(value, ids)).collect()),
        DeValue::Table(table) => entries(table, ids),
    };
    Node { id, span: value.span(), value: of_value }
}

/// A fault of form: why a text is not of a type.
#[derive(Debug, Default)]
struct Flaw {
    spot: Option<Spot>,
    what: What,
}

/// The value or key at fault.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Value(usize),
    /// The key of this value.
    Key(usize),
}

#[derive(Debug, Default)]
enum What {
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
    /// A table must be there.
    #[default]
    WantedTable,
    /// What the type says.
    Said(String),
}

impl Flaw {
    fn wanted(what: impl Into<String>) -> Flaw {
        Flaw { spot: None, what: What::Wanted(what.into()) }
    }

    /// The flaw at this place, if it does not have one.
    fn at(self, spot: Spot) -> Flaw {
        Flaw { spot: self.spot.or(Some(spot)), ..self }
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
        Flaw { spot: None, what: What::Said(message.to_string()) }
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
        Flaw { spot: None, what: What::UnknownWord(word.to_owned(), known) }
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Flaw {
        Flaw { spot: None, what: What::UnknownKey(known) }
    }

    fn missing_field(key: &'static str) -> Flaw {
        Flaw { spot: None, what: What::Missing(key) }
    }
}

/// The place and the words of a flaw of the last value of a way.
fn message(
    what: &What,
    spot: Spot,
    way: &[Step<'_>],
    example: fn(&str) -> Option<String>,
) -> (Range<usize>, String) {
    let names: Vec<&str> = way.iter().filter_map(|step| Some(step.key?.name.as_str())).collect();
    let path = names.join(".");
    let Some(Step { key, node }) = way.last() else { return (0..0, String::new()) };
    let span = match (spot, key) {
        (Spot::Key(_), Some(key)) => key.span.clone(),
        _ => node.span.clone(),
    };
    let must = |wanted: &str| {
        let which = if key.is_none() && !path.is_empty() { "each of " } else { "" };
        format!("{which}`{path}` must be {wanted}, not {}", node.value)
    };
    let text = match what {
        What::Missing(key) if path.is_empty() => missing(key, example),
        What::Missing(key) => missing(&format!("{path}.{key}"), example),
        What::UnknownKey(known) => unknown_key(&path, names.last().unwrap_or(&""), known),
        What::UnknownWord(word, known) => match spot {
            Spot::Key(_) => unknown_key(&path, word, known),
            Spot::Value(_) => {
                format!(
                    "unknown word `{}` for `{path}`; {}",
                    short(word),
                    suggest(word, known.iter().copied())
                )
            }
        },
        What::Wanted(wanted) if matches!(spot, Spot::Key(_)) => format!("the key `{path}` must be {wanted}"),
        What::Wanted(wanted) => must(wanted),
        What::WantedList => match node.value {
            Value::Table(_) => must(&format!("a list; a list of tables is written `[[{path}]]`")),
            _ => must("a list"),
        },
        What::WantedTable if key.is_none() => must("a table"),
        What::WantedTable => must(&format!("a table: `[{path}]`")),
        What::Said(said) if path.is_empty() => said.clone(),
        What::Said(said) => format!("`{path}`: {said}"),
    };
    (span, text)
}

fn missing(path: &str, example: fn(&str) -> Option<String>) -> String {
    let example = example(path).map_or_else(String::new, |example| format!("; {example}"));
    format!("`{path}` is missing{example}")
}

fn unknown_key(path: &str, name: &str, known: &[&str]) -> String {
    let known = known.iter().copied().filter(|known| *known != OTHERS);
    format!("unknown key `{}`; {}", short(path), suggest(name, known))
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// As a message quotes it.
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "\"{}\"", short(text)),
            Value::Whole(_, text) | Value::Number(_, text) | Value::Time(text) => f.write_str(&short(text)),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::List(_) => f.write_str("a list"),
            Value::Table(_) => f.write_str("a table"),
        }
    }
}

/// Which keys of the whole text belong to the struct that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of them.
    Whole,
    /// Its own: others are left to another struct.
    OwnKeys,
}

/// What a type is read from.
#[derive(Clone, Copy)]
struct Given<'n> {
    what: Part<'n>,
    flaws: &'n Flaws,
    extent: Extent,
}

#[derive(Clone, Copy)]
enum Part<'n> {
    /// A value of the text.
    Node(&'n Node),
    /// The entries of a table that its struct does not name.
    Others(&'n Node, &'static [&'static str]),
    /// Whatever the type accepts.
    Anything(Presence),
}

impl<'n> Given<'n> {
    fn of(node: &'n Node, flaws: &'n Flaws) -> Given<'n> {
        let what =
            flaws.replaced.get(&node.id).map_or(Part::Node(node), |presence| Part::Anything(*presence));
        Given { what, flaws, extent: Extent::Whole }
    }

    fn node(self) -> Result<&'n Node, Flaw> {
        match self.what {
            Part::Node(node) | Part::Others(node, _) => Ok(node),
            Part::Anything(_) => Err(Flaw::default()),
        }
    }

    /// The entries of a table that belong to a struct with these keys; all of them if there is no struct.
    fn entries(self, fields: Option<&'static [&'static str]>) -> Result<Entries<'n>, Flaw> {
        let mut more: Vec<(&'static str, Given<'n>)> = Vec::new();
        let mut list: Vec<&'n (Key, Node)> = Vec::new();
        let anything =
            Given { what: Part::Anything(Presence::Absent), flaws: self.flaws, extent: Extent::Whole };
        match self.what {
            Part::Anything(_) => {
                more.extend(fields.unwrap_or_default().iter().map(|field| (*field, anything)))
            }
            Part::Node(node) | Part::Others(node, _) => {
                let Value::Table(entries) = &node.value else {
                    return Err(Flaw { spot: None, what: What::WantedTable });
                };
                let is_named = |key: &Key, of: &[&str]| of.contains(&key.name.as_str());
                let is_asked = |key: &Key| match (self.what, fields) {
                    (Part::Others(_, named), _) => !is_named(key, named),
                    (_, Some(fields)) if self.extent == Extent::OwnKeys || fields.contains(&OTHERS) => {
                        is_named(key, fields)
                    }
                    _ => true,
                };
                let kept =
                    |(key, node): &&(Key, Node)| is_asked(key) && !self.flaws.skipped.contains(&node.id);
                list.extend(entries.iter().filter(kept));
                for field in fields.unwrap_or_default() {
                    if *field == OTHERS {
                        let what = Part::Others(node, fields.unwrap_or_default());
                        more.push((OTHERS, Given { what, ..anything }));
                    } else if self.flaws.missing.contains(&(node.id, field)) {
                        more.push((field, anything));
                    }
                }
            }
        }
        Ok(Entries { list: list.into_iter(), more: more.into_iter(), next: None, flaws: self.flaws })
    }

    fn number<'de, V: Visitor<'de>>(self, wanted: &str, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_u8(1),
            Part::Node(Node { value: Value::Whole(Some(_), _), .. }) => self.deserialize_any(visitor),
            _ => Err(Flaw::wanted(wanted)),
        }
    }

    fn list<'de, V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => {
                visitor.visit_seq(Elements { list: [].iter(), more: length, flaws: self.flaws })
            }
            Part::Node(Node { value: Value::List(list), .. }) => {
                visitor.visit_seq(Elements { list: list.iter(), more: 0, flaws: self.flaws })
            }
            _ => Err(Flaw { spot: None, what: What::WantedList }),
        }
    }
}

/// Reads whole numbers of a type.
macro_rules! whole {
    ($($method:ident $type:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
            let wanted = || format!("a whole number from {} to {}", <$type>::MIN, <$type>::MAX);
            match self.what {
                Part::Node(Node { value: Value::Whole(Some(number), _), .. })
                    if <$type>::try_from(*number).is_err() => Err(Flaw::wanted(wanted())),
                _ => self.number(&wanted(), visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Given<'_> {
    type Error = Flaw;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        let node = match self.what {
            Part::Anything(_) => return visitor.visit_unit(),
            Part::Others(..) => return visitor.visit_map(self.entries(None)?),
            Part::Node(node) => node,
        };
        match &node.value {
            Value::Text(text) | Value::Time(text) => visitor.visit_str(text),
            Value::Whole(number, _) => match *number {
                Some(number) => match (u64::try_from(number), i64::try_from(number)) {
                    (Ok(number), _) => visitor.visit_u64(number),
                    (_, Ok(number)) => visitor.visit_i64(number),
                    _ => visitor.visit_i128(number),
                },
                None => Err(de::Error::invalid_value(Unexpected::Other("a number"), &visitor)),
            },
            Value::Number(number, _) => visitor.visit_f64(*number),
            Value::Truth(truth) => visitor.visit_bool(*truth),
            Value::List(_) => self.list(0, visitor),
            Value::Table(_) => visitor.visit_map(self.entries(None)?),
        }
    }

    whole! {
        deserialize_u8 u8, deserialize_u16 u16, deserialize_u32 u32, deserialize_u64 u64, deserialize_u128 u128,
        deserialize_i8 i8, deserialize_i16 i16, deserialize_i32 i32, deserialize_i64 i64, deserialize_i128 i128,
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
            Part::Node(Node { value: Value::Number(number, _), .. }) => visitor.visit_f64(*number),
            Part::Node(Node { value: Value::Whole(Some(number), _), .. }) => {
                visitor.visit_f64(*number as f64)
            }
            _ => Err(Flaw::wanted("a number")),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => visitor.visit_str(""),
            Part::Node(Node { value: Value::Text(text), .. }) => visitor.visit_str(text),
            _ => Err(Flaw::wanted("a text in quotes")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(Presence::Absent) => visitor.visit_none(),
            Part::Anything(Presence::Present) => {
                visitor.visit_some(Given { what: Part::Anything(Presence::Absent), ..self })
            }
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
        self.list(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        self.list(length, visitor)
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
                Part::Node(node) => node.span.clone(),
                Part::Others(..) | Part::Anything(_) => NOWHERE,
            };
            return visitor.visit_map(SpannedDeserializer::new(self, span));
        }
        if self.extent == Extent::OwnKeys {
            let mut keys = self.flaws.keys.borrow_mut();
            let new: Vec<_> = fields.iter().filter(|field| !keys.contains(field)).copied().collect();
            keys.extend(new);
        }
        let spot = self.node().ok().map(|node| Spot::Value(node.id));
        let read = visitor.visit_map(self.entries(Some(fields))?);
        read.map_err(|flaw| Flaw { spot: flaw.spot.or(spot), ..flaw })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        match self.what {
            Part::Anything(_) => {
                visitor.visit_enum(words.first().copied().unwrap_or_default().into_deserializer())
            }
            Part::Node(Node { value: Value::Text(word), .. }) => {
                visitor.visit_enum(word.as_str().into_deserializer())
            }
            Part::Node(Node { value: Value::Table(entries), .. }) if entries.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(self.entries(None)?))
            }
            _ => Err(Flaw::wanted(format!("one of {}", words.join(", ")))),
        }
    }

    serde::forward_to_deserialize_any! { bytes byte_buf unit unit_struct identifier ignored_any }
}

impl<'de> IntoDeserializer<'de, Flaw> for Given<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The elements of a list.
struct Elements<'n> {
    list: std::slice::Iter<'n, Node>,
    /// How many of whatever the type accepts follow.
    more: usize,
    flaws: &'n Flaws,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Flaw;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Flaw> {
        if let Some(node) = self.list.next() {
            let read = seed.deserialize(Given::of(node, self.flaws));
            return read.map(Some).map_err(|flaw| flaw.at(Spot::Value(node.id)));
        }
        let Some(more) = self.more.checked_sub(1) else { return Ok(None) };
        self.more = more;
        seed.deserialize(Given {
            what: Part::Anything(Presence::Absent),
            flaws: self.flaws,
            extent: Extent::Whole,
        })
        .map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() + self.more)
    }
}

/// The entries of a table.
struct Entries<'n> {
    list: std::vec::IntoIter<&'n (Key, Node)>,
    more: std::vec::IntoIter<(&'static str, Given<'n>)>,
    /// The value of the key that was read last.
    next: Option<(Given<'n>, Option<Spot>)>,
    flaws: &'n Flaws,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Flaw;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Flaw> {
        if let Some((key, node)) = self.list.next() {
            self.next = Some((Given::of(node, self.flaws), Some(Spot::Value(node.id))));
            return seed.deserialize(Name(key)).map(Some).map_err(|flaw| flaw.at(Spot::Key(node.id)));
        }
        let Some((field, given)) = self.more.next() else { return Ok(None) };
        self.next = Some((given, None));
        seed.deserialize(IntoDeserializer::<Flaw>::into_deserializer(field)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Flaw> {
        let Some((given, spot)) = self.next.take() else { return Err(Flaw::default()) };
        seed.deserialize(given).map_err(|flaw| Flaw { spot: flaw.spot.or(spot), ..flaw })
    }
}

/// A key as what a type is read from.
#[derive(Clone, Copy)]
struct Name<'n>(&'n Key);

/// Reads keys that are numbers.
macro_rules! parsed {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
            match self.0.name.parse() {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => Err(Flaw::wanted("a whole number")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Name<'_> {
    type Error = Flaw;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Flaw> {
        visitor.visit_str(&self.0.name)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        match is_spanned(name) {
            true => visitor.visit_map(SpannedDeserializer::new(self.0.name.as_str(), self.0.span.clone())),
            false => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Flaw> {
        visitor.visit_enum(self.0.name.as_str().into_deserializer())
    }

    parsed! {
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map
        identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::value::{Entries, Open, Placed, Whole};
    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct File {
        name: Placed<String>,
        count: Whole<1, 9>,
        size: Option<u8>,
        #[serde(default)]
        list: Vec<Placed<String>>,
        #[serde(default)]
        row: Vec<Row>,
        inner: Option<Inner>,
        #[serde(default)]
        open: Entries<Placed<Open>>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only its form matters")]
    struct Row {
        kind: Kind,
        on: bool,
        share: Option<f64>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        pair: [Placed<String>; 2],
        #[serde(rename = "*")]
        others: Entries<Placed<Whole<0, 5>>>,
    }

    #[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Near,
        FarAway,
    }

    const GOOD: &str = "name = \"x\"\ncount = 3\n";

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        let source = Source::new("f", text);
        let mut form = Form::new(&source, |_| None).map_err(|faults| faults.to_string())?;
        let value = form.read();
        form.finish(value).map_err(|faults| faults.to_string())
    }

    fn faults(text: &str) -> Vec<String> {
        let faults = read::<File>(text).expect_err("it has faults");
        faults.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_sound_text_is_a_value_whose_parts_have_their_places() {
        let text = format!(
            "{GOOD}size = 7\nlist = [\"ä\", \"b\"]\nopen.b.c = [1, {{ d = 2.5 }}]\nopen.a = true\n\
             inner = {{ z = 1, pair = [\"p\", \"q\"], y = 0 }}\n[[row]]\nkind = \"far-away\"\non = true\nshare = 1\n"
        );
        let file: File = read(&text).expect("sound");
        assert_eq!((file.name.as_str(), file.count.get(), file.size), ("x", 3, Some(7)));
        assert_eq!(text[file.list[1].span()], *"\"b\"");
        let inner = file.inner.expect("an inner table");
        assert_eq!(inner.pair[1].as_str(), "q");
        let others: Vec<_> = inner.others.iter().map(|(key, value)| (key.as_str(), value.get())).collect();
        assert_eq!(others, [("z", 1), ("y", 0)], "in the order of the text");
        assert_eq!(file.row[0].kind, Kind::FarAway);
        assert_eq!(file.row[0].share, Some(1.0), "a whole number is a number");
        let open: Vec<String> =
            file.open.iter().map(|(key, value)| format!("{} {}", **key, value.value())).collect();
        assert_eq!(open, ["b { c = [1, { d = 2.5 }] }", "a true"]);
    }

    #[test]
    fn all_faults_come_at_once_in_the_order_of_the_text() {
        let text = "nam = \"x\"\r\nsize = 300\r\nlist = [\"ä\", 2, \"c\", true]\r\n\
                    inner = { pair = \"p\", z = 6, \"ä\" = \"five\" }\r\n\
                    [[row]]\r\nkind = \"neer\"\r\non = 1\r\n[[row]]\r\nkind = \"near\"\r\n[[row]]\r\non = true\r\nkind.x = 1\r\n\
                    [open]\r\na = 99999999999999999999\r\n";
        assert_eq!(
            faults(text),
            [
                "f:1:1: unknown key `nam`; did you mean `name`? (known: name, count, size, list, row, inner, open)",
                "f:1:1: `count` is missing",
                "f:2:8: `size` must be a whole number from 0 to 255, not 300",
                "f:3:14: each of `list` must be a text in quotes, not 2",
                "f:3:22: each of `list` must be a text in quotes, not true",
                "f:4:18: `inner.pair` must be a list, not \"p\"",
                "f:4:27: `inner.z` must be a whole number from 0 to 5, not 6",
                "f:4:36: `inner.ä` must be a whole number from 0 to 5, not \"five\"",
                "f:6:8: unknown word `neer` for `row.kind`; did you mean `near`? (known: near, far-away)",
                "f:7:6: `row.on` must be true or false, not 1",
                "f:8:1: `row.on` is missing",
                "f:12:6: unknown word `x` for `row.kind`; known: near, far-away",
                "f:14:5: `open.a` must be a value whose whole numbers have 64 bits, not 99999999999999999999",
            ]
        );
    }

    #[test]
    fn tables_and_lists_in_place_of_each_other_say_how_they_are_written() {
        assert_eq!(
            faults(&format!("{GOOD}inner = 3\n[row]\nkind = \"near\"\n")),
            [
                "f:3:9: `inner` must be a table: `[inner]`, not 3",
                "f:4:1: `row` must be a list; a list of tables is written `[[row]]`, not a table",
            ]
        );
        assert_eq!(faults(&format!("{GOOD}row = [1]\n")), ["f:3:8: each of `row` must be a table, not 1"]);
        assert_eq!(
            faults(&format!("{GOOD}inner = {{ pair = [\"a\"] }}\n")),
            ["f:3:18: `inner.pair` must be an array of length 2, not a list"]
        );
    }

    #[test]
    fn a_text_that_is_not_toml_has_one_fault() {
        for (text, expected) in [
            ("name = \"x\"\nname = \"y\"\ncount = \"z\"\n", "f:2:1: not valid TOML: duplicate key"),
            ("name = \"x\ncount = 3\n", "f:1:10: not valid TOML: "),
            ("[inner\ncount = 3\n", "f:1:7: not valid TOML: "),
        ] {
            let faults = faults(text);
            assert!(faults.len() == 1 && faults[0].starts_with(expected), "{faults:?}");
        }
    }

    #[test]
    fn keys_may_be_words_and_numbers() {
        #[derive(Deserialize, Debug)]
        #[allow(dead_code, reason = "only its form matters")]
        struct Keyed {
            words: BTreeMap<Kind, u8>,
            years: BTreeMap<u16, u8>,
        }
        let read = |text: &str| read::<Keyed>(text);
        let sound = read("words = { near = 1, far-away = 2 }\nyears = { 1901 = 3 }\n").expect("sound");
        assert_eq!((sound.words[&Kind::FarAway], sound.years[&1901]), (2, 3));
        let faults =
            read("words = { neer = 1, near = true }\nyears = { soon = 3, 1902 = 400 }\n").unwrap_err();
        assert_eq!(
            faults,
            "f:1:11: unknown key `words.neer`; did you mean `near`? (known: near, far-away)\n\
             f:1:28: `words.near` must be a whole number from 0 to 255, not true\n\
             f:2:11: the key `years.soon` must be a whole number\n\
             f:2:28: `years.1902` must be a whole number from 0 to 255, not 400"
        );
    }

    #[test]
    fn two_structs_share_the_keys_of_a_text() {
        #[derive(Deserialize)]
        struct First {
            a: u8,
        }
        #[derive(Deserialize)]
        struct Second {
            b: Option<Placed<u8>>,
            c: u8,
        }
        let read = |text: &str| {
            let source = Source::new("f", text);
            let mut form = Form::new(&source, |path| Some(format!("write `{path} = 1`"))).expect("TOML");
            let both = form.read_both::<First, Second>();
            form.finish(both).map_err(|faults| faults.to_string())
        };
        let (first, second) = read("a = 1\nb = 2\nc = 3\n").unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!((first.a, second.b.map(Placed::into_inner), second.c), (1, Some(2), 3));
        assert_eq!(
            read("b = 1000\nother.y = 1\n").err().as_deref(),
            Some(
                "f:1:1: `a` is missing; write `a = 1`\nf:1:1: `c` is missing; write `c = 1`\n\
                 f:1:5: `b` must be a whole number from 0 to 255, not 1000\n\
                 f:2:1: unknown key `other`; known: a, b, c"
            )
        );
    }

    #[test]
    fn a_type_that_accepts_no_other_value_is_left_out_with_what_it_is_in() {
        #[derive(Deserialize)]
        #[serde(try_from = "String")]
        struct Code;
        impl TryFrom<String> for Code {
            type Error = String;
            fn try_from(text: String) -> Result<Code, String> {
                if text == "code" { Ok(Code) } else { Err(format!("`{text}` is not a code")) }
            }
        }
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only its form matters")]
        struct Coded {
            code: Code,
        }
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only its form matters")]
        struct Outer {
            coded: Option<Coded>,
            count: u8,
        }
        assert!(read::<Outer>("coded.code = \"code\"\ncount = 1\n").is_ok());
        assert_eq!(
            read::<Outer>("coded.code = \"cod\"\ncount = \"x\"\n").err().as_deref(),
            Some(
                "f:1:14: `coded.code`: `cod` is not a code\nf:2:9: `count` must be a whole number from 0 to 255, not \"x\""
            )
        );
        assert_eq!(
            read::<Coded>("code = \"cod\"\n").err().as_deref(),
            Some("f:1:8: `code`: `cod` is not a code"),
            "where nothing can be left out, nothing is read"
        );
    }

    #[test]
    fn a_text_full_of_faults_is_refused_after_fifty() {
        let text: String = (0..100_000).map(|i| format!("key{i} = 1\n")).collect();
        let faults = faults(&text);
        assert_eq!(faults.len(), MOST_FAULTS + 1);
        assert!(faults[MOST_FAULTS].ends_with("there may be more faults; correct these first"));
    }
}
