//! A board as a graph: the meaning of each node, and the adjacencies.

use crate::planar::graph::{Graph, Node, edge};
use crate::sketch::Ground;

/// The meaning of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A province.
    Province(Ground),
    /// A point at which more than three provinces meet.
    Point,
    /// An impassable face.
    Filler,
    /// Everything beyond the edge of the board.
    Outside,
}

/// The nodes of a board, by their indices, and which of them are adjacent.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    codes: Vec<String>,
    kinds: Vec<Kind>,
    /// Which nodes are adjacent.
    pub graph: Graph,
}

impl Shape {
    /// The code of a node.
    pub fn code(&self, node: Node) -> &str {
        &self.codes[node.index()]
    }

    /// The meaning of a node.
    pub fn kind(&self, node: Node) -> Kind {
        self.kinds[node.index()]
    }

    /// Is it a land province?
    pub fn is_land(&self, node: Node) -> bool {
        self.kind(node) == Kind::Province(Ground::Land)
    }

    /// Is it a sea?
    pub fn is_sea(&self, node: Node) -> bool {
        self.kind(node) == Kind::Province(Ground::Sea)
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.codes.len()).map(|index| Node(index as u16))
    }

    /// Adds a node that is adjacent to nothing. Its code is this one, or one like it that nothing has yet.
    pub fn add(&mut self, code: &str, kind: Kind) -> Node {
        let taken = |code: &str| self.codes.iter().any(|known| known == code);
        let numbered = || (1..).map(|i| format!("{code}{i}")).find(|code| !taken(code)).unwrap_or_default();
        let code = if kind != Kind::Filler && kind != Kind::Point && !taken(code) {
            code.to_owned()
        } else {
            numbered()
        };
        self.codes.push(code);
        self.kinds.push(kind);
        Node((self.codes.len() - 1) as u16)
    }

    /// Calls a node otherwise, unless something else is called so.
    pub fn call(&mut self, node: Node, code: &str) {
        if !self.codes.iter().any(|known| known == code) {
            code.clone_into(&mut self.codes[node.index()]);
        }
    }

    /// Makes these meet at one point, in this order round it: those that do not follow each other meet there alone.
    pub fn add_point(&mut self, around: &[Node]) -> Node {
        let point = self.add("P", Kind::Point);
        for (i, &a) in around.iter().enumerate() {
            for (j, &b) in around.iter().enumerate().skip(i + 1) {
                let follow = j == i + 1 || (i == 0 && j == around.len() - 1);
                if !follow {
                    self.graph.remove(edge(a, b));
                }
            }
            Graph::add(edge(a, point), &mut self.graph);
        }
        point
    }

    /// Are two nodes adjacent, by a border or at a point?
    pub fn are_adjacent(&self, a: Node, b: Node) -> bool {
        let at_point =
            |node: Node| self.graph.neighbours(node).filter(|&next| self.kind(next) == Kind::Point);
        self.graph.has(edge(a, b)) || at_point(a).any(|point| self.graph.has(edge(point, b)))
    }

    /// The codes of nodes.
    pub fn names(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.code(node).to_owned()).collect()
    }
}
