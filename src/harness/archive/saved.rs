//! A saved game in its file, read in two passes: its own keys first, because they may come after the phases, and then
//! the phases one after the other. Neither pass keeps the text, and the second keeps no more than two turns.

use std::fmt;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::ArchiveError;
use super::files::{self, GameAt};
use super::sheet::{Closing, Page, ReadFault, Reason};
use super::{package, web};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::PowerNames;

/// The board of the games if no variant is named.
const STANDARD: &str = "standard";

/// Which boards saved games may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// The standard board alone.
    Standard,
    /// Any: all games are taken to be on the variant's own board, and a game on another board differs at its start.
    Any,
}

impl Boards {
    /// Its name in an experiment.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Boards::Standard => STANDARD,
            Boards::Any => "any",
        }
    }
}

const PHASES: &str = "phases";

/// The keys of a game that are read, apart from its phases.
const OWN: Keys = Keys(&[
    Key("id", Part::Whole),
    Key("map", Part::Whole),
    Key("gameID", Part::Whole),
    Key("variantID", Part::Whole),
    Key("gameOver", Part::Whole),
    Key("status", Part::Whole),
    Key("countryID", Part::Whole),
    Key("members", Part::Whole),
    Key(PHASES, Part::Presence),
]);

/// A saved game whose text is JSON.
pub(super) struct SavedGame<'a> {
    path: &'a Path,
    at: &'a GameAt,
    /// Its own keys.
    own: Map<String, Value>,
}

impl<'a> SavedGame<'a> {
    /// Reads the game's own keys.
    ///
    /// # Errors
    /// The file cannot be read, has changed, or is not JSON there.
    pub(super) fn open(path: &'a Path, at: &'a GameAt) -> Result<SavedGame<'a>, ArchiveError> {
        Ok(SavedGame { path, at, own: files::parse(path, at, OWN)? })
    }

    /// Its name in the file; empty if it has none.
    pub(super) fn id(&self) -> String {
        self.own.get("id").or(self.own.get("gameID")).map_or(String::new(), |id| match id {
            Value::String(id) => id.clone(),
            other => other.to_string(),
        })
    }

    /// A reader for its phases.
    pub(super) fn pages<'v>(&self, variant: &'v Variant, boards: Boards) -> Result<Pages<'v>, ReadFault> {
        let game = &self.own;
        let other = |what: String| Err(ReadFault::Game(Reason::OtherMap, what));
        if !game.contains_key(PHASES) {
            return Err(ReadFault::Form(
                "a saved game has `phases`, like the games of the package `diplomacy` and the answers `game/status` of \
                 webDiplomacy"
                    .to_owned(),
            ));
        }
        if game.contains_key("variantID") {
            let id = web::variant(game)?;
            return match id == web::CLASSIC && *variant.terrain.power_names() == PowerNames::standard() {
                true => Ok(Pages::Web(web::Pages::new(game)?)),
                false => other(format!(
                    "it has webDiplomacy's variant {id}; only {} is known, the standard board",
                    web::CLASSIC
                )),
            };
        }
        let map = package::map(game)?;
        match boards == Boards::Any || map == STANDARD {
            true => Ok(Pages::Package(Box::new(package::Pages::new(variant.terrain.names())))),
            false => other(format!("its board is `{map}`, not `{STANDARD}`; name a variant on that board")),
        }
    }

    /// Calls a function with each phase, of which only the keys are there that one of the forms has.
    ///
    /// # Errors
    /// The file cannot be read or has changed, or the function finds a fault of form, which refuses the file.
    pub(super) fn each_phase(
        &self,
        mut take: impl FnMut(Map<String, Value>) -> Result<(), ReadFault>,
    ) -> Result<Result<(), ReadFault>, ArchiveError> {
        let mut fault = None;
        let read = files::parse(self.path, self.at, Game(Phases { take: &mut take, fault: &mut fault }));
        match fault {
            Some(fault) => Ok(Err(fault)),
            None => read.map(Ok),
        }
    }

    /// The refusal of the file by this game.
    pub(super) fn refused(&self, what: String) -> ArchiveError {
        ArchiveError::Form { path: self.path.to_owned(), line: self.at.line, what }
    }
}

/// Makes the phases of a file into pages.
pub(super) enum Pages<'a> {
    Package(Box<package::Pages<'a>>),
    Web(web::Pages),
}

impl Pages<'_> {
    /// Takes the next phase, and returns the pages that are complete by now.
    pub(super) fn next(&mut self, phase: Map<String, Value>) -> Result<Vec<Page>, ReadFault> {
        match self {
            Pages::Package(pages) => pages.next(&phase),
            Pages::Web(pages) => pages.next(phase),
        }
    }

    /// The end of the file.
    pub(super) fn close(self) -> Result<Closing, ReadFault> {
        match self {
            Pages::Package(pages) => pages.close(),
            Pages::Web(pages) => pages.close(),
        }
    }
}

/// The keys of an object that are read. All others are passed over.
#[derive(Clone, Copy)]
struct Keys(&'static [Key]);

/// A key, and what is read of its value.
struct Key(&'static str, Part);

/// What is read of a value.
enum Part {
    Whole,
    /// These keys of an object.
    Keys(Keys),
    /// Only whether it is there.
    Presence,
}

impl<'de> DeserializeSeed<'de> for Keys {
    type Value = Map<String, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Keys {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let Some(Key(_, part)) = self.0.iter().find(|Key(name, _)| *name == key) else {
                object.next_value::<IgnoredAny>()?;
                continue;
            };
            if read.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            let value = match part {
                Part::Whole => object.next_value()?,
                Part::Keys(keys) => Value::Object(object.next_value_seed(*keys)?),
                Part::Presence => object.next_value::<IgnoredAny>().map(|_| Value::Null)?,
            };
            read.insert(key, value);
        }
        Ok(read)
    }
}

/// The keys of a phase in either form.
const OF_PHASE: Keys = Keys(&[
    Key("name", Part::Whole),
    Key("state", Part::Keys(OF_STATE)),
    Key("results", Part::Whole),
    Key("orders", Part::Whole),
    Key("turn", Part::Whole),
    Key("phase", Part::Whole),
    Key("units", Part::Whole),
    Key("centers", Part::Whole),
]);

const OF_STATE: Keys = Keys(&[
    Key("units", Part::Whole),
    Key("retreats", Part::Whole),
    Key("centers", Part::Whole),
    Key("note", Part::Whole),
]);

/// The object of a game, of which only the phases are read.
struct Game<'f, F>(Phases<'f, F>);

/// The list of phases.
struct Phases<'f, F> {
    take: &'f mut F,
    /// The fault of a phase, which ends the reading.
    fault: &'f mut Option<ReadFault>,
}

impl<'de, F: FnMut(Map<String, Value>) -> Result<(), ReadFault>> DeserializeSeed<'de> for Game<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(Map<String, Value>) -> Result<(), ReadFault>> Visitor<'de> for Game<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Game(Phases { take, fault }) = self;
        while let Some(key) = object.next_key::<String>()? {
            match key == PHASES {
                true => object.next_value_seed(Phases { take: &mut *take, fault: &mut *fault })?,
                false => object.next_value::<IgnoredAny>().map(|_| ())?,
            }
        }
        Ok(())
    }
}

impl<'de, F: FnMut(Map<String, Value>) -> Result<(), ReadFault>> DeserializeSeed<'de> for Phases<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(Map<String, Value>) -> Result<(), ReadFault>> Visitor<'de> for Phases<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(phase) = list.next_element_seed(OF_PHASE)? {
            if let Err(fault) = (self.take)(phase) {
                *self.fault = Some(fault);
                return Err(A::Error::custom("a phase has a fault"));
            }
        }
        Ok(())
    }
}
