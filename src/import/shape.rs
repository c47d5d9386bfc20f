//! A board as a graph: the kind of each node, and the adjacencies.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::planar::graph::{Node, PlanarGraph, edge};
use crate::sketch::SketchGround;

/// The largest number of provinces at a point of which each can have a second border with each.
const MOST_AT_POINT: usize = 8;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// A province.
    Province(SketchGround),
    /// A point at which more than three provinces meet.
    Point,
    /// An impassable face.
    Filler,
    /// Everything beyond the edge of the board.
    Outside,
}

/// The nodes of a board by index, and their adjacencies. A copy is cheap: only what differs is stored twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardShape {
    /// The codes of the first nodes; those that an embedding adds get theirs last.
    codes: Rc<Vec<String>>,
    kinds: Vec<NodeKind>,
    graph: Rc<PlanarGraph>,
}

impl BoardShape {
    /// The adjacencies.
    pub(crate) fn graph(&self) -> &PlanarGraph {
        &self.graph
    }

    /// The code of a node; empty if it has none yet.
    pub(crate) fn code(&self, node: Node) -> &str {
        self.codes.get(node.index()).map_or("", String::as_str)
    }

    /// The kind of a node.
    pub(crate) fn kind(&self, node: Node) -> NodeKind {
        self.kinds[node.index()]
    }

    /// Is it a land province?
    pub(crate) fn is_land(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Land)
    }

    /// Is it a sea?
    pub(crate) fn is_sea(&self, node: Node) -> bool {
        self.kind(node) == NodeKind::Province(SketchGround::Sea)
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + use<> {
        (0..self.kinds.len()).map(|index| Node(index as u16))
    }

    /// Adds a node without neighbours and without a code.
    pub(crate) fn add(&mut self, kind: NodeKind) -> Node {
        self.kinds.push(kind);
        Node((self.kinds.len() - 1) as u16)
    }

    /// Gives the nodes that have none yet their codes: the one that is wanted for a node, or `OUT`, `X1`, `P1` and so
    /// on, unless it is taken.
    pub(crate) fn name_new(&mut self, wanted: impl Fn(Node) -> Option<String>) {
        let codes = Rc::make_mut(&mut self.codes);
        let mut taken: BTreeSet<String> = codes.iter().cloned().collect();
        let mut last: BTreeMap<&str, usize> = BTreeMap::new();
        for index in codes.len()..self.kinds.len() {
            let letter = match self.kinds[index] {
                NodeKind::Outside => "OUT",
                NodeKind::Point => "P",
                NodeKind::Filler | NodeKind::Province(_) => "X",
            };
            let plain = Some(letter.to_owned()).filter(|_| self.kinds[index] == NodeKind::Outside);
            let code = wanted(Node(index as u16)).or(plain).filter(|code| !taken.contains(code));
            let numbers = last.entry(letter).or_default();
            let code = code.unwrap_or_else(|| {
                loop {
                    *numbers += 1;
                    let code = format!("{letter}{numbers}");
                    if !taken.contains(&code) {
                        break code;
                    }
                }
            });
            taken.insert(code.clone());
            codes.push(code);
        }
    }

    /// Adds a province without neighbours.
    pub(crate) fn add_province(&mut self, code: &str, ground: SketchGround) -> Node {
        Rc::make_mut(&mut self.codes).push(code.to_owned());
        let node = self.add(NodeKind::Province(ground));
        Rc::make_mut(&mut self.graph).add_node(node);
        node
    }

    /// Makes two nodes adjacent.
    pub(crate) fn connect(&mut self, a: Node, b: Node) {
        PlanarGraph::add(edge(a, b), Rc::make_mut(&mut self.graph));
    }

    /// Removes an adjacency.
    pub(crate) fn part(&mut self, a: Node, b: Node) {
        Rc::make_mut(&mut self.graph).remove(edge(a, b));
    }

    /// Makes these nodes meet at one point, in this order round it; those that are not consecutive meet only
    /// there.
    pub(crate) fn add_point(&mut self, around: &[Node]) -> Node {
        let point = self.add(NodeKind::Point);
        let graph = Rc::make_mut(&mut self.graph);
        for (i, &a) in around.iter().enumerate() {
            for (j, &b) in around.iter().enumerate().skip(i + 1) {
                let follow = j == i + 1 || (i == 0 && j == around.len() - 1);
                if !follow {
                    graph.remove(edge(a, b));
                }
            }
            PlanarGraph::add(edge(a, point), graph);
        }
        point
    }

    /// The adjacencies, and those of provinces that meet at a point, if they are not too many.
    pub(crate) fn meetings(&self) -> PlanarGraph {
        let mut graph = PlanarGraph::clone(&self.graph);
        for point in self.nodes().filter(|&node| self.kind(node) == NodeKind::Point) {
            let around: Vec<Node> = self.graph.neighbours(point).collect();
            if around.len() <= MOST_AT_POINT {
                for (i, &a) in around.iter().enumerate() {
                    around[..i].iter().for_each(|&b| PlanarGraph::add(edge(a, b), &mut graph));
                }
            }
        }
        graph
    }

    /// The codes of nodes.
    pub(crate) fn names(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<String> {
        nodes.into_iter().map(|node| self.code(node).to_owned()).collect()
    }
}
