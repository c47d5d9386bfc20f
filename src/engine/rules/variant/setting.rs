//! Parameters set from outside: a variant file with other values, checked like any file.

use std::fmt;
use std::path::Path;

use toml_edit::{DocumentMut, Item};

use super::file::read_within;
use super::model::{Variant, VariantError};
use super::{parameter, shipped};
use crate::diagnostic::settings::slot;
use crate::diagnostic::{RootFolder, Source};

/// A parameter with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The parameter: a key of the file such as `holes.per_season`, a whole section, or an entry below a key.
    pub parameter: String,
    /// The value.
    pub value: toml::Value,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.parameter, self.value)
    }
}

/// Is this a key that affects play, a section of such keys, or an entry below one?
pub fn is_parameter(key: &str) -> bool {
    let above = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'));
    !key.split('.').any(str::is_empty)
        && parameter::keys().any(|known| known == key || above(known, key) || above(key, known))
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
        let listed = variant.parameters().iter().any(|known| known.key == parameter);
        let mut at = toml::from_str::<toml::Value>(source.text()).ok();
        for part in parameter.split('.') {
            at = at.and_then(|value| value.get(part).cloned());
        }
        Ok(listed || at.is_some())
    }
}

/// The text with these values.
fn set(source: &Source, settings: &[Setting]) -> Result<Source, VariantError> {
    let fault = |message: String| VariantError::Faults(source.fault(0..0, message).into());
    let mut document: DocumentMut =
        source.text().parse().map_err(|error: toml_edit::TomlError| fault(error.message().to_owned()))?;
    for Setting { parameter, value } in settings {
        let at = slot(document.as_item_mut(), parameter.split('.'))
            .map_err(|message| fault(format!("`{parameter}`: {message}")))?;
        *at = Item::Value(edited(value));
    }
    Ok(Source::new(source.name(), document.to_string()))
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

#[cfg(test)]
mod tests {
    use super::shipped::SHIPPED;
    use super::*;

    fn with(name: &str, settings: &[(&str, &str)]) -> Result<Variant, String> {
        let settings: Vec<Setting> = settings
            .iter()
            .map(|(parameter, value)| {
                let table: toml::Table = toml::from_str(&format!("v = {value}")).unwrap();
                Setting { parameter: (*parameter).to_owned(), value: table["v"].clone() }
            })
            .collect();
        match Variant::find_with(name, Path::new(""), &settings) {
            Ok(found) => Ok(found.expect("it ships")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn every_shipped_variant_takes_its_own_values() {
        for name in Variant::shipped() {
            let text = SHIPPED.iter().find(|&&(id, _)| id == name).unwrap().1;
            let file: toml::Value = toml::from_str(text).unwrap();
            let plain = Variant::find(name, Path::new("")).unwrap().unwrap();
            for key in parameter::keys() {
                let value = key.split('.').try_fold(&file, |at, part| at.get(part));
                let Some(value) = value else { continue };
                let setting = Setting { parameter: key.to_owned(), value: value.clone() };
                let same = Variant::find_with(name, Path::new(""), &[setting]).unwrap().unwrap();
                assert_eq!(same.content(), plain.content(), "{name}: {key}");
                assert!(Variant::has(name, Path::new(""), key).unwrap());
            }
        }
    }

    #[test]
    fn a_value_is_checked_as_in_a_file() {
        let of = |variant: &Variant, key: &str| {
            variant.parameters().iter().find(|p| p.key == key).map(|p| p.value.clone())
        };
        let two = with("black-hole", &[("holes.per_season", "2"), ("holes.closure", "\"void\"")]).unwrap();
        assert_eq!(of(&two, "holes.per_season").as_deref(), Some("2"));
        assert_eq!(of(&two, "holes.closure").as_deref(), Some("void"));
        assert!(
            with("black-hole", &[("holes.per_season", "99")])
                .unwrap_err()
                .contains("must be from 1 to 10, not 99")
        );
        assert!(with("black-hole", &[("holes.closure", "\"voids\"")]).unwrap_err().contains(
            "unknown word `voids` for `holes.closure`; did you mean `void`? (known: collapse, void)"
        ));
        // Keys that the file may have but omits.
        let aboard =
            with("standard", &[("units", "{ army_fleets = \"yes\", army_becomes_fleet = \"no\" }")]).unwrap();
        assert_eq!(of(&aboard, "units.max_seasons_aboard").as_deref(), Some("unlimited"));
        let holed = [
            ("holes.per_season", "1"),
            ("holes.closure", "\"void\""),
            ("holes.retreats", "\"foretold\""),
            ("holes.seasons", "\"fall\""),
            ("holes.faces", "\"land\""),
        ];
        assert_eq!(with("standard", &holed).unwrap().mechanisms.len(), 1);
        assert!(with("standard", &holed[..1]).unwrap_err().contains("`holes.closure` is missing"));
        // Entries below a key, and keys that do not fit.
        assert!(with("standard", &[("start.units.AUSTRIA", "[\"A VIE\"]")]).is_ok());
        assert!(
            with("standard", &[("rulebook.base", "\"1971\"")])
                .unwrap_err()
                .contains("set the whole of that key")
        );
    }

    #[test]
    fn parameters_are_keys_sections_and_what_lies_below_keys() {
        for key in ["holes.per_season", "holes", "start.units.AUSTRIA", "map", "deluge.centres.ru10.1902"] {
            assert!(is_parameter(key), "{key}");
        }
        for key in
            ["id", "title", "hole", "holes.per", "holes.per_seasons", "", ".holes", "holes.", "sources.map"]
        {
            assert!(!is_parameter(key), "{key}");
        }
        assert!(!Variant::has("standard", Path::new(""), "holes.per_season").unwrap());
        assert!(Variant::has("black-hole", Path::new(""), "holes").unwrap());
    }
}
