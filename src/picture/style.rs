//! What a picture shows besides the map itself.

use super::palette::{self, Colour};
use crate::ids::{ByProvince, Location, Power, UnitKind};

/// A unit as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Army or fleet.
    pub kind: UnitKind,
    /// Whose it is.
    pub power: Power,
    /// Where it stands.
    pub at: Location,
    /// Must it retreat?
    pub dislodged: bool,
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
            heat: None,
            names: true,
        }
    }
}
