//! An entry of a variant's `[[changes]]`, as it is checked: on which places it acts, who decides, and what changes.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{FaceKind, NamedMap};

use super::canals::CanalSeas;
use super::foretold::Foretold;
use super::set::{Borders, EntryId, Kinds, Set};
use super::verb::{Verbs, kind_of};
use super::when::{Date, Period, Schedule, Span};
use super::words::{
    Again, By, CentreFate, Entering, Fate, HomeRule, Lasts, OwnerRule, Point, Stranded, Ties, Told, Unnamed,
    Verb, Votes, Wins,
};

use crate::rules::position::Season;

/// The most entries of a file.
pub(super) const MOST_ENTRIES: usize = 40;

/// The places of a set that nature draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// This many.
    Number(u8),
    /// This many for each place that an earlier entry has changed at this point.
    Per(u8, EntryId),
    /// Each with this chance.
    Chance(Odds),
}

/// A chance as a fraction below 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// The numerator.
    pub wins: u8,
    /// The denominator; more than `wins`.
    pub of: u8,
}

impl Odds {
    /// Does a number that is drawn among all of 64 bits win?
    pub fn win(self, drawn: u64) -> bool {
        // The product is below 2^72.
        (u128::from(drawn) * u128::from(self.of)) >> 64 < u128::from(self.wins)
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.wins, self.of)
    }
}

/// How the powers vote, and what the votes decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vote {
    /// The first word of an answer, in capitals: `VOTE`.
    pub order: Arc<str>,
    /// The number of votes of a power.
    pub votes: Votes,
    /// The votes that a place needs.
    pub wins: Wins,
    /// What happens if several places have the most votes.
    pub ties: Ties,
}

/// The places on which an entry acts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// Nature draws some of the set.
    Drawn(Set, Count),
    /// All of the set.
    All(Set),
    /// Those of the set that come first by a measure.
    Ranked(Set, Box<Ranking>),
    /// The powers vote for one of the set.
    Voted(Set, Vote),
    /// Those of a list.
    Scheduled(Schedule),
}

impl Which {
    /// The set from which the places come, if that is not a schedule.
    pub const fn set(&self) -> Option<&Set> {
        match self {
            Which::Drawn(set, _) | Which::All(set) | Which::Ranked(set, _) | Which::Voted(set, _) => {
                Some(set)
            }
            Which::Scheduled(_) => None,
        }
    }
}

/// How a measure chooses places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Which end comes first.
    pub first: Extreme,
    /// What is compared.
    pub measure: Measure,
    /// The number of places.
    pub count: u8,
    /// What becomes of those that tie at the last of them.
    pub ties: Ties,
}

/// An end of a ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// The places with the most.
    Most,
    /// The places with the least.
    Least,
}

impl Extreme {
    /// The value of `by` that means it.
    pub(super) const fn by(self) -> By {
        match self {
            Extreme::Most => By::Most,
            Extreme::Least => By::Least,
        }
    }
}

/// What places are compared by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Measure {
    /// How many faces of this set the place is or is beside.
    Near(Set),
    /// How many centres the power has that owns the centre in the place. Places without an owner are not compared.
    OwnerCentres,
}

/// The name of [`Measure::OwnerCentres`].
pub(super) const OWNER_CENTRES: &str = "owner-centres";

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Near(set) => set.fmt(f),
            Measure::OwnerCentres => f.write_str(OWNER_CENTRES),
        }
    }
}

/// An entry that changes faces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaceChange {
    /// What happens to a place.
    pub verbs: Verbs,
    /// Which places.
    pub which: Which,
    /// When; for a schedule, the seasons of its dates count.
    pub period: Period,
    /// At which point of a season.
    pub at: Point,
    /// Whether the places are known before the retreats.
    pub foretold: Foretold,
    /// The fate of the units in it.
    pub units: Fate,
    /// The fate of the units that were ordered into it.
    pub entering: Entering,
    /// The fate of fleets without a coast.
    pub stranded: Stranded,
    /// The owner of a centre: the first rule that gives one.
    pub owner: Vec<OwnerRule>,
    /// The power whose home a founded centre is.
    pub home: HomeRule,
    /// What becomes of the centre of a place that turns into a hole or ice.
    pub centre: CentreFate,
    /// The seas between which it digs canals.
    pub ends: CanalSeas,
    /// How long the change lasts.
    pub lasts: Span,
    /// The fate of the units that may not stay when it ends.
    pub back_units: Fate,
    /// The owner of a centre that comes back when it ends.
    pub back_owner: Vec<OwnerRule>,
}

impl FaceChange {
    /// Does it act in this season? What is over at a date is not made from that date on.
    pub fn acts(&self, at: Date) -> bool {
        if let Span::Until(end) = self.lasts
            && (at > end || at == end && self.at != Point::BeforeRetreats)
        {
            return false;
        }
        match &self.which {
            Which::Scheduled(schedule) => schedule.has(at),
            _ => self.period.includes(at),
        }
    }

    /// May it act in a season of this kind?
    pub(super) fn has_season(&self, season: Season) -> bool {
        match &self.which {
            Which::Scheduled(schedule) => schedule.has_season(season),
            _ => self.period.seasons.includes(season),
        }
    }

    /// Do units that wait for retreats appear when its changes end?
    pub(super) const fn ends_early(&self) -> bool {
        matches!(self.back_units, Fate::Retreat | Fate::Choose)
    }

    /// May its changes end at this point of this season?
    pub(super) fn may_end_at(&self, point: Point, season: Season) -> bool {
        let early = if self.ends_early() { Point::BeforeRetreats } else { Point::End };
        match self.lasts {
            Span::Ever => false,
            Span::Until(date) => point == Point::End && season == date.season,
            Span::Seasons(_) => point == early && season != Season::Winter,
            Span::Years(_) => point == self.at.of_ends() && self.has_season(season),
        }
    }

    /// The set from which its places come, if that is not a schedule.
    pub const fn set(&self) -> Option<&Set> {
        self.which.set()
    }

    /// How a measure chooses its places, if one does.
    pub const fn ranking(&self) -> Option<&Ranking> {
        match &self.which {
            Which::Ranked(_, ranking) => Some(ranking),
            _ => None,
        }
    }

    /// The set of a measure that chooses its places.
    pub(super) const fn measured(&self) -> Option<&Set> {
        match self.ranking() {
            Some(Ranking { measure: Measure::Near(set), .. }) => Some(set),
            _ => None,
        }
    }

    /// The sets on which its places depend.
    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.set().into_iter().chain(self.measured())
    }

    /// May nature draw places for it?
    pub fn is_drawn(&self) -> bool {
        match &self.which {
            Which::Drawn(..) => true,
            Which::Ranked(_, ranking) => ranking.ties == Ties::Nature,
            Which::Voted(_, vote) => vote.ties == Ties::Nature,
            Which::All(_) | Which::Scheduled(_) => false,
        }
    }

    /// Are its places announced before they change?
    pub(super) const fn is_announced(&self) -> bool {
        !matches!(self.foretold, Foretold::No) || matches!(self.which, Which::Voted(..))
    }

    /// The number of places that nature draws, if it draws.
    pub const fn count(&self) -> Option<&Count> {
        match &self.which {
            Which::Drawn(_, count) => Some(count),
            _ => None,
        }
    }

    /// The verb that can act on a face now.
    pub fn verb_on(&self, chart: &NamedMap, face: ProvinceId) -> Option<Verb> {
        let is_centre = chart.info(face).is_some_and(|info| info.supply_centre);
        // A hole that would be land may become a centre, which sleeps until the face comes back.
        let kind = kind_of(chart, face);
        let fits = |(verb, kinds): &(Verb, Kinds)| match verb {
            Verb::Found => !is_centre && chart.map().of_kind(FaceKind::Land).contains(face),
            Verb::Ruin => is_centre,
            Verb::Dig => self.ends.of(chart.map(), face).is_some(),
            Verb::Restore if kind == Kinds::LAND && chart.map().dug().contains(face) => {
                !kinds.and(Kinds::LAND).is_none()
            }
            verb => !kind.and(verb.kinds()).and(*kinds).is_none(),
        };
        self.verbs.each().into_iter().find(fits).map(|(verb, _)| verb)
    }

    /// The rules for owners, of what it changes and of what ends.
    pub(super) fn owner_rules(&self) -> impl Iterator<Item = OwnerRule> {
        self.owner.iter().chain(&self.back_owner).copied()
    }

    /// Does a rule for owners depend on who had the centre when it vanished?
    pub(crate) fn needs_last_owner(&self) -> bool {
        self.owner_rules().any(|rule| matches!(rule, OwnerRule::LastOwner | OwnerRule::HomeLastOwner))
    }

    /// Does it depend on the countries of the powers?
    pub(super) fn needs_countries(&self) -> bool {
        self.owner_rules().any(|rule| rule == OwnerRule::Country) || self.home == HomeRule::Country
    }

    /// Do units vanish with places and come back with them?
    pub(crate) fn swallows(&self) -> bool {
        matches!(self.units, Fate::Swallow | Fate::Choose) || self.entering == Entering::Swallow
    }
}

/// A mark by choice: each power has one of its home centres spared (rules.md 4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The mark of a power that names none.
    pub unnamed: Unnamed,
    /// Whether it can be changed.
    pub again: Again,
    /// How long it lasts.
    pub lasts: Lasts,
    /// Who knows it.
    pub told: Told,
}

/// Borders move by orders, in a phase of its own (rules.md 8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quakes {
    /// The borders that an order may remove or, by a release, make; `None`: all.
    pub of: Option<Borders>,
    /// The seasons with such a phase.
    pub period: Period,
    /// The fate of fleets without a coast.
    pub stranded: Stranded,
}

/// What an entry changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Faces.
    Faces(Box<FaceChange>),
    /// The marks of the powers.
    Mark(Mark),
    /// Borders.
    Quake(Quakes),
}

/// The keys that every change of faces may have.
const OF_FACES: &[&str] = &[
    "by",
    "at",
    "lasts",
    "units",
    "entering",
    "stranded",
    "owner",
    "home",
    "centre",
    "ends",
    "back_units",
    "back_owner",
];
/// The keys of a period.
pub(super) const OF_PERIOD: &[&str] = &["seasons", "from", "until", "every"];
/// The keys of a mark.
pub(super) const OF_MARK: &[&[&str]] = &[&["by", "unnamed", "again", "lasts", "told", "dice"]];
/// The keys of a quake.
pub(super) const OF_QUAKE: &[&[&str]] = &[&["of", "by"], OF_PERIOD, &["stranded"]];
/// The keys of faces that nature draws.
pub(super) const OF_DRAWN: &[&[&str]] =
    &[&["of", "count", "per", "chance"], OF_FACES, OF_PERIOD, &["foretold", "dice"]];
/// The keys of faces that a measure chooses.
pub(super) const OF_RANKED: &[&[&str]] =
    &[&["of", "count", "measure", "ties"], OF_FACES, OF_PERIOD, &["foretold", "dice"]];
/// The keys of all faces of a set.
pub(super) const OF_ALL: &[&[&str]] = &[&["of"], OF_FACES, OF_PERIOD];
/// The keys of a vote.
pub(super) const OF_VOTE: &[&[&str]] =
    &[&["of", "order", "votes", "wins", "ties"], OF_FACES, OF_PERIOD, &["dice"]];
/// The keys of a schedule.
pub(super) const OF_SCHEDULE: &[&[&str]] = &[&["schedule", "shift"], OF_FACES];

impl Deed {
    /// The keys that an entry with it may have, besides `id` and `change`.
    const fn keys(&self) -> &'static [&'static [&'static str]] {
        match self {
            Deed::Mark(_) => OF_MARK,
            Deed::Quake(_) => OF_QUAKE,
            Deed::Faces(change) => match change.which {
                Which::Drawn(..) => OF_DRAWN,
                Which::All(_) => OF_ALL,
                Which::Ranked(..) => OF_RANKED,
                Which::Voted(..) => OF_VOTE,
                Which::Scheduled(_) => OF_SCHEDULE,
            },
        }
    }
}

/// An entry of `[[changes]]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in sets, settings and sources.
    pub id: String,
    /// The name of its stream of dice.
    pub dice: String,
    /// What it does.
    pub deed: Deed,
}

impl Entry {
    /// What it does, if that is a change of faces.
    pub const fn faces(&self) -> Option<&FaceChange> {
        match &self.deed {
            Deed::Faces(change) => Some(change),
            Deed::Mark(_) | Deed::Quake(_) => None,
        }
    }

    /// The sets that it has.
    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        let borders = match &self.deed {
            Deed::Quake(Quakes { of: Some(Borders(sides)), .. }) => &sides[..],
            Deed::Quake(_) | Deed::Faces(_) | Deed::Mark(_) => &[],
        };
        self.faces().into_iter().flat_map(FaceChange::sets).chain(borders)
    }

    /// Does it depend on the countries of the powers?
    pub(super) fn needs_countries(&self) -> bool {
        self.faces().is_some_and(FaceChange::needs_countries) || self.sets().any(Set::has_countries)
    }

    /// Does nature draw faces for it, and act on them by this verb?
    pub fn draws(&self, verb: Verb) -> bool {
        self.faces().is_some_and(|change| change.is_drawn() && change.verbs.has(verb))
    }

    /// Does a measure choose its places?
    pub(crate) fn is_ranked(&self) -> bool {
        self.faces().is_some_and(|change| change.ranking().is_some())
    }

    /// Does the log have an event of its own for each place that nature draws for it? It has if the events of the changes
    /// do not say for which entry a place was drawn.
    pub fn logs_places(&self) -> bool {
        self.faces().is_some_and(|change| match change.count() {
            _ if matches!(change.which, Which::Voted(..)) => true,
            Some(_) if change.is_far_ahead() => true,
            Some(Count::Chance(_)) => true,
            Some(_) => change.verbs.any(|verb| verb.drawn_as().is_empty()),
            None => self.is_ranked(),
        })
    }

    /// Do powers vote for its place?
    pub(super) fn has_votes(&self) -> bool {
        self.faces().is_some_and(|change| matches!(change.which, Which::Voted(..)))
    }

    /// Do its changes end?
    pub(crate) fn ends(&self) -> bool {
        self.faces().is_some_and(|change| change.lasts != Span::Ever)
    }

    /// May it have this key, or a part of one?
    pub(crate) fn may_have(&self, key: &str) -> bool {
        let key = key.split('.').next().unwrap_or(key);
        ["", "id", "change"].contains(&key) || self.deed.keys().iter().any(|keys| keys.contains(&key))
    }

    /// Its keys with their values, defaults included, in the order of a file. Keys that it does not have because of what
    /// it does are left out.
    pub fn values(&self) -> Vec<(&'static str, Value)> {
        let mut values = vec![("id", json!(self.id))];
        match &self.deed {
            Deed::Faces(change) => {
                values.push(("change", json!(change.verbs)));
                change.values(&mut values);
                if change.is_drawn() {
                    values.push(("dice", json!(self.dice)));
                }
            }
            Deed::Mark(Mark { unnamed, again, lasts, told }) => values.extend([
                ("change", json!(Verb::Mark)),
                ("by", json!(By::Choice)),
                ("unnamed", json!(unnamed)),
                ("again", json!(again)),
                ("lasts", json!(lasts)),
                ("told", json!(told)),
                ("dice", json!(self.dice)),
            ]),
            Deed::Quake(Quakes { of, period, stranded }) => {
                values.push(("change", json!(Verb::Quake)));
                values.extend(of.iter().map(|of| ("of", json!(of))));
                values.push(("by", json!(By::Orders)));
                period.values(&mut values);
                values.push(("stranded", json!(stranded)));
            }
        }
        values
    }
}

impl Period {
    fn values(&self, values: &mut Vec<(&'static str, Value)>) {
        values.push(("seasons", json!(self.seasons)));
        values.extend(self.from.map(|from| ("from", json!(from))));
        values.extend(self.until.map(|until| ("until", json!(until))));
        values.push(("every", json!(self.every)));
    }
}

impl FaceChange {
    fn values(&self, values: &mut Vec<(&'static str, Value)>) {
        match &self.which {
            Which::Drawn(of, count) => {
                values.extend([("of", json!(of)), ("by", json!(By::Nature))]);
                match count {
                    Count::Number(number) => values.push(("count", json!(number))),
                    Count::Per(number, entry) => {
                        values.extend([("count", json!(number)), ("per", json!(entry.name))]);
                    }
                    Count::Chance(odds) => values.push(("chance", json!(odds.to_string()))),
                }
            }
            Which::All(of) => values.extend([("of", json!(of)), ("by", json!(By::All))]),
            Which::Voted(of, Vote { order, votes, wins, ties }) => values.extend([
                ("of", json!(of)),
                ("by", json!(By::Vote)),
                ("order", json!(**order)),
                ("votes", json!(votes)),
                ("wins", json!(wins)),
                ("ties", json!(ties)),
            ]),
            Which::Ranked(of, ranking) => values.extend([
                ("of", json!(of)),
                ("by", json!(ranking.first.by())),
                ("count", json!(ranking.count)),
                ("measure", json!(ranking.measure.to_string())),
                ("ties", json!(ranking.ties)),
            ]),
            Which::Scheduled(schedule) => {
                values.extend([("schedule", json!(schedule)), ("shift", json!(schedule.shift))]);
            }
        }
        values.push(("at", json!(self.at)));
        if !matches!(self.which, Which::Scheduled(_)) && self.at != Point::Start {
            self.period.values(values);
        }
        let has = |is: fn(Verb) -> bool| self.verbs.any(is);
        let may_be_foretold = matches!(self.which, Which::Drawn(..) | Which::Ranked(..));
        if may_be_foretold && (self.is_announced() || !has(|verb| !verb.makes_hole())) {
            values.push(("foretold", json!(self.foretold)));
        }
        let usual = if self.verbs.has(Verb::Mark) { Fate::Stay } else { Fate::Destroy };
        if has(Verb::makes_hole) || self.units != usual {
            values.push(("units", json!(self.units)));
        }
        if has(Verb::makes_hole) {
            values.push(("entering", json!(self.entering)));
        }
        values.push(("stranded", json!(self.stranded)));
        if has(Verb::gives_owner) {
            values.push(("owner", json!(self.owner)));
        }
        if self.home != HomeRule::None {
            values.push(("home", json!(self.home)));
        }
        if has(|verb| verb == Verb::Dig) {
            values.push(("ends", json!(self.ends)));
        }
        if self.centre != CentreFate::Asleep {
            values.push(("centre", json!(self.centre)));
        }
        if self.lasts != Span::Ever {
            values.extend([
                ("lasts", json!(self.lasts)),
                ("back_units", json!(self.back_units)),
                ("back_owner", json!(self.back_owner)),
            ]);
        }
    }
}
