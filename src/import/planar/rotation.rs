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

use super::blocks::blocks;
use super::effort::Effort;
use super::graph::{Node, PlanarGraph};
use super::left_right::embed;

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
    pub(crate) fn face(&self, dart: Dart) -> Vec<Dart> {
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

    /// Reverses the order round nodes, of which all darts are given.
    pub(crate) fn reflect(&mut self, darts: &[Dart]) {
        for dart in darts.iter().map(|dart| dart.index()) {
            (self.after[dart], self.before[dart]) = (self.before[dart], self.after[dart]);
        }
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
        let mut seen = vec![false; self.origins.len()];
        let mut blocks = Vec::new();
        for dart in self.darts() {
            if !seen[dart.index()] {
                let block = self.reached(&[dart], |_| false);
                block.iter().for_each(|dart| seen[dart.index()] = true);
                blocks.push(block);
            }
        }
        blocks.sort_by_key(|block| std::cmp::Reverse(block.len()));
        blocks
    }
}
