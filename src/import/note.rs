//! Notes on the decisions of an import, each a line of text.

use std::fmt;
use std::mem::{Discriminant, discriminant};

use crate::sketch::AdjacencyDifference;
use upheaval_map::letters::listed;

/// The largest number of notes of one kind that an import returns; one more line has the number of the rest.
pub(crate) const MOST_OF_A_KIND: usize = 50;

/// Notes without repetitions next to one another, and of each kind no more than are of use.
pub(crate) fn bounded(mut notes: Vec<ImportNote>) -> Vec<ImportNote> {
    notes.dedup();
    let mut kept: Vec<ImportNote> = Vec::new();
    // For each kind: the number of its notes, and the place after the last one that is kept.
    let mut kinds: Vec<(Discriminant<ImportNote>, usize, usize)> = Vec::new();
    for note in notes {
        let kind = discriminant(&note);
        let at = kinds.iter().position(|(known, ..)| *known == kind).unwrap_or(kinds.len());
        if at == kinds.len() {
            kinds.push((kind, 0, 0));
        }
        kinds[at].1 += 1;
        if kinds[at].1 <= MOST_OF_A_KIND {
            kept.push(note);
            kinds[at].2 = kept.len();
        }
    }
    // From the last place to the first, so that the others stay where they are.
    kinds.sort_by_key(|&(_, _, end)| std::cmp::Reverse(end));
    for (_, count, end) in kinds.into_iter().filter(|&(_, count, _)| count > MOST_OF_A_KIND) {
        kept.insert(end, ImportNote::More(count - MOST_OF_A_KIND));
    }
    kept
}

/// A decision, or a difference.
#[derive(Clone, PartialEq, Debug)]
pub enum ImportNote {
    /// Two powers have the same home; a map file gives it to one.
    SharedHome {
        /// The centre.
        centre: String,
        /// The power that keeps it.
        kept: String,
        /// The power that loses it.
        other: String,
    },
    /// The units that a power starts with, which belong in a variant file rather than a map file.
    Units {
        /// The power.
        power: String,
        /// Its units.
        units: Vec<String>,
    },
    /// The boundary of the Outside.
    Outside(Vec<String>),
    /// There is no face left for an Outside.
    NoOutside,
    /// An impassable face fills the area between these.
    Filler {
        /// Its code.
        code: String,
        /// Its neighbours.
        around: Vec<String>,
    },
    /// More than three provinces, all of them adjacent, meet at a point.
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
    /// The board fits equally well with these provinces reflected.
    InDoubt(Vec<String>),
    /// The hint `outside` is not followed: no face was found that touches these provinces too.
    NotOutside(Vec<String>),
    /// The hint `around` for this province is not followed: no drawing was found that has its neighbours in this order.
    NotAround(String),
    /// The hint on an impassable face or point with this code is not followed: there is none between its provinces.
    NoFiller(String),
    /// A hint is for lists of adjacencies, and the source is a drawing.
    NotForDrawings(&'static str),
    /// The number of further notes of the same kind as the one before, which are left out.
    More(usize),
    /// The source does not determine whether the board is seen from above or from below.
    Reflection(String),
    /// A move differs from that of the source.
    Differs(AdjacencyDifference),
    /// A statement of the source for which a map file has no place.
    NotSupported {
        /// The file.
        file: String,
        /// Its first line, from 1.
        line: usize,
        /// The number of further lines with it.
        more: usize,
        /// The statement, or the entry of a list.
        statement: String,
        /// What it would do, or where it belongs.
        why: &'static str,
    },
    /// A line that is not a statement is read as the name of a power.
    ReadAsPower {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// An impassable face fills a hole in one province, which no polygon covers.
    Hole {
        /// Its code.
        code: String,
        /// The province.
        province: String,
        /// The place.
        at: [f64; 2],
    },
    /// Four or more faces met at a corner; a border between two of them was added.
    Corner {
        /// The place.
        at: [f64; 2],
        /// The faces that share the new border.
        joined: [String; 2],
    },
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportNote::SharedHome { centre, kept, other } => {
                write!(f, "{centre} is a home of {kept} and of {other}; the map file gives it to {kept}")
            }
            ImportNote::Units { power, units } => write!(f, "{power} starts with {}", units.join(", ")),
            ImportNote::Outside(around) => write!(f, "the Outside lies beyond {}", around.join(" ")),
            ImportNote::NoOutside => f.write_str("the board closes on itself: it has no Outside"),
            ImportNote::Filler { code, around } => {
                write!(f, "the impassable face {code} fills the area between {}", around.join(" "))
            }
            ImportNote::Point { code, around } => {
                write!(f, "{} all meet at the point {code}", around.join(" "))
            }
            ImportNote::Canal { through, ends: [x, y] } => {
                write!(f, "a canal through {through} joins its coasts on {x} and {y}")
            }
            ImportNote::Strait([a, b]) => {
                write!(f, "a strait between {a} and {b} joins the coasts at its two ends")
            }
            ImportNote::LeftOut([a, b]) => write!(f, "the adjacency of {a} and {b} is left out"),
            ImportNote::InDoubt(provinces) => write!(
                f,
                "in doubt: {} would fit equally well the other way round; `[around]` in a hint file decides",
                provinces.join(" ")
            ),
            ImportNote::Reflection(province) => write!(
                f,
                "in doubt: adjacencies do not distinguish a board from its reflection; `[around]` in a hint file, with three \
                 neighbours of {province} in counter-clockwise order, does"
            ),
            ImportNote::NotOutside(provinces) => write!(
                f,
                "the hint `outside` is not followed: in no drawing that was found does the Outside touch {} too",
                provinces.join(" ")
            ),
            ImportNote::NotAround(province) => write!(
                f,
                "the hint `around.{province}` is not followed: no drawing was found with this order, counter-clockwise"
            ),
            ImportNote::NoFiller(code) => write!(
                f,
                "the hint `fillers.{code}` is not used: no impassable face or point touches all provinces of its `around`"
            ),
            ImportNote::NotForDrawings(key) => write!(
                f,
                "the hint `{key}` is not used: it is for lists of adjacencies, and the file is a drawing"
            ),
            ImportNote::More(count) => write!(f, "… and {count} more of this kind"),
            ImportNote::Differs(difference) => write!(f, "differs: {difference}"),
            ImportNote::NotSupported { file, line, more, statement, why } => {
                write!(f, "{file}:{line}: `{statement}` is not supported: {why}")?;
                if *more > 0 { write!(f, " (and in {more} more lines)") } else { Ok(()) }
            }
            ImportNote::ReadAsPower { file, line, name } => {
                write!(f, "{file}:{line}: `{name}` is not a statement and is read as the name of a power")
            }
            ImportNote::Hole { code, province, at: [x, y] } => {
                write!(
                    f,
                    "the polygon of {province} has a hole at ({x}, {y}) that no polygon fills: the impassable face {code}"
                )
            }
            ImportNote::Corner { at: [x, y], joined: [a, b] } => {
                write!(f, "more than three faces meet at ({x}, {y}): {a} and {b} share a border there")
            }
        }
    }
}

// Errors of an import.

/// Why a file cannot be imported; each message is a single line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A line has a fault.
    #[error("{file}:{line}: {message}")]
    Line {
        /// The file as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The fault, and how to correct it.
        message: String,
    },
    /// The file as a whole has a fault.
    #[error("{file}: {message}")]
    File {
        /// The file as it was named.
        file: String,
        /// The fault, and how to correct it.
        message: String,
    },
    /// Several faults, each with its position.
    #[error("{file}: {}", listed(faults))]
    Faults {
        /// The file as it was named.
        file: String,
        /// Each fault.
        faults: Vec<String>,
    },
}

impl ImportError {
    /// The fault of a line.
    pub(crate) fn line(file: &str, line: usize, message: impl Into<String>) -> ImportError {
        ImportError::Line { file: file.to_owned(), line, message: message.into() }
    }

    /// The fault of a file.
    pub(crate) fn file(file: &str, message: impl Into<String>) -> ImportError {
        ImportError::File { file: file.to_owned(), message: message.into() }
    }
}
