//! The run folder: `<out>/<name>-<first 12 digits of the hash>/`.
//!
//! ```text
//! manifest.json   experiment.toml   experiment.resolved.json
//! games/variant=<id>/part-00000.parquet   turns/…   topology/…   events/…   orders/… (if asked for)
//! ```
//! A chunk of games is one part of each table. Everything is first written into a hidden folder beside the run folder and
//! renamed at the end, so a run folder is either whole or not there. Within the hidden folder a part is written under
//! another name, made safe and renamed; once all parts of a chunk are there, it is entered in the [`journal`]. So a run
//! that was killed goes on behind the chunks that its journal lists and ends with the bytes of one that was not. Nor does a
//! power cut part the two: names are made safe before what rests on them is written ([`safe`]). What
//! already lies in the place is looked at before the first game: see [`place`]. Files are written through [`Storage`],
//! which lets tests fill the disk.

pub mod journal;
pub mod manifest;
pub mod place;
pub mod resolved;
pub mod safe;
pub mod unfinished;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use parquet::errors::ParquetError;
use serde::de::DeserializeOwned;

use self::journal::{Entry, Head};
use self::manifest::{FileEntry, MANIFEST, Manifest};
use self::place::{Place, Temporary};
use self::unfinished::{Standing, Start};
use super::difference;
use super::experiment::{Experiment, Logging};
use super::runner::Sink;
use super::schedule::{Chunk, Schedule};
use super::shard::Shard;
use crate::record::column::Row;
use crate::record::parquet::{RunMeta, TableWriter, reason};
use crate::record::reader::{self, ReadError};
use crate::record::regular::{NotRegular, Readable, RunFile};
use crate::record::{CREATED_BY, EventRow, GameRecord, GameRow, OrderRow, TopologyRow, TurnRow};

/// Why a run folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or link stands where a folder must be.
    #[error(
        "`{}` is no folder but {found}, and the run needs one there; move it away or choose another with --out",
        path.display()
    )]
    NotAFolder {
        /// What stands in the way.
        path: PathBuf,
        /// What it is, with its article.
        found: &'static str,
    },
    /// The folder holds something that is no part of a run.
    #[error("`{}` holds `{foreign}`, which is no part of this run; move it away or choose another folder with --out", path.display())]
    Foreign {
        /// The run folder.
        path: PathBuf,
        /// What it holds.
        foreign: String,
    },
    /// The folder holds the run of another experiment.
    #[error(
        "`{}` holds the run of another experiment, `{name}` {hash}; move it away or choose another folder with --out; what \
         differs: {difference}", path.display()
    )]
    OtherExperiment {
        /// The run folder.
        path: PathBuf,
        /// The other's name.
        name: String,
        /// The other's hash.
        hash: String,
        /// In what it differs from this one.
        difference: String,
    },
    /// An experiment of the same name, but not the same, has been left unfinished.
    #[error(
        "`{}` holds an unfinished run of `{name}` ({chunks} {} finished), and the experiment is not the same any more: undo \
         the change to go on with it, throw it away and begin anew with --afresh, or choose another folder with --out; what \
         differs: {difference}",
        out.display(), if *chunks == 1 { "part is" } else { "parts are" }
    )]
    Changed {
        /// The folder of runs.
        out: PathBuf,
        /// The name.
        name: String,
        /// How many chunks of it are finished.
        chunks: usize,
        /// In what it differs from this one.
        difference: String,
    },
    /// Another process plays the same experiment there.
    #[error("`{}` is being played by another process; wait for it, or choose another folder with --out", .0.display())]
    Busy(PathBuf),
    /// What is there of the run cannot be read back.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file system said no.
    #[error("cannot write `{}`: {source}", path.display())]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl OutputError {
    /// Is it for the user to choose another place, rather than a failure of the disk?
    pub fn is_refusal(&self) -> bool {
        match self {
            OutputError::Io { source, .. } | OutputError::Read(ReadError::Io { source, .. }) => {
                NotRegular::of(source).is_some()
            }
            OutputError::Read(_) => false,
            _ => true,
        }
    }

    fn io(path: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
        |source| OutputError::Io { path: path.to_owned(), source }
    }
}

/// Where bytes go.
pub trait Storage: Send {
    /// An open file.
    type File: Write + Send;
    /// Makes a new file.
    fn create(&self, path: &Path) -> io::Result<Self::File>;
    /// Returns once the file's bytes are safe.
    fn sync(&self, file: &Self::File) -> io::Result<()>;
    /// Returns once the names in a folder are safe.
    fn sync_folder(folder: &Path) -> io::Result<()> {
        safe::sync_folder(folder)
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

/// Counts and hashes what passes through.
struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The file of a run folder with the experiment as given.
pub const GIVEN: &str = "experiment.toml";

/// The file of a run folder with everything that decides the result.
pub const RESOLVED: &str = "experiment.resolved.json";

/// What a JSON file of a run folder says. An error is in words that name the file below the folder.
pub fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, String> {
    let bytes =
        RunFile::new(folder, name).read().map_err(|error| format!("cannot read `{name}`: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("`{name}` is damaged: {error}"))
}

/// What a part is called until it is whole.
const UNFINISHED: &str = ".unfinished";

/// What a finished run has left on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// The run folder.
    pub path: PathBuf,
    /// The manifest that stands in it.
    pub manifest: Manifest,
}

/// A run folder being written. If it is dropped before [`RunFolder::finish`], the chunks that are finished stay, and the
/// same experiment goes on behind them.
pub struct RunFolder<S: Storage = Disk> {
    storage: S,
    path: PathBuf,
    meta: RunMeta,
    variants: Vec<String>,
    logging: Logging,
    /// The finished chunks that were there at the start.
    kept: Vec<Entry>,
    manifest: Manifest,
    temporary: Temporary,
    /// The folders below the hidden one whose own names are safe.
    settled: BTreeSet<PathBuf>,
}

/// What a finished chunk has stored of its games.
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
    /// Looks at the place, and starts the run folder of an experiment there.
    pub fn create(experiment: &Experiment) -> Result<Self, OutputError> {
        RunFolder::create_in(Disk, experiment, Start::GoOn)
    }

    /// The same, whatever becomes of what is unfinished there.
    pub fn start(experiment: &Experiment, start: Start) -> Result<Self, OutputError> {
        RunFolder::create_in(Disk, experiment, start)
    }
}

/// Looks at the place of an experiment's run, and refuses what must not be lost.
pub fn look(experiment: &Experiment) -> Result<Place, OutputError> {
    let path = path(experiment);
    place::look(&path, &experiment.hash()).map_err(|error| match error {
        OutputError::OtherExperiment { path, name, hash, .. } => {
            let other = RunFile::new(&path, RESOLVED).read_text().unwrap_or_default();
            let difference = difference::in_a_line(&other, &experiment.resolved());
            OutputError::OtherExperiment { path, name, hash, difference }
        }
        other => other,
    })
}

/// What there is of an experiment's run already; refuses what [`RunFolder::create`] would refuse, and touches nothing.
pub fn standing(experiment: &Experiment) -> Result<Standing, OutputError> {
    let (path, place) = (path(experiment), look(experiment)?);
    match (unfinished::finished(&path, &experiment.hash(), CREATED_BY), place) {
        (None, _) => Err(OutputError::Busy(path)),
        (Some(0), Place::Replace) => Ok(Standing::Whole),
        (Some(0), Place::Free) => {
            unfinished::refuse_others(experiment, &experiment.resolved())?;
            Ok(Standing::Nothing)
        }
        (Some(chunks), _) => Ok(Standing::Chunks(chunks)),
    }
}

/// Where the run folder of an experiment stands.
pub fn path(experiment: &Experiment) -> PathBuf {
    experiment.out.join(folder_name(&experiment.name, &experiment.hash(), experiment.shard))
}

/// The name of a run folder: of a whole run, or of a shard of it.
pub fn folder_name(name: &str, hash: &str, shard: Option<Shard>) -> String {
    let whole = format!("{name}-{}", hash.get(..12).unwrap_or(hash));
    match shard {
        None => whole,
        Some(shard) => format!("{whole}.shard-{}-of-{}", shard.number(), shard.of()),
    }
}

impl<S: Storage> RunFolder<S> {
    /// [`RunFolder::create`] with another storage for the files.
    pub fn create_in(storage: S, experiment: &Experiment, start: Start) -> Result<Self, OutputError> {
        let path = path(experiment);
        let (resolved, hash) = (experiment.resolved(), experiment.hash());
        match start {
            Start::GoOn => drop(standing(experiment)?),
            Start::Afresh => {
                look(experiment)?;
                unfinished::throw_away(experiment);
            }
        }
        let mut manifest = Manifest::start(experiment, SystemTime::now());
        let head = Head {
            experiment_hash: hash.clone(),
            program: CREATED_BY.to_owned(),
            started: manifest.started.clone(),
            resolved: resolved.clone(),
        };
        let (mut temporary, head, found) = Temporary::create(&path, head, S::sync_folder)?;
        let kept = sound(temporary.path(), experiment, found);
        temporary.keep(&kept)?;
        manifest.started = head.started;
        manifest.repeatable &= kept.iter().all(|entry| entry.repeatable);
        manifest.files.extend(kept.iter().flat_map(|entry| entry.files.iter().cloned()));
        let mut folder = RunFolder {
            meta: RunMeta { name: experiment.name.clone(), hash, seed: experiment.seed },
            variants: experiment.variants.iter().map(|v| v.id.clone()).collect(),
            logging: experiment.logging,
            kept,
            manifest,
            storage,
            path,
            temporary,
            settled: BTreeSet::new(),
        };
        folder.whole_file(GIVEN, experiment.given.as_bytes())?;
        folder.whole_file(RESOLVED, resolved.as_bytes())?;
        Ok(folder)
    }

    /// Where the run will stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the chunks that were finished by a run before this one have stored, one after the other.
    pub fn stored(&self) -> impl Iterator<Item = Result<StoredChunk, OutputError>> {
        self.kept.iter().map(|entry| {
            let part = |table: &str| {
                let of_table = |file: &&FileEntry| file.path.split('/').next() == Some(table);
                let found = entry.files.iter().find(of_table).map_or("", |file| file.path.as_str());
                RunFile::new(self.temporary.path(), found)
            };
            Ok(StoredChunk {
                variant: entry.variant,
                games: reader::games(&part(GameRow::table().name))?,
                topology: reader::topology(&part(TopologyRow::table().name))?,
            })
        })
    }

    /// Ends the run: writes the manifest, and puts the folder in its place.
    pub fn finish(mut self) -> Result<RunReport, OutputError> {
        self.manifest.end(SystemTime::now());
        let (manifest, text) = (self.manifest.clone(), self.manifest.to_json());
        self.whole_file(MANIFEST, text.as_bytes())?;
        self.settle(MANIFEST)?;
        // The place may have changed while the games were played.
        match place::look(&self.path, &self.meta.hash)? {
            Place::Free => self.temporary.rename()?,
            Place::Replace => self.temporary.exchange()?,
        }
        Ok(RunReport { path: self.path, manifest })
    }

    fn create_file(&self, relative: &str, name: &Path) -> Result<Hashing<S::File>, OutputError> {
        if let Some(parent) = name.parent() {
            std::fs::create_dir_all(parent).map_err(OutputError::io(&self.path.join(relative)))?;
        }
        let inner = self.storage.create(name).map_err(OutputError::io(&self.path.join(relative)))?;
        Ok(Hashing { inner, hasher: blake3::Hasher::new(), bytes: 0 })
    }

    /// Makes sure that a file is on the disk, and says what it is.
    fn safe(
        &self,
        relative: &str,
        file: &Hashing<S::File>,
        rows: Option<u64>,
    ) -> Result<FileEntry, OutputError> {
        self.storage.sync(&file.inner).map_err(OutputError::io(&self.path.join(relative)))?;
        let blake3 = file.hasher.finalize().to_hex().to_string();
        Ok(FileEntry { path: relative.to_owned(), rows, bytes: file.bytes, blake3 })
    }

    fn whole_file(&mut self, relative: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let mut file = self.create_file(relative, &self.temporary.path().join(relative))?;
        file.write_all(bytes)
            .and_then(|()| file.flush())
            .map_err(OutputError::io(&self.path.join(relative)))?;
        let entry = self.safe(relative, &file, None)?;
        self.manifest.files.push(entry);
        Ok(())
    }

    /// Makes sure that a file's name is on the disk, and those of the folders that were made for it.
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

    /// Writes a table's part of a chunk.
    fn part<R: Row>(&self, chunk: &Chunk, games: &[GameRecord]) -> Result<FileEntry, OutputError> {
        let id = &self.variants[chunk.variant];
        let relative = part_name(R::table().name, id, chunk.part);
        let name = self.temporary.path().join(&relative);
        let unfinished = self.temporary.path().join(format!("{relative}{UNFINISHED}"));
        let failed = |error| failure(&self.path, &relative, error);
        let file = self.create_file(&relative, &unfinished)?;
        let mut writer = TableWriter::<R, _>::new(file, &self.meta, id).map_err(failed)?;
        writer.write(games).map_err(failed)?;
        let rows = writer.finish().map_err(failed)?;
        let entry = self.safe(&relative, writer.sink(), Some(rows))?;
        std::fs::rename(&unfinished, &name).map_err(OutputError::io(&self.path.join(&relative)))?;
        Ok(entry)
    }
}

/// The tables of a run, in the order in which the parts of a chunk are written.
pub fn tables(logging: Logging) -> impl Iterator<Item = &'static str> {
    let always =
        [GameRow::table().name, TurnRow::table().name, TopologyRow::table().name, EventRow::table().name];
    let orders = (logging == Logging::WithOrders).then(|| OrderRow::table().name);
    always.into_iter().chain(orders)
}

/// The path of a part file below the run folder.
pub fn part_name(table: &str, variant: &str, part: u32) -> String {
    format!("{table}/variant={variant}/part-{part:05}.parquet")
}

/// The first of these chunks whose files are all there, byte for byte.
fn sound(folder: &Path, experiment: &Experiment, found: Vec<Entry>) -> Vec<Entry> {
    let schedule = Schedule::new(experiment);
    let is_sound = |file: &FileEntry| {
        let Ok(mut opened) = RunFile::new(folder, &file.path).open() else { return false };
        // The length first: it costs nothing.
        let mut hasher = blake3::Hasher::new();
        opened.metadata().is_ok_and(|found| found.len() == file.bytes)
            && hasher.update_reader(&mut opened).is_ok_and(|h| h.finalize().to_hex().as_str() == file.blake3)
    };
    let entries = found.into_iter().zip(schedule.chunks()).take_while(|(entry, chunk)| {
        let variant = &experiment.variants[chunk.variant].id;
        let parts = tables(experiment.logging).map(|table| part_name(table, variant, chunk.part));
        let games = entry.files.first();
        entry.variant == chunk.variant
            // These files and no others: a journal does not say what else is read.
            && entry.files.iter().map(|file| &*file.path).eq(parts.collect::<Vec<_>>())
            && games.is_some_and(|games| games.rows == Some(chunk.games.len() as u64))
            && entry.files.iter().all(is_sound)
    });
    entries.map(|(entry, _)| entry).collect()
}

fn failure(folder: &Path, relative: &str, error: ParquetError) -> OutputError {
    OutputError::Io { path: folder.join(relative), source: reason(error) }
}

impl<S: Storage> Sink for RunFolder<S> {
    type Error = OutputError;

    fn finished(&self) -> usize {
        self.kept.len()
    }

    fn take(&mut self, chunk: &Chunk, games: &[GameRecord]) -> Result<(), OutputError> {
        let mut files = vec![
            self.part::<GameRow>(chunk, games)?,
            self.part::<TurnRow>(chunk, games)?,
            self.part::<TopologyRow>(chunk, games)?,
            self.part::<EventRow>(chunk, games)?,
        ];
        if self.logging == Logging::WithOrders {
            files.push(self.part::<OrderRow>(chunk, games)?);
        }
        let repeatable = !games.iter().any(|game| game.game.hangs_on_time());
        self.manifest.repeatable &= repeatable;
        let entry = Entry { variant: chunk.variant, repeatable, files };
        for file in &entry.files {
            self.settle(&file.path)?;
        }
        self.temporary.enter(&entry)?;
        self.manifest.files.extend(entry.files);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
