//! Warnings about entries that are allowed but probably not meant.

use upheaval_map::ids::{MAX_PROVINCES, Power, ProvinceSet};
use upheaval_map::topology::NamedMap;

use super::act;
use super::checks::scheduled;
use super::entry::{Count, Deed, Entry, FaceChange, Measure, OWNER_CENTRES, Which};
use super::list::Changes;
use super::set::{Kinds, Operator, Scene, Set};
use super::when::{Date, Span};
use super::words::{Fate, Point, Verb};
use crate::rules::map_tables::MapTables;
use crate::rules::position::{Position, Season};

/// A game at its start, before anything has changed.
struct AtStart<'a> {
    changes: &'a Changes,
    terrain: &'a MapTables,
    position: &'a Position,
}

impl Scene for AtStart<'_> {
    fn terrain(&self) -> &MapTables {
        self.terrain
    }

    fn position(&self) -> &Position {
        self.position
    }

    fn held(&self, _: usize) -> ProvinceSet {
        ProvinceSet::EMPTY
    }

    fn fresh(&self, _: usize) -> ProvinceSet {
        ProvinceSet::EMPTY
    }

    fn last(&self, _: usize) -> ProvinceSet {
        ProvinceSet::EMPTY
    }

    fn occupied_lately(&self, _: u8) -> Option<ProvinceSet> {
        None
    }

    fn country(&self, power: Power) -> ProvinceSet {
        self.changes.country(self.terrain, power)
    }
}

impl Changes {
    /// What is allowed but probably not meant, one sentence for each. `terrain` and `position` are those at the start.
    pub fn warnings(&self, terrain: &MapTables, position: &Position) -> Vec<String> {
        let start = AtStart { changes: self, terrain, position };
        let mut warnings = Vec::new();
        for (index, entry) in self.entries().iter().enumerate() {
            match &entry.deed {
                Deed::Mark(_) if !self.sets().any(|set| set.holds(index)) => warnings
                    .push(format!("`{}`: no set names this mark, so that it spares nothing", entry.id)),
                Deed::Faces(change) => {
                    start.warn_of(entry, change, &mut warnings);
                    let is_used = self.sets().flat_map(Set::named).any(|named| named.index == index);
                    let strikes = change.units != Fate::Stay;
                    if change.verbs.has(Verb::Mark) && !is_used && !strikes {
                        warnings
                            .push(format!("`{}`: no set names this mark, so that it does nothing", entry.id));
                    }
                }
                Deed::Quake(_) => entry.sets().for_each(|set| start.warn_of_side(entry, set, &mut warnings)),
                Deed::Mark(_) => {}
            }
        }
        start.warn_of_groups(&mut warnings);
        start.warn_of_pairs(&mut warnings);
        start.warn_of_centres(&mut warnings);
        warnings
    }
}

impl AtStart<'_> {
    fn warn_of(&self, entry: &Entry, change: &FaceChange, warnings: &mut Vec<String>) {
        let (id, terrain) = (&entry.id, self.terrain);
        if let Some(set) = change.set() {
            let kinds = set.kinds(&|_| None);
            let has_holes = kinds.is_some_and(|kinds| !kinds.and(Kinds::HOLE).is_none());
            let places = set.faces(self);
            if set.is_of_map() && !has_holes && places.is_empty() {
                let why = self.why_empty(set);
                warnings.push(format!("`{id}`: its set `{set}` is empty on the board at the start{why}"));
            } else if set.is_of_map()
                && !places.iter().any(|face| change.verb_on(terrain.chart(), face).is_some())
            {
                let makes_holes = |(_, other): (&Entry, &FaceChange)| {
                    other.verbs.has(Verb::Collapse) || other.verbs.has(Verb::Void)
                };
                let digs = |(_, other): (&Entry, &FaceChange)| other.verbs.has(Verb::Dig);
                let may_fill = change.verbs.has(Verb::Restore) && self.changes.faces().any(digs);
                if !may_fill && (!has_holes || !self.changes.faces().any(makes_holes)) {
                    warnings.push(format!("`{id}`: nothing in `{set}` can change so"));
                }
            }
            self.warn_of_measure(entry, change, places, warnings);
        }
        for set in change.sets() {
            for named in set.named_new() {
                let other = self.changes.entries()[named.index].faces();
                if other.is_none_or(|other| other.at != change.at || !overlap(other, change)) {
                    warnings.push(format!(
                        "`{id}`: `{}` never changes a place at the same point, so that `new({})` is empty",
                        named.name, named.name
                    ));
                }
            }
        }
        if let Some(Count::Per(_, per)) = change.count()
            && let Some(other) = self.changes.entries()[per.index].faces()
            && (other.at != change.at || !overlap(other, change))
        {
            let message =
                format!("`{id}`: it never acts at the same point as `{}`, so that it never acts", per.name);
            warnings.push(message);
        }
        if let Which::Scheduled(schedule) = &change.which
            && change.at == Point::End
            && let Some(date) = schedule.dates.keys().find(|date| date.season == Season::Spring)
        {
            let before = Date { year: schedule.shifted(*date).year - 1, season: Season::Winter };
            warnings.push(format!(
                "`{id}`: {} means the end of that Spring; what shall be so during it is scheduled for {before}",
                schedule.shifted(*date)
            ));
        }
        if let (true, Some(Count::Number(number))) = (change.verbs.has(Verb::Split), change.count()) {
            let seasons =
                Season::ALL.into_iter().filter(|season| change.period.seasons.includes(*season)).count();
            let room = MAX_PROVINCES - terrain.chart().map().faces().count();
            let years = room / (usize::from(*number) * seasons).max(1);
            if years < 30 {
                warnings.push(format!(
                    "`{id}`: a board has at most {MAX_PROVINCES} faces, so that nothing splits after about {years} years"
                ));
            }
        }
        self.warn_of_renewal(entry, change, warnings);
    }

    /// Borders of a set without a place.
    fn warn_of_side(&self, entry: &Entry, set: &Set, warnings: &mut Vec<String>) {
        let has_holes = set.kinds(&|_| None).is_some_and(|kinds| !kinds.and(Kinds::HOLE).is_none());
        if set.is_of_map() && !has_holes && set.faces(self).is_empty() {
            let (id, why) = (&entry.id, self.why_empty(set));
            warnings.push(format!("`{id}`: `{set}` is empty on the board at the start{why}"));
        }
    }

    /// A measure by which all places are equal at the start: these are the places of the set.
    fn warn_of_measure(
        &self,
        entry: &Entry,
        change: &FaceChange,
        places: ProvinceSet,
        warnings: &mut Vec<String>,
    ) {
        let (id, Some(ranking), Some(of)) = (&entry.id, change.ranking(), change.set()) else { return };
        match &ranking.measure {
            Measure::Near(set) if set.is_of_map() && set.faces(self).is_empty() => {
                let why = self.why_empty(set);
                warnings.push(format!("`{id}`: its measure `{set}` is empty on the board at the start{why}"));
            }
            Measure::OwnerCentres
                if of.is_of_map() && !places.is_empty() && !places.intersects(self.terrain.centres()) =>
            {
                warnings.push(format!(
                    "`{id}`: `{of}` has no centre on the board at the start, and `{OWNER_CENTRES}` compares \
                     centres with an owner"
                ));
            }
            Measure::Near(_) | Measure::OwnerCentres => {}
        }
    }

    /// Why a set has no place: a part of it that has none, or parts without a place in common.
    fn why_empty(&self, set: &Set) -> String {
        let Set::Joined(operator, terms) = set else { return String::new() };
        let is_empty = |term: &&Set| term.faces(self).is_empty();
        match (operator, terms.iter().find(is_empty)) {
            (Operator::Or, _) => ": all its parts are".to_owned(),
            (Operator::And, Some(term)) => format!(": `{term}` is"),
            (Operator::And, None) => ": its parts have no place in common".to_owned(),
            (Operator::Without, _) if is_empty(&&terms[0]) => format!(": `{}` is", terms[0]),
            (Operator::Without, _) => format!(": what follows has all of `{}`", terms[0]),
        }
    }

    /// The places of a schedule may be listed again for the season in which the change before ends: the units there meet
    /// the end and the change.
    fn warn_of_renewal(&self, entry: &Entry, change: &FaceChange, warnings: &mut Vec<String>) {
        let Which::Scheduled(schedule) = &change.which else { return };
        if change.lasts == Span::Ever {
            return;
        }
        let map = self.terrain.chart().map();
        let first = change.period.first_year;
        let dates = (first..first.saturating_add(YEARS))
            .flat_map(|year| Season::ALL.map(|season| Date { year, season }));
        for date in dates.filter(|date| change.acts(*date)) {
            let end = change.lasts.end((date, change.at), change.ends_early());
            let Some((end, _)) = end.filter(|(_, point)| *point == change.at) else { continue };
            if schedule.of(date, map).intersects(&schedule.of(end, map)) {
                warnings.push(format!(
                    "`{}`: what changes at {date} ends at {end}, when it changes again: units there meet both",
                    entry.id
                ));
                return;
            }
        }
    }

    /// Groups that no set names.
    fn warn_of_groups(&self, warnings: &mut Vec<String>) {
        for name in self.changes.groups.keys() {
            if !self.changes.sets().flat_map(Set::groups).any(|group| group.name == *name) {
                warnings.push(format!("`groups.{name}`: no set of an entry names this group"));
            }
        }
    }

    /// Two entries of one point may hit the same place; the order of the file decides.
    fn warn_of_pairs(&self, warnings: &mut Vec<String>) {
        let all: Vec<(&Entry, &FaceChange)> = self.changes.faces().collect();
        for (i, (second, of_second)) in all.iter().enumerate() {
            for (first, of_first) in &all[..i] {
                if of_first.set().or(of_second.set()).is_none() {
                    continue; // the dates of two schedules are seen in the file
                }
                let meet = self.places(of_first).intersects(&self.places(of_second));
                if meet && of_first.at == of_second.at && overlap(of_first, of_second) {
                    warnings.push(format!(
                        "`{}` and `{}` may change the same place in one season: `{}` acts first",
                        first.id, second.id, first.id
                    ));
                }
            }
        }
    }

    /// The schedules may leave no centre.
    fn warn_of_centres(&self, warnings: &mut Vec<String>) {
        let mut due: Vec<(Date, usize)> = Vec::new();
        for (index, entry) in self.changes.entries().iter().enumerate() {
            due.extend(scheduled(entry).into_iter().flat_map(|schedule| {
                schedule.dates.keys().map(move |date| (schedule.shifted(*date), index))
            }));
        }
        due.sort_unstable();
        let mut chart: NamedMap = self.terrain.chart().clone();
        for (date, index) in due {
            let Some(change) = self.changes.entries()[index].faces() else { continue };
            let Which::Scheduled(schedule) = &change.which else { continue };
            chart.begin_change();
            for face in schedule.of(date, chart.map()) {
                if let Some(verb) = change.verb_on(&chart, face) {
                    // It fits, so that this cannot fail.
                    let _ = act::apply(change, verb, &mut chart, face);
                }
            }
            if chart.centres().is_empty() {
                warnings.push(format!("after {date} no supply centre is left"));
                return;
            }
        }
    }

    /// The places of an entry on the board at the start; of a schedule, all that it lists.
    fn places(&self, change: &FaceChange) -> ProvinceSet {
        let Which::Scheduled(schedule) = &change.which else {
            return change.set().map_or(ProvinceSet::EMPTY, |set| set.faces(self));
        };
        let listed = schedule.dates.values().chain(schedule.yearly.values());
        listed.map(|places| places.on(self.terrain.chart().map())).collect()
    }
}

/// The years that are looked through.
const YEARS: u16 = 100;

/// Is there a season in which both act?
fn overlap(one: &FaceChange, other: &FaceChange) -> bool {
    // What acts before the first phase does so in the year before.
    let first = one.period.first_year.saturating_sub(1);
    let mut dates =
        (first..first.saturating_add(YEARS)).flat_map(|year| Season::ALL.map(|season| Date { year, season }));
    dates.any(|date| one.acts(date) && other.acts(date))
}
