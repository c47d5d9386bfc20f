//! The task to be played, as described by Python keywords.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use upheaval::diagnostic::Source;
use upheaval::sim::{Experiment, Overrides, StoredRun, tournament};

use crate::bot::registry;
use crate::errors::input;
use crate::variant::toml_of;

/// The task to be played: `upheaval.cluster.Job`.
#[derive(FromPyObject)]
pub(crate) struct Job<'py> {
    pub source: Bound<'py, PyAny>,
    kind: String,
    pub bots: Bound<'py, PyDict>,
    pub seed: Option<u64>,
    amount: Option<u32>,
    pub out: Option<PathBuf>,
    pub set: Vec<String>,
    extend: Vec<PathBuf>,
}

/// The text of an experiment, tournament or match file, and the folder to which its paths are relative; from
/// a path or a dict.
pub(crate) fn source_of(any: &Bound<'_, PyAny>) -> PyResult<(Source, PathBuf)> {
    if let Ok(keys) = any.cast::<PyDict>() {
        return Ok((Source::new("dict", toml_of(keys)?), PathBuf::new()));
    }
    let path: PathBuf = any.extract()?;
    let base = path.parent().unwrap_or(Path::new("")).to_owned();
    Ok((Source::read(&path).map_err(input)?, base))
}

impl Job<'_> {
    /// The experiment, or the one of the tournament's games, on this number of threads.
    pub(crate) fn experiment(self, threads: Option<usize>) -> PyResult<Experiment> {
        let (source, base) = source_of(&self.source)?;
        let registry = registry(&self.bots)?;
        let Job { seed, amount, out, set, extend, .. } = self;
        let run = Overrides { seed, threads, out, set, ..Overrides::default() };
        let checked = match self.kind.as_str() {
            "experiment" => Experiment::check(&source, &base, &Overrides { games: amount, ..run }, &registry),
            "tournament" => {
                let overrides = tournament::TournamentOverrides { blocks: amount, run };
                if !extend.is_empty() {
                    let open = |folder: &PathBuf| StoredRun::open_whole(folder).map_err(input);
                    let runs = extend.iter().map(open).collect::<PyResult<Vec<StoredRun>>>()?;
                    return tournament::check_extension(&source, &base, &overrides, &runs, &registry)
                        .map_err(input);
                }
                tournament::check(&source, &base, &overrides, &registry)
            }
            other => return Err(input(format!("there is no kind of plan `{other}`"))),
        };
        checked.map_err(input)
    }
}
