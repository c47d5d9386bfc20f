//! When entries act: dates, the seasons and years of a period, and schedules.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU8;
use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::topology::PlanarMap;

use super::set::Places;
use super::words::{Point, Seasons};
use crate::rules::position::{Phase, Season};

/// A season of a year; printed as `S1901`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
}

impl Date {
    /// The season of the movement that is this number of movements later.
    pub(super) fn movements_later(self, number: NonZeroU8) -> Date {
        (0..number.get()).fold(self, |date, _| date.next_movement())
    }

    /// The same season, this number of years later.
    pub(super) fn years_later(self, years: NonZeroU8) -> Date {
        Date { year: self.year.saturating_add(years.get().into()), ..self }
    }

    /// The season of the next movement.
    fn next_movement(self) -> Date {
        match self.season {
            Season::Spring => Date { season: Season::Fall, ..self },
            Season::Fall | Season::Winter => {
                Date { year: self.year.saturating_add(1), season: Season::Spring }
            }
        }
    }
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

/// How long a change lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// Until another change.
    Ever,
    /// For this many movements, and the retreats after them.
    Seasons(NonZeroU8),
    /// Until the same point, this many years later.
    Years(NonZeroU8),
    /// Until the end of this season.
    Until(Date),
}

/// A moment at which entries act, and changes end.
pub type Moment = (Date, Point);

impl Span {
    /// The span that this text means: `ever`, `1 season`, `2 years` or `until F1906`.
    pub(super) fn read(text: &str) -> Option<Span> {
        if text == "ever" {
            return Some(Span::Ever);
        }
        let (number, unit) = text.split_once(' ')?;
        if number == "until" {
            return date(unit).map(Span::Until);
        }
        let number: NonZeroU8 = number.parse().ok().filter(|number: &NonZeroU8| number.get() <= 100)?;
        match (unit, number.get()) {
            ("season", 1) | ("seasons", 2..) => Some(Span::Seasons(number)),
            ("year", 1) | ("years", 2..) => Some(Span::Years(number)),
            _ => None,
        }
    }

    /// When a change that is made at this moment ends. `early` changes that are counted in seasons end before the
    /// retreats of the last one, others at its end.
    pub(super) fn end(self, (at, point): Moment, early: bool) -> Option<Moment> {
        match self {
            Span::Ever => None,
            Span::Until(date) => Some((date, Point::End)),
            Span::Years(years) => Some((at.years_later(years), point.of_ends())),
            Span::Seasons(seasons) => {
                let point = if early { Point::BeforeRetreats } else { Point::End };
                Some((at.movements_later(seasons), point))
            }
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut count = |number: &NonZeroU8, unit: &str| {
            write!(f, "{number} {unit}{}", if number.get() == 1 { "" } else { "s" })
        };
        match self {
            Span::Ever => f.write_str("ever"),
            Span::Seasons(seasons) => count(seasons, "season"),
            Span::Years(years) => count(years, "year"),
            Span::Until(date) => write!(f, "until {date}"),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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
    /// The Winter before games that begin in the Spring of this year.
    pub(super) fn before(year: u16) -> Period {
        let winter = Bound::Season(Date { year: year.saturating_sub(1), season: Season::Winter });
        let (from, until) = (Some(winter), Some(winter));
        Period { seasons: Seasons::Winter, from, until, every: 1, first_year: year }
    }

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

    /// Does it list anything in a season of this kind, in any year?
    pub fn has_season(&self, season: Season) -> bool {
        self.yearly.contains_key(&season) || self.dates.keys().any(|date| date.season == season)
    }

    /// The dates that are ahead in this sense, with their places; of a list for every year, the next from this year on.
    pub(super) fn upcoming(
        &self,
        is_ahead: impl Fn(Date) -> bool,
        year: u16,
    ) -> impl Iterator<Item = (Date, &Places)> {
        let next = |season| {
            [year, year.saturating_add(1)]
                .map(|year| Date { year, season })
                .into_iter()
                .find(|date| is_ahead(*date))
        };
        let listed = self.dates.iter().map(|(date, places)| (self.shifted(*date), places));
        let yearly: Vec<_> =
            self.yearly.iter().filter_map(|(season, places)| Some((next(*season)?, places))).collect();
        let listed: Vec<_> = listed.filter(|(date, _)| is_ahead(*date)).collect();
        listed.into_iter().chain(yearly)
    }

    /// The places of a season, on this map.
    pub fn of(&self, at: Date, map: &PlanarMap) -> ProvinceSet {
        self.lists(at).map(|places| places.on(map)).collect()
    }

    /// The places of these seasons of one year, on this map.
    pub(super) fn within(&self, dates: RangeInclusive<Date>, map: &PlanarMap) -> ProvinceSet {
        let (first, last) = (*dates.start(), *dates.end());
        let written = |date: Date| Some(Date { year: date.year.checked_sub_signed(self.shift)?, ..date });
        let listed = written(first).zip(written(last)).map(|(first, last)| self.dates.range(first..=last));
        let yearly = self.yearly.range(first.season..=last.season).map(|(_, places)| places);
        let listed = listed.into_iter().flatten().map(|(_, places)| places);
        listed.chain(yearly).map(|places| places.on(map)).collect()
    }
}

impl Serialize for Schedule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dates = self.dates.iter().map(|(date, places)| (date.to_string(), places));
        let yearly = self.yearly.iter().map(|(season, places)| (season.name().to_lowercase(), places));
        serializer.collect_map(dates.chain(yearly))
    }
}

/// A season of every year, such as `winter`.
pub(super) fn yearly(text: &str) -> Option<Season> {
    Season::ALL.into_iter().find(|season| season.name().to_lowercase() == text)
}

impl Point {
    /// The point at which changes end that were made at this one and last for years.
    pub(super) const fn of_ends(self) -> Point {
        match self {
            Point::BeforeRetreats => Point::BeforeRetreats,
            Point::Start | Point::End => Point::End,
        }
    }
}

/// A season, such as `S1903`.
pub(super) fn date(text: &str) -> Option<Date> {
    let phase: Phase = format!("{text}M").parse().ok()?;
    (phase.year > 0).then(|| phase.into())
}
