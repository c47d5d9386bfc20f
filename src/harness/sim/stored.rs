//! Reads a run folder: the common part of `verify`, standings, balances, reports and replays.
//!
//! [`StoredRun::open`] checks manifest and resolved experiment against each other: hashes, the list of parts, the
//! rules. [`StoredRun::file`] names the files of tables; a file whose bytes differ from the manifest is not read. A
//! part that was changed, is missing or is listed twice therefore cannot change a verdict. Each table says which
//! experiment it is of, so a run whose experiment and manifest were written again does not pass either. Callers that
//! skip the checks, or read the rest of a damaged run, must ask for it: [`Trust::Everything`].

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::listing::{self, Fault};
use super::output::manifest::{MANIFEST, Manifest};
use super::output::{RESOLVED, part_name};
use super::resolved::{Arm, Canonical, ResolvedExperiment};
use super::schedule::{Chunk, Schedule};
use super::shard::Shard;
use crate::record::SCHEMA_VERSION;
use crate::record::listed::{Expected, ListedFile, TableOrigin};
use crate::record::reader::ReadError;
use crate::record::regular::RunFile;

/// Why a folder cannot be read as a run, or not for this purpose.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// It is not the folder of a run.
    #[error("`{}` is not a run folder: {fault}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// The missing or damaged part.
        fault: RunFormFault,
    },
    /// Its own statements are inconsistent, or it does not list the files of the run.
    #[error("`{}` is damaged: `{}` {}; `upheaval verify` lists all faults", path.display(), fault.path, fault.what)]
    Harmed {
        /// The folder.
        path: PathBuf,
        /// The first fault.
        fault: Fault,
    },
    /// It is a shard of a run, in which most blocks lack games.
    #[error("`{}` is shard {shard} of a run: it lacks games of most blocks", path.display())]
    PartOfRun {
        /// The folder.
        path: PathBuf,
        /// Which shard.
        shard: Shard,
    },
    /// Its tables were written by another version.
    #[error(
        "`{}` has schema version {found}, but this program reads {SCHEMA_VERSION}: read it with the version that wrote \
         it, or play the experiment again",
        path.display()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// The version it has.
        found: u32,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A table does not fit the others.
    #[error("`{}` {what}: the folder is damaged; `upheaval verify` shows where", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The inconsistency.
        what: String,
    },
    /// Two runs are not of one tournament.
    #[error("`{}` is not of the tournament of `{}`: {what}", second.display(), first.display())]
    Apart {
        /// The first.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// In what they differ.
        what: String,
    },
    /// A run is not one of a tournament, or not one of several.
    #[error("`{}` {what}", path.display())]
    NotOfTournament {
        /// The run.
        path: PathBuf,
        /// Why not, as a sentence that lacks its subject.
        what: String,
    },
    /// A game belongs to another run.
    #[error("`{}` has a game with a bot that {RESOLVED} does not name", .0.display())]
    Foreign(PathBuf),
}

impl StoredError {
    /// Can the user avoid the error with another folder, rather than being faced with a failure to read this one?
    pub fn is_refusal(&self) -> bool {
        !matches!(self, StoredError::Read(_) | StoredError::Harmed { .. })
    }
}

/// The fault of one of the files that identify a run.
#[derive(Debug)]
pub enum RunFormFault {
    /// It cannot be read.
    Unreadable {
        /// The file's name.
        file: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// It does not have the form that this program writes.
    Damaged {
        /// The file's name.
        file: &'static str,
        /// The fault.
        what: String,
    },
    /// The resolved experiment is not the one of the manifest: its hash differs.
    Changed {
        /// The hash in the manifest.
        listed: String,
        /// The hash of the file.
        found: String,
    },
}

impl fmt::Display for RunFormFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunFormFault::Unreadable { file, source } => write!(f, "cannot read `{file}`: {source}"),
            RunFormFault::Damaged { file, what } => write!(f, "`{file}` is damaged: {what}"),
            RunFormFault::Changed { .. } => {
                write!(f, "`{RESOLVED}` was changed: its hash is not the one in `{MANIFEST}`")
            }
        }
    }
}

/// The manifest of a folder, if it has the form that this program writes.
///
/// # Errors
/// It is missing or damaged.
pub(crate) fn manifest(folder: &Path) -> Result<Manifest, RunFormFault> {
    let text = read(folder, MANIFEST)?;
    let damaged = |what: String| RunFormFault::Damaged { file: MANIFEST, what };
    let manifest = Manifest::read(text.as_bytes()).map_err(damaged)?;
    match manifest.shard.as_ref().is_none_or(Shard::is_sound) {
        true => Ok(manifest),
        false => Err(damaged("has an invalid shard".to_owned())),
    }
}

/// The text of a folder's resolved experiment, with its hash.
///
/// # Errors
/// It cannot be read.
pub(crate) fn canonical(folder: &Path) -> Result<Canonical, RunFormFault> {
    read(folder, RESOLVED).map(Canonical::of_text)
}

fn read(folder: &Path, file: &'static str) -> Result<String, RunFormFault> {
    RunFile::new(folder, file).read_text().map_err(|source| RunFormFault::Unreadable { file, source })
}

/// How much of a run folder is trusted without a check. The experiment is always compared with the one that each table
/// names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Nothing: the manifest is compared with the experiment, and each file that is read with its hash.
    #[default]
    Nothing,
    /// The bytes of files and their places: for comparing each row with a game that is played again.
    Bytes,
    /// The list of files, too.
    Everything,
}

/// A run on disk, or a shard of one.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// The folder.
    pub path: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its experiment. For a match that was decided, its games are those that were played.
    pub experiment: ResolvedExperiment,
    /// The maximum number of games of each arm.
    pub(super) planned: u32,
    /// The manifest's entry of each file by its path; `None` if bytes are trusted.
    listed: Option<Arc<BTreeMap<String, Expected>>>,
    /// What its tables say of themselves.
    origin: TableOrigin,
}

/// Consecutive games of one arm, in one file of each table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestPart {
    /// The arm, by its index in the experiment.
    pub arm: usize,
    /// The file's name, which is the same in every table.
    name: String,
}

impl StoredRun {
    /// Opens the folder of a run or of a shard.
    ///
    /// # Errors
    /// Manifest or resolved experiment are missing or damaged, inconsistent, or of another version; or the manifest
    /// lists other files than those of the run, or contains other rules than were played.
    pub fn open(path: &Path) -> Result<StoredRun, StoredError> {
        StoredRun::open_with(path, Trust::Nothing)
    }

    /// The same for a folder that may be trusted.
    ///
    /// # Errors
    /// Those of [`StoredRun::open`]. If everything is trusted, lists and rules are not checked.
    pub fn open_with(path: &Path, trust: Trust) -> Result<StoredRun, StoredError> {
        let no_run = |fault| StoredError::NoRun { path: path.to_owned(), fault };
        let manifest = manifest(path).map_err(no_run)?;
        let canonical = canonical(path).map_err(no_run)?;
        let found = manifest.code.schema_version;
        // Files of another version may have another form, and mean something else.
        if found != SCHEMA_VERSION {
            return Err(StoredError::Version { path: path.to_owned(), found });
        }
        let mut experiment = ResolvedExperiment::read(&canonical.text)
            .map_err(|what| no_run(RunFormFault::Damaged { file: RESOLVED, what }))?;
        if experiment.schema_version != SCHEMA_VERSION {
            return Err(StoredError::Version { path: path.to_owned(), found: experiment.schema_version });
        }
        if canonical.hash != manifest.experiment_hash {
            let (listed, found) = (manifest.experiment_hash, canonical.hash);
            return Err(no_run(RunFormFault::Changed { listed, found }));
        }
        if trust != Trust::Everything {
            let faults = listing::faults(&manifest, &experiment, &canonical.hash);
            if let Some(fault) = faults.into_iter().next() {
                return Err(StoredError::Harmed { path: path.to_owned(), fault });
            }
        }
        let listed = (trust == Trust::Nothing).then(|| Arc::new(listed(&manifest)));
        let origin = match trust {
            Trust::Nothing => TableOrigin::of(&canonical.hash),
            Trust::Bytes | Trust::Everything => TableOrigin::of(&canonical.hash).anywhere(),
        };
        let planned = experiment.games;
        experiment.games = manifest
            .games_played(&experiment)
            .map_err(|what| no_run(RunFormFault::Damaged { file: MANIFEST, what: format!("it {what}") }))?;
        Ok(StoredRun { path: path.to_owned(), manifest, experiment, planned, listed, origin })
    }

    /// Opens the folder of a whole run.
    ///
    /// # Errors
    /// Those of [`StoredRun::open`], or the folder belongs to a shard.
    pub fn open_whole(path: &Path) -> Result<StoredRun, StoredError> {
        StoredRun::open(path)?.whole()
    }

    /// This run, if it is not a shard.
    ///
    /// # Errors
    /// It is a shard.
    pub fn whole(self) -> Result<StoredRun, StoredError> {
        match self.manifest.shard.clone() {
            Some(shard) => Err(StoredError::PartOfRun { path: self.path, shard }),
            None => Ok(self),
        }
    }

    /// Its games.
    pub(crate) fn schedule(&self) -> Schedule {
        let Manifest { games_a_part, ref shard, .. } = self.manifest;
        Schedule::new(&self.experiment, games_a_part, shard.clone())
    }

    /// Its arms, in order.
    pub fn arms(&self) -> &[Arm] {
        &self.experiment.variants
    }

    /// The parts of an arm, in order, as far as the manifest lists them.
    pub fn parts(&self, arm: usize) -> Vec<ManifestPart> {
        let games = format!("games/variant={}/", self.arms()[arm].id);
        let listed = self.manifest.files.iter().filter_map(|file| file.path.strip_prefix(&games));
        let mut parts: Vec<ManifestPart> =
            listed.map(|name| ManifestPart { arm, name: name.to_owned() }).collect();
        parts.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        parts
    }

    /// The file of a part in a table.
    pub fn file(&self, part: &ManifestPart, table: &str) -> ListedFile {
        self.listed_file(format!("{table}/variant={}/{}", self.arms()[part.arm].id, part.name))
    }

    /// The file of a chunk in a table.
    pub(crate) fn chunk_file(&self, chunk: &Chunk, table: &str) -> ListedFile {
        self.listed_file(part_name(table, &self.arms()[chunk.variant].id, chunk.part))
    }

    fn listed_file(&self, name: String) -> ListedFile {
        let expected = match &self.listed {
            None => Expected::Anything,
            Some(listed) => listed.get(&name).cloned().unwrap_or(Expected::Unlisted),
        };
        ListedFile::new(RunFile::new(&self.path, name), expected, self.origin.clone())
    }
}

/// The manifest's entries of its files.
fn listed(manifest: &Manifest) -> BTreeMap<String, Expected> {
    let entries = manifest.files.iter();
    entries
        .map(|entry| {
            let (bytes, blake3) = (entry.bytes, entry.blake3.clone());
            (entry.path.clone(), Expected::Listed { bytes, blake3 })
        })
        .collect()
}
