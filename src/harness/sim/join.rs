//! Joins shards to their run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Shard;
use super::output::journal::Head;
use super::output::location::{OutputError, folder_name};
use super::output::manifest::{MANIFEST, Manifest};
use super::output::place::{self, RunPlace, Temporary};
use super::output::{Disk, RunReport, Storage, whole};
use super::resolved::{Canonical, ResolvedExperiment, difference};
use super::schedule::Schedule;
use super::shard::ChunkList;
use super::verify::verify;
use crate::record::regular::RunFile;

/// The most missing shards that are listed.
const MOST_NAMED: usize = 100;

/// Why shards cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The folders are not sound shards of one run.
    #[error("{0}")]
    Folders(String),
    /// Some are missing.
    #[error("{0}")]
    Missing(Missing),
    /// The joined run cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl JoinError {
    /// Two folders do not belong together.
    fn apart(first: &Path, second: &Path, what: &str) -> JoinError {
        let (first, second) = (first.display(), second.display());
        JoinError::Folders(format!("`{first}` and `{second}` do not belong together: {what}"))
    }
}

/// The missing parts of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// Shards, if the run is divided into shards of the same size.
    #[error("shards are missing: {0}")]
    Shards(String),
    /// Chunks.
    #[error("the chunks {0} are missing")]
    Chunks(ChunkList),
}

struct Piece {
    path: PathBuf,
    shard: Shard,
    /// The number of chunks of the whole run.
    chunks_of_run: usize,
    manifest: Manifest,
    canonical: Canonical,
}

impl Piece {
    /// The numbers of its chunks in the run.
    fn chunks(&self) -> impl Iterator<Item = usize> {
        (0..).map_while(|at| self.shard.chunk(at)).take_while(|chunk| *chunk < self.chunks_of_run)
    }
}

/// Joins shards into the folder of their run, in `out`, or beside the first of them.
///
/// # Errors
/// A shard is missing, damaged, or belongs to another run; or the joined run is refused or cannot be written.
pub fn join(folders: &[PathBuf], out: Option<&Path>) -> Result<RunReport, JoinError> {
    let pieces = pieces(folders)?;
    let first = &pieces[0];
    if let Some(missing) = missing(&pieces) {
        return Err(JoinError::Missing(missing));
    }
    let beside = || fs::canonicalize(&first.path).ok().and_then(|path| path.parent().map(Path::to_owned));
    let out = match (out, first.path.parent()) {
        (Some(out), _) => out.to_owned(),
        (None, Some(parent)) if !parent.as_os_str().is_empty() && first.path.file_name().is_some() => {
            parent.to_owned()
        }
        (None, _) => beside().unwrap_or_default(),
    };
    let manifest = joined(&pieces);
    let path = out.join(folder_name(&manifest.experiment, &manifest.experiment_hash, None));
    write(&pieces, &path, &manifest)?;
    Ok(RunReport { path, manifest })
}

/// The chunks of a run that none of these shards has; `None` if they are complete.
///
/// # Errors
/// A folder is damaged, or two belong to different runs.
pub fn still_missing(folders: &[PathBuf]) -> Result<Option<ChunkList>, JoinError> {
    Ok(missing_chunks(&pieces(folders)?))
}

/// The chunks that no shard has.
fn missing_chunks(pieces: &[Piece]) -> Option<ChunkList> {
    let there: BTreeSet<usize> = pieces.iter().flat_map(Piece::chunks).collect();
    ChunkList::without(pieces[0].chunks_of_run, &there)
}

/// What no piece has. The pieces belong to one run, and no two are the same shard.
fn missing(pieces: &[Piece]) -> Option<Missing> {
    let of = |piece: &Piece| match piece.shard {
        Shard::Nth { of, .. } => Some(of),
        Shard::Chunks { .. } => None,
    };
    let Some(of) = pieces.iter().map(of).collect::<Option<Vec<u32>>>().map(|of| of[0]) else {
        return missing_chunks(pieces).map(Missing::Chunks);
    };
    // A shard may have no chunks, and must be named nevertheless.
    let lacking = of as usize - pieces.len();
    let shards = Shard::all(of).filter(|shard| pieces.iter().all(|piece| piece.shard != *shard));
    let mut shards: Vec<String> = shards.map(|shard| shard.to_string()).take(MOST_NAMED).collect();
    if lacking > shards.len() {
        shards.push(format!("and {} more", lacking - shards.len()));
    }
    (lacking > 0).then(|| Missing::Shards(shards.join(", ")))
}

/// Checks that the pieces belong to one run.
fn fit(pieces: &[Piece]) -> Result<(), JoinError> {
    for (number, other) in pieces.iter().enumerate().skip(1) {
        belongs(&pieces[0], other)?;
        // Any shard may be named twice, not only the first.
        if let Some(twin) = pieces[..number].iter().find(|twin| twin.shard == other.shard) {
            belongs(twin, other)?;
        }
    }
    // A chunk may have been played twice, and must then be the same.
    let mut files: BTreeMap<&str, (&str, &Piece)> = BTreeMap::new();
    for piece in pieces {
        for file in piece.manifest.files.iter().filter(|file| file.rows.is_some()) {
            if let Some((hash, twin)) = files.insert(&file.path, (&file.blake3, piece))
                && hash != file.blake3
            {
                let what = format!("both have `{}`, with different bytes", file.path);
                return Err(JoinError::apart(&twin.path, &piece.path, &what));
            }
        }
    }
    Ok(())
}

/// The shards in these folders, at least one, which belong to one run.
fn pieces(folders: &[PathBuf]) -> Result<Vec<Piece>, JoinError> {
    if folders.is_empty() {
        return Err(JoinError::Folders("name the folders of all shards of a run".to_owned()));
    }
    let mut pieces = Vec::new();
    for path in folders {
        let report = verify(path).map_err(|error| JoinError::Folders(error.to_string()))?;
        let shown = path.display();
        if let Some((first, others)) = report.faults.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
            return Err(JoinError::Folders(format!(
                "`{shown}` is damaged: {first}{more}; `upheaval verify` lists all faults"
            )));
        }
        let (manifest, canonical) = (report.manifest, report.canonical);
        let of_shard = manifest.zip(canonical).and_then(|(m, c)| m.shard.clone().map(|shard| (m, c, shard)));
        let Some((manifest, canonical, shard)) = of_shard else {
            return Err(JoinError::Folders(format!("`{shown}` is a whole run, not a shard")));
        };
        let whole = ResolvedExperiment::read(&canonical.text)
            .map(|experiment| Schedule::new(&experiment, manifest.games_a_part, None).count());
        let chunks_of_run = whole.unwrap_or(0);
        pieces.push(Piece { path: path.clone(), shard, chunks_of_run, manifest, canonical });
    }
    fit(&pieces)?;
    Ok(pieces)
}

/// Checks that two pieces belong to one run.
fn belongs(first: &Piece, other: &Piece) -> Result<(), JoinError> {
    let (a, b) = (&first.manifest, &other.manifest);
    let what = if a.experiment_hash != b.experiment_hash {
        let difference = difference(&first.canonical.text, &other.canonical.text);
        format!("they belong to two experiments, which differ: {difference}")
    } else if !a.code.is_version_of(&b.code) {
        "they were played by two versions of the program".to_owned()
    } else if let (Shard::Nth { of: one, .. }, Shard::Nth { of: two, .. }) = (&first.shard, &other.shard)
        && one != two
    {
        format!("the run is divided into {one} shards in one, and into {two} in the other")
    } else if a.games_a_part != b.games_a_part {
        "their parts are of different sizes".to_owned()
    } else if first.shard == other.shard && matches!(first.shard, Shard::Nth { .. }) {
        format!("both are shard {}", first.shard)
    } else {
        return Ok(());
    };
    Err(JoinError::apart(&first.path, &other.path, &what))
}

/// The manifest of the whole run: that of the first shard, with the files of all.
fn joined(pieces: &[Piece]) -> Manifest {
    let mut whole = pieces[0].manifest.clone();
    whole.shard = None;
    for Piece { manifest, .. } in &pieces[1..] {
        whole.repeatable &= manifest.repeatable;
        if whole.code.revision != manifest.code.revision {
            // No single revision has played it.
            whole.code.revision = None;
        }
        whole.started = whole.started.min(manifest.started.clone());
        whole.ended = whole.ended.max(manifest.ended.clone());
        let more = manifest.files.iter().filter(|file| file.rows.is_some()).cloned();
        whole.files.extend(more);
    }
    whole.files.sort_by(|a, b| a.path.cmp(&b.path));
    // A chunk may have been played twice.
    whole.files.dedup_by(|a, b| a.path == b.path);
    let games = whole.files.iter().filter(|file| file.path.starts_with("games/"));
    whole.games = games.filter_map(|file| file.rows).sum();
    whole
}

/// Copies all files into a hidden folder, and renames it.
fn write(pieces: &[Piece], path: &Path, manifest: &Manifest) -> Result<(), OutputError> {
    let canonical = &pieces[0].canonical;
    place::check_place(path, canonical)?;
    let head = Head::new(canonical, &manifest.started);
    let (mut temporary, ..) = Temporary::create(path, head, Disk::sync_folder)?;
    // The leftovers of an unfinished run of the same experiment are all contained in the shards.
    temporary.keep(&[])?;
    let failed = |file: &str| {
        let path = path.join(file);
        move |source: io::Error| OutputError::Io { path, source }
    };
    for (number, piece) in pieces.iter().enumerate() {
        let own = piece.manifest.files.iter().filter(|file| number == 0 || file.rows.is_some());
        for file in own {
            if temporary.path().join(&file.path).exists() {
                continue;
            }
            copy(&RunFile::new(&piece.path, &file.path), &temporary.path().join(&file.path))
                .map_err(failed(&file.path))?;
        }
    }
    let listed = temporary.path().join(MANIFEST);
    File::create_new(&listed)
        .and_then(|mut file| file.write_all(manifest.to_json().as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| whole::sync_folders(temporary.path()))
        .map_err(failed(MANIFEST))?;
    match place::check_place(path, canonical)? {
        RunPlace::Free => temporary.rename(),
        RunPlace::Replace => temporary.exchange(),
    }
}

fn copy(from: &RunFile, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut copied = File::create_new(to)?;
    io::copy(&mut from.open()?, &mut copied)?;
    copied.sync_all()
}
