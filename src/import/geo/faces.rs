//! The faces of a drawing: boundaries walked, corners of more than three faces resolved, gaps filled.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::{FaceEntry, FaceKind, MapFile};

use upheaval_map::ids::MAX_PROVINCES;

use super::drawing::{Below, DrawingFaults, Label, PolygonDrawing, Vertex, overlap};
use crate::geo::regions::{GeoPoint, Region, area, length, within};
use crate::hints::Hints;
use crate::note::ImportNote;

/// A gap that covers less than this fraction of the median polygon is a sliver.
const SLIVER: f64 = 1e-3;

/// A gap is also a sliver if it is thinner than this; a circle has the value 1.
const THIN: f64 = 0.02;

/// A walk along a face, with the face on the left.
struct Loop {
    edges: Vec<[Vertex; 2]>,
    points: Vec<GeoPoint>,
    /// Is it the outer boundary of its face?
    is_outer: bool,
    /// The index of its face, once it is known.
    face: usize,
}

/// A face of the resulting map.
struct Made {
    code: String,
    entry: FaceEntry,
}

/// The map file that a drawing shows, without waterways and powers.
pub(super) fn faces(
    regions: &[Region],
    drawing: &PolygonDrawing,
    hints: &Hints,
    notes: &mut Vec<ImportNote>,
) -> Result<MapFile, Vec<String>> {
    let mut walker = Walker {
        drawing,
        loops: Vec::new(),
        loop_at: BTreeMap::new(),
        outsides: Vec::new(),
        faces: Vec::new(),
    };
    walker.walk(regions)?;
    walker.nest(regions)?;
    walker.provinces(regions)?;
    walker.gaps(regions, hints, notes)?;
    let joints = walker.joints(notes)?;
    walker.boundaries(&joints);
    let hole = |note: &ImportNote| match note {
        ImportNote::Hole { code, .. } => Some(code.clone()),
        _ => None,
    };
    let holes: BTreeSet<String> = notes.iter().filter_map(hole).collect();
    let mut file = MapFile::default();
    for (face, Made { code, entry }) in walker.faces.into_iter().enumerate() {
        let is_gap = face >= regions.len();
        match entry.kind {
            FaceKind::Outside => notes.push(ImportNote::Outside(entry.neighbours().to_vec())),
            FaceKind::Impassable if is_gap && !holes.contains(&code) => {
                notes.push(ImportNote::Filler { code: code.clone(), around: entry.neighbours().to_vec() });
            }
            _ => {}
        }
        file.faces.insert(code, entry);
    }
    for region in regions.iter().filter(|region| !region.properties.coasts.is_empty()) {
        file.coasts.insert(region.code.clone(), region.properties.coasts.clone());
    }
    Ok(file)
}

struct Walker<'a> {
    drawing: &'a PolygonDrawing,
    loops: Vec<Loop>,
    loop_at: BTreeMap<[Vertex; 2], usize>,
    /// The boundaries of islands in gaps, in the order of the sweep, with the boundary of the same gap below them.
    outsides: Vec<(usize, Option<usize>)>,
    faces: Vec<Made>,
}

impl Walker<'_> {
    fn walk(&mut self, regions: &[Region]) -> Result<(), Vec<String>> {
        let mut faults = DrawingFaults::default();
        for &start in self.drawing.left.keys() {
            if self.loop_at.contains_key(&start) {
                continue;
            }
            let mut edges = Vec::new();
            let mut at = start;
            loop {
                self.loop_at.insert(at, self.loops.len());
                edges.push(at);
                at = self.drawing.next(at);
                if at == start {
                    break;
                }
            }
            // Where a boundary changes its polygon at a corner, one polygon lies in another.
            let label = |edge: &[Vertex; 2]| self.drawing.left[edge];
            if let Some(other) = edges.iter().find(|&edge| label(edge) != label(&start)) {
                let inner = |edge: &[Vertex; 2]| label(edge).or_else(|| label(&[edge[1], edge[0]]));
                let pair = [inner(&start), inner(other)].map(Option::unwrap_or_default);
                faults.tell(|| overlap(regions, pair, self.drawing.points[other[0]]));
            }
            let points: Vec<GeoPoint> = edges.iter().map(|&[a, _]| self.drawing.points[a]).collect();
            let is_outer = area(&points) > 0.0;
            self.loops.push(Loop { edges, points, is_outer, face: usize::MAX });
        }
        faults.into_result()
    }

    /// Finds in which face each island lies. Nothing but a hole of its own size is around an island.
    fn nest(&mut self, regions: &[Region]) -> Result<(), Vec<String>> {
        let mut faults = DrawingFaults::default();
        let mut outsides: BTreeMap<usize, (usize, Option<usize>)> = BTreeMap::new();
        for (i, walk) in self.loops.iter().enumerate().filter(|(_, walk)| !walk.is_outer) {
            let (place, below) = self.drawing.below(&walk.edges);
            let (face, around) = match below {
                Below::Nothing => (None, None),
                Below::Inside(region) => (None, Some(region)),
                Below::Face(edge) => (Some(self.loop_at[&edge]), self.drawing.left[&edge]),
            };
            let at = walk.points[0];
            match (self.label(walk), around) {
                (None, None) => drop(outsides.insert(place, (i, face))),
                (label, around) if label == around => {}
                (None, Some(outer)) => {
                    let [a, b] = walk.edges[0];
                    let inner = self.drawing.left[&[b, a]].unwrap_or_default();
                    faults.tell(|| overlap(regions, [inner, outer], at));
                }
                (Some(region), _) => faults.tell(|| {
                    let code = &regions[region].code;
                    format!("a hole of {code} lies outside its polygon at ({}, {})", at[0], at[1])
                }),
            }
        }
        self.outsides = outsides.into_values().collect();
        faults.into_result()
    }

    fn label(&self, walk: &Loop) -> Label {
        self.drawing.left[&walk.edges[0]]
    }

    fn provinces(&mut self, regions: &[Region]) -> Result<(), Vec<String>> {
        let mut faults = DrawingFaults::default();
        let mut of_region: Vec<Vec<usize>> = vec![Vec::new(); regions.len()];
        for (i, walk) in self.loops.iter().enumerate() {
            if let Some(region) = self.label(walk) {
                of_region[region].push(i);
            }
        }
        for (index, (region, own)) in regions.iter().zip(of_region).enumerate() {
            let outer: Vec<usize> = own.iter().copied().filter(|&i| self.loops[i].is_outer).collect();
            match outer[..] {
                [] => faults.tell(|| format!("the polygon of {} covers nothing", region.code)),
                [_] => {}
                [one, other, ..] => faults.tell(|| {
                    let [[x, y], [u, v]] = [one, other].map(|i| self.loops[i].points[0]);
                    format!(
                        "{} is in {} parts that share no edge, at ({x}, {y}) and ({u}, {v}); a province is one face of the \
                         map, so draw it in one piece, islands with the water between them",
                        region.code,
                        outer.len()
                    )
                }),
            }
            let rings: Vec<&[GeoPoint]> = own.iter().map(|&i| self.loops[i].points.as_slice()).collect();
            let properties = &region.properties;
            let name = properties.name.as_ref().unwrap_or(&region.code);
            let entry = FaceEntry {
                supply_centre: properties.supply_centre,
                home: properties.home.clone(),
                centre: Some(properties.centre.unwrap_or_else(|| within(&rings))),
                ..FaceEntry::new(name, properties.kind)
            };
            own.iter().for_each(|&i| self.loops[i].face = index);
            self.faces.push(Made { code: region.code.clone(), entry });
        }
        faults.into_result()
    }

    /// Makes faces from the areas that no polygon covers: a bounded one is impassable, the rest is the Outside.
    fn gaps(
        &mut self,
        regions: &[Region],
        hints: &Hints,
        notes: &mut Vec<ImportNote>,
    ) -> Result<(), Vec<String>> {
        let taken: BTreeSet<&str> = regions.iter().map(|region| region.code.as_str()).collect();
        let free = |begin: &str| {
            let mut codes = std::iter::once(begin.to_owned()).chain((1..).map(|i| format!("{begin}{i}")));
            codes.find(|code| !taken.contains(code.as_str())).unwrap_or_default()
        };
        let is_gap = |walk: &&Loop| walk.face == usize::MAX;
        let mut areas: Vec<f64> =
            self.loops.iter().filter(|walk| !is_gap(walk)).map(|walk| area(&walk.points).abs()).collect();
        areas.sort_by(f64::total_cmp);
        let least = SLIVER * areas.get(areas.len() / 2).copied().unwrap_or(0.0);
        let bounded: Vec<usize> =
            (0..self.loops.len()).filter(|&i| is_gap(&&self.loops[i]) && self.loops[i].is_outer).collect();
        if regions.len() + bounded.len() > MAX_PROVINCES {
            return Err(vec![format!(
                "{} provinces and {} areas that no polygon covers; a map holds up to {MAX_PROVINCES} faces",
                regions.len(),
                bounded.len()
            )]);
        }
        let mut faults = DrawingFaults::default();
        for (number, &i) in (1..).zip(&bounded) {
            let walk = &self.loops[i];
            let (covers, round) = (area(&walk.points), length(&walk.points));
            let across = self.across(walk);
            let is_sliver = covers < least || 4.0 * std::f64::consts::PI * covers < THIN * round * round;
            // A hole in one province separates nothing, however small it is.
            if is_sliver && across.len() > 1 {
                let [x, y] = walk.points[0];
                faults.tell(|| format!("a sliver lies between {} at ({x}, {y})", across.join(" ")));
            }
            let near: BTreeSet<&String> = across.iter().collect();
            let hint =
                hints.fillers.iter().find(|(_, filler)| filler.around.iter().all(|name| near.contains(name)));
            let (code, name) = match hint {
                Some((code, filler)) if !taken.contains(code.as_str()) => (code.clone(), filler.name.clone()),
                _ => (free(&format!("X{number}")), format!("Impassable {number}")),
            };
            let centre = within(&[&walk.points]);
            if let [province] = &across[..] {
                notes.push(ImportNote::Hole { code: code.clone(), province: province.clone(), at: centre });
            }
            let entry = FaceEntry { centre: Some(centre), ..FaceEntry::new(name, FaceKind::Impassable) };
            self.add(code, entry, i);
        }
        faults.into_result()?;
        let outside = self.faces.len();
        for (i, below) in std::mem::take(&mut self.outsides) {
            match below {
                Some(below) => self.loops[i].face = self.loops[below].face,
                None if self.faces.len() == outside => {
                    self.add(free("OUT"), FaceEntry::new("Outside", FaceKind::Outside), i);
                }
                None => self.loops[i].face = outside,
            }
        }
        Ok(())
    }

    fn add(&mut self, code: String, entry: FaceEntry, walk: usize) {
        self.loops[walk].face = self.faces.len();
        self.faces.push(Made { code, entry });
    }

    /// The codes of the polygons across a gap.
    fn across(&self, walk: &Loop) -> Vec<String> {
        let across = walk.edges.iter().filter_map(|&[a, b]| self.drawing.left[&[b, a]]);
        let mut codes: Vec<String> = across.map(|index| self.faces[index].code.clone()).collect();
        codes.dedup();
        if codes.len() > 1 && codes.first() == codes.last() {
            codes.pop();
        }
        codes
    }

    fn face_at(&self, edge: [Vertex; 2]) -> usize {
        self.loops[self.loop_at[&edge]].face
    }

    /// Resolves corners of more than three faces: one of the faces takes the corner and shares a new border with
    /// each face that is not adjacent to it there. For each corner and edge out of it, the result lists the faces
    /// between the edge that leads to the corner and this one.
    fn joints(&self, notes: &mut Vec<ImportNote>) -> Result<BTreeMap<[Vertex; 2], Vec<usize>>, Vec<String>> {
        let mut joints: BTreeMap<[Vertex; 2], Vec<usize>> = BTreeMap::new();
        let mut faults = DrawingFaults::default();
        for (vertex, around) in self.drawing.around.iter().enumerate().filter(|(_, around)| around.len() > 3)
        {
            let count = around.len();
            // The face after each edge, counter-clockwise.
            let met: Vec<usize> = around.iter().map(|&to| self.face_at([vertex, to])).collect();
            let others = |apex: usize| (apex + 2..=apex + count - 2).map(move |i| i % count);
            let mut times: BTreeMap<usize, usize> = BTreeMap::new();
            met.iter().for_each(|&face| *times.entry(face).or_default() += 1);
            // No other sector, except the two beside it, is of the same face.
            let can = |&apex: &usize| {
                let beside = [apex + count - 1, apex, apex + 1].map(|i| met[i % count]);
                times[&met[apex]] == beside.iter().filter(|&&face| face == met[apex]).count()
            };
            let rank = |&apex: &usize| {
                let Made { code, entry } = &self.faces[met[apex]];
                let kind = match entry.kind {
                    FaceKind::Outside => 0,
                    FaceKind::Impassable | FaceKind::Point => 1,
                    FaceKind::Sea | FaceKind::Ice => 2,
                    FaceKind::Land => 3,
                };
                (kind, code.clone(), apex)
            };
            let at = self.drawing.points[vertex];
            let Some(apex) = (0..count).filter(can).min_by_key(rank) else {
                faults.tell(|| {
                    format!("the faces that meet at ({}, {}) cannot be distinguished", at[0], at[1])
                });
                continue;
            };
            let code = |sector: usize| self.faces[met[sector]].code.clone();
            joints.insert([vertex, around[apex]], others(apex).map(|other| met[other]).collect());
            for other in others(apex) {
                joints.insert([vertex, around[other]], vec![met[apex]]);
                notes.push(ImportNote::Corner { at, joined: [code(apex), code(other)] });
            }
        }
        faults.into_result().map(|()| joints)
    }

    fn boundaries(&mut self, joints: &BTreeMap<[Vertex; 2], Vec<usize>>) {
        let mut cycles: BTreeMap<usize, Vec<(f64, Vec<String>)>> = BTreeMap::new();
        for walk in &self.loops {
            let is_corner = |&[a, _]: &[Vertex; 2]| self.drawing.around[a].len() > 2;
            let mut edges = walk.edges.clone();
            let begin = edges.iter().position(is_corner);
            edges.rotate_left(begin.unwrap_or(0));
            let mut cycle: Vec<usize> = Vec::new();
            for edge in &edges {
                if is_corner(edge) || cycle.is_empty() {
                    cycle.extend(joints.get(edge).into_iter().flatten());
                    cycle.push(self.face_at([edge[1], edge[0]]));
                }
            }
            let names = cycle.iter().map(|&face| self.faces[face].code.clone()).collect();
            cycles.entry(walk.face).or_default().push((area(&walk.points), names));
        }
        for (face, mut cycles) in cycles {
            // The outer boundary comes first; for the Outside, which has none, the longest boundary.
            let is_outside = self.faces[face].entry.kind == FaceKind::Outside;
            let size = |area: f64| if is_outside { -area } else { area };
            cycles.sort_by(|(x, _), (y, _)| size(*y).total_cmp(&size(*x)));
            let mut names = cycles.into_iter().map(|(_, names)| names);
            self.faces[face].entry.neighbours_ccw = Some(names.next().unwrap_or_default());
            self.faces[face].entry.islands_ccw = names.collect();
        }
    }
}
