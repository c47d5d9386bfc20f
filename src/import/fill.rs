//! Fills an embedding: every face between more than three nodes becomes the Outside, is divided by second borders of
//! provinces that are adjacent already, or becomes an impassable face.
//!
//! A fleet passes between two adjacent lands where their border ends at a sea. In a planar graph, three nodes that are
//! adjacent to one another are either on a face in common in every embedding, or in none; and chords between adjacent
//! nodes of a face never cross. So if every face is divided by all its chords, each move that any drawing keeps is
//! kept, whichever the embedding is. Second borders are drawn only where a triangle beside them is of use, and the
//! Outside yields what no other face can give.

use std::collections::{BTreeMap, BTreeSet};

use crate::hints::Hints;
use crate::planar::rotation::{Dart, Division, Rotation, divide};
use crate::planar::{Effort, Node};
use crate::shape::{BoardShape, Fleets, NodeKind};

/// How a face between more than three provinces is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filling {
    /// Adjacent provinces meet a second time in it, where that is enough.
    Borders,
    /// An impassable face.
    Filler,
}

/// The nodes of a face in ascending order, which identify the face regardless of the numbering of darts.
pub(crate) type FaceKey = Vec<Node>;

/// What all embeddings of a board have in common.
#[derive(Clone, Copy)]
pub(crate) struct FillGround<'a> {
    /// The board as a graph.
    pub(crate) shape: &'a BoardShape,
    /// The moves of fleets.
    pub(crate) fleets: &'a Fleets,
    /// The neighbours of each node, each pair once.
    pub(crate) later: &'a [Vec<Node>],
    /// The hints.
    pub(crate) hints: &'a Hints,
    /// The provinces of the hint `outside`.
    pub(crate) outside: &'a [Node],
}

/// An embedding without faces of more than three sides, except the Outside and impassable ones.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    /// The graph with the nodes that were added, which have no codes yet.
    pub(crate) shape: BoardShape,
    /// The embedding.
    pub(crate) rotation: Rotation,
    /// The boundary of the Outside.
    pub(crate) outside: Option<Vec<Node>>,
    /// The impassable faces that were added, each with its boundary.
    pub(crate) fillers: Vec<(Node, Vec<Node>)>,
    /// The moves of fleets that are lost because no border of the two lands ends at a sea.
    pub(crate) lost: usize,
    /// The number of provinces of the hint `outside` that the Outside does not touch.
    pub(crate) not_outside: usize,
    /// The number of second borders that were drawn.
    pub(crate) borders: usize,
    /// The faces that could be filled in two ways.
    pub(crate) open: Vec<FaceKey>,
}

/// A face that can become the Outside, and how it can be divided.
struct Polygon {
    darts: Vec<Dart>,
    nodes: Vec<Node>,
    key: FaceKey,
    division: Division,
    /// The cells at which fleets pass, with the pair.
    passed: Vec<(usize, usize)>,
    filling: Filling,
}

/// What remains of a polygon for the Outside.
struct Rest {
    polygon: usize,
    /// The chords that are drawn, for cells that no other face can replace.
    chords: Vec<bool>,
    /// The cells that are not part of it.
    needed: Vec<FaceKey>,
    size: usize,
}

/// Fills an embedding.
pub(crate) fn fill(
    ground: FillGround<'_>,
    rotation: &Rotation,
    fillings: &BTreeMap<FaceKey, Filling>,
    effort: &Effort,
) -> Filled {
    effort.spend(rotation.darts().len());
    let faces = rotation.faces();
    let mut passed = vec![0_usize; ground.fleets.moves().len()];
    let mut polygons: Vec<Polygon> = Vec::new();
    let mut place: Vec<Option<usize>> = vec![None; ground.shape.nodes().len()];
    for face in faces {
        let nodes: Vec<Node> = face.iter().map(|&dart| rotation.origin(dart)).collect();
        // Only a hint makes a face of three sides the Outside.
        if nodes.len() > 3 || !ground.outside.is_empty() && nodes.len() == 3 {
            polygons.push(polygon(ground, face, nodes, &mut place, fillings));
        } else if let Some(pair) = pair_at(ground, &nodes) {
            passed[pair] += 1;
        }
    }
    for polygon in polygons.iter().filter(|polygon| polygon.filling == Filling::Borders) {
        polygon.passed.iter().for_each(|&(_, pair)| passed[pair] += 1);
    }
    polygons.sort_by(|a, b| (b.nodes.len(), &a.key).cmp(&(a.nodes.len(), &b.key)));
    let rest = outside(ground, &polygons, &passed);
    let open = |polygon: &&Polygon| !polygon.division.chords.is_empty();
    let mut filled = Filled {
        shape: ground.shape.clone(),
        rotation: rotation.clone(),
        outside: None,
        fillers: Vec::new(),
        lost: 0,
        not_outside: ground.outside.len(),
        borders: 0,
        open: polygons.iter().filter(open).map(|polygon| polygon.key.clone()).collect(),
    };
    if let Some(rest) = &rest {
        filled.draw_outside(ground, &polygons[rest.polygon], rest);
    }
    for (i, polygon) in polygons.iter().enumerate() {
        if rest.as_ref().is_none_or(|rest| rest.polygon != i) {
            filled.draw_polygon(polygon);
        }
    }
    filled.part_coasts(ground);
    filled
}

/// The pair of lands between which fleets pass where three nodes meet.
fn pair_at(ground: FillGround<'_>, nodes: &[Node]) -> Option<usize> {
    let [a, b, c] = nodes[..] else { return None };
    let turns = [[a, b, c], [b, c, a], [c, a, b]];
    turns.into_iter().find_map(|[a, b, sea]| ground.fleets.passing([a, b], sea))
}

fn polygon(
    ground: FillGround<'_>,
    darts: Vec<Dart>,
    nodes: Vec<Node>,
    place: &mut [Option<usize>],
    fillings: &BTreeMap<FaceKey, Filling>,
) -> Polygon {
    nodes.iter().enumerate().for_each(|(i, node)| place[node.index()] = Some(i));
    let mut chords = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let others = ground.later[node.index()].iter().filter_map(|other| place[other.index()]);
        let is_chord = |&j: &usize| i.abs_diff(j) > 1 && i.abs_diff(j) < nodes.len() - 1;
        chords.extend(others.filter(is_chord).map(|j| [i.min(j), i.max(j)]));
    }
    nodes.iter().for_each(|node| place[node.index()] = None);
    let division = divide(nodes.len(), chords);
    let cells = division.cells.iter().enumerate();
    let passed = cells.filter_map(|(cell, corners)| {
        let corners: Vec<Node> = corners.iter().map(|&corner| nodes[corner]).collect();
        pair_at(ground, &corners).map(|pair| (cell, pair))
    });
    let passed = passed.collect();
    let key = sorted(nodes.clone());
    let filling = fillings.get(&key).copied().unwrap_or(Filling::Borders);
    Polygon { darts, nodes, key, division, passed, filling }
}

/// Which face is the Outside: the one that the hints describe, otherwise the one of which most is left when it has
/// given the cells that no other face can give.
fn outside(ground: FillGround<'_>, polygons: &[Polygon], passed: &[usize]) -> Option<Rest> {
    if ground.hints.outside.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    let missing =
        |polygon: &Polygon| ground.outside.iter().filter(|node| !polygon.nodes.contains(node)).count();
    let rests = (0..polygons.len())
        .map(|index| (missing(&polygons[index]), rest_of(ground, polygons, index, passed)));
    let best = rests.min_by_key(|(missing, rest)| (*missing, std::cmp::Reverse(rest.size), rest.polygon));
    best.map(|(_, rest)| rest).filter(|rest| rest.size > 2)
}

fn rest_of(ground: FillGround<'_>, polygons: &[Polygon], index: usize, passed: &[usize]) -> Rest {
    let polygon = &polygons[index];
    let (nodes, division) = (&polygon.nodes, &polygon.division);
    let is_filler = polygon.filling == Filling::Filler;
    let mut own: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(cell, pair) in &polygon.passed {
        own.entry(pair).or_default().push(cell);
    }
    // Pairs for which there is no other cell.
    let alone = own.iter().filter(|&(&pair, cells)| passed[pair] == if is_filler { 0 } else { cells.len() });
    let mut is_needed = vec![false; division.cells.len()];
    alone.for_each(|(_, cells)| is_needed[cells[0]] = true);
    let whole = Rest {
        polygon: index,
        chords: vec![false; division.chords.len()],
        needed: Vec::new(),
        size: nodes.len(),
    };
    if !is_needed.contains(&true) {
        return whole;
    }
    let chords: Vec<bool> =
        division.chords.iter().map(|chord| chord.cells.iter().any(|&cell| is_needed[cell])).collect();
    // The other cells form regions; a chord comes after those that it cuts off, so that its outer cell is the later one.
    let mut region: Vec<usize> = (0..division.cells.len()).collect();
    let mut corners: Vec<Vec<usize>> = division.cells.clone();
    for (chord, &is_drawn) in division.chords.iter().zip(&chords) {
        let [inner, outer] = chord.cells;
        if !is_drawn {
            region[inner] = outer;
            let own = std::mem::take(&mut corners[inner]);
            corners[outer].extend(own.into_iter().filter(|corner| !chord.ends.contains(corner)));
        }
    }
    let code = |corner: &usize| nodes[*corner];
    let holds_hinted = |corners: &Vec<usize>| {
        let touched: Vec<Node> = corners.iter().map(code).collect();
        ground.outside.iter().all(|node| touched.contains(node) || !nodes.contains(node))
    };
    let regions = (0..corners.len()).filter(|&cell| !is_needed[cell] && region[cell] == cell);
    let size = regions.filter(|&cell| holds_hinted(&corners[cell])).map(|cell| corners[cell].len()).max();
    let needed = is_needed.iter().zip(&division.cells).filter(|(needed, _)| **needed);
    let needed = needed.map(|(_, cell)| sorted(cell.iter().map(code).collect())).collect();
    match size {
        Some(size) => Rest { polygon: index, chords, needed, size },
        None if ground.hints.outside.is_some() => whole,
        None => Rest { size: 0, ..whole },
    }
}

fn sorted(mut nodes: Vec<Node>) -> FaceKey {
    nodes.sort_unstable();
    nodes
}

impl Filled {
    /// The neighbours round each province, which are the same in two drawings that do not differ. A node that was added
    /// is known by its neighbours.
    pub(crate) fn boundaries(&self) -> Vec<Vec<Vec<FaceKey>>> {
        let added = self.fillers.iter().map(|(node, around)| (*node, sorted(around.clone())));
        let added: BTreeMap<Node, FaceKey> = added.collect();
        let label = |node: Node| added.get(&node).cloned().unwrap_or_else(|| vec![node]);
        let normal = |cycle: Vec<Dart>| {
            let labels: Vec<FaceKey> =
                cycle.into_iter().map(|dart| label(self.rotation.target(dart))).collect();
            let first = labels.iter().min();
            let starts = (0..labels.len()).filter(|&i| Some(&labels[i]) == first);
            let turned = |start: usize| [&labels[start..], &labels[..start]].concat();
            starts.map(turned).min().unwrap_or_default()
        };
        let of_node = |cycles: Vec<Vec<Dart>>| {
            let mut cycles: Vec<Vec<FaceKey>> = cycles.into_iter().map(normal).collect();
            cycles.sort_unstable();
            cycles
        };
        let provinces = self.rotation.cycles().into_iter().filter(|(node, _)| !added.contains_key(node));
        provinces.map(|(_, cycles)| of_node(cycles)).collect()
    }

    fn nodes_of(&self, face: &[Dart]) -> Vec<Node> {
        face.iter().map(|&dart| self.rotation.origin(dart)).collect()
    }

    fn draw_outside(&mut self, ground: FillGround<'_>, polygon: &Polygon, rest: &Rest) {
        let faces = self.draw_chords(polygon, &rest.chords);
        let outside = faces.iter().enumerate().filter(|(_, face)| {
            let nodes = self.nodes_of(face);
            let touches =
                ground.outside.iter().all(|node| nodes.contains(node) || !polygon.nodes.contains(node));
            touches && !rest.needed.contains(&sorted(nodes))
        });
        let outside = outside.max_by_key(|(i, face)| (face.len(), std::cmp::Reverse(*i))).map(|(i, _)| i);
        for (i, face) in faces.iter().enumerate() {
            if Some(i) == outside {
                let nodes = self.nodes_of(face);
                self.not_outside = ground.outside.iter().filter(|node| !nodes.contains(node)).count();
                let node = self.shape.add(NodeKind::Outside);
                self.rotation.add_node(face, node);
                self.outside = Some(nodes);
            } else if face.len() > 3 {
                self.add_filler(face);
            }
        }
    }

    fn draw_polygon(&mut self, polygon: &Polygon) {
        let cells = &polygon.division.cells;
        let is_triangle = |&cell: &usize| cells[cell].len() == 3;
        let is_drawn =
            |cells: [usize; 2]| polygon.filling == Filling::Borders && cells.iter().any(is_triangle);
        let chords: Vec<bool> = polygon.division.chords.iter().map(|chord| is_drawn(chord.cells)).collect();
        for face in self.draw_chords(polygon, &chords).iter().filter(|face| face.len() > 3) {
            self.add_filler(face);
        }
    }

    /// Draws chords of a polygon, and returns the faces into which they divide it.
    fn draw_chords(&mut self, polygon: &Polygon, chords: &[bool]) -> Vec<Vec<Dart>> {
        let mut corners = polygon.darts.clone();
        let mut sides = polygon.darts.clone();
        for (chord, _) in polygon.division.chords.iter().zip(chords).filter(|(_, is_drawn)| **is_drawn) {
            let [from, to] = chord.ends;
            let dart = self.rotation.add_chord(corners[from], corners[to]);
            // What the chord does not cut off is on its left.
            corners[from] = dart;
            self.borders += 1;
            sides.extend([dart, dart.twin()]);
        }
        let mut faces: Vec<Vec<Dart>> = Vec::new();
        let mut seen = BTreeSet::new();
        for dart in sides {
            if !seen.contains(&dart) {
                let face = self.rotation.face(dart);
                seen.extend(face.iter().copied());
                faces.push(face);
            }
        }
        faces
    }

    fn add_filler(&mut self, face: &[Dart]) {
        let node = self.shape.add(NodeKind::Filler);
        self.fillers.push((node, self.nodes_of(face)));
        self.rotation.add_node(face, node);
    }

    /// Puts impassable faces where three nodes must not meet: where armies pass between two lands and fleets do not, the
    /// sea does not reach the end of the border; and two seas at different coasts of a land are apart. Counts the moves
    /// that are lost.
    fn part_coasts(&mut self, ground: FillGround<'_>) {
        let (mut is_kept, mut at_coasts, mut at_borders) =
            (vec![false; ground.fleets.moves().len()], Vec::new(), Vec::new());
        for face in self.rotation.faces().into_iter().filter(|face| face.len() == 3) {
            let nodes = self.nodes_of(&face);
            let lands: Vec<Node> = nodes.iter().copied().filter(|&node| self.shape.is_land(node)).collect();
            let seas: Vec<Node> = nodes.iter().copied().filter(|&node| self.shape.is_sea(node)).collect();
            match (&lands[..], &seas[..]) {
                (&[a, b], &[sea]) => match ground.fleets.passing([a, b], sea) {
                    Some(pair) => is_kept[pair] = true,
                    None => at_borders.push(face),
                },
                (&[land], &[x, y]) if ground.fleets.are_parted(land, [x, y]) => at_coasts.push(face),
                _ => {}
            }
        }
        for face in at_coasts.iter().chain(&at_borders) {
            self.add_filler(face);
        }
        let moves = ground.fleets.moves().iter().zip(&is_kept);
        self.lost = moves.filter(|(_, is_kept)| !**is_kept).map(|(moves, _)| moves).sum();
    }
}
