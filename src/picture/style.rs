//! What a picture shows besides the map itself.

use super::palette::{self, Colour};
use upheaval_map::ids::{ByProvince, Designation, Location, Power, ProvinceId};

/// Where a unit stands, or would stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// Army, fleet or army/fleet.
    pub kind: Designation,
    /// The province, and of a fleet the coast.
    pub at: Location,
    /// How it stands there.
    pub footing: Footing,
}

impl Stand {
    /// In a province, or on a coast, that is the unit's own.
    pub fn firm(kind: impl Into<Designation>, at: Location) -> Stand {
        Stand { kind: kind.into(), at, footing: Footing::Firm }
    }
}

/// How a unit stands where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footing {
    /// The province is its own.
    Firm,
    /// It must retreat, and stands aside: the places beside a unit are counted from 0.
    Dislodged(u8),
}

/// A unit as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub power: Power,
    /// Where it stands.
    pub stand: Stand,
}

/// An order as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnOrder {
    /// What is ordered.
    pub act: Act,
    /// Who orders it.
    pub power: Power,
    /// Does it succeed?
    pub outcome: Outcome,
    /// The order and what came of it, for who points at it.
    pub title: String,
    /// Its number in the table of orders.
    pub number: usize,
}

/// What is ordered, as far as it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Act {
    /// A ring.
    Hold { unit: Stand },
    /// An arrow: of moves, retreats, and of who goes aboard or ashore.
    Move { unit: Stand, to: Stand },
    /// A line to the unit, with a dot at its end.
    SupportHold { unit: Stand, supported: Stand },
    /// A line to the arrow, with a dot at its end.
    SupportMove { unit: Stand, supported: Stand, to: Stand },
    /// A line to the arrow, with a ring at its end.
    Convoy { unit: Stand, army: Stand, to: Stand },
    /// The unit itself, pale, with a plus.
    Build { unit: Stand },
    /// A broken ring with a cross.
    Disband { unit: Stand },
    /// A ring of dots: the unit becomes another, or takes another coast.
    Change { unit: Stand },
    /// The border between two provinces, and arrows to those that are to touch; where a province is driven apart by two
    /// others, which stands there twice then, arrows from these to where they meet.
    Quake { apart: [ProvinceId; 2], together: [ProvinceId; 2] },
}

/// What came of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It succeeds: drawn solid.
    Success,
    /// It fails: drawn broken, with a cross.
    Failure,
}

/// Something that happens to the map, shown to who looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Where.
    pub place: Place,
    /// When.
    pub timing: Timing,
    /// What, in words.
    pub title: String,
}

/// Where on the map something happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a province.
    Province(ProvinceId),
    /// At the borders between two.
    Between([ProvinceId; 2]),
}

/// When something happens, seen from the board that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// It is about to: drawn as a broken line.
    Coming,
    /// It has just happened: drawn as a solid line.
    Past,
}

/// A value for each province, shown as a colour between white and the scale's.
#[derive(Clone, Debug)]
pub struct Heat {
    /// What the values are, as the legend says.
    pub title: String,
    /// By province; `None` is drawn as the map itself is.
    pub values: ByProvince<Option<f64>>,
    /// The value of full colour; 0 is white.
    pub most: f64,
    /// How values are written in the legend and in titles: digits behind the point, and what follows.
    pub digits: usize,
    /// A unit such as `%`, or nothing.
    pub unit: &'static str,
    /// The colour of the highest value.
    pub colour: Colour,
}

impl Heat {
    /// The colour of a value: paper for nothing, the full colour for the most and all above.
    pub fn colour_of(&self, value: f64) -> Colour {
        let part = if self.most > 0.0 { (value / self.most).clamp(0.0, 1.0) } else { 0.0 };
        palette::PAPER.towards(self.colour, part)
    }

    /// A value as it is written.
    pub fn written(&self, value: f64) -> String {
        format!("{value:.*}{}", self.digits, self.unit)
    }
}

/// What a picture shows besides the map itself. The default is the bare board, each home centre in its power's colour.
#[derive(Clone, Debug)]
pub struct Style {
    /// What the whole picture is called, for those who hear it.
    pub title: String,
    /// Before every id of the picture, so that several stand on one page: letters, digits, `-`.
    pub prefix: String,
    /// Who owns what. `None`: homes are shown as their powers'.
    pub owners: Option<ByProvince<Option<Power>>>,
    /// The units.
    pub units: Vec<Piece>,
    /// Their orders.
    pub orders: Vec<DrawnOrder>,
    /// What happens to the map.
    pub highlights: Vec<Highlight>,
    /// Values to show instead of owners.
    pub heat: Option<Heat>,
    /// Are provinces named?
    pub names: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            title: "The board".to_owned(),
            prefix: "board".to_owned(),
            owners: None,
            units: Vec::new(),
            orders: Vec::new(),
            highlights: Vec::new(),
            heat: None,
            names: true,
        }
    }
}
