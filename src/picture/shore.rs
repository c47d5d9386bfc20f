//! Positions for the shores of land that seas surround. Where few faces touch the Outside, or a face has islands, such
//! a face lies on several sides of others, and its centre does not say where their common borders are: these run round
//! the centres of the faces within.
//!
//! ```text
//!        ╭───•───╮          the shore of A, B, C, walked clockwise: each corner is beside the middle between two
//!      •   A   B   •        centres, on the outer side of the way from one to the other, and between two corners
//!        ╲   C   ╱          the shore lies as far outside of the centre
//!          ╰─•─╯
//! ```

use super::canvas::Plan;
use super::geometry::{Point, segments_meet};
use super::net::{BENDS, Vertex, outlines};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceKind, HalfEdgeId};

/// How far outside of the way between two centres a shore lies, relative to the distance of the centres.
const ASIDE: f64 = 0.45;
/// How far outside of its centre the shore of a single face lies, relative to the distance of the next centre.
const ALONE: f64 = 0.3;
/// How far a shore bends outwards between two corners, relative to their distance, at least.
const BULGE: f64 = 0.1;
/// How often a shore whose parts cross is smoothed.
const SMOOTHINGS: usize = 60;
/// The distance of a shore from the edge of the board, relative to its size.
const INSET: f64 = 0.05;

/// Faces that surround others.
pub(super) struct SurroundingFaces<'a> {
    pub(crate) plan: Plan<'a>,
    /// By face: does it surround others? The face beyond does.
    around: Vec<bool>,
}

impl<'a> SurroundingFaces<'a> {
    /// The faces that have islands, and of those that touch the face beyond the seas, or all if none is a sea.
    pub(crate) fn new(plan: Plan<'a>) -> SurroundingFaces<'a> {
        let Plan { chart, net, beyond, .. } = plan;
        let map = chart.map();
        let touches = |face: ProvinceId| map.sides_of(face).any(|side| map.across(side) == beyond);
        let seas = map.of_kind(FaceKind::Sea) | map.of_kind(FaceKind::Ice);
        let is_sea = |face: ProvinceId| seas.contains(face);
        let by_sea = net.faces().any(|face| touches(face) && is_sea(face));
        let surrounds = |face: ProvinceId| {
            face == beyond || net.cycles(face).len() > 1 || touches(face) && (is_sea(face) || !by_sea)
        };
        SurroundingFaces { plan, around: net.faces().map(surrounds).collect() }
    }

    /// Does a face surround others?
    pub(crate) fn has(&self, face: ProvinceId) -> bool {
        self.around[face.index()]
    }

    /// By vertex: is it on the boundary of a surrounding face?
    pub(crate) fn borders(&self) -> Vec<bool> {
        let mut borders = vec![false; self.plan.net.len()];
        for face in self.plan.net.faces().filter(|&face| self.has(face)) {
            for v in self.plan.net.vertices(face) {
                borders[v as usize] = true;
            }
        }
        borders
    }

    /// Replaces the positions on shores, and on borders between two surrounding faces.
    pub(crate) fn place(&self, targets: &mut [Point]) {
        for walk in self.shores() {
            self.place_shore(&walk, targets);
            self.untangle(&walk, targets);
        }
        let map = self.plan.chart.map();
        for (border, line) in self.plan.net.lines() {
            let faces = border.sides().map(|side| map.owner(side));
            if faces.iter().all(|&face| self.has(face) && face != self.plan.beyond)
                && line[0] != line[BENDS + 1]
            {
                let (from, to) = (targets[line[0] as usize], targets[line[BENDS + 1] as usize]);
                for (i, &v) in line[1..=BENDS].iter().enumerate() {
                    targets[v as usize] = from.towards(to, (i + 1) as f64 / (BENDS + 1) as f64);
                }
            }
        }
    }

    /// The shores, clockwise: sides of surrounding faces with others across.
    fn shores(&self) -> Vec<Vec<HalfEdgeId>> {
        let map = self.plan.chart.map();
        let is_shore = |side: HalfEdgeId| self.has(map.owner(side)) && !self.has(map.across(side));
        outlines(map, map.borders().flat_map(|border| border.sides()), is_shore)
    }

    /// Smooths a shore where its targets cross.
    fn untangle(&self, shore: &[HalfEdgeId], targets: &mut [Point]) {
        let ring = self.plan.net.ring(shore);
        let n = ring.len();
        let edge: Vec<Vertex> = self.plan.net.vertices(self.plan.beyond).collect();
        for _ in 0..SMOOTHINGS {
            let at: Vec<Point> = ring.iter().map(|&v| targets[v as usize]).collect();
            let mut crossed = vec![false; n];
            for i in 0..n {
                for j in i + 2..n {
                    let [a, b, c, d] = [at[i], at[(i + 1) % n], at[j], at[(j + 1) % n]];
                    if (j + 1) % n != i && segments_meet(a, b, c, d) {
                        for k in [i, i + 1, j, j + 1] {
                            (k + n - 1..k + n + 2).for_each(|k| crossed[k % n] = true);
                        }
                    }
                }
            }
            if !crossed.contains(&true) {
                break;
            }
            for i in (0..n).filter(|&i| crossed[i] && !edge.contains(&ring[i])) {
                targets[ring[i] as usize] =
                    at[i].towards(at[(i + n - 1) % n].towards(at[(i + 1) % n], 0.5), 0.7);
            }
        }
    }

    fn place_shore(&self, shore: &[HalfEdgeId], targets: &mut [Point]) {
        let map = self.plan.chart.map();
        // The parts of the shore, each with the face within; `None` along the edge of the board.
        let mut parts: Vec<(Option<ProvinceId>, Vec<Vertex>)> = Vec::new();
        for &side in shore {
            let face = Some(map.across(side)).filter(|_| map.owner(side) != self.plan.beyond);
            let walk = self.plan.net.walk(side);
            match parts.last_mut().filter(|(last, _)| *last == face) {
                Some((_, line)) => line.extend(walk.skip(1)),
                None => parts.push((face, walk.collect())),
            }
        }
        if parts.len() > 1 && parts[0].0 == parts[parts.len() - 1].0 {
            let (_, mut line) = parts.remove(parts.len() - 1);
            line.extend(parts[0].1.iter().skip(1));
            parts[0].1 = line;
        }
        let n = parts.len();
        if let [(Some(face), line)] = &parts[..] {
            self.place_alone(*face, line, targets);
            return;
        }
        // Outside is on the left.
        let left = |way: Point| Point::new(-way.y, way.x);
        // The face behind the corner at which a part begins, if it is within as well.
        let behind = |i: usize| {
            let (last, here) = (parts[(i + n - 1) % n].0?, parts[i % n].0?);
            let corner = parts[i % n].1[0];
            let border = map
                .sides_of(here)
                .find(|&side| map.across(side) == last && self.plan.net.walk(side).any(|v| v == corner))?;
            let is_start = self.plan.net.start(border) == Some(corner);
            let face = map.across(if is_start { map.next(border) } else { map.prev(border) });
            Some(face).filter(|&face| !self.has(face)).map(|face| self.plan.centre_or_middle(face))
        };
        let centre = |i: usize| parts[i % n].0.map(|face| self.plan.centre_or_middle(face));
        // Where a part begins: beside the middle between two centres, or where the edge of the board is reached.
        let corner = |i: usize, targets: &[Point]| match (centre(i + n - 1), centre(i)) {
            (Some(from), Some(to)) => {
                let middle = from.towards(to, 0.5);
                let way = left(to - from);
                let away = behind(i).map_or(way, |behind| middle - behind);
                let away = away * (way.length() / away.length().max(1e-9));
                self.plan.canvas.inside(middle + away * ASIDE, INSET)
            }
            _ => targets[parts[i % n].1[0] as usize],
        };
        for (i, (_, line)) in parts.iter().enumerate() {
            let Some(here) = centre(i) else { continue };
            let [from, to] = [i, i + 1].map(|i| corner(i, targets));
            let (last, next) = (centre(i + n - 1).unwrap_or(from), centre(i + 1).unwrap_or(to));
            let middle = from.towards(to, 0.5);
            let way = left(to - from);
            let out = way * (1.0 / way.length().max(1e-9));
            let beyond = (here - middle).x * out.x + (here - middle).y * out.y;
            let far = here.distance(last).min(here.distance(next)) * ASIDE;
            let high = (beyond + far).max(way.length() * BULGE);
            let top = self.plan.canvas.inside(middle + out * high, INSET);
            let steps = line.len() - 1;
            let is_on_edge =
                |k: usize| (k == 0 && centre(i + n - 1).is_none()) || (k == steps && centre(i + 1).is_none());
            for (k, &v) in line.iter().enumerate().filter(|&(k, _)| !is_on_edge(k)) {
                targets[v as usize] = along(&[from, top, to], k as f64 / steps as f64);
            }
        }
    }

    /// The shore of a face without neighbours within it: a square round its centre.
    fn place_alone(&self, face: ProvinceId, line: &[Vertex], targets: &mut [Point]) {
        let middle = self.plan.centre_or_middle(face);
        let around = self.plan.net.faces().filter(|&other| other != face);
        let centres = around.filter_map(|other| self.plan.centre(other));
        let next = centres.map(|other| other.distance(middle)).fold(f64::INFINITY, f64::min);
        let far = if next.is_finite() { next } else { self.plan.canvas.size.x } * ALONE;
        // Clockwise from the south-western corner.
        let corners = [(-far, -far), (-far, far), (far, far), (far, -far), (-far, -far)];
        let square = corners.map(|(x, y)| self.plan.canvas.inside(middle + Point::new(x, y), INSET));
        let steps = line.len() - 1;
        for (i, &v) in line.iter().enumerate() {
            targets[v as usize] = along(&square, i as f64 / steps as f64);
        }
    }
}

/// The point at this fraction of the pieces of a line.
fn along(line: &[Point], part: f64) -> Point {
    let at = part * (line.len() - 1) as f64;
    let piece = (at as usize).min(line.len() - 2);
    line[piece].towards(line[piece + 1], at - piece as f64)
}
