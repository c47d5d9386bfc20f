//! Why a graph is not planar: a non-planar part that is as small as possible.

use super::embed::is_planar;
use super::graph::{Edge, Node, PlanarGraph};

/// The edges of a minimal non-planar part, a subdivision of K5 or K3,3 (Kuratowski): without any one of them
/// it would be planar. `None` if the graph is planar.
pub fn obstacle(graph: &PlanarGraph) -> Option<Vec<Edge>> {
    if is_planar(graph) {
        return None;
    }
    let mut edges: Vec<Edge> = graph.edges().collect();
    // Removes many edges at a time while that works, then fewer.
    let mut step = edges.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < edges.len() {
            let end = (at + step).min(edges.len());
            let rest: Vec<Edge> = edges[..at].iter().chain(&edges[end..]).copied().collect();
            if is_planar(&PlanarGraph::of(rest.iter().copied())) {
                at = end;
            } else {
                edges = rest;
            }
        }
        step /= 2;
    }
    Some(edges)
}

/// The nodes with more than two of these edges: the five or six main nodes of an obstacle.
pub fn branches(edges: &[Edge]) -> Vec<Node> {
    let graph = PlanarGraph::of(edges.iter().copied());
    graph.nodes().filter(|&node| graph.neighbours(node).count() > 2).collect()
}
