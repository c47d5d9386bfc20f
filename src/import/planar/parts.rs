//! Pairs of nodes that separate an embedded graph, and the parts between them: each part can be reflected, and the
//! parts can change places. These are all the changes that lead from one embedding of a block to the others.
//!
//! ```text
//!        ╭─ a ─╮                ╭─ b ─╮
//!     u ─┤     ├─ v    →     u ─┤     ├─ v
//!        ╰─ b ─╯                ╰─ a ─╯
//! ```
//!
//! Two nodes separate the graph if they are on two faces in common, other than the two sides of an edge between them.
//! A ring of n nodes has n² such pairs, although it can be drawn in only one way. The search therefore lists two faces
//! with all the nodes that they share, of which only successive ones have a part of their own between them, and two
//! nodes with all the faces that they share (Chiba and Nishizeki 1985: in a planar graph this takes linear time).

use std::collections::BTreeMap;

use super::effort::Effort;
use super::rotation::{Dart, Rotation};

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
    pub at: [Vec<Dart>; 2],
    /// The darts of all nodes inside.
    pub inner: Vec<Dart>,
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
    let mut darts = vec![rotation.after(begin)];
    while let Some(&last) = darts.last()
        && last != end
    {
        darts.push(rotation.after(last));
    }
    darts
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
        arranged.reflect(&parts[index].inner);
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
