//! Points, segments and polygons. Only + − × ÷ and square roots are used, which every machine rounds in the same way: a
//! drawing has the same bytes everywhere.

use std::ops::{Add, Mul, Sub};

/// A point of the drawing, or a vector from one to another; y points north.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    /// The point at these coordinates.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The length of the vector.
    pub(crate) fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// The distance to another point.
    pub fn distance(self, to: Point) -> f64 {
        (to - self).length()
    }

    /// The point at this fraction of the way to another point.
    pub fn towards(self, to: Point, part: f64) -> Point {
        self + (to - self) * part
    }

    /// Twice the area that the two vectors span, positive if the other turns left.
    pub(crate) fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }

    fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, by: f64) -> Point {
        Point::new(self.x * by, self.y * by)
    }
}

/// The mean of points; `None` for no points.
pub(super) fn mean(points: &[Point]) -> Option<Point> {
    let sum = points.iter().fold(Point::default(), |sum, &point| sum + point);
    (!points.is_empty()).then(|| sum * (1.0 / points.len() as f64))
}

/// The south-western and the north-eastern corner of the smallest box round these points; `None` for no points.
pub(super) fn bounds(points: impl IntoIterator<Item = Point>) -> Option<[Point; 2]> {
    points.into_iter().map(|point| [point; 2]).reduce(|[low, high], [point, _]| {
        let low = Point::new(low.x.min(point.x), low.y.min(point.y));
        [low, Point::new(high.x.max(point.x), high.y.max(point.y))]
    })
}

/// Twice the area of a triangle, positive where its corners run counter-clockwise.
pub(super) fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b - a).cross(c - a)
}

/// Do two segments have a point in common?
pub fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let apart = |p: f64, q: f64, r: f64, s: f64| p.max(q) < r.min(s) || r.max(s) < p.min(q);
    if apart(a.x, b.x, c.x, d.x) || apart(a.y, b.y, c.y, d.y) {
        return false;
    }
    let (d1, d2) = (turn(a, b, c), turn(a, b, d));
    let (d3, d4) = (turn(c, d, a), turn(c, d, b));
    // Where the boxes meet, segments are disjoint only if one lies entirely on one side of the other.
    !(d1 > 0.0 && d2 > 0.0 || d1 < 0.0 && d2 < 0.0 || d3 > 0.0 && d4 > 0.0 || d3 < 0.0 && d4 < 0.0)
}

/// The distance of a point from a segment.
pub fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    p.distance(nearest_on_segment(p, a, b))
}

/// The point of a segment that is nearest to a point.
pub(super) fn nearest_on_segment(p: Point, a: Point, b: Point) -> Point {
    let way = b - a;
    let length = way.dot(way);
    if length == 0.0 { a } else { a + way * ((p - a).dot(way) / length).clamp(0.0, 1.0) }
}

/// Is a point in the triangle or on its edge, whichever way round its corners run?
pub(super) fn in_triangle(p: Point, a: Point, b: Point, c: Point) -> bool {
    let (x, y, z) = (turn(a, b, p), turn(b, c, p), turn(c, a, p));
    (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0)
}

/// The area of a polygon, positive where it runs counter-clockwise.
pub fn area(polygon: &[Point]) -> f64 {
    let origin = polygon.first().copied().unwrap_or_default();
    edges(polygon).map(|(a, b)| (a - origin).cross(b - origin)).sum::<f64>() * 0.5
}

/// The centre of gravity of a polygon, or the mean of its points where it has no area.
pub fn centroid(polygon: &[Point]) -> Point {
    let origin = polygon.first().copied().unwrap_or_default();
    let (mut sum, mut twice) = (Point::default(), 0.0);
    for (a, b) in edges(polygon) {
        let cross = (a - origin).cross(b - origin);
        sum = sum + ((a - origin) + (b - origin)) * cross;
        twice += cross;
    }
    if twice == 0.0 { mean(polygon).unwrap_or_default() } else { origin + sum * (1.0 / (3.0 * twice)) }
}

/// The edges of a closed polygon.
pub(super) fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1)).take(polygon.len())
}

/// Is a point inside of these closed lines together, where each crossing leads out or in?
pub fn contains(cycles: &[Vec<Point>], p: Point) -> bool {
    let crossings = cycles
        .iter()
        .flat_map(|cycle| edges(cycle))
        .filter(|&(a, b)| (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x);
    crossings.count() % 2 == 1
}

/// The distance of a point from the nearest of these closed lines; negative outside of them.
pub(super) fn depth(cycles: &[Vec<Point>], p: Point) -> f64 {
    let nearest = cycles
        .iter()
        .flat_map(|cycle| edges(cycle))
        .map(|(a, b)| distance_to_segment(p, a, b))
        .fold(f64::INFINITY, f64::min);
    if contains(cycles, p) { nearest } else { -nearest }
}

/// The point that is deepest inside (the pole of inaccessibility), and its depth. A coarse grid first, then finer grids
/// round the best few points: accurate enough for a label, and always inside if any tested point is.
pub fn pole(cycles: &[Vec<Point>]) -> (Point, f64) {
    const GRID: i32 = 14;
    let points: Vec<Point> = cycles.iter().flatten().copied().collect();
    let (Some(start), Some([low, high])) = (mean(&points), bounds(points)) else {
        return (Point::default(), 0.0);
    };
    let mut step = Point::new((high.x - low.x) / f64::from(GRID), (high.y - low.y) / f64::from(GRID));
    let mut best = (start, depth(cycles, start));
    let try_at = |at: Point, best: &mut (Point, f64)| {
        let deep = depth(cycles, at);
        if deep > best.1 {
            *best = (at, deep);
        }
    };
    for i in 0..GRID {
        for j in 0..GRID {
            let cell = Point::new(f64::from(i) + 0.5, f64::from(j) + 0.5);
            try_at(Point::new(low.x + cell.x * step.x, low.y + cell.y * step.y), &mut best);
        }
    }
    if best.1 <= 0.0 {
        // Too thin for the grid: a point just within an edge is inside as well.
        for (a, b) in cycles.iter().flat_map(|cycle| edges(cycle)) {
            let normal = Point::new(a.y - b.y, b.x - a.x);
            for part in [0.3, 0.1, 0.03, 0.01, 0.001] {
                try_at(a.towards(b, 0.5) + normal * part, &mut best);
            }
        }
    }
    for _ in 0..9 {
        let centre = best.0;
        step = step * 0.5;
        for i in -2..=2 {
            for j in -2..=2 {
                let by = Point::new(f64::from(i) * step.x, f64::from(j) * step.y);
                try_at(centre + by, &mut best);
            }
        }
    }
    best
}

// Boxes that names, units and marks take up, with their edges along the axes.

/// A box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Area {
    /// Its middle.
    pub middle: Point,
    /// Half its width and half its height.
    pub half: Point,
}

impl Area {
    /// A box round its middle, half as wide and half as high as given.
    pub(crate) fn new(middle: Point, [wide, high]: [f64; 2]) -> Area {
        Area { middle, half: Point::new(wide, high) }
    }

    /// Its south-western corner.
    pub fn low(&self) -> Point {
        self.middle - self.half
    }

    /// Its north-eastern corner.
    pub fn high(&self) -> Point {
        self.middle + self.half
    }

    /// Do the two have a part in common?
    pub fn meets(&self, other: &Area) -> bool {
        let apart = self.middle - other.middle;
        apart.x.abs() < self.half.x + other.half.x && apart.y.abs() < self.half.y + other.half.y
    }

    /// Larger by this much on each side.
    pub(super) fn grown(&self, by: f64) -> Area {
        Area { half: self.half + Point::new(by, by), ..*self }
    }

    /// Is a point within?
    pub(super) fn holds(&self, p: Point) -> bool {
        let apart = p - self.middle;
        apart.x.abs() < self.half.x && apart.y.abs() < self.half.y
    }

    /// Does a straight line from point to point cross it, or end in it?
    pub(super) fn is_on_line(&self, from: Point, to: Point) -> bool {
        // The part of the line between the two edges along each axis (Liang and Barsky, *A new concept and method for
        // line clipping*, 1984).
        let (way, low, high) = (to - from, self.low(), self.high());
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (way, from, low, high) in [(way.x, from.x, low.x, high.x), (way.y, from.y, low.y, high.y)] {
            if way.abs() < 1e-9 {
                if from <= low || from >= high {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - from) / way, (high - from) / way);
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        first < last
    }
}
