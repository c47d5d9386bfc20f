//! Sets of places, as entries name them: `provinces - spared`.
//!
//! ```text
//!   set   = term { OP term }       OP: | or & or -, with a blank on each side; the same throughout, else parentheses
//!   term  = PROVINCE | WORD | id | new(id) | under(set) | (set)
//!   WORD  = all | provinces | land | sea | impassable | holed | centres
//! ```
//! A set is read once into a [`Set`] and evaluated by operations on bits whenever an entry acts.

use std::fmt;
use std::ops::Range;

use serde::{Serialize, Serializer};
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::{FaceKind, NamedMap, PlanarMap, whole_of};
use upheaval_map::wording::suggest;

use crate::rules::map_tables::MapTables;

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
    /// The holes that would be in the set if they were open.
    Under(Box<Set>),
    /// The terms, joined by the operator from left to right; at least two.
    Joined(Operator, Vec<Set>),
}

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

/// Words that no entry can have as its id: they mean something in the language, or will.
pub(super) const RESERVED: [&str; 27] = [
    "new", "under", "last", "near", "within", "idle", "borders", "pairs", "home", "owned", "country",
    "units", "self", "any", "nobody", "out", "leader", "ice", "coastal", "inland", "occupied", "raise",
    "ruin", "freeze", "wall", "dig", "link",
];

upheaval_map::named! {
    /// A word for a set of faces. The Outside and the points of a board are in none of them.
    pub enum Word {
        /// Every face, open or a hole.
        All = "all",
        /// Open land and sea.
        Provinces = "provinces",
        /// Open land.
        Land = "land",
        /// Open sea.
        Sea = "sea",
        /// Impassable faces that are not holes.
        Impassable = "impassable",
        /// Holes.
        Holed = "holed",
        /// Supply centres that exist.
        Centres = "centres",
    }
}

impl Word {
    /// The kinds of faces in it.
    const fn kinds(self) -> Kinds {
        match self {
            Word::All => Kinds::ALL,
            Word::Provinces | Word::Centres => Kinds::LAND.or(Kinds::SEA),
            Word::Land => Kinds::LAND,
            Word::Sea => Kinds::SEA,
            Word::Impassable => Kinds::IMPASSABLE,
            Word::Holed => Kinds::HOLE,
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
    /// All kinds.
    pub const ALL: Kinds = Kinds(15);

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
            (Kinds::IMPASSABLE, "impassable faces"),
            (Kinds::HOLE, "holes"),
        ];
        let present = names.into_iter().filter(|(kind, _)| !self.and(*kind).is_none());
        f.write_str(&present.map(|(_, name)| name).collect::<Vec<_>>().join(" and "))
    }
}

/// The open faces and holes of these kinds.
pub(super) fn of_kinds(kinds: Kinds, terrain: &MapTables) -> ProvinceSet {
    let (board, map) = (terrain.board(), terrain.chart().map());
    let all = [
        (Kinds::LAND, *board.land() - *board.ice()),
        (Kinds::SEA, *board.sea()),
        (Kinds::IMPASSABLE, map.of_kind(FaceKind::Impassable) - map.holes()),
        (Kinds::HOLE, map.holes()),
    ];
    let present = all.into_iter().filter(|(kind, _)| !kinds.and(*kind).is_none());
    present.map(|(_, faces)| faces).collect()
}

/// Where a set is evaluated.
pub trait Scene {
    /// The ground.
    fn terrain(&self) -> &MapTables;
    /// The places that an entry has changed and that are still so.
    fn held(&self, entry: usize) -> ProvinceSet;
    /// The places that an entry has changed at this point.
    fn fresh(&self, entry: usize) -> ProvinceSet;
}

impl Set {
    /// The faces of the set.
    pub fn faces(&self, scene: &dyn Scene) -> ProvinceSet {
        let terrain = scene.terrain();
        match self {
            Set::Word(Word::Centres) => *terrain.centres(),
            Set::Word(word) => of_kinds(word.kinds(), terrain),
            Set::Place(places) => places.on(terrain.chart().map()),
            Set::Held(entry) => scene.held(entry.index),
            Set::New(entry) => scene.fresh(entry.index),
            Set::Under(set) => set.under(scene),
            Set::Joined(operator, terms) => joined(*operator, terms, |term| term.faces(scene)),
        }
    }

    /// The holes that would be in the set if they were open.
    fn under(&self, scene: &dyn Scene) -> ProvinceSet {
        let chart = scene.terrain().chart();
        let (map, holes) = (chart.map(), chart.map().holes());
        let (land, sea) = (map.of_kind(FaceKind::Land) & holes, map.of_kind(FaceKind::Sea) & holes);
        match self {
            Set::Word(Word::All) => holes,
            Set::Word(Word::Provinces) => land | sea,
            Set::Word(Word::Land) => land,
            Set::Word(Word::Sea) => sea,
            Set::Word(Word::Impassable) => map.of_kind(FaceKind::Impassable) & holes,
            Set::Word(Word::Centres) => (land | sea) & centres(chart),
            Set::Word(Word::Holed) | Set::Under(_) => ProvinceSet::EMPTY,
            Set::Place(_) | Set::Held(_) | Set::New(_) => self.faces(scene) & holes,
            Set::Joined(operator, terms) => joined(*operator, terms, |term| term.under(scene)),
        }
    }

    /// The kinds of faces that it may have. `of` gives those of the places that an entry has changed; `None` means that
    /// they are unknown, as those of a name are.
    pub fn kinds(&self, of: &dyn Fn(usize) -> Option<Kinds>) -> Option<Kinds> {
        match self {
            Set::Word(word) => Some(word.kinds()),
            Set::Place(_) => None,
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
                        Set::Word(word) if *word != Word::Centres => Some(all?.without(word.kinds())),
                        _ => all,
                    }),
                }
            }
        }
    }

    /// The words, places and entries of which it is composed.
    fn leaves(&self) -> Vec<&Set> {
        match self {
            Set::Word(_) | Set::Place(_) | Set::Held(_) | Set::New(_) => vec![self],
            Set::Under(set) => set.leaves(),
            Set::Joined(_, terms) => terms.iter().flat_map(Set::leaves).collect(),
        }
    }

    /// The entries that it names.
    pub fn named(&self) -> impl Iterator<Item = &EntryId> {
        self.leaves().into_iter().filter_map(|leaf| match leaf {
            Set::Held(entry) | Set::New(entry) => Some(entry),
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

    /// Does it leave out all places that this entry has changed and that are still so?
    pub(super) fn spares(&self, entry: usize) -> bool {
        match self {
            Set::Joined(Operator::Without, terms) => {
                terms[0].spares(entry) || terms[1..].iter().any(|term| term.has_all_of(entry))
            }
            Set::Joined(Operator::And, terms) => terms.iter().any(|term| term.spares(entry)),
            Set::Joined(Operator::Or, terms) => terms.iter().all(|term| term.spares(entry)),
            Set::Word(_) | Set::Place(_) | Set::Held(_) | Set::New(_) | Set::Under(_) => false,
        }
    }

    fn has_all_of(&self, entry: usize) -> bool {
        match self {
            Set::Held(held) => held.index == entry,
            Set::Joined(Operator::Or, terms) => terms.iter().any(|term| term.has_all_of(entry)),
            _ => false,
        }
    }
}

fn joined(operator: Operator, terms: &[Set], faces: impl Fn(&Set) -> ProvinceSet) -> ProvinceSet {
    let mut terms = terms.iter().map(faces);
    let first = terms.next().unwrap_or(ProvinceSet::EMPTY);
    terms.fold(first, |all, next| match operator {
        Operator::Or => all | next,
        Operator::And => all & next,
        Operator::Without => all - next,
    })
}

/// Every face but the Outside and the points of the board.
pub(super) fn faces(map: &PlanarMap) -> ProvinceSet {
    let kinds = [FaceKind::Land, FaceKind::Sea, FaceKind::Impassable, FaceKind::Ice];
    kinds.into_iter().map(|kind| map.of_kind(kind)).collect()
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
            Set::Under(set) => write!(f, "under({set})"),
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

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What the names in a set may mean.
pub struct Names<'a> {
    /// The board at the start.
    pub map: &'a PlanarMap,
    /// The ids of the entries, in the order of the file.
    pub ids: &'a [&'a str],
    /// The index of the entry that has the set.
    pub entry: usize,
}

/// A fault in the text of a set: where, in bytes, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetFault {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
    /// Is it the name of a place that is not on the board?
    pub is_name: bool,
}

/// The deepest nesting of parentheses.
const DEEPEST: usize = 20;

/// Reads the text of a set.
///
/// # Errors
/// All names that are unknown; or the first fault of the grammar.
pub fn parse(text: &str, names: &Names<'_>) -> Result<Set, Vec<SetFault>> {
    let mut parser = Parser { text, at: 0, names, unknown: Vec::new(), depth: 0 };
    let set = parser.set().and_then(|set| match parser.next() {
        None => Ok(set),
        Some((at, token)) => Err(fault(at, unexpected(token, "an operator goes between two sets"))),
    });
    match set {
        Err(fault) => {
            parser.unknown.push(fault);
            Err(parser.unknown)
        }
        Ok(_) if !parser.unknown.is_empty() => Err(parser.unknown),
        Ok(set) => Ok(set),
    }
}

fn fault(at: Range<usize>, message: impl Into<String>) -> SetFault {
    SetFault { at, message: message.into(), is_name: false }
}

/// What to say of a word where none is expected.
fn unexpected(token: &str, right: &str) -> String {
    match Operator::NAMES.iter().find(|text| token.len() > 1 && token.starts_with(**text)) {
        Some(operator) => {
            format!("`{token}` is not expected here; write a blank on each side of `{operator}`")
        }
        None => format!("`{token}` is not expected here; {right}"),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a Names<'a>,
    unknown: Vec<SetFault>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The next token without taking it: a parenthesis, or what stands between blanks and parentheses.
    fn peek(&self) -> Option<(Range<usize>, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
        };
        Some((start..start + length, &rest[..length]))
    }

    fn next(&mut self) -> Option<(Range<usize>, &'a str)> {
        let (at, token) = self.peek()?;
        self.at = at.end;
        Some((at, token))
    }

    fn set(&mut self) -> Result<Set, SetFault> {
        let first = self.term()?;
        let mut terms = vec![first];
        let mut joined: Option<Operator> = None;
        while let Some((at, token)) = self.peek() {
            let Some(operator) = Operator::ALL.into_iter().find(|known| known.name() == token) else { break };
            if let Some(other) = joined.filter(|other| *other != operator) {
                let both =
                    format!("`{}` and `{token}` need parentheses to say which comes first", other.name());
                return Err(fault(at, both));
            }
            joined = Some(operator);
            self.at = at.end;
            terms.push(self.term()?);
        }
        Ok(match joined {
            Some(operator) => Set::Joined(operator, terms),
            None => terms.remove(0),
        })
    }

    fn term(&mut self) -> Result<Set, SetFault> {
        let end = self.text.len();
        let Some((at, token)) = self.next() else {
            return Err(fault(end..end, "a set is missing here, such as `provinces`"));
        };
        match token {
            "(" => self.within(&at),
            "under" if self.opens() => Ok(Set::Under(Box::new(self.within(&at)?))),
            "new" if self.opens() => self.new_of(),
            _ => Ok(self.named(at, token)),
        }
    }

    /// Takes an opening parenthesis, if it follows.
    fn opens(&mut self) -> bool {
        let opens = self.peek().filter(|(_, token)| *token == "(");
        opens.map(|(at, _)| self.at = at.end).is_some()
    }

    /// A set and the parenthesis that closes it.
    fn within(&mut self, opened: &Range<usize>) -> Result<Set, SetFault> {
        if self.depth == DEEPEST {
            return Err(fault(opened.clone(), format!("more than {DEEPEST} parentheses within each other")));
        }
        self.depth += 1;
        let set = self.set()?;
        self.depth -= 1;
        match self.next() {
            Some((_, ")")) => Ok(set),
            Some((at, token)) => {
                Err(fault(at, unexpected(token, "write `|`, `&` or `-` between sets, or `)`")))
            }
            None => Err(fault(opened.clone(), "the parenthesis is not closed")),
        }
    }

    fn new_of(&mut self) -> Result<Set, SetFault> {
        let end = self.text.len();
        let Some((at, id)) = self.next().filter(|(_, token)| !["(", ")"].contains(token)) else {
            return Err(fault(self.at.min(end)..end, "`new(…)` needs the id of an earlier entry"));
        };
        let earlier = &self.names.ids[..self.names.entry];
        let set = match self.entry(id) {
            Some(entry) if entry.index < self.names.entry => Set::New(entry),
            found => {
                let known = suggest(id, earlier.iter().copied());
                let what = if found.is_some() { "acts later" } else { "does not exist" };
                let message = format!("`new({id})` needs an earlier entry, and `{id}` {what}; {known}");
                self.unknown.push(fault(at, message));
                Set::Word(Word::All)
            }
        };
        match self.next() {
            Some((_, ")")) => Ok(set),
            Some((at, _)) => Err(fault(at, "`new(…)` takes one id")),
            None => Err(fault(end..end, "the parenthesis is not closed")),
        }
    }

    fn entry(&self, id: &str) -> Option<EntryId> {
        let index = self.names.ids.iter().position(|known| *known == id)?;
        Some(EntryId { index, name: id.to_owned() })
    }

    /// A word, an id or a place. An unknown name is noted.
    fn named(&mut self, at: Range<usize>, token: &str) -> Set {
        if let Some(word) = Word::ALL.into_iter().find(|word| word.name() == token) {
            return Set::Word(word);
        }
        if let Some(entry) = self.entry(token) {
            return Set::Held(entry);
        }
        let code = token.to_ascii_uppercase();
        let is_place = |id: &ProvinceId| faces(self.names.map).contains(*id);
        if let Some(id) = self.names.map.find(&code).filter(is_place) {
            return Set::Place(Places::new(vec![code], ProvinceSet::single(id), self.names.map));
        }
        let words = Word::NAMES.iter().copied().chain(["new(…)", "under(…)"]);
        let message = match Operator::NAMES.iter().find(|text| token.len() > 1 && token.contains(**text)) {
            Some(operator) if *operator != "-" || token.starts_with('-') || token.ends_with('-') => {
                format!("`{token}` is not a set; write a blank on each side of `{operator}`")
            }
            _ => {
                let known = suggest(token, words.chain(self.names.ids.iter().copied()));
                format!(
                    "`{token}` is neither a word, nor the id of an entry, nor a place of the board; {known}"
                )
            }
        };
        self.unknown.push(SetFault { at, message, is_name: true });
        Set::Word(Word::All)
    }
}
