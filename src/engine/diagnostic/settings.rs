//! Settings, each `KEY=VALUE`: values that the caller puts into a TOML file in place of its own.
//!
//! The text of the file is changed at the key, or a line is added, and the result is then read like any other
//! file: a setting is therefore checked by the same code. Faults in a setting are reported with the setting,
//! and faults elsewhere with the line of the original file.

mod wide;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, InlineTable, Item, Key, Value};

use self::wide::StandIns;
use super::{Diagnostic, Faults, Place, Source};

/// A change of a text by settings.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// The ranges of the new text that settings have put there, each with its setting; the last one counts.
    put: Vec<(Range<usize>, Place)>,
    /// Positions in the new text, in its order, with those in the old text. The text after one is the same in both.
    kept: Vec<(usize, usize)>,
}

/// Maps a range of the changed text to its start in the file, or to what put it there. An empty range is not in a
/// setting: it is at an end of the text.
pub(super) fn trace<'e>(edits: &'e [Edit], span: &Range<usize>) -> Result<usize, &'e Place> {
    edits.iter().rev().try_fold(span.start, |at, edit| {
        let mut put = edit.put.iter().rev();
        match put.find(|(put, _)| put.contains(&at) && !span.is_empty()) {
            Some((_, given)) => Err(given),
            None => {
                let kept = edit.kept.partition_point(|(new, _)| *new <= at);
                Ok(edit.kept[..kept].last().map_or(at, |(new, old)| old.saturating_add(at - new)))
            }
        }
    })
}

impl Source {
    /// The same file with these settings, each `KEY=VALUE`: a dotted key (a number is an index into a list,
    /// from 0), and a TOML value or a bare word, which is a string.
    ///
    /// # Errors
    /// Settings cannot be read, or do not fit into the file.
    pub fn with(&self, settings: &[String]) -> Result<Source, Faults> {
        self.edited(settings, |setting| Place::Setting(setting.to_owned()))
    }

    /// The same file with a value of the caller's argument at this key.
    ///
    /// # Errors
    /// The key cannot be in the file.
    pub fn with_argument(
        &self,
        argument: &'static str,
        key: &str,
        value: impl fmt::Display,
    ) -> Result<Source, Faults> {
        self.edited(&[format!("{key}={value}")], |_| Place::Argument(argument))
    }

    fn edited(&self, settings: &[String], place: impl Fn(&str) -> Place) -> Result<Source, Faults> {
        // A file that is not TOML is reported by the code that reads it next.
        let (Some(last), Some(old)) = (settings.last(), parsed(&self.text)) else { return Ok(self.clone()) };
        let unfit = |message: &str| {
            let message = format!("cannot set a value in this file: {message}");
            Faults::from(Diagnostic { place: place(last), message })
        };
        let mut stand_ins = StandIns::new(&self.text, settings);
        let plain = stand_ins.of(&self.text, &old);
        let mut document: DocumentMut =
            plain.parse().map_err(|error: toml_edit::TomlError| unfit(error.message()))?;
        let (mut keys, mut faults) = (Vec::new(), Vec::new());
        for setting in settings {
            let done = read(setting, &mut stand_ins)
                .and_then(|(key, value)| put(document.as_item_mut(), &key, value).map(|()| key));
            match done {
                Ok(key) => keys.push((key, place(setting))),
                Err(message) => faults.push(Diagnostic { place: place(setting), message }),
            }
        }
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let text = stand_ins.taken_out(&document.to_string());
        let new = parsed(&text).ok_or_else(|| unfit("the result is not valid TOML"))?;
        let mut edit = Edit { put: Vec::new(), kept: vec![(text.len(), self.text.len())] };
        edit.put(keys, &new, &old);
        edit.keep(&new, &old);
        edit.kept.sort_unstable();
        edit.kept.dedup_by_key(|(new, old)| new.wrapping_sub(*old));
        let mut edits = self.edits.clone();
        edits.push(edit);
        Ok(Source { name: self.name.clone(), text, given: Some(self.given().to_owned()), edits })
    }
}

fn parsed(text: &str) -> Option<Spanned<DeValue<'_>>> {
    let table = DeTable::parse(text).ok()?;
    Some(Spanned::new(table.span(), DeValue::Table(table.into_inner())))
}

/// A part of a value, with the place of its key.
fn part<'v, 't>(value: &'v DeValue<'t>, name: &str) -> Option<(Range<usize>, &'v Spanned<DeValue<'t>>)> {
    match value {
        DeValue::Table(table) => table.get_key_value(name).map(|(key, value)| (key.span(), value)),
        DeValue::Array(list) => list.get(name.parse::<usize>().ok()?).map(|value| (value.span(), value)),
        _ => None,
    }
}

impl Edit {
    /// Finds what the settings with these keys have put into the new text: values, and keys that are not in the old one.
    fn put(&mut self, keys: Vec<(Vec<Key>, Place)>, new: &Spanned<DeValue<'_>>, old: &Spanned<DeValue<'_>>) {
        let mut seen = BTreeSet::new();
        for (key, given) in keys {
            let (mut at, mut before) = (Some(new), Some(old));
            for name in &key {
                // A later setting may have replaced a table on the way.
                let Some((span, value)) = at.and_then(|at| part(at.get_ref(), name.get())) else {
                    at = None;
                    break;
                };
                before = before.and_then(|before| Some(part(before.get_ref(), name.get())?.1));
                if before.is_none() && seen.insert(span.start) {
                    let start = value.span().start;
                    self.put.extend([(start..start + 1, given.clone()), (span, given.clone())]);
                }
                at = Some(value);
            }
            self.put.extend(at.map(|value| (value.span(), given)));
        }
    }

    /// Finds the keys and values that are in both texts.
    fn keep(&mut self, new: &Spanned<DeValue<'_>>, old: &Spanned<DeValue<'_>>) {
        self.kept.push((new.span().start, old.span().start));
        match (new.get_ref(), old.get_ref()) {
            (DeValue::Table(new), DeValue::Table(old)) => {
                for (key, value) in new {
                    if let Some((old_key, old_value)) = old.get_key_value(key) {
                        self.kept.push((key.span().start, old_key.span().start));
                        self.keep(value, old_value);
                    }
                }
            }
            (DeValue::Array(new), DeValue::Array(old)) => {
                new.iter().zip(old.iter()).for_each(|(new, old)| self.keep(new, old));
            }
            _ => {}
        }
    }
}

/// A setting's key, part by part, and its value, with stand-ins for numbers that are too wide.
fn read(setting: &str, stand_ins: &mut StandIns) -> Result<(Vec<Key>, Value), String> {
    let Some((key, value)) = setting.split_once('=') else {
        return Err("expected KEY=VALUE, such as `games=70` or `seats.all=random`".to_owned());
    };
    let keys = Key::parse(key)
        .map_err(|_| format!("`{key}` is not a key; separate its parts by dots, such as `log.orders`"))?;
    let value = value.trim();
    match stand_ins.in_value(value).parse::<Value>() {
        Ok(value) => Ok((keys, value)),
        Err(_) if is_bare(value) => Ok((keys, Value::from(value))),
        Err(error) => Err(format!(
            "`{value}` is not a TOML value ({}); write a number, true or false, a word, \"a text\", [a, list] or {{ a = table }}",
            error.message().trim_end_matches(|c: char| c == '.' || c.is_whitespace())
        )),
    }
}

/// Is it a text that needs no quotes? Anything that looks like a list, a table or a quoted string is read as
/// one.
fn is_bare(text: &str) -> bool {
    !text.is_empty() && !text.contains(['"', '\'', '[', ']', '{', '}', '\n', '#'])
}

/// The place in a file to which a key leads, part by part; missing tables on the way are created.
///
/// # Errors
/// The key passes through a value that is not a table, or beyond the end of a list.
pub(crate) fn slot(
    file: &mut Item,
    parts: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<&mut Item, String> {
    let mut at = file;
    for part in parts {
        let part = part.as_ref();
        at = match at {
            Item::ArrayOfTables(_) | Item::Value(Value::Array(_)) => {
                let length = at.as_array().map(|list| list.len());
                let length = length.or(at.as_array_of_tables().map(|list| list.len())).unwrap_or_default();
                match part.parse::<usize>().ok().filter(|&place| place < length) {
                    Some(place) => &mut at[place],
                    None => {
                        return Err(format!(
                            "`{part}` is not an index into a list of {length}, which starts at 0"
                        ));
                    }
                }
            }
            Item::Table(_) | Item::Value(Value::InlineTable(_)) => &mut at[part],
            Item::None => {
                *at = Item::Value(Value::InlineTable(InlineTable::new()));
                &mut at[part]
            }
            _ => {
                return Err(format!(
                    "`{part}` is below a key that is not a table; set the whole of that key"
                ));
            }
        };
    }
    Ok(at)
}

/// Puts a value at the key, but never in place of a section.
fn put(file: &mut Item, keys: &[Key], value: Value) -> Result<(), String> {
    match slot(file, keys.iter().map(Key::get))? {
        Item::Value(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        Item::Table(_) | Item::ArrayOfTables(_) => {
            let whole = keys.iter().map(Key::get).collect::<Vec<_>>().join(".");
            return Err(format!(
                "`{whole}` is a section of the file; set its keys one by one, such as `{whole}.KEY=VALUE`"
            ));
        }
        empty => *empty = Item::Value(value),
    }
    Ok(())
}
