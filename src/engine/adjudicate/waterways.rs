//! The straits and canals of a position (`state.waterways`), in the form in which a map is printed
//! (docs/map-command.md).
//!
//! The printed form names seas rather than borders. Where a province meets a sea more than once, `#2` after
//! the sea picks the stretch. Without it, the entry means the canal that the events of the request have made;
//! else one beside an isthmus, where canals begin; else one that joins two shores. The same holds for the
//! second province of a strait.
//!
//! A waterway ends at seas, at holes that were seas, or at points, through which water meets water. The map may
//! have others, because its file may lay them anywhere; these can be listed as well.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lookup;
use crate::diagnostic::wording;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{CanalEnd, Face, FaceKind, HalfEdgeId, NamedMap, PlanarMap, Waterway};

#[derive(Serialize, Deserialize)]
struct Entry {
    kind: String,
    r#in: Vec<String>,
    ends: [String; 2],
}

/// The straits and canals of a map in a form from which [`read`] restores each of them.
pub(super) fn write(map: &PlanarMap) -> Value {
    let entries: Vec<Entry> = map.waterways().filter_map(|waterway| written(waterway, map)).collect();
    // Plain strings cannot fail to serialise.
    serde_json::to_value(entries).unwrap_or_default()
}

fn written(waterway: &Waterway, map: &PlanarMap) -> Option<Entry> {
    let name = |id| map.name(id).to_owned();
    match waterway {
        Waterway::Canal { province, ends } => {
            let first = |end: &CanalEnd| map.sides_of(*province).find(|side| end.contains(side.border()));
            let [x, y] = ends.each_ref().map(first);
            let ends = [x?, y?].map(|side| lookup::stretch_named(map, side));
            Some(Entry { kind: "canal".to_owned(), r#in: vec![name(*province)], ends })
        }
        &Waterway::Strait { border, provinces: [first, _] } => {
            let side = border.sides().into_iter().find(|&side| map.owner(side) == first)?;
            let r#in = vec![name(first), lookup::stretch_named(map, side)];
            Some(Entry { kind: "strait".to_owned(), r#in, ends: map.flanks(side)?.map(name) })
        }
        // Passages follow from the map.
        Waterway::Passage { .. } => None,
    }
}

/// The straits and canals of the position; all others are removed.
pub(super) fn read(value: &Value, chart: &NamedMap) -> Result<Vec<Waterway>, String> {
    let map = chart.map();
    let entries: Vec<Entry> = serde_json::from_value(value.clone())
        .map_err(|error| format!("not as a map prints them: {}", wording::of_json(&error)))?;
    let mut laid: Vec<Waterway> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let fitting = fitting(entry, map)?;
        let unused: Vec<&Waterway> =
            fitting.iter().filter(|waterway| !laid.iter().any(|other| other.is_same(waterway))).collect();
        let best = unused.iter().copied().find(|waterway| has(map, waterway)).or(unused.first().copied());
        laid.extend(best.cloned()); // duplicates are merged
    }
    Ok(laid)
}

/// The waterways that an entry can mean, the likeliest first; at least one.
fn fitting(entry: &Entry, map: &PlanarMap) -> Result<Vec<Waterway>, String> {
    let find = |name: &String| lookup::across(map, name).map(|(face, _)| face);
    let ends = [find(&entry.ends[0])?, find(&entry.ends[1])?];
    let found = match (entry.kind.as_str(), &entry.r#in[..]) {
        ("canal", [through]) => {
            let through_id = find(through)?;
            let stretches = |end: &String| lookup::stretches(map, through_id, end);
            let found = canals(map, through_id, [stretches(&entry.ends[0])?, stretches(&entry.ends[1])?]);
            if found.is_empty() {
                return Err(format!("{through} does not lie on {} and {}", entry.ends[0], entry.ends[1]));
            }
            found
        }
        ("strait", [a, b]) => {
            let fits = |flanks: [ProvinceId; 2]| flanks == ends || flanks == [ends[1], ends[0]];
            let found: Vec<Waterway> = lookup::stretches(map, find(a)?, b)?
                .into_iter()
                .filter(|&side| map.flanks(side).is_some_and(fits))
                .map(|side| (side.border(), [map.owner(side), map.across(side)]))
                .map(|(border, provinces)| Waterway::Strait { border, provinces })
                .collect();
            if found.is_empty() {
                let [x, y] = &entry.ends;
                return Err(format!("{a} and {b} share no border from {x} to {y}"));
            }
            found
        }
        (kind, _) => {
            return Err(format!(
                "`{kind}` with these provinces is not a waterway; there are canals and straits"
            ));
        }
    };
    let is_water = |face: ProvinceId| {
        map.face(face).is_some_and(|face| matches!(face.kind(), FaceKind::Sea | FaceKind::Point))
    };
    match (0..2).find(|&i| !is_water(ends[i])) {
        Some(i) if !found.iter().any(|waterway| has(map, waterway)) => {
            Err(format!("a waterway ends at seas and points, and {} is neither", entry.ends[i]))
        }
        _ => Ok(found),
    }
}

/// Is the waterway one of the map's?
fn has(map: &PlanarMap, waterway: &Waterway) -> bool {
    map.waterways().any(|own| own.is_same(waterway))
}

/// The canals through a province between one of the first stretches and one of the second: first those of the
/// map, whose ends may have been cut, then those beside an isthmus, then those that join two shores.
fn canals(map: &PlanarMap, province: ProvinceId, [xs, ys]: [Vec<HalfEdgeId>; 2]) -> Vec<Waterway> {
    let is_sea = |side: HalfEdgeId| map.face(map.across(side)).is_some_and(Face::is_open_sea);
    let round_one = |x: HalfEdgeId, y: HalfEdgeId| {
        let between = map.next(x);
        between != y
            && map.next(between) == y
            && map.face(map.across(between)).is_some_and(Face::is_open_land)
    };
    // Along the shore between the two.
    let along =
        |x: HalfEdgeId, y: HalfEdgeId| map.cycle(x).take_while(|&side| is_sea(side)).any(|side| side == y);
    let lies_on = |end: &CanalEnd, sides: &[HalfEdgeId]| sides.iter().any(|side| end.contains(side.border()));
    let fits = |waterway: &&Waterway| match waterway {
        Waterway::Canal { province: through, ends: [x, y] } => {
            let joins = |one: &[HalfEdgeId], other: &[HalfEdgeId]| lies_on(x, one) && lies_on(y, other);
            *through == province && (joins(&xs, &ys) || joins(&ys, &xs))
        }
        Waterway::Strait { .. } | Waterway::Passage { .. } => false,
    };
    let made: Vec<Waterway> = map.waterways().filter(fits).cloned().collect();
    let mut found: Vec<(bool, bool, Waterway)> = Vec::new();
    for &x in &xs {
        for &y in &ys {
            let Some(canal) = Waterway::canal(province, [x, y].map(HalfEdgeId::border)) else { continue };
            if !found.iter().any(|(.., other)| other.is_same(&canal)) {
                let beside_isthmus = round_one(x, y) || round_one(y, x);
                found.push((!beside_isthmus, along(x, y) || along(y, x), canal));
            }
        }
    }
    found.sort_by_key(|&(far, one_shore, _)| (far, one_shore));
    made.into_iter().chain(found.into_iter().map(|(.., canal)| canal)).collect()
}
