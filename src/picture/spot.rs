//! Positions in a province: its name, the mark of its centre, a unit.

use super::geometry::{self, Point};

/// A name is wider than high: a deep place in a horizontally compressed face has room for it.
const NARROW: f64 = 0.6;
/// The maximum height of a name's letters.
const LETTERS: f64 = 14.0;

/// The minimum height of letters that units are scaled to.
const LEAST_UNIT: f64 = 8.0;

/// The positions in a province.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The middle of all objects, deep inside the province.
    pub middle: Point,
    /// The middle of its name.
    pub label: Point,
    /// The height of its name's letters; everything else is in proportion.
    pub letters: f64,
    /// The middle of a unit.
    pub unit: Point,
    /// The mark of its supply centre, beside a unit.
    pub centre: Point,
}

impl Spot {
    /// The radius of an army; all parts of a unit are in proportion. Small provinces have units that are larger than
    /// the province.
    pub fn unit_size(&self) -> f64 {
        self.letters.max(LEAST_UNIT) * 0.62
    }

    /// The height of the letters of its coasts' names.
    pub fn coast_letters(&self) -> f64 {
        (self.letters * 0.62).max(4.0)
    }

    /// Would letters here overlap the name of the province or the objects below it?
    pub(super) fn is_in_the_way_of(&self, label: Point, wide: f64, high: f64) -> bool {
        let apart = label - self.middle;
        apart.x.abs() < wide + self.letters * 1.1 && apart.y.abs() < high + self.letters
    }

    /// Finds the places in a face with this outline for a name with this many letters.
    pub(super) fn within(outline: &[Vec<Point>], name: usize) -> Spot {
        let narrow = |p: &Point| Point::new(p.x * NARROW, p.y);
        let narrowed: Vec<Vec<Point>> =
            outline.iter().map(|polygon| polygon.iter().map(narrow).collect()).collect();
        let (pole, room) = geometry::pole(&narrowed);
        let middle = Point::new(pole.x / NARROW, pole.y);
        let by_length = room * 4.4 / name.max(3) as f64;
        let letters = (room * 0.72).min(by_length).clamp(0.5, LETTERS);
        let place = |right: f64, up: f64| middle + Point::new(right, up) * letters;
        Spot { middle, label: place(0.0, 0.55), letters, unit: place(0.2, -0.6), centre: place(-1.15, -0.6) }
    }
}

/// The position of a coast of a province.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoastSpot {
    /// The middle of a fleet on it.
    pub unit: Point,
    /// The middle of its name.
    pub label: Point,
}
