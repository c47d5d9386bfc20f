//! The record of a run whose files the workers write themselves, into a store that all of them can reach.
//!
//! ```text
//!  worker   Part ─┬─ files ─▶ store: games/variant=…/part-00017.parquet …
//!                 └─ head ──▶ driver: Ledger::accept()
//!  driver   every 1,024 chunks ─▶ store: manifests/00000.jsonl, manifests/00001.jsonl …
//!           Ledger::finish() ───▶ store: manifest.json, which lists the manifests
//! ```
//! The store contains a run folder whose manifest is a tree ([`Manifest::manifests`]). A manifest below it is a
//! [`journal`](super::journal): a first line that identifies the run, and a line for each chunk. An interrupted driver
//! therefore resumes from them. Each write to a store is complete or absent, and two drivers write the same bytes, but
//! for the times in the last file.

use std::time::SystemTime;

use serde::Serialize;

use super::journal::{Contents, Entry, Head, whole};
use super::manifest::{FileEntry, MANIFEST, Manifest};
use super::names::{GIVEN, RESOLVED, manifest_name};
use crate::record::CREATED_BY;
use crate::sim::experiment::Experiment;
use crate::sim::plan::{Encoder, PartHead};
use crate::sim::resolved::Canonical;
use crate::sim::schedule::Schedule;

/// Chunks in one manifest below the first: about 1.5 MB of text.
pub(crate) const CHUNKS_A_MANIFEST: usize = 1024;

/// A file to write into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToPut {
    /// Its path below the run folder.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl ToPut {
    fn entry(&self) -> FileEntry {
        FileEntry {
            path: self.path.clone(),
            rows: None,
            bytes: self.bytes.len() as u64,
            blake3: blake3::hash(&self.bytes).to_hex().to_string(),
        }
    }
}

/// A file as it is found in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its length in bytes.
    pub bytes: u64,
    /// Its BLAKE3, in hexadecimal digits.
    pub blake3: String,
}

impl Found {
    /// A file with these bytes.
    pub fn of(bytes: &[u8]) -> Found {
        Found { bytes: bytes.len() as u64, blake3: blake3::hash(bytes).to_hex().to_string() }
    }

    fn is(&self, file: &FileEntry) -> bool {
        (self.bytes, &self.blake3) == (file.bytes, &file.blake3)
    }
}

/// The record of a run whose files lie in a store. It keeps at most one manifest's chunks in memory.
pub struct Ledger {
    encoder: Encoder,
    schedule: Schedule,
    canonical: Canonical,
    given: String,
    manifest: Manifest,
    head: Head,
    chunks_a_manifest: usize,
    taken: usize,
    /// The current manifest, and the number of its chunks.
    open: (Vec<u8>, usize),
    /// The full manifests that have not been returned yet.
    full: Vec<ToPut>,
}

impl Ledger {
    /// The record of a run of which nothing is known.
    pub fn new(experiment: &Experiment) -> Ledger {
        let canonical = experiment.resolved.canonical();
        let manifest = Manifest::start(experiment, &canonical.hash, SystemTime::now());
        let head = Head {
            experiment_hash: canonical.hash.clone(),
            program: CREATED_BY.to_owned(),
            started: String::new(),
            resolved: String::new(),
        };
        Ledger {
            encoder: Encoder::new(&experiment.resolved, &canonical.hash),
            schedule: experiment.schedule(),
            canonical,
            given: experiment.given.clone(),
            manifest,
            head,
            chunks_a_manifest: CHUNKS_A_MANIFEST,
            taken: 0,
            open: (Vec::new(), 0),
            full: Vec::new(),
        }
    }

    /// The same with this number of chunks in a manifest, at least one.
    pub fn with_chunks_a_manifest(self, chunks: usize) -> Ledger {
        Ledger { chunks_a_manifest: chunks.max(1), ..self }
    }

    /// The number of finished chunks; the next one has this index in the schedule.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the entries that an earlier driver stored in its next manifest, as far as the files exist with their
    /// hashes. Returns whether the manifest was full: if not, no other follows. `look` returns the length and hash of
    /// each of these files, or `None` where it does not exist. The hash is that of the bytes in the store: checksums
    /// that a store keeps are of other kinds, and some stores keep none.
    ///
    /// # Errors
    /// The errors of `look`.
    pub fn resume<E>(
        &mut self,
        manifest: &[u8],
        look: impl FnOnce(&[&str]) -> Result<Vec<Option<Found>>, E>,
    ) -> Result<bool, E> {
        let Contents { head: Some(head), entries, .. } = whole(manifest).0 else { return Ok(false) };
        let same = (&head.experiment_hash, &head.program) == (&self.head.experiment_hash, &self.head.program);
        if !same || self.open.1 > 0 {
            return Ok(false);
        }
        let files: Vec<&FileEntry> = entries.iter().flat_map(|entry| &entry.files).collect();
        let found = look(&files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>())?;
        let mut there =
            files.iter().zip(found).map(|(file, found)| found.is_some_and(|found| found.is(file)));
        for entry in &entries {
            let whole =
                entry.files.iter().filter(|_| there.next() == Some(true)).count() == entry.files.len();
            let chunk = self.schedule.chunk(self.taken);
            if !whole || !chunk.is_some_and(|chunk| entry.is_of(&chunk, &self.encoder)) {
                return Ok(false);
            }
            self.enter(entry);
        }
        Ok(self.open.1 == 0 && !entries.is_empty())
    }

    /// Takes the next chunk, whose files are in the store.
    ///
    /// # Errors
    /// It is not the next chunk of this run; the error is a sentence.
    pub fn accept(&mut self, head: PartHead) -> Result<(), String> {
        let chunk = self.schedule.chunk(self.taken).ok_or("all its chunks are there")?;
        self.encoder.expects(self.taken, &chunk, &head)?;
        self.enter(&Entry::from(head));
        Ok(())
    }

    fn enter(&mut self, entry: &Entry) {
        if self.open.0.is_empty() {
            line(&mut self.open.0, &self.head);
        }
        line(&mut self.open.0, entry);
        self.open.1 += 1;
        self.taken += 1;
        self.manifest.repeatable &= entry.repeatable;
        if self.open.1 == self.chunks_a_manifest {
            self.close();
        }
    }

    /// Closes the open manifest.
    fn close(&mut self) {
        let (bytes, _) = std::mem::take(&mut self.open);
        let full = ToPut { path: manifest_name(self.manifest.manifests.len()), bytes };
        self.manifest.manifests.push(full.entry());
        self.full.push(full);
    }

    /// The full manifests that have not been returned before.
    pub fn full(&mut self) -> Vec<ToPut> {
        std::mem::take(&mut self.full)
    }

    /// The current manifest, which is not full; `None` if it has no chunk.
    pub fn open(&self) -> Option<ToPut> {
        let path = manifest_name(self.manifest.manifests.len());
        (self.open.1 > 0).then(|| ToPut { path, bytes: self.open.0.clone() })
    }

    /// Ends the record: the files that remain to be written, in this order; with the last of them the run is complete.
    ///
    /// # Errors
    /// Chunks are missing: their current and their required number.
    pub fn finish(mut self) -> Result<Vec<ToPut>, (usize, usize)> {
        let chunks = self.schedule.count();
        if self.taken != chunks {
            return Err((self.taken, chunks));
        }
        if self.open.1 > 0 {
            self.close();
        }
        let text = |path: &str, text: String| ToPut { path: path.to_owned(), bytes: text.into_bytes() };
        let named = [text(GIVEN, self.given), text(RESOLVED, self.canonical.text)];
        self.manifest.files.extend(named.iter().map(ToPut::entry));
        self.manifest.end(SystemTime::now());
        self.full.extend(named);
        self.full.push(text(MANIFEST, self.manifest.to_json()));
        Ok(self.full)
    }
}

/// Appends a line of JSON.
fn line(text: &mut Vec<u8>, of: &impl Serialize) {
    // Structs of numbers and texts always serialise, and writing to memory cannot fail.
    let _ = serde_json::to_writer(&mut *text, of);
    text.push(b'\n');
}
