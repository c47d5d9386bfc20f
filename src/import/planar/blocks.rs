//! The blocks of a graph: the largest parts that stay connected whichever single node is removed. Two blocks
//! share at most one node, so each can be embedded independently.

use std::collections::BTreeMap;

use super::graph::{Edge, Node, PlanarGraph, edge};

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
