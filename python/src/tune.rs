//! Searches over the parameters of variants: whole searches, and single settings for optimisers that choose
//! where to look next.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use upheaval::analysis::tune::file::SeedStage;
use upheaval::analysis::tune::folder::{ANSWER, FolderError, TEXT, TuneJournal, line_of, read_line};
use upheaval::analysis::tune::goal::Metric;
use upheaval::analysis::tune::play::{Measured, TunePlan, TuneWorker, TunedPoint};
use upheaval::analysis::tune::search::Task;
use upheaval::analysis::tune::statistic::Mean;
use upheaval::analysis::tune::{CheckedSearch, TuneSearch, TuneSite};
use upheaval::diagnostic::{Source, wording};
use upheaval::rules::variant::setting::Setting;
use upheaval::sim::{Experiment, Overrides, RunError};

use crate::bot::registry;
use crate::errors::{input, machine};
use crate::job::{Job, source_of};
use crate::json;
use crate::study::{run_error, warn_of_faults, watched, worker_error};

/// A job of the kind `tune`.
impl Job<'_> {
    fn tuning(self, threads: Option<usize>) -> PyResult<CheckedSearch> {
        let (source, base) = source_of(&self.source)?;
        let overrides =
            Overrides { seed: self.seed, threads, out: self.out, set: self.set, ..Overrides::default() };
        let tuning =
            CheckedSearch::check(&source, &base, &overrides, &registry(&self.bots)?).map_err(input)?;
        tuning.check_race(&source).map_err(input)?;
        Ok(tuning)
    }
}

fn folder_error(error: FolderError) -> PyErr {
    if error.is_refusal() { input(error) } else { machine(error) }
}

/// The folder of a search's answer, if it exists.
#[pyfunction]
pub(crate) fn whole_search(job: Job<'_>) -> PyResult<Option<PathBuf>> {
    let site = TuneSite::of(&job.tuning(None)?);
    Ok(site.is_over().map_err(folder_error)?.then_some(site.path))
}

/// Plays the missing part of a search, and returns the folder of its answer.
#[pyfunction]
#[pyo3(signature = (job, *, threads, afresh, progress))]
pub(crate) fn run_search(
    py: Python<'_>,
    job: Job<'_>,
    threads: Option<usize>,
    afresh: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PathBuf> {
    let tuning = job.tuning(threads)?;
    let site = TuneSite::of(&tuning);
    let counts = (0, tuning.budget);
    let played = watched(py, progress, counts, |watch| tuning.play(&site, afresh, |_, _| {}, watch))?;
    warn_of_faults(py, tuning.experiment.incidents())?;
    match played {
        Ok(_) => Ok(site.path),
        Err(RunError::Sink(error)) => Err(folder_error(error)),
        Err(other) => Err(run_error(other)),
    }
}

/// The content of an answer's folder: all data, and the text.
#[pyfunction]
pub(crate) fn answer_of<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<(Bound<'py, PyAny>, String)> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path)
            .map_err(|error| input(format!("cannot read `{}`: {error}", path.display())))
    };
    let damaged = |error| input(format!("`{ANSWER}` is damaged: {error}"));
    Ok((json::to_python(py, &read(ANSWER)?).map_err(damaged)?, read(TEXT)?))
}

/// A search whose tasks are played elsewhere.
#[pyclass(frozen, name = "RawSearch", module = "upheaval._upheaval")]
pub struct RawSearch {
    plan: String,
    site: TuneSite,
    state: Mutex<(TuneSearch, Option<TuneJournal>)>,
}

impl RawSearch {
    fn state(&self) -> MutexGuard<'_, (TuneSearch, Option<TuneJournal>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl RawSearch {
    #[new]
    fn new(job: Job<'_>, afresh: bool) -> PyResult<RawSearch> {
        let tuning = Arc::new(job.tuning(None)?);
        let (plan, site) = (TunePlan::of(&tuning).to_json(), TuneSite::of(&tuning));
        let mut search = TuneSearch::new(tuning);
        let journal = site.open(&mut search, afresh).map_err(folder_error)?;
        Ok(RawSearch { plan, site, state: Mutex::new((search, Some(journal))) })
    }

    /// Everything that a worker needs.
    #[getter]
    fn plan(&self) -> &str {
        &self.plan
    }

    /// The games of the search so far, and the maximum.
    #[getter]
    fn games(&self) -> (u64, u64) {
        let state = self.state();
        (state.0.race().games(), state.0.tuning().budget)
    }

    /// The tasks that can be played now, in the order in which they are accepted, with the number of games of
    /// each.
    fn wanted(&self) -> PyResult<Vec<(String, u32)>> {
        let task = |task: Task| Ok((serde_json::to_string(&task).map_err(machine)?, task.count));
        self.state().0.wanted().map(task).collect()
    }

    /// Accepts the next one, as played by a worker.
    fn accept(&self, line: &str) -> PyResult<()> {
        let mut state = self.state();
        let (search, journal) = &mut *state;
        let read = read_line(line, search.tuning());
        let (task, blocks) = read.ok_or_else(|| input("this is not a task of this search"))?;
        let journal = journal.as_mut().ok_or_else(|| input("the search is over"))?;
        if search.next() == Some(task) {
            journal.enter(task, &blocks).map_err(folder_error)?;
        }
        search.take(task, blocks).map_err(input)
    }

    /// Writes the answer, and returns its folder.
    fn finish(&self) -> PyResult<PathBuf> {
        let mut state = self.state();
        let (search, journal) = &mut *state;
        if !search.is_over() {
            return Err(input("the search is not over"));
        }
        let journal = journal.take().ok_or_else(|| input("the search is finished"))?;
        self.site.finish(search, journal).map_err(folder_error)?;
        Ok(self.site.path.clone())
    }

    /// Leaves the played part for another process.
    fn close(&self) {
        self.state().1 = None;
    }
}

/// Plays tasks of a search.
#[pyclass(frozen, name = "RawSearcher", module = "upheaval._upheaval")]
pub struct RawSearcher(TuneWorker);

#[pymethods]
impl RawSearcher {
    #[new]
    fn new(plan: &str, bots: &Bound<'_, PyDict>) -> PyResult<RawSearcher> {
        TunePlan::worker(plan, &registry(bots)?).map(RawSearcher).map_err(input)
    }

    /// The results of a task, as a line.
    fn play(&self, py: Python<'_>, task: &str, threads: usize) -> PyResult<String> {
        let task: Task = serde_json::from_str(task)
            .map_err(|error| input(format!("this is not a task: {}", wording::of_json(&error))))?;
        let played = watched(py, None, (0, 0), |watch| self.0.play(task, threads, watch))?;
        Ok(line_of(task, &played.map_err(worker_error)?))
    }
}

/// The settings of a search file, one at a time.
#[pyclass(frozen, name = "RawSpace", module = "upheaval._upheaval")]
pub struct RawSpace {
    source: Source,
    base: PathBuf,
    overrides: Overrides,
    bots: Py<PyDict>,
    /// Keyed by the text of their values.
    points: Mutex<BTreeMap<String, Arc<Mutex<TunedPoint>>>>,
}

impl RawSpace {
    /// The setting with these values, which is kept between calls together with its results.
    fn point(&self, py: Python<'_>, params: &Bound<'_, PyDict>) -> PyResult<Arc<Mutex<TunedPoint>>> {
        let key = json::text_of(params.as_any())?;
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(point) = points.get(&key) {
            return Ok(Arc::clone(point));
        }
        let values: BTreeMap<String, toml::Value> = serde_json::from_str(&key).map_err(|error| {
            input(format!("these are not values of parameters: {}", wording::of_json(&error)))
        })?;
        let pick = values.into_iter().map(|(parameter, value)| Setting { parameter, value }).collect();
        let overrides = Overrides { pick: Some(pick), ..self.overrides.clone() };
        let registry = registry(self.bots.bind(py))?;
        let point = TunedPoint::check(&self.source, &self.base, &overrides, &registry).map_err(input)?;
        let point = Arc::new(Mutex::new(point));
        points.insert(key, Arc::clone(&point));
        Ok(point)
    }
}

#[pymethods]
impl RawSpace {
    #[new]
    fn new(job: Job<'_>, threads: Option<usize>) -> PyResult<RawSpace> {
        let (source, base) = source_of(&job.source)?;
        let overrides = Overrides { seed: job.seed, threads, set: job.set, ..Overrides::default() };
        Ok(RawSpace { source, base, overrides, bots: job.bots.unbind(), points: Mutex::default() })
    }

    /// The variants; the parameters with their values and the variants that have them; the combinations that are left
    /// out; the measures that have bounds.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let registry = registry(self.bots.bind(py))?;
        let space = Experiment::space(&self.source, &self.base, &self.overrides.set, &registry);
        let space = space.map_err(input)?;
        let dimensions: Vec<_> = space
            .dimensions
            .iter()
            .map(|of| serde_json::json!({ "parameter": of.parameter, "values": of.values, "variants": of.variants }))
            .collect();
        let bounded = CheckedSearch::bounded(&self.source, &self.overrides.set).map_err(input)?;
        let bounded: Vec<&str> = bounded.into_iter().map(Metric::name).collect();
        let facts = serde_json::json!({
            "variants": space.variants, "dimensions": dimensions, "skips": space.skips, "bounded": bounded,
        });
        json::to_python(py, &facts.to_string())
    }

    /// The results of blocks of the setting with these values: the worst bot, the contributions of the blocks with it,
    /// mean and standard error by bot, those of the measures, and by how much they exceed their bounds.
    fn measure<'py>(
        &self,
        py: Python<'py>,
        params: &Bound<'_, PyDict>,
        first: u32,
        end: u32,
        check: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        TunedPoint::check_blocks(&(first..end)).map_err(input)?;
        let point = self.point(py, params)?;
        let stage = if check { SeedStage::Check } else { SeedStage::Search };
        let played = watched(py, None, (0, 0), |watch| {
            let mut point = point.lock().unwrap_or_else(PoisonError::into_inner);
            point.measure(stage, first..end, watch)
        })?;
        let Measured { bot, parts, by_bot, aspects, beyond } = played.map_err(run_error)?;
        let point = point.lock().unwrap_or_else(PoisonError::into_inner);
        let tuning = point.tuning();
        let experiment = &tuning.experiment;
        warn_of_faults(py, experiment.incidents())?;
        let dict = PyDict::new(py);
        dict.set_item("bot", tuning.name_of(bot))?;
        dict.set_item("parts", parts)?;
        dict.set_item("by_bot", named_means(tuning.players.iter().map(|bot| bot.name.as_str()), &by_bot))?;
        dict.set_item("measures", named_means(Metric::ALL.iter().map(|of| of.name()), &aspects))?;
        dict.set_item("beyond", named_means(tuning.bounds.iter().map(|bound| bound.of.name()), &beyond))?;
        Ok(dict)
    }
}

/// Means with their standard errors, by name.
fn named_means<'a>(names: impl Iterator<Item = &'a str>, means: &[Mean]) -> BTreeMap<&'a str, (f64, f64)> {
    names.zip(means).map(|(name, mean)| (name, (mean.mean, mean.sem))).collect()
}
