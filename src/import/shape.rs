//! A board as a graph: the kind of each node, and the adjacencies.

use crate::planar::graph::{Node, PlanarGraph, edge};
use crate::sketch::SketchGround;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A province.
    Province(SketchGround),
    /// A point at which more than three provinces meet.
    Point,
    /// An impassable face.
    Filler,
    /// Everything beyond the edge of the board.
    Outside,
}

/// The nodes of a board by index, and their adjacencies.
#[derive(Clone, Debug, Default)]
pub struct BoardShape {
    codes: Vec<String>,
    kinds: Vec<NodeKind>,
    /// The adjacencies.
    pub graph: PlanarGraph,
}

impl BoardShape {
    /// The code of a node.
    pub fn code(&self, node: Node) -> &str {
        &self.codes[node.index()]
    }

    /// The kind of a node.
    pub fn kind(&self, node: Node) -> NodeKind {
        self.kinds[node.index()]
    }

    /// Is it a land province?
    pub fn is_land(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Land)
    }

    /// Is it a sea?
    pub fn is_sea(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Sea)
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.codes.len()).map(|index| Node(index as u16))
    }

    /// Adds a node without neighbours. Its code is the given one, or a similar one if that is taken.
    pub fn add(&mut self, code: &str, kind: NodeKind) -> Node {
        let taken = |code: &str| self.codes.iter().any(|known| known == code);
        let numbered = || (1..).map(|i| format!("{code}{i}")).find(|code| !taken(code)).unwrap_or_default();
        let code = if kind != NodeKind::Filler && kind != NodeKind::Point && !taken(code) {
            code.to_owned()
        } else {
            numbered()
        };
        self.codes.push(code);
        self.kinds.push(kind);
        Node((self.codes.len() - 1) as u16)
    }

    /// Renames a node, unless the name is taken.
    pub fn call(&mut self, node: Node, code: &str) {
        if !self.codes.iter().any(|known| known == code) {
            code.clone_into(&mut self.codes[node.index()]);
        }
    }

    /// Makes these nodes meet at one point, in this order round it; those that are not consecutive meet only
    /// there.
    pub fn add_point(&mut self, around: &[Node]) -> Node {
        let point = self.add("P", NodeKind::Point);
        for (i, &a) in around.iter().enumerate() {
            for (j, &b) in around.iter().enumerate().skip(i + 1) {
                let follow = j == i + 1 || (i == 0 && j == around.len() - 1);
                if !follow {
                    self.graph.remove(edge(a, b));
                }
            }
            PlanarGraph::add(edge(a, point), &mut self.graph);
        }
        point
    }

    /// Are two nodes adjacent, by a border or at a point?
    pub fn are_adjacent(&self, a: Node, b: Node) -> bool {
        let at_point =
            |node: Node| self.graph.neighbours(node).filter(|&next| self.kind(next) == NodeKind::Point);
        self.graph.has(edge(a, b)) || at_point(a).any(|point| self.graph.has(edge(point, b)))
    }

    /// The codes of nodes.
    pub fn names(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.code(node).to_owned()).collect()
    }
}
