//! A file of a run folder as the manifest lists it: it is read completely, and returned only if its bytes are the
//! listed ones.
//!
//! Part files are small, and computing BLAKE3 takes less time than decoding them, so a reader of a table need not
//! choose between a fast answer and a verified one.

use std::io::{self, Read};
use std::path::PathBuf;

use bytes::Bytes;

use super::regular::{Chunks, Readable, RunFile};

/// The known facts about a file before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// These bytes.
    Listed {
        /// Their number.
        bytes: u64,
        /// Their BLAKE3 in hexadecimal digits.
        blake3: String,
    },
    /// Nothing: the manifest does not list the file.
    Unlisted,
    /// Any bytes are accepted.
    Anything,
}

/// Why a file is not the listed one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListedMismatch {
    /// It has another length.
    #[error("it is not the file of the run: it has {found} bytes, but the manifest says {listed}")]
    Length {
        /// In the manifest.
        listed: u64,
        /// In the file.
        found: u64,
    },
    /// It has other bytes.
    #[error("it is not the file of the run: its hash is {found}, but the manifest says {listed}")]
    Hash {
        /// In the manifest.
        listed: String,
        /// Of the file.
        found: String,
    },
    /// The manifest does not list it.
    #[error("the manifest does not list it")]
    Unlisted,
}

impl ListedMismatch {
    /// The mismatch that an I/O error wraps, if there is one.
    pub fn of(error: &io::Error) -> Option<&ListedMismatch> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<ListedMismatch> for io::Error {
    fn from(error: ListedMismatch) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// A file of a run folder together with its entry in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    file: RunFile,
    expected: Expected,
}

impl ListedFile {
    /// This file, with the known facts about it.
    pub fn new(file: RunFile, expected: Expected) -> ListedFile {
        ListedFile { file, expected }
    }

    /// Does the manifest list it?
    pub fn is_listed(&self) -> bool {
        self.expected != Expected::Unlisted
    }

    /// All its bytes. At most as many as the manifest lists are read.
    ///
    /// # Errors
    /// As for a [`RunFile`], and a [`ListedMismatch`].
    pub fn read(&self) -> io::Result<Bytes> {
        let (most, blake3) = match &self.expected {
            Expected::Anything => return self.file.read().map(Bytes::from),
            Expected::Unlisted => return Err(ListedMismatch::Unlisted.into()),
            Expected::Listed { bytes, blake3 } => (*bytes, blake3),
        };
        let file = self.file.open()?;
        let length = file.metadata()?.len();
        let mismatch = |found| io::Error::from(ListedMismatch::Length { listed: most, found });
        if length != most {
            return Err(mismatch(length));
        }
        let mut read = Vec::new();
        // The file may grow in the meantime.
        file.take(most.saturating_add(1)).read_to_end(&mut read)?;
        if read.len() as u64 != most {
            return Err(mismatch(read.len() as u64));
        }
        let found = blake3::hash(&read).to_hex();
        match found.as_str() == blake3 {
            true => Ok(read.into()),
            false => Err(ListedMismatch::Hash { listed: blake3.clone(), found: found.to_string() }.into()),
        }
    }
}

impl Readable for ListedFile {
    fn chunks(&self) -> io::Result<Chunks> {
        self.read().map(Chunks::Bytes)
    }
    fn place(&self) -> PathBuf {
        self.file.place()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_given_out_if_they_are_the_listed_ones() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("part"), "seven").unwrap();
        let read = |expected| ListedFile::new(RunFile::new(dir.path(), "part"), expected).read();
        let listed =
            |bytes, of: &str| Expected::Listed { bytes, blake3: blake3::hash(of.as_bytes()).to_string() };
        assert_eq!(read(listed(5, "seven")).unwrap(), "seven");
        assert_eq!(read(Expected::Anything).unwrap(), "seven");
        for (expected, message) in [
            (listed(4, "seve"), "has 5 bytes, but the manifest says 4"),
            (listed(u64::MAX, "seven"), "has 5 bytes"),
            (listed(5, "eight"), "its hash is"),
            (Expected::Unlisted, "does not list it"),
        ] {
            let error = read(expected).unwrap_err();
            assert!(ListedMismatch::of(&error).is_some() && error.to_string().contains(message), "{error}");
        }
    }
}
