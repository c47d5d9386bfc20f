//! The part of a drawing that a change of the map affects, and the drawing cropped to a part.

use super::Layout;
use crate::geometry::Point;
use crate::spot::Spot;
use crate::view::View;
use upheaval_map::ids::{ByProvince, ProvinceId};
use upheaval_map::topology::{NamedMap, derive};

/// The distance of names from the edge.
const INSET: f64 = 5.0;
/// Smaller letters would be unreadable: the name is left out then.
const LEAST_LETTERS: f64 = 6.5;

impl View {
    /// The part in which the later drawing differs from the earlier one, with a margin; the whole board if there is no
    /// difference.
    pub fn of_change(before: (&Layout, &NamedMap), after: (&Layout, &NamedMap)) -> View {
        let changed =
            View::round(other_points(before.0, after.0).into_iter().chain(other_faces(before, after)));
        let all = View { low: Point::default(), high: after.0.canvas.size };
        changed.map_or(all, |changed| changed.with_room(all))
    }
}

impl Layout {
    /// The same drawing, cropped to this part: everything outside is left out, and names of provinces that extend
    /// beyond it are moved into their visible part. So are plates beside small provinces that are within it.
    pub fn within(&self, view: View, chart: &NamedMap) -> Layout {
        let mut layout = self.clone();
        layout.view = Some(view);
        let board = derive(chart.map());
        let inside = view.grown(-INSET);
        let (mut spots, mut small) = (ByProvince::filled(None), Vec::new());
        for (id, face) in chart.map().faces() {
            let Some(spot) = self.spot(id) else { continue };
            let (shape, name) = (self.shape(id), face.name().chars().count());
            let is_whole = || shape.iter().flatten().all(|&p| view.holds(p));
            spots[id] = match spot.plate {
                Some(plate) if inside.holds(plate.low()) && inside.holds(plate.high()) => Some(*spot),
                Some(_) if inside.holds(spot.middle) => {
                    small.push((id, None));
                    Some(Spot::within(&shape, name))
                }
                Some(_) => None,
                None if is_whole() => Some(*spot),
                None => {
                    let seen: Vec<Vec<Point>> = shape.iter().map(|cycle| inside.clip(cycle)).collect();
                    Some(Spot::within(&seen, name)).filter(|spot| spot.letters >= LEAST_LETTERS)
                }
            };
        }
        layout.spots = spots;
        let faces: Vec<ProvinceId> = small.iter().map(|&(face, _)| face).collect();
        let scale = self.scale();
        layout.find_coasts(chart, &board, (&faces, scale));
        layout.call_out(chart, &board, small, (inside, scale));
        for face in faces {
            layout.spots[face] = layout.spots[face].filter(|spot| spot.plate.is_some());
        }
        layout.note_words(chart, &board);
        layout
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

/// The outlines of faces whose kind has changed.
fn other_faces(before: (&Layout, &NamedMap), after: (&Layout, &NamedMap)) -> Vec<Point> {
    let what = |chart: &NamedMap, id: ProvinceId| {
        chart.map().face(id).map(|face| (face.name().to_owned(), face.kind(), face.state()))
    };
    let faces = after.1.map().faces().map(|(id, _)| id).filter(|&id| id != after.0.beyond());
    let other = faces.filter(|&id| what(before.1, id) != what(after.1, id));
    other.flat_map(|id| [before.0.outline(id), after.0.outline(id)]).flatten().flatten().collect()
}
