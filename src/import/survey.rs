//! From a board without geometry to a graph that can be drawn.

use std::collections::BTreeMap;

use crate::crossings;
use crate::error::ImportError;
use crate::hints::{FillerHint, Hints};
use crate::note::ImportNote;
use crate::planar::graph::{Edge, Node, PlanarGraph, edge};
use crate::planar::obstacle::branches;
use crate::shape::{BoardShape, NodeKind};
use crate::sketch::{Sketch, SketchGround};

/// The graph of a board. The notes list the pairs that are left out.
///
/// # Errors
/// The board is not connected, or cannot be drawn in the plane.
pub fn survey(
    file: &str,
    sketch: &Sketch,
    hints: &Hints,
    notes: &mut Vec<ImportNote>,
) -> Result<BoardShape, ImportError> {
    let mut shape = BoardShape::default();
    let mut nodes: BTreeMap<&str, Node> = BTreeMap::new();
    for (code, province) in &sketch.provinces {
        let node = shape.add(code, NodeKind::Province(province.ground));
        shape.graph.add_node(node);
        nodes.insert(code, node);
    }
    let is_land = |code: &str| sketch.ground(code) == Some(SketchGround::Land);
    let by_fleets = sketch.fleet.iter().map(|[from, to]| [&from.0, &to.0]);
    // A border of two lands is open to armies.
    let by_fleets = by_fleets.filter(|[a, b]| !(is_land(a) && is_land(b)));
    let by_armies = sketch.army.iter().chain(&sketch.touching).map(|[a, b]| [a, b]);
    for pair in by_armies.chain(by_fleets) {
        if let [Some(&a), Some(&b)] = pair.map(|code| nodes.get(code.as_str())) {
            PlanarGraph::add(edge(a, b), &mut shape.graph);
        }
    }
    for pair in &hints.leave_out {
        if let [Some(&a), Some(&b)] = pair.each_ref().map(|code| nodes.get(code.as_str())) {
            shape.graph.remove(edge(a, b));
            notes.push(ImportNote::LeftOut(pair.clone()));
        }
    }
    for around in &hints.points {
        let around: Vec<Node> = around.iter().filter_map(|code| nodes.get(code.as_str()).copied()).collect();
        shape.add_point(&around);
    }
    expect_one_piece(&shape, file)?;
    let mut shape = crossings::resolve(shape).map_err(|(shape, edges)| not_planar(&shape, file, &edges))?;
    call_points(&mut shape, hints);
    Ok(shape)
}

fn call_points(shape: &mut BoardShape, hints: &Hints) {
    let points: Vec<Node> = shape.nodes().filter(|&node| shape.kind(node) == NodeKind::Point).collect();
    for point in points {
        let around = shape.names(shape.graph.neighbours(point));
        let fits = |filler: &FillerHint| filler.around.iter().all(|name| around.contains(name));
        if let Some((code, _)) = hints.fillers.iter().find(|(_, filler)| fits(filler)) {
            shape.call(point, code);
        }
    }
}

fn expect_one_piece(shape: &BoardShape, file: &str) -> Result<(), ImportError> {
    let mut components = shape.graph.components();
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
        "the board is not planar: {} cannot all be adjacent as listed without borders that cross ({}{more}); name \
             with `points` in a hint file where four or more meet, or with `leave_out` the adjacencies to leave out",
        doubt.join(" "),
        pairs.join(", "),
    );
    ImportError::file(file, message)
}
