//! When an entry acts, when it is announced, and how long a change lasts.

use super::super::entry::OF_PERIOD;
use super::super::foretold::Foretold;
use super::super::when::{Bound, Date, Period, Schedule, Span, date, yearly};
use super::super::words::Seasons;
use super::{EntryFile, Reading};
use crate::diagnostic::value::{Entries, Open, Placed};
use crate::rules::position::Season;

/// The years after which an entry that acts at all has acted.
const LONGEST_WAIT: u16 = 100;

impl Reading<'_> {
    /// How long a change of faces lasts.
    pub(super) fn lasts(&self, file: &EntryFile) -> Option<Span> {
        let Some(lasts) = &file.lasts else { return Some(Span::Ever) };
        Span::read(lasts).or_else(|| {
            let message = format!(
                "`lasts` must be `ever`, or a time such as `1 season`, `2 years` or `until F1906`, not `{}`",
                **lasts
            );
            self.form.refuse(lasts.span(), message)
        })
    }

    /// When the places are announced.
    pub(super) fn foretold(&self, file: &EntryFile) -> Option<Foretold> {
        let Some(foretold) = &file.foretold else { return Some(Foretold::No) };
        Foretold::read(foretold).or_else(|| {
            let message = format!(
                "`foretold` must be `no`, `before-retreats`, or a time such as `1 season` or `2 years`, not `{}`",
                **foretold
            );
            self.form.refuse(foretold.span(), message)
        })
    }

    /// The lists of a schedule.
    pub(super) fn schedule(
        &self,
        file: &Placed<Entries<Vec<Placed<String>>>>,
        entry: &EntryFile,
    ) -> Option<Schedule> {
        let mut schedule =
            Schedule { shift: entry.shift.as_deref().copied().unwrap_or(0), ..Schedule::default() };
        let is_shifted = entry.shift.as_ref().is_none_or(|shift| self.form.is_sound(&shift.span()));
        let mut is_sound = self.form.is_sound(&file.span()) && is_shifted;
        for (key, names) in file.iter() {
            let Some(places) = self.places(names) else {
                is_sound = false;
                continue;
            };
            match (yearly(key), date(key)) {
                (Some(season), _) => drop(schedule.yearly.insert(season, places)),
                (None, Some(date)) => drop(schedule.dates.insert(date, places)),
                (None, None) => {
                    let hint = match key.parse::<u16>() {
                        Ok(year) => format!("; write `W{year}` for the end of its Winter"),
                        Err(_) => String::new(),
                    };
                    let message = format!(
                        "`{}` is not a season (expected e.g. `W1901`, or `winter` for every year){hint}",
                        **key
                    );
                    self.form.fault(key.span(), message);
                    is_sound = false;
                }
            }
        }
        let mut lists = schedule.dates.values().chain(schedule.yearly.values());
        if lists.all(|places| places.names.is_empty()) && is_sound {
            return self.form.refuse(file.span(), "the schedule is empty: the entry never acts");
        }
        if let (Some(shift), true) = (&entry.shift, schedule.dates.is_empty() && is_sound) {
            return self
                .form
                .refuse(shift.span(), "`shift` moves dates, and the schedule has only lists for every year");
        }
        is_sound.then_some(schedule)
    }

    /// The season of an entry that acts before the first phase.
    pub(super) fn before_start(&self, file: &EntryFile) -> Option<Period> {
        let mut written = file.present();
        written.retain(|(key, _)| *key == "schedule" || OF_PERIOD.contains(key));
        for (key, span) in &written {
            let message = format!("`{key}` does not go with `start`, which is once, before the first phase");
            self.form.fault(span.clone(), message);
        }
        let first = self.first_phase.filter(|_| written.is_empty())?;
        if first.season != Season::Spring {
            let message = format!("`start` is before a first Spring, but games begin with {first}");
            return self.form.refuse(file.at.as_ref().map_or(file.id.span(), Placed::span), message);
        }
        Some(Period::before(first.year))
    }

    /// The seasons and years in which an entry acts.
    pub(super) fn period(&self, file: &EntryFile) -> Option<Period> {
        let bound = |key: &str, value: Option<&Placed<Open>>| match value {
            None => Some(None),
            Some(value) => self.bound(key, value).map(Some),
        };
        let (from, until) = (bound("from", file.from.as_ref()), bound("until", file.until.as_ref()));
        let (from, until) = (from?, until?);
        if let (Some(first), Some(last), Some(value)) = (from, until, &file.until)
            && first.first() > last.last()
        {
            return self.form.refuse(value.span(), "`until` is before `from`: the entry never acts");
        }
        let first = self.first_phase.map(Date::from);
        if let (Some(last), Some(first), Some(value)) = (until, first, &file.until)
            && last.last() < first
        {
            let message = format!("`until` is before {first}, in which games begin: the entry never acts");
            return self.form.refuse(value.span(), message);
        }
        if let (Some(first), Some(last), Some(value)) = (from, self.last_winter, &file.from)
            && first.year() > last
        {
            let message = format!("`from` is after {last}, in which games end: the entry never acts");
            return self.form.refuse(value.span(), message);
        }
        let period = Period {
            seasons: file.seasons.as_deref().copied().unwrap_or(Seasons::SpringAndFall),
            from,
            until,
            every: file.every.as_ref().map_or(1, |every| every.short()),
            first_year: self
                .first_phase
                .map_or(0, |phase| phase.year + u16::from(phase.season == Season::Winter)),
        };
        // A schedule has dates of its own.
        if let Some(first) = first.filter(|_| file.schedule.is_none()) {
            let begin = from.map_or(first.year, |from| first.year.max(from.year()));
            let end = self.last_winter.unwrap_or(begin.saturating_add(LONGEST_WAIT));
            let mut dates = (begin..=end).flat_map(|year| Season::ALL.map(|season| Date { year, season }));
            if !dates.any(|date| date >= first && period.includes(date)) {
                let of_period = [&file.until, &file.from].into_iter().flatten().next();
                let at = of_period.map_or(file.id.span(), Placed::span);
                let message = "games have no season in which the entry acts; see `seasons`, `from`, `until` and `every`";
                return self.form.refuse(at, message);
            }
        }
        Some(period)
    }

    fn bound(&self, key: &str, value: &Placed<Open>) -> Option<Bound> {
        let bound = match &**value {
            Open::Single(toml::Value::Integer(year @ 1..=9999)) => u16::try_from(*year).ok().map(Bound::Year),
            Open::Single(toml::Value::String(text)) => date(text).map(Bound::Season),
            _ => None,
        };
        bound.or_else(|| {
            let message = format!(
                "`{key}` must be a year, such as 1903, or a season, such as \"F1903\", not {}",
                **value
            );
            self.form.refuse(value.span(), message)
        })
    }
}
