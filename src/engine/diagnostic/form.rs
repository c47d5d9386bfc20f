//! Reads TOML into types by serde, and finds all faults of a text rather than the first.
//!
//! serde stops at the first fault. A [`Form`] records it and reads again; this time the faulty value, or the missing
//! one, is replaced by one that its type accepts, and an unknown key is skipped. The result is a value of the type in
//! which the replaced parts have no place in the text. [`Form::fault`] ignores these parts and all that contains one, so
//! that the content of the rest can be checked as well, and no fault is only the consequence of another.
//!
//! ```text
//!   text ─▶ node ─▶ given ─▶ serde ─▶ a value of the type
//!             ▲                 └──▶ flaw ──┐
//!             └── without the faulty part ◀─┘
//! ```
//! The messages are made here, from what the type asks for and what the text has: no message of serde is taken apart.

mod flaw;
mod given;
mod node;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::{Diagnostic, Faults, Place, Source, wording};
pub use flaw::OTHERS;
use flaw::{Flaw, Flaws, Spot, What, message, missing, unknown_key};
use given::{Given, read};
pub(crate) use node::NOWHERE;
use node::Node;

/// The most faults that are reported of one text.
const MOST_FAULTS: usize = 50;

/// The most values that are read because of faults: each fault of form costs one more reading.
const MOST_READ: usize = 2_000_000;

/// A text that is being read, with the faults found so far.
pub struct Form<'a> {
    source: &'a Source,
    root: Node,
    flaws: Flaws,
    /// What to add to the message of a missing key.
    example: fn(&str) -> Option<String>,
    found: RefCell<Vec<Found>>,
    /// The number of faults after which no more are looked for.
    most_faults: usize,
    /// For unknown keys that are misspelled ones: the table and the key that is meant.
    meant: RefCell<BTreeSet<(usize, &'static str)>>,
    /// The values with a fault of form in them, by their [ends].
    faulty: BTreeSet<(usize, usize)>,
    /// The tables that have an unknown key, likewise.
    with_unknown_keys: BTreeSet<(usize, usize)>,
}

/// A fault that was found.
struct Found {
    fault: Diagnostic,
    /// The place by which it is sorted: its own, or the one that names another file.
    at: Place,
    /// The table and the key, if it is the fault of a missing one.
    missing: Option<(usize, &'static str)>,
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
        let root = Node::root(table.get_ref());
        Ok(Form {
            source,
            most_faults: (MOST_READ / root.size()).clamp(1, MOST_FAULTS),
            root,
            flaws: Flaws::default(),
            example,
            found: RefCell::default(),
            meant: RefCell::default(),
            faulty: BTreeSet::new(),
            with_unknown_keys: BTreeSet::new(),
        })
    }

    /// The text as a value of a type; `None` if not even the rest of it can be read as one.
    pub fn read<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.read_as(|root, flaws| Given::of(root, flaws))
    }

    /// Those keys of the text that a struct has; other keys are ignored.
    pub fn read_part<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.read_as(|root, flaws| Given::named_in(root, flaws))
    }

    /// The text as two structs that share its keys: any other key is a fault.
    pub fn read_both<A: DeserializeOwned, B: DeserializeOwned>(&mut self) -> Option<(A, B)> {
        let (first, second) = (self.read_part(), self.read_part());
        let known = self.flaws.keys.take();
        for key in self.root.parts().iter().filter_map(|entry| entry.key.as_ref()) {
            if !known.contains(&key.name.as_str()) {
                self.record_meant(self.root.id, &key.name, &known);
                self.fault(key.span.clone(), unknown_key(&key.name, &key.name, &known));
            }
        }
        first.zip(second)
    }

    /// A table of the text as a value of a type; `None` if it is not there, or cannot be read as one. The reading of the
    /// rest leaves it out.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Option<(T, Range<usize>)> {
        let at = self.root.parts().iter().position(|entry| entry.name() == Some(key))?;
        let Node { id, ref span, .. } = self.root.parts()[at];
        let span = span.clone();
        let value = self.read_as(|root, flaws| Given::of(&root.parts()[at], flaws));
        self.flaws.skipped.insert(id);
        value.map(|value| (value, span))
    }

    fn read_as<T>(&mut self, part: impl for<'n> Fn(&'n Node, &'n Flaws) -> Given<'n>) -> Option<T>
    where
        T: DeserializeOwned,
    {
        loop {
            match read(PhantomData, part(&self.root, &self.flaws)) {
                Ok(value) => return Some(value),
                Err(flaw) if self.record(&flaw) => {}
                Err(_) => return None,
            }
        }
    }

    /// Reports a flaw and prepares the next reading. Returns whether there may be one.
    fn record(&mut self, flaw: &Flaw) -> bool {
        let spot = flaw.spot.unwrap_or(Spot::Value(self.root.id));
        let (Spot::Value(id) | Spot::Key(id)) = spot;
        let missing = match flaw.what {
            What::Missing(key) => Some((id, key)),
            _ => None,
        };
        let is_new = match (missing, spot) {
            (Some(missing), _) => self.flaws.missing.insert(missing),
            (None, Spot::Key(_)) => self.flaws.skipped.insert(id),
            // The flaw may be that of the value that replaces a missing one.
            (None, Spot::Value(_)) if self.flaws.missing.iter().any(|(table, _)| *table == id) => false,
            (None, Spot::Value(_)) => !self.flaws.replaced.contains_key(&id) && self.flaws.replace(id),
        };
        let Some(way) = self.root.way_to(id) else { return false };
        self.faulty.extend(way.iter().skip(1).map(|node| ends(&node.span)));
        if !is_new {
            // The type accepts no value in place of a faulty one: the value that contains it is replaced.
            return way.iter().rev().any(|node| self.flaws.replace(node.id))
                && !self.flaws.replaced.contains_key(&self.root.id);
        }
        if let (What::UnknownKey(known), [.., table, Node { key: Some(key), .. }]) = (&flaw.what, &way[..]) {
            self.record_meant(table.id, &key.name, known);
            self.with_unknown_keys.insert(ends(&table.span));
        }
        let (span, message) = message(&flaw.what, spot, &way, self.source.text(), self.example);
        let fault = self.source.fault(span, message);
        self.push(Found { at: fault.place.clone(), fault, missing });
        self.has_room()
    }

    fn push(&self, found: Found) {
        if self.has_room() {
            self.found.borrow_mut().push(found);
        }
    }

    /// Is there room for another fault? The last one says that there may be more.
    pub(crate) fn has_room(&self) -> bool {
        let mut found = self.found.borrow_mut();
        if found.len() == self.most_faults {
            let end = self.source.text().len();
            let fault = self.source.fault(end..end, "there may be more faults; correct these first");
            found.push(Found { at: fault.place.clone(), fault, missing: None });
        }
        found.len() < self.most_faults
    }

    /// Records which key of a table an unknown one stands for, if it is near one.
    fn record_meant(&self, table: usize, name: &str, known: &[&'static str]) {
        let nearest = wording::nearest(name, known.iter().copied());
        self.meant.borrow_mut().extend(nearest.map(|key| (table, key)));
    }

    /// Adds a fault of content. It is ignored if it is about a value that was replaced, or that contains such a value,
    /// because that one has been reported.
    pub fn fault(&self, span: Range<usize>, message: impl Into<String>) {
        if self.is_sound(&span) && self.has_room() {
            self.add(self.source.fault(span, message));
        }
    }

    /// Does the value at this place have no fault of form?
    pub fn is_sound(&self, span: &Range<usize>) -> bool {
        *span != NOWHERE && !self.faulty.contains(&ends(span))
    }

    /// Adds a fault of content; nothing can be made of the value.
    pub fn refuse<T>(&self, span: Range<usize>, message: impl Into<String>) -> Option<T> {
        self.fault(span, message);
        None
    }

    /// Adds a fault that another reader of the text has found.
    pub fn add(&self, fault: Diagnostic) {
        self.push(Found { at: fault.place.clone(), fault, missing: None });
    }

    /// Adds the faults of another file, which this one names here.
    pub fn add_of_file(&self, span: Range<usize>, faults: &Faults) {
        if span == NOWHERE {
            return;
        }
        let at = self.source.fault(span, "").place;
        for fault in faults.iter() {
            self.push(Found { fault: fault.clone(), at: at.clone(), missing: None });
        }
    }

    /// The number of faults so far.
    pub fn faults(&self) -> usize {
        self.found.borrow().len()
    }

    /// The fault of a missing key that only some files need. It is ignored if the table has an unknown key, which may be
    /// the missing one.
    pub fn missing<T>(&self, table: Range<usize>, path: &str) -> Option<T> {
        if table != NOWHERE && !self.has_unknown_key(&table) && self.has_room() {
            self.add(self.source.fault(table, missing(path, self.example)));
        }
        None
    }

    /// Does the table have an unknown key? It may be one that seems to be missing.
    pub(crate) fn has_unknown_key(&self, table: &Range<usize>) -> bool {
        self.with_unknown_keys.contains(&ends(table))
    }

    /// Does the whole text have the key, or one that is probably meant to be it?
    pub(crate) fn has(&self, key: &str) -> bool {
        let is_it = |&(table, meant): &(usize, &str)| (table, meant) == (self.root.id, key);
        self.root.entry(key).is_some() || self.meant.borrow().iter().any(is_it)
    }

    /// The position of a key of the whole text.
    pub fn key(&self, key: &str) -> Option<Range<usize>> {
        Some(self.root.entry(key)?.key.as_ref()?.span.clone())
    }

    /// The value, if no fault was found.
    ///
    /// # Errors
    /// All faults, in the order of the text.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Faults> {
        let (mut found, meant) = (self.found.into_inner(), self.meant.into_inner());
        // A misspelled key is one fault, not two. If it is that of a table with tables of its own, it may stand only
        // before some of its keys: `[strat]` before `[start.units]`.
        let is_meant = |(table, key): (usize, &'static str)| {
            let way = self.root.way_to(table).unwrap_or_default();
            let whole = match &way[..] {
                [.., parent, Node { key: Some(key), .. }] => Some((parent.id, key.name.as_str())),
                _ => None,
            };
            meant.iter().any(|&it| it == (table, key) || Some(it) == whole)
        };
        found.retain(|found| !found.missing.is_some_and(is_meant));
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
            None if faults.is_empty() => Err(self.source.fault(0..0, "cannot read this text").into()),
            None => Err(Faults(faults)),
        }
    }
}

/// The first byte of a range, and the one after its last.
const fn ends(span: &Range<usize>) -> (usize, usize) {
    (span.start, span.end)
}
