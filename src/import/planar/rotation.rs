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

use std::collections::BTreeMap;

use super::blocks::blocks;
use super::embed::embed;
use super::graph::{Node, PlanarGraph};

/// One of the two directions of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Dart(u32);

impl Dart {
    /// The other direction of the same edge.
    pub fn twin(self) -> Dart {
        Dart(self.0 ^ 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An embedding. A node of several blocks has a cycle of darts for each block.
#[derive(Clone, Debug, Default)]
pub struct Rotation {
    origins: Vec<Node>,
    after: Vec<Dart>,
}

impl Rotation {
    /// An embedding of a graph, block by block; `None` if it is not planar.
    pub fn of(graph: &PlanarGraph) -> Option<Rotation> {
        let mut rotation = Rotation::default();
        for block in blocks(graph) {
            let mut darts: BTreeMap<[Node; 2], Dart> = BTreeMap::new();
            for &[a, b] in &block {
                let dart = rotation.add_edge([a, b]);
                darts.insert([a, b], dart);
                darts.insert([b, a], dart.twin());
            }
            for face in embed(&block)? {
                for i in 0..face.len() {
                    let [a, b, c] = [0, 1, 2].map(|k| face[(i + k) % face.len()]);
                    // Arriving at `b` from `a`, the face continues to `c`, which is the next one clockwise.
                    rotation.after[darts[&[b, c]].index()] = darts[&[b, a]];
                }
            }
        }
        Some(rotation)
    }

    /// Adds an edge whose darts are the only ones at their nodes.
    fn add_edge(&mut self, [a, b]: [Node; 2]) -> Dart {
        let dart = Dart(self.origins.len() as u32);
        self.origins.extend([a, b]);
        self.after.extend([dart, dart.twin()]);
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
    pub fn after(&self, dart: Dart) -> Dart {
        self.after[dart.index()]
    }

    /// The next dart clockwise round the same node.
    pub fn before(&self, dart: Dart) -> Dart {
        let mut at = dart;
        while self.after(at) != dart {
            at = self.after(at);
        }
        at
    }

    /// All darts.
    pub fn darts(&self) -> impl Iterator<Item = Dart> + use<> {
        (0..self.origins.len() as u32).map(Dart)
    }

    /// The darts round a node, beginning with this one, counter-clockwise.
    pub fn round(&self, dart: Dart) -> Vec<Dart> {
        let mut round = vec![dart];
        let mut at = self.after(dart);
        while at != dart {
            round.push(at);
            at = self.after(at);
        }
        round
    }

    /// The cycles of darts of each node, the longest first.
    pub fn cycles(&self) -> BTreeMap<Node, Vec<Vec<Dart>>> {
        let mut seen = vec![false; self.origins.len()];
        let mut cycles: BTreeMap<Node, Vec<Vec<Dart>>> = BTreeMap::new();
        for dart in self.darts() {
            if !seen[dart.index()] {
                let round = self.round(dart);
                round.iter().for_each(|dart| seen[dart.index()] = true);
                cycles.entry(self.origin(dart)).or_default().push(round);
            }
        }
        cycles.values_mut().for_each(|of_node| of_node.sort_by_key(|cycle| std::cmp::Reverse(cycle.len())));
        cycles
    }

    /// The darts along the face left of this one, counter-clockwise.
    pub fn face(&self, dart: Dart) -> Vec<Dart> {
        let mut face = vec![dart];
        let mut at = self.before(dart.twin());
        while at != dart {
            face.push(at);
            at = self.before(at.twin());
        }
        face
    }

    /// All faces, each as the list of its darts.
    pub fn faces(&self) -> Vec<Vec<Dart>> {
        let mut seen = vec![false; self.origins.len()];
        let mut faces = Vec::new();
        for dart in self.darts() {
            if !seen[dart.index()] {
                let face = self.face(dart);
                face.iter().for_each(|dart| seen[dart.index()] = true);
                faces.push(face);
            }
        }
        faces
    }

    /// Connects two corners of one face by a new edge; each corner is given by the dart on whose left the
    /// face is.
    pub fn add_chord(&mut self, from: Dart, to: Dart) {
        let dart = self.add_edge([self.origin(from), self.origin(to)]);
        self.insert_after(from, dart);
        self.insert_after(to, dart.twin());
    }

    /// Puts a new node into a face and connects it to every corner.
    pub fn add_node(&mut self, face: &[Dart], node: Node) {
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
        self.after[dart.index()] = self.after(before);
        self.after[before.index()] = dart;
    }

    /// The mirror image.
    pub fn mirrored(&self) -> Rotation {
        let mut mirrored = self.clone();
        for dart in self.darts() {
            mirrored.after[self.after(dart).index()] = dart;
        }
        mirrored
    }

    /// Reflects one side of a pair of nodes: the darts for which `turns` holds. `None` if the darts of the
    /// side are not contiguous at both nodes, so that they cannot be reflected.
    ///
    /// ```text
    ///        ╭─ a ─╮                ╭─ b ─╮
    ///     u ─┤     ├─ v    →     u ─┤     ├─ v
    ///        ╰─ b ─╯                ╰─ a ─╯
    /// ```
    pub fn turned(&self, pair: [Node; 2], turns: impl Fn(Dart) -> bool) -> Option<Rotation> {
        let mut turned = self.clone();
        let cycles = self.cycles();
        for (node, cycles) in &cycles {
            for cycle in cycles {
                let count = cycle.iter().filter(|&&dart| turns(dart)).count();
                if count == 0 {
                    continue;
                }
                let mut cycle = cycle.clone();
                if !pair.contains(node) {
                    if count < cycle.len() {
                        return None;
                    }
                    cycle.reverse();
                } else if count < cycle.len() {
                    let begins =
                        |i: &usize| turns(cycle[*i]) && !turns(cycle[(*i + cycle.len() - 1) % cycle.len()]);
                    let begin = (0..cycle.len()).find(begins)?;
                    cycle.rotate_left(begin);
                    if !cycle[..count].iter().all(|&dart| turns(dart)) {
                        return None;
                    }
                    cycle[..count].reverse();
                } else {
                    cycle.reverse();
                }
                for i in 0..cycle.len() {
                    turned.after[cycle[i].index()] = cycle[(i + 1) % cycle.len()];
                }
            }
        }
        Some(turned)
    }
}
