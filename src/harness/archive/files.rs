//! Files of saved games: a game a line, or one game over all lines. A game's text is not kept: it is read from the file
//! each time, and its hash shows whether the file is still the same.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, IgnoredAny};
use serde_json::error::Category;

use super::error::ArchiveError;
use upheaval_engine::diagnostic::{open_file, wording};

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
        return Err(ArchiveError::Changed(path.to_owned()));
    }
    read.map_err(|error| {
        let (path, line) = (path.to_owned(), at.line + (error.line() as u64).saturating_sub(1));
        let (what, column) = (wording::of_json(&error), error.column());
        match error.classify() {
            Category::Data => ArchiveError::Form { path, line, what },
            _ => ArchiveError::Json { path, line, column, what },
        }
    })
}
