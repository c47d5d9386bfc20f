//! A file of a run folder as the manifest lists it: it is read completely, and returned only if its bytes are the
//! listed ones. A table is returned only if it says that it is of the run, too: a manifest can be written again.
//!
//! Part files are small, and computing BLAKE3 takes less time than decoding them, so a reader of a table need not
//! choose between a fast answer and a verified one.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;

use super::parquet::says;
use super::regular::{Chunks, Readable, RunFile};

/// The known facts about a file before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
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
#[error("{0}")]
pub struct ListedMismatch(String);

impl ListedMismatch {
    /// The mismatch that an I/O error wraps, if there is one.
    pub fn of(error: &io::Error) -> Option<&ListedMismatch> {
        error.get_ref()?.downcast_ref()
    }
}

fn mismatch(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, ListedMismatch(what))
}

/// What the tables of a run say of themselves in their metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableOrigin {
    experiment_hash: Arc<str>,
    are_in_place: bool,
}

impl TableOrigin {
    /// The origin of the tables of the experiment with this hash, each of which is in its place:
    /// `TABLE/variant=ARM/…`.
    pub(crate) fn of(experiment_hash: &str) -> TableOrigin {
        TableOrigin { experiment_hash: experiment_hash.into(), are_in_place: true }
    }

    /// The same, wherever the tables are.
    pub(crate) fn anywhere(self) -> TableOrigin {
        TableOrigin { are_in_place: false, ..self }
    }

    /// Compares it with the table in this place.
    ///
    /// # Errors
    /// The table is of another run or is another one, or cannot be read.
    pub(crate) fn check(&self, place: &str, table: &Chunks) -> io::Result<()> {
        let said = says(table)?;
        let mut parts = place.split('/');
        let name = parts.next().unwrap_or_default();
        let arm = parts.next().and_then(|part| part.strip_prefix("variant=")).unwrap_or_default();
        let right = [("experiment_hash", &*self.experiment_hash), ("table", name), ("variant", arm)];
        for (key, expected) in right.into_iter().take(if self.are_in_place { right.len() } else { 1 }) {
            let own = said.iter().find(|(said, _)| said.strip_prefix("upheaval.") == Some(key));
            let found = own.map_or("nothing", |(_, value)| value);
            if found != expected {
                return Err(mismatch(format!(
                    "it is not a table of this run: it says {found} in `upheaval.{key}`, not {expected}"
                )));
            }
        }
        Ok(())
    }
}

/// A file of a run folder together with its entry in the manifest, and the origin of the run's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    file: RunFile,
    expected: Expected,
    origin: TableOrigin,
}

impl ListedFile {
    /// This file, with the known facts about it. Tables are opened as [`Readable`].
    pub(crate) fn new(file: RunFile, expected: Expected, origin: TableOrigin) -> ListedFile {
        ListedFile { file, expected, origin }
    }

    /// All its bytes. At most as many as the manifest lists are read.
    ///
    /// # Errors
    /// As for a [`RunFile`], and a [`ListedMismatch`].
    pub fn read(&self) -> io::Result<Bytes> {
        let (most, blake3) = match &self.expected {
            Expected::Anything => return self.file.read().map(Bytes::from),
            Expected::Unlisted => return Err(mismatch("the manifest does not list it".to_owned())),
            Expected::Listed { bytes, blake3 } => (*bytes, blake3),
        };
        let file = self.file.open()?;
        let length = file.metadata()?.len();
        let other = |found: String| mismatch(format!("it is not the file of the run: {found}"));
        let other_length = |found| other(format!("it has {found} bytes, but the manifest says {most}"));
        if length != most {
            return Err(other_length(length));
        }
        let mut read = Vec::new();
        // The file may grow in the meantime.
        file.take(most.saturating_add(1)).read_to_end(&mut read)?;
        if read.len() as u64 != most {
            return Err(other_length(read.len() as u64));
        }
        let found = blake3::hash(&read).to_hex();
        match found.as_str() == blake3 {
            true => Ok(read.into()),
            false => Err(other(format!("its hash is {found}, but the manifest says {blake3}"))),
        }
    }
}

impl Readable for ListedFile {
    fn chunks(&self) -> io::Result<Chunks> {
        let chunks = self.read().map(Chunks::Bytes)?;
        self.origin.check(self.file.name(), &chunks)?;
        Ok(chunks)
    }
    fn place(&self) -> PathBuf {
        self.file.place()
    }
}

/// A table that another process has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentFile {
    /// Its path below the run folder.
    pub path: String,
    /// Its bytes.
    pub bytes: Bytes,
    /// The origin of the run's tables.
    pub origin: TableOrigin,
}

impl Readable for SentFile {
    fn chunks(&self) -> io::Result<Chunks> {
        let chunks = Chunks::Bytes(self.bytes.clone());
        self.origin.check(&self.path, &chunks)?;
        Ok(chunks)
    }
    fn place(&self) -> PathBuf {
        PathBuf::from(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::parquet::tests::encoded;
    use crate::record::rows::TurnRow;
    use crate::sim::mock;

    #[test]
    fn bytes_are_given_out_if_they_are_the_listed_ones() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("part"), "seven").unwrap();
        let origin = TableOrigin::of("ab");
        let read =
            |expected| ListedFile::new(RunFile::new(dir.path(), "part"), expected, origin.clone()).read();
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
    #[test]
    fn a_table_is_given_out_if_it_says_that_it_is_of_the_run_and_of_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let bytes = encoded::<TurnRow>(&[mock::game(0), mock::game(1)], 2).bytes;
        let open = |place: &str, origin: TableOrigin| {
            let path = dir.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
            let file = ListedFile::new(RunFile::new(dir.path(), place), Expected::Anything, origin);
            file.chunks().map(drop).map_err(|error| error.to_string())
        };
        let (right, ab) = ("turns/variant=standard/part-00000.parquet", || TableOrigin::of("ab"));
        assert_eq!(open(right, ab()), Ok(()));
        let games = "games/variant=standard/part-00000.parquet";
        let deluge = "turns/variant=deluge/part-00000.parquet";
        for (place, origin, message) in [
            (right, TableOrigin::of("cd"), "ab in `upheaval.experiment_hash`, not cd"),
            (games, ab(), "turns in `upheaval.table`, not games"),
            (deluge, ab(), "standard in `upheaval.variant`, not deluge"),
        ] {
            let told = format!("it is not a table of this run: it says {message}");
            assert_eq!(open(place, origin), Err(told));
        }
        assert_eq!(open(deluge, ab().anywhere()), Ok(()));
        assert!(open(right, TableOrigin::of("cd").anywhere()).is_err(), "the run is always compared");
    }
}
