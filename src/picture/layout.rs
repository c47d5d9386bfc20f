//! Where everything on a board is drawn.

use super::canvas::Canvas;
use super::curve;
use super::foam::{Foam, Wish};
use super::follow::{Before, Follow, open_faces};
use super::geometry::{self, Point};
use super::mesh::Mesh;
use super::net::{BENDS, Net, Vertex};
use super::scar::{self, Scar};
use super::settle::{Pull, settle, spread};
use super::spot::Spot;
use super::view::View;
use upheaval_map::ids::{ByProvince, ProvinceId};
use upheaval_map::topology::{Chart, FaceKind, PlanarMap, SideId};

/// How often pulls may be loosened.
const ROUNDS: usize = 48;
/// How often a first drawing is smoothed.
const SMOOTHINGS: usize = 140;
/// How often one that follows another is smoothed.
const FOLLOWING_SMOOTHINGS: usize = 50;
/// How often it is tried to keep what is known of the drawing before, ever less of it.
const ATTEMPTS: usize = 9;
/// As by how many neighbours vertices are drawn to where they were in the last attempt.
const LAST_PULL: f64 = 3.0;
/// As by how many neighbours the border of a new island is drawn round where it was.
const LOOP_PULL: f64 = 12.0;
/// How many times as far out as the rim the frame is.
const FRAME: f64 = 2.0;
/// How much more a border on the rim is pulled than any other.
const RIM_PULL: f64 = 400.0;
/// The least area a province should have: room for its name.
const LEAST_AREA: f64 = 4000.0;

/// Where everything on a board is drawn: x from 0 to the width, y from 0 to the height, north up.
///
/// ```
/// use upheaval_map::topology::atlas;
/// use upheaval_picture::{Layout, Style, svg};
/// let chart = atlas::standard();
/// let picture = svg::board(&Layout::of(&chart), &chart, &Style::default());
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// ```
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
    /// By face: a hash of its name, by which it is known again.
    keys: Vec<u64>,
    /// The groups of collapsed faces.
    pub(super) scars: Vec<Scar>,
    /// By vertex: is the bend there rounded off?
    pub(super) round: Vec<bool>,
    pub(super) spots: ByProvince<Option<Spot>>,
    /// The part of it that is looked at, if not all.
    pub(super) view: Option<View>,
}

impl Layout {
    /// A drawing of a board by itself.
    pub fn of(chart: &Chart) -> Layout {
        Layout::on(chart, Canvas::of(chart))
    }

    fn on(chart: &Chart, canvas: Canvas) -> Layout {
        let map = chart.map();
        let net = Net::of(map);
        let beyond = outermost(map);
        let targets = targets(chart, &net, &canvas, beyond);
        let faces: Vec<ProvinceId> = net.faces().collect();
        let mesh = Mesh::of(&net, &faces, &targets, beyond);
        let (mut at, mut smoothings) = (Vec::new(), SMOOTHINGS);
        let geographic = settle(
            &net,
            &faces,
            &mesh,
            &mut geographic_pulls(chart, &canvas, &mesh, &targets),
            (&[], 1.0),
            beyond,
            ROUNDS,
        );
        match geographic {
            Ok(places) if canvas.holds(&places[..net.len()]) => at.extend(places),
            _ => {
                // Geography is of no help: on the rim what belongs there, and all else where it can be.
                smoothings = 2 * SMOOTHINGS;
                for on_rim in [true, false] {
                    let sound = |at: &[Point]| net.flaws(&faces, at, beyond).is_empty();
                    let mut pulls = bare_pulls(&canvas, &net, &mesh, &targets, on_rim, beyond);
                    at = spread(&mesh, &mut pulls, sound);
                    if sound(&at) {
                        break;
                    }
                }
            }
        }
        at.truncate(net.len());
        let mut wishes = wishes(chart, &net, &canvas, &at);
        if smoothings > SMOOTHINGS {
            let fair = canvas.size.x * canvas.size.y / wishes.len() as f64;
            wishes.iter_mut().for_each(|wish| *wish = Wish { area: fair, home: None });
        }
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
            view: None,
        };
        layout.straighten_rim(&targets);
        let movable: Vec<Vertex> =
            (0..layout.net.len() as Vertex).filter(|&v| !canvas.on_rim(layout.rest[v as usize])).collect();
        layout.smooth(&movable, smoothings);
        layout.show(chart, None);
        layout
    }

    /// A drawing of the board that follows the one drawn here. Where no border has moved everything stays where it
    /// is, and round those that have as much as can.
    pub fn next(&self, chart: &Chart) -> Layout {
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
            view: None,
        };
        layout.smooth(&movable, FOLLOWING_SMOOTHINGS);
        layout.show(chart, Some(self));
        layout
    }

    /// A border that closes on itself now goes round where its island was.
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

    /// Places for the vertices, and those which are not where they were. First only where borders have moved; then, if
    /// they cannot be drawn there, ever farther round; then everywhere. `None` if all that is not enough.
    fn redraw(
        &self,
        chart: &Chart,
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
                let same = self.keys.get(face.index()).copied() == key(chart, face);
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

    /// Nothing stays where it is, and all is drawn there.
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
        let rest = std::mem::take(&mut self.rest);
        let mut foam = Foam::new(&self.net, rest, self.beyond, self.canvas.size);
        foam.settle(movable, &self.wishes, rounds);
        self.rest = foam.at;
    }

    /// Draws holes together, and finds places for what is drawn within the provinces.
    fn show(&mut self, chart: &Chart, before: Option<&Layout>) {
        (self.at, self.scars) =
            scar::draw_together(&self.net, chart.map(), &self.canvas, &self.rest, self.beyond);
        self.find_spots(chart, before);
    }

    /// Rounds off bends and finds places for what is drawn within the provinces, as the borders are.
    pub(super) fn find_spots(&mut self, chart: &Chart, before: Option<&Layout>) {
        self.round = curve::round_bends(&self.net, &self.at);
        for (round, &at) in self.round.iter_mut().zip(&self.at) {
            *round &= !self.canvas.on_rim(at);
        }
        for face in self.net.faces().filter(|&face| face != self.beyond) {
            let outline = self.outline(face);
            // What has not moved at all keeps its places.
            let kept = before
                .filter(|before| {
                    before.outline(face) == outline && before.keys[face.index()] == self.keys[face.index()]
                })
                .and_then(|before| before.spots[face]);
            let name = chart.map().name(face);
            self.spots[face] =
                Some(kept.unwrap_or_else(|| Spot::within(&self.shape(face), name.chars().count())));
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

    /// Where each group of collapsed faces is drawn as a point.
    pub fn scars(&self) -> Vec<Point> {
        self.scars.iter().map(|scar| scar.at).collect()
    }

    /// Is the face drawn as a point?
    pub(super) fn is_point(&self, face: ProvinceId) -> bool {
        self.scars.iter().any(|scar| scar.faces.contains(&face))
    }

    /// The boundary of a face, cycle by cycle, with the face on the left.
    pub fn outline(&self, face: ProvinceId) -> Vec<Vec<Point>> {
        self.net.polygons(face, &self.at)
    }

    /// A border, walked with the face of the side on the left.
    pub fn line(&self, side: SideId) -> Vec<Point> {
        self.net.walk(side).map(|v| self.at[v as usize]).collect()
    }

    /// What is wrong with the drawing: how many vertices there are at which borders cross or a face is on the wrong
    /// hand. None, whatever the board: tests look here.
    pub fn flaws(&self) -> usize {
        let faces: Vec<ProvinceId> = self.net.faces().collect();
        self.net.flaws(&faces, &self.at, self.beyond).len()
    }
}

/// The hash of the name of a face.
fn key(chart: &Chart, face: ProvinceId) -> Option<u64> {
    chart.map().face(face).map(|face| face.key())
}

/// Four points round a place, counter-clockwise, and the first again.
fn round(middle: Point, by: f64) -> [Point; 5] {
    [(-by, -by), (by, -by), (by, by), (-by, by), (-by, -by)].map(|(x, y)| middle + Point::new(x, y))
}

/// The face that is drawn round all others: the Outside, or without one that with the longest boundary.
fn outermost(map: &PlanarMap) -> ProvinceId {
    let outside = map.faces().find(|(_, face)| face.kind() == FaceKind::Outside);
    let longest = || map.faces().max_by_key(|&(id, _)| (map.sides_of(id).count(), std::cmp::Reverse(id)));
    outside.or_else(longest).map_or(ProvinceId(0), |(id, _)| id)
}

/// Everything is drawn to where geography wants it.
fn geographic_pulls(chart: &Chart, canvas: &Canvas, mesh: &Mesh, targets: &[Point]) -> Vec<Pull> {
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

/// Nothing is drawn anywhere but the frame, and what goes round the whole board, if it is to be on the rim.
fn bare_pulls(
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
        // The middle of a bridge is of no place: it is where the one before it is.
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
            let mut round = round(centre(faces[island]), 12.0);
            if island == 1 {
                round.reverse();
            }
            targets[line[0] as usize] = round[0];
            round[1..=BENDS].to_vec()
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
