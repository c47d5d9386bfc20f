//! A part of a board that is looked at: what lies outside of it is left out of a picture.

use super::geometry::Point;
use super::layout::Layout;
use super::spot::Spot;
use upheaval_map::ids::{ByProvince, ProvinceId};
use upheaval_map::topology::{Chart, SideId};

/// How much of what has changed is seen round it, on each hand, as a part of its longer edge.
const ROUND_ABOUT: f64 = 0.55;
/// The least that is seen of a board, on each edge.
const LEAST: f64 = 230.0;
/// How much longer than the other an edge may be.
const LONGEST: f64 = 1.35;
/// How far names keep from the edge.
const INSET: f64 = 5.0;
/// Smaller letters nobody could read: there is no name then.
const LEAST_LETTERS: f64 = 6.5;
/// As far beyond its line as this a border is seen.
const BREADTH: f64 = 9.0;

/// A rectangle of the drawing, with its edges along the axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Its south-western corner.
    pub low: Point,
    /// Its north-eastern corner.
    pub high: Point,
}

impl View {
    /// The least rectangle round these points; `None` round none.
    pub fn round(points: impl IntoIterator<Item = Point>) -> Option<View> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(View { low: first, high: first }, |view, p| View {
            low: Point::new(view.low.x.min(p.x), view.low.y.min(p.y)),
            high: Point::new(view.high.x.max(p.x), view.high.y.max(p.y)),
        }))
    }

    /// What is drawn otherwise on the board after than on the one before, with some room round it; the whole board if
    /// nothing is.
    pub fn of_change(before: (&Layout, &Chart), after: (&Layout, &Chart)) -> View {
        let changed =
            View::round(other_points(before.0, after.0).into_iter().chain(other_faces(before, after)));
        let all = View { low: Point::default(), high: after.0.canvas.size };
        changed.map_or(all, |changed| changed.with_room(all))
    }

    /// With room on each hand, and no ribbon; within all there is.
    fn with_room(self, all: View) -> View {
        let room = self.size().x.max(self.size().y) * ROUND_ABOUT;
        let wanted = self.size() + Point::new(room, room);
        let (wide, high) = (wanted.x.max(LEAST), wanted.y.max(LEAST));
        let size = Point::new(wide.max(high / LONGEST), high.max(wide / LONGEST));
        let middle = self.low.towards(self.high, 0.5);
        // Along each axis as near to its middle as there is board.
        let along = |middle: f64, size: f64, most: f64| {
            let size = size.min(most);
            let low = (middle - size * 0.5).clamp(0.0, most - size);
            (low, low + size)
        };
        let (west, east) = along(middle.x, size.x, all.high.x);
        let (south, north) = along(middle.y, size.y, all.high.y);
        View { low: Point::new(west, south), high: Point::new(east, north) }
    }

    /// How wide and high it is.
    pub fn size(&self) -> Point {
        self.high - self.low
    }

    /// Larger by so much on each hand.
    fn grown(&self, by: f64) -> View {
        let by = Point::new(by, by);
        View { low: self.low - by, high: self.high + by }
    }

    /// Is a point within?
    pub fn holds(&self, p: Point) -> bool {
        p.x >= self.low.x && p.x <= self.high.x && p.y >= self.low.y && p.y <= self.high.y
    }

    fn meets(&self, other: View) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// What of a closed line's inside is within (Sutherland and Hodgman, *Reentrant polygon clipping*, 1974): several
    /// parts are joined along the edge.
    fn clip(&self, polygon: &[Point]) -> Vec<Point> {
        let (low, high) = (self.low, self.high);
        // How far within an edge a point is.
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

/// The vertices of each drawing that are not in the other.
fn other_points(before: &Layout, after: &Layout) -> Vec<Point> {
    let sorted = |layout: &Layout| {
        let mut points = layout.at.clone();
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points
    };
    let (old, new) = (sorted(before), sorted(after));
    let lacks = |of: &[Point], p: &Point| {
        of.binary_search_by(|q| q.x.total_cmp(&p.x).then(q.y.total_cmp(&p.y))).is_err()
    };
    let gone = old.iter().filter(|p| lacks(&new, p));
    let come = new.iter().filter(|p| lacks(&old, p));
    gone.chain(come).copied().collect()
}

/// The outlines of faces that have become something else.
fn other_faces(before: (&Layout, &Chart), after: (&Layout, &Chart)) -> Vec<Point> {
    let what = |chart: &Chart, id: ProvinceId| {
        chart.map().face(id).map(|face| (face.name().to_owned(), face.kind(), face.state()))
    };
    let faces = after.1.map().faces().map(|(id, _)| id).filter(|&id| id != after.0.beyond());
    let other = faces.filter(|&id| what(before.1, id) != what(after.1, id));
    other.flat_map(|id| [before.0.outline(id), after.0.outline(id)]).flatten().flatten().collect()
}

impl Layout {
    /// The same drawing of which only this part is looked at: what lies outside is left out, and names of provinces
    /// that reach out of it are moved into what is seen of them.
    pub fn within(&self, view: View, chart: &Chart) -> Layout {
        let mut layout = self.clone();
        layout.view = Some(view);
        let inside = view.grown(-INSET);
        let mut spots = ByProvince::filled(None);
        for (id, face) in chart.map().faces() {
            let Some(spot) = self.spot(id) else { continue };
            let shape = self.shape(id);
            spots[id] = if shape.iter().flatten().all(|&p| view.holds(p)) {
                Some(*spot)
            } else {
                let seen: Vec<Vec<Point>> = shape.iter().map(|cycle| inside.clip(cycle)).collect();
                let name = face.name().chars().count();
                Some(Spot::within(&seen, name)).filter(|spot| spot.letters >= LEAST_LETTERS)
            };
        }
        layout.spots = spots;
        layout
    }

    /// Is a point in the part that is looked at?
    pub(super) fn sees(&self, point: Point) -> bool {
        self.view.is_none_or(|view| view.holds(point))
    }

    /// Is anything of a face in the part that is looked at? Nearly so is enough.
    pub(super) fn sees_face(&self, face: ProvinceId) -> bool {
        self.view.is_none_or(|view| {
            View::round(self.outline(face).into_iter().flatten()).is_some_and(|all| view.meets(all))
        })
    }

    /// Is anything of a border in the part that is looked at? Nearly so is enough.
    pub(super) fn sees_side(&self, side: SideId) -> bool {
        self.view.is_none_or(|view| {
            View::round(self.line(side)).is_some_and(|line| view.grown(BREADTH).meets(line))
        })
    }
}
