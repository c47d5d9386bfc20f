//! The form of a map file, in JSON or in TOML: what may stand in it, before anything is checked.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::super::face::FaceKind;

/// A board as a planar map: its faces with their neighbours counter-clockwise, and what is written on them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapFile {
    /// The faces by their codes: 2 to 8 letters, digits and dots. Capitals and small letters are the same. At most 256,
    /// the Outside among them.
    #[serde(deserialize_with = "without_doubles")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, FaceEntry>"))]
    // As `code::fault` has it, but for the endings of halves.
    #[cfg_attr(feature = "schema", schemars(extend(
        "propertyNames" = { "pattern": "^[A-Za-z][A-Za-z0-9.]{0,6}[A-Za-z0-9]$" }, "minProperties" = 1, "maxProperties" = 256
    )))]
    pub faces: BTreeMap<String, FaceEntry>,
    /// Named coasts by province: for each name (NC, EC, SC, WC) the neighbours that the coast is made of, `MAO#2` for the
    /// second stretch along one neighbour.
    #[serde(default, deserialize_with = "without_doubles")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, Vec<String>>>"))]
    pub coasts: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The powers of the board. Left out, they are those that have homes; on a board without homes those of the standard
    /// board.
    #[serde(default)]
    pub powers: Option<Vec<PowerEntry>>,
    /// Canals: land provinces through which fleets pass between two neighbours.
    #[serde(default)]
    pub canals: Vec<CanalEntry>,
    /// Straits: pairs of land provinces between which fleets pass, although the two share a border.
    #[serde(default)]
    pub straits: Vec<[String; 2]>,
}

impl MapFile {
    /// How many neighbours its lists name in all.
    pub fn stretches(&self) -> usize {
        let lists = self.faces.values().flat_map(|face| face.neighbours_ccw.iter().chain(&face.islands_ccw));
        lists.map(Vec::len).sum()
    }
}

/// A province, an impassable face, or the Outside.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaceEntry {
    /// The full name, such as `Burgundy`.
    pub name: String,
    /// What it is made of.
    pub kind: KindEntry,
    /// Is it a supply centre? Left out, it is not.
    #[serde(default)]
    pub supply_centre: bool,
    /// The power whose home centre it is.
    #[serde(default)]
    pub home: Option<String>,
    /// The neighbours along the boundary, counter-clockwise. One that meets the face in two stretches stands twice. Only
    /// the Outside may leave it out.
    #[serde(default)]
    pub neighbours_ccw: Option<Vec<String>>,
    /// Further boundaries, where the face has islands in it: for each the neighbours, with the face on the left of the way.
    #[serde(default)]
    pub islands_ccw: Vec<Vec<String>>,
    /// The middle of the face in units of the map, east and north: for bearings and names of coasts.
    #[serde(default)]
    pub centre: Option<[f64; 2]>,
}

/// A power of the board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PowerEntry {
    /// In capitals, as files and orders write it: `FRANCE`.
    pub name: String,
    /// As prose has it: `France`. Left out, it is the name in small letters but for the first.
    #[serde(default)]
    pub proper_name: Option<String>,
    /// `French`. Left out, it is the proper name.
    #[serde(default)]
    pub adjective: Option<String>,
    /// The one capital letter or digit that stands for it in pictures. Left out, it is made up.
    #[serde(default)]
    pub mark: Option<char>,
    /// The colour in pictures, `#d55e00`. Left out, it is one that no other power has.
    #[serde(default)]
    pub colour: Option<String>,
}

/// A canal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CanalEntry {
    /// The land province.
    pub through: String,
    /// The neighbours at its two ends.
    pub ends: [String; 2],
}

/// What a face is made of.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KindEntry {
    /// A land province.
    Land,
    /// A sea.
    Sea,
    /// Inside of the board, but nobody may enter.
    Impassable,
    /// All that is beyond the edge of the board.
    Outside,
}

impl KindEntry {
    /// The same as a map has it.
    pub fn face_kind(self) -> FaceKind {
        match self {
            KindEntry::Land => FaceKind::Land,
            KindEntry::Sea => FaceKind::Sea,
            KindEntry::Impassable => FaceKind::Impassable,
            KindEntry::Outside => FaceKind::Outside,
        }
    }
}

/// A text that is not of the form of a map file.
pub struct FormFault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What was wrong and what would be right.
    pub message: String,
}

/// Reads a file: TOML where its name ends in `.toml`, else JSON.
pub fn read(file: &str, text: &str) -> Result<MapFile, FormFault> {
    if file.ends_with(".toml") {
        return toml::from_str(text).map_err(|error| {
            let (line, column) = place(text, error.span().unwrap_or_default());
            FormFault { line, column, message: error.message().to_owned() }
        });
    }
    serde_json::from_str(text).map_err(|error| FormFault {
        line: error.line(),
        column: error.column(),
        message: without_place(&error),
    })
}

/// The line and column of a byte, in characters.
fn place(text: &str, span: Range<usize>) -> (usize, usize) {
    let at = (0..=span.start.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// What serde_json says, less the place, which is named already.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
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
