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

mod lists;
mod writing;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::ids::{MAX_PROVINCES, PowerNames, ProvinceId};
use crate::letters::listed;
use crate::topology::atlas::lists::{FaceIndex, Lists, Met};
use crate::topology::half_edge::{FaceData, FaceKind, FaceState, HalfEdge, HalfEdgeId, Names};
use crate::topology::map::PlanarMap;
use crate::topology::map_file;
use crate::topology::map_file::{FaceEntry, MapFile};
use crate::topology::named_map::{FaceNames, NamedMap, ProvinceInfo};
use crate::wording;

/// The boards that ship with the program, each with the text of its file in `maps/`.
const SHIPPED: [(&str, &str); 5] = [
    // 77 faces, 225 borders, 150 corners.
    (STANDARD, include_str!("../maps/standard.json")),
    // The same board with Iceland in the middle of NAO/NWG (rules.md 6.5): 78 faces, 228 borders, 152
    // corners.
    ("deluge", include_str!("../maps/deluge.json")),
    // With Iceland, Ireland and the Caspian: 80 faces, 234 borders, 156 corners.
    ("sahara", include_str!("../maps/sahara.json")),
    // 5 powers, 84 faces. Imported (docs/maps.md names the source).
    ("ancient-mediterranean", include_str!("../maps/ancient-mediterranean.json")),
    // 10 powers, 142 faces.
    ("modern", include_str!("../maps/modern.json")),
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
    #[error("{file}: this map cannot be played on: {}", listed(faults))]
    Faults {
        /// The name of the file as given.
        file: String,
        /// Every fault found, in alphabetical order; each is a sentence that says what would be right.
        faults: Vec<String>,
    },
}

/// The names of the boards that ship with the program.
pub fn shipped() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|&(name, _)| name)
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
    let &(_, text) = SHIPPED.iter().find(|&&(known, _)| known == name)?;
    Some(parse(&format!("maps/{name}.json"), text).expect("the boards that ship are sound maps (tested)"))
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
    let form = |(line, column), message| AtlasError::Form { file: file.to_owned(), line, column, message };
    let read: MapFile = if file.ends_with(".toml") {
        toml::from_str(text)
            .map_err(|error| form(place(text, error.span().unwrap_or_default()), wording::of_toml(&error)))?
    } else {
        serde_json::from_str(text)
            .map_err(|error| form((error.line(), error.column()), wording::of_json(&error)))?
    };
    chart_of(file, read)
}

/// The line and column of a byte, counted in characters from 1.
fn place(text: &str, span: Range<usize>) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(span.start)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The board that a map file describes. `file` is used only in errors.
///
/// # Errors
/// Every fault of the map.
pub fn chart_of(file: &str, map: MapFile) -> Result<NamedMap, AtlasError> {
    let mut faults = Vec::new();
    if let Some(chart) = chart(map, &mut faults).filter(|_| faults.is_empty()) {
        return Ok(chart);
    }
    faults.sort_unstable();
    faults.dedup();
    if faults.is_empty() {
        faults.push("its lists do not fit together".to_owned());
    }
    Err(AtlasError::Faults { file: file.to_owned(), faults })
}

/// The JSON Schema of map files, for editors. The schema describes their form; [`parse`] checks whether the
/// lists are consistent.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(MapFile).to_value()
}

/// The chart of a file. It is `None` only if there are faults, all of which are added to the list.
fn chart(read: MapFile, faults: &mut Vec<String>) -> Option<NamedMap> {
    let file = canonical(read, faults);
    let outside = file.faces.values().filter(|face| face.kind == FaceKind::Outside).count();
    if outside > 1 {
        faults.push(format!("{outside} faces are `outside`; a map has at most one"));
    }
    let powers = writing::powers(&file, faults);
    // In a planar map whose corners have degree three there are fewer than three borders for each face. Input
    // that is far from a map is not examined in detail.
    let (faces, stretches) = (file.faces.len(), file.stretches());
    let most = 6 * faces;
    if stretches > most {
        faults.push(format!(
            "{stretches} neighbours are listed in total, but {faces} faces allow at most {most}"
        ));
        return None;
    }
    if faces > MAX_PROVINCES {
        return None;
    }
    let mut lists = Lists::new(&file, faults);
    let before = faults.len();
    lists::put_right(&mut lists, faults);
    // A gap in the Outside that is caused by a neighbour's wrong list is not reported as a fault of the
    // Outside.
    let told = faults.len() - before;
    lists::walk_round(&mut lists, faults);
    if told > 0 && lists.left_out.is_some() {
        faults.truncate(before + told);
    }
    writing::check(&file, &lists, faults);
    let sound = lists.left_out.is_none() && lists.names.len() == lists.faces;
    let mut map = sound.then(|| planar_map(&file, &lists)).flatten()?;
    faults.extend(map.faults());
    if !faults.is_empty() {
        return None;
    }
    writing::write_on(&file, &mut map);
    let powers = powers.unwrap_or_else(PowerNames::standard);
    let info = (0..=u8::MAX).zip(file.faces.values()).map(|(called, entry)| {
        Some(ProvinceInfo {
            called,
            position: entry.centre,
            supply_centre: entry.supply_centre,
            home: entry.home.as_deref().and_then(|name| powers.find(name)),
        })
    });
    let info = info.collect();
    let called = file.faces.into_values().map(|entry| FaceNames { full: entry.name, also: entry.also });
    Some(NamedMap::new(map, powers, info, called.collect()))
}

// Normalises the codes of a map file: capitals only, and a face for each code.

/// The code of the Outside if the file does not define one.
const OUTSIDE: &str = "OUT";

/// The file with its codes in capitals and, if other faces name `OUT`, with a face for the Outside. Invalid
/// codes are added to the faults.
fn canonical(mut file: MapFile, faults: &mut Vec<String>) -> MapFile {
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    for (name, entry) in std::mem::take(&mut file.faces) {
        let code = name.to_uppercase();
        if let Some(other) = written.get(&code) {
            faults
                .push(format!("`{other}` and `{name}` differ only in case; one of them needs another code"));
            continue;
        }
        faults.extend(map_file::fault(&code));
        written.insert(code.clone(), name);
        file.faces.insert(code, entry);
    }
    for (province, named) in std::mem::take(&mut file.coasts) {
        let province = province.to_uppercase();
        let of_province = file.coasts.entry(province.clone()).or_default();
        for (name, contacts) in named {
            if of_province.insert(name.to_uppercase(), contacts).is_some() {
                faults.push(format!("coasts of {province}: {name} is given twice"));
            }
        }
    }
    let faces = file.faces.values_mut();
    let lists = faces.flat_map(|face| face.neighbours_ccw.iter_mut().chain(&mut face.islands_ccw));
    let contacts = file.coasts.values_mut().flat_map(BTreeMap::values_mut);
    let canals = file.canals.iter_mut().flat_map(|canal| canal.ends.iter_mut().chain([&mut canal.through]));
    let codes = lists.chain(contacts).flatten().chain(canals).chain(file.straits.iter_mut().flatten());
    codes.for_each(|code| *code = code.to_uppercase());
    add_outside(&mut file.faces);
    let faces = file.faces.len();
    if !(2..=MAX_PROVINCES).contains(&faces) {
        faults
            .push(format!("the map has {faces} faces; expected 2 to {MAX_PROVINCES}, including the Outside"));
    }
    file
}

/// Adds the Outside if other faces name it and the file does not define it.
fn add_outside(faces: &mut BTreeMap<String, FaceEntry>) {
    let mut lists = faces.values().flat_map(|face| face.neighbours_ccw.iter().chain(&face.islands_ccw));
    let is_named = lists.any(|list| list.iter().any(|name| name == OUTSIDE));
    let has_one = faces.values().any(|face| face.kind == FaceKind::Outside);
    if is_named && !has_one && !faces.contains_key(OUTSIDE) {
        let outside = FaceEntry { neighbours_ccw: None, ..FaceEntry::new("Outside", FaceKind::Outside) };
        faces.insert(OUTSIDE.to_owned(), outside);
    }
}

// Builds the planar map from consistent neighbour lists.

/// A place on a boundary: face, boundary, position on the boundary.
type Place = (FaceIndex, usize, usize);

/// Pairs the half-edges and links them. `None` if a half-edge has no twin, which the check of the lists rules
/// out.
fn planar_map(file: &MapFile, lists: &Lists) -> Option<PlanarMap> {
    let mut map = PlanarMap::default();
    let entries: Vec<(Place, Met)> = entries(lists);
    let mut waiting: BTreeMap<(FaceIndex, Met), Vec<Place>> = BTreeMap::new();
    for &(place, met) in entries.iter().rev() {
        waiting.entry((place.0, met)).or_default().push(place);
    }
    let mut side_at: BTreeMap<Place, HalfEdgeId> = BTreeMap::new();
    for &(place, met) in &entries {
        if side_at.contains_key(&place) {
            continue;
        }
        let across = (met.at, met.across(place.0));
        let free = waiting.get_mut(&across)?;
        let twin =
            std::iter::from_fn(|| free.pop()).find(|twin| !side_at.contains_key(twin) && *twin != place)?;
        let first = HalfEdgeId(u16::try_from(map.sides.len()).ok()?);
        side_at.insert(place, first);
        side_at.insert(twin, first.twin());
        map.sides.extend([None, None]);
    }
    let mut names = Names::default();
    for ((index, cycles), (name, entry)) in (0..=u8::MAX).zip(&lists.cycles).zip(&file.faces) {
        let id = ProvinceId(index);
        let kind = entry.kind;
        // A point joins the faces that meet there, as a collapsed face does.
        let state = if kind == FaceKind::Point { FaceState::Collapsed } else { FaceState::Open };
        map.add_face(FaceData { state, ..FaceData::new(kind) });
        names.call(id, name);
        for (c, cycle) in cycles.iter().enumerate() {
            let side = |i: usize| side_at[&(id.index(), c, i % cycle.len())];
            for i in 0..cycle.len() {
                map.sides[side(i).index()] =
                    Some(HalfEdge { face: id, next: side(i + 1), prev: side(i + cycle.len() - 1) });
            }
            map.add_head(id, side(0));
        }
    }
    map.names = Arc::new(names);
    Some(map)
}

/// Every entry of the lists with its place, in order.
fn entries(lists: &Lists) -> Vec<(Place, Met)> {
    let mut entries = Vec::new();
    for (face, cycles) in lists.cycles.iter().enumerate() {
        for (c, cycle) in cycles.iter().enumerate() {
            entries.extend(Met::all_of(cycle).enumerate().map(|(i, met)| ((face, c, i), met)));
        }
    }
    entries
}
