//! Checks of the entries of a file against the board and each other, without playing. Warnings about what is allowed but
//! probably not meant are in `warnings.rs`.

use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::NamedMap;

use super::act;
use super::entry::{Count, Deed, Entry, FaceChange, MOST_ENTRIES, Which};
use super::file::{ChangesFile, EntryFile, Reading};
use super::list::Changes;
use super::set::Kinds;
use super::verb::{Verbs, kind_of};
use super::when::{Date, Schedule, date, yearly};
use super::words::{Point, Verb};
use crate::diagnostic::value::Placed;
use crate::rules::position::{Phase, Season};

impl Reading<'_> {
    /// The entries, or `None` if one of them has a fault.
    pub(in crate::rules) fn changes(&self, file: &ChangesFile) -> Option<Changes> {
        let countries = self.countries(file.countries.as_ref());
        let ids: Vec<&str> = file.entries.iter().map(|entry| entry.id.as_str()).collect();
        if let Some(beyond) = file.entries.get(MOST_ENTRIES) {
            let message = format!("more than {MOST_ENTRIES} entries; this is the first that is too many");
            return self.form.refuse(beyond.id.span(), message);
        }
        let groups = self.groups(file.groups.as_ref(), &ids);
        let known = groups.clone().unwrap_or_default();
        let entry = |(index, entry): (usize, &Placed<EntryFile>)| self.entry(entry, index, &ids, &known);
        let read: Vec<Option<Entry>> = file.entries.iter().enumerate().map(entry).collect();
        self.only_one_of_each(file, &read);
        if let Some(entry) = file.entries.iter().find(|entry| entry.says_country())
            && !self.form.has("countries")
        {
            let message = "`country` requires a section [countries] with the provinces of each power";
            self.form.fault(entry.id.span(), message);
        }
        check(self, &read, &file.entries);
        Some(Changes::new(read.into_iter().collect::<Option<_>>()?, groups?, countries?))
    }
}

/// Checks the entries together.
fn check(reading: &Reading<'_>, entries: &[Option<Entry>], files: &[Placed<EntryFile>]) {
    for (entry, file) in entries.iter().zip(files) {
        let Some(entry) = entry else { continue };
        check_named(reading, entries, entry, file);
        if let Some(change) = entry.faces() {
            check_kinds(reading, entries, change, file);
        }
    }
    if reading.has_board {
        play_schedules(reading, entries, files);
    }
}

/// Have the entries that an entry names places of the sort that it needs?
fn check_named(reading: &Reading<'_>, entries: &[Option<Entry>], entry: &Entry, file: &EntryFile) {
    let deed = |index: usize| entries[index].as_ref().map(|entry| &entry.deed);
    let measured = entry.faces().and_then(FaceChange::measured);
    let is_quake = matches!(entry.deed, Deed::Quake(_));
    for set in entry.sets() {
        let is_measured = measured.is_some_and(|measured| std::ptr::eq(measured, set));
        let written = if is_measured { &file.measure } else { &file.of };
        let Some(at) = written else { continue };
        if let Some(named) = set.named_new().next().filter(|_| is_quake) {
            let message = format!(
                "quakes have a phase of their own, in which `new({})` is empty; write `{}` or `last({})`",
                named.name, named.name, named.name
            );
            reading.form.fault(at.span(), message);
        }
        for named in set.named() {
            let message = match deed(named.index) {
                Some(Deed::Quake(_)) => format!("`{}` moves borders, and has no places", named.name),
                Some(Deed::Mark(_)) if is_quake || entry.has_votes() => format!(
                    "`{}` is a secret of each power, and what powers can choose here is public",
                    named.name
                ),
                Some(Deed::Faces(of)) if set.holds(named.index) && of.verbs.mixes() => format!(
                    "`{}` cannot be named here: it changes holes and ground, and its set would not say which",
                    named.name
                ),
                _ => continue,
            };
            reading.form.fault(at.span(), message);
        }
    }
    if let (Some(Count::Per(_, named)), Some(at)) = (entry.faces().and_then(FaceChange::count), &file.per)
        && let Some(Deed::Quake(_) | Deed::Mark(_)) = deed(named.index)
    {
        reading.form.fault(at.span(), format!("`{}` changes no places", named.name));
    }
}

/// Do the verbs of an entry act on all kinds of faces that its set may have?
fn check_kinds(reading: &Reading<'_>, entries: &[Option<Entry>], change: &FaceChange, file: &EntryFile) {
    let (Some(set), Some(at)) = (change.set(), &file.of) else { return };
    let of = |index: usize| kinds_after(entries.get(index)?.as_ref()?);
    let Some(kinds) = set.kinds(&of) else { return };
    // Without an entry that freezes seas, no board has ice.
    let freezes = |entry: &Entry| entry.faces().is_some_and(|change| change.verbs.has(Verb::Freeze));
    let kinds = match entries.iter().flatten().any(freezes) {
        true => kinds,
        false => kinds.without(Kinds::ICE),
    };
    let covered = change.verbs.each().iter().fold(Kinds::NONE, |all, (verb, state)| {
        // A state may have kinds on which its verb does not act: `open` may be impassable.
        all.or(verb.kinds().and(*state))
    });
    let beyond = kinds.without(covered);
    if !beyond.is_none() {
        let verbs: Vec<&str> = change.verbs.each().iter().map(|(verb, _)| verb.name()).collect();
        let message = format!(
            "`{set}` may have {beyond}, and `{}` acts on {covered}; leave them out of the set",
            verbs.join("` or `")
        );
        reading.form.fault(at.span(), message);
    }
    if change.verbs.has(Verb::Ruin) && set.has_no_centre() {
        reading.form.fault(at.span(), format!("`{set}` has no centre, so that nothing could `ruin`"));
    }
    if change.verbs.has(Verb::Found) && set.has_only_centres() {
        reading.form.fault(at.span(), format!("`{set}` has only centres, so that nothing could `found`"));
    }
    if let Verbs::ByState(states) = &change.verbs
        && let Some((state, verb)) = states.iter().find(|(state, _)| state.kinds().and(kinds).is_none())
    {
        let message = format!("`{set}` has no {}, so that nothing could `{}`", state.kinds(), verb.name());
        reading.form.fault(at.span(), message);
    }
}

/// The kinds of faces that an entry leaves behind; `None` if unknown.
fn kinds_after(entry: &Entry) -> Option<Kinds> {
    match &entry.deed {
        Deed::Faces(change) => {
            let verbs = change.verbs.each();
            Some(verbs.iter().fold(Kinds::NONE, |all, (verb, _)| all.or(verb.result())))
        }
        Deed::Mark(_) => Some(Verb::Mark.result()),
        Deed::Quake(_) => Some(Kinds::NONE),
    }
}

/// Plays the schedules of a file on the board without anything else, and refuses what can never happen.
fn play_schedules(reading: &Reading<'_>, entries: &[Option<Entry>], files: &[Placed<EntryFile>]) {
    let first = reading.first_phase;
    // The rows of all schedules, each with its date, its entry and its index.
    let mut due: Vec<(Date, Point, usize, usize)> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some((schedule, at)) =
            entry.as_ref().and_then(|entry| Some((scheduled(entry)?, entry.faces()?.at)))
        else {
            continue;
        };
        for (row, (key, _)) in files[index].schedule.iter().flat_map(|rows| rows.iter()).enumerate() {
            let on = match date(key) {
                Some(date) => Some(schedule.shifted(date)),
                None => yearly(key).and_then(|season| first_of(season, first)),
            };
            due.extend(on.map(|date| (date, at, index, row)));
        }
    }
    due.sort_unstable();
    let mut chart = reading.terrain.chart().clone();
    for (date, at, index, row) in due {
        let Some(change) = entries[index].as_ref().and_then(Entry::faces) else { continue };
        let Some((key, names)) = files[index].schedule.as_ref().and_then(|rows| rows.get(row)) else {
            continue;
        };
        let early = first.is_some_and(|first| date < first.into());
        if early || reading.last_winter.is_some_and(|last| date.year > last) {
            let when = if early { "before games begin" } else { "after games end" };
            reading.form.fault(key.span(), format!("{date} is {when}: the places never change"));
            continue;
        }
        if at == Point::BeforeRetreats && date.season == Season::Winter {
            let message = "a Winter has no retreats, so nothing happens before them; write `at = \"end\"`";
            reading.form.fault(key.span(), message);
            continue;
        }
        for name in names {
            let Some(face) = chart.map().find(&name.to_ascii_uppercase()) else { continue };
            match change.verb_on(&chart, face) {
                Some(verb) => {
                    chart.begin_change();
                    // It fits, so that it cannot fail.
                    let _ = act::apply(change, verb, &mut chart, face);
                }
                None if may_fit_later(entries, index, change) => {}
                None if change.verbs.has(Verb::Dig) && kind_of(&chart, face) == Kinds::LAND => {
                    let why = change.ends.why_not(chart.map(), face);
                    reading.form.fault(
                        name.span(),
                        format!("no canal can be dug through {} ({date}): {why}", **name),
                    );
                }
                None => {
                    let is = described(&chart, face);
                    reading.form.fault(name.span(), format!("{} is {is} ({date}): it never changes", **name));
                }
            }
        }
    }
}

/// The schedule of an entry.
pub(super) const fn scheduled(entry: &Entry) -> Option<&Schedule> {
    match &entry.deed {
        Deed::Faces(change) => match &change.which {
            Which::Scheduled(schedule) => Some(schedule),
            Which::Drawn(..) | Which::All(_) | Which::Ranked(..) | Which::Voted(..) => None,
        },
        Deed::Mark(_) | Deed::Quake(_) => None,
    }
}

/// The first season of this kind in a game.
fn first_of(season: Season, first: Option<Phase>) -> Option<Date> {
    let first = first?;
    Some(Date { year: first.year + u16::from(season < first.season), season })
}

/// May another entry change places so that the verbs of this one fit, at a time that is not a date? What is founded must
/// be land by its date, because a request does not say which centres were founded.
fn may_fit_later(entries: &[Option<Entry>], index: usize, change: &FaceChange) -> bool {
    let needed = change.verbs.each().iter().fold(Kinds::NONE, |all, (verb, _)| all.or(verb.kinds()));
    let fills = change.verbs.has(Verb::Restore);
    let fits = |entry: &Entry| {
        let digs = entry.faces().is_some_and(|change| change.verbs.has(Verb::Dig));
        fills && digs || kinds_after(entry).is_none_or(|kinds| !kinds.and(needed).is_none())
    };
    let has_no_date = |entry: &Entry| match scheduled(entry) {
        Some(schedule) => !schedule.yearly.is_empty(),
        None => entry.faces().is_some(),
    };
    let mut others = entries.iter().enumerate().filter(|(other, _)| *other != index);
    // The fault of an entry that could not be read has been reported.
    entries.iter().any(Option::is_none)
        || !change.verbs.has(Verb::Found)
            && others.any(|(_, entry)| entry.as_ref().is_some_and(|entry| has_no_date(entry) && fits(entry)))
}

/// A face in words: `a sea already`.
fn described(chart: &NamedMap, face: ProvinceId) -> &'static str {
    match kind_of(chart, face) {
        Kinds::HOLE => "a hole already",
        _ if chart.info(face).is_some_and(|info| info.supply_centre) => "a centre already",
        Kinds::SEA => "a sea already",
        Kinds::LAND => "land already",
        _ => "impassable",
    }
}
