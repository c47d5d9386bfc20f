//! When entries act: dates, the seasons and years of a period, and schedules.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::topology::PlanarMap;

use super::set::Places;
use super::words::Seasons;
use crate::rules::position::{Phase, Season};

/// A season of a year; printed as `S1901`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
}

impl From<Phase> for Date {
    fn from(phase: Phase) -> Date {
        Date { year: phase.year, season: phase.season }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:04}", self.season.letter(), self.year)
    }
}

/// A year, or a season of it; the beginning or the end of a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A whole year.
    Year(u16),
    /// A season.
    Season(Date),
}

impl Bound {
    /// The year.
    pub const fn year(self) -> u16 {
        match self {
            Bound::Year(year) => year,
            Bound::Season(date) => date.year,
        }
    }

    /// The first season within it.
    pub const fn first(self) -> Date {
        match self {
            Bound::Year(year) => Date { year, season: Season::Spring },
            Bound::Season(date) => date,
        }
    }

    /// The last season within it.
    pub const fn last(self) -> Date {
        match self {
            Bound::Year(year) => Date { year, season: Season::Winter },
            Bound::Season(date) => date,
        }
    }
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Bound::Year(year) => serializer.serialize_u16(*year),
            Bound::Season(date) => serializer.collect_str(date),
        }
    }
}

/// The seasons and years in which an entry acts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// The seasons.
    pub seasons: Seasons,
    /// The first of them; `None`: that of the game.
    pub from: Option<Bound>,
    /// The last of them; `None`: that of the game.
    pub until: Option<Bound>,
    /// Only every this many years, from the first one on.
    pub every: u16,
    /// The first year of the game.
    pub first_year: u16,
}

impl Period {
    /// Does it include this season?
    pub fn includes(&self, at: Date) -> bool {
        let first = self.from.map_or(self.first_year, Bound::year);
        self.seasons.includes(at.season)
            && self.from.is_none_or(|from| from.first() <= at)
            && self.until.is_none_or(|until| at <= until.last())
            && (self.every == 1 || at.year >= first && (at.year - first).is_multiple_of(self.every))
    }
}

/// Lists of places by the season at whose end they change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// By date, without the shift.
    pub dates: BTreeMap<Date, Places>,
    /// Every year, in this season.
    pub yearly: BTreeMap<Season, Places>,
    /// The number of years by which all dates are moved.
    pub shift: i16,
}

impl Schedule {
    /// The date on which what is listed for a date happens.
    pub fn shifted(&self, date: Date) -> Date {
        Date { year: date.year.saturating_add_signed(self.shift), ..date }
    }

    /// The lists of a season.
    pub fn lists(&self, at: Date) -> impl Iterator<Item = &Places> {
        let listed =
            at.year.checked_sub_signed(self.shift).and_then(|year| self.dates.get(&Date { year, ..at }));
        listed.into_iter().chain(self.yearly.get(&at.season))
    }

    /// Does it list anything in a season?
    pub fn has(&self, at: Date) -> bool {
        self.lists(at).next().is_some()
    }

    /// The places of a season, on this map.
    pub fn of(&self, at: Date, map: &PlanarMap) -> ProvinceSet {
        self.lists(at).map(|places| places.on(map)).collect()
    }

    /// The places of a season and of those after it in the same year, on this map.
    pub fn rest_of_year(&self, at: Date, map: &PlanarMap) -> ProvinceSet {
        let year = at.year.checked_sub_signed(self.shift);
        let dates = year.map(|year| Date { year, ..at }..=Date { year, season: Season::Winter });
        let listed = dates.into_iter().flat_map(|dates| self.dates.range(dates)).map(|(_, places)| places);
        listed
            .chain(self.yearly.range(at.season..).map(|(_, places)| places))
            .map(|places| places.on(map))
            .collect()
    }
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dates = self.dates.iter().map(|(date, places)| (date.to_string(), places));
        let yearly = self.yearly.iter().map(|(season, places)| (season.name().to_lowercase(), places));
        serializer.collect_map(dates.chain(yearly))
    }
}
