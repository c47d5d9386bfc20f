//! Where things stand in a province: its name, the mark of its centre, units, its coasts.

use super::geometry::{self, Point};
use super::layout::Layout;
use super::style::{Footing, Stand};
use crate::ids::{Location, ProvinceId, UnitKind};
use crate::topology::{Board, Chart, SideId, Waterway};

/// A name is wider than high: a deep place in a face drawn narrower has room for it.
const NARROW: f64 = 0.6;
/// The highest letters of a name.
const LETTERS: f64 = 14.0;

/// Where things stand in a province.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The middle of all of it, deep inside the province.
    pub middle: Point,
    /// The middle of its name.
    pub label: Point,
    /// How high the letters of its name are; all else is in proportion.
    pub letters: f64,
    /// The middle of a unit.
    pub unit: Point,
    /// The middle of a unit that is dislodged.
    pub dislodged: Point,
    /// The mark of its supply centre, beside a unit.
    pub centre: Point,
}

/// Where a coast of a province is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoastSpot {
    /// The middle of a fleet on it.
    pub unit: Point,
    /// The middle of its name.
    pub label: Point,
}

impl Spot {
    /// Finds the places in a face with this outline for a name of so many letters.
    pub(super) fn within(outline: &[Vec<Point>], name: usize) -> Spot {
        let narrow = |p: &Point| Point::new(p.x * NARROW, p.y);
        let narrowed: Vec<Vec<Point>> =
            outline.iter().map(|polygon| polygon.iter().map(narrow).collect()).collect();
        let (pole, room) = geometry::pole(&narrowed);
        let middle = Point::new(pole.x / NARROW, pole.y);
        let by_length = room * 4.4 / name.max(3) as f64;
        let letters = (room * 0.72).min(by_length).clamp(0.5, LETTERS);
        let place = |right: f64, up: f64| middle + Point::new(right, up) * letters;
        Spot {
            middle,
            label: place(0.0, 0.55),
            letters,
            unit: place(0.2, -0.6),
            dislodged: place(0.95, -0.95),
            centre: place(-1.15, -0.6),
        }
    }
}

impl Layout {
    /// Where a coast of a province with several is; `None` where the province has but one.
    pub fn coast(&self, board: &Board, at: Location) -> Option<CoastSpot> {
        if board.coasts(at.province) < 2 {
            return None;
        }
        let spot = self.spot(at.province)?;
        // The longest border of the coast stands for it.
        let length =
            |side: SideId| self.curve(side).windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
        let contacts = board.contacts(at).iter().copied();
        let longest = contacts.max_by(|&a, &b| length(a).total_cmp(&length(b)))?;
        let shore = self.middle_of(longest);
        let towards_middle = shore.towards(spot.middle, 0.25);
        let is_inside = geometry::contains(&self.shape(at.province), towards_middle);
        let inside = || self.inwards(longest, spot.letters * 0.6, at.province);
        Some(CoastSpot {
            unit: if is_inside { towards_middle } else { inside() },
            label: self.inwards(longest, spot.letters * 0.75, at.province),
        })
    }

    /// The middle of a unit. Those that are dislodged stand aside, one beside the other.
    pub fn unit(&self, board: &Board, Stand { kind, at, footing }: Stand) -> Option<Point> {
        let spot = self.spot(at.province)?;
        let coast = self.coast(board, at).filter(|_| kind.kind() == UnitKind::Fleet);
        let firm = coast.map_or(spot.unit, |coast| coast.unit);
        Some(match footing {
            Footing::Firm => firm,
            Footing::Dislodged(which) => firm + (spot.dislodged - spot.unit) * f64::from(which.max(1)),
        })
    }

    /// The middle of a border.
    pub fn middle_of(&self, side: SideId) -> Point {
        let line = self.curve(side);
        line.get(line.len() / 2).copied().unwrap_or_default()
    }

    /// From the middle of a border so far into the face of the side, or less where there is less room.
    fn inwards(&self, side: SideId, by: f64, face: ProvinceId) -> Point {
        let line = self.curve(side);
        let middle = line.len() / 2;
        let (before, after) = (line[middle.saturating_sub(1)], line[(middle + 1).min(line.len() - 1)]);
        let along = after - before;
        let length = along.length().max(1e-9);
        let left = Point::new(-along.y / length, along.x / length);
        let shape = self.shape(face);
        let places = [1.0, 0.7, 0.4, 0.2, 0.1].map(|part| line[middle] + left * (by * part));
        places.into_iter().find(|&place| geometry::contains(&shape, place)).unwrap_or(line[middle])
    }

    /// The ends of a waterway and what lies between, from water to water; nothing for a strait, which runs along its
    /// border.
    pub(super) fn channel(&self, chart: &Chart, waterway: &Waterway) -> Option<[Point; 3]> {
        let map = chart.map();
        let side_in =
            |province: ProvinceId, border| map.sides_of(province).find(|side| side.border() == border);
        let (province, sides) = match *waterway {
            Waterway::Canal { province, terminals } => {
                (province, [side_in(province, terminals[0])?, side_in(province, terminals[1])?])
            }
            Waterway::Passage { province, seas } => {
                let to = |sea: ProvinceId| map.sides_of(province).find(|&side| map.across(side) == sea);
                (province, [to(seas[0])?, to(seas[1])?])
            }
            Waterway::Strait { .. } => return None,
        };
        let [from, to] = sides.map(|side| self.middle_of(side));
        Some([from, from.towards(to, 0.5).towards(self.spot(province)?.middle, 0.5), to])
    }
}
