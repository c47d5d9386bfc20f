//! Leftovers of interrupted runs in an output folder: runs of the same name by another experiment.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::journal::{Author, Contents, Head, Journal};
use super::place::{JOURNAL, PREFIX, RunPlace, hidden, is_there, remove, with_ending};
use super::site::Site;
use crate::record::CREATED_BY;
use crate::sim::resolved;
use crate::sim::shard::Shard;

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

impl Site {
    /// The existing part of the run. Changes nothing.
    ///
    /// # Errors
    /// The refusals of [`super::RunFolder::create`].
    pub(crate) fn standing(&self) -> Result<FoundRun, OutputError> {
        let place = self.look()?;
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
fn refuse_others(site: &Site) -> Result<(), OutputError> {
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
pub(super) fn throw_away(site: &Site) {
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
fn others(site: &Site) -> Vec<Unfinished> {
    let own = &site.canonical.hash;
    let Ok(entries) = fs::read_dir(shown(&site.out)) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let of_name = |file: &String| {
        let run = file.strip_prefix(PREFIX)?.strip_suffix(JOURNAL)?;
        let (name, digits) = Shard::without_suffix(run).rsplit_once('-')?;
        (name == site.name && digits != &own[..12]).then(|| site.out.join(file))
    };
    let unfinished = names.iter().filter_map(of_name).filter_map(|journal| {
        let contents = Journal::peek(&journal).ok()??;
        (is_there(&journal.with_extension("")) && !contents.entries.is_empty())
            .then_some(Unfinished { journal, contents })
    });
    unfinished.collect()
}

fn shown(out: &Path) -> PathBuf {
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out.to_owned() }
}
