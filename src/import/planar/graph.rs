//! Simple graphs.

use std::collections::{BTreeMap, BTreeSet};

/// A node of a graph: a province, a point or a filler. An index into the caller's own table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Node(pub u16);

impl Node {
    /// The index into a table over nodes.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Two adjacent nodes, the lower first.
pub type Edge = [Node; 2];

/// The edge between two nodes.
pub(crate) fn edge(a: Node, b: Node) -> Edge {
    if a < b { [a, b] } else { [b, a] }
}

/// An undirected graph without loops and without double edges.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct PlanarGraph {
    neighbours: BTreeMap<Node, BTreeSet<Node>>,
}

impl PlanarGraph {
    /// Adds a node without neighbours.
    pub(crate) fn add_node(&mut self, node: Node) {
        self.neighbours.entry(node).or_default();
    }

    /// Makes two different nodes adjacent.
    pub(crate) fn add([a, b]: Edge, graph: &mut PlanarGraph) {
        if a != b {
            graph.neighbours.entry(a).or_default().insert(b);
            graph.neighbours.entry(b).or_default().insert(a);
        }
    }

    /// The graph of these edges.
    pub fn of(edges: impl IntoIterator<Item = Edge>) -> PlanarGraph {
        let mut graph = PlanarGraph::default();
        edges.into_iter().for_each(|edge| PlanarGraph::add(edge, &mut graph));
        graph
    }

    /// Removes an edge if it exists.
    pub(crate) fn remove(&mut self, [a, b]: Edge) {
        for (from, to) in [(a, b), (b, a)] {
            if let Some(neighbours) = self.neighbours.get_mut(&from) {
                neighbours.remove(&to);
            }
        }
    }

    /// Are the two adjacent?
    pub(crate) fn has(&self, [a, b]: Edge) -> bool {
        self.neighbours.get(&a).is_some_and(|neighbours| neighbours.contains(&b))
    }

    /// The nodes in ascending order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.neighbours.keys().copied()
    }

    /// The neighbours of a node in ascending order.
    pub(crate) fn neighbours(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.neighbours.get(&node).into_iter().flatten().copied()
    }

    /// The number of neighbours of a node.
    pub fn degree(&self, node: Node) -> usize {
        self.neighbours.get(&node).map_or(0, BTreeSet::len)
    }

    /// The edges in ascending order.
    pub(crate) fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.nodes().flat_map(|a| self.neighbours(a).filter(move |&b| a < b).map(move |b| [a, b]))
    }

    /// For each node, by its index, the neighbours that come after it when nodes with the fewest neighbours left are
    /// taken away first: at most five if the graph is planar.
    pub(crate) fn later_neighbours(&self) -> Vec<Vec<Node>> {
        let mut graph = self.clone();
        let mut later = vec![Vec::new(); self.nodes().last().map_or(0, |node| node.index() + 1)];
        let mut left: BTreeSet<(usize, Node)> = self.nodes().map(|node| (self.degree(node), node)).collect();
        while let Some((_, node)) = left.pop_first() {
            later[node.index()] = graph.neighbours(node).collect();
            for &other in &later[node.index()] {
                let degree = graph.degree(other);
                left.remove(&(degree, other));
                left.insert((degree - 1, other));
                graph.remove(edge(node, other));
            }
        }
        later
    }

    /// The connected components.
    pub(crate) fn components(&self) -> Vec<Vec<Node>> {
        let mut seen = BTreeSet::new();
        let mut components = Vec::new();
        for start in self.nodes() {
            if !seen.insert(start) {
                continue;
            }
            let (mut component, mut next) = (vec![start], 0);
            while next < component.len() {
                component.extend(self.neighbours(component[next]).filter(|&node| seen.insert(node)));
                next += 1;
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }
}
