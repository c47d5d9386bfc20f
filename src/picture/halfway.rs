//! A drawing half-way from one board to the next: a face is half contracted, or four faces meet at a point.
//!
//! Only movements have a half-way drawing. A face that becomes a void or a sea, or is split, stays in place.

use super::foam::Foam;
use super::geometry::{Point, mean};
use super::layout::Layout;
use super::net::Vertex;
use super::scar::{self, Scar};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{BorderId, MapEvent, NamedMap, PlanarMap, Quake};

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
                let moves = before.0.at.len() == after.0.at.len() && before.0.at != after.0.at;
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
