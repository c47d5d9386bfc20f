//! Smooths a drawing like a foam: borders are films under tension, faces press until each has the wanted area, and
//! drift towards their wanted positions. Each vertex moves by itself, and only where nothing is in the way: a valid
//! drawing stays valid.

use std::collections::BTreeSet;

use super::geometry::{Point, area, centroid, contains, distance_to_segment, in_triangle, segments_meet};
use super::net::{BENDS, Net, Vertex};
use upheaval_map::ids::ProvinceId;

/// The distance that borders keep from each other where possible.
const CLEARANCE: f64 = 2.5;
/// How far a vertex is pulled to the middle of its neighbours in a round.
const TENSION: f64 = 0.45;
/// How strongly a face without enough room presses.
const PRESSURE: f64 = 0.5;
/// How strongly a face with hardly any room presses, however short its borders are: it can grow.
const PUFF: f64 = 2.0;
/// The missing part of the area of such a face.
const HARDLY: f64 = 0.7;
/// How far a face drifts home in a round.
const DRIFT: f64 = 0.08;
/// The distance that borders keep from the wanted position of a face within.
const HOME: f64 = 10.0;
/// The directions in which they do.
const AROUND: [(f64, f64); 5] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
/// How often borders are moved over the wanted position of a face.
const TAKINGS: usize = 40;
/// In the last rounds, given as a fraction, no face drifts home: creases between faces that drift apart are
/// straightened.
const STILL: usize = 4;
/// A corner is creased if its lines run together: the mean of the unit vectors along them has this length.
const CREASED: f64 = 0.88;
/// The part of its way to its target that a vertex takes in a round; the lines at it pull as strongly as the rest.
const APPROACH: f64 = 0.5;
/// The number of rounds in which the lines at creased corners are straightened.
const STRAIGHTENINGS: usize = 60;

/// A net in motion.
pub(super) struct Foam<'a> {
    net: &'a Net,
    neighbours: Vec<Vec<Vertex>>,
    faces_at: Vec<Vec<ProvinceId>>,
    /// By face: its edges.
    edges: Vec<Vec<[Vertex; 2]>>,
    beyond: ProvinceId,
    clearance: f64,
    /// The size of the canvas, which nothing leaves.
    size: Point,
    /// The edges that may be in the way of the pushed vertex.
    near: Vec<[Vertex; 2]>,
    /// By face: points that its borders do not pass.
    homes: Vec<Vec<Point>>,
    pub(crate) at: Vec<Point>,
}

/// The wanted state of a face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FaceTarget {
    pub(crate) area: f64,
    pub(crate) home: Option<Point>,
}

/// The position of a face, and its pressure.
#[derive(Clone, Copy, Default)]
struct State {
    pressure: f64,
    puff: f64,
    drift: Point,
}

impl<'a> Foam<'a> {
    pub(crate) fn new(net: &'a Net, at: Vec<Point>, beyond: ProvinceId, size: Point) -> Foam<'a> {
        let edges = net.faces().map(|face| net.edges(face)).collect();
        Foam {
            net,
            neighbours: net.neighbours(),
            faces_at: net.faces_at(),
            edges,
            beyond,
            clearance: CLEARANCE,
            size,
            near: Vec::new(),
            homes: vec![Vec::new(); net.faces().count()],
            at,
        }
    }

    /// From now on no border passes the surroundings of the wanted positions of faces that contain these.
    pub(crate) fn keep_homes(&mut self, homes: impl Iterator<Item = (ProvinceId, Point)>) {
        for (face, home) in homes.filter(|&(face, _)| face != self.beyond) {
            let polygons = self.net.polygons(face, &self.at);
            let points = AROUND.map(|(x, y)| home + Point::new(x, y) * HOME);
            self.homes[face.index()] = points.into_iter().filter(|&p| contains(&polygons, p)).collect();
        }
    }

    /// From now on borders keep this distance from each other, where possible.
    pub(crate) fn keep_apart(&mut self, clearance: f64) {
        self.clearance = clearance;
    }

    /// Moves these vertices, in ascending order, for this many rounds. `wishes` are by face.
    pub(crate) fn settle(&mut self, movable: &[Vertex], wishes: &[FaceTarget], rounds: usize) {
        let concerned: BTreeSet<ProvinceId> =
            movable.iter().flat_map(|&v| self.faces_at[v as usize].iter().copied()).collect();
        let mut states = vec![State::default(); wishes.len()];
        for round in 0..rounds {
            let still = rounds - rounds / STILL;
            let drifts = round < still;
            if round == still {
                self.straighten(movable);
            }
            for &face in &concerned {
                states[face.index()] = self.state(face, wishes[face.index()], drifts);
            }
            for &v in movable {
                let way = self.force(v, &states);
                self.push(v, way);
            }
        }
    }

    /// Moves these vertices towards their targets for this many rounds, as far as nothing is in the way.
    pub(crate) fn approach(&mut self, movable: &[Vertex], targets: &[Point], rounds: usize) {
        for _ in 0..rounds {
            let mut moved = false;
            for &v in movable {
                let way = targets[v as usize] - self.at[v as usize];
                moved |= self.push(v, way * APPROACH + self.tension(v) * (1.0 - APPROACH));
            }
            if !moved {
                break;
            }
        }
    }

    /// Moves borders over wanted positions that are outside of their faces, as far as nothing is in the way: the vertices
    /// that are nearest to such a position go past it.
    pub(crate) fn take_in(&mut self, movable: &[Vertex], homes: &[(ProvinceId, Point)]) {
        let beyond = self.beyond;
        for &(face, home) in homes.iter().filter(|&&(face, _)| face != beyond) {
            for _ in 0..TAKINGS {
                if self.homes[face.index()].len() == AROUND.len() {
                    break;
                }
                let mut near: Vec<Vertex> =
                    self.vertices(face).filter(|v| movable.binary_search(v).is_ok()).collect();
                near.sort_by(|&a, &b| {
                    let far = |v: Vertex| self.at[v as usize].distance(home);
                    far(a).total_cmp(&far(b)).then(a.cmp(&b))
                });
                near.truncate(BENDS);
                for &v in &near {
                    let way = home - self.at[v as usize];
                    self.push(v, way + way * (2.0 * HOME / way.length().max(HOME)));
                }
                self.keep_homes(std::iter::once((face, home)));
            }
        }
    }

    /// Straightens the lines at creased corners: a corner that two faces have pushed back along its own lines moves
    /// forward again.
    fn straighten(&mut self, movable: &[Vertex]) {
        let mut near: Vec<Vertex> = movable.iter().copied().filter(|&v| self.is_creased(v)).collect();
        for _ in 0..BENDS {
            let next = near.iter().flat_map(|&v| self.neighbours[v as usize].iter().copied());
            let bends: Vec<Vertex> = next.filter(|&v| !self.is_corner(v)).collect();
            near.extend(bends);
            near.sort_unstable();
            near.dedup();
        }
        near.retain(|v| movable.binary_search(v).is_ok());
        for _ in 0..STRAIGHTENINGS {
            for &v in &near {
                self.push(v, self.tension(v));
            }
        }
    }

    fn is_corner(&self, v: Vertex) -> bool {
        self.neighbours[v as usize].len() > 2
    }

    fn is_creased(&self, v: Vertex) -> bool {
        let around = &self.neighbours[v as usize];
        let ways = around.iter().map(|&n| self.at[n as usize] - self.at[v as usize]);
        let sum = ways.fold(Point::default(), |sum, way| sum + way * (1.0 / way.length().max(1e-9)));
        self.is_corner(v) && sum.length() > CREASED * around.len() as f64
    }

    /// The area of a face.
    pub(crate) fn room(&self, face: ProvinceId) -> f64 {
        self.net.room(face, &self.at)
    }

    /// The vertices of the boundary of a face.
    pub(crate) fn vertices(&self, face: ProvinceId) -> impl Iterator<Item = Vertex> + '_ {
        self.edges[face.index()].iter().map(|edge| edge[0])
    }

    fn state(&self, face: ProvinceId, wish: FaceTarget, drifts: bool) -> State {
        if face == self.beyond {
            return State::default();
        }
        let polygons = self.net.polygons(face, &self.at);
        let room: f64 = polygons.iter().map(|polygon| area(polygon)).sum();
        let outer = polygons.iter().max_by(|a, b| area(a).total_cmp(&area(b)));
        let lacks = if wish.area > 0.0 { (wish.area - room) / wish.area } else { 0.0 };
        let drift = wish
            .home
            .filter(|_| drifts)
            .zip(outer)
            .map_or(Point::default(), |(home, outer)| home - centroid(outer));
        let puff = if lacks > HARDLY { lacks.min(1.0) * PUFF * PRESSURE } else { 0.0 };
        State { pressure: lacks.clamp(-1.0, 1.0) * PRESSURE, puff, drift: drift * DRIFT }
    }

    /// The pull of the lines at a vertex.
    fn tension(&self, v: Vertex) -> Point {
        let around = &self.neighbours[v as usize];
        let middle = around.iter().fold(Point::default(), |sum, &n| sum + self.at[n as usize]);
        (middle * (1.0 / around.len().max(1) as f64) - self.at[v as usize]) * TENSION
    }

    /// The force on a vertex.
    fn force(&self, v: Vertex, states: &[State]) -> Point {
        let mut way = self.tension(v);
        let faces = &self.faces_at[v as usize];
        for face in faces {
            let state = states[face.index()];
            way = way + state.drift * (1.0 / faces.len() as f64);
            for &[a, b] in self.edges[face.index()].iter().filter(|edge| edge.contains(&v)) {
                // Away from the face, which is on the left of its edges.
                let along = self.at[b as usize] - self.at[a as usize];
                let out = Point::new(along.y, -along.x);
                way = way + out * (state.pressure * 0.5 + state.puff / along.length().max(1.0));
            }
        }
        way
    }

    /// Moves a vertex as far as possible along this vector. Did it move?
    pub(crate) fn push(&mut self, v: Vertex, way: Point) -> bool {
        let here = self.at[v as usize];
        let reach = self.neighbours[v as usize]
            .iter()
            .map(|&n| self.at[n as usize].distance(here))
            .fold(f64::INFINITY, f64::min);
        let length = way.length();
        if length < reach * 1e-3 || !length.is_finite() {
            return false;
        }
        let mut way = if length > reach * 0.4 { way * (reach * 0.4 / length) } else { way };
        self.find_near(v, here + way);
        let before = self.clearance(v, here);
        for _ in 0..3 {
            let there = here + way;
            let within = there.x >= 0.0 && there.y >= 0.0 && there.x <= self.size.x && there.y <= self.size.y;
            if within && self.is_free(v, there) && self.clearance(v, there) >= before {
                self.at[v as usize] = there;
                return true;
            }
            way = way * 0.5;
        }
        false
    }

    /// Finds the edges round the faces at a vertex that can be in its way, or too near, during a move to this place.
    fn find_near(&mut self, v: Vertex, there: Point) {
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        let (mut low, mut high) = (there, there);
        for p in self.neighbours[v as usize].iter().chain([&v]).map(|&n| self.at[n as usize]) {
            (low.x, low.y) = (low.x.min(p.x), low.y.min(p.y));
            (high.x, high.y) = (high.x.max(p.x), high.y.max(p.y));
        }
        let by = Point::new(self.clearance, self.clearance);
        let (low, high) = (low - by, high + by);
        for face in &self.faces_at[v as usize] {
            let may_be = |&&[a, b]: &&[Vertex; 2]| {
                let (p, q) = (self.at[a as usize], self.at[b as usize]);
                // The tests most likely to fail come first.
                !(p.x < low.x && q.x < low.x
                    || p.x > high.x && q.x > high.x
                    || p.y < low.y && q.y < low.y
                    || p.y > high.y && q.y > high.y)
                    && a != v
                    && b != v
            };
            near.extend(self.edges[face.index()].iter().filter(may_be));
        }
        self.near = near;
    }

    /// Can a vertex move straight to this place without a border in the way?
    fn is_free(&self, v: Vertex, there: Point) -> bool {
        let here = self.at[v as usize];
        let around = &self.neighbours[v as usize];
        let place = |v: Vertex| self.at[v as usize];
        let mut homes = self.faces_at[v as usize].iter().flat_map(|face| &self.homes[face.index()]);
        if homes.any(|&home| around.iter().any(|&n| in_triangle(home, here, there, place(n)))) {
            return false;
        }
        for &[a, b] in &self.near {
            for &n in around {
                let end = place(n);
                if a != n && in_triangle(place(a), here, there, end) {
                    return false;
                }
                if a != n && b != n && segments_meet(there, end, place(a), place(b)) {
                    return false;
                }
            }
        }
        true
    }

    /// The distance of the lines at a vertex from all others round its faces, if it were here; at most the distance
    /// that they have to keep.
    fn clearance(&self, v: Vertex, here: Point) -> f64 {
        let mut clearance = self.clearance;
        let around = &self.neighbours[v as usize];
        let place = |v: Vertex| self.at[v as usize];
        let far = |p: Point, a: Point, b: Point, by: f64| {
            p.x < a.x.min(b.x) - by
                || p.x > a.x.max(b.x) + by
                || p.y < a.y.min(b.y) - by
                || p.y > a.y.max(b.y) + by
        };
        for &[a, b] in &self.near {
            // An edge attached to a neighbour is as near as the neighbour.
            if !around.contains(&a) && !around.contains(&b) && !far(here, place(a), place(b), clearance) {
                clearance = clearance.min(distance_to_segment(here, place(a), place(b)));
            }
            for &n in around {
                if a != n
                    && b != n
                    && !self.neighbours[n as usize].contains(&a)
                    && !far(place(a), here, place(n), clearance)
                {
                    clearance = clearance.min(distance_to_segment(place(a), here, place(n)));
                }
            }
        }
        clearance
    }
}
