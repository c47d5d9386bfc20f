//! The input and the output of an import.

use upheaval_map::topology::MapFile;

use crate::hints::Hints;
use crate::listing::Includes;
use crate::note::ImportNote;

/// The format of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceFormat {
    /// A feature collection of polygons with properties.
    GeoJson,
    /// The same with shared arcs.
    TopoJson,
    /// A list of adjacencies.
    Map,
}

impl SourceFormat {
    /// The format that a text appears to have; `None` if it fits none of them.
    pub fn of(text: &str) -> Option<SourceFormat> {
        if !text.trim_start().starts_with(['{', '[']) {
            let is_statement = |line: &str| {
                let word = line.split_whitespace().next().unwrap_or_default();
                ["COAST", "LAND", "WATER", "PORT", "SHUT", "MAP", "USE", "USES"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
            };
            return text.lines().any(is_statement).then_some(SourceFormat::Map);
        }
        Some(if text.contains("\"Topology\"") { SourceFormat::TopoJson } else { SourceFormat::GeoJson })
    }
}

/// A board to import.
pub struct ImportSource<'a> {
    /// The name of the file in errors.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its format; `None` means to detect it.
    pub format: Option<SourceFormat>,
    /// Finds an included file: returns the text for a name, or the reason why not.
    pub includes: &'a Includes<'a>,
    /// The hints.
    pub hints: &'a Hints,
    /// The name of the hint file in errors.
    pub hint_file: &'a str,
}

/// An imported board.
#[derive(Debug)]
pub struct Imported {
    /// The map file.
    pub map: MapFile,
    /// The decisions, and the moves that differ from those of the source.
    pub notes: Vec<ImportNote>,
}
