//! The place of a run folder: what may be there, the hidden folder beside it, and the final rename.
//!
//! A run is written into the hidden folder `.upheaval-partial-<run>`; the journal `.upheaval-partial-<run>.journal`
//! lists its finished part. The process of the run keeps the journal locked. The journal is created first and removed
//! last: one that can be locked marks the leftovers of an interrupted run, which the same run resumes, and a living run
//! is never touched.
//!
//! An unfinished run of the same name by another experiment is never overwritten: the run is refused with what differs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use upheaval_engine::diagnostic::kind_of;

use super::journal::{Author, Contents, Entry, Head, Journal};
use super::location::{OutputError, RESOLVED, RunLocation};
use super::manifest::MANIFEST;
use super::whole::folder_of;
use crate::record::CREATED_BY;
use crate::record::regular::{NotRegular, RunFile, remove_all_but};
use crate::sim::resolved::Canonical;
use crate::sim::shard::Shard;
use crate::sim::stored::RunFormFault;
use crate::sim::{resolved, stored};

pub(super) const PREFIX: &str = ".upheaval-partial-";
pub(super) const JOURNAL: &str = ".journal";
const OLD: &str = ".old";

/// The state of the place of a run folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunPlace {
    /// Nothing, or an empty folder.
    Free,
    /// A complete run of the same experiment, and nothing else.
    Replace,
}

/// Checks the place of the run folder of this experiment, and refuses anything that must not be lost.
pub(crate) fn check_place(path: &Path, own: &Canonical) -> Result<RunPlace, OutputError> {
    // Among the folders above it, the first existing path must be a folder.
    for ancestor in path.ancestors().skip(1).filter(|a| !a.as_os_str().is_empty()) {
        match fs::metadata(ancestor) {
            Ok(found) if found.is_dir() => break,
            Ok(found) => return Err(not_a_folder(ancestor, &found)),
            Err(_) => continue,
        }
    }
    check_hidden_names(path)?;
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {}
        Ok(found) => return Err(not_a_folder(path, &found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(RunPlace::Free),
        Err(error) => return Err(OutputError::io(path)(error)),
    }
    let mut found = Vec::new();
    list(path, "", &mut found).map_err(OutputError::io(path))?;
    if found.is_empty() {
        return Ok(RunPlace::Free);
    }
    let manifest = match stored::manifest(path) {
        Err(RunFormFault::Unreadable { source, .. }) if NotRegular::of(&source).is_some() => {
            return Err(OutputError::io(path)(source));
        }
        other => other.ok(),
    };
    let Some(manifest) = manifest.filter(|manifest| manifest.complete) else {
        return Err(foreign(path, &found[0]));
    };
    if manifest.experiment_hash != own.hash {
        let other = RunFile::new(path, RESOLVED).read_text().unwrap_or_default();
        let what = format!(
            "contains the run of another experiment, `{}` {}; what differs: {}",
            manifest.experiment,
            manifest.experiment_hash,
            resolved::difference(&other, &own.text)
        );
        return Err(in_the_way(path, what));
    }
    let listed = |name: &String| name == MANIFEST || manifest.files.iter().any(|f| f.path == *name);
    match found.into_iter().find(|name| !listed(name)) {
        None => Ok(RunPlace::Replace),
        Some(name) => Err(foreign(path, &name)),
    }
}

fn in_the_way(path: &Path, what: String) -> OutputError {
    OutputError::InTheWay { path: path.to_owned(), what }
}

fn foreign(path: &Path, name: &str) -> OutputError {
    in_the_way(path, format!("contains `{name}`, which is not part of this run"))
}

/// Checks the hidden names beside a run folder, and refuses anything that a run would not have put there.
fn check_hidden_names(run: &Path) -> Result<(), OutputError> {
    let hidden = hidden(run);
    for folder in [hidden.clone(), with_ending(&hidden, OLD)] {
        match fs::symlink_metadata(&folder) {
            Ok(found) if !found.is_dir() => return Err(not_a_folder(&folder, &found)),
            _ => {}
        }
    }
    let journal = with_ending(&hidden, JOURNAL);
    match fs::symlink_metadata(&journal) {
        Ok(found) if !found.is_file() => {
            let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let found = kind_of(found.file_type());
            Err(OutputError::io(run)(NotRegular { name, found }.into()))
        }
        _ => Ok(()),
    }
}

fn not_a_folder(path: &Path, found: &fs::Metadata) -> OutputError {
    in_the_way(path, format!("is {}, but the run needs a folder there", kind_of(found.file_type())))
}

/// The files below a folder, by their paths below it, sorted. A link counts as a file.
pub(crate) fn list(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push(name);
        }
    }
    Ok(())
}

/// A hidden folder beside a run folder. If it is dropped before it has been renamed, it stays with its finished part;
/// if nothing is finished, it is removed, together with the folders that were created for it.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    run: PathBuf,
    journal: Option<Journal>,
    /// The files that the journal lists.
    listed: BTreeSet<String>,
    made: Vec<PathBuf>,
    /// Makes the names in a folder durable.
    settle: Settle,
}

/// Makes the names in a folder durable: [`Storage::sync_folder`](super::Storage::sync_folder).
pub(crate) type Settle = fn(&Path) -> io::Result<()>;

impl Temporary {
    /// Creates the hidden folder for a run folder, and the folders above it, or takes over the one of an interrupted
    /// run. Returns the first line of its journal, and the finished chunks: none if it belongs to another run or
    /// program.
    pub(crate) fn create(
        run: &Path,
        head: Head,
        settle: Settle,
    ) -> Result<(Self, Head, Vec<Entry>), OutputError> {
        let (out, path) = (folder_of(run), hidden(run));
        let (listed, made) = (BTreeSet::new(), Vec::new());
        let mut temporary = Temporary { path, run: run.to_owned(), journal: None, listed, made, settle };
        temporary.make_folders(out)?;
        clean(out, &temporary.path);
        let claimed = Journal::claim(&with_ending(&temporary.path, JOURNAL)).map_err(OutputError::io(run))?;
        let Some((mut journal, contents)) = claimed else { return Err(OutputError::Busy(run.to_owned())) };
        settle_older(&temporary.path, run);
        let same =
            |found: &Head| (&found.experiment_hash, &found.program) == (&head.experiment_hash, &head.program);
        let (head, entries) = match contents.head {
            Some(found) if same(&found) => (found, contents.entries),
            _ => {
                journal.begin(&head).map_err(OutputError::io(run))?;
                (head, Vec::new())
            }
        };
        temporary.journal = Some(journal);
        match fs::create_dir(&temporary.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(&temporary.path) => {}
            made => made.map_err(OutputError::io(run))?,
        }
        for folder in temporary.made.iter().map(|made| folder_of(made)).chain([out]) {
            settle(folder).map_err(OutputError::io(run))?;
        }
        Ok((temporary, head, entries))
    }

    fn make_folders(&mut self, out: &Path) -> Result<(), OutputError> {
        let missing: Vec<_> = out
            .ancestors()
            .filter(|a| !a.as_os_str().is_empty())
            .take_while(|a| fs::symlink_metadata(a).is_err())
            .map(Path::to_owned)
            .collect();
        for folder in missing.into_iter().rev() {
            match fs::create_dir(&folder) {
                Ok(()) => self.made.push(folder),
                // Another shard that was started at the same time has created it.
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(OutputError::io(&folder)(error)),
            }
        }
        Ok(())
    }

    /// Keeps these entries, the first of the journal, and the files that they list, and discards everything else.
    pub(crate) fn keep(&mut self, entries: &[Entry]) -> Result<(), OutputError> {
        self.listed = entries.iter().flat_map(|entry| &entry.files).map(|file| file.path.clone()).collect();
        if let Some(journal) = &mut self.journal {
            journal.keep(entries.len()).map_err(OutputError::io(&self.run))?;
        }
        self.sweep().map_err(OutputError::io(&self.run))
    }

    /// Enters a finished chunk into the journal.
    pub(crate) fn enter(&mut self, entry: &Entry) -> Result<(), OutputError> {
        if let Some(journal) = &mut self.journal {
            journal.enter(entry).map_err(OutputError::io(&self.run))?;
        }
        self.listed.extend(entry.files.iter().map(|file| file.path.clone()));
        Ok(())
    }

    /// Removes every file that the journal does not list.
    fn sweep(&self) -> io::Result<()> {
        remove_all_but(&self.path, &|name| self.listed.contains(name))
    }

    /// The path to write to.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder to its final path, where there is nothing or an empty folder.
    pub(crate) fn rename(mut self) -> Result<(), OutputError> {
        fs::rename(&self.path, &self.run).map_err(OutputError::io(&self.run))?;
        self.done()
    }

    /// Puts the folder in the place of an older run, which is removed.
    pub(crate) fn exchange(mut self) -> Result<(), OutputError> {
        if !swap(&self.path, &self.run) {
            fs::rename(&self.run, with_ending(&self.path, OLD)).map_err(OutputError::io(&self.run))?;
            if let Err(error) = fs::rename(&self.path, &self.run) {
                settle_older(&self.path, &self.run);
                return Err(OutputError::io(&self.run)(error));
            }
        }
        self.done()
    }

    /// The run is in its place: once that is durable, the auxiliary files are removed.
    fn done(&mut self) -> Result<(), OutputError> {
        (self.settle)(folder_of(&self.run)).map_err(OutputError::io(&self.run))?;
        self.made.clear();
        self.listed.clear();
        remove(&self.path, self.journal.take());
        settle_older(&self.path, &self.run);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        match self.journal.take() {
            // The finished part stays for the same run to resume; the rest would only fill the disk.
            Some(journal) if journal.entries() > 0 => drop(self.sweep()),
            Some(journal) => remove(&self.path, Some(journal)),
            None => {}
        }
        for folder in self.made.iter().rev() {
            // Only empty folders are removed, so nothing that belongs to others is lost.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The hidden folder of a run.
pub(super) fn hidden(run: &Path) -> PathBuf {
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    folder_of(run).join(format!("{PREFIX}{name}"))
}

pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Does anything exist there, even if only a link?
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Is there a folder, and not a link to one?
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Removes a hidden folder, then its journal. Anything that is not a folder stays, together with the journal.
pub(super) fn remove(hidden: &Path, journal: Option<Journal>) {
    let gone = match is_folder(hidden) {
        // Below it links are removed and not followed.
        true => fs::remove_dir_all(hidden).is_ok(),
        false => !is_there(hidden),
    };
    if let (true, Some(journal)) = (gone, journal) {
        journal.remove();
    }
}

/// An older run that was moved aside is removed; if nothing took its place, it is moved back. If that fails it stays
/// under its hidden name.
fn settle_older(hidden: &Path, run: &Path) {
    let older = with_ending(hidden, OLD);
    if is_folder(&older) {
        let _ = match is_there(run) {
            true => fs::remove_dir_all(&older),
            false => fs::rename(&older, run),
        };
    }
}

/// Removes the leftovers of interrupted runs without a finished chunk. A leftover that cannot be removed stays: it is
/// harmless.
fn clean(out: &Path, own: &Path) {
    for (journal, run) in journals(out) {
        let (hidden, run) = (journal.with_extension(""), out.join(run));
        if hidden == own {
            continue;
        }
        let Ok(Some((journal, contents))) = Journal::seize(&journal) else { continue };
        if contents.author == Author::Stranger {
            continue;
        }
        settle_older(&hidden, &run);
        if contents.entries.is_empty() || !is_there(&hidden) {
            remove(&hidden, Some(journal));
        }
    }
}

/// The journals in a folder with the names of their runs, in the order of names.
fn journals(out: &Path) -> Vec<(PathBuf, String)> {
    let of_run = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((entry.path(), name.strip_prefix(PREFIX)?.strip_suffix(JOURNAL)?.to_owned()))
    };
    let mut found: Vec<_> = fs::read_dir(out).into_iter().flatten().flatten().filter_map(of_run).collect();
    found.sort();
    found
}

/// Exchanges two folders in one step, if the system can.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

/// Exchanges two folders in one step, if the system can.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn swap(_: &Path, _: &Path) -> bool {
    false
}

/// Is an unfinished run resumed?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// It is resumed, and no run is started beside an unfinished run of another experiment with the same name.
    #[default]
    GoOn,
    /// It is discarded.
    Afresh,
}

/// The existing part of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundRun {
    /// Nothing.
    Nothing,
    /// This many chunks, from the first on, by its journal.
    Chunks(usize),
    /// All of it.
    Whole,
}

/// An unfinished run.
struct Unfinished {
    journal: PathBuf,
    contents: Contents,
}

impl RunLocation {
    /// Checks the place of the run folder.
    ///
    /// # Errors
    /// There is something that must not be lost.
    pub(crate) fn check(&self) -> Result<RunPlace, OutputError> {
        check_place(&self.path, &self.canonical)
    }

    /// Is the complete run there?
    ///
    /// # Errors
    /// There is something that must not be lost.
    pub fn is_played(&self) -> Result<bool, OutputError> {
        Ok(self.check()? == RunPlace::Replace)
    }

    /// The existing part of the run. Changes nothing.
    ///
    /// # Errors
    /// The refusals of [`super::RunFolder::create`].
    pub(crate) fn standing(&self) -> Result<FoundRun, OutputError> {
        let place = self.check()?;
        match (finished(&self.path, &self.canonical.hash, CREATED_BY), place) {
            (None, _) => Err(OutputError::Busy(self.path.clone())),
            (Some(0), RunPlace::Replace) => Ok(FoundRun::Whole),
            (Some(0), RunPlace::Free) => {
                refuse_others(self)?;
                Ok(FoundRun::Nothing)
            }
            (Some(chunks), _) => Ok(FoundRun::Chunks(chunks)),
        }
    }
}

/// The number of chunks in the journal of this experiment; `None` if another process plays it.
fn finished(run: &Path, experiment_hash: &str, program: &str) -> Option<usize> {
    let Ok(found) = Journal::peek(&with_ending(&hidden(run), JOURNAL)) else { return Some(0) };
    if !is_there(&hidden(run)) {
        // The run was killed after it was put into its place: its journal is obsolete.
        return found.map(|_| 0);
    }
    let contents = found?;
    let own = |head: &Head| head.experiment_hash == experiment_hash && head.program == program;
    Some(if contents.head.as_ref().is_some_and(own) { contents.entries.len() } else { 0 })
}

/// Refuses to start beside an unfinished run of the same name whose experiment was another one.
fn refuse_others(site: &RunLocation) -> Result<(), OutputError> {
    let others = others(site);
    let Some(first) = others.first() else { return Ok(()) };
    let head = first.contents.head.as_ref();
    Err(OutputError::Changed {
        out: shown(&site.out),
        name: site.name.clone(),
        chunks: first.contents.entries.len(),
        difference: resolved::difference(head.map_or("", |head| &head.resolved), &site.canonical.text),
    })
}

/// Discards the leftovers of unfinished runs with this experiment's name: its own, and those of other experiments.
pub(super) fn throw_away(site: &RunLocation) {
    let own = with_ending(&hidden(&site.path), JOURNAL);
    let own = is_there(&own).then_some(own);
    for journal in others(site).into_iter().map(|other| other.journal).chain(own) {
        if let Ok(Some((claimed, contents))) = Journal::seize(&journal)
            && contents.author != Author::Stranger
        {
            remove(&journal.with_extension(""), Some(claimed));
        }
    }
}

/// The unfinished runs with this experiment's name, whole or shards, that belong to another experiment, are not being
/// played, and have finished something.
fn others(site: &RunLocation) -> Vec<Unfinished> {
    let unfinished = journals(&shown(&site.out)).into_iter().filter_map(|(journal, run)| {
        let (name, digits) = Shard::without_suffix(&run).rsplit_once('-')?;
        if name != site.name || digits == &site.canonical.hash[..12] {
            return None;
        }
        let contents = Journal::peek(&journal).ok()??;
        (is_there(&journal.with_extension("")) && !contents.entries.is_empty())
            .then_some(Unfinished { journal, contents })
    });
    unfinished.collect()
}

fn shown(out: &Path) -> PathBuf {
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out.to_owned() }
}
