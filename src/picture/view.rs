//! A visible part of a board: everything outside of it is left out of a picture.

use crate::geometry::{Area, Point, bounds};

/// The margin round a change, on each side, relative to its longer edge.
const ROUND_ABOUT: f64 = 0.55;
/// The minimum visible part of a board, along each edge.
const LEAST: f64 = 230.0;
/// The maximum ratio of the longer edge to the shorter one.
const LONGEST: f64 = 1.35;

/// A rectangle of the drawing, with its edges along the axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Its south-western corner.
    pub low: Point,
    /// Its north-eastern corner.
    pub high: Point,
}

impl View {
    /// The smallest rectangle round these points; `None` without points.
    pub(crate) fn round(points: impl IntoIterator<Item = Point>) -> Option<View> {
        bounds(points).map(|[low, high]| View { low, high })
    }

    /// With a margin on each side, and not too narrow; within the whole board.
    pub(super) fn with_room(self, all: View) -> View {
        let room = self.size().x.max(self.size().y) * ROUND_ABOUT;
        let wanted = self.size() + Point::new(room, room);
        let (wide, high) = (wanted.x.max(LEAST), wanted.y.max(LEAST));
        let size = Point::new(wide.max(high / LONGEST), high.max(wide / LONGEST));
        let middle = self.low.towards(self.high, 0.5);
        // Along each axis as near to its middle as the board allows.
        let along = |middle: f64, size: f64, most: f64| {
            let size = size.min(most);
            let low = (middle - size * 0.5).clamp(0.0, most - size);
            (low, low + size)
        };
        let (west, east) = along(middle.x, size.x, all.high.x);
        let (south, north) = along(middle.y, size.y, all.high.y);
        View { low: Point::new(west, south), high: Point::new(east, north) }
    }

    /// Its width and height.
    pub fn size(&self) -> Point {
        self.high - self.low
    }

    /// Larger by this much on each side.
    pub(super) fn grown(&self, by: f64) -> View {
        let by = Point::new(by, by);
        View { low: self.low - by, high: self.high + by }
    }

    /// Is a point within?
    pub fn holds(&self, p: Point) -> bool {
        p.x >= self.low.x && p.x <= self.high.x && p.y >= self.low.y && p.y <= self.high.y
    }

    pub(super) fn meets(&self, other: View) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// The part of a closed line's interior within the view (Sutherland and Hodgman, *Reentrant polygon clipping*,
    /// 1974): several parts are joined along the edge.
    pub(super) fn clip(&self, polygon: &[Point]) -> Vec<Point> {
        let (low, high) = (self.low, self.high);
        // The distance of a point from an edge, positive inside.
        let depths: [&dyn Fn(Point) -> f64; 4] =
            [&|p| p.x - low.x, &|p| high.x - p.x, &|p| p.y - low.y, &|p| high.y - p.y];
        depths.iter().fold(polygon.to_vec(), |polygon, depth| {
            let mut clipped = Vec::with_capacity(polygon.len());
            for (i, &to) in polygon.iter().enumerate() {
                let from = polygon[(i + polygon.len() - 1) % polygon.len()];
                let (a, b) = (depth(from), depth(to));
                if (a >= 0.0) != (b >= 0.0) {
                    clipped.push(from.towards(to, a / (a - b)));
                }
                if b >= 0.0 {
                    clipped.push(to);
                }
            }
            clipped
        })
    }
}

// Places beside provinces that are too small for what stands in them: there a plate in the colours of the province has
// its name, centre and unit, and a line leads from the plate to the province.

/// The directions in which a place is looked for.
const DIRECTIONS: [(f64, f64); 16] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, 1.0),
    (0.0, -1.0),
    (0.707, 0.707),
    (-0.707, 0.707),
    (0.707, -0.707),
    (-0.707, -0.707),
    (0.924, 0.383),
    (-0.924, 0.383),
    (0.924, -0.383),
    (-0.924, -0.383),
    (0.383, 0.924),
    (-0.383, 0.924),
    (0.383, -0.924),
    (-0.383, -0.924),
];
/// The first ring on which a place is looked for, the distance between rings, and their number.
const NEAREST: f64 = 18.0;
const STEP: f64 = 6.0;
const RINGS: usize = 64;

/// The distance of a plate from everything else.
const GAP: f64 = 2.0;
/// A place counts as farther by this much for each vertex of a border that the plate would hide.
const HIDDEN: f64 = 4.0;
/// A place counts as farther by this much for everything that the line to it would cross.
const CROSSED: f64 = 40.0;
/// A plate that would move by less than this stays in its place of the board before.
const KEPT: f64 = 60.0;

/// The surroundings of a plate.
pub(super) struct Around<'a> {
    /// The rectangle within which it must be.
    pub bounds: View,
    /// Everything that it must not cover.
    pub taken: &'a [Area],
    /// The lines from other plates to their provinces.
    pub leaders: &'a [[Point; 2]],
    /// The vertices of all borders.
    pub vertices: &'a [Point],
}

impl Around<'_> {
    /// Is there room for a plate?
    fn is_free(&self, plate: &Area) -> bool {
        let wide = plate.grown(GAP);
        self.bounds.holds(wide.low())
            && self.bounds.holds(wide.high())
            && !self.taken.iter().any(|other| wide.meets(other))
            && !self.leaders.iter().any(|&[from, to]| wide.is_on_line(from, to))
    }

    /// The distance of a plate from its province, and more for what is hidden or crossed.
    fn cost(&self, from: Point, plate: &Area) -> f64 {
        let hidden = self.vertices.iter().filter(|&&p| plate.holds(p)).count();
        let crossed =
            self.taken.iter().filter(|other| !other.holds(from) && other.is_on_line(from, plate.middle));
        from.distance(plate.middle) + HIDDEN * hidden as f64 + CROSSED * crossed.count() as f64
    }

    /// The best middle of a plate of this size for a province round this point; `None` without any room.
    pub(crate) fn place(&self, from: Point, half: Point, before: Option<Point>) -> Option<Point> {
        let plate = |middle: Point| Area { middle, half };
        let price = |middle: Point| {
            let plate = plate(middle);
            self.is_free(&plate).then(|| self.cost(from, &plate))
        };
        let mut best: Option<(f64, Point)> = before.and_then(|middle| Some((price(middle)? - KEPT, middle)));
        for ring in 0..RINGS {
            let far = NEAREST + STEP * ring as f64;
            if best.is_some_and(|(cost, _)| cost <= far) {
                break;
            }
            for (right, up) in DIRECTIONS {
                // A plate that is wider than high begins as far away on each side.
                let aside = Point::new(right * (far + half.x - half.y).max(0.0), up * far);
                let middle = from + aside;
                if let Some(cost) = price(middle).filter(|cost| best.is_none_or(|(least, _)| *cost < least)) {
                    best = Some((cost, middle));
                }
            }
        }
        best.map(|(_, middle)| middle)
    }
}
