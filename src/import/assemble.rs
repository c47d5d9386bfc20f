//! From an embedding to a map file: large faces are filled, coasts named, and waterways added.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::{Chart, FaceEntry, KindEntry, MapFile, atlas};

use crate::coasts::{Coasts, waterways};
use crate::compare::{AdjacencyDifference, differences};
use crate::hints::Hints;
use crate::note::ImportNote;
use crate::planar::graph::Node;
use crate::planar::rotation::{Dart, Rotation};
use crate::shape::{BoardShape, NodeKind};
use crate::sketch::{Sketch, SketchGround, Station};

/// A map file made from an embedding, with its distance from the source.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The map file, without centres.
    pub file: MapFile,
    /// The board that the file describes.
    pub chart: Chart,
    /// The moves that differ from those of the source.
    pub differences: Vec<AdjacencyDifference>,
    /// The number of hints on orders round provinces that are not satisfied.
    pub disordered: usize,
    /// Waterways and fillers that no hint asked for.
    pub additions: usize,
    /// The decisions.
    pub notes: Vec<ImportNote>,
}

/// How a face between more than three provinces is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// Adjacent provinces meet a second time in it, where that is enough.
    Borders,
    /// An impassable face.
    Filler,
}

/// The nodes of a face in ascending order, which identify the face regardless of the numbering of darts.
pub type FaceKey = Vec<Node>;

/// The source of a board and its hints.
#[derive(Clone, Copy)]
pub struct AssemblyInput<'a> {
    /// The file as errors name it.
    pub file: &'a str,
    /// The board of the source.
    pub sketch: &'a Sketch,
    /// The hints.
    pub hints: &'a Hints,
}

impl Assembled {
    /// The distance from the source; lower is better. A single difference in moves outweighs any number of
    /// additions.
    pub fn cost(&self) -> (usize, usize, usize) {
        (self.differences.len(), self.disordered, self.additions)
    }
}

/// Fills an embedding and writes it as a map file.
///
/// # Errors
/// The resulting map is not sound, or has more faces than a map can have.
pub fn assemble(
    brief: AssemblyInput<'_>,
    shape: &BoardShape,
    rotation: &Rotation,
    fillings: &BTreeMap<FaceKey, Filling>,
) -> Result<Assembled, atlas::AtlasError> {
    let mut maker = Maker { brief, shape: shape.clone(), rotation: rotation.clone(), notes: Vec::new() };
    maker.fill_faces(fillings);
    maker.part_coasts();
    maker.close_corners();
    let mut file = maker.write();
    let bare = atlas::chart_of(brief.file, file.clone())?;
    let coasts = Coasts::of(brief.sketch, &maker.shape, &maker.rotation);
    coasts.name(&bare, &maker.shape, &mut file);
    let added = waterways(brief.hints, &coasts, &bare, &maker.shape, &mut file);
    let chart = atlas::chart_of(brief.file, file.clone())?;
    let is_filler = |node: &Node| maker.shape.kind(*node) == NodeKind::Filler;
    let additions = 3 * added.len() + maker.shape.nodes().filter(is_filler).count();
    maker.notes.extend(added);
    let disordered = disordered(&file, brief.hints);
    let differences = differences(&chart, brief.sketch);
    let Maker { notes, .. } = maker;
    Ok(Assembled { file, chart, differences, disordered, additions, notes })
}

struct Maker<'a> {
    brief: AssemblyInput<'a>,
    shape: BoardShape,
    rotation: Rotation,
    notes: Vec<ImportNote>,
}

/// The nodes of a face in ascending order.
pub fn key_of(rotation: &Rotation, face: &[Dart]) -> FaceKey {
    let mut key: FaceKey = face.iter().map(|&dart| rotation.origin(dart)).collect();
    key.sort_unstable();
    key
}

/// The faces of an embedding with more than three sides.
pub fn big_faces(rotation: &Rotation) -> Vec<Vec<Dart>> {
    rotation.faces().into_iter().filter(|face| face.len() > 3).collect()
}

impl Maker<'_> {
    fn names(&self, face: &[Dart]) -> Vec<String> {
        self.shape.names(face.iter().map(|&dart| self.rotation.origin(dart)))
    }

    fn fill_faces(&mut self, fillings: &BTreeMap<FaceKey, Filling>) {
        let mut faces = big_faces(&self.rotation);
        faces.sort_by_key(|face| (std::cmp::Reverse(face.len()), key_of(&self.rotation, face)));
        let outside = self.outside_among(&faces);
        match outside.map(|index| faces.remove(index)) {
            Some(face) => {
                let node = self.shape.add("OUT", NodeKind::Outside);
                self.notes.push(ImportNote::Outside(self.names(&face)));
                self.rotation.add_node(&face, node);
            }
            None => self.notes.push(ImportNote::NoOutside),
        }
        for face in faces {
            let filling = fillings.get(&key_of(&self.rotation, &face)).copied().unwrap_or(Filling::Borders);
            let left = if filling == Filling::Borders { self.cut_ears(face) } else { face };
            if left.len() > 3 {
                self.add_filler(&left);
            }
        }
    }

    /// The face that is the Outside: the one that the hints describe, otherwise the largest.
    fn outside_among(&self, faces: &[Vec<Dart>]) -> Option<usize> {
        match &self.brief.hints.outside {
            Some(hinted) if hinted.is_empty() => None,
            Some(hinted) => faces.iter().position(|face| {
                let names = self.names(face);
                hinted.iter().all(|name| names.contains(name))
            }),
            None => (!faces.is_empty()).then_some(0),
        }
    }

    /// Connects corners of a face that are two apart and already adjacent, as long as there are any. Returns
    /// the rest.
    fn cut_ears(&mut self, mut face: Vec<Dart>) -> Vec<Dart> {
        while face.len() > 3 {
            let at = |i: usize| self.rotation.origin(face[i % face.len()]);
            let is_ear = |&i: &usize| at(i) != at(i + 2) && self.shape.are_adjacent(at(i), at(i + 2));
            // First round the node with the fewest neighbours, which is most likely to be inside.
            let degree = |&i: &usize| (self.shape.graph.neighbours(at(i + 1)).count(), at(i + 1));
            let Some(ear) = (0..face.len()).filter(is_ear).min_by_key(degree) else { break };
            let len = face.len();
            let (from, to) = (face[ear], face[(ear + 2) % len]);
            self.rotation.add_chord(from, to);
            // The chord's dart comes immediately after `from`: the face continues on its left.
            face = self.rotation.face(self.rotation.after(from));
        }
        face
    }

    fn add_filler(&mut self, face: &[Dart]) {
        let node = self.shape.add("X", NodeKind::Filler);
        let around = self.names(face);
        let hinted = self.brief.hints.fillers.iter();
        let named = hinted.filter(|(_, filler)| filler.around.iter().all(|name| around.contains(name)));
        if let Some((code, _)) = named.max_by_key(|(_, filler)| filler.around.len()) {
            self.shape.call(node, code);
        }
        self.notes.push(ImportNote::Filler { code: self.shape.code(node).to_owned(), around });
        self.rotation.add_node(face, node);
    }

    /// Where armies can pass and fleets cannot, the sea does not reach the end of the border.
    fn close_corners(&mut self) {
        for face in self.rotation.faces() {
            let nodes: Vec<Node> = face.iter().map(|&dart| self.rotation.origin(dart)).collect();
            if nodes.len() != 3 {
                continue;
            }
            let lands: Vec<Node> = nodes.iter().copied().filter(|&node| self.shape.is_land(node)).collect();
            let sea = nodes.iter().copied().find(|&node| self.shape.is_sea(node));
            let ([a, b], Some(sea)) = (&lands[..], sea) else { continue };
            let sea = self.shape.code(sea);
            let sketch = self.brief.sketch;
            let at_sea = |station: &Station| station.1.is_none() || sketch.seas_of(station).contains(sea);
            if !sketch.fleets_pass(self.shape.code(*a), self.shape.code(*b), at_sea) {
                self.add_filler(&face);
            }
        }
    }

    /// If one of two seas is at one coast of a province and the other at another coast, something must
    /// separate them.
    fn part_coasts(&mut self) {
        for face in self.rotation.faces() {
            let nodes: Vec<Node> = face.iter().map(|&dart| self.rotation.origin(dart)).collect();
            if nodes.len() != 3 {
                continue;
            }
            let seas: Vec<&str> = nodes
                .iter()
                .filter(|&&node| self.shape.is_sea(node))
                .map(|&node| self.shape.code(node))
                .collect();
            let land = nodes.iter().copied().find(|&node| self.shape.is_land(node));
            let ([x, y], Some(land)) = (&seas[..], land) else { continue };
            let sketch = self.brief.sketch;
            let stations = sketch.stations_of(self.shape.code(land));
            let seas_of: Vec<BTreeSet<&str>> =
                stations.iter().map(|station| sketch.seas_of(station)).collect();
            if stations.len() > 1 && !seas_of.iter().any(|seas| seas.contains(x) && seas.contains(y)) {
                self.add_filler(&face);
            }
        }
    }

    fn write(&self) -> MapFile {
        let mut file = MapFile { powers: Some(self.brief.sketch.powers.clone()), ..MapFile::default() };
        if self.brief.sketch.powers.is_empty() {
            file.powers = None;
        }
        for (node, cycles) in self.rotation.cycles() {
            let code = self.shape.code(node);
            let across =
                |cycle: &Vec<Dart>| self.shape.names(cycle.iter().map(|&dart| self.rotation.target(dart)));
            let mut cycles: Vec<Vec<String>> = cycles.iter().map(across).collect();
            let first = cycles.remove(0);
            let kind = match self.shape.kind(node) {
                NodeKind::Province(SketchGround::Land) => KindEntry::Land,
                NodeKind::Province(SketchGround::Sea) => KindEntry::Sea,
                NodeKind::Province(SketchGround::Shut) | NodeKind::Filler => KindEntry::Impassable,
                NodeKind::Point => KindEntry::Point,
                NodeKind::Outside => KindEntry::Outside,
            };
            let province = self.brief.sketch.provinces.get(code);
            let name = province.map_or_else(|| self.filler_name(node), |province| province.name.clone());
            let entry = FaceEntry {
                name,
                kind,
                supply_centre: province.is_some_and(|province| province.supply_centre),
                home: province.and_then(|province| province.home.clone()),
                neighbours_ccw: Some(first),
                islands_ccw: cycles,
                centre: None,
            };
            file.faces.insert(code.to_owned(), entry);
        }
        file
    }

    fn filler_name(&self, node: Node) -> String {
        let code = self.shape.code(node);
        match (self.brief.hints.fillers.get(code), self.shape.kind(node)) {
            (Some(filler), _) => filler.name.clone(),
            (None, NodeKind::Outside) => "Outside".to_owned(),
            (None, NodeKind::Point) => format!("Point {}", code.trim_start_matches('P')),
            (None, _) => format!("Impassable {}", code.trim_start_matches('X')),
        }
    }
}

/// The number of hints on the order of neighbours round a province that are not satisfied.
fn disordered(file: &MapFile, hints: &Hints) -> usize {
    let holds = |(code, wanted): (&String, &Vec<String>)| {
        let Some(face) = file.faces.get(code) else { return false };
        let mut cycles = std::iter::once(face.neighbours()).chain(face.islands_ccw.iter().map(Vec::as_slice));
        cycles.any(|cycle| is_round(cycle, wanted))
    };
    hints.around.iter().filter(|&hint| !holds(hint)).count()
}

/// Do these occur on a cycle in this order?
fn is_round(cycle: &[String], wanted: &[String]) -> bool {
    (0..cycle.len()).any(|turn| {
        let mut wanted = wanted.iter().peekable();
        for name in cycle[turn..].iter().chain(&cycle[..turn]) {
            wanted.next_if_eq(&name);
        }
        wanted.peek().is_none()
    })
}
