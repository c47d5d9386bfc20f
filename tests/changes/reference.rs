//! A slow reference for sets and entries: it decides for one face at a time, by the definitions of docs/changes.md, and
//! remembers each change of each face. [`Watch`] compares a game with it: as a nature, which is asked for draws, and as
//! a log, which sees the map before and after each change.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use upheaval::ids::{Power, ProvinceId, ProvinceSet};
use upheaval::rules::changes::{
    Changes, Count, Date, Entry, FaceChange, Foretold, Operator, Point, Set, State, Verb, Verbs, Which, Word,
};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{Nature, Seeded};
use upheaval::rules::position::{Phase, PhaseKind, Season};
use upheaval::topology::{FaceKind, FaceState, HalfEdgeId, NamedMap};

/// A face as the definitions see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Face {
    pub id: ProvinceId,
    name: String,
    kind: FaceKind,
    state: FaceState,
    has_centre: bool,
}

impl Face {
    fn is_hole(&self) -> bool {
        self.state != FaceState::Open
    }

    fn state_is(&self, state: State) -> bool {
        match state {
            State::Hole => self.is_hole(),
            State::Open => !self.is_hole(),
            State::Land => !self.is_hole() && self.kind == FaceKind::Land,
            State::Sea => !self.is_hole() && self.kind == FaceKind::Sea,
            State::Impassable => !self.is_hole() && self.kind == FaceKind::Impassable,
        }
    }

    /// Is it the face with this name on the board at the start, or a part of it?
    fn is_of(&self, name: &str) -> bool {
        let mut part = self.name.as_str();
        while part != name {
            let Some((whole, "1" | "2")) = part.rsplit_once('.') else { return false };
            part = whole;
        }
        true
    }
}

/// The faces of a chart but the Outside and the points.
pub(super) fn faces(chart: &NamedMap) -> Vec<Face> {
    let is_place = |kind| matches!(kind, FaceKind::Land | FaceKind::Sea | FaceKind::Impassable);
    let faces = chart.map().faces().filter(|(_, face)| is_place(face.kind()));
    let face = |(id, face): (ProvinceId, upheaval::topology::Face<'_>)| Face {
        id,
        name: face.name().to_owned(),
        kind: face.kind(),
        state: face.state(),
        has_centre: chart.info(id).is_some_and(|info| info.supply_centre),
    };
    faces.map(face).collect()
}

/// Which faces belong to the sets of entries.
pub(super) trait Known {
    /// Has the entry changed the face, and is that still so?
    fn is_held(&self, entry: usize, face: &Face) -> bool;
    /// Has the entry changed the face at this point?
    fn is_new(&self, entry: usize, face: &Face) -> bool;
}

/// Is the face in the set?
pub(super) fn is_in(set: &Set, face: &Face, known: &dyn Known) -> bool {
    match set {
        Set::Word(Word::All) => true,
        Set::Word(Word::Provinces) => face.state_is(State::Land) || face.state_is(State::Sea),
        Set::Word(Word::Land) => face.state_is(State::Land),
        Set::Word(Word::Sea) => face.state_is(State::Sea),
        Set::Word(Word::Impassable) => face.state_is(State::Impassable),
        Set::Word(Word::Holed) => face.is_hole(),
        Set::Word(Word::Centres) => face.has_centre && !face.is_hole(),
        Set::Place(places) => places.names.iter().any(|name| face.is_of(name)),
        Set::Held(entry) => known.is_held(entry.index, face),
        Set::New(entry) => known.is_new(entry.index, face),
        Set::Under(set) => {
            let opened = Face { state: FaceState::Open, ..face.clone() };
            face.is_hole() && is_in(set, &opened, known)
        }
        Set::Joined(operator, terms) => {
            let mut each = terms.iter().map(|term| is_in(term, face, known));
            match operator {
                Operator::Or => each.any(|is_in| is_in),
                Operator::And => each.all(|is_in| is_in),
                Operator::Without => each.next() == Some(true) && !each.any(|is_in| is_in),
            }
        }
    }
}

/// The verb of an entry that acts on this face as it is, by the table of verbs.
fn verb_on(change: &FaceChange, face: &Face) -> Option<Verb> {
    let acts_on = |verb: &Verb| match verb {
        Verb::Collapse => face.state_is(State::Open),
        Verb::Void | Verb::Split => face.state_is(State::Land) || face.state_is(State::Sea),
        Verb::Restore => face.is_hole(),
        Verb::Submerge => face.state_is(State::Land),
        Verb::Open => face.state_is(State::Impassable),
        // A centre that is founded in a hole sleeps until the place comes back.
        Verb::Found => face.kind == FaceKind::Land && !face.has_centre,
        Verb::Mark | Verb::Quake => false,
    };
    match &change.verbs {
        Verbs::One(verb) => Some(*verb).filter(acts_on),
        Verbs::ByState(table) => {
            table.iter().find(|(state, _)| face.state_is(**state)).map(|(_, verb)| *verb).filter(acts_on)
        }
    }
}

/// The face after this verb has acted on it, except for a split.
fn after(verb: Verb, face: &Face) -> Face {
    let face = face.clone();
    match verb {
        Verb::Collapse => Face { state: FaceState::Collapsed, ..face },
        Verb::Void => Face { state: FaceState::Void, ..face },
        Verb::Restore => Face { state: FaceState::Open, ..face },
        Verb::Submerge => Face { kind: FaceKind::Sea, has_centre: false, ..face },
        Verb::Open => Face { kind: FaceKind::Land, ..face },
        Verb::Found => Face { has_centre: true, ..face },
        Verb::Split | Verb::Mark | Verb::Quake => face,
    }
}

/// Does a change of this sort end what the other has done?
fn ends(verb: Verb, other: Verb) -> bool {
    let of_holes = |verb| matches!(verb, Verb::Collapse | Verb::Void | Verb::Restore);
    let of_ground = |verb| matches!(verb, Verb::Submerge | Verb::Open);
    of_holes(verb) && of_holes(other) || of_ground(verb) && (of_ground(other) || other == Verb::Found)
}

/// Does the entry act in this season? A year begins in Spring and ends in Winter.
fn acts(change: &FaceChange, at: Date, first_year: u16) -> bool {
    let Which::Scheduled(schedule) = &change.which else {
        let period = &change.period;
        let words = period.seasons.name();
        let is_season =
            words == "all" || words.split("-and-").any(|word| word == at.season.name().to_lowercase());
        let counted =
            i32::from(at.year) - i32::from(period.from.map_or(first_year, |from| year(&from.to_string())));
        let is_late =
            period.from.is_none_or(|from| (at.year, at.season) >= bound(&from.to_string(), Season::Spring));
        let is_early =
            period.until.is_none_or(|end| (at.year, at.season) <= bound(&end.to_string(), Season::Winter));
        return is_season && is_late && is_early && counted % i32::from(period.every) == 0;
    };
    let is_year = |date: &Date| i32::from(date.year) + i32::from(schedule.shift) == i32::from(at.year);
    schedule.yearly.keys().any(|season| *season == at.season)
        || schedule.dates.keys().any(|date| date.season == at.season && is_year(date))
}

fn year(bound: &str) -> u16 {
    bound.trim_start_matches(char::is_alphabetic).parse().expect("a year")
}

/// A bound as a season; of a year it is this one.
fn bound(text: &str, of_year: Season) -> (u16, Season) {
    let season = Season::ALL.into_iter().find(|season| text.starts_with(season.letter()));
    (year(text), season.unwrap_or(of_year))
}

/// A change of a face: the entry and the verb.
type Change = (usize, Verb);

/// What a game must do, by the reference.
pub(super) struct Reference {
    changes: Changes,
    first_year: u16,
    /// The map after the last call.
    chart: NamedMap,
    /// All changes of each face.
    past: BTreeMap<ProvinceId, Vec<Change>>,
    /// The faces that entries have changed at the current point.
    new: Vec<(usize, ProvinceId)>,
    marked: BTreeMap<Power, ProvinceId>,
    /// The point of the season, the season, and the next entry that may act.
    now: (Date, Point, usize),
    /// What the current entry has drawn, and what is foretold.
    drawn: Option<Vec<ProvinceId>>,
    doomed: Vec<ProvinceId>,
    /// How many draws and changes of each sort were compared.
    pub seen: BTreeMap<&'static str, usize>,
}

impl Known for Reference {
    fn is_held(&self, entry: usize, face: &Face) -> bool {
        if self.changes.entries()[entry].faces().is_none() {
            return self.marked.values().any(|centre| *centre == face.id);
        }
        let past = self.past.get(&face.id).map_or(&[][..], Vec::as_slice);
        let ended = |at: usize, verb: Verb| {
            past[at + 1..].iter().any(|(by, later)| *by != entry && ends(*later, verb))
        };
        past.iter().enumerate().any(|(at, (by, verb))| *by == entry && !ended(at, *verb))
    }

    fn is_new(&self, entry: usize, face: &Face) -> bool {
        self.new.contains(&(entry, face.id))
    }
}

impl Reference {
    pub(super) fn new(changes: &Changes, chart: &NamedMap, first_year: u16) -> Reference {
        let start = Date { year: 0, season: Season::Spring };
        Reference {
            changes: changes.clone(),
            first_year,
            chart: chart.clone(),
            past: BTreeMap::new(),
            new: Vec::new(),
            marked: BTreeMap::new(),
            now: (start, Point::BeforeRetreats, 0),
            drawn: None,
            doomed: Vec::new(),
            seen: BTreeMap::new(),
        }
    }

    fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn change(&self, entry: usize) -> &FaceChange {
        self.changes.entries()[entry].faces().expect("it changes faces")
    }

    /// The faces of an entry on which a verb of it acts, on the map as it is; of a schedule those that are due.
    fn places(&self, entry: usize) -> Vec<Face> {
        let change = self.change(entry);
        let at = self.now.0;
        let is_due = |face: &Face| match &change.which {
            Which::Drawn(set, _) | Which::All(set) => is_in(set, face, self),
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
        faces(&self.chart)
            .into_iter()
            .filter(|face| is_due(face) && verb_on(change, face).is_some())
            .collect()
    }

    /// The number of places that the entry draws.
    fn count(&self, entry: usize) -> Option<usize> {
        match self.change(entry).count()? {
            Count::Number(number) => Some(usize::from(*number)),
            Count::Per(number, per) => {
                Some(usize::from(*number) * self.new.iter().filter(|(by, _)| *by == per.index).count())
            }
        }
    }

    /// Goes on to the entry that acts next, passing those of which nothing is to be seen. `None`: none is left.
    fn next(&mut self, at: Date) -> Option<usize> {
        if self.now.0 != at {
            self.rest(at);
        }
        loop {
            let (_, point, index) = self.now;
            let Some(entry) = self.changes.entries().get(index) else {
                if point == Point::End {
                    return None;
                }
                self.now = (at, Point::End, 0);
                self.new.clear();
                continue;
            };
            let is_at = |change: &FaceChange| {
                let foretells = change.foretold == Foretold::BeforeRetreats && point == Point::BeforeRetreats;
                acts(change, at, self.first_year) && (change.at == point || foretells)
            };
            if entry.faces().is_some_and(is_at) && self.shows(index) {
                return Some(index);
            }
            self.now.2 += 1;
            self.drawn = None;
        }
    }

    /// Will something be seen of this entry: a draw or a change?
    fn shows(&self, entry: usize) -> bool {
        let (_, point, _) = self.now;
        let is_doomed = |face: &&ProvinceId| {
            faces(&self.chart).iter().any(|of| of.id == **face && verb_on(self.change(entry), of).is_some())
        };
        match (&self.drawn, self.change(entry).foretold, self.count(entry)) {
            (Some(drawn), ..) => !drawn.is_empty(),
            (None, Foretold::BeforeRetreats, _) if point == Point::End => {
                self.doomed.iter().any(|face| is_doomed(&face))
            }
            (None, _, Some(count)) => count > 0,
            (None, _, None) => !self.places(entry).is_empty(),
        }
    }

    /// The season is over: nothing was left out in it.
    fn rest(&mut self, at: Date) {
        let before = self.now.0;
        // Provinces that were drawn may lack room for a cut.
        self.pass_split();
        if before.year > 0
            && before != at
            && let Some(entry) = self.next(before)
        {
            panic!("{before}: `{}` does not act", self.changes.entries()[entry].id);
        }
        self.now = (at, Point::BeforeRetreats, 0);
        self.new.clear();
    }

    /// A draw of an entry: it must be its turn, with this set and this count.
    fn draws(&mut self, at: Date, entry: &Entry, eligible: &ProvinceSet, count: usize, drawn: &[ProvinceId]) {
        self.pass_split();
        let next = self.next(at).map(|index| self.changes.entries()[index].id.clone());
        assert_eq!(next.as_ref(), Some(&entry.id), "{at}: another entry draws");
        let index = self.now.2;
        let expected: ProvinceSet = self.places(index).iter().map(|face| face.id).collect();
        assert_eq!(*eligible, expected, "{at}: the eligible faces of `{}`", entry.id);
        let room = 256 - self.chart.map().faces().count();
        let is_split = entry.draws(Verb::Split);
        let expected = self.count(index).map(|count| if is_split { count.min(room) } else { count });
        assert_eq!(Some(count), expected, "{at}: the number of places of `{}`", entry.id);
        assert_eq!(drawn.len(), count.min(eligible.len()), "{at}: too few or too many are drawn");
        self.note("draws");
        if self.change(index).foretold == Foretold::BeforeRetreats {
            self.note("foretold");
            self.doomed = drawn.to_vec();
            self.now.2 += 1;
        } else {
            self.drawn = Some(drawn.to_vec());
        }
    }

    /// The provinces that were to split have split, or cannot.
    fn pass_split(&mut self) {
        let entry = self.changes.entries().get(self.now.2).and_then(Entry::faces);
        if self.drawn.is_some() && entry.is_some_and(|change| change.verbs.has(Verb::Split)) {
            self.now.2 += 1;
            self.drawn = None;
        }
    }

    /// The map has changed: by the entry whose turn it is, and as it says.
    fn sees(&mut self, at: Phase, chart: &NamedMap) {
        if at.kind == PhaseKind::Seismic {
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
        let Some(index) = self.next(at.into()) else { panic!("{at}: a change that no entry makes") };
        let is_split = self.change(index).verbs.has(Verb::Split);
        let places = match (&self.drawn, self.change(index).foretold) {
            (Some(drawn), _) => drawn.clone(),
            (None, Foretold::BeforeRetreats) => self.doomed.clone(),
            (None, Foretold::No) => self.places(index).iter().map(|face| face.id).collect(),
        };
        if is_split {
            let added: Vec<&Face> =
                now.iter().filter(|face| before.iter().all(|old| old.id != face.id)).collect();
            let [second] = added[..] else { panic!("{at}: {} new faces", added.len()) };
            let whole = second.name.strip_suffix(".2").expect("a second half");
            let first = before.iter().find(|face| face.name == whole).expect("the whole").id;
            assert!(places.contains(&first), "{at}: {whole} was not drawn");
            let others = |faces: &[Face]| {
                let others = faces.iter().filter(|face| ![first, second.id].contains(&face.id));
                others.cloned().collect::<Vec<Face>>()
            };
            assert_eq!(others(&before), others(&now), "{at}: others change with {whole}");
            self.drawn = Some(places);
            self.note("split");
            // All that was so of the whole is so of both halves.
            if let Some(past) = self.past.get(&first).cloned() {
                self.past.insert(second.id, past);
            }
            let halves = self.new.iter().filter(|(_, face)| *face == first).map(|(by, _)| (*by, second.id));
            let halves: Vec<_> = halves.collect();
            self.new.extend(halves);
            if self.doomed.contains(&first) {
                self.doomed.push(second.id);
            }
            for half in [first, second.id] {
                self.past.entry(half).or_default().push((index, Verb::Split));
                self.new.push((index, half));
            }
        } else {
            let verb = |face: &Face| verb_on(self.change(index), face).filter(|_| places.contains(&face.id));
            let expected: Vec<Face> = before
                .iter()
                .map(|face| verb(face).map_or_else(|| face.clone(), |verb| after(verb, face)))
                .collect();
            assert_eq!(expected, now, "{at}: `{}` does something else", self.changes.entries()[index].id);
            let made: Vec<(ProvinceId, Verb)> =
                before.iter().filter_map(|face| Some((face.id, verb(face)?))).collect();
            for (face, verb) in made {
                self.past.entry(face).or_default().push((index, verb));
                self.new.push((index, face));
                self.note(verb.name());
            }
            self.drawn = None;
            self.now.2 += 1;
        }
        if self.change(index).foretold == Foretold::BeforeRetreats {
            self.doomed.clear();
        }
        self.chart = chart.clone();
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
        count: usize,
    ) -> Vec<ProvinceId> {
        let drawn = self.1.faces(at, entry, on, of, count);
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
        match *event {
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
