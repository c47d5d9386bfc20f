//! Studies: experiments played into run folders, and their evaluation.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};
use upheaval::adjudicate::AdjudicationService;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::analysis::duel::{Duel, DuelReport};
use upheaval::analysis::sprt::SprtVerdict;
use upheaval::analysis::{Estimate, Interval, Score, Standings};
use upheaval::bot::Incident;
use upheaval::game_record::{GameRecord, Programs, RunReplayer};
use upheaval::record::GameRow;
use upheaval::report::Report;
use upheaval::sim::output::whole::write_whole;
use upheaval::sim::plan::WorkerError;
use upheaval::sim::tournament::TournamentOverrides;
use upheaval::sim::{
    GameSpec, Observer, OutputError, Overrides, PlayError, RunError, Start, StoredRun, verify,
};

use crate::batch::named;
use crate::bot::registry;
use crate::errors::{input, machine};
use crate::job::{Job, source_of};
use crate::json;

/// Counts games, and stops when Python is interrupted.
#[derive(Default)]
pub(crate) struct Watch {
    played: AtomicU64,
    stop: AtomicBool,
}

impl Observer for Watch {
    fn played(&self, _: &GameSpec, _: &GameRow) {
        self.played.fetch_add(1, Ordering::Relaxed);
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The interval at which Python is checked for interruption and notified of the progress of a run.
const PAUSE: Duration = Duration::from_millis(100);

/// Does long work on a separate thread, while Python can handle Ctrl-C and progress: `progress` is called
/// with the number of games played and the total.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (kept, total): (u64, u64),
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let progress = progress.map(|progress| progress.clone().unbind());
    let (result, interrupted) = py.detach(|| {
        let (waiting, done) = (std::thread::current(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let working = scope.spawn(|| {
                let result = work(&watch);
                done.store(true, Ordering::Release);
                waiting.unpark();
                result
            });
            let mut interrupted = None;
            while !done.load(Ordering::Acquire) && !working.is_finished() && interrupted.is_none() {
                std::thread::park_timeout(PAUSE);
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    match &progress {
                        Some(progress) => {
                            let played = kept + watch.played.load(Ordering::Relaxed);
                            progress.call1(py, (played, total)).map(drop)
                        }
                        None => Ok(()),
                    }
                });
                if let Err(error) = heard {
                    watch.stop.store(true, Ordering::Relaxed);
                    interrupted = Some(error);
                }
            }
            (working.join(), interrupted)
        })
    });
    match (interrupted, result) {
        (Some(error), _) => Err(error),
        (None, Ok(result)) => Ok(result),
        (None, Err(_)) => Err(machine("the run ended in a panic; please report it")),
    }
}

pub(crate) fn output_error(error: RunError<OutputError>) -> PyErr {
    match error {
        RunError::Sink(error) if error.is_refusal() => input(error),
        other => run_error(other),
    }
}

/// The error of a run that was not refused by its folder.
pub(crate) fn run_error<E: Display>(error: RunError<E>) -> PyErr {
    match error {
        RunError::Play(error) => play_error(error),
        other => machine(other),
    }
}

/// The error of a worker.
pub(crate) fn worker_error(error: WorkerError) -> PyErr {
    match error {
        WorkerError::NoPart(_) => input(error),
        WorkerError::Play(error) => play_error(error),
        other => machine(other),
    }
}

/// The error of games that cannot be played.
fn play_error(error: PlayError) -> PyErr {
    match error {
        PlayError::Bot { .. } => input(error),
        PlayError::Failing(failing) => input(format!(
            "{failing}; start it again once the cause is removed, or resume with `recover=True`"
        )),
        PlayError::Threads { .. } => machine(error),
    }
}

pub(crate) fn start_of(afresh: bool) -> Start {
    if afresh { Start::Afresh } else { Start::GoOn }
}

/// Warns of the bots that were at fault: once for each bot, with its first fault.
pub(crate) fn warn_of_faults(py: Python<'_>, of_bots: BTreeMap<&str, Vec<Incident>>) -> PyResult<()> {
    for (bot, incidents) in of_bots {
        if let Some(text) = fault_of(bot, &incidents) {
            // Python does not accept zero bytes in it.
            let text = CString::new(text.replace('\0', "")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 2)?;
        }
    }
    Ok(())
}

/// The number of a bot's faults, and its first fault; `None` if it had none.
pub(crate) fn fault_of(bot: &str, incidents: &[Incident]) -> Option<String> {
    let first = incidents.iter().min_by_key(|incident| (&incident.game, &incident.phase))?;
    let Incident { conduct, game, power, phase, reason, last_words, .. } = first;
    let phase = phase.as_deref().unwrap_or("its start");
    let (times, kind) = (incidents.iter().map(|incident| incident.times).sum::<u64>(), conduct.name());
    let mut text = format!(
        "the bot `{bot}` was at fault {times} times, first in {game} as {power} in {phase} ({kind}): {reason}"
    );
    if !last_words.is_empty() {
        text += &format!("\n{last_words}");
    }
    Some(text)
}

/// Plays the missing part of an experiment or tournament, and returns the path of its run folder.
#[pyfunction]
#[pyo3(signature = (job, *, threads, afresh, progress))]
pub(crate) fn run_job(
    py: Python<'_>,
    job: Job<'_>,
    threads: Option<usize>,
    afresh: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PathBuf> {
    let experiment = job.experiment(threads)?;
    let run = py.detach(|| experiment.begin(start_of(afresh))).map_err(|error| output_error(error.into()))?;
    let counts = (run.games_kept(), run.games());
    let report = watched(py, progress, counts, |watch| run.finish(watch))?.map_err(output_error)?;
    warn_of_faults(py, experiment.incidents())?;
    if let Some(progress) = progress {
        progress.call1((counts.1, counts.1))?;
    }
    Ok(report.path)
}

/// Plays a match until it is decided, and returns the decision.
#[pyfunction]
#[pyo3(signature = (entries, *, bots, seed, threads, set, progress))]
pub(crate) fn run_sprt<'py>(
    py: Python<'py>,
    entries: &Bound<'py, PyAny>,
    bots: &Bound<'py, PyDict>,
    seed: Option<u64>,
    threads: Option<usize>,
    set: Vec<String>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (source, base) = source_of(entries)?;
    let overrides = Overrides { seed, threads, set, ..Overrides::default() };
    let overrides = TournamentOverrides { blocks: None, run: overrides };
    let duel = Duel::check(&source, &base, &overrides, &registry(bots)?).map_err(input)?;
    let counts = (0, duel.experiment.schedule().total());
    let report = watched(py, progress, counts, |watch| duel.play(|_| {}, watch))?.map_err(run_error)?;
    warn_of_faults(py, duel.experiment.incidents())?;
    report_of_match(py, &duel, &report)
}

/// The ends of an interval.
fn pair(interval: Option<Interval>) -> Option<(f64, f64)> {
    interval.map(|interval| (interval.low, interval.high))
}

/// The decision of a match.
pub(crate) fn report_of_match<'py>(
    py: Python<'py>,
    duel: &Duel,
    report: &DuelReport,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let bots: Vec<&str> = duel.experiment.resolved.bots.iter().take(2).map(|bot| bot.name.as_str()).collect();
    dict.set_item("bots", bots)?;
    dict.set_item("verdict", report.verdict.map_or("undecided", SprtVerdict::name))?;
    dict.set_item("difference", report.difference.estimate)?;
    dict.set_item("interval", pair(report.difference.interval))?;
    dict.set_item("stronger", duel.answer(report).stronger)?;
    dict.set_item("elo", report.elo.estimate)?;
    dict.set_item("elo_interval", pair(report.elo.interval))?;
    dict.set_item("warning", report.repeats.sentence())?;
    let evidence = SprtVerdict::ALL.map(|of| (of.name(), report.test.evidence(of)));
    dict.set_item("evidence", evidence.into_py_dict(py)?)?;
    dict.set_item("blocks", report.test.blocks())?;
    dict.set_item("games", report.test.blocks() * duel.experiment.resolved.seating().block())?;
    dict.set_item("warnings", report.faults.warnings())?;
    Ok(dict)
}

/// The balance of a run, as the JSON of `upheaval balance --format json`, and as text.
#[pyfunction]
pub(crate) fn balance_of<'py>(
    py: Python<'py>,
    folder: PathBuf,
    extensions: Vec<PathBuf>,
    variants: Vec<String>,
    against: Option<String>,
    margin: f64,
    threads: usize,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let options = BalanceOptions { variants, against, margin, ..BalanceOptions::default() };
    let balance =
        py.detach(|| Balance::on_threads(threads, &folder, &extensions, &options)).map_err(input)?;
    Ok((json::to_python(py, &balance.to_json())?, balance.render()))
}

/// The standings of a run, and of those by which it was extended: for each section its title and its lines, and
/// everything as text.
#[pyfunction]
pub(crate) fn standings_of<'py>(
    py: Python<'py>,
    folder: PathBuf,
    extensions: Vec<PathBuf>,
    score: &str,
) -> PyResult<(Vec<Bound<'py, PyDict>>, String)> {
    let score = named("score", score, &Score::ALL, Score::name)?;
    let standings = py.detach(|| {
        let open = |folder: &PathBuf| StoredRun::open_whole(folder).map_err(input);
        let others = extensions.iter().map(open).collect::<PyResult<Vec<StoredRun>>>()?;
        Standings::of_all(&open(&folder)?, &others, score).map_err(input)
    });
    let (standings, _) = standings?;
    let estimate = |estimate: Estimate| (estimate.estimate, pair(estimate.interval));
    let mut sections = Vec::new();
    for section in standings.sections() {
        let dict = PyDict::new(py);
        dict.set_item("title", section.title)?;
        let mut lines = Vec::new();
        for line in section.lines {
            let row = PyDict::new(py);
            row.set_item("bot", line.bot)?;
            row.set_item("rating", estimate(line.rating))?;
            row.set_item("score", line.score.map(estimate))?;
            row.set_item("solos", line.solos)?;
            row.set_item("games", line.games)?;
            row.set_item("faults", line.faults)?;
            lines.push(row);
        }
        dict.set_item("lines", lines)?;
        dict.set_item("superior", section.superior)?;
        sections.push(dict);
    }
    Ok((sections, standings.render()))
}

/// Writes the report page of a run, and of those by which it was extended.
#[pyfunction]
pub(crate) fn report_of(
    py: Python<'_>,
    folder: PathBuf,
    extensions: Vec<PathBuf>,
    out: PathBuf,
) -> PyResult<()> {
    let options = BalanceOptions::default();
    let html = py.detach(|| Report::of_all(&folder, &extensions, &options).map(|report| report.html()));
    let cannot = |error| machine(format!("cannot write `{}`: {error}", out.display()));
    write_whole(&out, html.map_err(input)?).map_err(cannot)
}

/// A game of a run, replayed and checked: its replay as JSON, and as text. Programs that the run names are
/// started only if their command lines are in `allow_programs`.
#[pyfunction]
pub(crate) fn replay_of(
    py: Python<'_>,
    folder: PathBuf,
    game: &str,
    bots: &Bound<'_, PyDict>,
    allow_programs: Vec<String>,
) -> PyResult<(String, String)> {
    let registry = registry(bots)?;
    let game_record: PyResult<GameRecord> = py.detach(|| {
        let again = RunReplayer::open(&folder, &Programs(allow_programs), &registry).map_err(input)?;
        let spec = again.find(game).map_err(input)?;
        again.game_record(&spec).map_err(input)
    });
    let game_record = game_record?;
    Ok((game_record.to_json(), game_record.to_text()))
}

/// The faults of a run folder; empty if it is complete and undamaged.
#[pyfunction]
pub(crate) fn verify_run(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<String>> {
    let report = py.detach(|| verify::verify(&folder)).map_err(input)?;
    Ok(report.faults.iter().map(ToString::to_string).collect())
}

/// The manifest of a run folder.
#[pyfunction]
pub(crate) fn manifest_of<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    let run = py.detach(|| StoredRun::open(&folder)).map_err(input)?;
    json::to_python(py, &serde_json::to_string(&run.manifest).map_err(machine)?)
}

/// Adjudicates one position, as a line of `upheaval adjudicate` describes it.
#[pyfunction]
pub(crate) fn adjudicate<'py>(py: Python<'py>, request: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text = json::text_of(request)?;
    let answer = py.detach(|| AdjudicationService::new().answer(&text)).map_err(input)?;
    json::to_python(py, &serde_json::to_string(&answer).map_err(machine)?)
}
