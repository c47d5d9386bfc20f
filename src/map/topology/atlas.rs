//! Reads map files: turns JSON or TOML into a checked [`NamedMap`] and reports every fault of a file at once
//! (docs/maps.md).
//!
//! A file lists the neighbours of every face counter-clockwise; a neighbour that shares two stretches with
//! the face is listed twice. Because each corner joins three faces, this fixes the map: the half-edge of A
//! against B between P and N is the twin of the half-edge of B against A between N and P.
//!
//! ```text
//!   text ── form ──▶ codes ──▶ lists ── suspect, outside ──▶ build ── writing ──▶ NamedMap
//!           TOML,     in        what each     a list put         borders   powers,
//!           JSON      capitals  list must be  right is told      paired    coasts, waterways
//! ```

mod build;
mod codes;
mod form;
mod lists;
mod outside;
mod suspect;
#[cfg(test)]
mod tests;
mod writing;

use self::lists::Lists;
use super::map_file::MapFile;
use super::named_map::{NamedMap, ProvinceInfo};
use crate::ids::{MAX_PROVINCES, PowerNames};
use crate::letters::listed;

/// The boards that ship with the program: name, file and text.
const SHIPPED: [(&str, &str, &str); 4] = [
    // 77 faces, 225 borders, 150 corners.
    (STANDARD, "maps/standard.json", include_str!("../maps/standard.json")),
    // The same board with Iceland in the middle of NAO/NWG (rules.md 6.5): 78 faces, 228 borders, 152
    // corners.
    ("deluge", "maps/deluge.json", include_str!("../maps/deluge.json")),
    // 5 powers, 84 faces. Imported (docs/maps.md names the source).
    (
        "ancient-mediterranean",
        "maps/ancient-mediterranean.json",
        include_str!("../maps/ancient-mediterranean.json"),
    ),
    // 10 powers, 142 faces.
    ("modern", "maps/modern.json", include_str!("../maps/modern.json")),
];

/// The name of the standard board.
const STANDARD: &str = "standard";

/// Why a file cannot be used as a map.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The text is neither JSON nor TOML, or does not have the form of a map file.
    #[error("{file}:{line}:{column}: {message}")]
    Form {
        /// The name of the file as given.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was wrong and what would be right.
        message: String,
    },
    /// The form is right, but the map described cannot be played on.
    #[error("{file}: this is not a map to play on: {}", listed(faults))]
    Faults {
        /// The name of the file as given.
        file: String,
        /// Every fault found, in alphabetical order; each is a sentence that says what would be right.
        faults: Vec<String>,
    },
}

/// The names of the boards that ship with the program.
pub fn shipped() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|&(name, ..)| name)
}

/// The shipped board with this name.
///
/// # Panics
/// Never: the files are part of the program, and a test loads each of them.
///
/// ```
/// use upheaval_map::topology::atlas;
/// assert!(atlas::shipped().all(|name| atlas::find(name).is_some()));
/// assert!(atlas::find("atlantis").is_none());
/// ```
pub fn find(name: &str) -> Option<NamedMap> {
    let &(_, file, text) = SHIPPED.iter().find(|&&(known, ..)| known == name)?;
    Some(parse(file, text).expect("the boards that ship are sound maps (tested)"))
}

/// The standard board.
///
/// # Panics
/// Never: the standard board ships with the program.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let chart = atlas::standard();
/// assert_eq!(chart.centres().len(), 34);
/// let bulgaria = chart.map().find("BUL").unwrap();
/// assert_eq!(chart.full_name(bulgaria), Some("Bulgaria"));
/// ```
pub fn standard() -> NamedMap {
    find(STANDARD).expect("the standard board ships")
}

/// Reads a map file: TOML if its name ends in `.toml`, otherwise JSON. Errors mention the name.
///
/// # Errors
/// The position of the first error of form, or every fault of the map.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let error = atlas::parse("mine.json", "{}").unwrap_err();
/// assert!(error.to_string().contains("mine.json"));
/// let pond = r#"
///     faces.ISLE = { name = "Isle", kind = "land", neighbours_ccw = ["SEA"] }
///     faces.SEA = { name = "Sea", kind = "sea", neighbours_ccw = ["ISLE"] }
/// "#;
/// assert_eq!(atlas::parse("pond.toml", pond)?.map().find("ISLE").map(|isle| isle.index()), Some(0));
/// # Ok::<(), upheaval_map::topology::atlas::AtlasError>(())
/// ```
pub fn parse(file: &str, text: &str) -> Result<NamedMap, AtlasError> {
    let read = form::read(file, text).map_err(|fault| AtlasError::Form {
        file: file.to_owned(),
        line: fault.line,
        column: fault.column,
        message: fault.message,
    })?;
    chart_of(file, read)
}

/// The board that a map file describes. `file` is used only in errors.
///
/// # Errors
/// Every fault of the map.
pub fn chart_of(file: &str, map: MapFile) -> Result<NamedMap, AtlasError> {
    let mut faults = Vec::new();
    let chart = chart(map, &mut faults);
    match chart {
        Some(chart) if faults.is_empty() => Ok(chart),
        _ => {
            faults.sort_unstable();
            faults.dedup();
            if faults.is_empty() {
                faults.push("its lists do not fit together".to_owned());
            }
            Err(AtlasError::Faults { file: file.to_owned(), faults })
        }
    }
}

/// The JSON Schema of map files, for editors. The schema describes their form; [`parse`] checks whether the
/// lists are consistent.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(MapFile).to_value()
}

/// The chart of a file. It is `None` only if there are faults, all of which are added to the list.
fn chart(read: MapFile, faults: &mut Vec<String>) -> Option<NamedMap> {
    let file = codes::canonical(read, faults);
    let outside = file.faces.values().filter(|face| face.kind == super::map_file::KindEntry::Outside).count();
    if outside > 1 {
        faults.push(format!("{outside} faces are `outside`; a map has one at most"));
    }
    let powers = writing::powers(&file, faults);
    // In a planar map whose corners have degree three there are fewer than three borders for each face. Input
    // that is far from a map is not examined in detail.
    let (faces, stretches) = (file.faces.len(), file.stretches());
    let most = 6 * faces;
    if stretches > most {
        faults.push(format!(
            "{stretches} neighbours are named in all; {faces} faces have room for no more than {most}"
        ));
        return None;
    }
    if faces > MAX_PROVINCES {
        return None;
    }
    let mut lists = Lists::new(&file, faults);
    let before = faults.len();
    suspect::put_right(&mut lists, faults);
    // A gap in the Outside that is caused by a neighbour's wrong list is not reported as a fault of the
    // Outside.
    let told = faults.len() - before;
    outside::walk_round(&mut lists, faults);
    if told > 0 && lists.left_out.is_some() {
        faults.truncate(before + told);
    }
    writing::check(&file, &lists, faults);
    let sound = lists.left_out.is_none() && lists.names.len() == lists.faces;
    let mut map = sound.then(|| build::planar_map(&file, &lists)).flatten()?;
    faults.extend(map.faults());
    if !faults.is_empty() {
        return None;
    }
    writing::write_on(&file, &mut map);
    let powers = powers.unwrap_or_else(PowerNames::standard);
    let info = (0..=u8::MAX).zip(file.faces.values()).map(|(full_name, entry)| {
        Some(ProvinceInfo {
            full_name,
            position: entry.centre,
            supply_centre: entry.supply_centre,
            home: entry.home.as_deref().and_then(|name| powers.find(name)),
        })
    });
    let info = info.collect();
    Some(NamedMap::new(map, powers, info, file.faces.into_values().map(|entry| entry.name).collect()))
}
