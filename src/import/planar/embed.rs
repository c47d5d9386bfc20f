//! Planar embeddings by the algorithm of Demoucron, Malgrange and Pertuiset (1964): a cycle is drawn first,
//! then the rest path by path, each within a face that contains both its ends; a part that fits only one face
//! comes first. The algorithm is quadratic, which is fast enough for boards of a few hundred provinces. No
//! well-kept crate gives an embedding: `rustworkx-core` only tests planarity.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::blocks::{blocks, nodes_of};
use super::graph::{Edge, Node, PlanarGraph, edge};

/// The faces of an embedded block: each a cycle of nodes with the face on the left.
pub type GraphFaces = Vec<Vec<Node>>;

/// Is the graph planar?
pub fn is_planar(graph: &PlanarGraph) -> bool {
    blocks(graph).iter().all(|block| embed(block).is_some())
}

/// Embeds a block; `None` if it is not planar. A bridge has one face, which runs along both its sides.
pub fn embed(block: &[Edge]) -> Option<GraphFaces> {
    let nodes = nodes_of(block);
    if let [[a, b]] = block {
        return Some(vec![vec![*a, *b]]);
    }
    if block.len() > 3 * nodes.len() - 6 {
        return None;
    }
    let graph = PlanarGraph::of(block.iter().copied());
    let cycle = cycle_of(&graph)?;
    let mut drawing = PolygonDrawing::of(&graph, cycle);
    while let Some(part) = drawing.next_part()? {
        drawing.draw(&part);
    }
    Some(drawing.faces)
}

/// A cycle of a graph in which every edge is on one.
fn cycle_of(graph: &PlanarGraph) -> Option<Vec<Node>> {
    let [a, b] = graph.edges().next()?;
    let mut without = graph.clone();
    without.remove([a, b]);
    path(&without, a, |node| node == b, |_| true)
}

/// The shortest path from a node to an end node, through permitted nodes.
fn path(
    graph: &PlanarGraph,
    from: Node,
    is_end: impl Fn(Node) -> bool,
    may_pass: impl Fn(Node) -> bool,
) -> Option<Vec<Node>> {
    let mut came: BTreeMap<Node, Node> = BTreeMap::from([(from, from)]);
    let mut front = VecDeque::from([from]);
    while let Some(node) = front.pop_front() {
        for next in graph.neighbours(node) {
            if came.contains_key(&next) {
                continue;
            }
            came.insert(next, node);
            if is_end(next) {
                let mut path = vec![next];
                let mut at = next;
                while at != from {
                    at = came[&at];
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            if may_pass(next) {
                front.push_back(next);
            }
        }
    }
    None
}

/// A connected part that is not drawn yet: an edge between two drawn nodes, or nodes with all their edges.
struct Part {
    inner: BTreeSet<Node>,
    /// The drawn nodes that it is attached to; at least two.
    contacts: Vec<Node>,
    /// The first face that contains all contacts.
    face: usize,
}

struct PolygonDrawing<'a> {
    graph: &'a PlanarGraph,
    faces: GraphFaces,
    /// For each face, by the index of a node: is it on the face?
    on_face: Vec<Vec<bool>>,
    nodes: BTreeSet<Node>,
    edges: BTreeSet<Edge>,
    size: usize,
}

impl PolygonDrawing<'_> {
    fn of(graph: &PlanarGraph, cycle: Vec<Node>) -> PolygonDrawing<'_> {
        let size = graph.nodes().last().map_or(0, |node| node.index() + 1);
        let mut drawing = PolygonDrawing {
            graph,
            faces: Vec::new(),
            on_face: Vec::new(),
            nodes: BTreeSet::new(),
            edges: BTreeSet::new(),
            size,
        };
        drawing.note(&cycle);
        drawing.edges.insert(edge(cycle[0], cycle[cycle.len() - 1]));
        let back = cycle.iter().rev().copied().collect();
        drawing.add_face(cycle);
        drawing.add_face(back);
        drawing
    }

    fn note(&mut self, path: &[Node]) {
        self.nodes.extend(path.iter().copied());
        self.edges.extend(path.windows(2).map(|pair| edge(pair[0], pair[1])));
    }

    fn add_face(&mut self, face: Vec<Node>) {
        let mut on = vec![false; self.size];
        face.iter().for_each(|node| on[node.index()] = true);
        self.on_face.push(on);
        self.faces.push(face);
    }

    /// The part to draw next; `Some(None)` if everything is drawn, `None` if a part fits into no face.
    #[allow(clippy::option_option, reason = "the outer is a failure, which ends the embedding")]
    fn next_part(&self) -> Option<Option<Part>> {
        let mut first = None;
        for (inner, contacts) in self.parts() {
            let mut fitting = (0..self.faces.len())
                .filter(|&face| contacts.iter().all(|node| self.on_face[face][node.index()]));
            let face = fitting.next()?;
            let is_forced = fitting.next().is_none();
            let part = Part { inner, contacts, face };
            if is_forced {
                return Some(Some(part));
            }
            first.get_or_insert(part);
        }
        Some(first)
    }

    fn parts(&self) -> Vec<(BTreeSet<Node>, Vec<Node>)> {
        let is_chord = |&[a, b]: &Edge| {
            self.nodes.contains(&a) && self.nodes.contains(&b) && !self.edges.contains(&[a, b])
        };
        let chords = self.graph.edges().filter(is_chord);
        let mut parts: Vec<(BTreeSet<Node>, Vec<Node>)> =
            chords.map(|chord| (BTreeSet::new(), chord.to_vec())).collect();
        let mut seen: BTreeSet<Node> = BTreeSet::new();
        for start in self.graph.nodes().filter(|node| !self.nodes.contains(node)) {
            if !seen.insert(start) {
                continue;
            }
            let (mut inner, mut contacts) = (BTreeSet::from([start]), BTreeSet::new());
            let mut front = vec![start];
            while let Some(node) = front.pop() {
                for next in self.graph.neighbours(node) {
                    if self.nodes.contains(&next) {
                        contacts.insert(next);
                    } else if seen.insert(next) {
                        inner.insert(next);
                        front.push(next);
                    }
                }
            }
            parts.push((inner, contacts.into_iter().collect()));
        }
        parts
    }

    /// Draws a path of the part through its face, which is divided into two.
    fn draw(&mut self, part: &Part) {
        let from = part.contacts[0];
        let way = if part.inner.is_empty() {
            Some(part.contacts.clone())
        } else {
            let is_end = |node: Node| node != from && part.contacts.contains(&node);
            // The first step enters the part rather than following a drawn edge.
            let mut own = PlanarGraph::default();
            for &node in &part.inner {
                self.graph.neighbours(node).for_each(|next| PlanarGraph::add(edge(node, next), &mut own));
            }
            path(&own, from, is_end, |node| part.inner.contains(&node))
        };
        // In a block no part is attached to a single node, so there always is a path.
        let Some(way) = way else { return };
        self.note(&way);
        let mut face = self.faces.swap_remove(part.face);
        self.on_face.swap_remove(part.face);
        let at = |face: &[Node], node: Node| face.iter().position(|&on| on == node).unwrap_or(0);
        let begin = at(&face, way[0]);
        face.rotate_left(begin);
        let end = at(&face, way[way.len() - 1]);
        let inner = &way[1..way.len() - 1];
        let left: Vec<Node> = face[..=end].iter().chain(inner.iter().rev()).copied().collect();
        let right: Vec<Node> = face[end..].iter().chain(&face[..1]).chain(inner).copied().collect();
        self.add_face(left);
        self.add_face(right);
    }
}
