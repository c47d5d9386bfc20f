//! The rectangle that a board is drawn in, and its rim.

use super::geometry::{Point, mean};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::Chart;

/// The length of the longer edge of a board.
const LENGTH: f64 = 1000.0;
/// The margin of the board round the centres of its provinces, on each side.
const ROOM: f64 = 0.075;

/// Maps geographic centres to the drawing: x from 0 to `size.x`, y from 0 to `size.y`, north up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Canvas {
    origin: Point,
    scale: f64,
    pub size: Point,
}

/// A place on the rim: counter-clockwise from the south-eastern corner, each edge two units long.
const ONCE_ROUND: f64 = 8.0;

impl Canvas {
    /// The canvas with room for all centres of a chart.
    pub fn of(chart: &Chart) -> Canvas {
        let centres = || chart.map().faces().filter_map(|(id, _)| chart.info(id)?.position);
        let finite = || centres().filter(|[x, y]| x.is_finite() && y.is_finite());
        let low = |axis: usize| finite().map(|c| c[axis]).fold(f64::INFINITY, f64::min);
        let high = |axis: usize| finite().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max);
        let mut span = Point::new(high(0) - low(0), high(1) - low(1));
        let long = span.x.max(span.y);
        if !long.is_finite() || long <= 0.0 {
            let half = Point::new(0.5, 0.5);
            let middle = finite().next().map_or(Point::default(), |[x, y]| Point::new(x, y));
            return Canvas { origin: middle - half, scale: LENGTH, size: Point::new(LENGTH, LENGTH) };
        }
        let mut origin = Point::new(low(0), low(1));
        // A board is not a ribbon, even if its centres lie in a row.
        for (from, extent) in [(&mut origin.x, &mut span.x), (&mut origin.y, &mut span.y)] {
            let wanted = extent.max(long * 0.5);
            *from -= (wanted - *extent) * 0.5;
            *extent = wanted;
        }
        let origin = origin - span * ROOM;
        let span = span * (1.0 + 2.0 * ROOM);
        let scale = LENGTH / span.x.max(span.y);
        Canvas { origin, scale, size: span * scale }
    }

    /// The position of the centre of a face.
    pub fn centre(&self, chart: &Chart, face: ProvinceId) -> Option<Point> {
        let [x, y] = chart.info(face)?.position.filter(|[x, y]| x.is_finite() && y.is_finite())?;
        Some((Point::new(x, y) - self.origin) * self.scale)
    }

    /// The middle of the canvas.
    pub fn middle(&self) -> Point {
        self.size * 0.5
    }

    /// The position on the rim at which the ray from the middle through a point leaves the canvas.
    pub fn rim_place(&self, point: Point) -> f64 {
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
    pub fn rim_point(&self, place: f64, times: f64) -> Point {
        let mut place = place;
        while place < 0.0 {
            place += ONCE_ROUND;
        }
        while place >= ONCE_ROUND {
            place -= ONCE_ROUND;
        }
        let (u, v) = match place {
            p if p < 2.0 => (1.0, p - 1.0),
            p if p < 4.0 => (3.0 - p, 1.0),
            p if p < 6.0 => (-1.0, 5.0 - p),
            p => (p - 7.0, -1.0),
        };
        self.middle() + Point::new(u * self.size.x * 0.5, v * self.size.y * 0.5) * times
    }

    /// Points on the rim between two positions, along the shorter way. A corner of the canvas in between is one of
    /// them.
    pub fn along_rim(&self, from: f64, to: f64, points: usize) -> Vec<Point> {
        let mut way = to - from;
        if way > ONCE_ROUND / 2.0 {
            way -= ONCE_ROUND;
        } else if way <= -ONCE_ROUND / 2.0 {
            way += ONCE_ROUND;
        }
        let part = |i: usize| from + way * (i + 1) as f64 / (points + 1) as f64;
        let mut places: Vec<f64> = (0..points).map(part).collect();
        let mut corner = -ONCE_ROUND;
        while corner < 2.0 * ONCE_ROUND {
            let inside = corner > from.min(from + way) && corner < from.max(from + way);
            if inside
                && let Some(nearest) =
                    places.iter_mut().min_by(|a, b| (**a - corner).abs().total_cmp(&(**b - corner).abs()))
            {
                *nearest = corner;
            }
            corner += 2.0;
        }
        places.into_iter().map(|place| self.rim_point(place, 1.0)).collect()
    }

    /// Positions on the rim, or on a rim this many times as far out, clockwise, each after the point that it belongs
    /// to; evenly spaced if the points do not go round exactly once.
    pub fn ring(&self, behind: &[Point], times: f64) -> Vec<Point> {
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
    pub fn holds(&self, points: &[Point]) -> bool {
        const LITTLE: f64 = 0.03;
        let within = |value: f64, size: f64| value >= -size * LITTLE && value <= size * (1.0 + LITTLE);
        points.iter().all(|p| within(p.x, self.size.x) && within(p.y, self.size.y))
    }

    /// Is a point on the rim?
    pub fn on_rim(&self, point: Point) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        near(point.x, 0.0) || near(point.y, 0.0) || near(point.x, self.size.x) || near(point.y, self.size.y)
    }

    /// The mean of points, or the middle.
    pub fn mean_or_middle(&self, points: &[Point]) -> Point {
        mean(points).unwrap_or_else(|| self.middle())
    }
}
