//! The straits and canals of a position (`state.waterways`), in the form in which a map is printed (README, Boards).
//!
//! What is printed names seas and not borders. Where a province meets a sea more than once, that canal is meant which
//! the events of the request have made; else one beside an isthmus, where canals begin; else one that joins two shores.

use serde::Deserialize;
use serde_json::Value;

use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{Chart, Face, PlanarMap, SideId, Waterway};

#[derive(Deserialize)]
struct Entry {
    kind: String,
    r#in: Vec<String>,
    ends: [String; 2],
}

/// The straits and canals there are; all others are gone.
pub(super) fn read(value: &Value, chart: &Chart) -> Result<Vec<Waterway>, String> {
    let map = chart.map();
    let entries: Vec<Entry> = serde_json::from_value(value.clone())
        .map_err(|error| format!("not as a map prints them: {error}"))?;
    let mut laid: Vec<Waterway> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let fitting = fitting(entry, map)?;
        let made = |waterway: &&Waterway| map.waterways().any(|other| alike(other, waterway));
        let unused: Vec<&Waterway> =
            fitting.iter().filter(|waterway| !laid.iter().any(|other| alike(other, waterway))).collect();
        let best = unused.iter().copied().find(made).or(unused.first().copied());
        laid.extend(best); // what is listed twice is there once
    }
    Ok(laid)
}

/// Is it the same, whichever end or province comes first?
fn alike(x: &Waterway, y: &Waterway) -> bool {
    match (x, y) {
        (
            Waterway::Canal { province: x, terminals: [a, b] },
            Waterway::Canal { province: y, terminals: [c, d] },
        ) => x == y && ([a, b] == [c, d] || [a, b] == [d, c]),
        (Waterway::Strait { border: x, .. }, Waterway::Strait { border: y, .. }) => x == y,
        _ => x == y,
    }
}

/// The waterways that an entry can mean, the likeliest first; at least one.
fn fitting(entry: &Entry, map: &PlanarMap) -> Result<Vec<Waterway>, String> {
    let find = |name: &String| {
        map.find(&name.to_ascii_uppercase()).ok_or_else(|| format!("`{name}` is no province of the board"))
    };
    let ends = [find(&entry.ends[0])?, find(&entry.ends[1])?];
    if let Some(i) = (0..2).find(|&i| !is_open_sea(map, ends[i])) {
        return Err(format!("a waterway ends at seas, and {} is none", entry.ends[i]));
    }
    match (entry.kind.as_str(), &entry.r#in[..]) {
        ("canal", [through]) => {
            let found = canals(map, find(through)?, ends);
            if found.is_empty() {
                return Err(format!("{through} does not lie on {} and {}", entry.ends[0], entry.ends[1]));
            }
            Ok(found)
        }
        ("strait", [a, b]) => {
            let fits = |flanks: [ProvinceId; 2]| flanks == ends || flanks == [ends[1], ends[0]];
            let stretches = map.stretches(find(a)?, find(b)?).into_iter();
            let found: Vec<Waterway> = stretches
                .filter(|&side| map.flanks(side).is_some_and(fits))
                .map(SideId::border)
                .map(|border| Waterway::Strait { border, provinces: border.sides().map(|s| map.owner(s)) })
                .collect();
            if found.is_empty() {
                let [x, y] = &entry.ends;
                return Err(format!("{a} and {b} share no border from {x} to {y}"));
            }
            Ok(found)
        }
        (kind, _) => {
            Err(format!("`{kind}` with these provinces is no waterway; there are canals and straits"))
        }
    }
}

fn is_open_sea(map: &PlanarMap, face: ProvinceId) -> bool {
    map.face(face).is_some_and(Face::is_open_sea)
}

/// The canals through a province from sea to sea: first those beside an isthmus, then those that join two shores.
fn canals(map: &PlanarMap, province: ProvinceId, ends: [ProvinceId; 2]) -> Vec<Waterway> {
    let is_sea = |side: SideId| is_open_sea(map, map.across(side));
    let round_one = |x: SideId, y: SideId| {
        let between = map.next(x);
        between != y
            && map.next(between) == y
            && map.face(map.across(between)).is_some_and(Face::is_open_land)
    };
    // Along the shore from the one to the other.
    let along = |x: SideId, y: SideId| map.cycle(x).take_while(|&side| is_sea(side)).any(|side| side == y);
    let [xs, ys] = ends.map(|sea| map.stretches(province, sea));
    let mut found: Vec<(bool, bool, Waterway)> = Vec::new();
    for &x in &xs {
        for &y in ys.iter().filter(|&&y| y != x) {
            let canal = Waterway::Canal { province, terminals: [x.border(), y.border()] };
            if !found.iter().any(|(.., other)| alike(other, &canal)) {
                let beside_isthmus = round_one(x, y) || round_one(y, x);
                found.push((!beside_isthmus, along(x, y) || along(y, x), canal));
            }
        }
    }
    found.sort_by_key(|&(far, one_shore, _)| (far, one_shore));
    found.into_iter().map(|(.., canal)| canal).collect()
}
