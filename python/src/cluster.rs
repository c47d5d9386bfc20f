//! Distributed runs: the plan, the workers that play its parts, and the driver that writes the results.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use upheaval::analysis::duel::{Duel, MatchProgress};
use upheaval::record::regular::RunFile;
use upheaval::sim::output::RunFolder;
use upheaval::sim::output::manifest::{FileEntry, Manifest};
use upheaval::sim::plan::Worker;
use upheaval::sim::tournament::TournamentOverrides;
use upheaval::sim::verify::{Fault, played_otherwise};
use upheaval::sim::{Overrides, Part, RunLocation, RunPlan, StoredRun};

use crate::bot::registry;
use crate::errors::input;
use crate::job::{Job, source_of};
use crate::study::{fault_of, output_error, report_of_match, start_of, watched, worker_error};

/// The plan of an experiment or tournament, as text.
#[pyfunction]
pub(crate) fn plan_of(job: Job<'_>) -> PyResult<String> {
    Ok(RunPlan::of(&job.experiment(None)?).to_json())
}

/// The contents of a plan: its experiment's hash, its parts, and the number of its games.
#[pyfunction]
pub(crate) fn plan_facts(text: &str) -> PyResult<(String, usize, u64)> {
    let plan = RunPlan::read(text).map_err(input)?;
    let (parts, games) = size_of(&plan);
    Ok((plan.experiment_hash, parts, games))
}

/// The path of an experiment's or tournament's run folder, if the run is complete.
#[pyfunction]
pub(crate) fn whole_run(job: Job<'_>) -> PyResult<Option<PathBuf>> {
    let site = RunLocation::of(&job.experiment(None)?);
    let played = site.is_played().map_err(|error| output_error(error.into()))?;
    Ok((played && has_its_files(&site.path)).then_some(site.path))
}

/// Does every file of a run exist with the listed length?
fn has_its_files(folder: &Path) -> bool {
    let there = |run: &StoredRun, file: &FileEntry| {
        let opened = RunFile::new(&run.path, &file.path).open();
        opened.and_then(|opened| opened.metadata()).is_ok_and(|found| found.len() == file.bytes)
    };
    StoredRun::open(folder).is_ok_and(|run| run.manifest.files.iter().all(|file| there(&run, file)))
}

/// The number of parts of a plan, and the total number of games.
fn size_of(plan: &RunPlan) -> (usize, u64) {
    let schedule = plan.schedule();
    (schedule.count(), schedule.total())
}

/// Plays parts of a plan.
#[pyclass(frozen, name = "RawWorker", module = "upheaval._upheaval")]
pub struct RawWorker(Arc<Worker>);

/// The workers of this process.
fn workers() -> MutexGuard<'static, Vec<Weak<Worker>>> {
    static WORKERS: Mutex<Vec<Weak<Worker>>> = Mutex::new(Vec::new());
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the programs that wait for a game in any worker of this process.
#[pyfunction]
pub(crate) fn dismiss_programs(py: Python<'_>) {
    py.detach(|| {
        let all: Vec<Arc<Worker>> = workers().iter().filter_map(Weak::upgrade).collect();
        all.iter().for_each(|worker| worker.dismiss());
    });
}

#[pymethods]
impl RawWorker {
    #[new]
    fn new(plan: &str, bots: &Bound<'_, PyDict>) -> PyResult<RawWorker> {
        let plan = RunPlan::read(plan).map_err(input)?;
        let worker = Arc::new(plan.worker(&registry(bots)?).map_err(input)?);
        let mut workers = workers();
        workers.retain(|other| other.strong_count() > 0);
        workers.push(Arc::downgrade(&worker));
        Ok(RawWorker(worker))
    }

    /// The bytes of a part.
    fn play<'py>(&self, py: Python<'py>, part: usize, threads: usize) -> PyResult<Bound<'py, PyBytes>> {
        let played = watched(py, None, (0, 0), |watch| self.0.play(part, threads, watch))?;
        let part = played.map_err(worker_error)?;
        Ok(PyBytes::new(py, &part.to_bytes()))
    }

    /// Ends the programs that wait for a game; others are started for the next part.
    fn dismiss(&self, py: Python<'_>) {
        py.detach(|| self.0.dismiss());
    }

    /// The faults of bots so far: for each bot at fault, a sentence about its first fault.
    fn faults(&self) -> Vec<(String, String)> {
        let of_bots = self.0.incidents().into_iter();
        of_bots.filter_map(|(bot, incidents)| Some((bot.to_owned(), fault_of(bot, &incidents)?))).collect()
    }
}

/// Accepts the parts of a plan, which are played elsewhere, in order.
#[pyclass(frozen, name = "RawDriver", module = "upheaval._upheaval")]
pub struct RawDriver {
    plan: RunPlan,
    /// The purpose of the parts, and how many have been accepted.
    state: Mutex<(Purpose, usize)>,
}

/// The purpose for which parts are played.
enum Purpose {
    /// They are written into a run folder; `None` once that has been finished or closed.
    Run(Option<Box<RunFolder>>),
    /// Their games decide a match.
    Match(Box<Duel>, Box<MatchProgress>),
    /// They are compared with those of an existing run.
    Check(Box<Manifest>, Vec<Fault>),
}

impl RawDriver {
    fn of(plan: RunPlan, purpose: Purpose, taken: usize) -> RawDriver {
        RawDriver { plan, state: Mutex::new((purpose, taken)) }
    }

    fn state(&self) -> MutexGuard<'_, (Purpose, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RawDriver {
    /// Writes a run.
    #[staticmethod]
    fn run(job: Job<'_>, afresh: bool) -> PyResult<RawDriver> {
        let experiment = job.experiment(None)?;
        let folder = RunFolder::start(&experiment, start_of(afresh));
        let folder = folder.map_err(|error| output_error(error.into()))?;
        let taken = folder.taken();
        Ok(RawDriver::of(RunPlan::of(&experiment), Purpose::Run(Some(Box::new(folder))), taken))
    }

    /// Follows a match.
    #[staticmethod]
    #[pyo3(signature = (source, *, bots, seed, set))]
    fn watch(
        source: &Bound<'_, PyAny>,
        bots: &Bound<'_, PyDict>,
        seed: Option<u64>,
        set: Vec<String>,
    ) -> PyResult<RawDriver> {
        let (source, base) = source_of(source)?;
        let overrides = Overrides { seed, set, ..Overrides::default() };
        let overrides = TournamentOverrides { blocks: None, run: overrides };
        let duel = Duel::check(&source, &base, &overrides, &registry(bots)?).map_err(input)?;
        let (plan, course) = (RunPlan::of(&duel.experiment), duel.begin());
        Ok(RawDriver::of(plan, Purpose::Match(Box::new(duel), Box::new(course)), 0))
    }

    /// Compares a run with its chunks, or some of them, played again.
    #[staticmethod]
    fn check(folder: PathBuf, chunks: Option<usize>) -> PyResult<RawDriver> {
        let run = StoredRun::open(&folder).map_err(input)?;
        let plan = RunPlan::of_stored(&run, chunks).map_err(input)?;
        Ok(RawDriver::of(plan, Purpose::Check(Box::new(run.manifest), Vec::new()), 0))
    }

    /// The plan, as text.
    #[getter]
    fn plan(&self) -> String {
        self.plan.to_json()
    }

    /// The number of parts, and the total number of games.
    #[getter]
    fn size(&self) -> (usize, u64) {
        size_of(&self.plan)
    }

    /// The number of accepted parts, and of their games.
    #[getter]
    fn taken(&self) -> (usize, u64) {
        let (taken, schedule) = (self.state().1, self.plan.schedule());
        (taken, schedule.games_of(taken))
    }

    /// Accepts the next part; returns the number of its games, and whether no further part is needed.
    fn accept(&self, py: Python<'_>, part: &[u8]) -> PyResult<(usize, bool)> {
        py.detach(|| {
            let part = Part::from_bytes(part).map_err(input)?;
            let (purpose, taken) = &mut *self.state();
            let chunk = self.plan.schedule().chunk(*taken);
            let next = chunk.filter(|_| part.head.chunk == *taken);
            let next = next.filter(|_| part.head.experiment_hash == self.plan.experiment_hash);
            let chunk = next.ok_or_else(|| input("that is not the next part of the plan"))?;
            let enough = match purpose {
                Purpose::Run(folder) => {
                    let folder = folder.as_mut().ok_or_else(|| input("the run is finished"))?;
                    folder.accept(&part).map_err(|error| output_error(error.into()))?;
                    false
                }
                Purpose::Match(_, course) => {
                    let games = part.games(self.plan.experiment.power_names()).map_err(input)?;
                    course.take(&games)
                }
                Purpose::Check(manifest, faults) => {
                    faults.extend(played_otherwise(manifest, &part));
                    false
                }
            };
            *taken += 1;
            Ok((chunk.games.len(), enough))
        })
    }

    /// The result: the path of the run folder, which is moved into place; the decision of the match; or the
    /// differences found by playing again.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // What a program still wrote would be written into a run that is complete.
        dismiss_programs(py);
        let (purpose, taken) = &mut *self.state();
        match purpose {
            Purpose::Run(folder) => {
                let (parts, _) = size_of(&self.plan);
                if *taken < parts {
                    return Err(input(format!("{taken} of {parts} parts of the run are written")));
                }
                let folder = folder.take().ok_or_else(|| input("the run is finished"))?;
                let report = py.detach(|| folder.finish()).map_err(|error| output_error(error.into()))?;
                report.path.into_bound_py_any(py)
            }
            Purpose::Match(duel, course) => {
                Ok(report_of_match(py, duel, &course.clone().report())?.into_any())
            }
            Purpose::Check(_, faults) => {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                faults.into_bound_py_any(py)
            }
        }
    }

    /// Leaves a run unfinished: the written part is kept, and another driver can resume it.
    fn close(&self) {
        if let (Purpose::Run(folder), _) = &mut *self.state() {
            folder.take();
        }
    }
}

/// The hash of bytes, as used in manifests.
#[pyfunction]
pub(crate) fn blake3_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
