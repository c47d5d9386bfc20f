//! When changes are announced that happen later (`coming.rs` has a drawing).

use std::fmt;
use std::num::NonZeroU8;

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};
use upheaval_map::ids::ProvinceId;

use super::when::{Date, Moment, Span};
use super::words::Point;
use crate::rules::position::Season;

/// When the places of an entry are chosen and announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foretold {
    /// They are chosen when they change.
    No,
    /// Before the retreats of the season at whose end they change (Tinamou rule 2).
    BeforeRetreats,
    /// So that this number of movements is made before they change.
    Seasons(NonZeroU8),
    /// At the same point, this number of years earlier.
    Years(NonZeroU8),
}

impl Foretold {
    /// The value of this text: `no`, `before-retreats`, `1 season` or `2 years`.
    pub(super) fn read(text: &str) -> Option<Foretold> {
        match (text, Span::read(text)) {
            ("no", _) => Some(Foretold::No),
            ("before-retreats", _) => Some(Foretold::BeforeRetreats),
            (_, Some(Span::Seasons(seasons))) => Some(Foretold::Seasons(seasons)),
            (_, Some(Span::Years(years))) => Some(Foretold::Years(years)),
            _ => None,
        }
    }

    /// The dates of the changes that are announced at this moment, for an entry that acts at this point of a season.
    pub(super) fn dates(self, (at, point): Moment, acts: Point) -> ArrayVec<Date, 2> {
        match self {
            Foretold::BeforeRetreats if point == Point::BeforeRetreats => [at].into_iter().collect(),
            Foretold::Seasons(seasons) if point == acts && at.season != Season::Winter => {
                let movement = at.movements_later(seasons);
                // What happens at the end of a Winter has the last movement of its year before it.
                let winter = Date { season: Season::Winter, ..movement };
                let both = [movement, winter].into_iter();
                both.take(if movement.season == Season::Fall { 2 } else { 1 }).collect()
            }
            Foretold::Years(years) if point == acts => [at.years_later(years)].into_iter().collect(),
            _ => ArrayVec::new(),
        }
    }
}

impl fmt::Display for Foretold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Foretold::No => f.write_str("no"),
            Foretold::BeforeRetreats => f.write_str("before-retreats"),
            Foretold::Seasons(seasons) => Span::Seasons(seasons).fmt(f),
            Foretold::Years(years) => Span::Years(years).fmt(f),
        }
    }
}

impl Serialize for Foretold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A change that has been announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coming {
    /// The place.
    pub face: ProvinceId,
    /// The index of the entry that will change it.
    pub entry: usize,
    /// When.
    pub at: Moment,
}
