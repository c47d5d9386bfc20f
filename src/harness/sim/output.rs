//! The run folder: `<out>/<name>-<first 12 digits of the hash>/`.
//!
//! ```text
//! manifest.json   experiment.toml   experiment.resolved.json
//! games/variant=<id>/part-00000.parquet   seats/…   turns/…   topology/…   distances/…   events/…   orders/… (if asked for)
//! ```
//! A chunk of games is one part of each table. Everything is first written into a hidden folder beside the run folder,
//! which is renamed at the end, so a run folder is either complete or absent. Within the hidden folder a part is
//! written under another name, made durable and renamed; once all parts of a chunk are there, the chunk is entered in
//! the [`journal`]. An interrupted run therefore resumes after the chunks that its journal lists, and ends with the
//! same bytes as an uninterrupted one. This holds after a power failure, too: names are made durable before anything
//! that depends on them is written (`whole.rs`). Existing files in the place are checked before the first game: see
//! [`place`]. Files are written through [`Storage`], which lets tests fill the disk.

pub(crate) mod journal;
pub mod location;
pub mod manifest;
pub(crate) mod place;
pub mod whole;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use self::journal::{Entry, Head};
use self::location::{GIVEN, OutputError, RESOLVED, RunLocation};
use self::manifest::{FileEntry, Import, MANIFEST, Manifest, is_time};
use self::place::{RunPlace, Start, Temporary};
use super::experiment::{BotOrigin, Experiment};
use super::part::{EncodeError, Encoder, Part, PartHead};
use super::resolved::{ANSWER, Canonical};
use super::runner::Sink;
use super::schedule::{Chunk, Schedule};
use crate::record::column::TableRow;
use crate::record::compare::count_rows;
use crate::record::listed::{Expected, ListedFile};
use crate::record::regular::RunFile;
use crate::record::{GameRow, GameRows, SeatRow, TopologyRow, reader};

/// The destination of bytes.
pub trait Storage: Send {
    /// An open file.
    type File: Write + Send;
    /// Creates a new file.
    fn create(&self, path: &Path) -> io::Result<Self::File>;
    /// Returns once the file's bytes are durable.
    fn sync(&self, file: &Self::File) -> io::Result<()>;
    /// Returns once the names in a folder are durable.
    fn sync_folder(folder: &Path) -> io::Result<()> {
        whole::sync_folder(folder)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {
    type File = File;
    fn create(&self, path: &Path) -> io::Result<File> {
        File::create_new(path)
    }
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }
}

/// The name of a part until it is complete.
const UNFINISHED: &str = ".unfinished";

/// The result of a finished run on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// The run folder.
    pub path: PathBuf,
    /// The manifest in it.
    pub manifest: Manifest,
}

/// A run folder that is being written. If it is dropped before [`RunFolder::finish`], the finished chunks stay, and the
/// same experiment resumes after them.
pub struct RunFolder<S: Storage = Disk> {
    storage: S,
    path: PathBuf,
    canonical: Canonical,
    schedule: Schedule,
    encoder: Encoder,
    /// The finished chunks that existed at the start.
    kept: Vec<Entry>,
    /// The number of finished chunks so far.
    taken: usize,
    manifest: Manifest,
    temporary: Temporary,
    /// The folders below the hidden one whose own names are durable.
    settled: BTreeSet<PathBuf>,
    /// Are programs playing that could have written into the folder?
    guests: bool,
}

/// The stored games of a finished chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredChunk {
    /// The variant.
    pub variant: usize,
    /// The games.
    pub games: Vec<GameRow>,
    /// Their maps, in the order of games.
    pub topology: Vec<TopologyRow>,
}

impl StoredChunk {
    /// Each game with its maps.
    pub fn iter(&self) -> impl Iterator<Item = (&GameRow, &[TopologyRow])> {
        let mut rest = self.topology.as_slice();
        self.games.iter().map(move |game| {
            let own = rest.iter().take_while(|row| row.game == game.game).count();
            let (maps, others) = rest.split_at(own);
            rest = others;
            (game, maps)
        })
    }
}

impl RunFolder<Disk> {
    /// Checks the place, and starts the run folder of an experiment there.
    pub fn create(experiment: &Experiment) -> Result<Self, OutputError> {
        RunFolder::start(experiment, Start::GoOn)
    }

    /// The same, with this treatment of unfinished runs.
    pub fn start(experiment: &Experiment, start: Start) -> Result<Self, OutputError> {
        RunFolder::create_in(Disk, experiment, RunLocation::of(experiment), start)
    }
}

impl<S: Storage> RunFolder<S> {
    /// [`RunFolder::start`] at the experiment's own site, with another storage for the files.
    pub fn create_in(
        storage: S,
        experiment: &Experiment,
        site: RunLocation,
        start: Start,
    ) -> Result<Self, OutputError> {
        match start {
            Start::GoOn => drop(site.standing()?),
            Start::Afresh => {
                site.check()?;
                place::throw_away(&site);
            }
        }
        let RunLocation { path, canonical, .. } = site;
        let mut manifest = Manifest::start(experiment, &canonical.hash, SystemTime::now());
        let head = Head::new(&canonical, &manifest.started);
        let (mut temporary, head, found) = Temporary::create(&path, head, S::sync_folder)?;
        let (schedule, encoder) =
            (experiment.schedule(), Encoder::new(&experiment.resolved, &canonical.hash));
        let kept = sound(temporary.path(), &schedule, &encoder, found);
        temporary.keep(&kept)?;
        if is_time(&head.started) {
            manifest.started = head.started;
        }
        manifest.repeatable &= kept.iter().all(|entry| entry.repeatable);
        manifest.files.extend(kept.iter().flat_map(|entry| entry.files.iter().cloned()));
        let mut folder = RunFolder {
            schedule,
            encoder,
            taken: kept.len(),
            kept,
            manifest,
            storage,
            path,
            canonical: canonical.clone(),
            temporary,
            settled: BTreeSet::new(),
            guests: experiment.bots.iter().any(|bot| bot.origin != BotOrigin::Shipped),
        };
        folder.whole_file(GIVEN, experiment.given.as_bytes())?;
        folder.whole_file(RESOLVED, canonical.text.as_bytes())?;
        Ok(folder)
    }

    /// Records in the manifest where imported games come from.
    pub(crate) fn record_import(&mut self, import: Import) {
        self.manifest.import = Some(import);
    }

    /// Ends a match with the chunks that are finished so far, and adds its answer.
    ///
    /// # Errors
    /// The disk fails.
    pub fn answer(&mut self, answer: &str) -> Result<(), OutputError> {
        let games = self.schedule.games_of(self.taken);
        if games < self.schedule.total() {
            self.manifest.decided_after = u32::try_from(games).ok();
            self.manifest.games = games;
        }
        self.whole_file(ANSWER, answer.as_bytes())?;
        self.settle(ANSWER)
    }

    /// The future path of the run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stored games of the chunks that an earlier run finished, one after the other.
    pub fn stored(&self) -> impl Iterator<Item = Result<StoredChunk, OutputError>> {
        self.kept.iter().map(|entry| {
            let part = |table: &str| {
                let of_table = |file: &&FileEntry| file.path.split('/').next() == Some(table);
                let found = entry.files.iter().find(of_table).map_or("", |file| file.path.as_str());
                RunFile::new(self.temporary.path(), found)
            };
            Ok(StoredChunk {
                variant: entry.variant,
                games: reader::games(
                    &part(GameRow::TABLE),
                    &part(SeatRow::TABLE),
                    &self.encoder.frame(entry.variant).power_names,
                )?,
                topology: reader::topology(&part(TopologyRow::TABLE))?,
            })
        })
    }

    /// Ends the run: writes the manifest, and renames the folder.
    pub fn finish(mut self) -> Result<RunReport, OutputError> {
        self.manifest.end(SystemTime::now());
        let (manifest, text) = (self.manifest.clone(), self.manifest.to_json());
        self.whole_file(MANIFEST, text.as_bytes())?;
        self.settle(MANIFEST)?;
        if self.guests {
            self.is_untouched().map_err(|what| OutputError::Touched { path: self.path.clone(), what })?;
        }
        // The place may have changed while the games were played.
        match place::check_place(&self.path, &self.canonical)? {
            RunPlace::Free => self.temporary.rename()?,
            RunPlace::Replace => self.temporary.exchange()?,
        }
        Ok(RunReport { path: self.path, manifest })
    }

    /// Is everything in the hidden folder as it was written, and nothing else in it? Returns the difference.
    fn is_untouched(&self) -> Result<(), String> {
        let mut found = Vec::new();
        let hidden = self.temporary.path();
        place::list(hidden, "", &mut found)
            .map_err(|error| format!("its files cannot be listed ({error})"))?;
        // The manifest now has an entry of its own.
        let written: BTreeSet<&str> = self.manifest.files.iter().map(|file| file.path.as_str()).collect();
        if let Some(more) = found.iter().find(|name| !written.contains(name.as_str())) {
            return Err(format!("it has a file `{more}`, which the run did not write"));
        }
        for FileEntry { path, bytes, blake3, .. } in &self.manifest.files {
            let file = RunFile::new(hidden, path).open();
            let same = file.and_then(|file| {
                let mut hasher = blake3::Hasher::new();
                hasher.update_reader(file.take(bytes.saturating_add(1)))?;
                Ok(hasher.count() == *bytes && hasher.finalize().to_hex().as_str() == blake3)
            });
            match same {
                Ok(true) => {}
                Ok(false) => return Err(format!("`{path}` has different bytes")),
                Err(error) => return Err(format!("`{path}` cannot be read ({error})")),
            }
        }
        Ok(())
    }

    /// Writes a file with these bytes under a name in the hidden folder; returns its entry once they are durable.
    fn write(
        &self,
        relative: &str,
        name: &Path,
        rows: Option<u64>,
        bytes: &[u8],
    ) -> Result<FileEntry, OutputError> {
        let write = || {
            name.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            let mut file = self.storage.create(name)?;
            file.write_all(bytes)?;
            file.flush()?;
            self.storage.sync(&file)
        };
        write().map_err(OutputError::io(&self.path.join(relative)))?;
        let blake3 = blake3::hash(bytes).to_hex().to_string();
        Ok(FileEntry { path: relative.to_owned(), rows, bytes: bytes.len() as u64, blake3 })
    }

    fn whole_file(&mut self, relative: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let entry = self.write(relative, &self.temporary.path().join(relative), None, bytes)?;
        self.manifest.files.push(entry);
        Ok(())
    }

    /// Makes a file's name durable, and those of the folders that were created for it.
    fn settle(&mut self, relative: &str) -> Result<(), OutputError> {
        let file = self.temporary.path().join(relative);
        for folder in file.ancestors().skip(1).take_while(|above| above.starts_with(self.temporary.path())) {
            S::sync_folder(folder).map_err(OutputError::io(&self.path.join(relative)))?;
            if !self.settled.insert(folder.to_owned()) {
                break;
            }
        }
        Ok(())
    }

    /// Writes a file of a part under a temporary name, and renames it when it is durable.
    fn part_file(&self, file: &FileEntry, bytes: &[u8]) -> Result<FileEntry, OutputError> {
        let relative = file.path.as_str();
        let name = self.temporary.path().join(relative);
        let unfinished = self.temporary.path().join(format!("{relative}{UNFINISHED}"));
        let entry = self.write(relative, &unfinished, file.rows, bytes)?;
        std::fs::rename(&unfinished, &name).map_err(OutputError::io(&self.path.join(relative)))?;
        Ok(entry)
    }

    /// The number of finished chunks so far; the next one has this index in the schedule.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next chunk as the files that another process has written.
    ///
    /// # Errors
    /// It is not the next chunk of this run, or the disk fails.
    pub fn accept(&mut self, part: &Part) -> Result<(), OutputError> {
        self.check(part).map_err(|what| {
            let path = self.path.display();
            OutputError::OtherPart(format!("`{path}` cannot take the part that it was given: {what}"))
        })?;
        let PartHead { variant, repeatable, ref files, .. } = part.head;
        let files = files.iter().zip(&part.bytes);
        let files = files.map(|(file, bytes)| self.part_file(file, bytes));
        let entry = Entry { variant, repeatable, files: files.collect::<Result<_, _>>()? };
        for file in &entry.files {
            self.settle(&file.path)?;
        }
        self.temporary.enter(&entry)?;
        self.manifest.repeatable &= repeatable;
        self.manifest.files.extend(entry.files);
        self.taken += 1;
        Ok(())
    }

    /// The difference between a part and the next chunk of this run.
    fn check(&self, part: &Part) -> Result<(), String> {
        let chunk = self.schedule.chunk(self.taken).ok_or("all its chunks are there")?;
        self.encoder.expects(self.taken, &chunk, &part.head)?;
        match part.head.files.len() == part.bytes.len() {
            true => Ok(()),
            false => Err("its files are not those of the chunk".to_owned()),
        }
    }
}

/// The first of these chunks whose files are all there, byte for byte, with the number of rows in the journal, and
/// whose games are correctly marked as repeatable or not. These entries go into the manifest.
fn sound(folder: &Path, schedule: &Schedule, encoder: &Encoder, found: Vec<Entry>) -> Vec<Entry> {
    let listed = |file: &FileEntry| {
        ListedFile::new(RunFile::new(folder, &file.path), Expected::from(file), encoder.origin())
    };
    let is_sound = |entry: &Entry, chunk: &Chunk| {
        let as_listed =
            |file: &FileEntry| count_rows(&listed(file)).is_ok_and(|rows| file.rows == Some(rows));
        if !entry.is_of(chunk, encoder) || !entry.files.iter().all(as_listed) {
            return false;
        }
        // The first two tables are those of games and of seats.
        let [in_games, in_seats, ..] = entry.files.as_slice() else { return false };
        let powers = &encoder.frame(entry.variant).power_names;
        reader::games(&listed(in_games), &listed(in_seats), powers)
            .is_ok_and(|games| entry.repeatable != games.iter().any(GameRow::hangs_on_time))
    };
    // The journal does not contain the other values that are read.
    let entries =
        found.into_iter().zip(schedule.chunks()).take_while(|(entry, chunk)| is_sound(entry, chunk));
    entries.map(|(entry, _)| entry).collect()
}

impl<S: Storage> Sink for RunFolder<S> {
    type Error = OutputError;

    fn finished(&self) -> usize {
        self.kept.len()
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRows]) -> Result<(), OutputError> {
        let part = self.encoder.encode(self.taken, chunk, games);
        let part = part
            .map_err(|EncodeError { path, source }| OutputError::Io { path: self.path.join(path), source })?;
        self.accept(&part)
    }
}

#[cfg(test)]
mod tests;
