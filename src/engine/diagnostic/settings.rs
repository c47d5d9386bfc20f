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
            match set(document.as_item_mut(), setting, &mut stand_ins) {
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

/// Puts a setting into the file; returns its key, part by part.
fn set(file: &mut Item, setting: &str, stand_ins: &mut StandIns) -> Result<Vec<Key>, String> {
    let (keys, value) = read(setting, stand_ins)?;
    put(file, &keys, value)?;
    Ok(keys)
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

fn dotted(keys: &[Key]) -> String {
    keys.iter().map(Key::get).collect::<Vec<_>>().join(".")
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
            let whole = dotted(keys);
            return Err(format!(
                "`{whole}` is a section of the file; set its keys one by one, such as `{whole}.KEY=VALUE`"
            ));
        }
        empty => *empty = Item::Value(value),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# what\na = 1 # one\nlist = [\n  1,\n  2,\n]\n\n[t]\nb = \"x\"\nin = { c = 1 }\n\n[[s]]\nv = 1\n[[s]]\nv = 2\n";

    fn set(settings: &[&str]) -> Result<Source, String> {
        let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
        Source::new("f", FILE).with(&settings).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_value_stands_where_the_key_stood_or_in_a_line_more() {
        for (setting, from, to) in [
            ("a=70", "a = 1 #", "a = 70 #"),
            ("t.b=random", "b = \"x\"", "b = \"random\""),
            ("t.b=\"two words\"", "b = \"x\"", "b = \"two words\""),
            ("t.in.c=true", "c = 1", "c = true"),
            ("s.1.v=[1, 2]", "v = 2", "v = [1, 2]"),
            ("list.0=9", "  1,", "  9,"),
            ("t.new=1", "in = { c = 1 }\n", "in = { c = 1 }\nnew = 1\n"),
            ("log.orders=true", "]\n\n[t]", "]\nlog = { orders = true }\n\n[t]"),
        ] {
            let source = set(&[setting]).unwrap();
            assert_eq!(source.text(), FILE.replacen(from, to, 1), "{setting}");
            assert_eq!(source.given(), FILE);
        }
    }

    #[test]
    fn numbers_of_all_64_bits_are_set_and_kept() {
        for (file, settings, expected) in [
            (
                // The number that would serve as a stand-in already occurs there.
                "a = 0x000000000000000001\nseed = 1\n",
                ["seed=18446744073709551615", "b=2"],
                "a = 0x000000000000000001\nseed = 18446744073709551615\nb = 2\n",
            ),
            (
                "# all bits\nseed = 0xFFFF_FFFF_FFFF_FFFF # all\n",
                ["a=[1, +9223372036854775808]", "b=9223372036854775807"],
                "# all bits\nseed = 0xFFFF_FFFF_FFFF_FFFF # all\na = [1, +9223372036854775808]\nb = 9223372036854775807\n",
            ),
            (
                "t = { a = 9223372036854775808, b = [9223372036854775809] }\n",
                ["t.a=3", "c=18446744073709551616"],
                "t = { a = 3, b = [9223372036854775809] }\nc = 18446744073709551616\n",
            ),
        ] {
            let settings = settings.map(str::to_owned);
            let source = Source::new("f", file).with(&settings).unwrap();
            assert_eq!(source.text(), expected);
        }
        let source = Source::new("f", "a = 9223372036854775808\nb = 1\n").with(&["a=1".to_owned()]).unwrap();
        assert_eq!(place_of(&source, "b"), "f:2:1");
    }

    #[test]
    fn numbers_of_any_length_are_kept_however_many_they_are() {
        let (long, many) = ("9".repeat(70_000), vec!["18446744073709551615"; 20_000].join(", "));
        let file = format!("a = {long}\nb = [{many}]\n");
        let source = Source::new("f", &file).with(&["c=1".to_owned()]).unwrap();
        assert_eq!(source.text(), format!("{file}c = 1\n"));
    }

    /// The place of a fault of the first value or key that is written like this.
    fn place_of(source: &Source, piece: &str) -> String {
        let start = source.text().find(piece).unwrap_or_else(|| panic!("{piece} in {}", source.text()));
        source.fault(start..start + 1, "m").place.to_string()
    }

    #[test]
    fn a_fault_in_it_names_the_setting_and_one_elsewhere_the_line_of_the_file() {
        let settings =
            ["list=[3]", "log.orders=true", "t.new=7", "a=12345", "z.y.x=3", "t.in.d=4", "log.maps=5"];
        let source = set(&settings).unwrap();
        for (piece, expected) in [
            ("[3]", "list=[3]"),
            ("log =", "log.orders=true"),
            ("orders", "log.orders=true"),
            ("true", "log.orders=true"),
            ("maps", "log.maps=5"),
            ("5 }", "log.maps=5"),
            ("new", "t.new=7"),
            ("12345", "a=12345"),
            ("3 }", "z.y.x=3"),
            ("d = 4", "t.in.d=4"),
            ("a = 1", "f:2:1"),
            ("[t]", "f:8:1"),
            ("b = \"x\"", "f:9:1"),
            ("{ c", "f:10:6"),
            ("c = 1", "f:10:8"),
            ("1 , d", "f:10:12"),
            ("v = 2", "f:15:1"),
        ] {
            assert_eq!(place_of(&source, piece), expected, "{piece}");
        }
        let text = source.text().len();
        assert_eq!(source.fault(text..text, "").place.to_string(), "f:16:1");
        let twice = set(&["a=5", "a=66"]).unwrap();
        assert_eq!(place_of(&twice, "66"), "a=66");
        assert_eq!(place_of(&twice, "b ="), "f:9:1");
        let first = Source::new("f", "[t]\nb = 1\n").with(&["a=1".to_owned()]).unwrap();
        assert_eq!(place_of(&first, "a ="), "a=1");
        assert_eq!(first.fault(0..0, "a key is missing").place.to_string(), "f:1:1");
        let argument = first.with_argument("games", "games", 700).unwrap();
        let places = ["games", "700", "a =", "b ="].map(|piece| place_of(&argument, piece));
        assert_eq!(places, ["games", "games", "a=1", "f:2:1"]);
    }

    #[test]
    fn a_file_of_windows_keeps_its_places() {
        let given = "\u{feff}a = 1\r\nlist = [\r\n  1,\r\n]\r\n[t]\r\nb = 2 # two\r\nc = 3\r\n";
        let source = Source::new("f", given);
        let settings = ["new=4", "t.b=55", "t.d=6"].map(str::to_owned);
        let changed = source.with(&settings).unwrap();
        assert_eq!(changed.given(), given);
        for (piece, expected) in [
            ("a =", "f:1:1"),
            ("1", "f:1:5"),
            ("list", "f:2:1"),
            ("1,", "f:3:3"),
            ("new", "new=4"),
            ("[t]", "f:5:1"),
            ("55", "t.b=55"),
            ("c =", "f:7:1"),
            ("d =", "t.d=6"),
        ] {
            assert_eq!(place_of(&changed, piece), expected, "{piece}");
            if expected.starts_with('f') {
                assert_eq!(place_of(&source, piece), expected, "{piece}");
            }
        }
    }

    #[test]
    fn many_settings_are_read_at_once() {
        let file: String = (0..10_000).map(|i| format!("key{i} = {i}\n")).collect();
        let settings: Vec<String> = (0..2_000).map(|i| format!("key{}.x=1", i + 9_000)).collect();
        let start = std::time::Instant::now();
        let faults = Source::new("f", &file).with(&settings).unwrap_err();
        assert_eq!(faults.iter().count(), 1_000, "half of them are below a number");
        let source = Source::new("f", &file).with(&settings[1_000..]).unwrap();
        assert_eq!(place_of(&source, "key10999"), "key10999.x=1");
        assert!(start.elapsed().as_secs() < 20, "it is not quadratic");
    }
}
