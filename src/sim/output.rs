//! The run folder: `<out>/<name>-<first 12 digits of the hash>/`.
//!
//! ```text
//! manifest.json   experiment.toml   experiment.resolved.json
//! games/variant=<id>/part-0.parquet   turns/…   topology/…   events/…   orders/… (if asked for)
//! ```
//! Everything is first written into a hidden folder beside it and renamed at the end, so a run folder is
//! either whole or not there. What already lies there is looked at before the first game: see [`place`].
//! Files are written through [`Storage`], which lets tests fill the disk.

pub mod manifest;
pub mod place;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use parquet::errors::ParquetError;

use self::manifest::{FileEntry, MANIFEST, Manifest};
use self::place::{Place, Temporary};
use super::experiment::{Experiment, Logging};
use super::runner::Sink;
use crate::record::column::Row;
use crate::record::parquet::{RunMeta, TableWriter, reason};
use crate::record::{EventRow, GameRecord, GameRow, OrderRow, TopologyRow, TurnRow};

/// Why a run folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file or link stands where a folder must be.
    #[error("`{}` is no folder, and the run needs one there; move it away or choose another with --out", .0.display())]
    NotAFolder(PathBuf),
    /// The folder holds something that is no part of a run.
    #[error("`{}` holds `{foreign}`, which is no part of this run; move it away or choose another folder with --out", path.display())]
    Foreign {
        /// The run folder.
        path: PathBuf,
        /// What it holds.
        foreign: String,
    },
    /// The folder holds the run of another experiment.
    #[error("`{}` holds the run of another experiment, `{name}` {hash}; move it away or choose another folder with --out", path.display())]
    OtherExperiment {
        /// The run folder.
        path: PathBuf,
        /// The other's name.
        name: String,
        /// The other's hash.
        hash: String,
    },
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
        !matches!(self, OutputError::Io { .. })
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

/// One table's file being written.
struct Part<R: Row, F: Write + Send> {
    relative: String,
    writer: TableWriter<R, Hashing<F>>,
}

/// The tables of the variant being written.
struct Parts<F: Write + Send> {
    variant: usize,
    games: Part<GameRow, F>,
    turns: Part<TurnRow, F>,
    topology: Part<TopologyRow, F>,
    events: Part<EventRow, F>,
    orders: Option<Part<OrderRow, F>>,
}

/// What a finished run has left on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// The run folder.
    pub path: PathBuf,
    /// The manifest that stands in it.
    pub manifest: Manifest,
}

/// A run folder being written. If it is dropped before [`RunFolder::finish`], nothing of it stays.
pub struct RunFolder<S: Storage = Disk> {
    storage: S,
    path: PathBuf,
    meta: RunMeta,
    variants: Vec<String>,
    logging: Logging,
    parts: Option<Parts<S::File>>,
    manifest: Manifest,
    // Last, for its drop removes the folder that the files above are in.
    temporary: Temporary,
}

impl RunFolder<Disk> {
    /// Looks at the place, and starts the run folder of an experiment there.
    pub fn create(experiment: &Experiment) -> Result<Self, OutputError> {
        RunFolder::create_in(Disk, experiment)
    }
}

/// Where the run folder of an experiment stands.
pub fn path(experiment: &Experiment) -> PathBuf {
    experiment.out.join(format!("{}-{}", experiment.name, &experiment.hash()[..12]))
}

impl<S: Storage> RunFolder<S> {
    /// [`RunFolder::create`] with another storage for the files.
    pub fn create_in(storage: S, experiment: &Experiment) -> Result<Self, OutputError> {
        let path = path(experiment);
        let (resolved, hash) = (experiment.resolved(), experiment.hash());
        place::look(&path, &hash)?;
        let temporary = Temporary::create(&path)?;
        let mut folder = RunFolder {
            meta: RunMeta { name: experiment.name.clone(), hash, seed: experiment.seed },
            variants: experiment.variants.iter().map(|v| v.id.clone()).collect(),
            logging: experiment.logging,
            parts: None,
            manifest: Manifest::start(experiment, SystemTime::now()),
            storage,
            path,
            temporary,
        };
        folder.whole_file("experiment.toml", experiment.given.as_bytes())?;
        folder.whole_file("experiment.resolved.json", resolved.as_bytes())?;
        Ok(folder)
    }

    /// Where the run will stand.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Ends the run: closes the files, writes the manifest, and puts the folder in its place.
    pub fn finish(mut self) -> Result<RunReport, OutputError> {
        self.close_parts()?;
        self.manifest.end(SystemTime::now());
        let (manifest, text) = (self.manifest.clone(), self.manifest.to_json());
        self.whole_file(MANIFEST, text.as_bytes())?;
        // The place may have changed while the games were played.
        match place::look(&self.path, &self.meta.hash)? {
            Place::Free => self.temporary.rename()?,
            Place::Replace => self.temporary.exchange()?,
        }
        Ok(RunReport { path: self.path.clone(), manifest })
    }

    fn create_file(&self, relative: &str) -> Result<Hashing<S::File>, OutputError> {
        let path = self.temporary.path().join(relative);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(OutputError::io(&self.path.join(relative)))?;
        }
        let inner = self.storage.create(&path).map_err(OutputError::io(&self.path.join(relative)))?;
        Ok(Hashing { inner, hasher: blake3::Hasher::new(), bytes: 0 })
    }

    /// Makes sure that a file is on the disk, and lists it.
    fn list_file(
        &mut self,
        relative: &str,
        file: &Hashing<S::File>,
        rows: Option<u64>,
    ) -> Result<(), OutputError> {
        self.storage.sync(&file.inner).map_err(OutputError::io(&self.path.join(relative)))?;
        let blake3 = file.hasher.finalize().to_hex().to_string();
        self.manifest.files.push(FileEntry { path: relative.to_owned(), rows, bytes: file.bytes, blake3 });
        Ok(())
    }

    fn whole_file(&mut self, relative: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let mut file = self.create_file(relative)?;
        file.write_all(bytes)
            .and_then(|()| file.flush())
            .map_err(OutputError::io(&self.path.join(relative)))?;
        self.list_file(relative, &file, None)
    }

    fn open_part<R: Row>(&self, variant: usize) -> Result<Part<R, S::File>, OutputError> {
        let variant = &self.variants[variant];
        let relative = format!("{}/variant={variant}/part-0.parquet", R::table().name);
        let file = self.create_file(&relative)?;
        match TableWriter::new(file, &self.meta, variant) {
            Ok(writer) => Ok(Part { relative, writer }),
            Err(error) => Err(failure(&self.path, &relative, error)),
        }
    }

    fn close_part<R: Row>(&mut self, mut part: Part<R, S::File>) -> Result<(), OutputError> {
        let rows = part.writer.finish().map_err(|error| failure(&self.path, &part.relative, error))?;
        self.list_file(&part.relative, part.writer.sink(), Some(rows))
    }

    fn close_parts(&mut self) -> Result<(), OutputError> {
        let Some(parts) = self.parts.take() else { return Ok(()) };
        self.close_part(parts.games)?;
        self.close_part(parts.turns)?;
        self.close_part(parts.topology)?;
        self.close_part(parts.events)?;
        parts.orders.map_or(Ok(()), |orders| self.close_part(orders))
    }

    fn open_parts(&mut self, variant: usize) -> Result<(), OutputError> {
        self.close_parts()?;
        self.parts = Some(Parts {
            variant,
            games: self.open_part(variant)?,
            turns: self.open_part(variant)?,
            topology: self.open_part(variant)?,
            events: self.open_part(variant)?,
            orders: match self.logging {
                Logging::WithOrders => Some(self.open_part(variant)?),
                Logging::WithoutOrders => None,
            },
        });
        Ok(())
    }
}

fn failure(folder: &Path, relative: &str, error: ParquetError) -> OutputError {
    OutputError::Io { path: folder.join(relative), source: reason(error) }
}

impl<R: Row, F: Write + Send> Part<R, F> {
    fn write(&mut self, folder: &Path, games: &[GameRecord]) -> Result<(), OutputError> {
        self.writer.write(games).map_err(|error| failure(folder, &self.relative, error))
    }
}

impl<S: Storage> Sink for RunFolder<S>
where
    S::File: Send,
{
    type Error = OutputError;

    fn take(&mut self, variant: usize, games: &[GameRecord]) -> Result<(), OutputError> {
        if self.parts.as_ref().is_none_or(|parts| parts.variant != variant) {
            self.open_parts(variant)?;
        }
        self.manifest.repeatable &= !games.iter().any(|game| game.game.hangs_on_time());
        let Some(parts) = &mut self.parts else { return Ok(()) };
        parts.games.write(&self.path, games)?;
        parts.turns.write(&self.path, games)?;
        parts.topology.write(&self.path, games)?;
        parts.events.write(&self.path, games)?;
        match &mut parts.orders {
            Some(orders) => orders.write(&self.path, games),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
