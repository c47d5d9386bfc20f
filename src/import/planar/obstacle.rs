//! Why a graph is not planar: a part of it, as small as can be, that is not.

use super::embed::is_planar;
use super::graph::{Edge, Graph, Node};

/// The edges of a smallest part that is not planar, a subdivision of K5 or K3,3 (Kuratowski): without any one of them it
/// would be. `None` if the graph is planar.
pub fn obstacle(graph: &Graph) -> Option<Vec<Edge>> {
    if is_planar(graph) {
        return None;
    }
    let mut edges: Vec<Edge> = graph.edges().collect();
    // Many at a time while that works, then fewer.
    let mut step = edges.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < edges.len() {
            let end = (at + step).min(edges.len());
            let rest: Vec<Edge> = edges[..at].iter().chain(&edges[end..]).copied().collect();
            if is_planar(&Graph::of(rest.iter().copied())) {
                at = end;
            } else {
                edges = rest;
            }
        }
        step /= 2;
    }
    Some(edges)
}

/// The nodes at which more than two of these edges meet: the five or six that an obstacle is about.
pub fn branches(edges: &[Edge]) -> Vec<Node> {
    let graph = Graph::of(edges.iter().copied());
    graph.nodes().filter(|&node| graph.neighbours(node).count() > 2).collect()
}
