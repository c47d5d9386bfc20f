//! The task to be played, as described by Python keywords.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use upheaval::sim::{Experiment, StoredRun, tournament};

use crate::bot::registry;
use crate::errors::input;
use crate::study::{experiment_error, overrides, source_of};

/// The task to be played: `upheaval.cluster.Job`.
#[derive(FromPyObject)]
pub(crate) struct Job<'py> {
    source: Bound<'py, PyAny>,
    kind: String,
    bots: Bound<'py, PyDict>,
    seed: Option<u64>,
    amount: Option<u32>,
    out: Option<PathBuf>,
    set: Vec<String>,
    extend: Vec<PathBuf>,
}

impl Job<'_> {
    /// The experiment, or the one of the tournament's games, on this number of threads.
    pub(crate) fn experiment(self, threads: Option<usize>) -> PyResult<Experiment> {
        let (source, base) = source_of(&self.source)?;
        let registry = registry(&self.bots)?;
        let Job { seed, amount, out, set, extend, .. } = self;
        let checked = match self.kind.as_str() {
            "experiment" => {
                Experiment::check(&source, &base, &overrides(seed, amount, threads, out, set), &registry)
            }
            "tournament" => {
                let run = overrides(seed, None, threads, out, set);
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
        checked.map_err(experiment_error)
    }
}
