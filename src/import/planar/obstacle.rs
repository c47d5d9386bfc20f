//! Why a graph is not planar: a non-planar part that is as small as possible.

use super::effort::Effort;
use super::graph::{Edge, Node, PlanarGraph};
use super::left_right::is_planar;

/// The edges of a minimal non-planar part, a subdivision of K5 or K3,3 (Kuratowski): without any one of them
/// it would be planar. `None` if the graph is planar. When the effort is used up, the part may be larger than
/// necessary.
pub fn obstacle(graph: &PlanarGraph, effort: &Effort) -> Option<Vec<Edge>> {
    let mut rest: Vec<Edge> = graph.edges().collect();
    if is_planar(&rest, effort) {
        return None;
    }
    // A planar graph of n nodes has at most 3 n - 6 edges, so one more is enough.
    rest.truncate((3 * graph.nodes().count()).saturating_sub(5));
    // The shortest beginning of the list that is not planar ends with an edge of the part; this edge is kept, and those
    // after it are not needed.
    let mut kept: Vec<Edge> = Vec::new();
    while is_planar(&kept, effort) {
        if effort.is_used_up() {
            kept.append(&mut rest);
            break;
        }
        let is_enough = |count: usize| {
            let part: Vec<Edge> = kept.iter().chain(&rest[..count]).copied().collect();
            !is_planar(&part, effort)
        };
        let (mut planar, mut enough) = (0, rest.len());
        while enough - planar > 1 {
            let middle = usize::midpoint(planar, enough);
            *(if is_enough(middle) { &mut enough } else { &mut planar }) = middle;
        }
        rest.truncate(enough);
        kept.extend(rest.pop());
    }
    kept.sort_unstable();
    Some(kept)
}

/// The nodes with more than two of these edges: the five or six main nodes of an obstacle.
pub fn branches(edges: &[Edge]) -> Vec<Node> {
    let graph = PlanarGraph::of(edges.iter().copied());
    graph.nodes().filter(|&node| graph.neighbours(node).count() > 2).collect()
}
