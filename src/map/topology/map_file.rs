//! The form of map files: one definition for the reader ([`super::atlas`]), for programs that write map
//! files, and for the schema.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use crate::ids::PowerEntry;
use crate::topology::half_edge::FaceKind;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A board as a planar map: its faces with their neighbours counter-clockwise, and the annotations of the
/// faces. It can be played on only once [`super::atlas::parse`] has checked it.
///
/// ```
/// use upheaval_map::topology::{MapFile, atlas};
/// let text = r#"{"faces": {
///   "ISLE": {"name": "Isle", "kind": "land", "neighbours_ccw": ["SEA"]},
///   "SEA": {"name": "Sea", "kind": "sea", "neighbours_ccw": ["ISLE"]}
/// }}"#;
/// let file: MapFile = serde_json::from_str(text)?;
/// assert_eq!(atlas::parse("mine.json", &file.to_text()).unwrap().map().faces().count(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Deserialize, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MapFile {
    /// The faces by their codes: 2 to 8 letters, digits and dots, case-insensitive. There are at most 256
    /// faces, including the Outside.
    #[serde(deserialize_with = "without_doubles")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, FaceEntry>"))]
    // As in `code::fault`, except for the endings of halves.
    #[cfg_attr(feature = "schema", schemars(extend(
        "propertyNames" = { "pattern": "^[A-Za-z][A-Za-z0-9.]{0,6}[A-Za-z0-9]$" }, "minProperties" = 1, "maxProperties" = 256
    )))]
    pub faces: BTreeMap<String, FaceEntry>,
    /// Named coasts by province: for each name (NC, EC, SC, WC) the neighbours that make up the coast;
    /// `MAO#2` is the second stretch along one neighbour.
    #[serde(default, deserialize_with = "without_doubles", skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, Vec<String>>>"))]
    pub coasts: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The powers of the board. By default they are the powers that have homes; on a board without homes,
    /// those of the standard board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub powers: Option<Vec<PowerEntry>>,
    /// Canals: land provinces through which fleets pass between two neighbours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canals: Vec<CanalEntry>,
    /// Straits: pairs of land provinces between which fleets pass, although the two share a border.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub straits: Vec<[String; 2]>,
}

impl MapFile {
    /// The file as text with one line for each face, so that a change of the board changes few lines.
    pub fn to_text(&self) -> String {
        // Strings, numbers and lists of them can always be written.
        written(&serde_json::to_value(self).unwrap_or_default(), 0) + "\n"
    }

    /// The total number of neighbours in its lists.
    pub(crate) fn stretches(&self) -> usize {
        let lists = self.faces.values().flat_map(|face| face.neighbours_ccw.iter().chain(&face.islands_ccw));
        lists.map(Vec::len).sum()
    }
}

/// A province, an impassable face, or the Outside.
#[derive(Deserialize, Serialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaceEntry {
    /// The full name, such as `Burgundy`.
    pub name: String,
    /// Other names and codes by which people call it in orders, such as `MID` or `München`. One may fit several faces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The kind of the face.
    pub kind: FaceKind,
    /// Is it a supply centre? The default is no.
    #[serde(default)]
    pub supply_centre: bool,
    /// The power whose home centre it is.
    #[serde(default)]
    pub home: Option<String>,
    /// The neighbours along the boundary, counter-clockwise. A neighbour that shares two stretches with the
    /// face is listed twice. Only the Outside may omit the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours_ccw: Option<Vec<String>>,
    /// Further boundaries, if there are islands in the face: for each the neighbours, in the order of a walk
    /// with the face on the left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub islands_ccw: Vec<Vec<String>>,
    /// The middle of the face in map units, east and north; used for bearings and for names of coasts. Each number is 0,
    /// or from 1e-100 to 1e9 in size.
    #[serde(default)]
    pub centre: Option<[f64; 2]>,
}

/// Can a number be a coordinate? It must be 0, or from 1e-100 to 1e9 in size, so that sums, products and quotients of
/// coordinates are finite.
pub fn is_coordinate(number: f64) -> bool {
    number == 0.0 || (1e-100..=1e9).contains(&number.abs())
}

impl FaceEntry {
    /// A face that is not a supply centre, with an empty boundary and no centre.
    pub fn new(name: impl Into<String>, kind: FaceKind) -> FaceEntry {
        FaceEntry {
            name: name.into(),
            also: Vec::new(),
            kind,
            supply_centre: false,
            home: None,
            neighbours_ccw: Some(Vec::new()),
            islands_ccw: Vec::new(),
            centre: None,
        }
    }

    /// The first boundary; empty if it is omitted.
    pub fn neighbours(&self) -> &[String] {
        self.neighbours_ccw.as_deref().unwrap_or_default()
    }
}

/// A canal.
#[derive(Deserialize, Serialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CanalEntry {
    /// The land province.
    pub through: String,
    /// The neighbours at its two ends.
    pub ends: [String; 2],
}

/// JSON with a line for each entry of each member of a file; within a line there is a space after commas and colons.
fn written(value: &Value, depth: usize) -> String {
    let member = |(key, value): (&String, &Value)| {
        format!("{}: {}", Value::from(key.as_str()), written(value, depth + 1))
    };
    let (entries, [open, close]): (Vec<String>, _) = match value {
        Value::Array(entries) => {
            (entries.iter().map(|entry| written(entry, depth + 1)).collect(), ['[', ']'])
        }
        Value::Object(members) => (members.iter().map(member).collect(), ['{', '}']),
        plain => return plain.to_string(),
    };
    match depth {
        0 => format!("{open}\n{}\n{close}", entries.join(",\n")),
        1 => format!("{open}\n  {}\n{close}", entries.join(",\n  ")),
        _ => format!("{open}{}{close}", entries.join(", ")),
    }
}

/// Reads an object in which no key may occur twice; otherwise the later value would silently replace the
/// earlier.
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
                    return Err(serde::de::Error::custom(format_args!("`{key}` is given twice")));
                }
                let value = access.next_value()?;
                entries.insert(key, value);
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_map(Entries(PhantomData))
}

// Codes of provinces: `BUR`, `NAT`, `ISLE.N`, and `BUR.1` for a half of one that was split.

/// The permitted lengths of a province code in a map file.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;

/// The fault of a code in a map file, given in capitals; `None` if there is none.
///
/// A code has 2 to 8 letters, digits and dots, begins with a letter and does not end in a dot. It does not
/// end in `.1` or `.2` either, because those mark the halves of a split province. The codes of halves can be
/// longer than 8 characters.
pub(crate) fn fault(code: &str) -> Option<String> {
    let is_of_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '.';
    let begins_well = code.starts_with(|c: char| c.is_ascii_uppercase());
    if !begins_well || code.ends_with('.') || !code.chars().all(is_of_code) || !LENGTHS.contains(&code.len())
    {
        return Some(format!(
            "`{code}` is not a province code; expected {} to {} letters A to Z, digits and dots, beginning with a letter and \
             not ending with a dot",
            LENGTHS.start(),
            LENGTHS.end()
        ));
    }
    (whole_of(code) != code).then(|| {
        format!(
            "`{code}` looks like a half of `{}`, because the halves of a split province end in `.1` and `.2`; \
             choose another ending, such as `{}.A`",
            whole_of(code),
            whole_of(code)
        )
    })
}

/// The code in the map file of the province of which this one is a part: `BUR` for `BUR.2.1`, and also for
/// `BUR` itself.
///
/// ```
/// use upheaval_map::topology::whole_of;
/// assert_eq!(["BUR", "BUR.2.1", "ISLE.N", "ISLE.N.1"].map(whole_of), ["BUR", "BUR", "ISLE.N", "ISLE.N"]);
/// ```
pub fn whole_of(code: &str) -> &str {
    let mut whole = code;
    while let Some(shorter) = whole.strip_suffix(".1").or_else(|| whole.strip_suffix(".2")) {
        whole = shorter;
    }
    whole
}
