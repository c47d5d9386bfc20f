//! Pulls on the vertices of a drawing: to the frame, to the rim, and to their geographic positions.

use super::canvas::{Canvas, ONCE_ROUND};
use super::geometry::Point;
use super::mesh::Mesh;
use super::net::{BENDS, Net, Vertex};
use super::rim;
use super::settle::Pull;
use super::shore::SurroundingFaces;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::NamedMap;

/// The distance of the frame, relative to the rim.
const FRAME: f64 = 2.0;
/// How much more strongly a border on the rim is pulled than any other.
pub(super) const RIM_PULL: f64 = 400.0;

/// Every vertex is pulled to its geographic position.
pub(super) fn geographic_pulls(
    chart: &NamedMap,
    canvas: &Canvas,
    mesh: &Mesh,
    targets: &[Point],
) -> Vec<Pull> {
    let pull = |&to: &Point| Pull::Soft(to, if canvas.on_rim(to) { RIM_PULL } else { 1.0 });
    let mut pulls: Vec<Pull> = targets.iter().map(pull).collect();
    pulls.resize(mesh.vertices, Pull::Free);
    for &(face, hub) in &mesh.hubs {
        if let Some(centre) = canvas.centre(chart, face) {
            pulls[hub as usize] = Pull::Soft(centre, 1.0);
        }
    }
    frame(canvas, mesh, targets, &mut pulls);
    pulls
}

/// Every vertex is pulled to its position on boards with few faces at the edge: those on the boundaries of surrounding
/// faces by this strength, all others by another.
pub(super) fn shore_pulls(
    surroundings: &SurroundingFaces<'_>,
    mesh: &Mesh,
    targets: &[Point],
    [shore, inner]: [f64; 2],
) -> Vec<Pull> {
    let (chart, canvas) = (surroundings.chart, surroundings.canvas);
    let mut pulls = geographic_pulls(chart, canvas, mesh, targets);
    let borders = surroundings.borders().into_iter().chain(std::iter::repeat(false));
    for (pull, is_border) in pulls.iter_mut().zip(borders) {
        if let Pull::Soft(_, by) = pull
            && *by != RIM_PULL
        {
            *by = if is_border { shore } else { inner };
        }
    }
    for &(_, hub) in mesh.hubs.iter().filter(|&&(face, _)| surroundings.has(face)) {
        pulls[hub as usize] = Pull::Free;
    }
    pulls
}

/// Nothing is pulled except to the frame, and the boundary of the whole board to the rim if it belongs there.
pub(super) fn bare_pulls(
    canvas: &Canvas,
    net: &Net,
    mesh: &Mesh,
    targets: &[Point],
    on_rim: bool,
    beyond: ProvinceId,
) -> Vec<Pull> {
    let mut pulls = vec![Pull::Free; mesh.vertices];
    frame(canvas, mesh, targets, &mut pulls);
    let rings = net.cycles(beyond).iter().map(|cycle| net.ring(cycle));
    if let Some(edge) = rings.max_by_key(Vec::len).filter(|_| on_rim) {
        let behind: Vec<Point> = edge.iter().map(|&v| targets[v as usize]).collect();
        for (&v, place) in edge.iter().zip(canvas.ring(&behind, 1.0)) {
            pulls[v as usize] = Pull::Fixed(place);
        }
    }
    pulls
}

/// The frame stays where it is.
pub(super) fn frame(canvas: &Canvas, mesh: &Mesh, near: &[Point], pulls: &mut [Pull]) {
    let place = |v: Vertex| near.get(v as usize).copied().unwrap_or_else(|| canvas.middle());
    let mut behind: Vec<Point> = Vec::new();
    for &(_, walked) in &mesh.frame {
        // The middle of a bridge has no position of its own: it takes the one before it.
        let at = if (walked as usize) < near.len() {
            place(walked)
        } else {
            behind.last().copied().unwrap_or_else(|| canvas.middle())
        };
        behind.push(at);
    }
    for (&(vertex, _), at) in mesh.frame.iter().zip(canvas.ring(&behind, FRAME)) {
        pulls[vertex as usize] = Pull::Fixed(at);
    }
}

/// The geographic positions of the vertices: a corner between the three faces that meet there, the middle of a border
/// between its two faces, the edge of the board on the rim of the canvas.
pub(super) fn targets(chart: &NamedMap, net: &Net, canvas: &Canvas, beyond: ProvinceId) -> Vec<Point> {
    let centre = |face: ProvinceId| canvas.centre(chart, face).unwrap_or_else(|| canvas.middle());
    let mut targets = vec![canvas.middle(); net.len()];
    for (vertex, faces) in net.corners().zip(net.faces_at()) {
        let inner: Vec<Point> =
            faces.iter().filter(|&&face| face != beyond).map(|&face| centre(face)).collect();
        let middle = canvas.mean_or_middle(&inner);
        targets[vertex as usize] =
            if faces.contains(&beyond) { canvas.rim_point(canvas.rim_place(middle), 1.0) } else { middle };
    }
    let map = chart.map();
    for (border, line) in net.lines() {
        let [side, twin] = border.sides();
        let (from, to) = (targets[line[0] as usize], targets[line[BENDS + 1] as usize]);
        let faces = [map.owner(side), map.owner(twin)];
        let bends: Vec<Point> = if line[0] == line[BENDS + 1] {
            // A loop goes round the smaller of its faces.
            let island = if net.cycles(faces[0]).len() == 1 && faces[0] != beyond { 0 } else { 1 };
            let mut round = round(centre(faces[island]), 12.0);
            if island == 1 {
                round.reverse();
            }
            targets[line[0] as usize] = round[0];
            round[1..=BENDS].to_vec()
        } else if faces.contains(&beyond) {
            let [from, to] = [from, to].map(|at| canvas.rim_place(at));
            canvas.along_rim(from, Canvas::shorter_way(from, to), BENDS)
        } else {
            let middle = centre(faces[0]).towards(centre(faces[1]), 0.5);
            vec![from.towards(middle, 0.6), middle, middle.towards(to, 0.4)]
        };
        for (&vertex, bend) in line[1..=BENDS].iter().zip(bends) {
            targets[vertex as usize] = bend;
        }
    }
    if !goes_round(net, canvas, &targets, beyond) {
        for (vertex, at) in rim::positions(chart, net, canvas, beyond) {
            targets[vertex as usize] = at;
        }
    }
    targets
}

/// Do the corners of the boundary of the board go round the rim once, clockwise?
fn goes_round(net: &Net, canvas: &Canvas, targets: &[Point], beyond: ProvinceId) -> bool {
    let Some(cycle) = net.cycles(beyond).iter().max_by_key(|cycle| cycle.len()) else { return true };
    let places: Vec<f64> = cycle
        .iter()
        .filter_map(|&side| net.start(side))
        .map(|v| canvas.rim_place(targets[v as usize]))
        .collect();
    let way = |i: usize| -Canvas::shorter_way(places[i], places[(i + 1) % places.len()]);
    let ways: Vec<f64> = (0..places.len()).map(way).collect();
    (ways.iter().sum::<f64>() - ONCE_ROUND).abs() < 1e-6 && ways.iter().all(|&way| way > 0.0)
}

/// Four points round a place, counter-clockwise, and the first again.
pub(super) fn round(middle: Point, by: f64) -> [Point; 5] {
    [(-by, -by), (by, -by), (by, by), (-by, by), (-by, -by)].map(|(x, y)| middle + Point::new(x, y))
}
