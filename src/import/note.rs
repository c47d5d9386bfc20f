//! Notes on the decisions of an import: a line each, for people.

use std::fmt;

use crate::compare::Difference;

/// A decision, or a difference that was found.
#[derive(Clone, PartialEq, Debug)]
pub enum Note {
    /// Two powers have the same home; a map file gives it to one.
    SharedHome {
        /// The centre.
        centre: String,
        /// The power that keeps it.
        kept: String,
        /// The power that loses it.
        other: String,
    },
    /// The units that a power starts with, which a variant file and not a map file holds.
    Units {
        /// The power.
        power: String,
        /// Its units.
        units: Vec<String>,
    },
    /// The boundary of the Outside.
    Outside(Vec<String>),
    /// Nothing is left over for an Outside.
    NoOutside,
    /// An impassable face fills the place between these.
    Filler {
        /// Its code.
        code: String,
        /// Its neighbours.
        around: Vec<String>,
    },
    /// More than three provinces meet at a point, and all of them are adjacent there.
    Point {
        /// Its code.
        code: String,
        /// The provinces.
        around: Vec<String>,
    },
    /// A canal joins two stretches of a coast.
    Canal {
        /// The province.
        through: String,
        /// Its ends.
        ends: [String; 2],
    },
    /// A strait lies at the border of two provinces.
    Strait([String; 2]),
    /// An adjacency is left out.
    LeftOut([String; 2]),
    /// The board fits as well with these provinces the other way round.
    InDoubt(Vec<String>),
    /// Nothing says whether the board is seen from above or from below.
    Reflection(String),
    /// A move differs from that of the source.
    Differs(Difference),
    /// Four faces or more met at a corner; a border between two of them was made.
    Corner {
        /// The place.
        at: [f64; 2],
        /// The faces that share the new border.
        joined: [String; 2],
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SharedHome { centre, kept, other } => {
                write!(f, "{centre} is a home of {kept} and of {other}; the map file gives it to {kept}")
            }
            Note::Units { power, units } => write!(f, "{power} starts with {}", units.join(", ")),
            Note::Outside(around) => write!(f, "the Outside lies beyond {}", around.join(" ")),
            Note::NoOutside => f.write_str("the board closes on itself: it has no Outside"),
            Note::Filler { code, around } => {
                write!(f, "the impassable face {code} fills the place between {}", around.join(" "))
            }
            Note::Point { code, around } => write!(f, "{} all meet at the point {code}", around.join(" ")),
            Note::Canal { through, ends: [x, y] } => {
                write!(f, "a canal through {through} joins its coasts on {x} and {y}")
            }
            Note::Strait([a, b]) => {
                write!(f, "a strait between {a} and {b} joins the coasts at its two ends")
            }
            Note::LeftOut([a, b]) => write!(f, "the adjacency of {a} and {b} is left out"),
            Note::InDoubt(provinces) => write!(
                f,
                "in doubt: {} would fit as well the other way round; `[around]` in a hint file decides",
                provinces.join(" ")
            ),
            Note::Reflection(province) => write!(
                f,
                "in doubt: adjacencies do not tell a board from its reflection; `[around]` in a hint file, with three \
                 neighbours of {province} in counter-clockwise order, does"
            ),
            Note::Differs(difference) => write!(f, "differs: {difference}"),
            Note::Corner { at: [x, y], joined: [a, b] } => {
                write!(f, "more than three faces meet at ({x}, {y}): {a} and {b} share a border there")
            }
        }
    }
}
