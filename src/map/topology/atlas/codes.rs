//! Normalises the codes of a map file: capitals only, and a face for each code.

use std::collections::BTreeMap;

use super::super::code;
use super::super::map_file::{FaceEntry, KindEntry, MapFile};
use crate::ids::MAX_PROVINCES;

/// The code of the Outside if the file does not define one.
const OUTSIDE: &str = "OUT";

/// The file with its codes in capitals and, if other faces name `OUT`, with a face for the Outside. Invalid
/// codes are added to the faults.
pub(super) fn canonical(file: MapFile, faults: &mut Vec<String>) -> MapFile {
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    let mut faces = BTreeMap::new();
    for (name, entry) in file.faces {
        let code = name.to_uppercase();
        if let Some(other) = written.get(&code) {
            faults.push(format!(
                "`{other}` and `{name}` differ in capitals alone, which do not tell provinces apart; one of them needs \
                 another code"
            ));
            continue;
        }
        faults.extend(code::fault(&code));
        written.insert(code.clone(), name);
        faces.insert(code, in_capitals(entry));
    }
    let mut coasts: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for (province, named) in file.coasts {
        let of_province = coasts.entry(province.to_uppercase()).or_default();
        for (name, contacts) in named {
            if of_province.insert(name.to_uppercase(), all_in_capitals(contacts)).is_some() {
                faults.push(format!("coasts of {}: {} is given twice", province.to_uppercase(), name));
            }
        }
    }
    let canals = file.canals.into_iter().map(|mut canal| {
        canal.through = canal.through.to_uppercase();
        canal.ends = canal.ends.map(|end| end.to_uppercase());
        canal
    });
    let canals = canals.collect();
    let straits = file.straits.into_iter().map(|pair| pair.map(|end| end.to_uppercase())).collect();
    add_outside(&mut faces);
    if faces.len() < 2 || faces.len() > MAX_PROVINCES {
        faults.push(format!("{} faces; a map has 2 to {MAX_PROVINCES}, the Outside among them", faces.len()));
    }
    MapFile { faces, coasts, canals, straits, powers: file.powers }
}

/// Adds the Outside if other faces name it and the file does not define it.
fn add_outside(faces: &mut BTreeMap<String, FaceEntry>) {
    let mut lists = faces.values().flat_map(|face| face.neighbours_ccw.iter().chain(&face.islands_ccw));
    let is_named = lists.any(|list| list.iter().any(|name| name == OUTSIDE));
    let has_one = faces.values().any(|face| face.kind == KindEntry::Outside);
    if is_named && !has_one && !faces.contains_key(OUTSIDE) {
        let outside = FaceEntry {
            name: "Outside".to_owned(),
            kind: KindEntry::Outside,
            supply_centre: false,
            home: None,
            neighbours_ccw: None,
            islands_ccw: Vec::new(),
            centre: None,
        };
        faces.insert(OUTSIDE.to_owned(), outside);
    }
}

fn in_capitals(entry: FaceEntry) -> FaceEntry {
    FaceEntry {
        neighbours_ccw: entry.neighbours_ccw.map(all_in_capitals),
        islands_ccw: entry.islands_ccw.into_iter().map(all_in_capitals).collect(),
        ..entry
    }
}

fn all_in_capitals(names: Vec<String>) -> Vec<String> {
    names.into_iter().map(|name| name.to_uppercase()).collect()
}
