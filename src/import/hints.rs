//! Hint files: facts that adjacencies alone do not give.

use std::collections::BTreeMap;

use serde::Deserialize;
use upheaval_map::topology::CanalEntry;

use crate::error::ImportError;

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
            ImportError::line(file, before.matches('\n').count() + 1, error.message().replace('\n', "; "))
        })
    }

    /// Checks that all named provinces are on the board.
    ///
    /// # Errors
    /// The first one that is not.
    pub fn check(&self, file: &str, is_known: impl Fn(&str) -> bool) -> Result<(), ImportError> {
        let listed = self.outside.iter().chain(&self.points).chain(self.around.values()).flatten();
        let pairs = self.leave_out.iter().chain(&self.straits).flatten();
        let canals = self.canals.iter().flat_map(|canal| std::iter::once(&canal.through).chain(&canal.ends));
        let fillers = self.fillers.values().flat_map(|filler| &filler.around);
        let mut named =
            listed.chain(pairs).chain(canals).chain(fillers).chain(self.around.keys()).chain(&self.north);
        // The end of a canal may be a stretch, such as `MAO#2`.
        let unknown = named.find(|name| !is_known(name.split('#').next().unwrap_or_default()));
        if let Some(unknown) = unknown {
            return Err(ImportError::file(file, format!("there is no province `{unknown}` on the board")));
        }
        if let Some(short) = self.points.iter().find(|point| point.len() < 4) {
            let message = format!("the point {} has fewer than four provinces", short.join(" "));
            return Err(ImportError::file(file, message));
        }
        if let Some((province, _)) = self.around.iter().find(|(_, list)| list.len() < 3) {
            let message =
                format!("around.{province}: give at least three neighbours; fewer do not have an order");
            return Err(ImportError::file(file, message));
        }
        Ok(())
    }
}
