//! Follows a game by the definitions of docs/changes.md, face by face: which entry acts next and on which places, what a
//! change makes of them, and what is so again when it ends. [`Watch`] compares a game with it: as a nature, which is asked
//! for draws, and as a log, which sees the map before and after each change.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use upheaval::ids::{Power, ProvinceId, ProvinceSet};
use upheaval::rules::changes::{
    Borders, CentreFate, Changes, Count, Date, Entry, Extreme, FaceChange, Fate, Foretold, HomeRule, Moment,
    Point, Set, Span, Ties, Verb, Which,
};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature, Seeded};
use upheaval::rules::position::{Phase, PhaseKind, Position, Season};
use upheaval::topology::{FaceKind, HalfEdgeId, NamedMap, Quake};

use super::reference::{Face, Known, acts, after, faces, is_in, value, verb_on};

/// A property of a place that entries change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Property {
    Hole,
    Ground,
    Centre,
    Canal,
    /// The mark of an entry.
    Mark(usize),
    /// A cut by an entry.
    Half(usize),
}

impl Property {
    /// The property that a verb of an entry changes at a face.
    fn of(verb: Verb, entry: usize, face: &Face) -> Property {
        match verb {
            Verb::Collapse | Verb::Void => Property::Hole,
            Verb::Restore if face.is_hole() => Property::Hole,
            Verb::Restore if face.kind == FaceKind::Land => Property::Canal,
            Verb::Dig => Property::Canal,
            Verb::Restore | Verb::Submerge | Verb::Raise | Verb::Freeze | Verb::Open => Property::Ground,
            Verb::Found | Verb::Ruin => Property::Centre,
            Verb::Mark => Property::Mark(entry),
            Verb::Split | Verb::Quake => Property::Half(entry),
        }
    }

    /// The face with this property as it was.
    fn given_back(self, face: &Face, was: &Face) -> Face {
        let face = face.clone();
        match self {
            Property::Hole => Face { state: was.state, ..face },
            // A centre in land that sinks is lost.
            Property::Ground if face.kind == FaceKind::Land && was.kind != FaceKind::Land => {
                Face { kind: was.kind, has_centre: false, home: None, ..face }
            }
            Property::Ground => Face { kind: was.kind, ..face },
            // What is a centre already stays whose home it is.
            Property::Centre if face.has_centre && was.has_centre => face,
            Property::Centre => Face { has_centre: was.has_centre, home: was.home, ..face },
            Property::Canal => Face { has_canal: false, ..face },
            Property::Mark(_) | Property::Half(_) => face,
        }
    }
}

/// A change with an end.
#[derive(Clone)]
struct Ending {
    entry: usize,
    end: Moment,
    /// The face with the value that lasts.
    lasting: Face,
}

/// A property of a place.
type Key = (ProvinceId, Property);

/// When a change of an entry ends that is made at this point.
fn end(change: &FaceChange, (at, point): Moment) -> Option<Moment> {
    match change.lasts {
        Span::Ever => None,
        Span::Until(date) => Some((date, Point::End)),
        Span::Years(years) => Some((Date { year: at.year + u16::from(years.get()), ..at }, point)),
        Span::Seasons(seasons) => {
            let later = (at.year..)
                .flat_map(|year| [Season::Spring, Season::Fall].map(|season| Date { year, season }));
            let last = later.filter(|date| *date > at).nth(usize::from(seasons.get()) - 1).expect("a season");
            let is_early = change.back_units == Fate::Retreat;
            Some((last, if is_early { Point::BeforeRetreats } else { Point::End }))
        }
    }
}

/// What a game must do, by the reference.
pub(super) struct Reference {
    changes: Changes,
    first_year: u16,
    /// The map after the last call.
    chart: NamedMap,
    /// The entry whose change of a property is still so.
    holders: BTreeMap<Key, usize>,
    /// The changes that end.
    ends: BTreeMap<Key, Ending>,
    /// The faces that entries have changed at the current point, and when they last acted before it.
    new: Vec<(usize, ProvinceId)>,
    last: Vec<(usize, ProvinceId)>,
    marked: BTreeMap<Power, ProvinceId>,
    /// The season, its point, and the next turn at it: of each entry what is over ends, and then each entry acts.
    now: (Date, Point, usize),
    /// What the current entry has drawn and not changed yet, and what is foretold.
    drawn: Option<Vec<ProvinceId>>,
    coming: Vec<(usize, Date, ProvinceId)>,
    /// The dates for which the current entry has drawn places.
    announced: usize,
    /// The faces after the current turn, whose last centres are founded one by one.
    target: Option<Vec<Face>>,
    /// How many draws and changes of each sort were compared.
    pub seen: BTreeMap<&'static str, usize>,
}

impl Known for Reference {
    fn is_held(&self, entry: usize, face: &Face) -> bool {
        if self.changes.entries()[entry].faces().is_none() {
            return self.marked.values().any(|centre| *centre == face.id);
        }
        self.holders.iter().any(|((at, _), by)| *at == face.id && *by == entry)
    }

    fn is_new(&self, entry: usize, face: &Face) -> bool {
        self.new.contains(&(entry, face.id))
    }

    fn is_last(&self, entry: usize, face: &Face) -> bool {
        self.last.contains(&(entry, face.id))
    }

    fn chart(&self) -> &NamedMap {
        &self.chart
    }

    fn position(&self) -> Option<&Position> {
        None
    }

    fn is_idle(&self, _: u8, _: &Face) -> bool {
        unreachable!("no set depends on units")
    }

    fn is_of_country(&self, power: Power, face: &Face) -> bool {
        let country = self.changes.countries.get(self.chart.power_names().name(power));
        country.is_some_and(|places| places.names.iter().any(|name| face.is_of(name)))
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// The changes of this entry that are over end.
    Ends(usize),
    /// This entry acts.
    Acts(usize),
    /// This entry draws places that change later.
    Announces(usize),
}

impl Reference {
    pub(super) fn new(changes: &Changes, chart: &NamedMap, first_year: u16) -> Reference {
        let start = Date { year: 0, season: Season::Spring };
        Reference {
            changes: changes.clone(),
            first_year,
            chart: chart.clone(),
            holders: BTreeMap::new(),
            ends: BTreeMap::new(),
            new: Vec::new(),
            last: Vec::new(),
            marked: BTreeMap::new(),
            now: (start, Point::BeforeRetreats, 0),
            drawn: None,
            coming: Vec::new(),
            announced: 0,
            target: None,
            seen: BTreeMap::new(),
        }
    }

    fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn change(&self, entry: usize) -> &FaceChange {
        self.changes.entries()[entry].faces().expect("it changes faces")
    }

    fn id(&self, entry: usize) -> &str {
        &self.changes.entries()[entry].id
    }

    fn moment(&self) -> Moment {
        (self.now.0, self.now.1)
    }

    /// The faces of an entry on which a verb of it acts, on the map as it is; of a schedule those that are due.
    fn places(&self, entry: usize) -> Vec<Face> {
        let change = self.change(entry);
        let at = self.now.0;
        let is_due = |face: &Face| match &change.which {
            Which::Drawn(set, _) | Which::All(set) | Which::Ranked(set, _) | Which::Voted(set, _) => {
                is_in(set, face, self)
            }
            Which::Scheduled(schedule) => {
                let is_year =
                    |date: &Date| i32::from(date.year) + i32::from(schedule.shift) == i32::from(at.year);
                let dates =
                    schedule.dates.iter().filter(|(date, _)| date.season == at.season && is_year(date));
                let yearly = schedule.yearly.iter().filter(|(season, _)| **season == at.season);
                let mut names = dates.map(|(_, places)| places).chain(yearly.map(|(_, places)| places));
                names.any(|places| places.names.iter().any(|name| face.is_of(name)))
            }
        };
        let all = faces(&self.chart).into_iter();
        all.filter(|face| verb_on(change, face, &self.chart).is_some() && is_due(face)).collect()
    }

    /// Of an entry with a measure: the places that come first, and those of which nature draws some, with their number.
    /// Others choose all places, or nature draws among all.
    fn ranked(&self, entry: usize) -> (Vec<Face>, Vec<Face>, usize) {
        let (places, change) = (self.candidates(entry), self.change(entry));
        let Some(ranking) = change.ranking() else { return (places, Vec::new(), 0) };
        let room = 256 - self.chart.map().faces().count();
        let limit = if change.verbs.has(Verb::Split) { room } else { usize::MAX };
        let count = usize::from(ranking.count).min(limit);
        let value = |face: &Face| value(&ranking.measure, face, self);
        let values: Vec<(Face, usize)> =
            places.iter().filter_map(|face| Some((face.clone(), value(face)?))).collect();
        let (mut chosen, mut tied, mut left) = (Vec::new(), Vec::new(), 0);
        for (face, value) in &values {
            let is_before = |other: &usize| match ranking.first {
                Extreme::Most => other > value,
                Extreme::Least => other < value,
            };
            let before = values.iter().filter(|(_, other)| is_before(other)).count();
            let equal = values.iter().filter(|(_, other)| other == value).count();
            if before + equal <= count || before < count && ranking.ties == Ties::All {
                chosen.push(face.clone());
            } else if before < count && ranking.ties == Ties::Nature {
                tied.push(face.clone());
                left = count - before;
            }
        }
        (chosen, tied, left)
    }

    /// The places among which nature draws for an entry.
    fn offered(&self, entry: usize) -> Vec<Face> {
        match self.change(entry).ranking() {
            Some(_) => self.ranked(entry).1,
            None => self.candidates(entry),
        }
    }

    /// The places of an entry that are not announced already.
    fn candidates(&self, entry: usize) -> Vec<Face> {
        let announced = |face: &Face| self.coming.iter().any(|(of, _, at)| (*of, *at) == (entry, face.id));
        self.places(entry).into_iter().filter(|face| !self.is_announced(entry) || !announced(face)).collect()
    }

    /// The number of places that the entry draws; of those that are diced for, all that there could be.
    fn count(&self, entry: usize) -> Option<usize> {
        if self.change(entry).ranking().is_some() {
            return Some(self.ranked(entry).2).filter(|left| *left > 0);
        }
        match self.change(entry).count()? {
            Count::Number(number) => Some(usize::from(*number)),
            Count::Chance(_) => Some(usize::MAX),
            Count::Per(number, per) => {
                Some(usize::from(*number) * self.new.iter().filter(|(by, _)| *by == per.index).count())
            }
        }
    }

    fn turn(&self) -> Option<Turn> {
        let (turn, count) = (self.now.2, self.changes.entries().len());
        match turn {
            turn if turn < count => Some(Turn::Ends(turn)),
            turn if turn < 3 * count => {
                let entry = (turn - count) / 2;
                Some(if (turn - count).is_multiple_of(2) {
                    Turn::Acts(entry)
                } else {
                    Turn::Announces(entry)
                })
            }
            _ => None,
        }
    }

    fn pass_turn(&mut self) {
        if let Some(Turn::Acts(entry)) = self.turn()
            && self.acts(entry)
        {
            let now = self.now.0;
            self.coming.retain(|(of, date, _)| (*of, *date) != (entry, now));
        }
        self.announced = 0;
        self.now.2 += 1;
        self.drawn = None;
        self.target = None;
    }

    /// Goes on to the turn in which something happens next, passing those of which nothing is to be seen. `None`: none
    /// is left in this season.
    fn next(&mut self, at: Date) -> Option<Turn> {
        self.rest_of(at);
        loop {
            match self.turn() {
                None if self.now.1 == Point::End => return None,
                None => {
                    self.close_point();
                    self.now = (at, Point::End, 0);
                    continue;
                }
                Some(Turn::Ends(entry)) => {
                    let over = self.over(entry);
                    if self.target.is_some() || self.ended(&over) != faces(&self.chart) {
                        return Some(Turn::Ends(entry));
                    }
                    self.end(&over);
                }
                Some(Turn::Acts(entry)) => {
                    if self.acts(entry) && self.shows(entry) {
                        return Some(Turn::Acts(entry));
                    }
                }
                Some(Turn::Announces(entry)) => {
                    if self.announced < self.announces(entry).len() {
                        // Places that a measure chooses are announced without a draw.
                        if self.count(entry).is_some_and(|count| count > 0) {
                            return Some(Turn::Announces(entry));
                        }
                        let chosen = self.ranked(entry).0.iter().map(|face| face.id).collect::<Vec<_>>();
                        self.announce(entry, &chosen);
                        continue;
                    }
                }
            }
            self.pass_turn();
        }
    }

    /// Does the entry act at this point?
    fn acts(&self, entry: usize) -> bool {
        let (at, point) = self.moment();
        self.changes.entries()[entry].faces().is_some_and(|change| {
            let of_entry = if change.at == Point::Start { Point::End } else { change.at };
            acts(change, at, self.first_year) && of_entry == point
        })
    }

    /// The dates for which the entry announces places at this point.
    fn announces(&self, entry: usize) -> Vec<Date> {
        let (at, point) = self.moment();
        let Some(change) = self.changes.entries()[entry].faces() else { return Vec::new() };
        let acts = |date: &Date| acts(change, *date, self.first_year);
        // The movements that are made after the announcement.
        let movements = |date: Date| {
            let all = (at.year..=date.year).flat_map(|year| Season::ALL.map(|season| Date { year, season }));
            all.filter(|other| *other > at && *other <= date && other.season != Season::Winter).count()
        };
        match change.foretold {
            Foretold::No => Vec::new(),
            Foretold::BeforeRetreats if point == Point::BeforeRetreats => {
                [at].into_iter().filter(acts).collect()
            }
            Foretold::Seasons(seasons) if point == change.at && at.season != Season::Winter => {
                let years = at.year..=at.year + 1 + u16::from(seasons.get());
                let dates = years.flat_map(|year| Season::ALL.map(|season| Date { year, season }));
                let far = |date: &Date| *date > at && movements(*date) == usize::from(seasons.get());
                dates.filter(far).filter(acts).collect()
            }
            Foretold::Years(years) if point == change.at => {
                let date = Date { year: at.year + u16::from(years.get()), ..at };
                [date].into_iter().filter(acts).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The announced places on which an entry acts now.
    fn due(&self, entry: usize) -> Vec<ProvinceId> {
        let due = self.coming.iter().filter(|(of, date, _)| (*of, *date) == (entry, self.now.0));
        due.map(|(.., face)| *face).collect()
    }

    fn is_announced(&self, entry: usize) -> bool {
        let change = self.change(entry);
        change.foretold != Foretold::No || matches!(change.which, Which::Voted(..))
    }

    /// Will something be seen of this entry: a draw or a change?
    fn shows(&self, entry: usize) -> bool {
        let is_doomed = |face: &ProvinceId| {
            faces(&self.chart)
                .iter()
                .any(|of| of.id == *face && verb_on(self.change(entry), of, &self.chart).is_some())
        };
        match (&self.drawn, self.is_announced(entry), self.count(entry)) {
            _ if self.target.is_some() => true,
            (Some(drawn), ..) => !drawn.is_empty(),
            (None, true, _) => self.due(entry).iter().any(is_doomed),
            (None, false, Some(count)) => count > 0,
            (None, false, None) => !self.ranked(entry).0.is_empty(),
        }
    }

    /// Notes what entries have changed at this point, which is over.
    fn close_point(&mut self) {
        let (_, point) = self.moment();
        for entry in 0..self.changes.entries().len() {
            let is_here = |change: &FaceChange| change.at == point;
            if self.acts(entry) && is_here(self.change(entry)) {
                self.last.retain(|(by, _)| *by != entry);
                self.last.extend(self.new.iter().filter(|(by, _)| *by == entry));
            }
        }
        self.new.clear();
    }

    /// The season is over: nothing was left out in it.
    fn rest(&mut self, at: Date) {
        let before = self.now.0;
        // Provinces that were drawn may lack room for a cut.
        self.pass_split();
        if before.year > 0 && before != at {
            match self.next(before) {
                Some(Turn::Ends(entry)) => panic!("{before}: what `{}` changed does not end", self.id(entry)),
                Some(Turn::Announces(entry)) => {
                    panic!("{before}: `{}` does not announce its places", self.id(entry))
                }
                Some(Turn::Acts(entry)) => {
                    let late = self.chosen(entry).into_iter().map(|face| self.chart.map().name(face));
                    panic!("{before}: `{}` does not act on {:?}", self.id(entry), late.collect::<Vec<_>>())
                }
                None => self.close_point(),
            }
        }
        self.now = (at, Point::BeforeRetreats, 0);
    }

    /// Of the seismic orders that the map allows, those that the entry allows.
    pub(super) fn quakes(&mut self, at: Phase, all: &[Quake]) -> Vec<Quake> {
        self.pass_split();
        assert_eq!(self.next(at.into()), None, "{at}: an entry does not act");
        let Some(Borders([one, other])) = &self.changes.quakes().expect("quakes").of else {
            return all.to_vec();
        };
        let faces = faces(&self.chart);
        let has =
            |set: &Set, id: ProvinceId| faces.iter().any(|face| face.id == id && is_in(set, face, self));
        let is_between = |[a, b]: [ProvinceId; 2]| has(one, a) && has(other, b);
        let allowed = all.iter().copied().filter(|quake| {
            let touched = quake.touched(self.chart.map());
            let [a, b] = match quake {
                Quake::Separation(_) => touched.apart,
                Quake::Release(_) => touched.together,
            };
            is_between([a, b]) || is_between([b, a])
        });
        let allowed: Vec<Quake> = allowed.collect();
        self.note(if allowed.is_empty() { "no border" } else { "borders" });
        allowed
    }

    // ---- what is over ----

    /// The properties that an entry has changed and that are over, except for ground below a hole.
    fn over(&self, entry: usize) -> Vec<Key> {
        let now = self.moment();
        let all = faces(&self.chart);
        let is_hole = |id: ProvinceId| all.iter().any(|face| face.id == id && face.is_hole());
        let is_over = |((at, property), ending): &(&Key, &Ending)| {
            let is_hidden = *property == Property::Ground && is_hole(*at);
            ending.entry == entry && ending.end <= now && !is_hidden
        };
        self.ends.iter().filter(is_over).map(|(key, _)| *key).collect()
    }

    /// What is over below a hole that comes back.
    fn hidden(&self, face: ProvinceId) -> Option<&Ending> {
        self.ends.get(&(face, Property::Ground)).filter(|ending| ending.end <= self.moment())
    }

    /// The face as it comes back from being a hole, with the ground below it.
    fn reappeared(&self, face: Face) -> Face {
        match self.hidden(face.id) {
            Some(ending) => Property::Ground.given_back(&face, &ending.lasting),
            None => face,
        }
    }

    /// The faces after these changes have ended.
    fn ended(&self, over: &[Key]) -> Vec<Face> {
        let mut all = faces(&self.chart);
        for face in &mut all {
            let before = face.clone();
            for (_, property) in over.iter().filter(|(at, _)| *at == before.id) {
                *face = property.given_back(face, &self.ends[&(before.id, *property)].lasting);
            }
            if before.is_hole() && !face.is_hole() {
                *face = self.reappeared(face.clone());
            }
        }
        all
    }

    /// These changes have ended.
    fn end(&mut self, over: &[Key]) {
        let after = self.ended(over);
        for before in faces(&self.chart) {
            let is_open = after.iter().any(|face| face.id == before.id && !face.is_hole());
            if before.is_hole() && is_open {
                self.reappear(before.id);
            }
            let sinks = after.iter().any(|face| face.id == before.id && face.kind != FaceKind::Land);
            if before.kind == FaceKind::Land && sinks {
                self.lose_centre(&before);
            }
        }
        for key in over {
            self.ends.remove(key);
            self.holders.remove(key);
            self.note("ends");
        }
    }

    fn reappear(&mut self, face: ProvinceId) {
        if self.hidden(face).is_some() {
            self.ends.remove(&(face, Property::Ground));
            self.holders.remove(&(face, Property::Ground));
            self.note("hidden ground");
        }
    }

    /// The centre of a face is lost permanently, and so is one that would come back.
    fn lose_centre(&mut self, face: &Face) {
        self.ends.remove(&(face.id, Property::Centre));
        if face.has_centre {
            self.holders.remove(&(face.id, Property::Centre));
        }
    }

    // ---- what acts ----

    /// Does the change of this face cost its centre?
    fn is_lost(change: &FaceChange, verb: Verb) -> bool {
        let sleeps = matches!(verb, Verb::Collapse | Verb::Void | Verb::Freeze);
        verb == Verb::Submerge || change.centre == CentreFate::Lost && sleeps
    }

    /// The face after an entry has changed it by a verb.
    fn changed(&self, change: &FaceChange, verb: Verb, face: &Face) -> Face {
        let mut face = Face { ..after(verb, face) };
        if verb == Verb::Found && change.home == HomeRule::Country {
            let mut powers = self.chart.powers().iter();
            face.home = powers.find(|power| self.is_of_country(*power, &face));
        }
        if Self::is_lost(change, verb) {
            face = Face { has_centre: false, home: None, ..face };
        }
        face
    }

    /// An entry has changed this face by a verb.
    fn record(&mut self, entry: usize, verb: Verb, before: &Face) {
        let key = (before.id, Property::of(verb, entry, before));
        let end = end(self.change(entry), self.moment());
        if verb == Verb::Restore && before.is_hole() {
            self.reappear(before.id);
        }
        let lasting = self.ends.remove(&key).map_or_else(|| before.clone(), |ending| ending.lasting);
        if let Some(end) = end {
            self.ends.insert(key, Ending { entry, end, lasting });
        }
        self.holders.insert(key, entry);
        if Self::is_lost(self.change(entry), verb) && (before.has_centre || verb == Verb::Submerge) {
            self.lose_centre(before);
        }
        self.new.push((entry, before.id));
        self.note(verb.name());
    }

    /// A draw of an entry: it must be its turn, with this set and this count.
    fn draws(&mut self, at: Date, entry: &Entry, eligible: &ProvinceSet, count: usize, drawn: &[ProvinceId]) {
        let of_vote = self.changes.entries().iter().position(|other| {
            other.id == entry.id
                && other.faces().is_some_and(|change| matches!(change.which, Which::Voted(..)))
        });
        if let Some(index) = of_vote {
            self.rest_of(at);
            let places: ProvinceSet = self.places(index).iter().map(|face| face.id).collect();
            assert!(*eligible - places == ProvinceSet::EMPTY && count == 1, "{at}: a tie of `{}`", entry.id);
            return self.note("ties");
        }
        self.pass_split();
        let next = self.next(at);
        let (index, announces) = match next {
            Some(Turn::Acts(index)) if !self.is_announced(index) => (index, false),
            Some(Turn::Announces(index)) => (index, true),
            _ => panic!("{at}: `{}` draws at {next:?}", entry.id),
        };
        assert_eq!(self.id(index), entry.id, "{at}: another entry draws");
        let expected: ProvinceSet = self.offered(index).iter().map(|face| face.id).collect();
        let names = |set: &ProvinceSet| set.iter().map(|id| self.chart.map().name(id)).collect::<Vec<_>>();
        assert_eq!(names(eligible), names(&expected), "{at}: the eligible faces of `{}`", entry.id);
        let room = 256 - self.chart.map().faces().count();
        let limit = if entry.draws(Verb::Split) { room } else { usize::MAX };
        let expected =
            self.count(index).map(|count| if count == usize::MAX { count } else { count.min(limit) });
        assert_eq!(Some(count), expected, "{at}: the number of places of `{}`", entry.id);
        if count < usize::MAX {
            assert_eq!(drawn.len(), count.min(eligible.len()), "{at}: too few or too many are drawn");
        }
        self.note("draws");
        let mut drawn = drawn.to_vec();
        if self.change(index).ranking().is_some() {
            self.note("ties");
            drawn.extend(self.ranked(index).0.iter().map(|face| face.id));
        }
        if announces {
            let before_retreats = self.change(index).foretold == Foretold::BeforeRetreats;
            self.note(if before_retreats { "foretold" } else { "far ahead" });
            self.announce(index, &drawn);
        } else {
            self.drawn = Some(drawn);
        }
    }

    /// The provinces that were to split have split, or cannot.
    fn pass_split(&mut self) {
        let Some(Turn::Acts(entry)) = self.turn() else { return };
        let entry = self.changes.entries()[entry].faces();
        if self.drawn.is_some() && entry.is_some_and(|change| change.verbs.has(Verb::Split)) {
            self.pass_turn();
        }
    }

    /// The map may have changed: if so, by the entry whose turn it is, and as it says.
    fn sees(&mut self, at: Phase, chart: &NamedMap) {
        if at.kind == PhaseKind::Seismic {
            // Borders move after the last entry of the season.
            self.pass_split();
            let next = self.next(at.into());
            assert_eq!(next, None, "{at}: an entry does not act");
            self.chart = chart.clone();
            return;
        }
        let (before, now) = (faces(&self.chart), faces(chart));
        if before == now {
            return;
        }
        if before.len() == now.len() {
            self.pass_split();
        }
        match self.next(at.into()) {
            None => panic!("{at}: a change that no entry makes"),
            Some(Turn::Ends(entry)) => {
                let over = self.over(entry);
                let ended = self.ended(&over);
                if self.reaches(at, entry, ended, &before, &now) {
                    self.end(&over);
                    self.pass_turn();
                }
            }
            Some(Turn::Acts(entry)) if self.change(entry).verbs.has(Verb::Split) => {
                self.splits(at, entry, &before, &now);
            }
            Some(Turn::Acts(entry)) => self.acts_on(at, entry, &before, &now),
            Some(Turn::Announces(entry)) => panic!("{at}: `{}` does not announce its places", self.id(entry)),
        }
        self.chart = chart.clone();
    }

    /// Are the faces as they shall be at the end of the turn? Only centres may still have to be founded.
    fn reaches(&mut self, at: Phase, entry: usize, target: Vec<Face>, before: &[Face], now: &[Face]) -> bool {
        let mut target = self.target.take().unwrap_or(target);
        assert_eq!(target.len(), now.len(), "{at}: `{}` makes or removes faces", self.id(entry));
        let is_owners = self.change(entry).home == HomeRule::Owner;
        let mut is_reached = true;
        for ((old, target), now) in before.iter().zip(&mut target).zip(now) {
            let founds = target.has_centre && !old.has_centre;
            if founds && now.has_centre && is_owners {
                target.home = now.home; // its owner's, who is not known here
            }
            let without = Face { has_centre: false, home: None, ..target.clone() };
            let is_late = founds && *now == without;
            assert!(
                *target == *now || is_late,
                "{at}: `{}` makes {now:?} of {old:?}, not {target:?}",
                self.id(entry)
            );
            is_reached &= !is_late;
        }
        self.target = Some(target);
        is_reached
    }

    /// The places on which the entry acts whose turn it is.
    fn chosen(&self, entry: usize) -> Vec<ProvinceId> {
        match (&self.drawn, self.is_announced(entry)) {
            (Some(drawn), _) => drawn.clone(),
            (None, true) => self.due(entry),
            (None, false) => self.ranked(entry).0.iter().map(|face| face.id).collect(),
        }
    }

    fn acts_on(&mut self, at: Phase, entry: usize, before: &[Face], now: &[Face]) {
        let places = self.chosen(entry);
        let change = self.change(entry);
        let verb = |face: &Face| verb_on(change, face, &self.chart).filter(|_| places.contains(&face.id));
        let target = before.iter().map(|face| match verb(face) {
            Some(Verb::Restore) if face.is_hole() => {
                self.reappeared(self.changed(change, Verb::Restore, face))
            }
            Some(verb) => self.changed(change, verb, face),
            None => face.clone(),
        });
        let target = target.collect();
        let made: Vec<(Face, Verb)> =
            before.iter().filter_map(|face| Some((face.clone(), verb(face)?))).collect();
        if self.target.is_none() {
            made.iter()
                .filter(|(_, verb)| *verb != Verb::Found)
                .for_each(|(face, verb)| self.record(entry, *verb, face));
        }
        let already: BTreeSet<ProvinceId> =
            self.new.iter().filter(|(by, _)| *by == entry).map(|(_, face)| *face).collect();
        for (face, verb) in
            made.iter().filter(|(face, verb)| *verb == Verb::Found && !already.contains(&face.id))
        {
            if now.iter().any(|new| new.id == face.id && new.has_centre) {
                self.record(entry, *verb, face);
            }
        }
        if self.drawn.is_none() {
            if self.change(entry).ranking().is_some() {
                self.note("measures");
            }
            self.drawn = Some(places);
        }
        if self.reaches(at, entry, target, before, now) {
            self.pass_turn();
        }
    }

    fn splits(&mut self, at: Phase, entry: usize, before: &[Face], now: &[Face]) {
        let places = self.chosen(entry);
        let added: Vec<&Face> =
            now.iter().filter(|face| before.iter().all(|old| old.id != face.id)).collect();
        let [second] = added[..] else { panic!("{at}: {} new faces", added.len()) };
        let whole = second.name.strip_suffix(".2").expect("a second half");
        let first = before.iter().find(|face| face.name == whole).expect("the whole");
        assert!(places.contains(&first.id), "{at}: {whole} was not drawn");
        let others = |faces: &[Face]| {
            let others = faces.iter().filter(|face| ![first.id, second.id].contains(&face.id));
            others.cloned().collect::<Vec<Face>>()
        };
        assert_eq!(others(before), others(now), "{at}: others change with {whole}");
        self.drawn = Some(places);
        // All that was so of the whole is so of both halves.
        let of_whole = |(at, _): &Key| *at == first.id;
        let holders = self.holders.iter().filter(|(key, _)| of_whole(key));
        let holders: Vec<_> = holders.map(|((_, property), by)| ((second.id, *property), *by)).collect();
        self.holders.extend(holders);
        let ends = self.ends.iter().filter(|(key, _)| of_whole(key));
        let ends: Vec<_> = ends.map(|((_, property), of)| ((second.id, *property), of.clone())).collect();
        self.ends.extend(ends);
        for sets in [&mut self.new, &mut self.last] {
            let halves = sets.iter().filter(|(_, face)| *face == first.id).map(|(by, _)| (*by, second.id));
            let halves: Vec<_> = halves.collect();
            sets.extend(halves);
        }
        let coming = self.coming.iter().filter(|(.., face)| *face == first.id);
        let coming: Vec<_> = coming.map(|(of, date, _)| (*of, *date, second.id)).collect();
        self.coming.extend(coming);
        // The canal is in one half, or in none.
        let dry = now.iter().filter(|half| [first.id, second.id].contains(&half.id) && !half.has_canal);
        for half in dry {
            self.ends.remove(&(half.id, Property::Canal));
            self.holders.remove(&(half.id, Property::Canal));
        }
        for half in [first, second] {
            self.record(entry, Verb::Split, half);
        }
    }

    /// A place was chosen: if it was by a vote, it is one of the set as it was then.
    fn votes(&mut self, at: Phase, face: ProvinceId, id: &str) {
        let entry = self.changes.entries().iter().position(|entry| entry.id == id).expect("an entry");
        if matches!(self.change(entry).which, Which::Voted(..)) {
            self.rest_of(at.into());
            assert!(self.places(entry).iter().any(|place| place.id == face), "{at}: `{id}`");
            self.note("votes");
            self.coming.push((entry, at.into(), face));
        } else if self.turn() != Some(Turn::Acts(entry)) {
            self.pass_split();
        }
    }

    /// Places are announced for the next date of an entry; after the last, the turn is over.
    fn announce(&mut self, entry: usize, places: &[ProvinceId]) {
        let dates = self.announces(entry);
        let date = dates[self.announced];
        self.coming.extend(places.iter().map(|face| (entry, date, *face)));
        self.announced += 1;
        if self.announced == dates.len() {
            self.pass_turn();
        }
    }

    /// The season before this one is over.
    fn rest_of(&mut self, at: Date) {
        if self.now.0 != at {
            self.rest(at);
        }
    }

    /// A place is marked: it must be its turn.
    fn marks(&mut self, at: Phase, face: ProvinceId) {
        self.pass_split();
        let next = self.next(at.into());
        let Some(Turn::Acts(entry)) = next else { panic!("{at}: a mark at {next:?}") };
        assert!(self.change(entry).verbs.has(Verb::Mark), "{at}: `{}` marks", self.id(entry));
        let mut places = self.chosen(entry);
        let (count, mut all) = (places.len(), faces(&self.chart).into_iter());
        places.retain(|place| *place != face);
        assert!(places.len() < count, "{at}: `{}` marks another place", self.id(entry));
        let before = all.find(|before| before.id == face).expect("a face");
        self.record(entry, Verb::Mark, &before);
        if places.is_empty() { self.pass_turn() } else { self.drawn = Some(places) }
    }
}

/// Nature by a seed, and a log, both of which tell the reference what happens.
#[derive(Clone)]
pub(super) struct Watch(pub Rc<RefCell<Reference>>, pub Seeded);

impl Nature for Watch {
    fn faces(
        &mut self,
        at: Phase,
        entry: &Entry,
        on: &MapTables,
        of: &ProvinceSet,
        how_many: HowMany,
    ) -> Vec<ProvinceId> {
        let drawn = self.1.faces(at, entry, on, of, how_many);
        let count = match how_many {
            HowMany::Count(count) => count,
            HowMany::Each(_) => usize::MAX,
        };
        let mut reference = self.0.borrow_mut();
        reference.sees(at, on.chart());
        reference.draws(at.into(), entry, of, count, &drawn);
        drawn
    }

    fn exempt(&mut self, at: Phase, dice: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        self.1.exempt(at, dice, power, homes)
    }

    fn ends(&mut self, at: Phase, on: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        self.1.ends(at, on, province)
    }

    fn half(&mut self, at: Phase, on: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        self.1.half(at, on, halves)
    }
}

impl Log for Watch {
    fn event(&mut self, at: Phase, on: &MapTables, event: &Event) {
        let mut reference = self.0.borrow_mut();
        reference.sees(at, on.chart());
        reference.rest_of(at.into());
        match *event {
            Event::Marked(face) => reference.marks(at, face),
            Event::PlaceDrawn(face, ref entry) | Event::PlaceChosen(face, ref entry) => {
                reference.votes(at, face, entry);
            }
            Event::ExemptNamed(power, centre)
            | Event::ExemptDrawn(power, centre)
            | Event::ExemptChanged(power, centre) => {
                reference.marked.insert(power, centre);
            }
            Event::ExemptLapsed(power, _) => drop(reference.marked.remove(&power)),
            _ => {}
        }
    }
}
