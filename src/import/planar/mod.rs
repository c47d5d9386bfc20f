//! Graphs in the plane: blocks, embeddings, and obstacles to an embedding.

pub mod left_right;
pub mod rotation;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

// Simple graphs.

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
    pub(crate) fn add(&mut self, [a, b]: Edge) {
        if a != b {
            self.neighbours.entry(a).or_default().insert(b);
            self.neighbours.entry(b).or_default().insert(a);
        }
    }

    /// The graph of these edges.
    pub fn of(edges: impl IntoIterator<Item = Edge>) -> PlanarGraph {
        let mut graph = PlanarGraph::default();
        edges.into_iter().for_each(|edge| graph.add(edge));
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

// The blocks of a graph: the largest parts that stay connected whichever single node is removed. Two blocks
// share at most one node, so each can be embedded independently.

/// The edges of each block, by the depth-first search of Hopcroft and Tarjan. A bridge is a block of one edge.
pub(crate) fn blocks(graph: &PlanarGraph) -> Vec<Vec<Edge>> {
    let mut search =
        Search { graph, depth: BTreeMap::new(), low: BTreeMap::new(), path: Vec::new(), blocks: Vec::new() };
    for node in graph.nodes() {
        if !search.depth.contains_key(&node) {
            search.from(node);
        }
    }
    search.blocks
}

struct Search<'a> {
    graph: &'a PlanarGraph,
    depth: BTreeMap<Node, usize>,
    low: BTreeMap<Node, usize>,
    path: Vec<Edge>,
    blocks: Vec<Vec<Edge>>,
}

impl Search<'_> {
    fn from(&mut self, root: Node) {
        // Not recursive, because a chain of provinces may be as long as the file.
        let mut stack: Vec<(Node, Option<Node>, Vec<Node>)> = Vec::new();
        self.enter(root, 0);
        stack.push((root, None, self.graph.neighbours(root).collect()));
        while let Some((node, parent, left)) = stack.last_mut() {
            let (node, parent) = (*node, *parent);
            let Some(next) = left.pop() else {
                stack.pop();
                if let Some(parent) = parent {
                    self.leave(node, parent);
                }
                continue;
            };
            match self.depth.get(&next).copied() {
                None => {
                    self.path.push(edge(node, next));
                    let depth = self.depth[&node] + 1;
                    self.enter(next, depth);
                    stack.push((next, Some(node), self.graph.neighbours(next).collect()));
                }
                Some(depth) if Some(next) != parent && depth < self.depth[&node] => {
                    self.path.push(edge(node, next));
                    self.lower(node, depth);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: Node, depth: usize) {
        self.depth.insert(node, depth);
        self.low.insert(node, depth);
    }

    fn lower(&mut self, node: Node, depth: usize) {
        let low = self.low.entry(node).or_insert(depth);
        *low = depth.min(*low);
    }

    fn leave(&mut self, node: Node, parent: Node) {
        let low = self.low[&node];
        self.lower(parent, low);
        if low >= self.depth[&parent] {
            let first = self.path.iter().rposition(|&on| on == edge(node, parent)).unwrap_or(0);
            self.blocks.push(self.path.split_off(first));
        }
    }
}

// The work of a computation, counted in steps of about the same length: an edge or a dart that is visited once.

/// The steps taken so far, and the number that is allowed. A search that need not be complete ends when they are used
/// up; a computation that has to be finished counts its steps, but does not end early.
#[derive(Debug)]
pub struct Effort {
    spent: Cell<u64>,
    allowed: u64,
}

impl Effort {
    /// As many steps as `rate` times n log n for a graph of `n` nodes, so that the time of a whole search grows no
    /// faster than that of sorting.
    pub fn for_nodes(n: usize, rate: u64) -> Effort {
        let n = n.max(2) as u64;
        Effort { spent: Cell::new(0), allowed: rate * n * u64::from(n.ilog2() + 1) }
    }

    /// Counts steps.
    pub(crate) fn spend(&self, steps: usize) {
        self.spent.set(self.spent.get() + steps as u64);
    }

    /// The steps that were counted.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Are there no more steps?
    pub(crate) fn is_used_up(&self) -> bool {
        self.spent.get() >= self.allowed
    }
}
