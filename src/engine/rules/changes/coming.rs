//! Changes that are announced before they happen: those that nature draws ahead of time, and those that the powers have
//! voted for.
//!
//! ```text
//!   foretold = "before-retreats"     S1901: movement ─▶ ANNOUNCED ─▶ retreats ─▶ END: it happens
//!   foretold = "1 season"            end of S1901: ANNOUNCED ───────▶ end of F1901: it happens
//!   by = "vote"                      orders of F1901: VOTED ────────▶ the point of F1901: it happens
//! ```

use arrayvec::ArrayVec;
use upheaval_map::ids::{ProvinceId, ProvinceSet};

use super::entry::{FaceChange, Which};
use super::foretold::{Coming, Foretold};
use super::list::Changes;
use super::when::{Date, Moment};
use super::words::{Point, Verb};
use crate::rules::game_state::GameState;
use crate::rules::position::{Phase, PhaseKind, Season};

/// A change that is announced or scheduled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ComingChange {
    /// The season at whose end, or before whose retreats, it happens.
    pub date: Date,
    /// The place.
    pub face: ProvinceId,
    /// What happens to it, if it stays as it is until then.
    pub verb: Verb,
}

impl FaceChange {
    /// The dates of the changes that it announces at this moment.
    pub(super) fn announces(&self, now: Moment) -> ArrayVec<Date, 2> {
        let mut dates = self.foretold.dates(now, self.at);
        dates.retain(|date| self.acts(*date));
        dates
    }

    /// Does nature draw its places in a season, be it for that season or ahead of time?
    pub(crate) fn draws_in(&self, at: Date) -> bool {
        match self.foretold {
            Foretold::No | Foretold::BeforeRetreats => self.acts(at),
            Foretold::Seasons(_) | Foretold::Years(_) => !self.announces((at, self.at)).is_empty(),
        }
    }

    /// Are its places announced more than a season ahead?
    pub(super) const fn is_far_ahead(&self) -> bool {
        matches!(self.foretold, Foretold::Seasons(_) | Foretold::Years(_))
    }
}

impl GameState {
    /// Removes the announced changes of an entry that are due at this moment, and returns their places.
    pub(super) fn take_coming(&mut self, entry: usize, now: Moment) -> ProvinceSet {
        let due = |coming: &mut Coming| coming.entry == entry && coming.at == now;
        let places = self.coming.extract_if(.., due).map(|coming| coming.face).collect();
        self.doomed -= places;
        places
    }

    /// The places of an entry that are announced and have not changed yet.
    pub(super) fn coming_of(&self, entry: usize) -> ProvinceSet {
        self.coming.iter().filter(|coming| coming.entry == entry).map(|coming| coming.face).collect()
    }
}

impl Changes {
    /// The changes that are announced or scheduled from this phase on, in the order of their dates; of a list for every
    /// year, the next.
    pub(crate) fn coming(&self, world: &GameState, at: Phase) -> Vec<ComingChange> {
        let chart = world.terrain.chart();
        let mut coming = Vec::new();
        let mut add = |change: &FaceChange, date, face| {
            coming.extend(change.verb_on(chart, face).map(|verb| ComingChange { date, face, verb }));
        };
        for announced in &world.coming {
            if let Some(change) = self.entries()[announced.entry].faces() {
                add(change, announced.at.0, announced.face);
            }
        }
        for (_, change) in self.faces() {
            let Which::Scheduled(schedule) = &change.which else { continue };
            // A phase after the movement may come after the point.
            let is_ahead = |date: Date| match (change.at, at.kind) {
                (_, PhaseKind::Movement) | (Point::End, PhaseKind::Retreats | PhaseKind::Adjustments) => {
                    date >= at.into()
                }
                _ => date > at.into(),
            };
            for (date, places) in schedule.upcoming(is_ahead, at.year) {
                places.on(chart.map()).iter().for_each(|face| add(change, date, face));
            }
        }
        coming.sort_unstable();
        coming.dedup();
        coming
    }

    /// The places that are announced or scheduled to become holes before the next movement.
    #[inline]
    pub(crate) fn vanishing(&self, world: &GameState, at: Phase) -> ProvinceSet {
        match (self.closing, at.season) {
            (0, _) => world.doomed,
            (closing, Season::Spring) => world.doomed | self.known(closing, world, at, Season::Spring),
            (closing, _) => world.doomed | self.known(closing, world, at, Season::Winter),
        }
    }

    /// The places that are announced or scheduled to become sea before the year is over.
    #[inline]
    pub(crate) fn sinking(&self, world: &GameState, at: Phase) -> ProvinceSet {
        match self.sinking {
            0 => ProvinceSet::EMPTY,
            sinking => self.known(sinking, world, at, Season::Winter),
        }
    }

    /// The places that are announced or scheduled to change by one of these entries, from the season of this phase to a
    /// later one of the same year.
    fn known(&self, entries: u64, world: &GameState, at: Phase, last: Season) -> ProvinceSet {
        let is_one = |entry: usize| entries & 1 << entry != 0;
        let dates = Date::from(at)..=Date { season: last, ..at.into() };
        let due = world.coming.iter().filter(|coming| is_one(coming.entry) && dates.contains(&coming.at.0));
        let mut known: ProvinceSet = due.map(|coming| coming.face).collect();
        for (_, entry) in self.entries().iter().enumerate().filter(|(index, _)| is_one(*index)) {
            if let Some(FaceChange { which: Which::Scheduled(schedule), .. }) = entry.faces() {
                known |= schedule.within(dates.clone(), world.terrain.chart().map());
            }
        }
        known
    }

    /// Closes the places to retreats that are announced to become holes at the end of this season (rules.md 4.3).
    pub(crate) fn doom(&self, world: &mut GameState, at: Date) {
        let makes_hole = |coming: &&Coming| {
            let change = self.entries()[coming.entry].faces();
            coming.at == (at, Point::End)
                && change
                    .and_then(|change| change.verb_on(world.terrain.chart(), coming.face))
                    .is_some_and(|verb| verb.makes_hole())
        };
        let doomed: ProvinceSet = world.coming.iter().filter(makes_hole).map(|coming| coming.face).collect();
        world.doomed |= doomed;
    }
}
