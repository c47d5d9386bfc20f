//! Places beside provinces that are too small for what stands in them: there a plate in the colours of the province has
//! its name, centre and unit, and a line leads from the plate to the province.

use super::area::Area;
use super::geometry::Point;
use super::view::View;

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
