//! Where everything on a board is drawn.

use super::canvas::Canvas;
use super::foam::{Foam, Wish};
use super::geometry::{self, Point};
use super::mesh::Mesh;
use super::net::{BENDS, Net, Vertex};
use super::settle::{Pull, settle};
use crate::ids::{ByProvince, CoastId, Location, ProvinceId};
use crate::topology::{Board, Chart, FaceKind, PlanarMap, SideId};

/// How often pulls may be loosened.
const ROUNDS: usize = 48;
/// How often a first drawing is smoothed.
const SMOOTHINGS: usize = 120;
/// How much more a border on the rim is pulled than any other.
const RIM_PULL: f64 = 40.0;
/// The least area a province should have: room for its name.
const LEAST_AREA: f64 = 1500.0;

/// Where everything on a board is drawn: x from 0 to the width, y from 0 to the height, north up.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) net: Net,
    pub(super) canvas: Canvas,
    pub(super) beyond: ProvinceId,
    /// By vertex: where it is while no face is collapsed.
    pub(super) rest: Vec<Point>,
    /// By vertex: where it is.
    pub(super) at: Vec<Point>,
    /// By face.
    pub(super) wishes: Vec<Wish>,
    spots: ByProvince<Option<Spot>>,
}

/// Where things stand in a province.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The middle of its name.
    pub label: Point,
    /// How high the letters of its name can be.
    pub letters: f64,
    /// The middle of a unit that is anywhere in the province.
    pub unit: Point,
    /// The middle of a unit that is dislodged.
    pub dislodged: Point,
    /// The mark of its supply centre.
    pub centre: Point,
    /// How far all this is from any border.
    pub room: f64,
}

/// Where a coast of a province is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoastSpot {
    /// The middle of a fleet on it.
    pub unit: Point,
    /// The middle of its name.
    pub label: Point,
}

impl Layout {
    /// A drawing of a board by itself.
    pub fn of(chart: &Chart) -> Layout {
        let map = chart.map();
        let net = Net::of(map);
        let canvas = Canvas::of(chart);
        let beyond = outermost(map);
        let targets = targets(chart, &net, &canvas, beyond);
        let faces: Vec<ProvinceId> = net.faces().collect();
        let mesh = Mesh::of(&net, &faces, &targets, beyond);
        let mut pulls: Vec<Pull> = targets.iter().map(|&to| Pull::Soft(to, 1.0)).collect();
        for (vertex, &target) in targets.iter().enumerate() {
            if canvas.on_rim(target) {
                pulls[vertex] = Pull::Soft(target, RIM_PULL);
            }
        }
        pulls.resize(mesh.vertices, Pull::Free);
        for &(face, hub) in &mesh.hubs {
            if let Some(centre) = canvas.centre(chart, face) {
                pulls[hub as usize] = Pull::Soft(centre, 1.0);
            }
        }
        frame(&canvas, &mesh, &targets, &mut pulls);
        let at = settle(&net, &faces, &mesh, &mut pulls, beyond, ROUNDS);
        let mut at = at.unwrap_or_else(|at| at);
        at.truncate(net.len());
        let mut layout = Layout {
            wishes: wishes(chart, &net, &canvas, &at),
            rest: at.clone(),
            at,
            net,
            canvas,
            beyond,
            spots: ByProvince::filled(None),
        };
        layout.straighten_rim(&targets);
        let movable: Vec<Vertex> =
            (0..layout.net.len() as Vertex).filter(|&v| !canvas.on_rim(layout.rest[v as usize])).collect();
        layout.smooth(&movable, SMOOTHINGS);
        layout.show(chart);
        layout
    }

    /// A drawing of the board that follows the one drawn here.
    pub fn next(&self, chart: &Chart) -> Layout {
        let _ = self;
        Layout::of(chart)
    }

    /// Draws what should be on the rim exactly there.
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

    fn smooth(&mut self, movable: &[Vertex], rounds: usize) {
        let mut foam = Foam::new(&self.net, std::mem::take(&mut self.rest), self.beyond);
        foam.settle(movable, &self.wishes, rounds);
        self.rest = foam.at;
    }

    /// Finds places for what is drawn within the provinces.
    fn show(&mut self, chart: &Chart) {
        self.at = self.rest.clone();
        for face in self.net.faces() {
            self.spots[face] = (face != self.beyond).then(|| self.spot_in(face, chart));
        }
    }

    fn spot_in(&self, face: ProvinceId, chart: &Chart) -> Spot {
        // A name is wider than high: a deep place in a face drawn narrower has room for it.
        const NARROW: f64 = 0.6;
        let narrow = |p: &Point| Point::new(p.x * NARROW, p.y);
        let polygons: Vec<Vec<Point>> = self
            .net
            .polygons(face, &self.at)
            .iter()
            .map(|polygon| polygon.iter().map(narrow).collect())
            .collect();
        let (pole, room) = geometry::pole(&polygons);
        let middle = Point::new(pole.x / NARROW, pole.y);
        let letters = (room * 0.62).clamp(2.0, 13.0);
        let length = chart.map().name(face).chars().count().max(3) as f64;
        let letters = letters.min(room / NARROW * 2.6 / length).max(1.0);
        let up = |by: f64| middle + Point::new(0.0, by);
        Spot {
            label: up(letters * 0.7),
            letters,
            unit: up(-letters * 0.75),
            dislodged: up(-letters * 0.75) + Point::new(letters * 1.2, -letters * 0.4),
            centre: up(-letters * 0.75),
            room,
        }
    }

    /// How wide the board is.
    pub fn width(&self) -> f64 {
        self.canvas.size.x
    }

    /// How high the board is.
    pub fn height(&self) -> f64 {
        self.canvas.size.y
    }

    /// The face beyond the edge of the board.
    pub fn beyond(&self) -> ProvinceId {
        self.beyond
    }

    /// Where things stand in a province; `None` for the face beyond the edge, and where there is no face.
    pub fn spot(&self, face: ProvinceId) -> Option<&Spot> {
        self.spots[face].as_ref()
    }

    /// The boundary of a face, cycle by cycle, with the face on the left.
    pub fn outline(&self, face: ProvinceId) -> Vec<Vec<Point>> {
        self.net.polygons(face, &self.at)
    }

    /// A border, walked with the face of the side on the left.
    pub fn line(&self, side: SideId) -> Vec<Point> {
        self.net.walk(side).map(|v| self.at[v as usize]).collect()
    }

    /// Where a coast of a province with several is; `None` where there is no such coast.
    pub fn coast(&self, board: &Board, at: Location) -> Option<CoastSpot> {
        let contacts = board.contacts(at);
        let middle = self.spot(at.province)?;
        let shore: Vec<Point> = contacts.iter().flat_map(|&side| self.line(side)).collect();
        let mean = geometry::mean(&shore)?;
        let nearest = shore.iter().copied().min_by(|a, b| a.distance(mean).total_cmp(&b.distance(mean)))?;
        let unit = nearest.towards(middle.unit, 0.3);
        Some(CoastSpot { unit, label: nearest.towards(middle.unit, 0.12) })
    }

    /// Where a unit stands.
    pub fn unit(&self, board: &Board, at: Location) -> Option<Point> {
        if board.coasts(at.province) > 1 && (at.coast != CoastId::FIRST || board.land().contains(at.province))
        {
            return self.coast(board, at).map(|coast| coast.unit);
        }
        self.spot(at.province).map(|spot| spot.unit)
    }

    /// What is wrong with the drawing: how many vertices there are at which borders cross or a face is on the wrong
    /// hand. None, whatever the board: tests look here.
    pub fn flaws(&self) -> usize {
        let faces: Vec<ProvinceId> = self.net.faces().collect();
        self.net.flaws(&faces, &self.at, self.beyond).len()
    }
}

/// The face that is drawn round all others: the Outside, or without one that with the longest boundary.
fn outermost(map: &PlanarMap) -> ProvinceId {
    let outside = map.faces().find(|(_, face)| face.kind() == FaceKind::Outside);
    let longest = || map.faces().max_by_key(|&(id, _)| (map.sides_of(id).count(), std::cmp::Reverse(id)));
    outside.or_else(longest).map_or(ProvinceId(0), |(id, _)| id)
}

/// The frame stays where it is.
fn frame(canvas: &Canvas, mesh: &Mesh, near: &[Point], pulls: &mut [Pull]) {
    let place = |v: Vertex| near.get(v as usize).copied().unwrap_or_else(|| canvas.middle());
    let mut behind: Vec<Point> = Vec::new();
    for &(_, walked) in &mesh.frame {
        // The middle of a bridge is of no place: it is where the one before it is.
        let at = if (walked as usize) < near.len() {
            place(walked)
        } else {
            behind.last().copied().unwrap_or_else(|| canvas.middle())
        };
        behind.push(at);
    }
    for (&(vertex, _), at) in mesh.frame.iter().zip(canvas.frame(&behind)) {
        pulls[vertex as usize] = Pull::Fixed(at);
    }
}

/// Where the geographic centres want the vertices: a corner amid the three faces that meet there, the middle of a
/// border amid its two faces, what is on the edge of the board on the rim of the canvas.
fn targets(chart: &Chart, net: &Net, canvas: &Canvas, beyond: ProvinceId) -> Vec<Point> {
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
            let by = 12.0;
            let ways = [Point::new(by, -by), Point::new(by, by), Point::new(-by, by)];
            let mut round = ways.map(|way| centre(faces[island]) + way);
            if island == 1 {
                round.reverse();
            }
            targets[line[0] as usize] = centre(faces[island]) + Point::new(-by, -by);
            round.to_vec()
        } else if faces.contains(&beyond) {
            canvas.along_rim(canvas.rim_place(from), canvas.rim_place(to), BENDS)
        } else {
            let middle = centre(faces[0]).towards(centre(faces[1]), 0.5);
            vec![from.towards(middle, 0.6), middle, middle.towards(to, 0.4)]
        };
        for (&vertex, bend) in line[1..=BENDS].iter().zip(bends) {
            targets[vertex as usize] = bend;
        }
    }
    targets
}

/// Every face wants to keep the area it was given by the geographic centres, or have room for its name at least.
fn wishes(chart: &Chart, net: &Net, canvas: &Canvas, at: &[Point]) -> Vec<Wish> {
    let wish = |face: ProvinceId| {
        let room: f64 = net.polygons(face, at).iter().map(|polygon| geometry::area(polygon)).sum();
        Wish { area: room.max(LEAST_AREA), home: canvas.centre(chart, face) }
    };
    net.faces().map(wish).collect()
}
