//! Makes the drawing of a board: the first one, or one that follows another.

use super::Layout;
use super::first::{First, ROUNDS};
use crate::canvas::Canvas;
use crate::curve;
use crate::foam::{FaceTarget, Foam};
use crate::follow::{Before, Follow, open_faces};
use crate::geometry::{self, Point};
use crate::mesh::Mesh;
use crate::net::{Net, Vertex};
use crate::pull::{RIM_PULL, frame, round, targets};
use crate::scar;
use crate::settle::{Pull, settle};
use crate::spot::Spot;
use upheaval_map::ids::{ByProvince, ProvinceId};
use upheaval_map::topology::{FaceKind, FaceState, NamedMap, PlanarMap};

/// How often a first drawing is smoothed.
const SMOOTHINGS: usize = 140;
/// How often a following drawing is smoothed.
const FOLLOWING_SMOOTHINGS: usize = 50;
/// The number of attempts to keep the known part of the previous drawing, each time less of it.
const ATTEMPTS: usize = 9;
/// Vertices are pulled to their old positions as strongly as by this many neighbours in the last attempt.
const LAST_PULL: f64 = 3.0;
/// The border of a new island is pulled round its old position as strongly as by this many neighbours.
const LOOP_PULL: f64 = 12.0;
/// The minimum area that a province should have: room for its name.
const LEAST_AREA: f64 = 4000.0;

impl Layout {
    /// The first drawing of a board.
    pub fn of(chart: &NamedMap) -> Layout {
        Layout::on(chart, Canvas::of(chart))
    }

    fn on(chart: &NamedMap, canvas: Canvas) -> Layout {
        let map = chart.map();
        let net = Net::of(map);
        let beyond = outermost(map);
        let targets = targets(chart, &net, &canvas, beyond);
        let first = First::of(chart, &net, &canvas, &targets, beyond);
        let mut wishes = wishes(chart, &net, &canvas, &first.at);
        first.adjust(&mut wishes);
        let homes = first.homes();
        let smoothings = if first.is_bare() { 2 * SMOOTHINGS } else { SMOOTHINGS };
        let at = first.at;
        let mut layout = Layout {
            wishes,
            rest: at.clone(),
            at,
            net,
            canvas,
            beyond,
            keys: map.faces().map(|(_, face)| face.key()).collect(),
            scars: Vec::new(),
            round: Vec::new(),
            spots: ByProvince::filled(None),
            coasts: Vec::new(),
            words: Vec::new(),
            view: None,
        };
        layout.straighten_rim(&targets);
        let movable: Vec<Vertex> =
            (0..layout.net.len() as Vertex).filter(|&v| !canvas.on_rim(layout.rest[v as usize])).collect();
        layout.smooth(&movable, &homes, smoothings);
        layout.show(chart, None);
        layout
    }

    /// A drawing of the board that follows this one. If no border has moved, everything stays in place; otherwise
    /// everything round the moved borders that can stay does.
    pub fn next(&self, chart: &NamedMap) -> Layout {
        let map = chart.map();
        let (net, beyond) = (Net::of(map), outermost(map));
        let mut pulls = Follow::new(&net, Before { net: &self.net, at: &self.rest }).pulls;
        self.remember_loops(&net, beyond, &mut pulls);
        let Some((at, movable)) = self.redraw(chart, &net, beyond, pulls) else {
            return Layout::on(chart, self.canvas);
        };
        let keys: Vec<u64> = map.faces().map(|(_, face)| face.key()).collect();
        let mut wishes = wishes(chart, &net, &self.canvas, &at);
        for (face, wish) in net.faces().zip(&mut wishes) {
            if self.keys.get(face.index()) == keys.get(face.index()) {
                wish.area = self.wishes[face.index()].area;
            }
        }
        let mut layout = Layout {
            wishes,
            rest: at.clone(),
            at,
            net,
            canvas: self.canvas,
            beyond,
            keys,
            scars: Vec::new(),
            round: Vec::new(),
            spots: ByProvince::filled(None),
            coasts: Vec::new(),
            words: Vec::new(),
            view: None,
        };
        layout.smooth(&movable, &[], FOLLOWING_SMOOTHINGS);
        layout.show(chart, Some(self));
        layout
    }

    /// A border that has become a loop goes round the old position of its island.
    fn remember_loops(&self, net: &Net, beyond: ProvinceId, pulls: &mut [Pull]) {
        for face in net.faces().filter(|&face| face != beyond && net.cycles(face).len() == 1) {
            let [side] = net.cycles(face)[0][..] else { continue };
            let line: Vec<Vertex> = net.walk(side).collect();
            let was = self.outline(face);
            if !matches!(pulls[line[0] as usize], Pull::Fixed(_)) && !was.is_empty() {
                let (middle, room) = geometry::pole(&was);
                for (&v, to) in line.iter().zip(round(middle, room * 0.6)) {
                    pulls[v as usize] = Pull::Soft(to, LOOP_PULL);
                }
            }
        }
    }

    /// Positions for the vertices, and those that have moved. First only vertices at moved borders; if these cannot be
    /// drawn, larger and larger surroundings; then all. `None` if even that fails.
    fn redraw(
        &self,
        chart: &NamedMap,
        net: &Net,
        beyond: ProvinceId,
        mut pulls: Vec<Pull>,
    ) -> Option<(Vec<Point>, Vec<Vertex>)> {
        for attempt in 1..=ATTEMPTS {
            let last = attempt == ATTEMPTS;
            if last {
                self.loosen_all(&mut pulls);
            }
            let faces = open_faces(net, &pulls);
            let place = |pull: &Pull| match *pull {
                Pull::Fixed(to) | Pull::Held(to) | Pull::Soft(to, _) => to,
                Pull::Free => self.canvas.middle(),
            };
            let near: Vec<Point> = pulls.iter().map(place).collect();
            if faces.is_empty() {
                return Some((near, Vec::new()));
            }
            let mesh = Mesh::of(net, &faces, &near, beyond);
            pulls.resize(mesh.vertices, Pull::Free);
            for &(face, hub) in &mesh.hubs {
                let same = face != beyond && self.keys.get(face.index()).copied() == key(chart, face);
                if let Some(spot) = self.spots[face].filter(|_| same) {
                    pulls[hub as usize] = Pull::Soft(spot.middle, 0.5);
                }
            }
            frame(&self.canvas, &mesh, &near, &mut pulls);
            let rounds = if last { ROUNDS } else { 2 };
            let settled = settle(net, &faces, &mesh, &mut pulls, (&[], 1.0), beyond, rounds);
            pulls.truncate(net.len());
            if let Ok(mut at) = settled
                && open_faces(net, &pulls).len() == faces.len()
                && self.canvas.holds(&at[..net.len()])
            {
                at.truncate(net.len());
                let open = |v: &Vertex| !matches!(pulls[*v as usize], Pull::Fixed(_));
                return Some((at, (0..net.len() as Vertex).filter(open).collect()));
            }
        }
        None
    }

    /// Nothing is fixed any more; everything is only pulled to its old position.
    fn loosen_all(&self, pulls: &mut [Pull]) {
        for pull in pulls {
            *pull = match *pull {
                Pull::Fixed(to) if self.canvas.on_rim(to) => Pull::Soft(to, RIM_PULL),
                Pull::Fixed(to) | Pull::Soft(to, _) => Pull::Soft(to, LAST_PULL),
                Pull::Held(to) => Pull::Held(to),
                Pull::Free => Pull::Free,
            };
        }
    }

    /// Moves the vertices of the rim exactly to the rim.
    fn straighten_rim(&mut self, targets: &[Point]) {
        let mut straight = self.rest.clone();
        let edge: Vec<Vertex> =
            self.net.cycles(self.beyond).iter().flat_map(|cycle| self.net.ring(cycle)).collect();
        for &v in &edge {
            if self.canvas.on_rim(targets[v as usize]) {
                straight[v as usize] = targets[v as usize];
            }
        }
        let faces: Vec<ProvinceId> = self.net.faces().collect();
        if self.net.flaws(&faces, &straight, self.beyond).is_empty() {
            self.rest = straight;
        }
    }

    /// Smooths the drawing. These centres are to lie in their faces.
    fn smooth(&mut self, movable: &[Vertex], homes: &[(ProvinceId, Point)], rounds: usize) {
        let rest = std::mem::take(&mut self.rest);
        let mut foam = Foam::new(&self.net, rest, self.beyond, self.canvas.size);
        foam.keep_homes(homes.iter().copied());
        foam.take_in(movable, homes);
        foam.settle(movable, &self.wishes, rounds);
        self.rest = foam.at;
    }

    /// Contracts holes, and finds places for the contents of the provinces.
    fn show(&mut self, chart: &NamedMap, before: Option<&Layout>) {
        (self.at, self.scars) =
            scar::draw_together(&self.net, chart.map(), &self.canvas, &self.rest, self.beyond);
        self.find_spots(chart, before);
    }

    /// Rounds bends and finds places for the contents of the provinces, from the current borders.
    pub(crate) fn find_spots(&mut self, chart: &NamedMap, before: Option<&Layout>) {
        self.round = curve::round_bends(&self.net, &self.at);
        for (round, &at) in self.round.iter_mut().zip(&self.at) {
            *round &= !self.canvas.on_rim(at);
        }
        for face in self.net.faces().filter(|&face| face != self.beyond) {
            let outline = self.outline(face);
            // Provinces that have not moved at all keep their places.
            let kept = before
                .filter(|before| {
                    before.outline(face) == outline && before.keys[face.index()] == self.keys[face.index()]
                })
                .and_then(|before| before.spots[face])
                .filter(|spot| spot.plate.is_none());
            let name = chart.map().name(face);
            self.spots[face] =
                Some(kept.unwrap_or_else(|| Spot::within(&self.shape(face), name.chars().count())));
        }
        self.spots[self.beyond] = self.spot_beyond(chart);
        self.arrange(chart, before);
    }

    /// A place for the contents of the face beyond the edge, if units can be there: a board that goes round a globe
    /// has no Outside.
    fn spot_beyond(&self, chart: &NamedMap) -> Option<Spot> {
        /// The distance from the edge.
        const FAR: f64 = 6.0;
        let face = chart.map().face(self.beyond)?;
        let is_open =
            face.state() == FaceState::Open && matches!(face.kind(), FaceKind::Land | FaceKind::Sea);
        let middle = Point::new(-FAR, self.canvas.middle().y);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let square = corners.map(|(right, up)| middle + Point::new(right, up)).to_vec();
        is_open.then(|| Spot::within(&[square], face.name().chars().count()))
    }
}

/// The hash of the name of a face.
fn key(chart: &NamedMap, face: ProvinceId) -> Option<u64> {
    chart.map().face(face).map(|face| face.key())
}

/// The face that is drawn round all others: the Outside, or without one the face with the longest boundary.
fn outermost(map: &PlanarMap) -> ProvinceId {
    let outside = map.faces().find(|(_, face)| face.kind() == FaceKind::Outside);
    let longest = || map.faces().max_by_key(|&(id, _)| (map.sides_of(id).count(), std::cmp::Reverse(id)));
    outside.or_else(longest).map_or(ProvinceId(0), |(id, _)| id)
}

/// Every face wants to keep the area that the geographic centres give it, or at least have room for its name.
fn wishes(chart: &NamedMap, net: &Net, canvas: &Canvas, at: &[Point]) -> Vec<FaceTarget> {
    let wish = |face: ProvinceId| {
        let room: f64 = net.polygons(face, at).iter().map(|polygon| geometry::area(polygon)).sum();
        FaceTarget { area: room.max(LEAST_AREA), home: canvas.centre(chart, face) }
    };
    net.faces().map(wish).collect()
}
