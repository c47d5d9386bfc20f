//! The input and the output of an import.

use upheaval_map::topology::MapFile;

use crate::hints::Hints;
use crate::listing::Includes;
use crate::note::Note;

/// The format of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A feature collection of polygons with properties.
    GeoJson,
    /// The same with shared arcs.
    TopoJson,
    /// A list of adjacencies.
    Map,
}

impl Format {
    /// The format that a text seems to have; `None` if it fits none of them.
    pub fn of(text: &str) -> Option<Format> {
        if !text.trim_start().starts_with(['{', '[']) {
            let is_statement = |line: &str| {
                let word = line.split_whitespace().next().unwrap_or_default();
                ["COAST", "LAND", "WATER", "PORT", "SHUT", "MAP", "USE", "USES"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
            };
            return text.lines().any(is_statement).then_some(Format::Map);
        }
        Some(if text.contains("\"Topology\"") { Format::TopoJson } else { Format::GeoJson })
    }
}

/// A board to import.
pub struct Source<'a> {
    /// The file as errors name it.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its format; `None`: the one that it seems to have.
    pub format: Option<Format>,
    /// How a file that it uses is found: a name in, a text out, or why not.
    pub includes: &'a Includes<'a>,
    /// The hints.
    pub hints: &'a Hints,
    /// The hint file as errors name it.
    pub hint_file: &'a str,
}

/// An imported board.
#[derive(Debug)]
pub struct Imported {
    /// The map file.
    pub map: MapFile,
    /// The decisions, and the moves that are not those of the source.
    pub notes: Vec<Note>,
}
