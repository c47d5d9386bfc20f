//! The rectangle that a board is drawn in, and its rim.

use super::geometry::{Point, bounds};
use super::net::Net;
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceKind, NamedMap};

/// The length of the longer edge of a board.
const LENGTH: f64 = 1000.0;
/// The margin of the board round the centres of its provinces, on each side.
const ROOM: f64 = 0.075;

/// A board with more faces than this keeps its shapes, even if a centre comes to lie outside of its face.
pub(super) const FEW: usize = 60;
/// The room between the centre of a face that does not touch the Outside and the edge, relative to the distance of the
/// nearest other centre.
const SHORE_ROOM: f64 = 0.9;

/// Maps geographic centres to the drawing: x from 0 to `size.x`, y from 0 to `size.y`, north up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Canvas {
    origin: Point,
    scale: f64,
    pub(crate) size: Point,
}

/// A board that is to be drawn on a canvas.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(crate) chart: &'a NamedMap,
    pub(crate) net: &'a Net,
    pub(crate) canvas: &'a Canvas,
    /// The face that is drawn round all others.
    pub(crate) beyond: ProvinceId,
}

impl Plan<'_> {
    /// The position of the centre of a face.
    pub(crate) fn centre(&self, face: ProvinceId) -> Option<Point> {
        self.canvas.centre(self.chart, face)
    }

    /// The position of the centre of a face, or the middle of the canvas.
    pub(crate) fn centre_or_middle(&self, face: ProvinceId) -> Point {
        self.centre(face).unwrap_or_else(|| self.canvas.middle())
    }
}

/// A place on the rim: counter-clockwise from the south-eastern corner, each edge two units long.
pub(super) const ONCE_ROUND: f64 = 8.0;

/// The geographic centre of a face, if it is known.
fn centre(chart: &NamedMap, face: ProvinceId) -> Option<Point> {
    let [x, y] = chart.info(face)?.position.filter(|[x, y]| x.is_finite() && y.is_finite())?;
    Some(Point::new(x, y))
}

/// The geographic centres of the faces that do not touch the Outside, each with the room that it needs up to the edge:
/// for the rest of its face, and for a face between it and the edge.
fn inner(chart: &NamedMap) -> Vec<(Point, f64)> {
    let map = chart.map();
    let outside = |id: ProvinceId| map.face(id).is_some_and(|face| face.kind() == FaceKind::Outside);
    let centres: Vec<(ProvinceId, Point)> =
        map.faces().filter_map(|(id, _)| Some((id, centre(chart, id)?))).collect();
    let inner = centres.iter().filter(|&&(id, _)| !map.sides_of(id).any(|side| outside(map.across(side))));
    let next = |id: ProvinceId, at: Point| {
        let others = centres.iter().filter(|&&(other, _)| other != id);
        others.map(|(_, other)| other.distance(at)).fold(f64::INFINITY, f64::min)
    };
    inner.map(|&(id, at)| (at, next(id, at) * SHORE_ROOM)).filter(|(_, room)| room.is_finite()).collect()
}

impl Canvas {
    /// The canvas with room for all centres of a chart.
    pub(crate) fn of(chart: &NamedMap) -> Canvas {
        let centres = chart.map().faces().filter_map(|(id, _)| centre(chart, id));
        let [mut origin, high] = bounds(centres).unwrap_or_default();
        let mut span = high - origin;
        let long = span.x.max(span.y);
        if !long.is_finite() || long <= 0.0 {
            let half = Point::new(0.5, 0.5);
            return Canvas { origin: origin - half, scale: LENGTH, size: Point::new(LENGTH, LENGTH) };
        }
        // A board is not a ribbon, even if its centres lie in a row.
        for (from, extent) in [(&mut origin.x, &mut span.x), (&mut origin.y, &mut span.y)] {
            let wanted = extent.max(long * 0.5);
            *from -= (wanted - *extent) * 0.5;
            *extent = wanted;
        }
        let is_small = chart.map().faces().count() <= FEW;
        let inner = inner(chart).into_iter().filter(|_| is_small);
        let inner = inner.map(|(at, room)| (at, Point::new(room, room)));
        let corners = inner.flat_map(|(at, room)| [at - room, at + room]);
        let [origin, high] =
            bounds([origin - span * ROOM, origin + span * (1.0 + ROOM)].into_iter().chain(corners))
                .unwrap_or_default();
        let span = high - origin;
        let scale = LENGTH / span.x.max(span.y);
        Canvas { origin, scale, size: span * scale }
    }

    /// The position of the centre of a face.
    pub(crate) fn centre(&self, chart: &NamedMap, face: ProvinceId) -> Option<Point> {
        Some((centre(chart, face)? - self.origin) * self.scale)
    }

    /// The middle of the canvas.
    pub(crate) fn middle(&self) -> Point {
        self.size * 0.5
    }

    /// The position on the rim at which the ray from the middle through a point leaves the canvas.
    pub(crate) fn rim_place(&self, point: Point) -> f64 {
        let way = point - self.middle();
        let (u, v) = (way.x / self.size.x, way.y / self.size.y);
        let far = u.abs().max(v.abs());
        if far == 0.0 {
            return 1.0;
        }
        let (u, v) = (u / far, v / far);
        if u >= v.abs() {
            1.0 + v
        } else if v >= u.abs() {
            3.0 - u
        } else if -u >= v.abs() {
            5.0 - v
        } else {
            7.0 + u
        }
    }

    /// The point at a position of the rim, or of a rim this many times as far out.
    pub(crate) fn rim_point(&self, place: f64, times: f64) -> Point {
        let (u, v) = match place.rem_euclid(ONCE_ROUND) {
            p if p < 2.0 => (1.0, p - 1.0),
            p if p < 4.0 => (3.0 - p, 1.0),
            p if p < 6.0 => (-1.0, 5.0 - p),
            p => (p - 7.0, -1.0),
        };
        self.middle() + Point::new(u * self.size.x * 0.5, v * self.size.y * 0.5) * times
    }

    /// The shorter way on the rim from one position to another: counter-clockwise, or negative.
    pub(crate) fn shorter_way(from: f64, to: f64) -> f64 {
        let way = to - from;
        if way > ONCE_ROUND / 2.0 {
            way - ONCE_ROUND
        } else if way <= -ONCE_ROUND / 2.0 {
            way + ONCE_ROUND
        } else {
            way
        }
    }

    /// Points on the rim along the way from a position. The corners of the canvas in between are among them, if there
    /// are not more.
    pub(crate) fn along_rim(&self, from: f64, way: f64, points: usize) -> Vec<Point> {
        let part = |i: usize| from + way * (i + 1) as f64 / (points + 1) as f64;
        let mut places: Vec<f64> = (0..points).map(part).collect();
        let (low, high) = (from.min(from + way), from.max(from + way));
        let mut corners = Vec::new();
        let mut corner = (low / 2.0).floor() * 2.0 + 2.0;
        while corner < high {
            corners.push(corner);
            corner += 2.0;
        }
        if way.abs() <= ONCE_ROUND / 2.0 {
            for corner in corners {
                let nearest =
                    places.iter_mut().min_by(|a, b| (**a - corner).abs().total_cmp(&(**b - corner).abs()));
                nearest.into_iter().for_each(|nearest| *nearest = corner);
            }
        } else {
            // In their order, and further points where they leave the widest gaps.
            if way < 0.0 {
                corners.reverse();
            }
            places = corners;
            places.truncate(points);
            while places.len() < points {
                let ends: Vec<f64> = [&[from], &places[..], &[from + way]].concat();
                let gap = |i: usize| (ends[i + 1] - ends[i]).abs();
                let widest = (0..=places.len()).max_by(|&a, &b| gap(a).total_cmp(&gap(b))).unwrap_or(0);
                places.insert(widest, (ends[widest] + ends[widest + 1]) * 0.5);
            }
        }
        places.into_iter().map(|place| self.rim_point(place, 1.0)).collect()
    }

    /// The point of the rim at which a ray from a point of the canvas leaves it; `None` without a direction.
    pub(crate) fn exit(&self, from: Point, way: Point) -> Option<Point> {
        let until = |at: f64, way: f64, size: f64| {
            if way == 0.0 { f64::INFINITY } else { (if way > 0.0 { size - at } else { -at }) / way }
        };
        let part = until(from.x, way.x, self.size.x).min(until(from.y, way.y, self.size.y));
        part.is_finite().then(|| from + way * part)
    }

    /// Positions on the rim, or on a rim this many times as far out, clockwise, each after the point that it belongs
    /// to; evenly spaced if the points do not go round exactly once.
    pub(crate) fn ring(&self, behind: &[Point], times: f64) -> Vec<Point> {
        let n = behind.len();
        let even = ONCE_ROUND / n.max(1) as f64;
        let gap = even * 0.02;
        let first = behind.first().map_or(0.0, |&point| self.rim_place(point));
        let mut places = vec![first];
        for &point in behind.iter().skip(1) {
            let last = places[places.len() - 1];
            let mut place = self.rim_place(point);
            while place > last {
                place -= ONCE_ROUND;
            }
            // A step back does not count as a way almost once round.
            place = if last - place > 0.75 * ONCE_ROUND { last - gap } else { place.min(last - gap) };
            places.push(place);
        }
        let last = places[places.len() - 1];
        let widest = places.windows(2).map(|pair| pair[0] - pair[1]).fold(0.0, f64::max);
        let rest = last - (first - ONCE_ROUND);
        if rest < gap || rest.max(widest) > 3.0 {
            places = (0..n).map(|i| first - even * i as f64).collect();
        }
        places.into_iter().map(|place| self.rim_point(place, times)).collect()
    }

    /// Are all these points on the canvas, or so little beyond that the rim can be straightened?
    pub(crate) fn holds(&self, points: &[Point]) -> bool {
        const LITTLE: f64 = 0.03;
        let within = |value: f64, size: f64| value >= -size * LITTLE && value <= size * (1.0 + LITTLE);
        points.iter().all(|p| within(p.x, self.size.x) && within(p.y, self.size.y))
    }

    /// The nearest point of the rim, and the direction out of the canvas there.
    pub(crate) fn nearest_rim(&self, point: Point) -> (Point, Point) {
        let far = [point.x, self.size.x - point.x, point.y, self.size.y - point.y];
        let least = (0..4).min_by(|&a, &b| far[a].total_cmp(&far[b])).unwrap_or(0);
        let out = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)][least];
        let out = Point::new(out.0, out.1);
        (point + out * far[least], out)
    }

    /// The nearest point that is this part of the size within the rim.
    pub(crate) fn inside(&self, point: Point, inset: f64) -> Point {
        let within = |value: f64, size: f64| value.clamp(size * inset, size * (1.0 - inset));
        Point::new(within(point.x, self.size.x), within(point.y, self.size.y))
    }

    /// Is a point on the rim?
    pub(crate) fn on_rim(&self, point: Point) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        near(point.x, 0.0) || near(point.y, 0.0) || near(point.x, self.size.x) || near(point.y, self.size.y)
    }
}
