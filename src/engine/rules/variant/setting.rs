//! Parameters set from outside: a variant file with other values, checked like any file.

use std::fmt;
use std::path::Path;

use toml_edit::{DocumentMut, Item};

use super::file::read_within;
use super::model::{Variant, VariantError};
use super::parameter::{CHANGES, is_parameter};
use super::shipped;
use crate::diagnostic::settings::slot;
use crate::diagnostic::{RootFolder, Source, suggest};

/// A parameter with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The parameter: a key of the file such as `victory.rule`, a key of an entry such as `changes.holes.count`, a
    /// whole section, or what lies below a key.
    pub parameter: String,
    /// The value.
    pub value: toml::Value,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.parameter, self.value)
    }
}

impl Variant {
    /// [`Variant::find`] with parameters set, which are written into the text of the file before it is
    /// checked. Faults are reported with their position in that text.
    ///
    /// # Errors
    /// The file cannot be read, or the resulting text has a fault. `Ok(None)`: no shipped variant has this
    /// name.
    pub fn find_with(name: &str, base: &Path, settings: &[Setting]) -> Result<Option<Variant>, VariantError> {
        let Some((source, folder)) = shipped::file(name, base)? else { return Ok(None) };
        // The variant is first checked without settings, so that faults in the file itself are reported as
        // such.
        Variant::check(&source, &folder)?;
        let source = set(&source, settings)?;
        Variant::check(&source, &folder).map(Some)
    }

    /// [`Variant::find_with`] for a name in a stranger's request: the file and its map are in the root folder or below
    /// it.
    ///
    /// # Errors
    /// A path leads out of the root folder, or those of [`Variant::find_with`].
    pub(crate) fn find_within(
        name: &str,
        root: &RootFolder,
        settings: &[Setting],
    ) -> Result<Option<Variant>, VariantError> {
        let Some((source, folder)) = shipped::file_within(name, root)? else { return Ok(None) };
        let variant = read_within(&source, &folder, root)?;
        if settings.is_empty() {
            return Ok(Some(variant));
        }
        read_within(&set(&source, settings)?, &folder, root).map(Some)
    }

    /// Does the variant have the parameter, either as one of [`Variant::parameters`] or as a key of its file?
    ///
    /// # Errors
    /// The file cannot be read or has a fault.
    pub fn has(name: &str, base: &Path, parameter: &str) -> Result<bool, VariantError> {
        let Some((source, folder)) = shipped::file(name, base)? else { return Ok(false) };
        let variant = Variant::check(&source, &folder)?;
        if let Some(of_entry) = parameter.strip_prefix(CHANGES).and_then(|rest| rest.strip_prefix('.')) {
            let (id, key) = of_entry.split_once('.').unwrap_or((of_entry, ""));
            return Ok(
                is_parameter(parameter) && variant.changes.entry(id).is_some_and(|entry| entry.may_have(key))
            );
        }
        let listed = variant.parameters().iter().any(|known| known.key == parameter);
        let file: toml::Value = toml::from_str(source.text()).unwrap_or(toml::Value::Boolean(false));
        Ok(listed || parameter.split('.').try_fold(&file, |at, part| at.get(part)).is_some())
    }
}

/// The text with these values.
fn set(source: &Source, settings: &[Setting]) -> Result<Source, VariantError> {
    let fault = |message: String| VariantError::Faults(source.fault(0..0, message).into());
    let mut document: DocumentMut =
        source.text().parse().map_err(|error: toml_edit::TomlError| fault(error.message().to_owned()))?;
    for Setting { parameter, value } in settings {
        let parts = with_index(&document, parameter).map_err(&fault)?;
        let at = slot(document.as_item_mut(), parts)
            .map_err(|message| fault(format!("`{parameter}`: {message}")))?;
        *at = Item::Value(edited(value));
    }
    Ok(Source::new(source.name(), document.to_string()))
}

/// The parts of a parameter's key, with the index of an entry in place of its id.
fn with_index(document: &DocumentMut, parameter: &str) -> Result<Vec<String>, String> {
    let mut parts: Vec<String> = parameter.split('.').map(str::to_owned).collect();
    if let [list, id, ..] = &mut parts[..]
        && list.as_str() == CHANGES
    {
        let ids: Vec<Option<&str>> = match document.get(CHANGES) {
            Some(Item::ArrayOfTables(tables)) => {
                tables.iter().map(|entry| entry.get("id")?.as_str()).collect()
            }
            Some(Item::Value(toml_edit::Value::Array(list))) => {
                list.iter().map(|entry| entry.as_inline_table()?.get("id")?.as_str()).collect()
            }
            _ => Vec::new(),
        };
        let ids: Vec<&str> = ids.into_iter().map(Option::unwrap_or_default).collect();
        let index = ids.iter().position(|known| known == id);
        *id = index
            .ok_or_else(|| format!("`{parameter}`: there is no entry `{id}`; {}", suggest(id, ids)))?
            .to_string();
    }
    Ok(parts)
}

/// The same value in the type of the other crate.
fn edited(value: &toml::Value) -> toml_edit::Value {
    match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => (*number).into(),
        toml::Value::Boolean(truth) => (*truth).into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(values) => toml_edit::Value::Array(values.iter().map(edited).collect()),
        toml::Value::Table(table) => {
            let entries = table.iter().map(|(key, value)| (key.as_str(), edited(value)));
            toml_edit::Value::InlineTable(entries.collect())
        }
    }
}
