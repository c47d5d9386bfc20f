//! The finished part of a run in progress: a file beside its hidden folder, with a line for each chunk of games.
//!
//! ```text
//! {"experiment_hash":"…","program":"upheaval version 0.1.0","started":"2026-01-31T23:59:59Z","resolved":"…"}
//! {"variant":0,"repeatable":true,"files":[{"path":"games/variant=standard/part-00000.parquet","rows":1024,…},…]}
//! ```
//! A chunk is entered once all its files are on disk under their names. Listed files therefore count, all others are
//! discarded, and an incomplete line shows that the process was killed while writing. The process keeps the file
//! locked, and its end releases the lock. A journal that can be locked therefore belongs to no living process.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::manifest::FileEntry;
use crate::record::CREATED_BY;
use crate::record::regular::{Access, open_below};
use crate::sim::part::Encoder;
use crate::sim::resolved::Canonical;
use crate::sim::schedule::Chunk;

/// How often to retry with a journal that vanishes while it is being locked, or is locked for a moment.
const ATTEMPTS: usize = 10;

/// How long to wait for a locked journal: a process that only reads keeps it locked for less.
const WAIT: Duration = Duration::from_millis(20);

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The experiment's hash.
    pub experiment_hash: String,
    /// The program that writes the files.
    pub program: String,
    /// When the run was first started, in UTC.
    pub started: String,
    /// The text of the run's `experiment.resolved.json`, for comparison with a changed experiment.
    pub resolved: String,
}

impl Head {
    /// The first line of a run of this experiment by this program.
    pub(crate) fn new(canonical: &Canonical, started: &str) -> Head {
        Head {
            experiment_hash: canonical.hash.clone(),
            program: CREATED_BY.to_owned(),
            started: started.to_owned(),
            resolved: canonical.text.clone(),
        }
    }
}

/// A finished chunk of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The variant.
    pub variant: usize,
    /// Can all its games be played again with the same result ([`crate::record::GameRow::hangs_on_time`])?
    pub repeatable: bool,
    /// Its files.
    pub files: Vec<FileEntry>,
}

impl Entry {
    /// Does it list exactly the files of this chunk?
    pub(crate) fn is_of(&self, chunk: &Chunk, encoder: &Encoder) -> bool {
        self.variant == chunk.variant && encoder.are_files_of(chunk, &self.files)
    }
}

/// A journal that is locked by this process.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Its length with each number of entries.
    ends: Vec<u64>,
}

/// The beginning of the first line of every journal.
const BEGINNING: &[u8] = b"{\"experiment_hash\":\"";

/// The owner of a file with the name of a journal, by its first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Author {
    /// A run: the first line is complete.
    Run,
    /// A run that was killed before its first line was complete: the file is empty, or contains the beginning of one.
    #[default]
    Beginner,
    /// Something else.
    Stranger,
}

/// The contents of a journal.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The owner.
    pub author: Author,
    /// The first line, if it is complete.
    pub head: Option<Head>,
    /// The entries before the first incomplete one.
    pub entries: Vec<Entry>,
}

impl Journal {
    /// Opens the journal of a run, or creates one, and locks it; `None` if another process has it. A file that does not
    /// begin as a journal is not changed: another file takes its name.
    pub(crate) fn claim(path: &Path) -> io::Result<Option<(Journal, Contents)>> {
        for _ in 0..ATTEMPTS {
            let Some((mut journal, contents)) = Journal::lock(path, Access::AppendOrCreate)? else {
                return Ok(None);
            };
            match contents.author {
                Author::Run => {
                    // The rest of an incomplete line would precede the next.
                    journal.keep(contents.entries.len())?;
                    return Ok(Some((journal, contents)));
                }
                _ if journal.file.metadata()?.len() == 0 => return Ok(Some((journal, contents))),
                _ => journal.remove(),
            }
        }
        Ok(None)
    }

    /// Opens an existing journal, and locks it; `None` if another process has it. Its contents stay the same.
    pub(crate) fn seize(path: &Path) -> io::Result<Option<(Journal, Contents)>> {
        Journal::lock(path, Access::Append)
    }

    fn lock(path: &Path, access: Access) -> io::Result<Option<(Journal, Contents)>> {
        for attempt in 1..=ATTEMPTS {
            let mut file = open(path, access)?;
            match file.try_lock() {
                Ok(()) => {}
                // On a file system without locks, two processes of one run are not distinguished; the second stops at
                // the first file that already exists.
                Err(TryLockError::Error(_)) => {}
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => {
                    std::thread::sleep(WAIT);
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Ok(None),
            }
            // The previous owner may have removed it before releasing the lock.
            if is_at(&file, path) {
                let (contents, ends) = read(&mut file)?;
                return Ok(Some((Journal { path: path.to_owned(), file, ends }, contents)));
            }
        }
        Ok(None)
    }

    /// The complete part of a journal that is not locked; it stays unchanged. `None` if another process has it.
    pub(crate) fn peek(path: &Path) -> io::Result<Option<Contents>> {
        let mut file = open(path, Access::Read)?;
        // A shared lock: readers do not block each other.
        if let Err(TryLockError::WouldBlock) = file.try_lock_shared() {
            return Ok(None);
        }
        Ok(Some(read(&mut file)?.0))
    }

    /// The number of its entries.
    pub(crate) fn entries(&self) -> usize {
        self.ends.len() - 1
    }

    /// Cuts off all entries after the first `entries`.
    pub(crate) fn keep(&mut self, entries: usize) -> io::Result<()> {
        self.ends.truncate(entries + 1);
        self.file.set_len(self.ends[entries])?;
        Ok(())
    }

    /// Empties the journal and writes its first line.
    pub(crate) fn begin(&mut self, head: &Head) -> io::Result<()> {
        self.file.set_len(0)?;
        self.ends = vec![self.write(0, head)?];
        Ok(())
    }

    /// Enters a chunk; returns once the entry is durable.
    pub(crate) fn enter(&mut self, entry: &Entry) -> io::Result<()> {
        let end = self.write(self.ends[self.entries()], entry)?;
        self.ends.push(end);
        Ok(())
    }

    fn write(&mut self, from: u64, line: &impl Serialize) -> io::Result<u64> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        Ok(from + text.len() as u64)
    }

    /// Removes the file, and releases it.
    pub(crate) fn remove(self) {
        // While it is locked no other process can claim it. A process that waits finds that it is gone.
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens a file with this name. It must be a regular file, and the name not a link.
/// The complete part of a journal, and where its lines end.
fn read(file: &mut File) -> io::Result<(Contents, Vec<u64>)> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(whole(&bytes))
}

fn open(path: &Path, access: Access) -> io::Result<File> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    open_below(path.parent().unwrap_or(Path::new("")), &name, access)
}

/// The complete part of a journal's bytes, and where its lines end.
pub(crate) fn whole(bytes: &[u8]) -> (Contents, Vec<u64>) {
    let mut contents = Contents::default();
    let (mut end, mut ends) = (0, vec![0]);
    for line in bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        end += line.len() as u64;
        if contents.head.is_none() {
            match serde_json::from_slice(line) {
                Ok(head) => (contents.head, contents.author) = (Some(head), Author::Run),
                Err(_) => break,
            }
            ends = vec![end];
        } else {
            match serde_json::from_slice(line) {
                Ok(entry) => contents.entries.push(entry),
                Err(_) => break,
            }
            ends.push(end);
        }
    }
    if contents.head.is_none() {
        let begins = bytes.starts_with(BEGINNING) || BEGINNING.starts_with(bytes);
        contents.author = if begins { Author::Beginner } else { Author::Stranger };
    }
    (contents, ends)
}

/// Is the open file still the one with this name?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(there)) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Is the open file still the one with this name? An open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(variant: usize) -> Entry {
        let path = format!("games/variant=x/part-{variant}.parquet");
        Entry {
            variant,
            repeatable: true,
            files: vec![FileEntry { path, rows: Some(7), bytes: 70, blake3: "ab".into() }],
        }
    }

    fn head() -> Head {
        let [experiment_hash, program, started, resolved] = ["ff", "x", "now", "{}"].map(str::to_owned);
        Head { experiment_hash, program, started, resolved }
    }

    fn claim(path: &Path) -> (Journal, Contents) {
        Journal::claim(path).unwrap().expect("nobody has it")
    }

    #[test]
    fn cut_anywhere_it_keeps_the_entries_that_are_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let head = head();
        let (mut journal, contents) = claim(&path);
        assert!(contents.head.is_none() && contents.entries.is_empty());
        journal.begin(&head).unwrap();
        let mut ends = vec![fs::read(&path).unwrap().len()];
        for i in 0..3 {
            journal.enter(&entry(i)).unwrap();
            ends.push(fs::read(&path).unwrap().len());
        }
        assert!(Journal::claim(&path).unwrap().is_none(), "a second claim");
        drop(journal);
        let whole = fs::read(&path).unwrap();
        for cut in testkit::thinned(0..=whole.len(), 5) {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, contents) = claim(&path);
            let kept = ends.iter().filter(|&&end| end <= cut).count();
            assert_eq!(contents.head.is_some(), kept > 0, "{cut}");
            assert_eq!(contents.entries, (0..kept.saturating_sub(1)).map(entry).collect::<Vec<_>>());
            if kept == 0 {
                journal.begin(&head).unwrap();
            }
            (journal.entries()..3).for_each(|i| journal.enter(&entry(i)).unwrap());
            assert!(fs::read(&path).unwrap() == whole, "{cut}: it continues as if it had never been cut");
        }
    }

    #[test]
    fn what_does_not_begin_as_a_journal_is_not_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (path, notes) = (dir.path().join("journal"), dir.path().join("notes"));
        let seized = |path: &Path| Journal::seize(path).unwrap().expect("nobody has it").1.author;
        assert!(Journal::seize(&path).is_err() && !path.exists(), "none is made");
        for (text, author) in [
            ("my notes\n", Author::Stranger),
            ("{\"experiment_hash\": 5}\n{\"experiment", Author::Stranger),
            ("{\"experiment_hash\":\"0123", Author::Beginner),
            ("{\"exp", Author::Beginner),
            ("", Author::Beginner),
        ] {
            fs::write(&notes, text).unwrap();
            // The same file under two names: writing to one writes to the other.
            fs::hard_link(&notes, &path).unwrap();
            assert_eq!(seized(&path), author, "{text}");
            if text.is_empty() {
                continue;
            }
            let (mut journal, contents) = claim(&path);
            assert!(contents.head.is_none());
            journal.begin(&head()).unwrap();
            drop(journal);
            assert_eq!(fs::read_to_string(&notes).unwrap(), text);
            assert_eq!(seized(&path), Author::Run);
            // An incomplete line stays until a process resumes after it.
            let cut = fs::read_to_string(&path).unwrap() + "{\"variant\":";
            fs::write(&path, &cut).unwrap();
            assert_eq!((seized(&path), fs::read_to_string(&path).unwrap()), (Author::Run, cut));
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn entries_can_be_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let (mut journal, _) = claim(&path);
        journal.begin(&head()).unwrap();
        (0..3).for_each(|i| journal.enter(&entry(i)).unwrap());
        journal.keep(1).unwrap();
        journal.enter(&entry(8)).unwrap();
        drop(journal);
        assert_eq!(claim(&path).1.entries, [entry(0), entry(8)]);
    }
}
