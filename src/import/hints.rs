//! Hint files: facts that adjacencies alone do not give.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use upheaval_map::topology::CanalEntry;
use upheaval_map::wording;

use crate::note::ImportError;

/// The content of a hint file. Every key is optional.
///
/// ```
/// use upheaval_import::Hints;
/// let hints = Hints::parse("mine.toml", r#"
/// outside = ["MAO", "NAF", "TUN"]      # the face that touches all of these is the Outside; [] for none
/// north = "NWG"                        # which way up the board is drawn
/// points = [["AUS", "LIB", "MES", "GOT"]]   # these meet at one point, in this order round it
/// leave_out = [["BAL", "SAG"]]         # adjacencies that the map is to do without
/// straits = [["DEN", "SWE"]]
/// canals = [{ through = "KIE", ends = ["BAL", "HEL"] }]
/// [around]                             # neighbours of a province, counter-clockwise
/// CON = ["BUL", "AEG", "SMY"]
/// [fillers.CSP]                        # a place that nobody can enter
/// name = "Caspian Sea"
/// around = ["ARM", "IRA", "KAZ"]
/// "#)?;
/// assert_eq!(hints.straits.len(), 1);
/// # Ok::<(), upheaval_import::ImportError>(())
/// ```
#[derive(Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Hints {
    /// Provinces that the Outside touches: the face that touches all of them is the Outside. An empty list
    /// means that there is none.
    pub outside: Option<Vec<String>>,
    /// The province to be drawn in the north.
    pub north: Option<String>,
    /// Provinces that meet at one point, in their order round it.
    #[serde(default)]
    pub points: Vec<Vec<String>>,
    /// Adjacencies to leave out.
    #[serde(default)]
    pub leave_out: Vec<[String; 2]>,
    /// Borders with a strait.
    #[serde(default)]
    pub straits: Vec<[String; 2]>,
    /// Canals.
    #[serde(default)]
    pub canals: Vec<CanalEntry>,
    /// Three or more neighbours of a province in counter-clockwise order.
    #[serde(default)]
    pub around: BTreeMap<String, Vec<String>>,
    /// Names of impassable faces, by code.
    #[serde(default)]
    pub fillers: BTreeMap<String, FillerHint>,
}

/// The name of an impassable face or of a point.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct FillerHint {
    /// Its full name.
    pub name: String,
    /// Provinces that it touches.
    pub around: Vec<String>,
}

impl Hints {
    /// Reads a hint file. `file` is used only in errors.
    ///
    /// # Errors
    /// The text is not TOML, or has an unknown key.
    pub fn parse(file: &str, text: &str) -> Result<Hints, ImportError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
            ImportError::line(file, before.matches('\n').count() + 1, wording::of_toml(&error))
        })
    }

    /// The keys of hints that only lists of adjacencies need.
    pub(crate) fn for_lists(&self) -> Vec<&'static str> {
        let keys = [
            ("outside", self.outside.is_some()),
            ("north", self.north.is_some()),
            ("points", !self.points.is_empty()),
            ("leave_out", !self.leave_out.is_empty()),
            ("around", !self.around.is_empty()),
        ];
        keys.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect()
    }

    /// Checks that all named provinces are on the board, and that no hint is given twice.
    ///
    /// # Errors
    /// Every fault that there is.
    pub(crate) fn check(&self, file: &str, is_known: impl Fn(&str) -> bool) -> Result<(), ImportError> {
        let mut faults: Vec<String> = Vec::new();
        let listed = self.outside.iter().chain(&self.points).chain(self.around.values()).flatten();
        let pairs = self.leave_out.iter().chain(&self.straits).flatten();
        let canals = self.canals.iter().flat_map(|canal| std::iter::once(&canal.through).chain(&canal.ends));
        let fillers = self.fillers.values().flat_map(|filler| &filler.around);
        let named =
            listed.chain(pairs).chain(canals).chain(fillers).chain(self.around.keys()).chain(&self.north);
        // The end of a canal may be a stretch, such as `MAO#2`.
        let named: BTreeSet<&str> = named.map(|name| name.split('#').next().unwrap_or_default()).collect();
        let unknown = named.into_iter().filter(|name| !is_known(name));
        faults.extend(unknown.map(|name| format!("there is no province `{name}` on the board")));
        for (i, point) in self.points.iter().enumerate().filter(|(_, point)| point.len() < 4) {
            let names = point.join(" ");
            faults.push(format!("points[{i}]: expected at least four provinces, found {names}"));
        }
        for (province, list) in self.around.iter().filter(|(_, list)| list.len() < 3) {
            let count = list.len();
            faults.push(format!("around.{province}: expected at least three neighbours, found {count}"));
        }
        let outside = self.outside.iter().map(|list| ("outside".to_owned(), list));
        let points = self.points.iter().enumerate().map(|(i, list)| (format!("points[{i}]"), list));
        let around = self.around.iter().map(|(code, list)| (format!("around.{code}"), list));
        for (key, list) in outside.chain(points).chain(around) {
            let mut seen = BTreeSet::new();
            let twice = list.iter().find(|name| !seen.insert(*name));
            faults.extend(twice.map(|name| format!("{key}: {name} is listed twice")));
        }
        let sorted = |list: &[String]| {
            let mut list = list.to_vec();
            list.sort();
            list
        };
        let canal =
            |canal: &CanalEntry| [std::slice::from_ref(&canal.through), &sorted(&canal.ends)].concat();
        for (key, lists) in [
            ("points", self.points.iter().map(|list| sorted(list)).collect::<Vec<_>>()),
            ("leave_out", self.leave_out.iter().map(|pair| sorted(pair)).collect()),
            ("straits", self.straits.iter().map(|pair| sorted(pair)).collect()),
            ("canals", self.canals.iter().map(canal).collect()),
        ] {
            let mut seen = BTreeMap::new();
            for (i, list) in lists.iter().enumerate() {
                if let Some(first) = seen.insert(list, i) {
                    faults.push(format!("{key}[{i}] and {key}[{first}] are the same: {}", list.join(" ")));
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(ImportError::faults(file, &faults)) }
    }
}
