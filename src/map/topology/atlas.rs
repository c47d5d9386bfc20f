//! Map files: JSON in, a checked [`Chart`] out, every fault of a file reported at once.
//!
//! A file gives for every face its neighbours counter-clockwise; a neighbour that meets it in two stretches stands
//! twice. With corners that join three faces each, this fixes the map: the side of A against B, met between P and
//! N, is the twin of the side of B against A, met between N and P.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::chart::{Chart, ProvinceInfo};
use super::coast_name::CoastName;
use super::face::{Body, FaceKind, FaceState, Names};
use super::half_edge::{BorderId, Side, SideId};
use super::map::{CoastLabel, PlanarMap};
use super::map_file::{KindEntry, MapFile, PowerEntry};
use super::waterway::{Waterway, WaterwayRule};
use crate::ids::{MAX_PROVINCES, PowerDraft, Powers, ProvinceId, ProvinceSet};

/// The boards that ship with the program: name, file and text.
const SHIPPED: [(&str, &str, &str); 4] = [
    // 77 faces, 225 borders, 150 corners.
    (STANDARD, "maps/standard.json", include_str!("../maps/standard.json")),
    // The same with Iceland in the middle of NAO/NWG (rules.md 6.5): 78 faces, 228 borders, 152 corners.
    ("deluge", "maps/deluge.json", include_str!("../maps/deluge.json")),
    // 5 powers: 84 faces. Imported (docs/maps.md says from where).
    (
        "ancient-mediterranean",
        "maps/ancient-mediterranean.json",
        include_str!("../maps/ancient-mediterranean.json"),
    ),
    // 10 powers: 142 faces.
    ("modern", "maps/modern.json", include_str!("../maps/modern.json")),
];

/// The name of the standard board.
const STANDARD: &str = "standard";

/// Why a file is no map.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// It is not JSON, or not of the form of a map file.
    #[error("{file}:{line}:{column}: {message}")]
    Form {
        /// The file as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was wrong and what would be right.
        message: String,
    },
    /// It is of the right form, but describes no planar map.
    #[error("{file}: this is no planar map: {}", faults.join("; "))]
    Faults {
        /// The file as it was named.
        file: String,
        /// Every fault found.
        faults: Vec<String>,
    },
}

/// The names of the boards that ship.
pub fn shipped() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|&(name, ..)| name)
}

/// The board of this name that ships.
///
/// # Panics
/// Never: the files are part of the program, and a test loads each.
///
/// ```
/// use upheaval_map::topology::atlas;
/// assert!(atlas::shipped().all(|name| atlas::find(name).is_some()));
/// assert!(atlas::find("atlantis").is_none());
/// ```
pub fn find(name: &str) -> Option<Chart> {
    let &(_, file, text) = SHIPPED.iter().find(|&&(known, ..)| known == name)?;
    Some(parse(file, text).expect("the boards that ship are sound maps (tested)"))
}

/// The standard board.
///
/// # Panics
/// Never: it ships.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let chart = atlas::standard();
/// assert_eq!(chart.centres().len(), 34);
/// let bulgaria = chart.map().find("BUL").unwrap();
/// assert_eq!(chart.full_name(bulgaria), Some("Bulgaria"));
/// ```
pub fn standard() -> Chart {
    find(STANDARD).expect("the standard board ships")
}

/// Reads a map file. `file` is only named in errors.
///
/// # Errors
/// The place of the first error of form; or every fault of the map.
///
/// ```
/// use upheaval_map::topology::atlas;
/// let error = atlas::parse("mine.json", "{}").unwrap_err();
/// assert!(error.to_string().contains("mine.json"));
/// ```
pub fn parse(file: &str, text: &str) -> Result<Chart, AtlasError> {
    let parsed: MapFile = serde_json::from_str(text).map_err(|e| AtlasError::Form {
        file: file.to_owned(),
        line: e.line(),
        column: e.column(),
        message: without_place(&e),
    })?;
    chart_of(file, parsed)
}

/// The board that a map file describes. `file` is only named in errors.
///
/// # Errors
/// Every fault of the map.
pub fn chart_of(file: &str, parsed: MapFile) -> Result<Chart, AtlasError> {
    let mut builder = Builder::new(&parsed);
    let map = builder.build();
    if builder.faults.is_empty() {
        builder.faults = map.faults();
    }
    let map = if builder.faults.is_empty() { builder.write_on(map) } else { map };
    let powers = builder.powers();
    if !builder.faults.is_empty() {
        return Err(AtlasError::Faults { file: file.to_owned(), faults: builder.faults });
    }
    let powers = powers.unwrap_or(Powers::STANDARD);
    let info = (0..=u8::MAX).zip(parsed.faces.values()).map(|(full_name, entry)| {
        Some(ProvinceInfo {
            full_name,
            position: entry.centre,
            supply_centre: entry.supply_centre,
            home: entry.home.as_deref().and_then(|name| powers.find(name)),
        })
    });
    let info = info.collect();
    Ok(Chart::new(map, powers, info, parsed.faces.into_values().map(|entry| entry.name).collect()))
}

/// What serde_json says, less the place, which is named already.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// What a file says of a power.
fn draft(entry: &PowerEntry, faults: &mut Vec<String>) -> PowerDraft {
    let PowerEntry { name, proper_name, adjective, mark, colour } = entry;
    let parts = |text: &str| {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        Some([part(0)?, part(2)?, part(4)?])
    };
    let colour = colour.as_ref().and_then(|text| {
        let parts = parts(text);
        if parts.is_none() {
            faults.push(format!("powers: {name}: `{text}` is no colour; one is written `#d55e00`"));
        }
        parts
    });
    PowerDraft {
        name: name.clone(),
        proper_name: proper_name.clone(),
        adjective: adjective.clone(),
        mark: *mark,
        colour,
    }
}

/// A place on a boundary cycle: face, cycle, position on it.
type Place = (usize, usize, usize);

struct Builder<'a> {
    file: &'a MapFile,
    names: Vec<&'a str>,
    /// For each face its cycles, as indices of the neighbours; unknown ones are left out and reported.
    cycles: Vec<Vec<Vec<usize>>>,
    faults: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(file: &'a MapFile) -> Self {
        let names: Vec<&str> = file.faces.keys().map(String::as_str).collect();
        let mut faults = Vec::new();
        if names.len() < 2 || names.len() > MAX_PROVINCES {
            faults.push(format!("{} faces; a map has 2 to {MAX_PROVINCES}", names.len()));
        }
        let outside = file.faces.values().filter(|face| matches!(face.kind, KindEntry::Outside)).count();
        if outside > 1 {
            faults.push(format!("{outside} faces are `outside`; a map has one at most"));
        }
        let mut cycles = Vec::new();
        for (name, entry) in &file.faces {
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) {
                faults.push(format!("`{name}` is no province code: capital letters and digits only"));
            }
            if entry.centre.is_some_and(|c| c.iter().any(|x| !x.is_finite())) {
                faults.push(format!("{name}: the centre is no point"));
            }
            let mut of_face = Vec::new();
            for list in std::iter::once(&entry.neighbours_ccw).chain(&entry.islands_ccw) {
                let known = list.iter().filter_map(|neighbour| {
                    let index = names.binary_search(&neighbour.as_str()).ok();
                    if index.is_none() {
                        faults.push(format!("{name}: its neighbour `{neighbour}` is no face of the map"));
                    } else if neighbour == name {
                        faults.push(format!("{name} is named as its own neighbour"));
                    }
                    index
                });
                let known: Vec<usize> = known.collect();
                if known.is_empty() {
                    faults.push(format!("{name}: a boundary without a neighbour"));
                } else {
                    of_face.push(known);
                }
            }
            cycles.push(of_face);
        }
        // With corners of degree three a planar map has fewer than three borders for each face.
        let stretches: usize = cycles.iter().flatten().map(Vec::len).sum();
        if stretches > 6 * names.len() {
            faults.push(format!(
                "{stretches} neighbours are named in all; {} faces have room for no more than {}",
                names.len(),
                6 * names.len()
            ));
        }
        Builder { file, names, cycles, faults }
    }

    /// Pairs the sides up and links them; faults are gathered.
    fn build(&mut self) -> PlanarMap {
        let mut map = PlanarMap {
            structure: OnceLock::new(),
            names: Arc::new(Names::none()),
            faces: Vec::new(),
            further_cycles: Vec::new(),
            archipelagos: ProvinceSet::EMPTY,
            sides: Vec::new(),
            free_borders: Vec::new(),
            waterways: Vec::new(),
            waterway_rule: WaterwayRule::default(),
            labels: Vec::new(),
            trail: Vec::new(),
        };
        if !self.faults.is_empty() {
            return map;
        }
        let mut side_at: BTreeMap<Place, SideId> = BTreeMap::new();
        for place in self.places() {
            if side_at.contains_key(&place) {
                continue;
            }
            if let Some(twin) = self.twin_of(place, &side_at) {
                let first = SideId(map.sides.len() as u16);
                side_at.insert(place, first);
                side_at.insert(twin, first.twin());
                map.sides.extend([None, None]);
            }
        }
        if !self.faults.is_empty() {
            return map;
        }
        let mut names = Names::none();
        for (face, cycles) in self.cycles.iter().enumerate() {
            let kind = match self.file.faces[self.names[face]].kind {
                KindEntry::Land => FaceKind::Land,
                KindEntry::Sea => FaceKind::Sea,
                KindEntry::Impassable => FaceKind::Impassable,
                KindEntry::Outside => FaceKind::Outside,
                KindEntry::Point => FaceKind::Point,
            };
            let id = ProvinceId(face as u8);
            let state = if kind == FaceKind::Point { FaceState::Collapsed } else { FaceState::Open };
            map.faces.push(Body { state, ..Body::new(kind) });
            names.call(id, self.names[face]);
            for (c, cycle) in cycles.iter().enumerate() {
                let side = |i: usize| side_at[&(face, c, i % cycle.len())];
                for i in 0..cycle.len() {
                    map.sides[side(i).index()] =
                        Some(Side { face: id, next: side(i + 1), prev: side(i + cycle.len() - 1) });
                }
                map.add_head(id, side(0));
            }
        }
        map.names = Arc::new(names);
        map
    }

    /// The powers of the board, if they can be, and are those of the homes.
    fn powers(&mut self) -> Option<Powers> {
        let homes: BTreeSet<&str> =
            self.file.faces.values().filter_map(|face| face.home.as_deref()).collect();
        let powers = match &self.file.powers {
            None if homes.is_empty() => return Some(Powers::STANDARD),
            None => Powers::of_names(homes.iter().copied()),
            Some(listed) => {
                let drafts = listed.iter().map(|entry| self::draft(entry, &mut self.faults)).collect();
                Powers::new(drafts)
            }
        };
        let powers = powers.map_err(|error| self.faults.push(format!("powers: {error}"))).ok()?;
        for (name, face) in &self.file.faces {
            if let Some(Err(error)) = face.home.as_deref().map(|home| powers.named(home)) {
                self.faults.push(format!("{name}: home: {error}"));
            }
        }
        Some(powers)
    }

    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (f, cycles) in self.cycles.iter().enumerate() {
            for (c, cycle) in cycles.iter().enumerate() {
                places.extend((0..cycle.len()).map(|i| (f, c, i)));
            }
        }
        places
    }

    /// Who is met before, at and after this place.
    fn context(&self, (face, cycle, at): Place) -> [usize; 3] {
        let list = &self.cycles[face][cycle];
        [list[(at + list.len() - 1) % list.len()], list[at], list[(at + 1) % list.len()]]
    }

    fn twin_of(&mut self, place: Place, taken: &BTreeMap<Place, SideId>) -> Option<Place> {
        let (face, cycle, _) = place;
        let [before, across, after] = self.context(place);
        let is_loop = self.cycles[face][cycle].len() == 1;
        let mut met = 0;
        let mut fitting = Vec::new();
        for (c, list) in self.cycles[across].iter().enumerate() {
            for i in (0..list.len()).filter(|&i| list[i] == face) {
                met += 1;
                let twin = (across, c, i);
                let fits = if is_loop {
                    list.len() == 1
                } else {
                    list.len() > 1 && self.context(twin) == [after, face, before]
                };
                if fits && !taken.contains_key(&twin) {
                    fitting.push(twin);
                }
            }
        }
        let [a, b] = [self.names[face], self.names[across]];
        match (fitting[..].first(), met) {
            (Some(&twin), _) => return Some(twin),
            (None, 0) => self.faults.push(format!("{a} names {b} as a neighbour, but {b} does not name {a}")),
            (None, _) => self.faults.push(format!(
                "{a} meets {b} between {} and {}, but {b} nowhere meets {a} between {} and {}",
                self.names[before], self.names[after], self.names[after], self.names[before]
            )),
        }
        None
    }

    /// Adds the waterways and the named coasts to a sound map.
    fn write_on(&mut self, mut map: PlanarMap) -> PlanarMap {
        map.structure.take(); // the check of the borders filled it, and waterways are part of it
        for canal in &self.file.canals {
            self.expect_land(&map, &canal.through, "a canal");
            if canal.ends[0] == canal.ends[1] {
                self.faults.push(format!("the canal through {} has one end only", canal.through));
            }
            let ends = [0, 1].map(|i| self.border(&map, &canal.through, &canal.ends[i]));
            if let [Some((province, x)), Some((_, y))] = ends {
                map.waterways.extend(Waterway::canal(province, [x, y]));
            }
        }
        for [a, b] in &self.file.straits {
            for name in [a, b] {
                self.expect_land(&map, name, "a strait");
            }
            if let Some((_, border)) = self.border(&map, a, b) {
                let provinces = border.sides().map(|side| map.owner(side));
                map.waterways.push(Waterway::Strait { border, provinces });
            }
        }
        for (province, coasts) in &self.file.coasts {
            for (name, contacts) in coasts {
                let name: CoastName = match name.parse() {
                    Ok(name) => name,
                    Err(e) => {
                        self.faults.push(format!("coasts of {province}: {e}"));
                        continue;
                    }
                };
                let found: Vec<_> = contacts.iter().map(|c| self.border(&map, province, c)).collect();
                if let Some(found) = found.into_iter().collect::<Option<Vec<_>>>()
                    && let Some(&(id, _)) = found.first()
                {
                    let labels =
                        found.into_iter().map(|(_, border)| CoastLabel { province: id, name, border });
                    map.labels.extend(labels);
                }
            }
        }
        map
    }

    /// Waterways lie in land provinces; a name that is no face is another fault's.
    fn expect_land(&mut self, map: &PlanarMap, name: &str, what: &str) {
        let name = name.split_once('#').map_or(name, |(name, _)| name);
        if map.find(name).and_then(|id| map.face(id)).is_some_and(|face| face.kind() != FaceKind::Land) {
            self.faults.push(format!("{name} is no land province and cannot hold {what}"));
        }
    }

    /// The border of a province with a neighbour, `MAO` or `MAO#2`; a fault if there is none.
    fn border(&mut self, map: &PlanarMap, province: &str, neighbour: &str) -> Option<(ProvinceId, BorderId)> {
        let (name, index) = match neighbour.split_once('#') {
            Some((name, n)) => (name, n.parse::<usize>().ok().and_then(|n| n.checked_sub(1))),
            None => (neighbour, Some(0)),
        };
        let found = map.find(province).zip(map.find(name)).and_then(|(a, b)| {
            let stretches = map.stretches(a, b);
            Some((a, stretches.get(index?)?.border()))
        });
        if found.is_none() {
            self.faults.push(format!("{province} has no border `{neighbour}`"));
        }
        found
    }
}
