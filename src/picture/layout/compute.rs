//! Makes the drawing of a board: the first one, or one that follows another.

use crate::canvas::{Canvas, FEW, Plan};
use crate::foam::{FaceTarget, Foam};
use crate::geometry::Point;
use crate::layout::Layout;
use crate::mesh::Mesh;
use crate::net::{Net, Vertex};
use crate::pull::{RIM_PULL, bare_pulls, frame, geographic_pulls, round, shore_pulls, targets};
use crate::settle::{Follow, Pull, open_faces, settle, spread};
use crate::shore::SurroundingFaces;
use crate::spot::Spot;
use crate::{curve, geometry, scar};
use upheaval_map::ids::{ByProvince, ProvinceId};
use upheaval_map::topology::{FaceKind, NamedMap, PlanarMap};

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
        let plan = Plan { chart, net: &net, canvas: &canvas, beyond };
        let targets = targets(plan);
        let first = First::of(plan, &targets);
        let mut wishes = wishes(plan, &first.at);
        first.adjust(&mut wishes);
        let homes = first.homes();
        let smoothings = if first.is_bare() { 2 * SMOOTHINGS } else { SMOOTHINGS };
        let at = straightened(plan, first.at, &targets, net.vertices(beyond));
        let mut layout = Layout::bare(map, net, (canvas, beyond), wishes, at);
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
        let mut pulls = Follow::new(&net, (&self.net, &self.rest)).pulls;
        let plan = Plan { chart, net: &net, canvas: &self.canvas, beyond };
        self.remember_loops(plan, &mut pulls);
        let Some((at, movable)) = self.redraw(plan, pulls) else { return Layout::on(chart, self.canvas) };
        let wishes = wishes(plan, &at);
        let mut layout = Layout::bare(map, net, (self.canvas, beyond), wishes, at);
        for (i, wish) in layout.wishes.iter_mut().enumerate() {
            if self.keys.get(i) == layout.keys.get(i) {
                wish.area = self.wishes[i].area;
            }
        }
        layout.smooth(&movable, &[], FOLLOWING_SMOOTHINGS);
        layout.show(chart, Some(self));
        layout
    }

    /// A drawing with these positions, without anything in its provinces.
    fn bare(
        map: &PlanarMap,
        net: Net,
        (canvas, beyond): (Canvas, ProvinceId),
        wishes: Vec<FaceTarget>,
        at: Vec<Point>,
    ) -> Layout {
        Layout {
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
        }
    }

    /// A border that has become a loop goes round the old position of its island.
    fn remember_loops(&self, Plan { net, beyond, .. }: Plan<'_>, pulls: &mut [Pull]) {
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
    fn redraw(&self, plan: Plan<'_>, mut pulls: Vec<Pull>) -> Option<(Vec<Point>, Vec<Vertex>)> {
        let Plan { chart, net, beyond, .. } = plan;
        for attempt in 1..=ATTEMPTS {
            let last = attempt == ATTEMPTS;
            if last {
                self.loosen_all(&mut pulls);
            }
            let faces = open_faces(net, &pulls);
            let place = |pull: &Pull| pull.target().unwrap_or_else(|| self.canvas.middle());
            let near: Vec<Point> = pulls.iter().map(place).collect();
            if faces.is_empty() {
                return Some((near, Vec::new()));
            }
            let mesh = Mesh::of(plan, &faces, &near);
            pulls.resize(mesh.vertices, Pull::Free);
            for &(face, hub) in &mesh.hubs {
                let same = face != beyond && self.keys.get(face.index()).copied() == key(chart, face);
                if let Some(spot) = self.spots[face].filter(|_| same) {
                    pulls[hub as usize] = Pull::Soft(spot.middle, 0.5);
                }
            }
            frame(&mesh, &near, &mut pulls);
            let rounds = if last { ROUNDS } else { 2 };
            if let Some(at) = settle(&mesh, &mut pulls, (&[], 1.0), rounds)
                && open_faces(net, &pulls).len() == faces.len()
            {
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
        let plan = Plan { chart, net: &self.net, canvas: &self.canvas, beyond: self.beyond };
        (self.at, self.scars) = scar::draw_together(plan, &self.rest);
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
        let is_open = face.is_open_land() || face.is_open_sea() || face.is_open_ice();
        let middle = Point::new(-FAR, self.canvas.middle().y);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let square = corners.map(|(right, up)| middle + Point::new(right, up)).to_vec();
        is_open.then(|| Spot::within(&[square], face.name().chars().count()))
    }
}

/// Those of these vertices that belong on the rim exactly there, unless borders then cross.
fn straightened(
    Plan { net, canvas, beyond, .. }: Plan<'_>,
    at: Vec<Point>,
    targets: &[Point],
    vertices: impl Iterator<Item = Vertex>,
) -> Vec<Point> {
    let mut straight = at.clone();
    let of_rim = vertices.map(|v| v as usize).filter(|&v| canvas.on_rim(targets[v]));
    of_rim.for_each(|v| straight[v] = targets[v]);
    let faces: Vec<ProvinceId> = net.faces().collect();
    if net.flaws(&faces, &straight, beyond).is_empty() { straight } else { at }
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
fn wishes(plan: Plan<'_>, at: &[Point]) -> Vec<FaceTarget> {
    let wish = |face: ProvinceId| FaceTarget {
        area: plan.net.room(face, at).max(LEAST_AREA),
        home: plan.centre(face),
    };
    plan.net.faces().map(wish).collect()
}

// The positions of the vertices on a first board, before they are smoothed.

/// How often pulls may be loosened.
pub(super) const ROUNDS: usize = 48;
/// The strengths with which shores are pulled, one after the other until no borders cross, and those of all other
/// pulls, relative to them.
const SHORES: [f64; 11] = [100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0];
const INNER: [f64; 5] = [1.0, 0.1, 0.01, 0.001, 0.0];
/// How often pulls may be loosened at each strength.
const SHORE_ROUNDS: usize = 6;
/// How often vertices are then moved towards their positions.
const APPROACHES: usize = 200;
/// The least area that a face within others wants, relative to an even share.
const WITHIN: f64 = 0.4;
/// The area that a face around others wants, relative to the one that it has.
const AROUND: f64 = 0.8;

/// How positions were found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// All vertices are pulled to the middle between centres.
    Geographic,
    /// Seas surround land: its shores run round its centres.
    Shores,
    /// Where there is room.
    Bare,
}

/// The positions on a first board.
pub(super) struct First<'a> {
    plan: Plan<'a>,
    faces: Vec<ProvinceId>,
    /// By vertex: where it should be.
    targets: &'a [Point],
    way: Way,
    /// By vertex.
    pub(crate) at: Vec<Point>,
}

impl<'a> First<'a> {
    /// Finds them, with the boundary of the board on the rim.
    pub(super) fn of(plan: Plan<'a>, targets: &'a [Point]) -> First<'a> {
        let faces = plan.net.faces().collect();
        let mut first = First { plan, faces, targets, way: Way::Bare, at: Vec::new() };
        let geographic = first.geographic();
        let far = geographic.as_ref().map(|at| first.misplaced(at));
        if let Some(at) = geographic {
            (first.at, first.way) = (at, Way::Geographic);
        }
        if far.is_none_or(|far| far > 0 && (first.is_small() || far > first.faces.len() / 12))
            && let Some(at) = first.by_shores()
            && far.is_none_or(|far| first.misplaced(&at) < far)
        {
            (first.at, first.way) = (at, Way::Shores);
        }
        if first.way == Way::Bare {
            first.at = first.bare();
        }
        first.at.truncate(plan.net.len());
        first
    }

    /// Were the centres of no use?
    pub(super) fn is_bare(&self) -> bool {
        self.way == Way::Bare
    }

    /// The centres that their faces must contain.
    pub(super) fn homes(&self) -> Vec<(ProvinceId, Point)> {
        let is_kept = self.is_small() && self.way != Way::Bare;
        let home = |&face: &ProvinceId| Some((face, self.plan.centre(face)?));
        self.faces.iter().filter(|_| is_kept).filter_map(home).collect()
    }

    /// What the faces want, if it differs from what the positions give them.
    pub(super) fn adjust(&self, wishes: &mut [FaceTarget]) {
        let fair = self.plan.canvas.size.x * self.plan.canvas.size.y / wishes.len() as f64;
        match self.way {
            Way::Geographic => {}
            Way::Bare => wishes.iter_mut().for_each(|wish| *wish = FaceTarget { area: fair, home: None }),
            Way::Shores => {
                let surroundings = SurroundingFaces::new(self.plan);
                for (face, wish) in self.faces.iter().zip(wishes) {
                    if surroundings.has(*face) {
                        *wish = FaceTarget { area: wish.area * AROUND, home: None };
                    } else {
                        wish.area = wish.area.max(fair * WITHIN);
                    }
                }
            }
        }
    }

    /// Is every centre to lie in its face?
    fn is_small(&self) -> bool {
        self.faces.len() <= FEW
    }

    /// The number of centres outside of their faces.
    fn misplaced(&self, at: &[Point]) -> usize {
        let is_outside = |&&face: &&ProvinceId| {
            let home = self.plan.centre(face);
            home.is_some_and(|home| !geometry::contains(&self.plan.net.polygons(face, at), home))
        };
        self.faces.iter().filter(|&&face| face != self.plan.beyond).filter(is_outside).count()
    }

    fn geographic(&self) -> Option<Vec<Point>> {
        let mesh = Mesh::of(self.plan, &self.faces, self.targets);
        settle(&mesh, &mut geographic_pulls(&mesh, self.targets), (&[], 1.0), ROUNDS)
    }

    /// With shores round the centres of the faces that others surround. Pulls are weakened until no borders cross; then
    /// every vertex moves on to its position as far as nothing is in the way.
    fn by_shores(&self) -> Option<Vec<Point>> {
        let surroundings = SurroundingFaces::new(self.plan);
        let mut targets = self.targets.to_vec();
        surroundings.place(&mut targets);
        let mesh = Mesh::of(self.plan, &self.faces, &targets);
        let strengths = SHORES.into_iter().flat_map(|shore| INNER.map(|inner| [shore, shore * inner]));
        let settled = |strengths: [f64; 2]| {
            let mut pulls = shore_pulls(&surroundings, &mesh, &targets, strengths);
            settle(&mesh, &mut pulls, (&[], 1.0), SHORE_ROUNDS)
        };
        let at = strengths.into_iter().find_map(settled)?;
        let vertices = 0..self.plan.net.len() as Vertex;
        let at = straightened(self.plan, at, &targets, vertices.clone());
        let movable: Vec<Vertex> =
            vertices.filter(|&v| !self.plan.canvas.on_rim(targets[v as usize])).collect();
        let mut foam = Foam::new(self.plan.net, at, self.plan.beyond, self.plan.canvas.size);
        let home = |&face: &ProvinceId| Some((face, self.plan.centre(face)?));
        foam.keep_homes(self.faces.iter().filter_map(home));
        foam.approach(&movable, &targets, APPROACHES);
        Some(foam.at)
    }

    /// Geography does not help: vertices of the rim go to the rim, and all others where there is room.
    fn bare(&self) -> Vec<Point> {
        let mesh = Mesh::of(self.plan, &self.faces, self.targets);
        let sound = |at: &[Point]| self.plan.net.flaws(&self.faces, at, self.plan.beyond).is_empty();
        let spread_out = |on_rim: bool| {
            let mut pulls = bare_pulls(&mesh, self.targets, on_rim);
            spread(&mesh, &mut pulls, sound)
        };
        let on_rim = spread_out(true);
        if sound(&on_rim) { on_rim } else { spread_out(false) }
    }
}
