//! Files of saved games: a game a line, or one game over all lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::error::ArchiveError;
use super::sheet::kind;
use upheaval_engine::diagnostic::open_file;

/// The position of a game in a file, and the hash of its text when it was first read.
#[derive(Clone, Debug)]
pub(super) struct GameAt {
    /// The file, by its index in the list of files.
    pub file: usize,
    /// The line on which it begins, from 1.
    pub line: u64,
    offset: u64,
    bytes: usize,
    hash: blake3::Hash,
}

/// A file that is read from its start, game by game.
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

impl Games {
    pub fn open(path: &Path, file: usize) -> Result<Games, ArchiveError> {
        let opened = open_file(path).map_err(ArchiveError::unreadable(path))?;
        Ok(Games {
            path: path.to_owned(),
            file,
            reader: BufReader::new(opened),
            hasher: blake3::Hasher::new(),
            line: 0,
            offset: 0,
            any: false,
        })
    }

    /// The next game's text.
    pub fn next(&mut self) -> Result<Option<(GameAt, Vec<u8>)>, ArchiveError> {
        loop {
            let (line, offset) = (self.line + 1, self.offset);
            let mut text = Vec::new();
            let read =
                self.reader.read_until(b'\n', &mut text).map_err(ArchiveError::unreadable(&self.path))?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            let is_first = !self.any && !text.trim_ascii().is_empty();
            if is_first && is_cut(&text) {
                // The first line is not a whole game: the file is one game over several lines.
                self.reader.read_to_end(&mut text).map_err(ArchiveError::unreadable(&self.path))?;
            }
            self.hasher.update(&text);
            self.offset += text.len() as u64;
            if text.trim_ascii().is_empty() {
                continue;
            }
            self.any = true;
            let at = GameAt { file: self.file, line, offset, bytes: text.len(), hash: blake3::hash(&text) };
            return Ok(Some((at, text)));
        }
    }

    /// The bytes that were read, and their hash.
    pub fn read(&self) -> (u64, String) {
        (self.offset, self.hasher.finalize().to_hex().to_string())
    }
}

/// Is it an incomplete JSON text?
fn is_cut(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_err_and(|error| error.is_eof())
}

/// The text of a game that was read before.
pub(super) fn again(path: &Path, at: &GameAt) -> Result<Vec<u8>, ArchiveError> {
    let mut file = open_file(path).map_err(ArchiveError::unreadable(path))?;
    let mut text = vec![0; at.bytes];
    let read = file.seek(SeekFrom::Start(at.offset)).and_then(|_| file.read_exact(&mut text));
    match read {
        Ok(()) if blake3::hash(&text) == at.hash => Ok(text),
        Ok(()) => Err(ArchiveError::Changed(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(ArchiveError::Changed(path.to_owned()))
        }
        Err(error) => Err(ArchiveError::unreadable(path)(error)),
    }
}

/// The JSON object of a game.
pub(super) fn object(path: &Path, at: &GameAt, text: &[u8]) -> Result<Map<String, Value>, ArchiveError> {
    match serde_json::from_slice(text) {
        Ok(Value::Object(game)) => Ok(game),
        Ok(other) => {
            Err(form(path, at, format!("a saved game is a JSON object, and this is {}", kind(&other))))
        }
        Err(error) => {
            let said = error.to_string();
            Err(ArchiveError::Json {
                path: path.to_owned(),
                line: at.line + (error.line() as u64).saturating_sub(1),
                column: error.column(),
                what: said.split(" at line ").next().unwrap_or(&said).to_owned(),
            })
        }
    }
}

/// The refusal of a file by one of its games.
pub(super) fn form(path: &Path, at: &GameAt, what: String) -> ArchiveError {
    ArchiveError::Form { path: path.to_owned(), line: at.line, what }
}
