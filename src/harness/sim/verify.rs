//! Checks whether a result folder is complete and undamaged, as far as possible without playing the run, tournament or
//! shard on disk again, and lists all faults rather than the first.
//!
//! Parts are read in parallel, each a batch of rows at a time, so a run of any size takes little memory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::output::location::{GIVEN, RESOLVED, folder_name, part_name};
use super::output::manifest::{FileEntry, MANIFEST, Manifest};
use super::output::place;
use super::part::Part;
use super::resolved::{Canonical, ResolvedExperiment};
use super::schedule::Chunk;
pub use super::stored::Fault;
use super::stored::{self, ExpectedFiles, NEEDED, RunFormFault, fault};
use crate::record::column::TableRow;
use crate::record::compare::Audit;
use crate::record::regular::{NotRegular, RunFile};
use crate::record::{EventRow, GameRow, MapRow, OrderRow, SCHEMA_VERSION, SeatRow, compare, reader};

/// The files of a part, played again, that differ from those of the run.
pub fn played_otherwise(manifest: &Manifest, part: &Part) -> Vec<Fault> {
    let again = part.head.files.iter().map(|file| (file.path.as_str(), file.blake3.as_str()));
    written_otherwise(manifest, again).collect()
}

/// The files of a run, played again as another run, that differ from those of the first.
pub fn run_otherwise(manifest: &Manifest, again: &Manifest) -> Vec<Fault> {
    let lacking = manifest.files.iter().filter(|file| !listed(again, &file.path));
    let lacking = lacking.map(|file| fault(&file.path, "played again, it is not written"));
    let files = again.files.iter().map(|file| (file.path.as_str(), file.blake3.as_str()));
    lacking.chain(written_otherwise(manifest, files)).collect()
}

/// Those of these files, each with its hash, that the run does not have.
fn written_otherwise<'a>(
    manifest: &'a Manifest,
    files: impl Iterator<Item = (&'a str, &'a str)> + 'a,
) -> impl Iterator<Item = Fault> + 'a {
    files.filter_map(|(path, blake3)| match manifest.files.iter().find(|file| file.path == path) {
        Some(listed) if listed.blake3 == blake3 => None,
        Some(_) => Some(fault(path, "played again, it has different bytes")),
        None => Some(fault(path, "played again, it exists, but the manifest does not list it")),
    })
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The faults.
    pub faults: Vec<Fault>,
    /// Its manifest, if that can be read.
    pub manifest: Option<Manifest>,
    /// Its resolved experiment, if that is there.
    pub canonical: Option<Canonical>,
    /// The number of rows that were checked, over all tables.
    pub rows: u64,
    /// Bytes that were hashed.
    pub bytes: u64,
}

impl VerifyReport {
    /// Is there no fault?
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

/// The folder cannot be opened at all.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be read: {source}; name the folder of a run, tournament or shard", path.display())]
pub struct NoFolder {
    path: PathBuf,
    source: std::io::Error,
}

/// Checks a result folder.
///
/// # Errors
/// It is not a folder, or cannot be listed.
pub fn verify(folder: &Path) -> Result<VerifyReport, NoFolder> {
    let mut found = Vec::new();
    fs::read_dir(folder)
        .and_then(|_| place::list(folder, "", &mut found))
        .map_err(|source| NoFolder { path: folder.to_owned(), source })?;
    let mut report = VerifyReport::default();
    let manifest = match manifest(folder) {
        Ok(manifest) => manifest,
        Err(what) => {
            report.faults.push(fault(MANIFEST, what));
            return Ok(report);
        }
    };
    report.canonical = stored::canonical(folder).ok();
    report.faults.extend(stored::doubled(&manifest));
    report.faults.extend(strangers(&found, &manifest));
    let empty = empty_folders(folder, "").unwrap_or_default();
    report
        .faults
        .extend(empty.into_iter().map(|path| fault(path, "is an empty folder that is not part of the run")));
    let expected = expected(folder, &manifest, report.canonical.as_ref(), &mut report.faults);
    let parts: Vec<(Vec<Fault>, u64, u64)> =
        manifest.files.par_iter().map(|entry| file(folder, entry, &manifest, expected.as_ref())).collect();
    for (faults, rows, bytes) in parts {
        report.faults.extend(faults);
        report.rows += rows;
        report.bytes += bytes;
    }
    report.manifest = Some(manifest);
    Ok(report)
}

/// The files that a run must have by its experiment, if that can be read. Adds the faults of the run's statements.
fn expected(
    folder: &Path,
    manifest: &Manifest,
    canonical: Option<&Canonical>,
    faults: &mut Vec<Fault>,
) -> Option<ExpectedFiles> {
    let Some(canonical) = canonical else {
        let without = [GIVEN, RESOLVED].into_iter().filter(|name| !listed(manifest, name));
        faults.extend(without.map(|name| fault(name, NEEDED)));
        return None;
    };
    let read = ResolvedExperiment::read(&canonical.text).map_err(|what| fault(RESOLVED, what));
    let files = read.and_then(|experiment| {
        faults.extend(stored::identity(manifest, &experiment, &canonical.hash));
        faults.extend(misnamed(folder, manifest));
        faults.extend(stored::rules(manifest, &experiment));
        ExpectedFiles::new(manifest, experiment)
    });
    let files = files.map_err(|fault| faults.push(fault)).ok()?;
    faults.extend(files.lists(manifest));
    Some(files)
}

fn manifest(folder: &Path) -> Result<Manifest, String> {
    stored::manifest(folder).map_err(|fault| match fault {
        RunFormFault::Unreadable { source, .. } => unreadable(MANIFEST, &source),
        RunFormFault::Damaged { what, .. } => format!("is not a manifest of this program: {what}"),
        changed @ RunFormFault::Changed => changed.to_string(),
    })
}

/// Why a file of the folder cannot be read: a sentence without its subject.
fn unreadable(path: &str, error: &std::io::Error) -> String {
    match NotRegular::of(error) {
        Some(found) if found.name == path => found.what(),
        Some(found) => format!("cannot be read: {found}"),
        None => format!("cannot be read: {error}"),
    }
}

/// The empty folders below a folder, by their relative paths.
fn empty_folders(folder: &Path, prefix: &str) -> std::io::Result<Vec<String>> {
    let mut empty = Vec::new();
    let mut entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries.iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let name = format!("{prefix}{}/", entry.file_name().to_string_lossy());
        match fs::read_dir(entry.path())?.next() {
            None => empty.push(name),
            Some(_) => empty.extend(empty_folders(&entry.path(), &name)?),
        }
    }
    Ok(empty)
}

fn listed(manifest: &Manifest, path: &str) -> bool {
    manifest.files.iter().any(|file| file.path == path)
}

/// Files that exist but are not listed.
fn strangers(found: &[String], manifest: &Manifest) -> Vec<Fault> {
    let listed: BTreeSet<&str> =
        manifest.files.iter().map(|entry| entry.path.as_str()).chain([MANIFEST]).collect();
    let strange = found.iter().filter(|name| !listed.contains(name.as_str()));
    strange.map(|name| fault(name, "is not part of the run: the manifest does not list it")).collect()
}

/// Does the folder have the name of its run?
fn misnamed(folder: &Path, manifest: &Manifest) -> Option<Fault> {
    let right = folder_name(&manifest.experiment, &manifest.experiment_hash, manifest.shard.as_ref());
    let name = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (name != right)
        .then(|| fault(name, format!("is the folder of `{right}` by its manifest: restore that name")))
}

/// The fault of one file, its rows, and its bytes.
fn file(
    folder: &Path,
    entry: &FileEntry,
    manifest: &Manifest,
    expected: Option<&ExpectedFiles>,
) -> (Vec<Fault>, u64, u64) {
    let path = RunFile::new(folder, &entry.path);
    let one = |what: String| (vec![fault(&entry.path, what)], 0, 0);
    let mut hasher = blake3::Hasher::new();
    let hashed = path.open().and_then(|file| hasher.update_reader(file).map(|h| (h.count(), h.finalize())));
    let (bytes, hash) = match hashed {
        Ok((bytes, hash)) => (bytes, hash.to_hex()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return one("is missing".to_owned()),
        Err(error) => return one(unreadable(&entry.path, &error)),
    };
    let mut faults = Vec::new();
    let mut wrong = |what: String| faults.push(fault(&entry.path, what));
    if bytes != entry.bytes {
        wrong(format!("has {bytes} bytes, but the manifest says {}", entry.bytes));
    } else if hash.as_str() != entry.blake3 {
        wrong(format!("has the hash {hash}, but the manifest says {}", entry.blake3));
    }
    let part = expected.and_then(|expected| expected.parts.get(&entry.path).map(|part| (expected, part)));
    let Some((expected, (table, chunk))) = part else { return (faults, 0, bytes) };
    if manifest.code.schema_version != SCHEMA_VERSION {
        let found = manifest.code.schema_version;
        wrong(format!(
            "has schema version {found}, but this program reads {SCHEMA_VERSION}: its rows are not checked"
        ));
        return (faults, 0, bytes);
    }
    let rows = match compare::audit(&path) {
        Ok(part) => {
            if entry.rows != Some(part.rows) {
                let says = entry.rows.map_or("none".to_owned(), |rows| rows.to_string());
                wrong(format!("has {} rows, but the manifest says {says}", part.rows));
            }
            metadata(&part, manifest, expected, table, chunk).into_iter().for_each(&mut wrong);
            games(&part, folder, &path, expected, table, chunk).into_iter().for_each(&mut wrong);
            part.rows
        }
        Err(what) => {
            wrong(what);
            0
        }
    };
    (faults, rows, bytes)
}

/// The metadata of a part file, compared with the expected values.
fn metadata(
    part: &Audit,
    manifest: &Manifest,
    expected: &ExpectedFiles,
    table: &str,
    chunk: &Chunk,
) -> Vec<String> {
    let code = &manifest.code;
    let right = [
        ("schema_version", code.schema_version.to_string()),
        ("behaviour_version", code.behaviour_version.to_string()),
        ("experiment", manifest.experiment.clone()),
        ("experiment_hash", manifest.experiment_hash.clone()),
        ("seed", expected.experiment.seed.to_string()),
        ("rng", code.rng.clone()),
        ("rng_derivation_version", code.rng_derivation_version.to_string()),
        ("table", table.to_owned()),
        ("variant", expected.experiment.variants[chunk.variant].id.clone()),
    ];
    let wrong = right.into_iter().filter_map(|(key, right)| {
        let name = format!("upheaval.{key}");
        let found = part.metadata.iter().find(|(key, _)| *key == name).map_or("nothing", |(_, value)| value);
        (found != right).then(|| format!("says {found} in `{name}`, not {right}"))
    });
    wrong.collect()
}

/// Does a part have rows of the games of its chunk, each once, in order?
fn games(
    part: &Audit,
    folder: &Path,
    path: &RunFile,
    expected: &ExpectedFiles,
    table: &str,
    chunk: &Chunk,
) -> Option<String> {
    let span = format!("{} to {}", chunk.games.start, chunk.games.end.saturating_sub(1));
    if table == GameRow::TABLE {
        if part.games.len() != chunk.games.len() {
            return Some(format!("has {} games, but the schedule says games {span}", part.games.len()));
        }
        let arm = &expected.experiment.variants[chunk.variant].id;
        let seats = RunFile::new(folder, part_name(SeatRow::TABLE, arm, chunk.part));
        let rows = match reader::games(path, &seats, expected.experiment.power_names()) {
            Ok(rows) => rows,
            Err(error) => return Some(error.to_string()),
        };
        let (row, number) = rows.iter().zip(chunk.games.clone()).find(|(row, number)| {
            let spec = expected.schedule.game(chunk.variant, *number);
            let found = (row.game, row.block, row.line_up, row.rotation);
            found != (spec.game, spec.block, spec.line_up, spec.rotation)
                || row.seats.iter().any(|(power, seat)| seat.bot != spec.names[power])
        })?;
        let (game, block, rotation) = (row.game, row.block, row.rotation);
        return Some(format!(
            "has game {game} of block {block}, rotation {rotation}, where the schedule has game {number}, or other bots"
        ));
    }
    // A game without events has no rows of events; it has no orders if no power has a unit, and no maps if none changes.
    let may_lack = [EventRow::TABLE, OrderRow::TABLE, MapRow::TABLE].contains(&table);
    let sound = match may_lack {
        true => {
            part.games.windows(2).all(|pair| pair[0] < pair[1])
                && part.games.iter().all(|g| chunk.games.contains(g))
        }
        false => part.games.iter().copied().eq(chunk.games.clone()),
    };
    (!sound).then(|| format!("does not have the rows of games {span}, each game's together and in order"))
}
