//! Keys of files, and the words that they take.

use std::fmt;

/// Defines enums of words, each with the word that files have for each variant.
macro_rules! words {
    ($($(#[$meaning:meta])* $Key:ident { $($(#[$of:meta])* $Word:ident = $text:literal,)* })*) => {$(
        upheaval_map::named! {
            $(#[$meaning])*
            #[derive(PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub enum $Key {
                $($(#[$of])* #[serde(rename = $text)] $Word = $text,)*
            }
        }
    )*};
}
pub(in crate::rules) use words;

/// A key of a file, or of an entry in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Key {
    /// Its name, with that of its section: `victory.rule`.
    pub name: &'static str,
    /// Its permitted values.
    pub values: PermittedValues,
    /// Its meaning.
    pub meaning: &'static str,
}

impl Key {
    /// A key that takes one of these words.
    pub(super) const fn words(
        name: &'static str,
        words: &'static [&'static str],
        meaning: &'static str,
    ) -> Key {
        Key { name, values: PermittedValues::Words(words), meaning }
    }

    /// A key whose values this text describes.
    pub(super) const fn other(name: &'static str, values: &'static str, meaning: &'static str) -> Key {
        Key { name, values: PermittedValues::Other(values), meaning }
    }
}

/// The permitted values of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PermittedValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// Values described by this text.
    Other(&'static str),
}

impl fmt::Display for PermittedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PermittedValues::Words(words) => f.write_str(&words.join(" | ")),
            PermittedValues::Other(text) => f.write_str(text),
        }
    }
}
