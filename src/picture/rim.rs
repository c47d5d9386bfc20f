//! Places of the boundary of a board on the rim of its canvas: each border with the Outside gets a part of the rim, and
//! two of them meet where the rim is as near to the centre of one of their faces as to that of the other.

use super::canvas::{Canvas, ONCE_ROUND};
use super::geometry::Point;
use super::net::{BENDS, Net, Vertex};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceKind, HalfEdgeId, NamedMap};

/// The least part of an even share of the rim that a border gets.
const LEAST_SHARE: f64 = 0.25;

/// The positions of the vertices of the boundary of the whole board, clockwise; empty without one.
pub(super) fn positions(
    chart: &NamedMap,
    net: &Net,
    canvas: &Canvas,
    beyond: ProvinceId,
) -> Vec<(Vertex, Point)> {
    let Some(cycle) = net.cycles(beyond).iter().max_by_key(|cycle| cycle.len()) else { return Vec::new() };
    let places = places(chart, canvas, cycle);
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
fn places(chart: &NamedMap, canvas: &Canvas, cycle: &[HalfEdgeId]) -> Vec<f64> {
    let n = cycle.len();
    if n == 1 {
        return vec![0.0];
    }
    let centre = |i: usize| canvas.centre(chart, chart.map().across(cycle[i]));
    let even = ONCE_ROUND / n as f64;
    let is_land = |i: usize| {
        let face = chart.map().face(chart.map().across(cycle[i % n]));
        face.is_some_and(|face| face.kind() != FaceKind::Sea)
    };
    // Land between two seas has a part of the edge near its centre.
    let near = |i: usize, turn: f64| {
        let here = centre(i)?;
        let others = chart.map().faces().filter_map(|(id, _)| canvas.centre(chart, id));
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
