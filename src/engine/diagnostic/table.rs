//! Reads TOML tables key by key; faults name the line and a correction.
//!
//! This is used in place of derived deserialisation because serde's messages describe what a parser met
//! rather than what the author should write.

use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::{Diagnostic, Source, suggest, wording};

/// A list of strings, each with its position.
pub type Texts<'a> = Spanned<Vec<Spanned<&'a str>>>;

/// Parses a whole TOML file.
pub fn parse(source: &Source) -> Result<Spanned<DeTable<'_>>, Diagnostic> {
    DeTable::parse(source.text()).map_err(|error| {
        source
            .fault(error.span().unwrap_or_default(), format!("not valid TOML: {}", wording::of_toml(&error)))
    })
}

/// A table of an input file with its position.
#[derive(Debug, Clone)]
pub struct Table<'a> {
    source: &'a Source,
    /// The table's name followed by a dot; empty for the file itself.
    prefix: String,
    span: Range<usize>,
    entries: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    /// The table that is the whole file.
    pub fn root(source: &'a Source, parsed: &'a Spanned<DeTable<'a>>) -> Self {
        Table { source, prefix: String::new(), span: 0..0, entries: parsed.get_ref() }
    }

    /// The position of the table.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// A fault somewhere in the file.
    pub fn fault(&self, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        self.source.fault(span, message)
    }

    /// Rejects keys that are not among the allowed ones: the first in the file is reported.
    pub fn allow(&self, allowed: &[&str]) -> Result<(), Diagnostic> {
        let unknown = self.entries.keys().filter(|key| !allowed.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(()),
            Some(key) => Err(self.fault(
                key.span(),
                format!(
                    "unknown key `{}{}`; {}",
                    self.prefix,
                    key.get_ref(),
                    suggest(key.get_ref(), allowed.iter().copied())
                ),
            )),
        }
    }

    /// The position of a key, if it is present.
    pub fn key(&self, key: &str) -> Option<Range<usize>> {
        self.entries.get_key_value(key).map(|(key, _)| key.span())
    }

    /// The fault of a missing required key, with an example.
    pub fn missing(&self, key: &str, example: &str) -> Diagnostic {
        self.fault(self.span(), format!("`{}{key}` is missing; add a line such as `{example}`", self.prefix))
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> Diagnostic {
        let got = match value.get_ref() {
            DeValue::Integer(n) => n.to_string(),
            DeValue::String(s) => format!("\"{s}\""),
            DeValue::Float(x) => x.to_string(),
            DeValue::Boolean(b) => b.to_string(),
            other => format!("a TOML {}", other.type_str()),
        };
        self.fault(value.span(), format!("`{}{key}` must be {wanted}, not {got}", self.prefix))
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<Spanned<&'a str>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        match value.get_ref().as_str() {
            Some(text) => Ok(Some(Spanned::new(value.span(), text))),
            None => Err(self.wrong(key, value, "a text in quotes")),
        }
    }

    /// A word from a fixed list, by the names of its members.
    pub fn word<T: Copy>(
        &self,
        key: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<Option<T>, Diagnostic> {
        self.text(key)?.map(|text| self.one_of(&text, key, all, name)).transpose()
    }

    /// The member of a fixed list that a text of this table names; `what` describes the members.
    pub fn one_of<T: Copy>(
        &self,
        text: &Spanned<&str>,
        what: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, Diagnostic> {
        let word = *text.get_ref();
        all.iter().copied().find(|&member| name(member) == word).ok_or_else(|| {
            let known = suggest(word, all.iter().map(|&member| name(member)));
            self.fault(text.span(), format!("unknown {what} `{word}`; {known}"))
        })
    }

    /// A whole number within bounds.
    pub fn whole(&self, key: &str, bounds: RangeInclusive<u64>) -> Result<Option<Spanned<u64>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| u64::from_str_radix(&n.as_str().replace('_', ""), n.radix()).ok())
            .filter(|n| bounds.contains(n));
        let wanted = || format!("a whole number from {} to {}", bounds.start(), bounds.end());
        match number {
            Some(number) => Ok(Some(Spanned::new(value.span(), number))),
            None => Err(self.wrong(key, value, &wanted())),
        }
    }

    /// A number within bounds, not necessarily whole.
    pub fn number(&self, key: &str, bounds: RangeInclusive<f64>) -> Result<Option<Spanned<f64>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Float(x) => x.as_str().replace('_', ""),
            DeValue::Integer(n) if n.radix() == 10 => n.as_str().replace('_', ""),
            _ => String::new(),
        };
        match text.parse().ok().filter(|number| bounds.contains(number)) {
            Some(number) => Ok(Some(Spanned::new(value.span(), number))),
            None => {
                Err(self.wrong(key, value, &format!("a number from {} to {}", bounds.start(), bounds.end())))
            }
        }
    }

    /// `true` or `false`.
    pub fn truth(&self, key: &str) -> Result<Option<Spanned<bool>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        match value.get_ref().as_bool() {
            Some(truth) => Ok(Some(Spanned::new(value.span(), truth))),
            None => Err(self.wrong(key, value, "true or false")),
        }
    }

    /// A list of strings.
    pub fn texts(&self, key: &str) -> Result<Option<Spanned<Vec<Spanned<&'a str>>>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let wanted = "a list of texts in quotes";
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, wanted));
        };
        let items: Result<Vec<_>, _> = array
            .iter()
            .map(|item| match item.get_ref().as_str() {
                Some(text) => Ok(Spanned::new(item.span(), text)),
                None => Err(self.wrong(key, item, wanted)),
            })
            .collect();
        Ok(Some(Spanned::new(value.span(), items?)))
    }

    /// The same without its position in the file.
    pub fn texts_if(&self, key: &str) -> Result<Option<Vec<String>>, Diagnostic> {
        let texts = self.texts(key)?.map(Spanned::into_inner);
        Ok(texts.map(|texts| texts.into_iter().map(|text| (*text.get_ref()).to_owned()).collect()))
    }

    /// The keys, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut keys: Vec<_> =
            self.entries.keys().map(|key| (key.span().start, key.get_ref().as_ref())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key)
    }

    /// All values as tables, with their names, in the order of the file.
    pub fn tables(&self) -> Result<Vec<(String, Table<'a>)>, Diagnostic> {
        self.keys()
            .filter_map(|key| Some(self.table(key).transpose()?.map(|table| (key.to_owned(), table))))
            .collect()
    }

    /// The value of a key, of any type, with its position.
    pub fn value(&self, key: &str) -> Result<Option<Spanned<toml::Value>>, Diagnostic> {
        self.entries.get(key).map(|value| self.plain(key, value)).transpose()
    }

    /// The items of a list, of any type.
    pub fn values(&self, key: &str) -> Result<Option<Spanned<Vec<Spanned<toml::Value>>>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, "a list of values"));
        };
        let items: Result<Vec<_>, _> = array.iter().map(|item| self.plain(key, item)).collect();
        Ok(Some(Spanned::new(value.span(), items?)))
    }

    fn plain(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Spanned<toml::Value>, Diagnostic> {
        let read = toml::Value::deserialize(ValueDeserializer::from(value.clone()));
        read.map(|plain| Spanned::new(value.span(), plain)).map_err(|error| {
            self.fault(
                value.span(),
                format!("`{}{key}` cannot be read: {}", self.prefix, wording::of_toml(&error)),
            )
        })
    }

    /// A list of lists of strings.
    pub fn lists_of_texts(&self, key: &str) -> Result<Option<Vec<Texts<'a>>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let wanted = "a list of lists of texts in quotes";
        let Some(array) = value.get_ref().as_array() else { return Err(self.wrong(key, value, wanted)) };
        let list = |item: &'a Spanned<DeValue<'a>>| {
            let texts = item.get_ref().as_array().ok_or_else(|| self.wrong(key, item, wanted))?;
            let text = |item: &'a Spanned<DeValue<'a>>| match item.get_ref().as_str() {
                Some(text) => Ok(Spanned::new(item.span(), text)),
                None => Err(self.wrong(key, item, wanted)),
            };
            Ok(Spanned::new(item.span(), texts.iter().map(text).collect::<Result<_, _>>()?))
        };
        array.iter().map(list).collect::<Result<_, _>>().map(Some)
    }

    /// The tables of a list, `[[key]]`; empty if the key is absent.
    pub fn list_of_tables(&self, key: &str) -> Result<Vec<Table<'a>>, Diagnostic> {
        let Some(value) = self.entries.get(key) else { return Ok(Vec::new()) };
        let wanted = format!("a list of tables: `[[{}{key}]]`", self.prefix);
        let Some(array) = value.get_ref().as_array() else { return Err(self.wrong(key, value, &wanted)) };
        let table = |item: &'a Spanned<DeValue<'a>>| match item.get_ref().as_table() {
            Some(entries) => Ok(Table {
                source: self.source,
                prefix: format!("{}{key}.", self.prefix),
                span: item.span(),
                entries,
            }),
            None => Err(self.wrong(key, item, &wanted)),
        };
        array.iter().map(table).collect()
    }

    /// A table inside this one.
    pub fn table(&self, key: &str) -> Result<Option<Table<'a>>, Diagnostic> {
        let Some((name, value)) = self.entries.get_key_value(key) else { return Ok(None) };
        match value.get_ref().as_table() {
            Some(entries) => Ok(Some(Table {
                source: self.source,
                prefix: format!("{}{key}.", self.prefix),
                span: name.span(),
                entries,
            })),
            None => Err(self.wrong(key, value, &format!("a table: `[{}{key}]`", self.prefix))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str, read: impl Fn(&Table<'_>) -> Result<(), Diagnostic>) -> String {
        let source = Source::new("f", text);
        let parsed = match parse(&source) {
            Ok(parsed) => parsed,
            Err(fault) => return fault.to_string(),
        };
        read(&Table::root(&source, &parsed)).unwrap_err().to_string()
    }

    #[test]
    fn each_wrong_value_says_what_would_be_right() {
        let whole = |t: &Table<'_>| t.whole("n", 1..=9).map(|_| ());
        assert_eq!(fault("\nn = 10", whole), "f:2:5: `n` must be a whole number from 1 to 9, not 10");
        assert_eq!(fault("n = -1", whole), "f:1:5: `n` must be a whole number from 1 to 9, not -1");
        assert_eq!(fault("n = \"x\"", whole), "f:1:5: `n` must be a whole number from 1 to 9, not \"x\"");
        let number = |t: &Table<'_>| t.number("n", 0.0..=0.5).map(|_| ());
        assert_eq!(fault("n = 1", number), "f:1:5: `n` must be a number from 0 to 0.5, not 1");
        assert_eq!(fault("n = nan", number), "f:1:5: `n` must be a number from 0 to 0.5, not nan");
        assert_eq!(fault("n = true", number), "f:1:5: `n` must be a number from 0 to 0.5, not true");
        assert_eq!(fault("n = [", whole).split(": ").nth(1), Some("not valid TOML"));
        assert_eq!(fault("a = 1", |t| t.table("a").map(|_| ())), "f:1:5: `a` must be a table: `[a]`, not 1");
        assert_eq!(
            fault("[a]\nb = 1\n[a.c]\nx=1", |t| t.table("a")?.unwrap().allow(&["b"])),
            "f:3:4: unknown key `a.c`; did you mean `b`? (known: b)"
        );
    }

    #[test]
    fn a_seed_may_use_all_64_bits() {
        let source = Source::new("f", "seed = 0xFFFF_FFFF_FFFF_FFFF");
        let parsed = parse(&source).unwrap();
        let seed = Table::root(&source, &parsed).whole("seed", 0..=u64::MAX).unwrap().unwrap();
        assert_eq!(seed.into_inner(), u64::MAX);
    }
}
