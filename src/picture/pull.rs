//! Pulls on the vertices of a drawing: to the frame, to the rim, and to their geographic positions.

use crate::canvas::{Canvas, ONCE_ROUND, Plan};
use crate::geometry::{Point, mean};
use crate::mesh::Mesh;
use crate::net::{BENDS, Vertex};
use crate::settle::Pull;
use crate::shore::SurroundingFaces;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceKind, HalfEdgeId};

/// The distance of the frame, relative to the rim.
const FRAME: f64 = 2.0;
/// How much more strongly a border on the rim is pulled than any other.
pub(super) const RIM_PULL: f64 = 400.0;

/// Every vertex is pulled to its geographic position.
pub(super) fn geographic_pulls(mesh: &Mesh<'_>, targets: &[Point]) -> Vec<Pull> {
    let plan = mesh.plan;
    let pull = |&to: &Point| Pull::Soft(to, if plan.canvas.on_rim(to) { RIM_PULL } else { 1.0 });
    let mut pulls: Vec<Pull> = targets.iter().map(pull).collect();
    pulls.resize(mesh.vertices, Pull::Free);
    for &(face, hub) in &mesh.hubs {
        if let Some(centre) = plan.centre(face) {
            pulls[hub as usize] = Pull::Soft(centre, 1.0);
        }
    }
    frame(mesh, targets, &mut pulls);
    pulls
}

/// Every vertex is pulled to its position on boards with few faces at the edge: those on the boundaries of surrounding
/// faces by this strength, all others by another.
pub(super) fn shore_pulls(
    surroundings: &SurroundingFaces<'_>,
    mesh: &Mesh<'_>,
    targets: &[Point],
    [shore, inner]: [f64; 2],
) -> Vec<Pull> {
    let mut pulls = geographic_pulls(mesh, targets);
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
pub(super) fn bare_pulls(mesh: &Mesh<'_>, targets: &[Point], on_rim: bool) -> Vec<Pull> {
    let Plan { net, canvas, beyond, .. } = mesh.plan;
    let mut pulls = vec![Pull::Free; mesh.vertices];
    frame(mesh, targets, &mut pulls);
    if let Some(edge) = net.rings(beyond).into_iter().max_by_key(Vec::len).filter(|_| on_rim) {
        let behind: Vec<Point> = edge.iter().map(|&v| targets[v as usize]).collect();
        for (&v, place) in edge.iter().zip(canvas.ring(&behind, 1.0)) {
            pulls[v as usize] = Pull::Fixed(place);
        }
    }
    pulls
}

/// The frame stays where it is.
pub(super) fn frame(mesh: &Mesh<'_>, near: &[Point], pulls: &mut [Pull]) {
    let canvas = mesh.plan.canvas;
    let mut behind: Vec<Point> = Vec::new();
    for &(_, walked) in &mesh.frame {
        // The middle of a bridge has no position of its own: it takes the one before it.
        let at = near.get(walked as usize).or(behind.last()).copied();
        behind.push(at.unwrap_or_else(|| canvas.middle()));
    }
    for (&(vertex, _), at) in mesh.frame.iter().zip(canvas.ring(&behind, FRAME)) {
        pulls[vertex as usize] = Pull::Fixed(at);
    }
}

/// The geographic positions of the vertices: a corner between the three faces that meet there, the middle of a border
/// between its two faces, the edge of the board on the rim of the canvas.
pub(super) fn targets(plan: Plan<'_>) -> Vec<Point> {
    let Plan { chart, net, canvas, beyond } = plan;
    let centre = |face: ProvinceId| plan.centre_or_middle(face);
    let mut targets = vec![canvas.middle(); net.len()];
    for (vertex, faces) in net.corners().zip(net.faces_at()) {
        let inner: Vec<Point> =
            faces.iter().filter(|&&face| face != beyond).map(|&face| centre(face)).collect();
        let middle = mean(&inner).unwrap_or_else(|| canvas.middle());
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
    if !goes_round(plan, &targets) {
        for (vertex, at) in positions(plan) {
            targets[vertex as usize] = at;
        }
    }
    targets
}

/// Do the corners of the boundary of the board go round the rim once, clockwise?
fn goes_round(Plan { net, canvas, beyond, .. }: Plan<'_>, targets: &[Point]) -> bool {
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

// Places of the boundary of a board on the rim of its canvas: each border with the Outside gets a part of the rim, and
// two of them meet where the rim is as near to the centre of one of their faces as to that of the other.

/// The least part of an even share of the rim that a border gets.
const LEAST_SHARE: f64 = 0.25;

/// The positions of the vertices of the boundary of the whole board, clockwise; empty without one.
fn positions(plan: Plan<'_>) -> Vec<(Vertex, Point)> {
    let Plan { net, canvas, beyond, .. } = plan;
    let Some(cycle) = net.cycles(beyond).iter().max_by_key(|cycle| cycle.len()) else { return Vec::new() };
    let places = places(plan, cycle);
    let mut positions = Vec::new();
    for (i, &side) in cycle.iter().enumerate() {
        let walk: Vec<Vertex> = net.walk(side).collect();
        let from = places[i];
        let to = if i + 1 < places.len() { places[i + 1] } else { places[0] - ONCE_ROUND };
        positions.push((walk[0], canvas.rim_point(from, 1.0)));
        positions.extend(walk[1..=BENDS].iter().copied().zip(canvas.along_rim(from, to - from, BENDS)));
    }
    positions
}

/// The place on the rim at which each side begins, clockwise: each is less than the one before it.
fn places(plan: Plan<'_>, cycle: &[HalfEdgeId]) -> Vec<f64> {
    let Plan { chart, canvas, .. } = plan;
    let n = cycle.len();
    if n == 1 {
        return vec![0.0];
    }
    let centre = |i: usize| plan.centre(chart.map().across(cycle[i]));
    let even = ONCE_ROUND / n as f64;
    let is_land = |i: usize| {
        let face = chart.map().face(chart.map().across(cycle[i % n]));
        face.is_some_and(|face| !matches!(face.kind(), FaceKind::Sea | FaceKind::Ice))
    };
    // Land between two seas has a part of the edge near its centre.
    let near = |i: usize, turn: f64| {
        let here = centre(i)?;
        let others = chart.map().faces().filter_map(|(id, _)| plan.centre(id));
        let far =
            others.map(|other| other.distance(here)).filter(|&far| far > 0.0).fold(f64::INFINITY, f64::min);
        let (at, out) = canvas.nearest_rim(here);
        Some(canvas.inside(at + Point::new(out.y, -out.x) * (far.min(canvas.size.x) * 0.5 * turn), 0.0))
    };
    // Each place as its distance clockwise from an even division.
    let aside: Vec<Option<f64>> = (0..n)
        .map(|i| {
            let before = (i + n - 1) % n;
            let (from, to) = (centre(before)?, centre(i)?);
            let way = to - from;
            let at = match (is_land(before), is_land(i)) {
                (false, true) => near(i, -1.0)?,
                (true, false) => near(before, 1.0)?,
                _ => canvas.exit(from.towards(to, 0.5), Point::new(-way.y, way.x))?,
            };
            Some(-canvas.rim_place(at) - even * i as f64)
        })
        .collect();
    let wrap = |by: f64| by - ONCE_ROUND * (by / ONCE_ROUND + 0.5).floor();
    // The turn of the whole division that suits most places.
    let apart = |turn: f64| aside.iter().flatten().map(|by| wrap(by - turn).abs()).sum::<f64>();
    let turns = aside.iter().flatten().copied();
    let turn = turns.min_by(|&a, &b| apart(a).total_cmp(&apart(b))).unwrap_or(0.0);
    let mut places: Vec<f64> = aside
        .iter()
        .enumerate()
        .map(|(i, by)| even * i as f64 + turn + by.map_or(0.0, |by| wrap(by - turn)))
        .collect();
    in_order(&mut places, even * LEAST_SHARE);
    keep_corners(&mut places);
    places.into_iter().map(|place| -place).collect()
}

/// Moves places as little as possible so that each is at least this far beyond the one before it, and the first once
/// round beyond the last: the nearest ascending places in the sense of least squares, by pooling neighbours that are in
/// the wrong order (Ayer and others, *An empirical distribution function for sampling with incomplete information*,
/// 1955).
fn in_order(places: &mut [f64], gap: f64) {
    let n = places.len();
    // Begins after the widest gap.
    let before = |i: usize| if i == 0 { places[n - 1] - ONCE_ROUND } else { places[i - 1] };
    let first =
        (0..n).max_by(|&a, &b| (places[a] - before(a)).total_cmp(&(places[b] - before(b)))).unwrap_or(0);
    let value = |k: usize| {
        let i = (first + k) % n;
        places[i] + if i < first { ONCE_ROUND } else { 0.0 } - gap * k as f64
    };
    // The sums and sizes of the pools.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for k in 0..n {
        let mut pool = (value(k), 1);
        while let Some(&(sum, size)) = pools.last()
            && sum / size as f64 > pool.0 / pool.1 as f64
        {
            pools.pop();
            pool = (pool.0 + sum, pool.1 + size);
        }
        pools.push(pool);
    }
    let ordered: Vec<f64> =
        pools.iter().flat_map(|&(sum, size)| std::iter::repeat_n(sum / size as f64, size)).collect();
    let end = ordered[0] + ONCE_ROUND - gap * n as f64;
    for (k, value) in ordered.into_iter().enumerate() {
        let i = (first + k) % n;
        places[i] = value.min(end) + gap * k as f64 - if i < first { ONCE_ROUND } else { 0.0 };
    }
}

/// A border has a bend for each of three corners of the canvas: if it passes all four, it ends at one of them.
fn keep_corners(places: &mut [f64]) {
    let (n, side) = (places.len(), ONCE_ROUND / 4.0);
    for i in 0..n {
        let to = if i + 1 < n { places[i + 1] } else { places[0] + ONCE_ROUND };
        let first = (places[i] / side).floor() * side + side;
        let last = (to / side).ceil() * side - side;
        if last - first > side * BENDS as f64 - 0.5 {
            if first - places[i] < to - last {
                places[i] = first;
            } else {
                places[(i + 1) % n] = if i + 1 < n { last } else { last - ONCE_ROUND };
            }
        }
    }
}
