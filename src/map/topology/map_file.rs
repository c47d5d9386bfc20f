//! The form of a map file: one definition for the reader ([`super::atlas`]) and for programs that write one.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// A map file. It describes a board only once [`super::atlas::parse`] has checked it.
///
/// ```
/// use upheaval_map::topology::{MapFile, atlas};
/// let text = r#"{"faces": {
///   "ISLE": {"name": "Isle", "kind": "land", "supply_centre": false, "home": null, "neighbours_ccw": ["SEA"]},
///   "SEA": {"name": "Sea", "kind": "sea", "supply_centre": false, "home": null, "neighbours_ccw": ["ISLE"]}
/// }}"#;
/// let file: MapFile = serde_json::from_str(text)?;
/// assert_eq!(atlas::parse("mine.json", &file.to_text()).unwrap().map().faces().count(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Deserialize, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    /// The faces by code.
    #[serde(deserialize_with = "without_doubles")]
    pub faces: BTreeMap<String, FaceEntry>,
    /// Named coasts by province: the neighbours, `MAO#2` for the second stretch, that each is made of.
    #[serde(default, deserialize_with = "without_doubles", skip_serializing_if = "BTreeMap::is_empty")]
    pub coasts: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The powers of the board. Left out, they are those that have homes; on a board without homes those of the
    /// standard board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub powers: Option<Vec<PowerEntry>>,
    /// The canals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canals: Vec<CanalEntry>,
    /// The straits: each the two provinces at whose border it lies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub straits: Vec<[String; 2]>,
}

/// What a map file says of a face.
#[derive(Deserialize, Serialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct FaceEntry {
    /// The full name.
    pub name: String,
    /// What it is made of.
    pub kind: KindEntry,
    /// Is it a supply centre?
    pub supply_centre: bool,
    /// The power whose home it is.
    pub home: Option<String>,
    /// The neighbours, counter-clockwise.
    pub neighbours_ccw: Vec<String>,
    /// Further boundary cycles, where the face has islands in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub islands_ccw: Vec<Vec<String>>,
    /// Its centre in map units, east and north.
    pub centre: Option<[f64; 2]>,
}

/// What a map file says of a power.
#[derive(Deserialize, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PowerEntry {
    /// In capitals.
    pub name: String,
    /// As prose has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proper_name: Option<String>,
    /// `French`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjective: Option<String>,
    /// The one letter or digit that stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<char>,
    /// `#d55e00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// What a map file says of a canal.
#[derive(Deserialize, Serialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct CanalEntry {
    /// The province that it runs through.
    pub through: String,
    /// The neighbours at whose borders it ends.
    pub ends: [String; 2],
}

/// What a face of a map file is made of.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum KindEntry {
    /// A land province.
    Land,
    /// A sea.
    Sea,
    /// Inside the board, but nobody may enter.
    Impassable,
    /// Everything beyond the edge of the board.
    Outside,
    /// A point at which more than three faces meet.
    Point,
}

impl MapFile {
    /// The file as text, a line for each face, so that a change of the board is a change of few lines.
    pub fn to_text(&self) -> String {
        let mut parts = vec![format!("\"faces\": {}", lines(self.faces.iter(), ['{', '}']))];
        if !self.coasts.is_empty() {
            parts.push(format!("\"coasts\": {}", lines(self.coasts.iter(), ['{', '}'])));
        }
        if let Some(powers) = &self.powers {
            parts.push(format!("\"powers\": {}", lines(powers.iter().map(Alone), ['[', ']'])));
        }
        if !self.canals.is_empty() {
            parts.push(format!("\"canals\": {}", lines(self.canals.iter().map(Alone), ['[', ']'])));
        }
        if !self.straits.is_empty() {
            parts.push(format!("\"straits\": {}", lines(self.straits.iter().map(Alone), ['[', ']'])));
        }
        format!("{{\n{}\n}}\n", parts.join(",\n"))
    }
}

/// An entry of a list, or of an object with its key.
trait Line {
    fn line(&self) -> String;
}

struct Alone<'a, T>(&'a T);

impl<T: Serialize> Line for Alone<'_, T> {
    fn line(&self) -> String {
        spaced(self.0)
    }
}

impl<T: Serialize> Line for (&String, &T) {
    fn line(&self) -> String {
        format!("{}: {}", spaced(self.0), spaced(self.1))
    }
}

fn lines(entries: impl Iterator<Item = impl Line>, [open, close]: [char; 2]) -> String {
    let lines: Vec<String> = entries.map(|entry| format!("  {}", entry.line())).collect();
    format!("{open}\n{}\n{close}", lines.join(",\n"))
}

/// JSON on one line, with spaces behind commas and colons.
fn spaced(value: &impl Serialize) -> String {
    #[derive(Clone, Copy)]
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_array_value<W: ?Sized + std::io::Write>(
            &mut self,
            w: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            if first { Ok(()) } else { w.write_all(b", ") }
        }
        fn begin_object_key<W: ?Sized + std::io::Write>(
            &mut self,
            w: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            if first { Ok(()) } else { w.write_all(b", ") }
        }
        fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, w: &mut W) -> std::io::Result<()> {
            w.write_all(b": ")
        }
    }
    let mut text = Vec::new();
    // Strings, numbers and lists of them can always be written to memory.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Spaced));
    String::from_utf8(text).unwrap_or_default()
}

/// Reads an object of which no key may stand twice: the later would silently replace the earlier.
fn without_doubles<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    struct Entries<V>(PhantomData<V>);
    impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
        type Value = BTreeMap<String, V>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some(key) = access.next_key::<String>()? {
                if entries.contains_key(&key) {
                    return Err(serde::de::Error::custom(format_args!("`{key}` stands twice")));
                }
                let value = access.next_value()?;
                entries.insert(key, value);
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_map(Entries(PhantomData))
}
