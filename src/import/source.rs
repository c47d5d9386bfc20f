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
    pub(crate) fn of(text: &str) -> Option<SourceFormat> {
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
    /// The work of drawing a list of adjacencies, in edges that were visited; it grows at most as n log n with the
    /// number of provinces.
    pub steps: u64,
}

/// The text of a file. Files of people are not all in UTF-8: the order of bytes may be marked, and a list of
/// adjacencies that is not UTF-8 is Latin-1, as DPjudge has it.
///
/// # Errors
/// A drawing that is not in UTF-8, or a text in UTF-16 that breaks off.
pub fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let utf_16 = |of: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let text = String::from_utf16(&pairs.iter().map(|&pair| of(pair)).collect::<Vec<u16>>());
        let text = text.ok().filter(|_| rest.is_empty());
        text.ok_or_else(|| "it begins like UTF-16 but is not valid UTF-16; save the file as UTF-8".to_owned())
    };
    match bytes[..] {
        [0xff, 0xfe, ..] => return utf_16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf_16(u16::from_be_bytes),
        _ => {}
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            if bytes.trim_ascii_start().starts_with(b"{") || bytes.trim_ascii_start().starts_with(b"[") {
                return Err(format!("not UTF-8 text at byte {at}; save the file as UTF-8"));
            }
            bytes.into_iter().map(char::from).collect()
        }
    };
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
