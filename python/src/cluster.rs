//! Runs whose parts are played elsewhere: the plan, those that play its parts, and the driver that writes them down.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use upheaval::analysis::duel::{Course, Duel};
use upheaval::sim::output::RunFolder;
use upheaval::sim::plan::{Worker, WorkerError};
use upheaval::sim::{Experiment, Part, RunPlan, Site, tournament};

use crate::bot::registry;
use crate::errors::{input, machine};
use crate::study::{
    experiment_error, output_error, overrides, report_of_match, source_of, start_of, warn_of_faults, watched,
};

/// The plan of an experiment or tournament, as text.
#[pyfunction]
#[pyo3(signature = (source, kind, *, bots, seed, games, set))]
pub fn plan_of(
    source: &Bound<'_, PyAny>,
    kind: &str,
    bots: &Bound<'_, PyDict>,
    seed: Option<u64>,
    games: Option<u32>,
    set: Vec<String>,
) -> PyResult<String> {
    Ok(RunPlan::of(&checked(source, kind, bots, seed, games, None, set)?).to_json())
}

/// An experiment, or the games of a tournament.
fn checked(
    source: &Bound<'_, PyAny>,
    kind: &str,
    bots: &Bound<'_, PyDict>,
    seed: Option<u64>,
    amount: Option<u32>,
    out: Option<PathBuf>,
    set: Vec<String>,
) -> PyResult<Experiment> {
    let (source, base) = source_of(source)?;
    let registry = registry(bots)?;
    let checked = match kind {
        "experiment" => {
            Experiment::check(&source, &base, &overrides(seed, amount, None, out, set), &registry)
        }
        "tournament" => {
            let run = overrides(seed, None, None, out, set);
            let overrides = tournament::TournamentOverrides { blocks: amount, run };
            tournament::check(&source, &base, &overrides, &registry)
        }
        other => return Err(input(format!("there is no kind of plan `{other}`"))),
    };
    checked.map_err(experiment_error)
}

/// What there is of a plan: its experiment's hash, its parts, and all its games.
#[pyfunction]
pub fn plan_facts(text: &str) -> PyResult<(String, usize, u64)> {
    let plan = RunPlan::read(text).map_err(input)?;
    let (parts, games) = size_of(&plan);
    Ok((plan.experiment_hash, parts, games))
}

/// The path of an experiment's or tournament's run folder, if all of it is there.
#[pyfunction]
#[pyo3(signature = (source, kind, *, bots, seed, games, out, set))]
pub fn whole_run(
    source: &Bound<'_, PyAny>,
    kind: &str,
    bots: &Bound<'_, PyDict>,
    seed: Option<u64>,
    games: Option<u32>,
    out: Option<PathBuf>,
    set: Vec<String>,
) -> PyResult<Option<PathBuf>> {
    let site = Site::of(&checked(source, kind, bots, seed, games, out, set)?);
    let played = site.is_played().map_err(|error| output_error(error.into()))?;
    Ok(played.then_some(site.path))
}

/// How many parts a plan has, and how many games in all.
fn size_of(plan: &RunPlan) -> (usize, u64) {
    let schedule = plan.schedule();
    (schedule.chunks().count(), schedule.total())
}

/// How many games these parts have.
fn games_of(plan: &RunPlan, from: usize, to: usize) -> u64 {
    let schedule = plan.schedule();
    (from..to).filter_map(|at| schedule.chunk(at)).map(|chunk| chunk.games.len() as u64).sum()
}

/// Plays parts of a plan.
#[pyclass(frozen, name = "RawWorker", module = "upheaval._upheaval")]
pub struct RawWorker(Worker);

#[pymethods]
impl RawWorker {
    #[new]
    fn new(plan: &str, bots: &Bound<'_, PyDict>) -> PyResult<RawWorker> {
        let plan = RunPlan::read(plan).map_err(input)?;
        plan.worker(&registry(bots)?).map(RawWorker).map_err(input)
    }

    /// The bytes of a part.
    fn play<'py>(&self, py: Python<'py>, part: usize, threads: usize) -> PyResult<Bound<'py, PyBytes>> {
        let played = watched(py, None, (0, 0), |watch| self.0.play(part, threads, watch))?;
        let part = played.map_err(|error| match error {
            WorkerError::NoPart(_) => input(error),
            other => machine(other),
        })?;
        warn_of_faults(py, self.0.incidents())?;
        Ok(PyBytes::new(py, &part.to_bytes()))
    }
}

/// Writes down a run whose parts are played elsewhere.
#[pyclass(frozen, name = "RawDriver", module = "upheaval._upheaval")]
pub struct RawDriver {
    folder: Mutex<Option<RunFolder>>,
    plan: RunPlan,
    path: PathBuf,
}

impl RawDriver {
    fn with<T>(&self, f: impl FnOnce(&mut RunFolder) -> PyResult<T>) -> PyResult<T> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        f(folder.as_mut().ok_or_else(|| input("the run is finished"))?)
    }
}

#[pymethods]
impl RawDriver {
    #[new]
    #[pyo3(signature = (source, kind, *, bots, seed, games, out, set, afresh))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of a Python function")]
    fn new(
        source: &Bound<'_, PyAny>,
        kind: &str,
        bots: &Bound<'_, PyDict>,
        seed: Option<u64>,
        games: Option<u32>,
        out: Option<PathBuf>,
        set: Vec<String>,
        afresh: bool,
    ) -> PyResult<RawDriver> {
        let experiment = checked(source, kind, bots, seed, games, out, set)?;
        let folder = RunFolder::start(&experiment, start_of(afresh));
        let folder = folder.map_err(|error| output_error(error.into()))?;
        Ok(RawDriver {
            path: folder.path().to_owned(),
            folder: Mutex::new(Some(folder)),
            plan: RunPlan::of(&experiment),
        })
    }

    /// The plan, as text.
    #[getter]
    fn plan(&self) -> String {
        self.plan.to_json()
    }

    /// How many parts there are, and how many games in all.
    #[getter]
    fn size(&self) -> (usize, u64) {
        size_of(&self.plan)
    }

    /// How many games these parts have.
    fn games_of(&self, from_: usize, to: usize) -> u64 {
        games_of(&self.plan, from_, to)
    }

    /// How many parts are written.
    #[getter]
    fn taken(&self) -> PyResult<usize> {
        self.with(|folder| Ok(folder.taken()))
    }

    /// Writes the next part. Is no other wanted?
    fn accept(&self, py: Python<'_>, part: &[u8]) -> PyResult<bool> {
        py.detach(|| {
            let part = Part::from_bytes(part).map_err(input)?;
            self.with(|folder| folder.accept(&part).map_err(|error| output_error(error.into())))
        })?;
        Ok(false)
    }

    /// Puts the run folder into its place, and returns its path.
    fn finish(&self, py: Python<'_>) -> PyResult<PathBuf> {
        py.detach(|| {
            let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).take();
            let folder = folder.ok_or_else(|| input("the run is finished"))?;
            let (parts, taken) = (self.plan.schedule().chunks().count(), folder.taken());
            if taken < parts {
                return Err(input(format!("{taken} of {parts} parts of the run are written")));
            }
            Ok(folder.finish().map_err(|error| output_error(error.into()))?.path)
        })
    }

    /// Leaves the run unfinished: what is written is kept, and another driver resumes it.
    fn close(&self) {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn __repr__(&self) -> String {
        format!("RawDriver({:?})", self.path)
    }
}

/// Watches a match whose games are played elsewhere.
#[pyclass(frozen, name = "RawMatch", module = "upheaval._upheaval")]
pub struct RawMatch {
    duel: Duel,
    plan: RunPlan,
    /// The games so far, and how many parts they are of.
    course: Mutex<(Course, usize)>,
}

impl RawMatch {
    fn course(&self) -> MutexGuard<'_, (Course, usize)> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RawMatch {
    #[new]
    #[pyo3(signature = (source, *, bots, seed))]
    fn new(source: &Bound<'_, PyAny>, bots: &Bound<'_, PyDict>, seed: Option<u64>) -> PyResult<RawMatch> {
        let (source, base) = source_of(source)?;
        let overrides = overrides(seed, None, None, None, Vec::new());
        let duel = Duel::check(&source, &base, &overrides, &registry(bots)?).map_err(experiment_error)?;
        Ok(RawMatch { plan: duel.plan(), course: Mutex::new((duel.begin(), 0)), duel })
    }

    /// The plan, as text.
    #[getter]
    fn plan(&self) -> String {
        self.plan.to_json()
    }

    /// How many parts there are at most, and how many games in all.
    #[getter]
    fn size(&self) -> (usize, u64) {
        size_of(&self.plan)
    }

    /// How many games these parts have.
    fn games_of(&self, from_: usize, to: usize) -> u64 {
        games_of(&self.plan, from_, to)
    }

    /// How many parts are counted.
    #[getter]
    fn taken(&self) -> usize {
        self.course().1
    }

    /// Counts the next part. Is the match decided?
    fn accept(&self, py: Python<'_>, part: &[u8]) -> PyResult<bool> {
        py.detach(|| {
            let part = Part::from_bytes(part).map_err(input)?;
            let (course, taken) = &mut *self.course();
            if part.head.experiment_hash != self.plan.experiment_hash || part.head.chunk != *taken {
                return Err(input("that is not the next part of this match"));
            }
            let games = part.games(self.plan.experiment.powers()).map_err(input)?;
            *taken += 1;
            Ok(course.take(&self.duel, &games).is_some())
        })
    }

    /// What is decided of it.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.course().0.clone().report();
        report_of_match(py, &self.duel, &report)
    }

    fn close(&self) {}
}
