//! A board for other programs: the JSON described in docs/map-command.md, and the same as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::ids::{Location, ProvinceId, ProvinceSet};
use crate::topology::board::Board;
use crate::topology::half_edge::{Face, FaceKind, FaceState, HalfEdgeId};
use crate::topology::map::PlanarMap;
use crate::topology::named_map::NamedMap;
use crate::topology::structure::Counts;
use crate::topology::waterway::{CanalOrigin, Waterway};
use serde::Serialize;

/// The whole board.
///
/// ```
/// use upheaval_map::topology::report::MapReport;
/// use upheaval_map::topology::{atlas, derive};
/// let chart = atlas::standard();
/// let report = MapReport::new(&chart, &derive(chart.map()));
/// assert_eq!(report.faces["STP"].coasts.len(), 2);
/// assert_eq!(report.faces["POR"].army, ["SPA"]);
/// ```
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct MapReport {
    /// Sizes of the underlying map.
    pub counts: Counts,
    /// The faces by name.
    pub faces: BTreeMap<String, FaceReport>,
    /// Land borders with a sea at both ends, each with its names sorted.
    pub isthmuses: Vec<[String; 2]>,
    /// For each group of holes the cycles of faces that meet there.
    pub points: Vec<Vec<Vec<String>>>,
    /// Canals and straits in force.
    pub waterways: Vec<WaterwayReport>,
}

/// One face.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct FaceReport {
    /// `land`, `sea`, `ice`, `impassable`, `outside`, `point`, `hole` or `void`.
    pub kind: &'static str,
    /// Is it neither a hole nor a void?
    pub alive: bool,
    /// Is it a supply centre? A hole, a void and ice keep the mark, because the centre is restored together
    /// with the province; it counts only on land and at sea while `alive`.
    pub supply_centre: bool,
    /// The power whose home centre it is.
    pub home: Option<String>,
    /// One list for each boundary cycle, neighbours counter-clockwise, of the underlying map.
    pub boundaries: Vec<Vec<String>>,
    /// The coasts of a land face.
    pub coasts: Vec<CoastReport>,
    /// Where an army here can go.
    pub army: Vec<String>,
    /// Where a fleet can go, by the name of its coast; `""` at sea and for a single coast.
    pub fleet: BTreeMap<String, Vec<String>>,
}

/// One coast.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct CoastReport {
    /// `None` for the only coast of a province.
    pub name: Option<String>,
    /// The seas that a fleet on it can reach.
    pub seas: Vec<String>,
}

/// One canal or strait.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct WaterwayReport {
    /// `canal` or `strait`.
    pub kind: &'static str,
    /// The province of a canal, or the two provinces of a strait.
    #[serde(rename = "in")]
    pub within: Vec<String>,
    /// The faces at its two ends.
    pub ends: Vec<String>,
    /// Was the canal dug? The key is left out if not.
    #[serde(skip_serializing_if = "CanalOrigin::is_natural")]
    pub origin: CanalOrigin,
}

/// Sorts cycles for print: each in its smallest rotation by the names across, and the cycles sorted.
fn in_print(mut cycles: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for cycle in &mut cycles {
        let best = (0..cycle.len()).min_by_key(|&turn| [&cycle[turn..], &cycle[..turn]].concat());
        cycle.rotate_left(best.unwrap_or(0));
    }
    cycles.sort();
    cycles
}

impl MapReport {
    /// Describes a chart and the tables derived from it.
    pub fn new(chart: &NamedMap, board: &Board) -> MapReport {
        let map = chart.map();
        let named = |id| map.name(id).to_owned();
        let reports = map.faces().map(|(id, _)| (named(id), face_report(chart, board, id)));
        MapReport {
            counts: map.counts(),
            faces: reports.collect(),
            isthmuses: map.isthmuses().into_iter().map(|pair| pair.map(named)).collect(),
            points: points(map, board),
            waterways: waterways(chart),
        }
    }

    /// The report as text: one line for each face, followed by holes and waterways.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let Counts { faces, borders, corners, components } = self.counts;
        let _ =
            writeln!(text, "{faces} faces, {borders} borders, {corners} corners, {components} component(s)");
        // Halves have longer codes than any map file can give.
        let width = self.faces.keys().map(|name| name.len() + 1).max().unwrap_or(0).max(8);
        for (name, face) in &self.faces {
            let _ = write!(text, "{name:<width$}{:<11}", face.kind);
            let centre = match (face.supply_centre, &face.home) {
                (false, _) => String::new(),
                (true, None) => "centre ".to_owned(),
                (true, Some(power)) => format!("centre ({power}) "),
            };
            let _ = write!(text, "{centre}[{}]", joined(&face.boundaries));
            if !face.army.is_empty() {
                let _ = write!(text, "  army: {}", face.army.join(" "));
            }
            for (coast, reach) in &face.fleet {
                let coast = if coast.is_empty() { String::new() } else { format!("/{coast}") };
                let _ = write!(text, "  fleet{coast}: {}", reach.join(" "));
            }
            text.push('\n');
        }
        for group in &self.points {
            let _ = writeln!(text, "point: {}", joined(group));
        }
        for [a, b] in &self.isthmuses {
            let _ = writeln!(text, "isthmus: {a} {b}");
        }
        for way in &self.waterways {
            let (within, ends) = (way.within.join(" "), way.ends.join(" and "));
            let dug = if way.origin.is_natural() { "" } else { ", dug" };
            let _ = writeln!(text, "{}: in {within} between {ends}{dug}", way.kind);
        }
        text
    }
}

/// Cycles on one line.
fn joined(cycles: &[Vec<String>]) -> String {
    cycles.iter().map(|cycle| cycle.join(" ")).collect::<Vec<_>>().join(" | ")
}

/// The word for the kind or state of a face: `land`, `sea`, `ice`, `impassable`, `outside`, `point`, `hole`
/// or `void`.
fn word_for(kind: FaceKind, state: FaceState) -> &'static str {
    match (state, kind) {
        (_, FaceKind::Point) => kind.word(),
        (FaceState::Collapsed, _) => "hole",
        (FaceState::Void, _) => "void",
        (FaceState::Open, kind) => kind.word(),
    }
}

fn face_report(chart: &NamedMap, board: &Board, id: ProvinceId) -> FaceReport {
    let map = chart.map();
    let face = map.at(id);
    let kind = word_for(face.kind, face.state);
    let names = chart.coast_names(board, id);
    let coast_name = |at: Location| names.get(at.coast.0 as usize).map(ToString::to_string);
    let of_set = |set: ProvinceSet| sorted(set.iter().map(|to| map.name(to).to_owned()));
    let mut coasts: Vec<CoastReport> = Vec::new();
    if board.land().contains(id) {
        coasts.extend(board.stations_of(id).map(|at| CoastReport {
            name: coast_name(at),
            seas: of_set(*board.fleet_reach(at) & *board.sea()),
        }));
        coasts.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let fleet = board.stations_of(id).map(|at| {
        let to = board.fleet_moves(at).iter().map(|to| location_name(chart, board, to));
        (coast_name(at).unwrap_or_default(), sorted(to))
    });
    let cycle_names =
        |cycle: Vec<HalfEdgeId>| cycle.iter().map(|&s| map.name(map.across(s)).to_owned()).collect();
    let info = chart.info(id);
    FaceReport {
        kind,
        alive: face.state == FaceState::Open,
        supply_centre: info.is_some_and(|info| info.supply_centre),
        home: home(chart, id),
        boundaries: map.printed_cycles(id).into_iter().map(cycle_names).collect(),
        coasts,
        army: of_set(*board.army_reach(id)),
        fleet: fleet.collect(),
    }
}

/// The power whose home centre a face is.
fn home(chart: &NamedMap, id: ProvinceId) -> Option<String> {
    Some(chart.power_names().name(chart.info(id)?.home?).to_owned())
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// `SPA/NC`, or `GAS` for the only coast.
fn location_name(chart: &NamedMap, board: &Board, at: Location) -> String {
    let name = chart.map().name(at.province);
    match chart.coast_names(board, at.province).get(at.coast.0 as usize) {
        Some(coast) => format!("{name}/{coast}"),
        None => name.to_owned(),
    }
}

/// The faces round each group of collapsed faces: its boundary, walked with the group on the left. Two
/// consecutive stretches of one face count as one.
fn points(map: &PlanarMap, board: &Board) -> Vec<Vec<Vec<String>>> {
    let holes = board.ground.holes;
    let collapsed = |side: HalfEdgeId| holes.contains(map.across(side));
    let mut seen: Vec<HalfEdgeId> = Vec::new();
    let mut points = Vec::new();
    for group in &board.ground.points {
        let mut cycles: Vec<Vec<String>> = Vec::new();
        for start in group.holes.iter().flat_map(|hole| map.sides_of(hole)) {
            if collapsed(start) || seen.contains(&start) {
                continue;
            }
            let mut cycle: Vec<String> = Vec::new();
            let mut at = start;
            loop {
                seen.push(at);
                cycle.push(map.name(map.across(at)).to_owned());
                // Continue to the next half-edge on the group's boundary, past borders between two holes.
                at = map.next(at);
                while collapsed(at) {
                    at = map.next(at.twin());
                }
                if at == start {
                    break;
                }
            }
            cycle.dedup();
            if cycle.len() > 1 && cycle.first() == cycle.last() {
                cycle.pop();
            }
            cycles.push(cycle);
        }
        points.push(in_print(cycles));
    }
    points.sort();
    points
}

fn waterways(chart: &NamedMap) -> Vec<WaterwayReport> {
    let map = chart.map();
    let name = |id: &ProvinceId| map.name(*id).to_owned();
    let report = |kind, within: &[ProvinceId], ends: [ProvinceId; 2]| WaterwayReport {
        kind,
        within: sorted(within.iter().map(name)),
        ends: sorted(ends.iter().map(name)),
        origin: CanalOrigin::Natural,
    };
    let mut found: Vec<WaterwayReport> = Vec::new();
    for waterway in map.waterways() {
        match waterway {
            &Waterway::Canal { province, ref ends, origin } => {
                // An end that has been cut but lies on one sea is printed once; if the sea was split, both
                // are printed.
                let seas = ends.each_ref().map(|end| {
                    let sides = end.borders().filter_map(|border| map.side_of(border, province));
                    sides.map(|side| map.across(side)).collect::<ProvinceSet>()
                });
                let pairs = seas[0].iter().flat_map(|x| seas[1].iter().map(move |y| [x, y]));
                let canal = |ends| WaterwayReport { origin, ..report("canal", &[province], ends) };
                found.extend(pairs.map(canal));
            }
            Waterway::Strait { border, provinces } => {
                found.extend(map.flanks(border.sides()[0]).map(|ends| report("strait", provinces, ends)));
            }
            Waterway::Passage { province, seas } => found.push(report("canal", &[*province], *seas)),
        }
    }
    found.sort_by(|a, b| (a.kind, &a.within, &a.ends).cmp(&(b.kind, &b.within, &b.ends)));
    found
}

// The provinces of a board as a list: codes, full names, kinds, coasts, centres.

/// A province, an impassable face or the Outside, as a line of a list.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct ProvinceLine {
    /// `SPA`.
    pub code: String,
    /// `Spain`.
    pub name: String,
    /// `land`, `sea`, `ice`, `impassable`, `outside`, `hole` or `void`.
    pub kind: &'static str,
    /// The names of the coasts of a land province; `None` for a single coast.
    pub coasts: Vec<Option<String>>,
    /// Is it a supply centre?
    pub supply_centre: bool,
    /// The power whose home centre it is.
    pub home: Option<String>,
}

/// Every face of a chart sorted by code; `board` must be derived from the chart.
///
/// ```
/// use upheaval_map::topology::{atlas, derive, report};
/// let chart = atlas::standard();
/// let list = report::list_provinces(&chart, &derive(chart.map()));
/// let spain = list.iter().find(|line| line.code == "SPA").unwrap();
/// assert_eq!((spain.name.as_str(), spain.coasts.len()), ("Spain", 2));
/// ```
pub fn list_provinces(chart: &NamedMap, board: &Board) -> Vec<ProvinceLine> {
    let line = |(id, face): (ProvinceId, Face<'_>)| {
        let FaceReport { kind, coasts, supply_centre, home, .. } = face_report(chart, board, id);
        ProvinceLine {
            code: face.name().to_owned(),
            name: chart.full_name(id).unwrap_or_default().to_owned(),
            kind,
            coasts: coasts.into_iter().map(|coast| coast.name).collect(),
            supply_centre,
            home,
        }
    };
    let mut lines: Vec<ProvinceLine> = chart.map().faces().map(line).collect();
    lines.sort_by(|a, b| a.code.cmp(&b.code));
    lines
}

/// The list as text, one line for each face, in columns.
pub fn provinces_to_text(lines: &[ProvinceLine]) -> String {
    let width = |of: fn(&ProvinceLine) -> usize| lines.iter().map(of).max().unwrap_or(0) + 2;
    let (codes, names) = (width(|line| line.code.len()), width(|line| line.name.chars().count()));
    let mut text = String::new();
    for line in lines {
        let coasts = match &line.coasts[..] {
            [] => String::new(),
            [_] => "coast".to_owned(),
            several => several.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
        };
        let centre = match (line.supply_centre, &line.home) {
            (false, _) => String::new(),
            (true, None) => "centre".to_owned(),
            (true, Some(power)) => format!("home of {power}"),
        };
        let columns =
            format!("{:<codes$}{:<names$}{:<12}{coasts:<8}{centre}", line.code, line.name, line.kind);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", columns.trim_end());
    }
    text
}
