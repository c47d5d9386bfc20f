//! A slow reference for sets and entries: it decides for one face at a time, by the definitions of docs/changes.md.

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use upheaval::ids::{Power, ProvinceId};
use upheaval::rules::changes::{
    Date, FaceChange, Holding, Measure, Operator, Set, State, Verb, Verbs, Which, Who, Whose, Word,
};
use upheaval::rules::position::{Position, Season};
use upheaval::topology::{CanalOrigin, Face as Shape, FaceKind, FaceState, NamedMap, Waterway};

/// A face as the definitions see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Face {
    pub id: ProvinceId,
    pub name: String,
    pub kind: FaceKind,
    pub state: FaceState,
    pub has_centre: bool,
    /// Was a canal dug through it?
    pub has_canal: bool,
    /// Whose home it is; nobody's without a centre.
    pub home: Option<Power>,
}

impl Face {
    pub(super) fn is_hole(&self) -> bool {
        self.state != FaceState::Open
    }

    fn state_is(&self, state: State) -> bool {
        match state {
            State::Hole => self.is_hole(),
            State::Open => !self.is_hole(),
            State::Land => !self.is_hole() && self.kind == FaceKind::Land,
            State::Sea => !self.is_hole() && self.kind == FaceKind::Sea,
            State::Ice => !self.is_hole() && self.kind == FaceKind::Ice,
            State::Impassable => !self.is_hole() && self.kind == FaceKind::Impassable,
        }
    }

    /// Is it a supply centre that exists?
    fn is_centre(&self) -> bool {
        self.has_centre && (self.state_is(State::Land) || self.state_is(State::Sea))
    }

    /// Is it the face with this name on the board at the start, or a part of it?
    pub(super) fn is_of(&self, name: &str) -> bool {
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
    let is_place = |kind| !matches!(kind, FaceKind::Outside | FaceKind::Point);
    let faces = chart.map().faces().filter(|(_, face)| is_place(face.kind()));
    let face = |(id, face): (ProvinceId, upheaval::topology::Face<'_>)| Face {
        id,
        name: face.name().to_owned(),
        kind: face.kind(),
        state: face.state(),
        has_centre: chart.info(id).is_some_and(|info| info.supply_centre),
        has_canal: chart.map().waterways().any(|way| is_dug(way, id)),
        home: chart.info(id).filter(|info| info.supply_centre).and_then(|info| info.home),
    };
    faces.map(face).collect()
}

/// Is it a canal that was dug through this face?
fn is_dug(waterway: &Waterway, through: ProvinceId) -> bool {
    matches!(waterway, Waterway::Canal { province, origin: CanalOrigin::Dug, .. } if *province == through)
}

/// Can the entry dig a canal through this face, on a board without others there?
fn may_dig(change: &FaceChange, face: &Face, chart: &NamedMap) -> bool {
    let ends = serde_json::to_value(&change.ends).expect("a table");
    let all = faces(chart);
    let across: Vec<ProvinceId> =
        chart.map().sides_of(face.id).map(|side| chart.map().across(side)).collect();
    let is_there = |sea: &serde_json::Value| {
        let name = sea.as_str().expect("a name");
        all.iter().any(|other| other.is_of(name) && other.state_is(State::Sea) && across.contains(&other.id))
    };
    let mut table = ends.as_object().expect("a table").iter();
    let seas = table.find(|(through, _)| face.is_of(through)).and_then(|(_, seas)| seas.as_array());
    face.state_is(State::Land) && !face.has_canal && seas.is_some_and(|seas| seas.iter().all(is_there))
}

/// Which faces belong to the sets of entries.
pub(super) trait Known {
    /// Has the entry changed the face, and is that still so?
    fn is_held(&self, entry: usize, face: &Face) -> bool;
    /// Has the entry changed the face at this point?
    fn is_new(&self, entry: usize, face: &Face) -> bool;
    /// Did the entry change the face when it last acted before this point?
    fn is_last(&self, entry: usize, face: &Face) -> bool;
    /// The map.
    fn chart(&self) -> &NamedMap;
    /// Units and owners; `None` if no set depends on them.
    fn position(&self) -> Option<&Position>;
    /// Was there no unit at the end of each of the last Springs and Falls, this many?
    fn is_idle(&self, seasons: u8, face: &Face) -> bool;
    /// Does the face lie in the country of this power?
    fn is_of_country(&self, power: Power, face: &Face) -> bool;
}

/// The faces beside a face: across its half-edges, and round the points that it is or touches.
fn beside(chart: &NamedMap, face: ProvinceId) -> BTreeSet<ProvinceId> {
    let map = chart.map();
    let across =
        |face: ProvinceId| map.sides_of(face).map(|side| map.across(side)).collect::<BTreeSet<ProvinceId>>();
    let is_point = |face: ProvinceId| map.face(face).is_some_and(|face| face.state() == FaceState::Collapsed);
    let (mut beside, mut left) = (BTreeSet::new(), vec![face]);
    let mut passed = BTreeSet::new();
    while let Some(from) = left.pop() {
        if passed.insert(from) {
            for to in across(from) {
                beside.insert(to);
                if is_point(to) {
                    left.push(to);
                }
            }
        }
    }
    beside.remove(&face);
    beside
}

/// Has any of these powers the face so?
fn has(holding: Holding, who: &Who, face: &Face, known: &dyn Known) -> bool {
    let position = || known.position().expect("a position");
    let chart = known.chart();
    let is_of = |power: Power| match holding {
        Holding::Home => face.is_centre() && face.home == Some(power),
        Holding::Owned => position().owner(face.id) == Some(power) && face.is_centre(),
        Holding::Country => known.is_of_country(power, face),
        Holding::Units => position().unit(face.id).is_some_and(|unit| unit.power == power),
    };
    let centres = |power: Power| position().centres_of(power).len();
    let mut powers = chart.powers().iter();
    match who {
        Who::Power(power, _) => is_of(*power),
        Who::Word(Whose::Any) => powers.any(is_of),
        Who::Word(Whose::Out) => {
            powers.any(|power| centres(power) == 0 && position().units_of(power).is_empty() && is_of(power))
        }
        Who::Word(Whose::Leader) => powers
            .any(|power| chart.powers().iter().all(|other| centres(other) <= centres(power)) && is_of(power)),
        Who::Word(Whose::Nobody) => {
            let may_be = match holding {
                Holding::Home | Holding::Owned => face.is_centre(),
                Holding::Country => true,
                Holding::Units => is_province(face),
            };
            may_be && !powers.any(is_of)
        }
    }
}

/// Can units be in it?
fn is_province(face: &Face) -> bool {
    [State::Land, State::Sea, State::Ice].into_iter().any(|state| face.state_is(state))
}

/// Has it a half-edge beyond which there is a sea, or a point that a sea touches?
fn is_on_water(chart: &NamedMap, face: &Face) -> bool {
    let map = chart.map();
    let is_sea = |at: &ProvinceId| map.face(*at).is_some_and(Shape::is_open_sea);
    let is_archipelago =
        |at: ProvinceId| map.archipelagos().contains(at) && map.face(at).is_some_and(Shape::is_open_land);
    is_archipelago(face.id) || beside(chart, face.id).iter().any(|at| is_sea(at) || is_archipelago(*at))
}

/// Is the face in the set?
pub(super) fn is_in(set: &Set, face: &Face, known: &dyn Known) -> bool {
    match set {
        Set::Word(Word::All) => true,
        Set::Word(Word::Provinces) => is_province(face),
        Set::Word(Word::Ice) => face.state_is(State::Ice),
        Set::Word(Word::Coastal) => face.state_is(State::Land) && is_on_water(known.chart(), face),
        Set::Word(Word::Inland) => face.state_is(State::Land) && !is_on_water(known.chart(), face),
        Set::Word(Word::Occupied) => {
            known.position().is_some_and(|position| position.unit(face.id).is_some())
        }
        Set::Word(Word::Land) => face.state_is(State::Land),
        Set::Word(Word::Sea) => face.state_is(State::Sea),
        Set::Word(Word::Impassable) => face.state_is(State::Impassable),
        Set::Word(Word::Holed) => face.is_hole(),
        Set::Word(Word::Centres) => face.is_centre(),
        Set::Place(places) => places.names.iter().any(|name| face.is_of(name)),
        Set::Held(entry) => known.is_held(entry.index, face),
        Set::New(entry) => known.is_new(entry.index, face),
        Set::Last(entry) => known.is_last(entry.index, face),
        Set::Group(group) => is_in(&group.set, face, known),
        Set::Near(set) => !is_in(set, face, known) && is_beside(set, face, known),
        Set::Within(steps, set) => {
            is_in(set, face, known) || {
                let nearer = NonZeroU8::new(steps.get() - 1);
                let inner = nearer.map_or((**set).clone(), |nearer| Set::Within(nearer, set.clone()));
                is_in(&inner, face, known) || is_beside(&inner, face, known)
            }
        }
        Set::Idle(seasons) => is_province(face) && known.is_idle(seasons.get(), face),
        Set::Of(holding, who) => has(*holding, who, face, known),
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

/// Is some face beside it in the set?
fn is_beside(set: &Set, face: &Face, known: &dyn Known) -> bool {
    let beside = beside(known.chart(), face.id);
    faces(known.chart()).iter().any(|other| beside.contains(&other.id) && is_in(set, other, known))
}

/// The value of a face by a measure; `None` if it is not compared.
pub(super) fn value(measure: &Measure, face: &Face, known: &dyn Known) -> Option<usize> {
    match measure {
        Measure::Near(set) => {
            let beside = beside(known.chart(), face.id);
            let all = faces(known.chart());
            let near = all.iter().filter(|other| other.id == face.id || beside.contains(&other.id));
            Some(near.filter(|other| is_in(set, other, known)).count())
        }
        Measure::OwnerCentres => {
            let position = known.position().expect("a position");
            let owner = position.owner(face.id).filter(|_| face.is_centre())?;
            let theirs = |other: &&Face| other.is_centre() && position.owner(other.id) == Some(owner);
            Some(faces(known.chart()).iter().filter(theirs).count())
        }
    }
}

/// The verb of an entry that acts on this face as it is, by the table of verbs.
pub(super) fn verb_on(change: &FaceChange, face: &Face, chart: &NamedMap) -> Option<Verb> {
    let acts_on = |verb: &Verb| match verb {
        Verb::Collapse => face.state_is(State::Open),
        Verb::Void => is_province(face),
        Verb::Split => face.state_is(State::Land) || face.state_is(State::Sea),
        Verb::Restore => {
            face.is_hole() || face.state_is(State::Ice) || face.has_canal && face.state_is(State::Land)
        }
        Verb::Dig => may_dig(change, face, chart),
        Verb::Raise | Verb::Freeze => face.state_is(State::Sea),
        Verb::Ruin => face.has_centre,
        Verb::Submerge => face.state_is(State::Land),
        Verb::Open => face.state_is(State::Impassable),
        // A centre that is founded in a hole sleeps until the place comes back.
        Verb::Found => face.kind == FaceKind::Land && !face.has_centre,
        Verb::Mark => true,
        Verb::Quake => false,
    };
    match &change.verbs {
        Verbs::One(verb) => Some(*verb).filter(acts_on),
        Verbs::ByState(table) => {
            table.iter().find(|(state, _)| face.state_is(**state)).map(|(_, verb)| *verb).filter(acts_on)
        }
    }
}

/// The face after this verb has acted on it, except for a split; a founded centre is nobody's home.
pub(super) fn after(verb: Verb, face: &Face) -> Face {
    let face = face.clone();
    match verb {
        Verb::Collapse => Face { state: FaceState::Collapsed, ..face },
        Verb::Void => Face { state: FaceState::Void, ..face },
        Verb::Restore if face.is_hole() => Face { state: FaceState::Open, ..face },
        Verb::Dig => Face { has_canal: true, ..face },
        Verb::Restore if face.kind == FaceKind::Land => Face { has_canal: false, ..face },
        Verb::Restore | Verb::Freeze if face.kind == FaceKind::Ice => Face { kind: FaceKind::Sea, ..face },
        Verb::Restore | Verb::Freeze => Face { kind: FaceKind::Ice, ..face },
        Verb::Raise => Face { kind: FaceKind::Land, ..face },
        Verb::Ruin => Face { has_centre: false, home: None, ..face },
        Verb::Submerge => Face { kind: FaceKind::Sea, has_centre: false, home: None, ..face },
        Verb::Open => Face { kind: FaceKind::Land, ..face },
        Verb::Found => Face { has_centre: true, ..face },
        Verb::Split | Verb::Mark | Verb::Quake => face,
    }
}

/// Does the entry act in this season? A year begins in Spring and ends in Winter.
pub(super) fn acts(change: &FaceChange, at: Date, first_year: u16) -> bool {
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
