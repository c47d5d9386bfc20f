//! Adjacencies that cross: where four provinces, each adjacent to the three others, meet at one point.
//!
//! ```text
//!    AUS │ MES            AUS, MES, LIB and GOT are all adjacent to one another; two of these adjacencies, AUS–LIB and
//!   ─────●─────           MES–GOT, cross at the point. The graph is drawn with a node of its own for the point, in
//!    GOT │ LIB            place of the two.
//! ```

use crate::planar::effort::Effort;
use crate::planar::graph::{Edge, Node, PlanarGraph, edge};
use crate::planar::obstacle::obstacle;
use crate::shape::BoardShape;

/// The largest number of points to look for.
const MOST_POINTS: usize = 8;

/// The number of candidates after which the search gives up.
const MOST_TRIALS: usize = 60;

/// The shape with points where adjacencies cross, so that it is planar; or the edges that prevent this. The search for
/// points also ends when the effort is used up.
pub(crate) fn resolve(shape: BoardShape, effort: &Effort) -> Result<BoardShape, (BoardShape, Vec<Edge>)> {
    let Some(first) = obstacle(shape.graph(), effort) else { return Ok(shape) };
    let mut trials = MOST_TRIALS;
    match with_points(&shape, &first, MOST_POINTS, &mut trials, effort) {
        Some(resolved) => Ok(resolved),
        None => Err((shape, first)),
    }
}

fn with_points(
    shape: &BoardShape,
    edges: &[Edge],
    points: usize,
    trials: &mut usize,
    effort: &Effort,
) -> Option<BoardShape> {
    // A planar graph of n nodes has at most 3 n - 6 edges. A point brings the graph closer to that by one edge: it is a
    // node, and has four edges in place of two.
    let nodes = shape.graph().nodes().count();
    if shape.graph().edges().count() + 6 > 3 * nodes + points {
        return None;
    }
    for crossing in candidates(shape, edges) {
        if points == 0 || *trials == 0 || effort.is_used_up() {
            return None;
        }
        *trials -= 1;
        let mut next = shape.clone();
        next.add_point(&crossing);
        match obstacle(next.graph(), effort) {
            None => return Some(next),
            Some(edges) => {
                if let Some(found) = with_points(&next, &edges, points - 1, trials, effort) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// The crossings that could remove the obstacle, the likeliest first: those that remove two of its edges, and
/// among them those of two lands with two seas, which are straits.
fn candidates(shape: &BoardShape, edges: &[Edge]) -> Vec<[Node; 4]> {
    let graph = shape.graph();
    let mut found: Vec<((bool, usize), [Node; 4])> = Vec::new();
    for &[a, c] in edges {
        let common: Vec<Node> = graph.neighbours(a).filter(|&node| graph.has(edge(node, c))).collect();
        for (i, &b) in common.iter().enumerate() {
            for &d in common[i + 1..].iter().filter(|&&d| graph.has(edge(b, d))) {
                let crossing = [a, b, c, d];
                let has_both = edges.contains(&edge(b, d));
                let unlike = |pair: Edge| usize::from(shape.is_land(pair[0]) != shape.is_land(pair[1]));
                let rank = (
                    !has_both,
                    unlike([a, c]) + unlike([b, d]) + usize::from(is_in_triangle(graph, crossing)),
                );
                let same = |other: &[Node; 4]| {
                    let mut sets = [*other, crossing];
                    sets.iter_mut().for_each(|set| set.sort_unstable());
                    sets[0] == sets[1]
                        && (edge(other[0], other[2]) == edge(a, c) || edge(other[0], other[2]) == edge(b, d))
                };
                if !found.iter().any(|(_, other)| same(other)) {
                    found.push((rank, crossing));
                }
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, crossing)| crossing).collect()
}

/// Is one of the four adjacent only to the others? Then it lies among them, and no crossing is needed.
fn is_in_triangle(graph: &PlanarGraph, crossing: [Node; 4]) -> bool {
    crossing.iter().any(|&node| graph.degree(node) == 3)
}
