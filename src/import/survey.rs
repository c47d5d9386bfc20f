//! From a board without geometry to a graph that can be drawn.

use std::collections::BTreeMap;

use crate::hints::FillerHint;
use crate::note::{ImportError, ImportNote};
use crate::planar::left_right::{branches, obstacle};
use crate::planar::{Edge, Effort, Node, PlanarGraph, edge};
use crate::shape::{BoardShape, NodeKind};
use crate::sketch::{Sketch, SketchGround};
use crate::source::ImportSource;

/// The graph of a board. The notes list the pairs that are left out.
///
/// # Errors
/// The board is not connected, cannot be drawn in the plane, or a hint speaks of neighbours that are none.
pub(crate) fn survey(
    source: &ImportSource<'_>,
    sketch: &Sketch,
    notes: &mut Vec<ImportNote>,
    effort: &Effort,
) -> Result<BoardShape, ImportError> {
    let &ImportSource { file, hints, .. } = source;
    let mut shape = BoardShape::default();
    let mut nodes: BTreeMap<&str, Node> = BTreeMap::new();
    for (code, province) in &sketch.provinces {
        nodes.insert(code, shape.add_province(code, province.ground));
    }
    let is_land = |code: &str| sketch.ground(code) == Some(SketchGround::Land);
    let by_fleets = sketch.fleet.iter().map(|[from, to]| [&from.0, &to.0]);
    // A border of two lands is open to armies.
    let by_fleets = by_fleets.filter(|[a, b]| !(is_land(a) && is_land(b)));
    let by_armies = sketch.army.iter().chain(&sketch.touching).map(|[a, b]| [a, b]);
    for pair in by_armies.chain(by_fleets) {
        if let [Some(&a), Some(&b)] = pair.map(|code| nodes.get(code.as_str())) {
            shape.connect(a, b);
        }
    }
    expect_neighbours(source, &shape, &nodes)?;
    for pair in &hints.leave_out {
        if let [Some(&a), Some(&b)] = pair.each_ref().map(|code| nodes.get(code.as_str())) {
            shape.part(a, b);
            notes.push(ImportNote::LeftOut(pair.clone()));
        }
    }
    for around in &hints.points {
        let around: Vec<Node> = around.iter().filter_map(|code| nodes.get(code.as_str()).copied()).collect();
        shape.add_point(&around);
    }
    expect_one_piece(&shape, file)?;
    let mut shape = resolve(shape, effort).map_err(|(mut shape, edges)| {
        shape.name_new(|_| None);
        not_planar(&shape, file, &edges)
    })?;
    let points: Vec<(Node, Vec<String>)> = shape
        .nodes()
        .filter(|&node| shape.kind(node) == NodeKind::Point)
        .map(|point| (point, shape.names(shape.graph().neighbours(point))))
        .collect();
    shape.name_new(|node| {
        let (_, around) = points.iter().find(|(point, _)| *point == node)?;
        let fits = |filler: &FillerHint| filler.around.iter().all(|name| around.contains(name));
        hints.fillers.iter().find(|(_, filler)| fits(filler)).map(|(code, _)| code.clone())
    });
    Ok(shape)
}

/// Checks that the provinces are neighbours that hints speak of as such.
fn expect_neighbours(
    source: &ImportSource<'_>,
    shape: &BoardShape,
    nodes: &BTreeMap<&str, Node>,
) -> Result<(), ImportError> {
    let hints = source.hints;
    let are_apart = |a: &str, b: &str| match [nodes.get(a), nodes.get(b)] {
        [Some(&a), Some(&b)] => !shape.graph().has(edge(a, b)),
        _ => true,
    };
    let left_out = hints.leave_out.iter().filter(|[a, b]| are_apart(a, b));
    let left_out = left_out.map(|[a, b]| format!("`leave_out`: {a} and {b} are not adjacent"));
    let around = hints.around.iter().flat_map(|(province, wanted)| {
        let apart = wanted.iter().filter(move |other| are_apart(province, other));
        apart.map(move |other| format!("`around.{province}`: {other} is not a neighbour of {province}"))
    });
    let faults: Vec<String> = left_out.chain(around).collect();
    if faults.is_empty() { Ok(()) } else { Err(ImportError::faults(source.hint_file, &faults)) }
}

fn expect_one_piece(shape: &BoardShape, file: &str) -> Result<(), ImportError> {
    let mut components = shape.graph().components();
    components.sort_by_key(|component| std::cmp::Reverse(component.len()));
    match &components[..] {
        [] => Err(ImportError::file(file, "no province is listed")),
        [_] => Ok(()),
        [_, apart, ..] => {
            let apart = shape.names(apart.iter().copied().take(10));
            let message = format!(
                "the board is in {} parts: nothing connects {} with the rest",
                components.len(),
                apart.join(" ")
            );
            Err(ImportError::file(file, message))
        }
    }
}

fn not_planar(shape: &BoardShape, file: &str, edges: &[Edge]) -> ImportError {
    let doubt = shape.names(branches(edges));
    let pairs: Vec<String> = edges.iter().take(12).map(|pair| shape.names(*pair).join("-")).collect();
    let more = if edges.len() > pairs.len() { ", …" } else { "" };
    let message = format!(
        "the board is not planar: {} cannot all be adjacent as listed without borders that cross ({}{more}); in a \
             hint file, list under `points` the places where four or more meet, or under `leave_out` the adjacencies to omit",
        doubt.join(" "),
        pairs.join(", "),
    );
    ImportError::file(file, message)
}

// Adjacencies that cross: where four provinces, each adjacent to the three others, meet at one point.
//
// ```text
//    AUS │ MES            AUS, MES, LIB and GOT are all adjacent to one another; two of these adjacencies, AUS–LIB and
//   ─────●─────           MES–GOT, cross at the point. The graph is drawn with a node of its own for the point, in
//    GOT │ LIB            place of the two.
// ```

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
