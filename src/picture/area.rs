//! Boxes that names, units and marks take up, with their edges along the axes.

use super::geometry::Point;

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
