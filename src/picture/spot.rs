//! Positions in a province, or on a plate beside it: its name, the mark of its centre, a unit.

use super::geometry;
use crate::geometry::{Area, Point};

/// A name is wider than high: a deep place in a horizontally compressed face has room for it.
const NARROW: f64 = 0.6;
/// The maximum height of a name's letters.
const LETTERS: f64 = 14.0;
/// The minimum height of letters that units are scaled to.
const LEAST_UNIT: f64 = 8.0;
/// The minimum height of the letters of a coast's name.
const LEAST_COAST: f64 = 5.5;
/// Half the width of a letter, relative to its size: capitals are about as wide as high.
const LETTER: f64 = 0.36;
/// Half the height of a letter, relative to its size.
const RISE: f64 = 0.37;
/// Half the width of a fleet and half its height, relative to the size of a unit; a line is drawn round it.
const HULL: [f64; 2] = [1.5, 0.82];
/// Half the size of the mark of a centre, relative to the letters.
const MARK: f64 = 0.45;
/// The width of the line round a unit, beyond its edge.
const LINE: f64 = 0.7;

/// The contents of a province, as far as the room for them depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents {
    /// The number of letters of its name.
    pub name: usize,
    /// Is it a supply centre?
    pub is_centre: bool,
    /// Can a fleet be in its middle, rather than on one of several coasts?
    pub has_fleet: bool,
    /// The number of its coasts, if it has several.
    pub coasts: usize,
}

/// The positions in a province.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// A point deep inside the province: the middle of all objects, unless they are on a plate.
    pub middle: Point,
    /// The middle of its name.
    pub label: Point,
    /// The height of its name's letters; everything else is in proportion.
    pub letters: f64,
    /// The middle of a unit.
    pub unit: Point,
    /// The mark of its supply centre, beside a unit.
    pub centre: Point,
    /// The plate beside the province, if the province is too small for the rest: everything but the middle is there.
    pub plate: Option<Area>,
}

impl Spot {
    /// The radius of an army; all parts of a unit are in proportion. Small provinces have units that are larger than
    /// the province.
    pub fn unit_size(&self) -> f64 {
        unit_size(self.letters)
    }

    /// The height of the letters of its coasts' names.
    pub fn coast_letters(&self) -> f64 {
        coast_letters(self.letters)
    }

    /// The mark of its supply centre where there are no units: below the name.
    pub(super) fn lone_centre(&self) -> Point {
        match self.plate {
            Some(_) => Point::new(self.label.x, self.unit.y),
            None => self.middle - Point::new(0.0, self.letters * 0.6),
        }
    }

    /// The box of a name of this many letters.
    pub(super) fn name_area(&self, name: usize) -> Area {
        Area::new(self.label, [self.letters * LETTER * name as f64, self.letters * RISE])
    }

    /// The box of a coast's name.
    pub(super) fn coast_area(&self, label: Point, name: usize) -> Area {
        let letters = self.coast_letters();
        Area::new(label, [letters * LETTER * name as f64, letters * RISE])
    }

    /// The box of a unit.
    pub(super) fn unit_area(&self, at: Point, is_fleet: bool) -> Area {
        let [wide, high] = if is_fleet { HULL } else { [1.0, 1.0] };
        let size = self.unit_size();
        Area::new(at, [size * wide + LINE, size * high + LINE])
    }

    /// The box of the mark of a centre.
    pub(super) fn centre_area(&self) -> Area {
        let size = self.letters * MARK;
        Area::new(self.centre, [size, size])
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
        Spot {
            middle,
            label: place(0.0, 0.55),
            letters,
            unit: place(0.2, -0.6),
            centre: place(-1.15, -0.6),
            plate: None,
        }
    }

    /// The same contents on a plate round this point. With several coasts there is a place for a fleet on each of
    /// them, and their names are below:
    ///
    /// ```text
    /// ╭────────╮   ╭──────────────╮
    /// │  MAR   │   │     BUL      │
    /// │ o [A]  │   │ o [F]   [F]  │
    /// ╰────────╯   │    EC    SC  │
    ///              ╰──────────────╯
    /// ```
    pub(super) fn on_plate(self, at: Point, letters: f64, contents: Contents) -> Spot {
        let plate = PlateParts::of(letters, contents);
        let half = plate.half();
        let row = at.y + half.y - EDGE - plate.name.y - GAP - plate.unit.y * 0.5;
        Spot {
            middle: self.middle,
            label: Point::new(at.x, at.y + half.y - EDGE - plate.name.y * 0.5),
            letters,
            unit: Point::new(at.x + plate.centre * 0.5, row),
            centre: Point::new(at.x - (plate.centre + plate.units()) * 0.5 + letters * MARK, row),
            plate: Some(Area { middle: at, half }),
        }
    }

    /// The position of one of several coasts of a province whose contents are on a plate.
    pub(super) fn coast_on_plate(&self, contents: Contents, coast: usize) -> CoastSpot {
        let plate = PlateParts::of(self.letters, contents);
        let aside = coast as f64 - (contents.coasts.max(1) - 1) as f64 * 0.5;
        let unit = self.unit + Point::new((plate.unit.x + GAP) * aside, 0.0);
        let below = (plate.unit.y + GAP) * 0.5 + self.coast_letters() * RISE;
        CoastSpot { unit, label: unit - Point::new(0.0, below) }
    }
}

/// The radius of an army beside letters of this height.
fn unit_size(letters: f64) -> f64 {
    letters.max(LEAST_UNIT) * 0.62
}

/// The height of the letters of coasts' names beside letters of this height.
fn coast_letters(letters: f64) -> f64 {
    (letters * 0.62).max(LEAST_COAST)
}

/// The distance of the contents of a plate from its edge, and the one between them.
const EDGE: f64 = 2.4;
const GAP: f64 = 1.6;

/// The sizes of the parts of a plate.
pub(super) struct PlateParts {
    /// The width and height of the name.
    name: Point,
    /// The width and height of a unit.
    unit: Point,
    /// The number of places for units.
    places: usize,
    /// The width of the mark of a centre with the gap beside it.
    centre: f64,
    /// The height of the row of coasts' names.
    coasts: f64,
}

impl PlateParts {
    /// With letters of this height.
    pub(crate) fn of(letters: f64, contents: Contents) -> PlateParts {
        let size = unit_size(letters);
        let wide = if contents.has_fleet || contents.coasts > 1 { HULL[0] } else { 1.0 };
        PlateParts {
            name: Point::new(letters * LETTER * contents.name as f64, letters * RISE) * 2.0,
            unit: Point::new(size * wide + LINE, size + LINE) * 2.0,
            places: contents.coasts.max(1),
            centre: if contents.is_centre { letters * MARK * 2.0 + GAP } else { 0.0 },
            coasts: if contents.coasts > 1 { coast_letters(letters) * 2.0 * RISE + GAP * 0.5 } else { 0.0 },
        }
    }

    /// The width of all places for units.
    fn units(&self) -> f64 {
        (self.unit.x + GAP) * self.places as f64 - GAP
    }

    /// Half the width and the height of the plate.
    pub(crate) fn half(&self) -> Point {
        let wide = self.name.x.max(self.centre + self.units()) + 2.0 * EDGE;
        let high = self.name.y + GAP + self.unit.y + self.coasts + 2.0 * EDGE;
        Point::new(wide, high) * 0.5
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
