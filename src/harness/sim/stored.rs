//! Reads a run folder: the common part of `verify`, standings, balances, reports and replays.
//!
//! [`StoredRun::open`] checks manifest and resolved experiment against each other: hashes, the list of parts, the
//! rules. [`StoredRun::file`] names the files of tables; a file whose bytes differ from the manifest is not read. A
//! part that was changed, is missing or is listed twice therefore cannot change a verdict. Each table says which
//! experiment it is of, so a run whose experiment and manifest were written again does not pass either. Callers that
//! skip the checks, or read the rest of a damaged run, must ask for it: [`Trust::Everything`].
//!
//! [`Batches`] are the tables as streams of record batches, for programs that read Arrow. The checks of a folder
//! against its experiment that do not open a part (the listed parts, each once, and the rules) are at the end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::output::location::{GIVEN, RESOLVED, part_name, tables};
use super::output::manifest::{FileEntry, MANIFEST, Manifest};
use super::resolved::{ANSWER, Arm, Canonical, ResolvedExperiment, RunLog};
use super::schedule::{Chunk, Schedule};
use super::shard::Shard;
use crate::record::listed::{Expected, ListedFile, TableOrigin};
use crate::record::parquet::reason;
use crate::record::reader::{ReadError, refuse_other_version};
use crate::record::regular::{Chunks, Readable, RunFile};
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};

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
    #[error("`{}` is shard {shard} of a run: most of its blocks are incomplete; `upheaval join` joins the shards", path.display())]
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

/// The fault of one of the files that identify a run.
#[derive(Debug, thiserror::Error)]
pub enum RunFormFault {
    /// It cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Unreadable {
        /// The file's name.
        file: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// It does not have the form that this program writes.
    #[error("`{file}` is damaged: {what}")]
    Damaged {
        /// The file's name.
        file: &'static str,
        /// The fault.
        what: String,
    },
    /// The resolved experiment is not the one of the manifest: its hash differs.
    #[error("`{RESOLVED}` was changed: its hash is not the one in `{MANIFEST}`")]
    Changed,
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
            return Err(no_run(RunFormFault::Changed));
        }
        if trust != Trust::Everything {
            let faults = faults(&manifest, &experiment, &canonical.hash);
            if let Some(fault) = faults.into_iter().next() {
                return Err(StoredError::Harmed { path: path.to_owned(), fault });
            }
        }
        let entry = |file: &FileEntry| (file.path.clone(), Expected::from(file));
        let listed = || Arc::new(manifest.files.iter().map(entry).collect());
        let listed = (trust == Trust::Nothing).then(listed);
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

    /// The rows of a table for these arms, by their ids, or for all: in the order of arms and games. `None` where the
    /// run has no such rows, as for orders if the experiment did not log them.
    ///
    /// # Errors
    /// There is no such table, arm or column, or a file cannot be read.
    pub fn batches(
        &self,
        table: &str,
        columns: Option<Vec<String>>,
        arms: &[String],
    ) -> Result<Option<Batches>, BatchesError> {
        let known: Vec<&str> = tables(RunLog { orders: true, choices: true, maps: true }).collect();
        if !known.contains(&table) {
            let known = known.join(", ");
            return Err(BatchesError::Unknown(format!("there is no table `{table}`; there are {known}")));
        }
        let ids = || self.arms().iter().map(|arm| arm.id.as_str());
        if let Some(name) = arms.iter().find(|name| !ids().any(|id| id == **name)) {
            let known = ids().collect::<Vec<_>>().join(", ");
            return Err(BatchesError::Unknown(format!("the run has no variant `{name}`; it has {known}")));
        }
        // Only runs that log orders or maps have these tables.
        let recorded: Vec<&str> = tables(self.experiment.log).collect();
        if !recorded.contains(&table) {
            return Ok(None);
        }
        let chosen =
            (0..self.arms().len()).filter(|&arm| arms.is_empty() || arms.contains(&self.arms()[arm].id));
        let files = chosen.flat_map(|arm| {
            let id = self.arms()[arm].id.clone();
            self.parts(arm).into_iter().map(move |part| (id.clone(), self.file(&part, table)))
        });
        Ok(Batches::open(files, columns)?)
    }
}

impl From<&FileEntry> for Expected {
    fn from(file: &FileEntry) -> Expected {
        Expected::Listed { bytes: file.bytes, blake3: file.blake3.clone() }
    }
}

/// The column that gives the arm of a row. It is in the names of the folders, and not in the files.
pub(crate) const VARIANT: &str = "variant";

/// The rows of some files, one batch after the other, with the column `variant` first. Each file is opened when it is
/// needed, so at most one is in memory.
pub struct Batches {
    schema: SchemaRef,
    columns: Option<Vec<String>>,
    files: VecDeque<(String, ListedFile)>,
    open: Option<(String, ParquetRecordBatchReader)>,
}

impl Batches {
    /// The rows of these files, each with its arm. With `columns`, only these, in the order of the files.
    ///
    /// # Errors
    /// There is no file, the first cannot be read, or a column is missing.
    pub(crate) fn open(
        files: impl IntoIterator<Item = (String, ListedFile)>,
        columns: Option<Vec<String>>,
    ) -> Result<Option<Batches>, ReadError> {
        let mut files: VecDeque<(String, ListedFile)> = files.into_iter().collect();
        let Some((variant, first)) = files.pop_front() else { return Ok(None) };
        if let Some(columns) = &columns {
            let known = builder(&first)?.schema().clone();
            let unknown =
                columns.iter().find(|name| *name != VARIANT && known.field_with_name(name).is_err());
            if let Some(name) = unknown {
                let known: Vec<&str> = known.fields().iter().map(|field| field.name().as_str()).collect();
                let columns = known.join(", ");
                return Err(ReadError::Column { path: first.place(), name: name.clone(), columns });
            }
        }
        let reader = reader(&first, columns.as_deref())?;
        let with_variant = columns.as_ref().is_none_or(|columns| columns.iter().any(|name| name == VARIANT));
        let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let variant_field = with_variant.then(|| Arc::new(Field::new(VARIANT, data_type, false)));
        let of_file = reader.schema();
        let fields = variant_field.into_iter().chain(of_file.fields().iter().cloned());
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Ok(Some(Batches { schema, columns, files, open: Some((variant, reader)) }))
    }

    fn with_variant(&self, variant: &str, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(batch.num_columns() + 1);
        if self.schema.fields().len() > batch.num_columns() {
            let keys = Int32Array::from(vec![0; batch.num_rows()]);
            let values = Arc::new(StringArray::from(vec![variant]));
            columns.push(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, values)?));
        }
        columns.extend(batch.columns().iter().cloned());
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

fn builder(file: &ListedFile) -> Result<ParquetRecordBatchReaderBuilder<Chunks>, ReadError> {
    let io = |source| ReadError::Io { path: file.place(), source };
    let opened = file.chunks().map_err(io)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(opened).map_err(|error| io(reason(error)))?;
    refuse_other_version(builder.metadata(), &file.place())?;
    Ok(builder)
}

fn reader(file: &ListedFile, columns: Option<&[String]>) -> Result<ParquetRecordBatchReader, ReadError> {
    let mut builder = builder(file)?;
    if let Some(columns) = columns {
        let names = columns.iter().map(String::as_str).filter(|name| *name != VARIANT);
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        builder = builder.with_projection(mask);
    }
    builder.build().map_err(|error| ReadError::Io { path: file.place(), source: reason(error) })
}

/// Why a table of a run cannot be read as batches.
#[derive(Debug, thiserror::Error)]
pub enum BatchesError {
    /// There is no such table or arm.
    #[error("{0}")]
    Unknown(String),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((variant, reader)) = &mut self.open else {
                let (variant, file) = self.files.pop_front()?;
                match reader(&file, self.columns.as_deref()) {
                    Ok(reader) => self.open = Some((variant, reader)),
                    Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
                }
                continue;
            };
            match reader.next() {
                Some(Ok(batch)) => {
                    let variant = variant.clone();
                    return Some(self.with_variant(&variant, &batch));
                }
                Some(Err(error)) => return Some(Err(error)),
                None => self.open = None,
            }
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// A fault of a file of a result folder, or of the folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {what}")]
pub struct Fault {
    /// The file, by its path below the folder, or the folder.
    pub path: String,
    /// The fault.
    pub what: String,
}

pub(super) fn fault(path: impl Into<String>, what: impl Into<String>) -> Fault {
    Fault { path: path.into(), what: what.into() }
}

/// The fault of a file without which there is no run, if it neither exists nor is listed.
pub(super) const NEEDED: &str = "is part of the run, and the manifest does not list it";

/// All faults in what a run says about itself. The hash is that of its resolved experiment.
pub(super) fn faults(manifest: &Manifest, experiment: &ResolvedExperiment, hash: &str) -> Vec<Fault> {
    let mut faults = doubled(manifest);
    faults.extend(identity(manifest, experiment, hash));
    faults.extend(rules(manifest, experiment));
    match ExpectedFiles::new(manifest, experiment.clone()) {
        Ok(expected) => faults.extend(expected.lists(manifest)),
        Err(fault) => faults.push(fault),
    }
    faults
}

/// Files that are listed twice.
pub(super) fn doubled(manifest: &Manifest) -> Vec<Fault> {
    let mut listed = BTreeSet::from([MANIFEST]);
    let doubled = manifest.files.iter().filter(|entry| !listed.insert(&entry.path));
    doubled.map(|entry| fault(&entry.path, "is listed twice in the manifest")).collect()
}

/// Do manifest and experiment agree about the identity of the run?
pub(super) fn identity(manifest: &Manifest, experiment: &ResolvedExperiment, hash: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut differ = |path: &str, what: String| faults.push(fault(path, what));
    if hash != manifest.experiment_hash {
        differ(RESOLVED, format!("has the hash {hash}, but the manifest says {}", manifest.experiment_hash));
    }
    if experiment.name != manifest.experiment {
        let (own, theirs) = (&manifest.experiment, &experiment.name);
        differ(MANIFEST, format!("belongs to the experiment `{own}`, but {RESOLVED} belongs to `{theirs}`"));
    }
    let code = &manifest.code;
    let versions = (code.behaviour_version, code.schema_version);
    if versions != (experiment.behaviour_version, experiment.schema_version) {
        differ(MANIFEST, format!("has other versions of behaviour and schema than {RESOLVED}"));
    }
    if !manifest.complete {
        differ(MANIFEST, "states that the run is not complete".to_owned());
    }
    faults
}

/// Does the manifest contain the rules of each arm, those of the experiment, and no others? Rules of another behaviour
/// version are not checked: they may mean something else here.
pub(super) fn rules(manifest: &Manifest, experiment: &ResolvedExperiment) -> Vec<Fault> {
    if experiment.behaviour_version != BEHAVIOUR_VERSION {
        return Vec::new();
    }
    let of_arm = |arm: &Arm| {
        let why = arm.variant(manifest.rules.get(&arm.id)).err()?;
        Some(fault(MANIFEST, format!("does not contain the rules of `{}` that were played{why}", arm.id)))
    };
    let mut faults: Vec<Fault> = experiment.variants.iter().filter_map(of_arm).collect();
    let arms: BTreeSet<&str> = experiment.variants.iter().map(|arm| arm.id.as_str()).collect();
    let more = manifest.rules.keys().filter(|id| !arms.contains(id.as_str()));
    faults.extend(more.map(|id| fault(MANIFEST, format!("contains rules of `{id}`, which was not played"))));
    faults
}

/// The files that must exist according to the experiment.
pub(super) struct ExpectedFiles {
    pub experiment: ResolvedExperiment,
    pub schedule: Schedule,
    /// Each part file with its table and chunk, in order of paths.
    pub parts: BTreeMap<String, (&'static str, Chunk)>,
}

impl ExpectedFiles {
    /// The files by the experiment, unless it has many more parts than files are listed: then it does not belong to
    /// this run.
    pub(super) fn new(
        manifest: &Manifest,
        mut experiment: ResolvedExperiment,
    ) -> Result<ExpectedFiles, Fault> {
        experiment.games = manifest.games_played(&experiment).map_err(|what| fault(MANIFEST, what))?;
        let all =
            experiment.variants.len() as u64 * u64::from(experiment.games.div_ceil(manifest.games_a_part));
        let parts = match &manifest.shard {
            None => all,
            Some(Shard::Nth { of, .. }) => all / u64::from(*of),
            Some(Shard::Chunks { chunks }) => all.min(chunks.count() as u64),
        };
        if parts > manifest.files.len() as u64 {
            let (each, files) = (manifest.games_a_part, manifest.files.len());
            let what = format!(
                "has {parts} parts of {each} games by the experiment, but lists {files} files in all"
            );
            return Err(fault(MANIFEST, what));
        }
        let schedule = Schedule::new(&experiment, manifest.games_a_part, manifest.shard.clone());
        let of_chunk = |chunk: Chunk| {
            let arm = experiment.variants[chunk.variant].id.clone();
            tables(experiment.log)
                .map(move |table| (part_name(table, &arm, chunk.part), (table, chunk.clone())))
        };
        let parts = schedule.chunks().flat_map(of_chunk).collect();
        Ok(ExpectedFiles { experiment, schedule, parts })
    }

    /// Does the manifest list exactly the required files?
    pub(super) fn lists(&self, manifest: &Manifest) -> Vec<Fault> {
        let listed: BTreeSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        let answer = self.experiment.sequential.as_ref().map(|_| ANSWER);
        let needed = [GIVEN, RESOLVED].into_iter().chain(answer).chain(self.parts.keys().map(String::as_str));
        let missing = needed.filter(|path| !listed.contains(path));
        let mut faults: Vec<Fault> = missing.map(|path| fault(path, NEEDED)).collect();
        let known = |path: &str| {
            self.parts.contains_key(path) || [GIVEN, RESOLVED].contains(&path) || answer == Some(path)
        };
        let more = listed.iter().filter(|path| !known(path));
        faults.extend(more.map(|path| fault(*path, "is listed in the manifest, but is not part of the run")));
        if manifest.games != self.schedule.total() {
            let (says, are) = (manifest.games, self.schedule.total());
            faults.push(fault(MANIFEST, format!("says {says} games, but the experiment has {are}")));
        }
        faults
    }
}
