//! Notes on the decisions of an import, each a line of text.

use std::fmt::Display;
use std::mem::{Discriminant, discriminant};

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

// `thiserror` writes any enum as text.
/// A decision, or a difference.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ImportNote {
    /// Two powers have the same home; a map file gives it to one.
    #[error("{centre} is a home of {kept} and of {other}; the map file gives it to {kept}")]
    SharedHome { centre: String, kept: String, other: String },
    /// The units that a power starts with, which belong in a variant file rather than a map file.
    #[error("{power} starts with {}", units.join(", "))]
    Units { power: String, units: Vec<String> },
    /// The boundary of the Outside.
    #[error("the Outside lies beyond {}", .0.join(" "))]
    Outside(Vec<String>),
    /// There is no face left for an Outside.
    #[error("the board closes on itself: it has no Outside")]
    NoOutside,
    /// An impassable face fills the area between these.
    #[error("the impassable face {code} fills the area between {}", around.join(" "))]
    Filler { code: String, around: Vec<String> },
    /// More than three provinces, all of them adjacent, meet at a point.
    #[error("{} all meet at the point {code}", around.join(" "))]
    Point { code: String, around: Vec<String> },
    /// A canal joins two stretches of a coast.
    #[error("a canal through {through} joins its coasts on {} and {}", ends[0], ends[1])]
    Canal { through: String, ends: [String; 2] },
    /// A strait lies at the border of two provinces.
    #[error("a strait between {} and {} joins the coasts at its two ends", .0[0], .0[1])]
    Strait([String; 2]),
    /// An adjacency is left out.
    #[error("the adjacency of {} and {} is left out", .0[0], .0[1])]
    LeftOut([String; 2]),
    /// The board fits equally well with these provinces reflected.
    #[error(
        "in doubt: {} would fit equally well the other way round; `[around]` in a hint file decides",
        .0.join(" ")
    )]
    InDoubt(Vec<String>),
    /// The hint `outside` is not followed: no face was found that touches these provinces too.
    #[error(
        "the hint `outside` is not followed: no drawing was found in which the Outside also touches {}",
        .0.join(" ")
    )]
    NotOutside(Vec<String>),
    /// The hint `around` for this province is not followed: no drawing was found that has its neighbours in this order.
    #[error("the hint `around.{0}` is not followed: no drawing was found with this order, counter-clockwise")]
    NotAround(String),
    /// The hint on an impassable face or point with this code is not followed: there is none between its provinces.
    #[error(
        "the hint `fillers.{0}` is not used: no impassable face or point touches all provinces of its `around`"
    )]
    NoFiller(String),
    /// A hint is for lists of adjacencies, and the source is a drawing.
    #[error("the hint `{0}` is not used: it applies only to lists of adjacencies, and the file is a drawing")]
    NotForDrawings(&'static str),
    /// The number of further notes of the same kind as the one before, which are left out.
    #[error("… and {0} more of this kind")]
    More(usize),
    /// The source does not determine whether the board is seen from above or from below.
    #[error(
        "in doubt: adjacencies do not distinguish a board from its reflection; `[around]` in a hint file, with three \
         neighbours of {0} in counter-clockwise order, does"
    )]
    Reflection(String),
    /// A move differs from that of the source.
    #[error("differs: {0}")]
    Differs(String),
    /// A statement of the source for which a map file has no place, or an entry of a list, with its first line and the
    /// number of further lines with it.
    #[error("{file}:{line}: `{statement}` is not supported: {why}{}", further(*more))]
    NotSupported { file: String, line: usize, more: usize, statement: String, why: &'static str },
    /// A line that is not a statement is read as the name of a power.
    #[error("{file}:{line}: `{name}` is not a statement and is read as the name of a power")]
    ReadAsPower { file: String, line: usize, name: String },
    /// An impassable face fills a hole in one province, which no polygon covers.
    #[error(
        "the polygon of {province} has a hole at ({}, {}) that no polygon fills: the impassable face {code}",
        at[0], at[1]
    )]
    Hole { code: String, province: String, at: [f64; 2] },
    /// Four or more faces met at a corner; a border between two of them was added.
    #[error(
        "more than three faces meet at ({}, {}): {} and {} share a border there",
        at[0], at[1], joined[0], joined[1]
    )]
    Corner { at: [f64; 2], joined: [String; 2] },
}

fn further(lines: usize) -> String {
    if lines > 0 { format!(" (and in {lines} more lines)") } else { String::new() }
}

/// Why a file cannot be imported, as a single line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImportError(String);

impl ImportError {
    /// The fault of a line.
    pub(crate) fn line(file: &str, line: usize, message: impl Display) -> ImportError {
        ImportError(format!("{file}:{line}: {message}"))
    }

    /// The fault of a file.
    pub(crate) fn file(file: &str, message: impl Display) -> ImportError {
        ImportError(format!("{file}: {message}"))
    }

    /// Several faults of a file.
    pub(crate) fn faults(file: &str, faults: &[String]) -> ImportError {
        ImportError::file(file, listed(faults))
    }
}
