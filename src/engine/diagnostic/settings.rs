//! Settings, each `KEY=VALUE`: values that the caller puts into a TOML file in place of its own.
//!
//! The text of the file is changed at the key, or a line is added, and the result is then read like any other
//! file: a setting is therefore checked by the same code. Faults in a setting are reported with the setting,
//! and faults elsewhere with the line of the original file.

mod wide;

use std::fmt;
use std::ops::Range;

use toml_edit::{Document, DocumentMut, InlineTable, Item, Key, Value};

use self::wide::StandIns;
use super::{Diagnostic, Place, Source};

/// A range of a text that a setting has inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// Its current range.
    now: Range<usize>,
    /// The length of the text that it replaced.
    before: usize,
    /// The setting, `games=70`, or the argument.
    given: Place,
}

/// Maps a byte of the changed text to the byte of the file, or to what inserted it.
pub(super) fn trace(edits: &[Edit], at: usize) -> Result<usize, &Place> {
    edits.iter().rev().try_fold(at, |at, edit| {
        if edit.now.contains(&at) {
            Err(&edit.given)
        } else if at >= edit.now.end {
            Ok(at - edit.now.len() + edit.before)
        } else {
            Ok(at)
        }
    })
}

impl Source {
    /// The same file with these settings, each `KEY=VALUE`: a dotted key (a number is an index into a list,
    /// from 0), and a TOML value or a bare word, which is a string.
    ///
    /// # Errors
    /// A setting cannot be read, or does not fit into the file.
    pub fn with(&self, settings: &[String]) -> Result<Source, Diagnostic> {
        let set = |source: Source, setting: &String| source.edited(setting, Place::Setting(setting.clone()));
        settings.iter().try_fold(self.clone(), set)
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
    ) -> Result<Source, Diagnostic> {
        self.edited(&format!("{key}={value}"), Place::Argument(argument))
    }

    fn edited(&self, setting: &str, given: Place) -> Result<Source, Diagnostic> {
        let fault = |message: String| Diagnostic { place: given.clone(), message };
        let mut stand_ins = StandIns::new(&self.text, setting);
        // A file that is not TOML is reported by the code that reads it next.
        let Some(before) = stand_ins.in_file(&self.text) else { return Ok(self.clone()) };
        let (keys, value) = read(setting, &mut stand_ins).map_err(fault)?;
        let unread = |error: toml_edit::TomlError| {
            fault(format!("cannot set a value in this file: {}", error.message()))
        };
        let mut document: DocumentMut = before.parse().map_err(unread)?;
        let old = span_of(&before, &keys);
        put(document.as_item_mut(), &keys, value).map_err(fault)?;
        let text = document.to_string();
        let grown = text.len() as isize - self.text.len() as isize;
        let new = span_of(&text, &keys);
        let Some(Spans { key, value: now }) = new else {
            return Err(fault("the file cannot contain this key".to_owned()));
        };
        let edit = match old {
            Some(Spans { value: old, .. }) => Edit { before: old.len(), now, given: given.clone() },
            // A new key, possibly with its table.
            None => Edit { before: 0, now: key..key + grown.unsigned_abs(), given: given.clone() },
        };
        let mut edits = self.edits.clone();
        edits.push(edit);
        let text = stand_ins.taken_out(&text);
        Ok(Source { name: self.name.clone(), text, given: Some(self.given().to_owned()), edits })
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

/// The position of a key and its value.
struct Spans {
    /// The start of new text, if the key is new: at its first part that is not in any earlier table.
    key: usize,
    value: Range<usize>,
}

fn span_of(text: &str, keys: &[Key]) -> Option<Spans> {
    let document = Document::parse(text).ok()?;
    let mut at = document.as_item();
    let mut start = 0;
    for key in keys {
        let name = key.get();
        at = match at {
            Item::ArrayOfTables(_) | Item::Value(Value::Array(_)) => at.get(name.parse::<usize>().ok()?)?,
            _ => {
                let (key, next) = at.as_table_like()?.get_key_value(name)?;
                // Inside an inline value, the new text starts at the first key of the line.
                let within_a_line = matches!(at, Item::Value(_));
                start = if within_a_line { start } else { key.span()?.start };
                next
            }
        };
    }
    Some(Spans { key: start, value: at.span()? })
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
        assert_eq!(source.fault(source.text().find("b").unwrap()..0, "m").to_string(), "f:2:1: m");
    }

    #[test]
    fn numbers_of_any_length_are_kept_however_many_they_are() {
        let (long, many) = ("9".repeat(70_000), vec!["18446744073709551615"; 20_000].join(", "));
        let file = format!("a = {long}\nb = [{many}]\n");
        let source = Source::new("f", &file).with(&["c=1".to_owned()]).unwrap();
        assert_eq!(source.text(), format!("{file}c = 1\n"));
    }

    #[test]
    fn a_fault_in_it_names_the_setting_and_one_elsewhere_the_line_of_the_file() {
        let settings = ["list=[3]", "log.orders=true", "t.new=7", "a=12345", "z.y.x=3"];
        let source = set(&settings).unwrap();
        let at = |piece: &str| {
            let start = source.text().find(piece).unwrap_or_else(|| panic!("{piece} in {}", source.text()));
            source.fault(start..start + 1, "m").to_string()
        };
        assert_eq!(at("[3]"), "list=[3]: m");
        assert_eq!(at("true"), "log.orders=true: m");
        assert_eq!(at("log ="), "log.orders=true: m");
        assert_eq!(at("new"), "t.new=7: m");
        assert_eq!(at("12345"), "a=12345: m");
        assert_eq!(at("3 }"), "z.y.x=3: m");
        assert_eq!(at("# one"), "f:2:7: m");
        assert_eq!(at("b = \"x\""), "f:9:1: m");
        assert_eq!(at("v = 2"), "f:15:1: m");
        let twice = set(&["a=5", "a=66"]).unwrap();
        assert_eq!(twice.fault(twice.text().find("66").unwrap()..0, "m").to_string(), "a=66: m");
        assert_eq!(twice.fault(twice.text().find("b =").unwrap()..0, "m").to_string(), "f:9:1: m");
    }

    #[test]
    fn what_is_no_setting_says_what_would_be_right() {
        for (setting, expected) in [
            ("games", "games: expected KEY=VALUE"),
            ("a..b=1", "a..b=1: `a..b` is not a key"),
            ("=1", "=1: `` is not a key"),
            ("a=[1", "a=[1: `[1` is not a TOML value"),
            ("a=", "a=: `` is not a TOML value"),
            ("t=1", "t=1: `t` is a section of the file"),
            (
                "s.0=1",
                "s.0=1: `s.0` is a section of the file; set its keys one by one, such as `s.0.KEY=VALUE`",
            ),
            ("a.b=1", "a.b=1: `b` is below a key that is not a table"),
            ("s.2.v=1", "s.2.v=1: `2` is not an index into a list of 2"),
            ("list.x=1", "list.x=1: `x` is not an index into a list of 2"),
        ] {
            let error = set(&[setting]).unwrap_err();
            assert!(error.starts_with(expected) && !error.contains('\n'), "{error}");
        }
    }
}
