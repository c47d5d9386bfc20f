//! Embeddings as rotation systems: the darts round each node, counter-clockwise.
//!
//! An edge has two *darts*, one from each of its nodes; `twin = id ^ 1`. The face left of a dart is in the
//! gap between it and the next dart counter-clockwise round its node:
//!
//! ```text
//!            w
//!     face ╱            after(d) = v→w
//!        ╱
//!       v ──── d ────▶ u
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::planar::left_right::embed;
use crate::planar::{Effort, Node, PlanarGraph, blocks};

/// One of the two directions of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Dart(u32);

impl Dart {
    /// The other direction of the same edge.
    pub(crate) fn twin(self) -> Dart {
        Dart(self.0 ^ 1)
    }

    /// The index into a table over darts.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An embedding. A node of several blocks has a cycle of darts for each block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    origins: Vec<Node>,
    after: Vec<Dart>,
    before: Vec<Dart>,
}

impl Rotation {
    /// An embedding of a graph, block by block; `None` if it is not planar.
    pub fn of(graph: &PlanarGraph, effort: &Effort) -> Option<Rotation> {
        let mut rotation = Rotation::default();
        for block in blocks(graph) {
            let embedding = embed(&block, effort)?;
            let begin = rotation.origins.len();
            for ends in embedding.ends {
                rotation.add_edge(ends);
            }
            for (dart, after) in embedding.after.into_iter().enumerate() {
                rotation.link(Dart((begin + dart) as u32), Dart((begin + after) as u32));
            }
        }
        Some(rotation)
    }

    /// Makes the second dart the next one counter-clockwise.
    fn link(&mut self, dart: Dart, after: Dart) {
        self.after[dart.index()] = after;
        self.before[after.index()] = dart;
    }

    /// Adds an edge whose darts are the only ones at their nodes.
    fn add_edge(&mut self, [a, b]: [Node; 2]) -> Dart {
        let dart = Dart(self.origins.len() as u32);
        self.origins.extend([a, b]);
        self.after.extend([dart, dart.twin()]);
        self.before.extend([dart, dart.twin()]);
        dart
    }

    /// The node that a dart leaves.
    pub fn origin(&self, dart: Dart) -> Node {
        self.origins[dart.index()]
    }

    /// The node that a dart leads to.
    pub fn target(&self, dart: Dart) -> Node {
        self.origin(dart.twin())
    }

    /// The next dart counter-clockwise round the same node.
    pub(crate) fn after(&self, dart: Dart) -> Dart {
        self.after[dart.index()]
    }

    /// The next dart clockwise round the same node.
    pub(crate) fn before(&self, dart: Dart) -> Dart {
        self.before[dart.index()]
    }

    /// All darts.
    pub fn darts(&self) -> impl ExactSizeIterator<Item = Dart> + use<> {
        (0..self.origins.len() as u32).map(Dart)
    }

    /// The darts round a node, beginning with this one, counter-clockwise.
    pub(crate) fn round(&self, dart: Dart) -> Vec<Dart> {
        walk(dart, |at| self.after(at))
    }

    /// All darts in groups, each of which is given by any of its darts.
    fn groups(&self, group: impl Fn(Dart) -> Vec<Dart>) -> Vec<Vec<Dart>> {
        let mut seen = vec![false; self.origins.len()];
        let mut groups = Vec::new();
        for dart in self.darts() {
            if !seen[dart.index()] {
                let found = group(dart);
                found.iter().for_each(|dart| seen[dart.index()] = true);
                groups.push(found);
            }
        }
        groups
    }

    /// The cycles of darts of each node, the longest first.
    pub fn cycles(&self) -> BTreeMap<Node, Vec<Vec<Dart>>> {
        let mut cycles: BTreeMap<Node, Vec<Vec<Dart>>> = BTreeMap::new();
        for round in self.groups(|dart| self.round(dart)) {
            cycles.entry(self.origin(round[0])).or_default().push(round);
        }
        cycles.values_mut().for_each(|of_node| of_node.sort_by_key(|cycle| std::cmp::Reverse(cycle.len())));
        cycles
    }

    /// The darts along the face left of this one, counter-clockwise.
    pub(crate) fn face(&self, dart: Dart) -> Vec<Dart> {
        walk(dart, |at| self.before(at.twin()))
    }

    /// All faces, each as the list of its darts.
    pub fn faces(&self) -> Vec<Vec<Dart>> {
        self.groups(|dart| self.face(dart))
    }

    /// Connects two corners of one face by a new edge; each corner is given by the dart on whose left the
    /// face is. Returns the dart from the first to the second.
    pub(crate) fn add_chord(&mut self, from: Dart, to: Dart) -> Dart {
        let dart = self.add_edge([self.origin(from), self.origin(to)]);
        self.insert_after(from, dart);
        self.insert_after(to, dart.twin());
        dart
    }

    /// Puts a new node into a face and connects it to every corner.
    pub(crate) fn add_node(&mut self, face: &[Dart], node: Node) {
        let mut last: Option<Dart> = None;
        for &corner in face {
            let dart = self.add_edge([node, self.origin(corner)]);
            self.insert_after(corner, dart.twin());
            if let Some(last) = last {
                self.insert_after(last, dart);
            }
            last = Some(dart);
        }
    }

    fn insert_after(&mut self, before: Dart, dart: Dart) {
        let after = self.after(before);
        self.link(dart, after);
        self.link(before, dart);
    }

    /// Puts darts of one node into this order, counter-clockwise, as all that there are in their cycle.
    pub(crate) fn set_round(&mut self, round: &[Dart]) {
        for (i, &dart) in round.iter().enumerate() {
            self.link(dart, round[(i + 1) % round.len()]);
        }
    }

    /// The embedding with the order round some nodes reversed, of which all darts are given.
    pub(crate) fn reflected(&self, darts: &[Dart]) -> Rotation {
        let mut reflected = self.clone();
        for dart in darts.iter().map(|dart| dart.index()) {
            (reflected.after[dart], reflected.before[dart]) = (self.before[dart], self.after[dart]);
        }
        reflected
    }

    /// All darts of the nodes that are reached from these darts without passing a node of a barred dart.
    pub(crate) fn reached(&self, from: &[Dart], is_barred: impl Fn(Dart) -> bool) -> Vec<Dart> {
        let mut reached: BTreeSet<Dart> = BTreeSet::new();
        let mut front: Vec<Dart> = from.to_vec();
        while let Some(dart) = front.pop() {
            if reached.contains(&dart) || is_barred(dart) {
                continue;
            }
            for dart in self.round(dart) {
                reached.insert(dart);
                front.push(dart.twin());
            }
        }
        reached.into_iter().collect()
    }

    /// The darts of each block, the largest block first.
    pub fn blocks(&self) -> Vec<Vec<Dart>> {
        let mut blocks = self.groups(|dart| self.reached(&[dart], |_| false));
        blocks.sort_by_key(|block| std::cmp::Reverse(block.len()));
        blocks
    }
}

/// The darts from this one until the steps lead back to it.
fn walk(first: Dart, step: impl Fn(Dart) -> Dart) -> Vec<Dart> {
    let next = |&at: &Dart| Some(step(at)).filter(|&next| next != first);
    std::iter::successors(Some(first), next).collect()
}

// Pairs of nodes that separate an embedded graph, and the parts between them: each part can be reflected, and the
// parts can change places. These are all the changes that lead from one embedding of a block to the others.
//
// ```text
//        ╭─ a ─╮                ╭─ b ─╮
//     u ─┤     ├─ v    →     u ─┤     ├─ v
//        ╰─ b ─╯                ╰─ a ─╯
// ```
//
// Two nodes separate the graph if they are on two faces in common, other than the two sides of an edge between them.
// A ring of n nodes has n² such pairs, although it can be drawn in only one way. The search therefore lists two faces
// with all the nodes that they share, of which only successive ones have a part of their own between them, and two
// nodes with all the faces that they share (Chiba and Nishizeki 1985: in a planar graph this takes linear time).

/// The corners of two nodes at a face that they share: the darts on whose left the face is.
type Corners = [Dart; 2];

/// Two nodes, and their corners at the faces that they share, in the order of the faces round the first.
#[derive(Clone, Debug)]
pub(crate) struct SeparatingPair {
    corners: Vec<Corners>,
}

/// What is between two nodes and two faces that they share.
#[derive(Clone, Debug)]
pub(crate) struct SeparatedPart {
    /// The darts of the two nodes that lead into it, each counter-clockwise.
    pub(crate) at: [Vec<Dart>; 2],
    /// The darts of all nodes inside.
    pub(crate) inner: Vec<Dart>,
}

/// Finds the pairs that separate a graph into parts.
pub(crate) fn separating_pairs(rotation: &Rotation, effort: &Effort) -> Vec<SeparatingPair> {
    let incidence = Incidence::of(rotation);
    let mut found: BTreeMap<[usize; 2], BTreeMap<usize, Corners>> = BTreeMap::new();
    incidence.quadrangles(effort, |[x, y], shared| {
        if x < incidence.cycles {
            let faces = shared.iter().map(|&(face, corners)| (face, corners));
            record_corners(&mut found, [x, y], faces);
            return;
        }
        // Two faces: the part between two nodes has no other node of both faces.
        let wrapping = if shared.len() > 2 { shared.len() } else { 1 };
        for i in 0..wrapping {
            let (a, b) = (shared[i], shared[(i + 1) % shared.len()]);
            let corners = [0, 1].map(|side| ([x, y][side], [a.1[side], b.1[side]]));
            record_corners(&mut found, [a.0, b.0], corners.into_iter());
        }
    });
    let pair = |faces: BTreeMap<usize, Corners>| {
        let mut corners: Vec<Corners> = faces.into_values().collect();
        corners.sort_by_key(|[first, _]| incidence.place[first.index()]);
        SeparatingPair { corners }
    };
    let pairs = found.into_values().filter(|faces| faces.len() > 1).map(pair);
    pairs.filter(|pair| pair.corners.len() > 2 || !pair.is_an_edge(rotation)).collect()
}

/// Records the corners of two nodes at faces, the lower node first.
fn record_corners(
    found: &mut BTreeMap<[usize; 2], BTreeMap<usize, Corners>>,
    [a, b]: [usize; 2],
    faces: impl Iterator<Item = (usize, Corners)>,
) {
    let of_pair = found.entry([a.min(b), a.max(b)]).or_default();
    of_pair.extend(faces.map(|(face, [x, y])| (face, if a < b { [x, y] } else { [y, x] })));
}

impl SeparatingPair {
    /// Are the only two faces the sides of an edge between the two?
    fn is_an_edge(&self, rotation: &Rotation) -> bool {
        let [x, y] = [self.corners[0], self.corners[1]];
        let is_edge =
            |begin: Corners, end: Corners| rotation.after(begin[0]) == end[0] && end[0].twin() == begin[1];
        is_edge(x, y) || is_edge(y, x)
    }

    /// The parts, counter-clockwise round the first node.
    pub(crate) fn parts(&self, rotation: &Rotation, effort: &Effort) -> Vec<SeparatedPart> {
        let count = self.corners.len();
        let part = |i: usize| {
            let (begin, end) = (self.corners[i], self.corners[(i + 1) % count]);
            // The face of a corner comes immediately after its dart, counter-clockwise, followed by the part. Round
            // the second node, the same faces come in the other order.
            let at = [between(rotation, begin[0], end[0]), between(rotation, end[1], begin[1])];
            let ends = [rotation.origin(begin[0]), rotation.origin(begin[1])];
            let into: Vec<Dart> = at[0].iter().map(|dart| dart.twin()).collect();
            let inner = rotation.reached(&into, |dart| ends.contains(&rotation.origin(dart)));
            effort.spend(at[0].len() + at[1].len() + inner.len());
            SeparatedPart { at, inner }
        };
        (0..count).map(part).collect()
    }
}

/// The darts of a node after one corner, up to another.
fn between(rotation: &Rotation, begin: Dart, end: Dart) -> Vec<Dart> {
    let next = |&last: &Dart| (last != end).then(|| rotation.after(last));
    std::iter::successors(Some(rotation.after(begin)), next).collect()
}

impl SeparatedPart {
    /// Is it an edge between the two nodes, so that reflection does not change it?
    pub(crate) fn is_edge(&self) -> bool {
        self.inner.is_empty()
    }
}

/// The embedding with the parts of a pair in this order round the first node, and some of them reflected.
pub(crate) fn arranged(rotation: &Rotation, parts: &[SeparatedPart], order: &[(usize, bool)]) -> Rotation {
    let mut arranged = rotation.clone();
    let darts = |side: usize, &(index, is_reflected): &(usize, bool)| {
        let mut darts = parts[index].at[side].clone();
        if is_reflected {
            darts.reverse();
        }
        darts
    };
    let first: Vec<Dart> = order.iter().flat_map(|part| darts(0, part)).collect();
    let second: Vec<Dart> = order.iter().rev().flat_map(|part| darts(1, part)).collect();
    arranged.set_round(&first);
    arranged.set_round(&second);
    for &(index, _) in order.iter().filter(|(_, is_reflected)| *is_reflected) {
        arranged = arranged.reflected(&parts[index].inner);
    }
    arranged
}

/// Which nodes are at which faces: a graph of the cycles of darts, followed by the faces.
struct Incidence {
    cycles: usize,
    /// For each, those that it meets, in order, with the dart of the corner.
    met: Vec<Vec<(usize, Dart)>>,
    /// The place of each dart in its cycle.
    place: Vec<usize>,
}

impl Incidence {
    fn of(rotation: &Rotation) -> Incidence {
        let rounds: Vec<Vec<Dart>> = rotation.cycles().into_values().flatten().collect();
        let faces = rotation.faces();
        let cycles = rounds.len();
        let count = rotation.darts().count();
        let (mut cycle_of, mut face_of, mut place) = (vec![0; count], vec![0; count], vec![0; count]);
        for (i, round) in rounds.iter().enumerate() {
            for (at, dart) in round.iter().enumerate() {
                (cycle_of[dart.index()], place[dart.index()]) = (i, at);
            }
        }
        for (i, face) in faces.iter().enumerate() {
            face.iter().for_each(|dart| face_of[dart.index()] = cycles + i);
        }
        let at_faces = |round: &Vec<Dart>| round.iter().map(|&dart| (face_of[dart.index()], dart)).collect();
        let at_cycles = |face: &Vec<Dart>| face.iter().map(|&dart| (cycle_of[dart.index()], dart)).collect();
        Incidence {
            cycles,
            met: rounds.iter().map(at_faces).chain(faces.iter().map(at_cycles)).collect(),
            place,
        }
    }

    /// Calls the visitor with two nodes, or two faces, and everything that meets both, with the corners at each of the
    /// two. Every quadrangle of the graph is in exactly one of these calls.
    fn quadrangles(&self, effort: &Effort, mut visit: impl FnMut([usize; 2], &[(usize, Corners)])) {
        let mut order: Vec<usize> = (0..self.met.len()).collect();
        order.sort_by_key(|&x| (std::cmp::Reverse(self.met[x].len()), x));
        let mut is_done = vec![false; self.met.len()];
        let mut shared: Vec<Vec<(usize, Corners)>> = vec![Vec::new(); self.met.len()];
        for x in order {
            is_done[x] = true;
            let mut touched = Vec::new();
            for &(middle, first) in self.met[x].iter().filter(|(middle, _)| !is_done[*middle]) {
                effort.spend(self.met[middle].len());
                for &(y, second) in self.met[middle].iter().filter(|(y, _)| !is_done[*y]) {
                    if shared[y].is_empty() {
                        touched.push(y);
                    }
                    shared[y].push((middle, [first, second]));
                }
            }
            for y in touched {
                let both = std::mem::take(&mut shared[y]);
                if both.len() > 1 {
                    visit([x, y], &both);
                }
            }
        }
    }
}

// Chords of a polygon: which of them fit into it together, and the cells into which they divide it.

/// A cell: the positions of its corners on the polygon, in ascending order.
pub(crate) type PolygonCell = Vec<usize>;

/// A chord, between two corners of the polygon by position, with the cells on its two sides. Every chord comes after
/// those that it cuts off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chord {
    /// The lower position first.
    pub(crate) ends: [usize; 2],
    /// The indices of the cells.
    pub(crate) cells: [usize; 2],
}

/// A polygon that is divided by chords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Division {
    /// The chords that fit.
    pub(crate) chords: Vec<Chord>,
    /// The cells; the last is the one at the first corner that no chord cuts off.
    pub(crate) cells: Vec<PolygonCell>,
}

/// Divides a polygon of `len` corners by chords between two corners, the lower position first. A chord that crosses
/// a shorter one, or connects corners that are next to each other, is left out.
pub(crate) fn divide(len: usize, mut wanted: Vec<[usize; 2]>) -> Division {
    wanted.sort_unstable_by_key(|&[a, b]| (b - a, a));
    wanted.dedup();
    // The next corner that is not cut off, and the chord that leads there.
    let mut next: Vec<(usize, Option<usize>)> = (1..=len).map(|i| (i, None)).collect();
    let mut is_cut_off = vec![false; len];
    let mut division = Division { chords: Vec::new(), cells: Vec::new() };
    for ends @ [a, b] in wanted {
        if is_cut_off[a] || is_cut_off[b] || next[a].0 == b || b - a == len - 1 {
            continue;
        }
        let cell = division.walk(&next, a, b);
        cell[1..cell.len() - 1].iter().for_each(|&corner| is_cut_off[corner] = true);
        next[a] = (b, Some(division.chords.len()));
        division.chords.push(Chord { ends, cells: [division.cells.len(); 2] });
        division.cells.push(cell);
    }
    let cell = division.walk(&next, 0, len - 1);
    division.cells.push(cell);
    division
}

impl Division {
    /// The corners from one to another, of a cell that is about to be added.
    fn walk(&mut self, next: &[(usize, Option<usize>)], from: usize, to: usize) -> PolygonCell {
        let (mut cell, mut at) = (vec![from], from);
        while at != to {
            let (corner, chord) = next[at];
            if let Some(chord) = chord {
                self.chords[chord].cells[1] = self.cells.len();
            }
            cell.push(corner);
            at = corner;
        }
        cell
    }
}
