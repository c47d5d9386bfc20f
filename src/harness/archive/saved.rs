//! A saved game in its file, read in two passes: its own keys first, because they may come after the phases, and then
//! the phases one after the other. Neither pass keeps the text, and the second keeps no more than two turns.
//!
//! A file has a game a line, or one game over all lines. A game's text is not kept: it is read from the file each time,
//! and its hash shows whether the file is still the same.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::{fmt, io};

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};
use upheaval_engine::diagnostic::{open_file, wording};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::PowerNames;

use super::sheet::{Closing, Page, ReadFault, Reason};
use crate::archive::{package, web};
use crate::sim::{OutputError, PlayError};

/// The board of the games if no variant is named.
const STANDARD: &str = "standard";

/// Which boards saved games may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Boards {
    /// Only the standard board.
    Standard,
    /// Any: all games are taken to be on the variant's own board, and a game on another board differs at its start.
    Any,
}

const PHASES: &str = "phases";

/// The keys of a game that are read, apart from its phases.
const OWN: Keys = Keys {
    whole: &["id", "map", "gameID", "variantID", "gameOver", "status", "countryID", "members"],
    parts: &[(PHASES, Part::Presence)],
};

/// The keys of a phase in either form.
const OF_PHASE: Keys = Keys {
    whole: &["name", "results", "orders", "turn", "phase", "units", "centers"],
    parts: &[("state", Part::Keys(OF_STATE))],
};

const OF_STATE: Keys = Keys { whole: &["units", "retreats", "centers", "note"], parts: &[] };

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
        Ok(SavedGame { path, at, own: parse(path, at, OWN)? })
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
                "a saved game must have `phases`, like the games of the package `diplomacy` and the answers \
                 `game/status` of webDiplomacy"
                    .to_owned(),
            ));
        }
        if game.contains_key("variantID") {
            let id = web::variant(game)?;
            return match id == web::CLASSIC && *variant.terrain.power_names() == PowerNames::standard() {
                true => Ok(Pages::Web(web::Pages::new(game)?)),
                false => other(format!(
                    "it has webDiplomacy's variant {id}; only variant {} is known, the standard board",
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
        let read = parse(self.path, self.at, Game(Phases { take: &mut take, fault: &mut fault }));
        match fault {
            Some(fault) => Ok(Err(fault)),
            None => read.map(Ok),
        }
    }

    /// The refusal of the file by this game.
    pub(super) fn refused(&self, what: String) -> ArchiveError {
        ArchiveError::Files(format!("{}:{}: {what}", self.path.display(), self.at.line))
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
struct Keys {
    /// Those with values that are read whole.
    whole: &'static [&'static str],
    parts: &'static [(&'static str, Part)],
}

/// What is read of a value that is not read whole.
enum Part {
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
            if read.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            let part = self.parts.iter().find(|(name, _)| *name == key).map(|(_, part)| part);
            let value = match part {
                Some(Part::Keys(keys)) => Value::Object(object.next_value_seed(*keys)?),
                Some(Part::Presence) => object.next_value::<IgnoredAny>().map(|_| Value::Null)?,
                None if self.whole.contains(&&*key) => object.next_value()?,
                None => {
                    object.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            read.insert(key, value);
        }
        Ok(read)
    }
}

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

/// How many bytes of a file are read at once.
const PIECE: usize = 64 << 10;

/// The number of bytes up to which a game's text is parsed as a whole, which is several times as fast.
const SMALL: u64 = 1 << 20;

/// The position of a game in a file, and the hash of its text when it was first read.
#[derive(Clone, Debug)]
pub(super) struct GameAt {
    /// The file, by its index in the list of files.
    pub file: usize,
    /// The line on which it begins, from 1.
    pub line: u64,
    offset: u64,
    bytes: u64,
    hash: blake3::Hash,
}

/// A file whose games are looked for from its start.
pub(super) struct Games {
    path: PathBuf,
    file: usize,
    reader: BufReader<File>,
    hasher: blake3::Hasher,
    line: u64,
    offset: u64,
    /// Has the file contained a game so far?
    any: bool,
}

/// A part of a file that was passed.
struct Passed {
    hasher: blake3::Hasher,
    bytes: u64,
    /// Has it nothing but white space?
    is_blank: bool,
}

impl Games {
    pub(super) fn open(path: &Path, file: usize) -> Result<Games, ArchiveError> {
        let opened = open_file(path).map_err(ArchiveError::unreadable(path))?;
        Ok(Games {
            path: path.to_owned(),
            file,
            reader: BufReader::with_capacity(PIECE, opened),
            hasher: blake3::Hasher::new(),
            line: 0,
            offset: 0,
            any: false,
        })
    }

    /// The next game.
    pub(super) fn next(&mut self) -> Result<Option<GameAt>, ArchiveError> {
        loop {
            let (line, offset) = (self.line + 1, self.offset);
            let mut passed = Passed { hasher: blake3::Hasher::new(), bytes: 0, is_blank: true };
            self.pass(&mut passed, Some(b'\n'))?;
            if passed.bytes == 0 {
                return Ok(None);
            }
            self.line += 1;
            if passed.is_blank {
                continue;
            }
            if !self.any && is_cut(&self.path, offset, passed.bytes)? {
                // The first line is not a whole game: the file is one game over several lines.
                self.pass(&mut passed, None)?;
            }
            self.any = true;
            let (bytes, hash) = (passed.bytes, passed.hasher.finalize());
            return Ok(Some(GameAt { file: self.file, line, offset, bytes, hash }));
        }
    }

    /// Passes the file up to this byte, and with it; or to its end.
    fn pass(&mut self, passed: &mut Passed, end: Option<u8>) -> Result<(), ArchiveError> {
        loop {
            let piece = self.reader.fill_buf().map_err(ArchiveError::unreadable(&self.path))?;
            let found = end.and_then(|end| piece.iter().position(|&byte| byte == end));
            let piece = &piece[..found.map_or(piece.len(), |at| at + 1)];
            self.hasher.update(piece);
            passed.hasher.update(piece);
            passed.is_blank &= piece.trim_ascii().is_empty();
            let bytes = piece.len();
            passed.bytes += bytes as u64;
            self.offset += bytes as u64;
            self.reader.consume(bytes);
            if bytes == 0 || found.is_some() {
                return Ok(());
            }
        }
    }

    /// The bytes that were read, and their hash.
    pub(super) fn read(&self) -> (u64, String) {
        (self.offset, self.hasher.finalize().to_hex().to_string())
    }
}

/// Is this part of a file an incomplete JSON text?
fn is_cut(path: &Path, offset: u64, bytes: u64) -> Result<bool, ArchiveError> {
    let text = Hashed::text(path, offset, bytes)?;
    Ok(serde_json::from_reader::<_, IgnoredAny>(text).is_err_and(|error| error.is_eof()))
}

/// A part of a file as a stream, with the hash of what was read.
type Text = BufReader<Hashed>;

struct Hashed {
    part: Take<File>,
    hasher: blake3::Hasher,
}

impl Hashed {
    fn text(path: &Path, offset: u64, bytes: u64) -> Result<Text, ArchiveError> {
        let mut file = open_file(path).map_err(ArchiveError::unreadable(path))?;
        file.seek(SeekFrom::Start(offset)).map_err(ArchiveError::unreadable(path))?;
        let hashed = Hashed { part: file.take(bytes), hasher: blake3::Hasher::new() };
        Ok(BufReader::with_capacity(PIECE, hashed))
    }
}

impl Read for Hashed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.part.read(into)?;
        self.hasher.update(&into[..bytes]);
        Ok(bytes)
    }
}

/// Reads a value and the end of the text after it.
fn value<'de, R, S>(mut json: serde_json::Deserializer<R>, seed: S) -> serde_json::Result<S::Value>
where
    R: serde_json::de::Read<'de>,
    S: DeserializeSeed<'de>,
{
    let value = seed.deserialize(&mut json)?;
    json.end()?;
    Ok(value)
}

/// Reads a value from the JSON of a game.
///
/// # Errors
/// The file cannot be read or has changed since the game was found; its text there is not JSON, or has another form.
pub(super) fn parse<S, T>(path: &Path, at: &GameAt, seed: S) -> Result<T, ArchiveError>
where
    S: for<'de> DeserializeSeed<'de, Value = T>,
{
    let mut text = Hashed::text(path, at.offset, at.bytes)?;
    let read = if at.bytes <= SMALL {
        let mut whole = Vec::new();
        text.read_to_end(&mut whole).map_err(ArchiveError::unreadable(path))?;
        value(serde_json::Deserializer::from_slice(&whole), seed)
    } else {
        let read = value(serde_json::Deserializer::from_reader(&mut text), seed);
        io::copy(&mut text, &mut io::sink()).map_err(ArchiveError::unreadable(path))?;
        read
    };
    if text.get_ref().hasher.finalize() != at.hash {
        return Err(ArchiveError::changed(path));
    }
    read.map_err(|error| {
        let (path, line) = (path.display(), at.line + (error.line() as u64).saturating_sub(1));
        let (what, column) = (wording::of_json(&error), error.column());
        ArchiveError::Files(match error.classify() {
            Category::Data => format!("{path}:{line}: {what}"),
            _ => format!(
                "{path}:{line}:{column}: this is not JSON: {what}; a file has a saved game on each line, or one game \
                 over all lines"
            ),
        })
    })
}

/// Why files of saved games cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file cannot be read, or not as saved games: where, what is wrong, and what would be right.
    #[error("{0}")]
    Files(String),
    /// The name cannot be the name of a folder.
    #[error(
        "`{0}` is not a valid name for a run: 1 to 64 letters, digits, `-`, `_` or `.`, not `-` or `.` first"
    )]
    Name(String),
    /// The variant's board changes.
    #[error(
        "the board of `{0}` changes during play, and saved games do not record how: name a variant on a fixed board"
    )]
    ChangingBoard(String),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] PlayError),
    /// The run folder cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl ArchiveError {
    pub(super) fn unreadable(path: &Path) -> impl Fn(io::Error) -> ArchiveError {
        move |error| ArchiveError::Files(format!("cannot read `{}`: {error}", path.display()))
    }

    /// A file was changed while it was read.
    pub(super) fn changed(path: &Path) -> ArchiveError {
        ArchiveError::Files(format!("`{}` was changed while it was read: import it again", path.display()))
    }
}
