//! A board as a list of adjacencies, and its boundaries as they are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use upheaval::topology::report::MapReport;
use upheaval::topology::{MapFile, NamedMap, atlas, derive};

/// The list of adjacencies of a board, as DPjudge would have it.
pub(super) fn listing(chart: &NamedMap) -> String {
    let report = MapReport::new(chart, &derive(chart.map()));
    let mut text = String::new();
    for power in chart.power_names().iter() {
        let homes = report
            .faces
            .iter()
            .filter(|(_, face)| face.home.as_deref() == Some(power))
            .map(|(code, _)| code.as_str());
        let _ = writeln!(text, "{power} {}", homes.collect::<Vec<_>>().join(" "));
    }
    let is_free = |code: &str, face: &upheaval::topology::report::FaceReport| {
        face.supply_centre && report.faces[code].home.is_none()
    };
    let free = report.faces.iter().filter(|(code, face)| is_free(code, face)).map(|(code, _)| code.as_str());
    let _ = writeln!(text, "UNOWNED {}", free.collect::<Vec<_>>().join(" "));
    for (code, face) in &report.faces {
        if !matches!(face.kind, "land" | "sea" | "impassable") {
            continue;
        }
        let name = chart.map().find(code).and_then(|id| chart.full_name(id)).unwrap_or(code);
        let _ = writeln!(text, "{name} = {code}");
        let mut neighbours = Vec::new();
        let fleets = face.fleet.get("").cloned().unwrap_or_default();
        let several = face.coasts.len() > 1;
        for to in &face.army {
            let by_fleet = fleets.iter().any(|other| other.split('/').next() == Some(to));
            if several || !by_fleet {
                neighbours.push(if several { to.clone() } else { to.to_lowercase() });
            }
        }
        neighbours.extend(fleets);
        if several {
            for (coast, reached) in &face.fleet {
                let _ = writeln!(text, "COAST {code}/{coast} ABUTS {}", reached.join(" "));
                let seas = reached
                    .iter()
                    .filter(|to| report.faces[to.split('/').next().unwrap_or(to)].kind == "sea");
                neighbours.extend(seas.cloned());
            }
            neighbours.sort();
            neighbours.dedup();
        }
        let kind = match face.kind {
            "sea" => "WATER",
            "impassable" => {
                neighbours = face.boundaries.concat();
                neighbours.retain(|code| matches!(report.faces[code].kind, "land" | "sea" | "impassable"));
                "SHUT"
            }
            _ if face.coasts.is_empty() => "LAND",
            _ => "COAST",
        };
        let code = if several { code.to_lowercase() } else { code.clone() };
        let _ = writeln!(text, "{kind} {code} ABUTS {}", neighbours.join(" "));
    }
    text
}

/// The boundary cycles of every face, each in its smallest rotation.
pub(super) type Boundaries = BTreeMap<String, Vec<Vec<String>>>;

/// The boundaries of a map file, or of its reflection.
pub(super) fn boundaries(file: &MapFile, reflected: bool) -> Boundaries {
    let of_face = |face: &upheaval::topology::FaceEntry| {
        let all = std::iter::once(face.neighbours()).chain(face.islands_ccw.iter().map(Vec::as_slice));
        let mut cycles: Vec<Vec<String>> = all
            .map(|cycle| {
                let mut cycle = cycle.to_vec();
                if reflected {
                    cycle.reverse();
                }
                let turned = |turn: usize| [&cycle[turn..], &cycle[..turn]].concat();
                (0..cycle.len()).map(turned).min().unwrap_or_default()
            })
            .collect();
        cycles.sort();
        cycles
    };
    file.faces.iter().map(|(code, face)| (code.clone(), of_face(face))).collect()
}

/// The file of a board that ships.
pub(super) fn shipped(name: &str) -> (NamedMap, MapFile) {
    let chart = atlas::find(name).expect("it ships");
    let text = match name {
        "standard" => include_str!("../../src/map/maps/standard.json"),
        "deluge" => include_str!("../../src/map/maps/deluge.json"),
        "modern" => include_str!("../../src/map/maps/modern.json"),
        _ => include_str!("../../src/map/maps/ancient-mediterranean.json"),
    };
    (chart, serde_json::from_str(text).expect("a map file"))
}
