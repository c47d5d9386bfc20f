//! The content of a picture in addition to the map itself.

use super::palette::{self, Colour};
use upheaval_map::ids::{ByProvince, Designation, Location, Power, ProvinceId};

/// The actual or possible position of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// Army, fleet or army/fleet.
    pub kind: Designation,
    /// The province, and for a fleet the coast.
    pub at: Location,
    /// Its footing.
    pub footing: Footing,
}

impl Stand {
    /// In a province or on a coast, where the unit belongs.
    pub fn firm(kind: impl Into<Designation>, at: Location) -> Stand {
        Stand { kind: kind.into(), at, footing: Footing::Firm }
    }
}

/// The footing of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Footing {
    /// It belongs in the province.
    Firm,
    /// It must retreat and stands aside: the places beside a unit are counted from 0.
    Dislodged(u8),
}

/// A unit as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawnUnit {
    /// Its owner.
    pub power: Power,
    /// Its position.
    pub stand: Stand,
}

/// An order as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnOrder {
    /// The action.
    pub act: DrawnAct,
    /// The power that orders it.
    pub power: Power,
    /// Does it succeed?
    pub outcome: DrawnOutcome,
    /// The order and its result, for the pointer.
    pub title: String,
    /// Its number in the table of orders.
    pub number: usize,
}

/// The visible action of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DrawnAct {
    /// A ring.
    Hold { unit: Stand },
    /// An arrow: for moves, retreats, embarking and landing.
    Move { unit: Stand, to: Stand },
    /// A line to the unit, with a dot at its end.
    SupportHold { unit: Stand, supported: Stand },
    /// A line to the arrow, with a dot at its end.
    SupportMove { unit: Stand, supported: Stand, to: Stand },
    /// A line to the arrow, with a ring at its end.
    Convoy { unit: Stand, army: Stand, to: Stand },
    /// The unit itself, pale, with a plus.
    Build { unit: Stand },
    /// A dashed ring with a cross.
    Disband { unit: Stand },
    /// A dotted ring: the unit changes its kind or its coast.
    Change { unit: Stand },
    /// The border between two provinces, and arrows to the provinces that are to touch; where a province is pushed
    /// apart by two others and is named twice, arrows from these to their new border.
    Quake { apart: [ProvinceId; 2], together: [ProvinceId; 2] },
}

/// The outcome of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawnOutcome {
    /// It succeeds: drawn solid.
    Success,
    /// It fails: drawn dashed, with a cross.
    Failure,
}

/// A change of the map that is pointed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Its place.
    pub place: DrawnPlace,
    /// Its time.
    pub timing: Timing,
    /// Its description.
    pub title: String,
}

/// The place of a change of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawnPlace {
    /// In a province.
    Province(ProvinceId),
    /// At the borders between two.
    Between([ProvinceId; 2]),
}

/// The time of a change, relative to the board that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// It is about to happen: drawn as a dashed line.
    Coming,
    /// It has just happened: drawn as a solid line.
    Past,
}

/// A value for each province, shown as a colour between white and the scale's.
#[derive(Clone, Debug)]
pub struct Heat {
    /// The meaning of the values, as in the legend.
    pub title: String,
    /// By province; `None` is drawn like the map itself.
    pub values: ByProvince<Option<f64>>,
    /// The value that gets the full colour; 0 is white.
    pub most: f64,
    /// The format of values in the legend and in titles: digits after the decimal point, and a suffix.
    pub digits: usize,
    /// A unit such as `%`, or nothing.
    pub unit: &'static str,
    /// The colour of the highest value.
    pub colour: Colour,
}

impl Heat {
    /// The colour of a value: paper for 0, the full colour for the maximum and above.
    pub(crate) fn colour_of(&self, value: f64) -> Colour {
        let part = if self.most > 0.0 { (value / self.most).clamp(0.0, 1.0) } else { 0.0 };
        palette::PAPER.towards(self.colour, part)
    }

    /// A value as it is written.
    pub(crate) fn written(&self, value: f64) -> String {
        format!("{value:.*}{}", self.digits, self.unit)
    }
}

/// The content of a picture in addition to the map itself. The default is the bare board, each home centre in its
/// power's colour.
#[derive(Clone, Debug)]
pub struct Style {
    /// The title of the whole picture, for screen readers.
    pub title: String,
    /// The prefix of every id of the picture, so that several can be on one page: letters, digits, `-`.
    pub prefix: String,
    /// The owners. `None`: homes are shown as their powers'.
    pub owners: Option<ByProvince<Option<Power>>>,
    /// The units.
    pub units: Vec<DrawnUnit>,
    /// Their orders.
    pub orders: Vec<DrawnOrder>,
    /// Changes of the map.
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
