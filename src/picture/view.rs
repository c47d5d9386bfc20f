//! A visible part of a board: everything outside of it is left out of a picture.

use super::geometry::Point;

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
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(View { low: first, high: first }, |view, p| View {
            low: Point::new(view.low.x.min(p.x), view.low.y.min(p.y)),
            high: Point::new(view.high.x.max(p.x), view.high.y.max(p.y)),
        }))
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
