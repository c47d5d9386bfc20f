//! Borders as curves: a bend is rounded if nothing is in the way.
//!
//! ```text
//!            p            The curve goes from m to n, the middles of the two straight pieces, within the triangle
//!          ╱   ╲          m p n: no other border may enter that, else the bend stays sharp. So curves do not cross
//!        m ·····n         where lines do not.
//!      ╱          ╲
//! ```

use std::fmt::Write as _;

use crate::foam::Foam;
use crate::geometry::{Point, in_triangle, mean, segments_meet};
use crate::layout::Layout;
use crate::net::{Net, Vertex};
use crate::scar::{self, Scar};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{BorderId, HalfEdgeId, MapEvent, NamedMap, PlanarMap, Quake};

/// The number of straight pieces of a curve where straight pieces are needed.
const PIECES: usize = 4;

/// A bend whose curve would be shorter stays sharp: the difference would be invisible.
const SMALLEST: f64 = 0.1;

/// A piece of a border.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Straight(Point),
    /// Past the first point to the second.
    Round(Point, Point),
}

/// For each vertex: can the bend there be rounded?
pub(super) fn round_bends(net: &Net, at: &[Point]) -> Vec<bool> {
    let mut round = vec![false; net.len()];
    let edges: Vec<Vec<[Vertex; 2]>> = net.faces().map(|face| net.edges(face)).collect();
    let faces_at = net.faces_at();
    let place = |v: Vertex| at[v as usize];
    for (_, line) in net.lines() {
        let last = line.len() - 1;
        for i in 1..last {
            let [before, v, after] = [line[i - 1], line[i], line[i + 1]];
            let m = if i == 1 { place(before) } else { place(before).towards(place(v), 0.5) };
            let n = if i + 1 == last { place(after) } else { place(v).towards(place(after), 0.5) };
            let enters = |&[a, b]: &[Vertex; 2]| {
                let own = |w: Vertex| w == v || w == before || w == after;
                let apart = a == v || b == v;
                !apart
                    && ((!own(a) && in_triangle(place(a), m, place(v), n))
                        || (!own(a) && !own(b) && segments_meet(m, n, place(a), place(b)))
                        || (own(a) != own(b) && crosses_within(m, n, place(a), place(b))))
            };
            let faces: &[ProvinceId] = &faces_at[v as usize];
            round[v as usize] =
                m.distance(n) > SMALLEST && !faces.iter().any(|face| edges[face.index()].iter().any(enters));
        }
    }
    round
}

/// Does the second segment cross the first, other than where an end of one lies on an end of the other?
fn crosses_within(m: Point, n: Point, a: Point, b: Point) -> bool {
    ![m, n].iter().any(|end| *end == a || *end == b) && segments_meet(m, n, a, b)
}

/// The pieces of a walk along a border, from its start on.
fn pieces(line: &[Vertex], at: &[Point], round: &[bool]) -> Vec<Piece> {
    let place = |v: Vertex| at[v as usize];
    let last = line.len().saturating_sub(1);
    let mut pieces = Vec::with_capacity(2 * line.len());
    for i in 1..last {
        let (v, after) = (line[i], line[i + 1]);
        let here = place(v);
        let n = if i + 1 == last { place(after) } else { here.towards(place(after), 0.5) };
        if round[v as usize] {
            pieces.push(Piece::Round(here, n));
        } else {
            pieces.push(Piece::Straight(here));
            // Between two sharp bends the line is straight and needs no point in its middle.
            if i + 1 == last || round[after as usize] {
                pieces.push(Piece::Straight(n));
            }
        }
    }
    pieces
}

impl Layout {
    fn pieces(&self, side: HalfEdgeId) -> Vec<Piece> {
        let line: Vec<Vertex> = self.net.walk(side).collect();
        pieces(&line, &self.at, &self.round)
    }

    /// A border as it is drawn, in this many straight pieces, walked with the face of the side on the left.
    pub fn curve(&self, side: HalfEdgeId) -> Vec<Point> {
        let mut points: Vec<Point> = self.line(side).into_iter().take(1).collect();
        for piece in self.pieces(side) {
            let from = points[points.len() - 1];
            match piece {
                Piece::Straight(to) => points.push(to),
                Piece::Round(over, to) => {
                    points.extend((1..PIECES).map(|i| {
                        let part = i as f64 / PIECES as f64;
                        from.towards(over, part).towards(over.towards(to, part), part)
                    }));
                    points.push(to);
                }
            }
        }
        points
    }

    /// The boundary of a face as it is drawn, in this many straight pieces, with the face on the left.
    pub fn shape(&self, face: ProvinceId) -> Vec<Vec<Point>> {
        let shape = |cycle: &Vec<HalfEdgeId>| {
            let mut points = Vec::new();
            for &side in cycle {
                let curve = self.curve(side);
                points.extend(&curve[..curve.len() - 1]);
            }
            points
        };
        self.net.cycles(face).iter().map(shape).collect()
    }

    /// Appends a border to SVG path data that ends where the border starts.
    fn write_pieces(&self, side: HalfEdgeId, data: &mut String) {
        for piece in self.pieces(side) {
            let _ = match piece {
                Piece::Straight(to) => write!(data, "L{}", self.pair(to)),
                Piece::Round(over, to) => write!(data, "Q{} {}", self.pair(over), self.pair(to)),
            };
        }
    }

    /// The boundary of a face as SVG path data.
    pub(super) fn face_data(&self, face: ProvinceId) -> String {
        let mut data = String::new();
        for cycle in self.net.cycles(face) {
            if let Some(start) = cycle.first().and_then(|&side| self.net.start(side)) {
                let _ = write!(data, "M{}", self.pair(self.at[start as usize]));
            }
            cycle.iter().for_each(|&side| self.write_pieces(side, &mut data));
            data.push('Z');
        }
        data
    }

    /// A border as SVG path data.
    pub fn border_data(&self, side: HalfEdgeId) -> String {
        let mut data = String::new();
        if let Some(start) = self.net.start(side) {
            let _ = write!(data, "M{}", self.pair(self.at[start as usize]));
            self.write_pieces(side, &mut data);
        }
        data
    }

    /// A point in SVG coordinates, y to the south, with one digit after the decimal point.
    pub fn pair(&self, point: Point) -> String {
        // No minus sign before 0.
        let tidy = |value: f64| if value.abs() < 0.05 { 0.0 } else { value };
        format!("{:.1} {:.1}", tidy(point.x), tidy(self.height() - point.y))
    }
}

// A drawing half-way from one board to the next: a face is half contracted, or four faces meet at a point.
//
// Only movements have a half-way drawing. A face that becomes a void or a sea, or is split, stays in place.

/// The remaining distance between the four faces that meet at a point, relative to the border between two of them.
const ALMOST: f64 = 0.03;

impl Layout {
    /// The drawing half-way from the board before this event to the board after it, with the board that it shows.
    /// `None` if nothing moves. It is as valid as the two drawings.
    pub fn halfway<'a>(
        before: (&Layout, &'a NamedMap),
        after: (&Layout, &'a NamedMap),
        event: &MapEvent,
    ) -> Option<(Layout, &'a NamedMap)> {
        let (old, new) = (before.1.map(), after.1.map());
        match event {
            MapEvent::Collapse(_) | MapEvent::Restore(_) => {
                // A restored face need not have been a hole: ice thaws in place.
                let moves = old.holes() != new.holes()
                    && before.0.at.len() == after.0.at.len()
                    && before.0.at != after.0.at;
                let aims = before.0.at.iter().zip(&after.0.at).map(|(from, to)| from.towards(*to, 0.5));
                let aims: Vec<(Vertex, Point)> = (0..).zip(aims).collect();
                moves.then(|| {
                    (before.0.on_its_way(after.1, &aims, &halfway_scars(before.0, after.0)), after.1)
                })
            }
            MapEvent::Separate { .. } => {
                let Ok(Quake::Separation(border)) = Quake::of_event(event, old) else { return None };
                Some((before.0.drawn_together(before.1, border), before.1))
            }
            MapEvent::Connect { together, .. } => {
                let border = new_border(old, new, together)?;
                Some((after.0.drawn_together(after.1, border), after.1))
            }
            _ => None,
        }
    }

    /// The same drawing with one border contracted almost to a point.
    fn drawn_together(&self, chart: &NamedMap, border: BorderId) -> Layout {
        let line = self.net.line(border);
        let place = |&v: &Vertex| self.at[v as usize];
        let middle = mean(&line.iter().map(place).collect::<Vec<Point>>()).unwrap_or_default();
        let aims: Vec<(Vertex, Point)> =
            line.iter().map(|v| (*v, middle.towards(place(v), ALMOST))).collect();
        self.on_its_way(chart, &aims, &self.scars)
    }

    /// The same drawing with these vertices as near to their wanted positions as possible.
    fn on_its_way(&self, chart: &NamedMap, aims: &[(Vertex, Point)], scars: &[Scar]) -> Layout {
        let mut foam = Foam::new(&self.net, self.at.clone(), self.beyond, self.canvas.size);
        scar::draw_to(&mut foam, aims);
        let at = foam.at;
        let mut layout = self.clone();
        (layout.at, layout.scars) = (at, scars.to_vec());
        layout.find_spots(chart, Some(self));
        layout
    }
}

/// The holes of the later board that were holes before, half-way between their old and new positions.
fn halfway_scars(before: &Layout, after: &Layout) -> Vec<Scar> {
    let was = |&face: &ProvinceId| before.scars.iter().find(|scar| scar.faces.contains(&face));
    let halfway = |scar: &Scar| {
        let from = scar.faces.iter().map(was).collect::<Option<Vec<&Scar>>>()?;
        Some(Scar { faces: scar.faces.clone(), at: from.first()?.at.towards(scar.at, 0.5) })
    };
    after.scars.iter().filter_map(halfway).collect()
}

/// The border between these two faces that did not exist before.
fn new_border(old: &PlanarMap, new: &PlanarMap, together: &[String; 2]) -> Option<BorderId> {
    let faces =
        |map: &PlanarMap, border: BorderId| -> [ProvinceId; 2] { border.sides().map(|side| map.owner(side)) };
    let [a, b] = [new.find(&together[0])?, new.find(&together[1])?];
    let is_theirs = |map, border| matches!(faces(map, border), pair if pair == [a, b] || pair == [b, a]);
    let was = |border| old.borders().any(|it| it == border) && is_theirs(old, border);
    new.borders().find(|&border| is_theirs(new, border) && !was(border))
}
