//! Sets of places, as entries name them: `provinces - spared`.
//!
//! ```text
//!   set   = term { OP term }       OP: | or & or -, with a blank on each side; the same throughout, else parentheses
//!   term  = PROVINCE | group | WORD | id | new(id) | last(id) | near(set) | within(N, set) | under(set) | idle(N)
//!         | OF(who) | (set)
//!   WORD  = all | provinces | land | sea | ice | impassable | holed | coastal | inland | centres | occupied
//!   OF    = home | owned | country | units
//!   who   = a power | any | nobody | out | leader
//!   borders(set, set): the borders between two sets, for quakes
//! ```
//! A set is read once into a [`Set`] ([`text`]) and evaluated by operations on bits whenever an entry acts
//! ([`evaluate`]).

mod evaluate;
mod text;

use std::fmt;
use std::num::NonZeroU8;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{FaceKind, NamedMap, PlanarMap, whole_of};

use crate::rules::map_tables::MapTables;

pub use evaluate::Scene;
pub(super) use text::parse_borders;
pub use text::{Group, Groups, Names, SetFault, parse};

/// A set of faces. Its text has one spelling ([`fmt::Display`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Set {
    /// The faces that a word describes.
    Word(Word),
    /// A face of the board at the start, or the halves of it.
    Place(Places),
    /// The places that an entry has changed and that are still so; for a mark, the marked ones.
    Held(EntryId),
    /// The places that an earlier entry has changed at this point.
    New(EntryId),
    /// The places that an entry changed when it last acted before this point, still so or not.
    Last(EntryId),
    /// A set with a name.
    Group(Arc<Group>),
    /// The faces beside the set, outside it: those with a common border, or that meet it at a point.
    Near(Box<Set>),
    /// The set, and what can be reached from it in this many steps to faces beside it.
    Within(NonZeroU8, Box<Set>),
    /// The holes that would be in the set if they were open.
    Under(Box<Set>),
    /// The provinces without a unit at the end of each of the last Springs and Falls, this many.
    Idle(NonZeroU8),
    /// What these powers have.
    Of(Holding, Who),
    /// The terms, joined by the operator from left to right; at least two.
    Joined(Operator, Vec<Set>),
}

/// The borders between a face of one set and a face of the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Borders(pub [Set; 2]);

/// An entry, by its index in the file and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryId {
    /// Its index in the file.
    pub index: usize,
    /// Its id.
    pub name: String,
}

upheaval_map::named! {
    /// An operator between sets.
    pub enum Operator {
        /// In any of the sets.
        Or = "|",
        /// In all of the sets.
        And = "&",
        /// In the first set, but in no other.
        Without = "-",
    }
}

upheaval_map::named! {
    /// The faces that powers have.
    pub enum Holding {
        /// Their home centres that exist.
        Home = "home",
        /// The centres that they own.
        Owned = "owned",
        /// The provinces of their countries.
        Country = "country",
        /// The provinces with their units.
        Units = "units",
    }
}

/// The powers that have something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// The power with this name.
    Power(Power, String),
    /// Powers by a word.
    Word(Whose),
}

upheaval_map::named! {
    /// A word for powers.
    pub enum Whose {
        /// Every power.
        Any = "any",
        /// None: the places that no power has.
        Nobody = "nobody",
        /// Powers without unit and centre.
        Out = "out",
        /// The powers that share the most centres.
        Leader = "leader",
    }
}

/// Words that no entry and no group can have as its name: they mean something in the language, or will.
pub(super) const RESERVED: [&str; 19] = [
    "new", "under", "last", "near", "within", "idle", "borders", "pairs", "home", "owned", "country",
    "units", "self", "any", "nobody", "out", "leader", "wall", "link",
];

upheaval_map::named! {
    /// A word for a set of faces. The Outside and the points of a board are in none of them.
    pub enum Word {
        /// Every face, open or a hole.
        All = "all",
        /// Open land, sea and ice.
        Provinces = "provinces",
        /// Open land.
        Land = "land",
        /// Open sea.
        Sea = "sea",
        /// Frozen seas that are not holes.
        Ice = "ice",
        /// Impassable faces that are not holes.
        Impassable = "impassable",
        /// Holes.
        Holed = "holed",
        /// Open land with a coast.
        Coastal = "coastal",
        /// Open land without a coast.
        Inland = "inland",
        /// Supply centres that exist.
        Centres = "centres",
        /// Provinces with a unit.
        Occupied = "occupied",
    }
}

impl Word {
    /// The kinds of faces in it.
    const fn kinds(self) -> Kinds {
        match self {
            Word::All => Kinds::ALL,
            Word::Provinces | Word::Occupied => Kinds::PROVINCES,
            Word::Centres => Kinds::LAND.or(Kinds::SEA),
            Word::Land | Word::Coastal | Word::Inland => Kinds::LAND,
            Word::Sea => Kinds::SEA,
            Word::Ice => Kinds::ICE,
            Word::Impassable => Kinds::IMPASSABLE,
            Word::Holed => Kinds::HOLE,
        }
    }

    /// Does it have all faces of its kinds?
    const fn is_whole(self) -> bool {
        !matches!(self, Word::Coastal | Word::Inland | Word::Centres | Word::Occupied)
    }
}

impl Who {
    /// The power, or the word.
    fn name(&self) -> &str {
        match self {
            Who::Power(_, name) => name,
            Who::Word(word) => word.name(),
        }
    }
}

/// Faces of the board at the start, by their names. If one is split, its halves take its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Their names, in the order of the file.
    pub names: Vec<String>,
    /// The faces at the start. The first half of a split face keeps its index.
    at_start: ProvinceSet,
    /// The index of the first face that a split would add to the board.
    first_added: ProvinceId,
}

impl Serialize for Places {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names.serialize(serializer)
    }
}

impl Places {
    /// The faces with these names on the board at the start.
    pub fn new(names: Vec<String>, at_start: ProvinceSet, map: &PlanarMap) -> Places {
        let first_added = ProvinceId(map.faces().count().try_into().unwrap_or(u8::MAX));
        Places { names, at_start, first_added }
    }

    /// The faces on the map as it is now.
    pub fn on(&self, map: &PlanarMap) -> ProvinceSet {
        if map.face(self.first_added).is_none() {
            return self.at_start; // nothing has been split
        }
        // A face of the board may have a dot in its name, too.
        let is_half = |half: &str| {
            let whole = whole_of(half);
            whole != half && self.names.iter().any(|name| name == whole)
        };
        let halves = map.faces().filter(|(id, face)| !self.at_start.contains(*id) && is_half(face.name()));
        self.at_start | halves.map(|(id, _)| id).collect()
    }
}

/// The kinds of faces that a set may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u8);

impl Kinds {
    /// None.
    pub const NONE: Kinds = Kinds(0);
    /// Open land.
    pub const LAND: Kinds = Kinds(1);
    /// Open sea.
    pub const SEA: Kinds = Kinds(2);
    /// Impassable faces that are not holes.
    pub const IMPASSABLE: Kinds = Kinds(4);
    /// Holes.
    pub const HOLE: Kinds = Kinds(8);
    /// Frozen seas that are not holes.
    pub const ICE: Kinds = Kinds(16);
    /// Where units can be.
    pub const PROVINCES: Kinds = Kinds::LAND.or(Kinds::SEA).or(Kinds::ICE);
    /// All kinds.
    pub const ALL: Kinds = Kinds(31);

    /// The kinds of either.
    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// The kinds of both.
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// The kinds of the first only.
    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// Is there no kind?
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Kinds::LAND, "land"),
            (Kinds::SEA, "sea"),
            (Kinds::ICE, "ice"),
            (Kinds::IMPASSABLE, "impassable faces"),
            (Kinds::HOLE, "holes"),
        ];
        let present = names.into_iter().filter(|(kind, _)| !self.and(*kind).is_none());
        let names: Vec<&str> = present.map(|(_, name)| name).collect();
        match &names[..] {
            [] => f.write_str("nothing"),
            [only] => f.write_str(only),
            [all @ .., last] => write!(f, "{} and {last}", all.join(", ")),
        }
    }
}

/// The open faces and holes of these kinds.
pub(super) fn of_kinds(kinds: Kinds, terrain: &MapTables) -> ProvinceSet {
    let (board, map) = (terrain.board(), terrain.chart().map());
    // Only what is asked for: some of it takes a look at every face.
    let faces = |kind: Kinds, faces: &dyn Fn() -> ProvinceSet| match kinds.and(kind).is_none() {
        true => ProvinceSet::EMPTY,
        false => faces(),
    };
    faces(Kinds::LAND, &|| *board.land() - *board.ice())
        | faces(Kinds::SEA, &|| *board.sea())
        | faces(Kinds::ICE, &|| *board.ice())
        | faces(Kinds::IMPASSABLE, &|| map.of_kind(FaceKind::Impassable) - map.holes())
        | faces(Kinds::HOLE, &|| map.holes())
}

impl Set {
    /// The kinds of faces that it may have. `of` gives those of the places that an entry has changed; `None` means that
    /// they are unknown, as those of a name are.
    pub fn kinds(&self, of: &dyn Fn(usize) -> Option<Kinds>) -> Option<Kinds> {
        match self {
            Set::Word(word) => Some(word.kinds()),
            Set::Place(_) | Set::Last(_) | Set::Of(Holding::Country, _) => None,
            Set::Near(_) | Set::Within(..) => Some(Kinds::ALL),
            Set::Idle(_) | Set::Of(Holding::Units, _) => Some(Kinds::PROVINCES),
            Set::Of(Holding::Home | Holding::Owned, _) => Some(Word::Centres.kinds()),
            Set::Group(group) => group.set.kinds(of),
            // What an entry has made land or sea may have become a hole since; a hole that comes back is no longer held.
            Set::Held(entry) => of(entry.index).filter(|kinds| *kinds == Kinds::HOLE),
            Set::New(entry) => of(entry.index),
            Set::Under(_) => Some(Kinds::HOLE),
            Set::Joined(operator, terms) => {
                let mut kinds = terms.iter().map(|term| term.kinds(of));
                let first = kinds.next()?;
                match operator {
                    Operator::Or => kinds.fold(first, |all, next| Some(all?.or(next?))),
                    Operator::And => kinds.fold(first, |all, next| match (all, next) {
                        (Some(all), Some(next)) => Some(all.and(next)),
                        (known, None) | (None, known) => known,
                    }),
                    // Only a word that has all faces of a kind removes the kind.
                    Operator::Without => terms[1..].iter().fold(first, |all, term| match term {
                        Set::Word(word) if word.is_whole() => Some(all?.without(word.kinds())),
                        _ => all,
                    }),
                }
            }
        }
    }

    /// The words, places and entries of which it is composed.
    fn leaves(&self) -> Vec<&Set> {
        match self {
            Set::Word(_)
            | Set::Place(_)
            | Set::Held(_)
            | Set::New(_)
            | Set::Last(_)
            | Set::Idle(_)
            | Set::Of(..) => vec![self],
            Set::Group(group) => group.set.leaves(),
            Set::Near(set) | Set::Within(_, set) | Set::Under(set) => set.leaves(),
            Set::Joined(_, terms) => terms.iter().flat_map(Set::leaves).collect(),
        }
    }

    /// The places of the board that may be in it because it names them.
    pub(super) fn listed(&self) -> Vec<&Places> {
        match self {
            Set::Place(places) => vec![places],
            Set::Group(group) => group.set.listed(),
            Set::Joined(Operator::Without, terms) => terms[0].listed(),
            Set::Joined(Operator::Or | Operator::And, terms) => terms.iter().flat_map(Set::listed).collect(),
            _ => Vec::new(),
        }
    }

    /// The entries that it names.
    pub fn named(&self) -> impl Iterator<Item = &EntryId> {
        self.leaves().into_iter().filter_map(|leaf| match leaf {
            Set::Held(entry) | Set::New(entry) | Set::Last(entry) => Some(entry),
            _ => None,
        })
    }

    /// The entries whose changes at the same point it names.
    pub fn named_new(&self) -> impl Iterator<Item = &EntryId> {
        self.leaves()
            .into_iter()
            .filter_map(|leaf| if let Set::New(entry) = leaf { Some(entry) } else { None })
    }

    /// Does it depend on the places that this entry has changed and that are still so?
    pub fn holds(&self, entry: usize) -> bool {
        self.leaves().iter().any(|leaf| matches!(leaf, Set::Held(held) if held.index == entry))
    }

    /// Does it depend on what this entry changed when it last acted?
    pub(super) fn remembers(&self, entry: usize) -> bool {
        self.leaves().iter().any(|leaf| matches!(leaf, Set::Last(last) if last.index == entry))
    }

    /// The number of past seasons on whose units it depends.
    pub(super) fn seasons(&self) -> usize {
        let seasons = |leaf: &Set| if let Set::Idle(seasons) = leaf { usize::from(seasons.get()) } else { 0 };
        self.leaves().into_iter().map(seasons).max().unwrap_or(0)
    }

    /// Does it depend only on the map?
    pub(super) fn is_of_map(&self) -> bool {
        let is_of_map = |leaf: &Set| match leaf {
            Set::Word(word) => *word != Word::Occupied,
            Set::Of(Holding::Home | Holding::Country, who) => {
                !matches!(who, Who::Word(Whose::Out | Whose::Leader))
            }
            leaf => matches!(leaf, Set::Place(_)),
        };
        self.leaves().into_iter().all(is_of_map)
    }

    /// Does it depend on countries?
    pub(super) fn has_countries(&self) -> bool {
        self.leaves().into_iter().any(|leaf| matches!(leaf, Set::Of(Holding::Country, _)))
    }

    /// The groups of which it is composed, each after those in it.
    pub(super) fn groups(&self) -> Vec<&Arc<Group>> {
        match self {
            Set::Group(group) => group.set.groups().into_iter().chain([group]).collect(),
            Set::Near(set) | Set::Within(_, set) | Set::Under(set) => set.groups(),
            Set::Joined(_, terms) => terms.iter().flat_map(Set::groups).collect(),
            _ => Vec::new(),
        }
    }

    /// Does it leave out all places that this entry has changed and that are still so?
    pub(super) fn spares(&self, entry: usize) -> bool {
        match self {
            Set::Joined(Operator::Without, terms) => {
                terms[0].spares(entry) || terms[1..].iter().any(|term| term.has_all_of(entry))
            }
            Set::Joined(Operator::And, terms) => terms.iter().any(|term| term.spares(entry)),
            Set::Joined(Operator::Or, terms) => terms.iter().all(|term| term.spares(entry)),
            Set::Group(group) => group.set.spares(entry),
            _ => false,
        }
    }

    /// Has it no supply centre, whatever the map is?
    pub(super) fn has_no_centre(&self) -> bool {
        match self {
            Set::Word(Word::Impassable | Word::Ice) => true,
            Set::Group(group) => group.set.has_no_centre(),
            Set::Joined(Operator::And, terms) => terms.iter().any(Set::has_no_centre),
            Set::Joined(Operator::Or, terms) => terms.iter().all(Set::has_no_centre),
            Set::Joined(Operator::Without, terms) => {
                terms[0].has_no_centre() || terms[1..].contains(&Set::Word(Word::Centres))
            }
            _ => false,
        }
    }

    /// Has it only supply centres, whatever the map is?
    pub(super) fn has_only_centres(&self) -> bool {
        match self {
            Set::Word(Word::Centres) | Set::Of(Holding::Home | Holding::Owned, _) => true,
            Set::Group(group) => group.set.has_only_centres(),
            Set::Joined(Operator::And, terms) => terms.iter().any(Set::has_only_centres),
            Set::Joined(Operator::Or, terms) => terms.iter().all(Set::has_only_centres),
            Set::Joined(Operator::Without, terms) => terms[0].has_only_centres(),
            _ => false,
        }
    }

    fn has_all_of(&self, entry: usize) -> bool {
        match self {
            Set::Held(held) => held.index == entry,
            Set::Group(group) => group.set.has_all_of(entry),
            Set::Joined(Operator::Or, terms) => terms.iter().any(|term| term.has_all_of(entry)),
            _ => false,
        }
    }
}

/// Every face but the Outside and the points of the board.
pub(super) fn faces(map: &PlanarMap) -> ProvinceSet {
    [FaceKind::Land, FaceKind::Sea, FaceKind::Ice, FaceKind::Impassable]
        .into_iter()
        .map(|kind| map.of_kind(kind))
        .collect()
}

/// The faces with a centre, extant or not.
pub(super) fn centres(chart: &NamedMap) -> ProvinceSet {
    let has_centre = |id: &ProvinceId| chart.info(*id).is_some_and(|info| info.supply_centre);
    chart.map().faces().map(|(id, _)| id).filter(has_centre).collect()
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::Word(word) => f.write_str(word.name()),
            Set::Place(places) => f.write_str(&places.names.join(" | ")),
            Set::Held(entry) => f.write_str(&entry.name),
            Set::New(entry) => write!(f, "new({})", entry.name),
            Set::Last(entry) => write!(f, "last({})", entry.name),
            Set::Group(group) => f.write_str(&group.name),
            Set::Near(set) => write!(f, "near({set})"),
            Set::Within(steps, set) => write!(f, "within({steps}, {set})"),
            Set::Under(set) => write!(f, "under({set})"),
            Set::Idle(seasons) => write!(f, "idle({seasons})"),
            Set::Of(holding, who) => write!(f, "{}({})", holding.name(), who.name()),
            Set::Joined(operator, terms) => {
                for (i, term) in terms.iter().enumerate() {
                    if i > 0 {
                        write!(f, " {} ", operator.name())?;
                    }
                    match term {
                        Set::Joined(..) => write!(f, "({term})")?,
                        _ => write!(f, "{term}")?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Borders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Borders([one, other]) = self;
        write!(f, "borders({one}, {other})")
    }
}

impl Serialize for Borders {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
