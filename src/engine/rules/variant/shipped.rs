//! The shipped variants, and the look-up of a variant by name.

use std::path::{Path, PathBuf};

use super::model::{Variant, VariantError};
use crate::diagnostic::{RootFolder, Source};

/// The shipped variants: id and file.
pub(super) const SHIPPED: [(&str, &str); 15] = [
    ("standard", include_str!("../../variants/standard.toml")),
    ("black-hole", include_str!("../../variants/black-hole.toml")),
    ("black-hole-i", include_str!("../../variants/black-hole-i.toml")),
    ("black-hole-ii", include_str!("../../variants/black-hole-ii.toml")),
    ("double-reversible", include_str!("../../variants/double-reversible.toml")),
    ("schizo-ii", include_str!("../../variants/schizo-ii.toml")),
    ("deluge-ii", include_str!("../../variants/deluge-ii.toml")),
    ("seismic-1971", include_str!("../../variants/seismic-1971.toml")),
    ("seismic-acerunner", include_str!("../../variants/seismic-acerunner.toml")),
    ("black-hole-2012", include_str!("../../variants/black-hole-2012.toml")),
    ("double-reversible-2014", include_str!("../../variants/double-reversible-2014.toml")),
    ("schizo", include_str!("../../variants/schizo.toml")),
    ("deluge", include_str!("../../variants/deluge.toml")),
    ("sahara", include_str!("../../variants/sahara.toml")),
    ("impassable", include_str!("../../variants/impassable.toml")),
];

/// The file of a variant, and the folder to which its paths are relative.
pub(super) fn file(name: &str, base: &Path) -> Result<Option<(Source, PathBuf)>, VariantError> {
    if is_path(name) {
        let path = base.join(name);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        return Ok(Some((Source::read(&path)?, folder)));
    }
    Ok(shipped_file(name))
}

/// The same for a name in a request, whose path is below the root folder.
pub(super) fn file_within(name: &str, root: &RootFolder) -> Result<Option<(Source, PathBuf)>, VariantError> {
    match is_path(name) {
        true => Ok(Some(root.read(Path::new(name))?)),
        false => Ok(shipped_file(name)),
    }
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".toml")
}

fn shipped_file(name: &str) -> Option<(Source, PathBuf)> {
    let shipped = SHIPPED.iter().find(|&&(id, _)| id == name);
    shipped.map(|(id, text)| (Source::new(format!("variants/{id}.toml"), *text), PathBuf::new()))
}

impl Variant {
    /// The ids of the shipped variants.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|&(id, _)| id)
    }

    /// The file of a shipped variant, as text.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// assert!(Variant::shipped_text("black-hole").unwrap().contains("count = 1"));
    /// ```
    pub fn shipped_text(id: &str) -> Option<&'static str> {
        SHIPPED.iter().find(|&&(shipped, _)| shipped == id).map(|&(_, text)| text)
    }

    /// The variant with this name, or in the file at this path, relative to `base`. A name with a slash, a
    /// backslash or `.toml` in it is a path.
    ///
    /// # Errors
    /// The file cannot be read or has a fault. `Ok(None)`: no shipped variant has this name.
    pub fn find(name: &str, base: &Path) -> Result<Option<Variant>, VariantError> {
        let Some((source, folder)) = file(name, base)? else { return Ok(None) };
        Variant::check(&source, &folder).map(Some)
    }
}
