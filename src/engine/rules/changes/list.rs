//! The list of a variant's entries, and what a game asks of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use upheaval_map::ids::{Power, ProvinceSet};
use upheaval_map::topology::PlanarMap;

use super::entry::{Count, Deed, Entry, FaceChange, Mark, Quakes, Which};
use super::foretold::Foretold;
use super::set::{Groups, Places, Set};
use super::when::{Date, Span};
use super::words::{Again, CentreFate, Fate, HomeRule, OwnerRule, Point, Stranded, Verb};
use crate::rules::map_tables::MapTables;
use crate::rules::position::{Phase, PhaseKind, Season};

/// The changes of the map in a variant: its entries, in the order in which they act at the same point of a season.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    entries: Vec<Entry>,
    /// The sets with names.
    pub(super) groups: Groups,
    /// The provinces of each power's country.
    pub countries: BTreeMap<String, Places>,
    /// The entries that may act at each point in each season, as bits.
    acting: [[u64; 3]; Point::ALL.len()],
    /// The entries whose places some set names, as bits.
    held: u64,
    /// The entries for which some set names what they changed last, as bits.
    remembered: u64,
    /// The entries for which the powers vote, as bits.
    pub(super) voting: u64,
    /// The entries of which it is known ahead where they make holes, and where land sinks, as bits; without holes that are
    /// foretold before the retreats.
    pub(super) closing: u64,
    pub(super) sinking: u64,
    /// The points of each season at which changes may end.
    ending: [[bool; 3]; Point::ALL.len()],
    /// Do some changes have an end?
    have_ends: bool,
    /// May holes open before the retreats?
    opens_early: bool,
    /// The number of past seasons on whose units some set depends.
    seasons: usize,
    /// The first entry whose places are announced before the retreats.
    foretold: Option<usize>,
    /// The entry of the mark.
    pub(super) mark: Option<usize>,
    quakes: Option<usize>,
}

impl Changes {
    /// The list of these entries. At most one is a mark by choice, and one a quake.
    pub(super) fn new(entries: Vec<Entry>, groups: Groups, countries: BTreeMap<String, Places>) -> Changes {
        let mut acting = [[0; 3]; Point::ALL.len()];
        for (i, change) in entries.iter().enumerate().filter_map(|(i, entry)| Some((i, entry.faces()?))) {
            for season in Season::ALL {
                let may = change.has_season(season);
                acting[change.at as usize][season as usize] |= u64::from(may) << i;
                match change.foretold {
                    Foretold::BeforeRetreats => {
                        acting[Point::BeforeRetreats as usize][season as usize] |= u64::from(may) << i;
                    }
                    // Announced at the end of another Spring or Fall.
                    Foretold::Seasons(_) => {
                        acting[change.at as usize][season as usize] |=
                            u64::from(season != Season::Winter) << i;
                    }
                    Foretold::No | Foretold::Years(_) => {}
                }
            }
        }
        let sets = || entries.iter().flat_map(Entry::sets);
        let bits = |is: fn(&Set, usize) -> bool| {
            let named = |i: &usize| sets().any(|set| is(set, *i));
            (0..entries.len()).filter(named).fold(0, |bits, i| bits | 1 << i)
        };
        let of_faces = |is: &dyn Fn(&FaceChange) -> bool| {
            let are = entries.iter().map(|entry| u64::from(entry.faces().is_some_and(is)));
            are.enumerate().fold(0, |bits, (i, is)| bits | is << i)
        };
        let votes = |change: &FaceChange| matches!(change.which, Which::Voted(..));
        let known = |change: &FaceChange, is: fn(Verb) -> bool| {
            let is_ahead =
                votes(change) || change.is_far_ahead() || matches!(change.which, Which::Scheduled(_));
            is_ahead && change.verbs.any(is)
        };
        let mut ending = [[false; 3]; Point::ALL.len()];
        for change in entries.iter().filter_map(Entry::faces).filter(|change| change.lasts != Span::Ever) {
            for season in Season::ALL {
                for point in [Point::BeforeRetreats, Point::End] {
                    ending[point as usize][season as usize] |= change.may_end_at(point, season);
                }
            }
        }
        let find = |is: fn(&Entry) -> bool| entries.iter().position(is);
        let early =
            |change: &FaceChange| change.at == Point::BeforeRetreats && change.verbs.any(Verb::makes_hole);
        Changes {
            have_ends: ending.iter().flatten().any(|ends| *ends),
            opens_early: entries.iter().filter_map(Entry::faces).any(early),
            acting,
            held: bits(Set::holds),
            remembered: bits(Set::remembers),
            voting: of_faces(&votes),
            closing: of_faces(&|change| known(change, Verb::makes_hole)),
            sinking: of_faces(&|change| known(change, |verb| verb == Verb::Submerge)),
            ending,
            seasons: sets().map(Set::seasons).max().unwrap_or(0),
            foretold: find(|entry| {
                entry.faces().is_some_and(|change| change.foretold == Foretold::BeforeRetreats)
            }),
            mark: find(|entry| matches!(entry.deed, Deed::Mark(_))),
            quakes: find(|entry| matches!(entry.deed, Deed::Quake(_))),
            entries,
            groups,
            countries,
        }
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The sets of all entries.
    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.entries.iter().flat_map(Entry::sets)
    }

    /// The entry with this id.
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The provinces of a power's country.
    pub(super) fn country(&self, terrain: &MapTables, power: Power) -> ProvinceSet {
        let places = self.countries.get(terrain.power_names().name(power));
        places.map_or(ProvinceSet::EMPTY, |places| places.on(terrain.chart().map()))
    }

    /// Does the set of a change leave out the marked centres?
    pub fn spares_marked(&self, change: &FaceChange) -> bool {
        change.set().zip(self.mark).is_some_and(|(set, mark)| set.spares(mark))
    }

    /// The changes of faces, with the entries.
    pub fn faces(&self) -> impl Iterator<Item = (&Entry, &FaceChange)> {
        self.entries.iter().filter_map(|entry| Some((entry, entry.faces()?)))
    }

    /// The mark by choice.
    pub fn mark(&self) -> Option<&Mark> {
        self.marking().map(|(_, mark)| mark)
    }

    /// The mark by choice, with its entry.
    pub(super) fn marking(&self) -> Option<(&Entry, &Mark)> {
        let entry = &self.entries[self.mark?];
        match &entry.deed {
            Deed::Mark(mark) => Some((entry, mark)),
            Deed::Faces(_) | Deed::Quake(_) => None,
        }
    }

    /// The quakes.
    pub fn quakes(&self) -> Option<&Quakes> {
        match &self.entries[self.quakes?].deed {
            Deed::Quake(quakes) => Some(quakes),
            Deed::Faces(_) | Deed::Mark(_) => None,
        }
    }

    /// The index of the first entry whose places are announced before the retreats.
    pub(crate) fn first_foretold(&self) -> Option<usize> {
        self.foretold
    }

    /// Does it announce its changes, and are they listed by its id in the state of a game? Those of the first entry that
    /// announces them before the retreats are a list of their own.
    pub(crate) fn lists_coming(&self, entry: usize) -> bool {
        self.foretold != Some(entry) && self.entries[entry].faces().is_some_and(FaceChange::is_announced)
    }

    /// The first entry whose places are announced before the retreats.
    pub fn foretold(&self) -> Option<(&Entry, &FaceChange)> {
        let entry = &self.entries[self.foretold?];
        Some((entry, entry.faces()?))
    }

    /// The entries that act at this point of this season, as bits.
    pub(super) fn acting(&self, point: Point, season: Season) -> u64 {
        self.acting[point as usize][season as usize]
    }

    /// May a marked centre become a hole or sink? The sets of the entries decide whether they spare it.
    pub(crate) fn may_end_marked(&self) -> bool {
        let ends = |verb: Verb| verb.makes_hole() || verb == Verb::Submerge;
        self.faces().any(|(_, change)| change.verbs.any(ends) && !self.spares_marked(change))
    }

    /// Does the map change before the first phase?
    pub(crate) fn act_at_start(&self) -> bool {
        self.acting(Point::Start, Season::Winter) != 0
    }

    /// Does a set name the places that this entry has changed and that are still so?
    pub(crate) fn is_held(&self, entry: usize) -> bool {
        self.held & 1 << entry != 0 && self.mark != Some(entry)
    }

    /// Does a set name what this entry changed when it last acted?
    pub(crate) fn is_remembered(&self, entry: usize) -> bool {
        self.remembered & 1 << entry != 0
    }

    /// May changes end at this point of this season?
    pub(super) fn may_end(&self, point: Point, season: Season) -> bool {
        self.ending[point as usize][season as usize]
    }

    /// Do some changes have an end?
    pub(crate) fn have_ends(&self) -> bool {
        self.have_ends
    }

    /// The number of past seasons on whose units some set depends.
    pub(crate) fn seasons(&self) -> usize {
        self.seasons
    }

    /// Does the map change between a movement and its retreats?
    pub(crate) fn act_before_retreats(&self) -> bool {
        let ends = self.ending[Point::BeforeRetreats as usize].iter().any(|ends| *ends);
        ends || self.faces().any(|(_, change)| change.at == Point::BeforeRetreats)
    }

    /// Does the position of a game without its changes of centres follow from the dates of the schedules (rules.md 6.4)?
    pub(crate) fn centres_follow_from_dates(&self) -> bool {
        self.faces().all(|(_, change)| {
            let has = |verb| change.verbs.has(verb);
            let is_dated = matches!(change.which, Which::Scheduled(_))
                && change.lasts == Span::Ever
                && change.home == HomeRule::None;
            !has(Verb::Ruin) && change.centre == CentreFate::Asleep && (is_dated || !has(Verb::Found))
        })
    }

    /// The first point of a season at which holes may open.
    pub(super) fn first_holes(&self) -> Point {
        if self.opens_early { Point::BeforeRetreats } else { Point::End }
    }

    /// Is there a phase for seismic orders at the end of this season?
    pub(crate) fn has_seismic_phase(&self, at: Phase) -> bool {
        self.quakes().is_some_and(|quakes| quakes.period.includes(at.into()))
    }

    /// Does the game depend on the owner that a centre had when it vanished?
    pub(crate) fn needs_last_owners(&self) -> bool {
        self.mark().is_some_and(|mark| mark.again != Again::Never) || self.give_back_to_last_owners()
    }

    /// Do centres that come back go to the owners that they had when they vanished?
    pub(crate) fn give_back_to_last_owners(&self) -> bool {
        self.faces().any(|(_, change)| change.needs_last_owner())
    }

    /// Does the game depend on the last power to have had a unit in a province?
    pub(crate) fn needs_last_occupants(&self) -> bool {
        self.faces().any(|(_, change)| change.owner_rules().any(|rule| rule == OwnerRule::LastOccupant))
    }

    /// Do units vanish with places and come back with them?
    pub(crate) fn swallow(&self) -> bool {
        self.faces().any(|(_, change)| change.swallows())
    }

    /// Can fleets stay where they have no coast?
    pub(crate) fn trap(&self) -> bool {
        let traps = |stranded| matches!(stranded, Stranded::Trap | Stranded::TrapOrDisband);
        let keeps = |fate| matches!(fate, Fate::Trap | Fate::TrapOrDisband);
        self.faces().any(|(_, change)| traps(change.stranded) || keeps(change.units))
            || self.quakes().is_some_and(|quakes| traps(quakes.stranded))
    }

    /// The centres that schedules have founded before a phase of a game that began with `first`.
    pub(crate) fn founded_before(&self, first: Phase, phase: Phase, map: &PlanarMap) -> ProvinceSet {
        if !self.centres_follow_from_dates() {
            return ProvinceSet::EMPTY;
        }
        // A seismic phase comes after the other changes of its season.
        let is_past = |date: Date| match phase.kind {
            PhaseKind::Seismic => date <= phase.into(),
            _ => date < phase.into(),
        };
        let mut founded = ProvinceSet::EMPTY;
        for (_, change) in self.faces().filter(|(_, change)| change.verbs.has(Verb::Found)) {
            let Which::Scheduled(schedule) = &change.which else { continue };
            for (date, places) in &schedule.dates {
                if is_past(schedule.shifted(*date)) {
                    founded |= places.on(map);
                }
            }
            for (season, places) in &schedule.yearly {
                if (first.year..=phase.year).any(|year| is_past(Date { year, season: *season })) {
                    founded |= places.on(map);
                }
            }
        }
        founded
    }

    /// Everything that decides play, as JSON: the entries with their defaults, without the ids that nothing uses.
    pub fn content(&self) -> Value {
        let mut named = vec![false; self.entries.len()];
        for entry in &self.entries {
            let per = match entry.faces().and_then(FaceChange::count) {
                Some(Count::Per(_, entry)) => Some(entry),
                _ => None,
            };
            entry.sets().flat_map(Set::named).chain(per).for_each(|entry| named[entry.index] = true);
        }
        let entry = |(entry, named): (&Entry, bool)| {
            let values = entry.values().into_iter().filter(|(key, _)| named || *key != "id");
            values.map(|(key, value)| (key.to_owned(), value)).collect::<Value>()
        };
        let mut content: Vec<Value> = self.entries.iter().zip(named).map(entry).collect();
        if self.entries.iter().any(Entry::needs_countries) {
            content.push(json!({ "countries": self.countries }));
        }
        let groups: BTreeMap<&str, &Set> =
            self.sets().flat_map(Set::groups).map(|group| (group.name.as_str(), &group.set)).collect();
        if !groups.is_empty() {
            content.push(json!({ "groups": groups }));
        }
        content.into()
    }
}
