//! Batches of games; the arrays belong to Python and are written in place.

use std::sync::{Mutex, PoisonError};

use numpy::{
    PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArrayDyn, PyUntypedArrayMethods as _,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use upheaval::analysis::Score;
use upheaval::bot::BotMaker;
use upheaval::diagnostic::suggest;
use upheaval::env::{
    AskKind, Autoreset, Batch, BatchConfig, Bounds, ConfigError, OrderKind, PADDED_GAME, PADDED_SEAT, Padded,
    Seat, Tables, tables,
};
use upheaval::game::Stage;
use upheaval::ids::ByPower;

use crate::bot::{described, kinds};
use crate::errors::input;
use crate::variant::variant_of;

/// Represents the caller among the names of bots.
const CALLER: &str = "caller";

/// A batch behind a lock, because several threads may use a Python object.
#[pyclass(frozen, name = "RawBatch", module = "upheaval._upheaval")]
pub struct RawBatch {
    batch: Mutex<Batch>,
    process: u32,
    powers: Vec<String>,
}

/// The value with this name.
pub(crate) fn named<T: Copy>(
    what: &str,
    name: &str,
    all: &[T],
    of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    all.iter().copied().find(|&value| of(value) == name).ok_or_else(|| {
        input(format!("there is no {what} `{name}`; {}", suggest(name, all.iter().map(|&value| of(value)))))
    })
}

impl RawBatch {
    /// Uses the batch while other Python threads continue.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Batch) -> Result<T, ConfigError> + Send,
    ) -> PyResult<T> {
        if std::process::id() != self.process {
            return Err(input(
                "this batch was made in another process, and its threads do not exist in this one: make it after the fork, or \
                 start worker processes with the method `spawn`",
            ));
        }
        py.detach(|| f(&mut self.batch.lock().unwrap_or_else(PoisonError::into_inner))).map_err(input)
    }
}

fn slice<'a, D: numpy::ndarray::Dimension, T: numpy::Element>(
    array: &'a mut numpy::PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    if !array.is_c_contiguous() {
        return Err(input("the array's rows are not contiguous (order \"C\")"));
    }
    array.as_slice_mut().map_err(|_| input("the array is not contiguous"))
}

/// The same for an array that must have this shape.
fn shaped<'a, T: numpy::Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    shape: &[usize],
) -> PyResult<&'a mut [T]> {
    let found = array.shape();
    if found != shape {
        return Err(input(format!("the array must have the shape {shape:?}, but has {found:?}")));
    }
    slice(array)
}

/// A copy of the choices: other Python threads may change the array while a stage is settled.
fn copied(choices: &PyReadonlyArray1<'_, i32>) -> PyResult<Vec<i32>> {
    Ok(choices.as_slice().map_err(|_| input("the choices are not contiguous"))?.to_vec())
}

type Rows<'py> = PyReadwriteArray2<'py, i32>;

#[pymethods]
impl RawBatch {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the keywords of a Python class")]
    fn new(
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        num_games: usize,
        seats: Option<&Bound<'_, PyDict>>,
        seed: u64,
        last_year: Option<u16>,
        threads: usize,
        autoreset: &str,
        reward: Option<&str>,
    ) -> PyResult<RawBatch> {
        let variant = variant_of(variant)?;
        let names = variant.terrain.power_names().clone();
        let powers = names.powers();
        let mut of_power: ByPower<Seat> = ByPower::from_fn(powers, |_| Seat::Caller);
        if let Some(seats) = seats {
            let star = seats.get_item("*")?.map(|seat| seat_of(&seat)).transpose()?;
            of_power = ByPower::from_fn(powers, |_| star.clone().unwrap_or(Seat::Caller));
            for (power, seat) in seats {
                let power: String = power.extract()?;
                if power != "*" {
                    of_power[names.named(&power).map_err(input)?] = seat_of(&seat)?;
                }
            }
        }
        let reward = reward.map(|name| named("score", name, &Score::ALL, Score::name)).transpose()?;
        let config = BatchConfig {
            last_year: last_year.unwrap_or(variant.first_phase.year.saturating_add(10)),
            variant,
            games: num_games,
            seats: of_power,
            seed,
            threads,
            autoreset: named("autoreset", autoreset, &Autoreset::ALL, Autoreset::name)?,
            reward,
        };
        let batch = py.detach(|| Batch::new(config)).map_err(input)?;
        let powers = names.iter().map(str::to_owned).collect();
        Ok(RawBatch { batch: Mutex::new(batch), process: std::process::id(), powers })
    }

    #[getter]
    fn powers(&self) -> Vec<String> {
        self.powers.clone()
    }

    fn last_year(&self, py: Python<'_>) -> PyResult<u16> {
        self.with(py, |batch| Ok(batch.config().last_year))
    }

    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        self.with(py, |batch| {
            batch.reset(seed);
            Ok(())
        })
    }

    fn reset_slots(&self, py: Python<'_>, slots: Vec<usize>) -> PyResult<()> {
        self.with(py, |batch| batch.reset_slots(&slots))
    }

    fn step(&self, py: Python<'_>, choices: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let choices = copied(&choices)?;
        self.with(py, |batch| batch.step(&choices))
    }

    /// The choice that a bot would make for each ask.
    fn advise<'py>(
        &self,
        py: Python<'py>,
        bot: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, numpy::PyArray1<i32>>> {
        let Seat::Bot { maker, .. } = seat_of(bot)? else {
            return Err(input("the caller cannot be asked what it would choose; name a bot"));
        };
        let choices = self.with(py, |batch| Ok(batch.advise(&maker)))?;
        Ok(numpy::PyArray1::from_vec(py, choices))
    }

    fn sizes(&self, py: Python<'_>) -> PyResult<[usize; 6]> {
        self.with(py, |batch| Ok(batch.sizes().into_array()))
    }

    fn final_sizes(&self, py: Python<'_>) -> PyResult<[usize; 6]> {
        self.with(py, |batch| Ok(batch.final_sizes().into_array()))
    }

    #[expect(clippy::too_many_arguments, reason = "one array for each table")]
    fn fill(
        &self,
        py: Python<'_>,
        last: bool,
        mut games: Rows<'_>,
        mut nodes: Rows<'_>,
        mut edges: Rows<'_>,
        mut seats: Rows<'_>,
        mut asks: Rows<'_>,
        mut orders: Rows<'_>,
    ) -> PyResult<()> {
        let tables = Tables {
            games: slice(&mut games)?,
            nodes: slice(&mut nodes)?,
            edges: slice(&mut edges)?,
            seats: slice(&mut seats)?,
            asks: slice(&mut asks)?,
            orders: slice(&mut orders)?,
        };
        self.with(py, |batch| if last { batch.fill_final(tables) } else { batch.fill(tables) })
    }

    fn outcomes(
        &self,
        py: Python<'_>,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let (rewards, terminated, truncated) =
            (slice(&mut rewards)?, slice(&mut terminated)?, slice(&mut truncated)?);
        self.with(py, |batch| {
            let room = |table, needed, room| match needed == room {
                true => Ok(()),
                false => Err(ConfigError::room(table, needed, room)),
            };
            room("rewards", batch.rewards().len(), rewards.len())?;
            room("terminated", batch.terminated().len(), terminated.len())?;
            room("truncated", batch.truncated().len(), truncated.len())?;
            rewards.copy_from_slice(batch.rewards());
            terminated.copy_from_slice(batch.terminated());
            truncated.copy_from_slice(batch.truncated());
            Ok(())
        })
    }

    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let ended = self.with(py, |batch| Ok(batch.ended().to_vec()))?;
        let dict = |ended: upheaval::env::Ended| {
            let dict = PyDict::new(py);
            let result = ended.result;
            dict.set_item("slot", ended.slot)?;
            dict.set_item("number", result.game)?;
            dict.set_item("end", result.end.name())?;
            dict.set_item("winner", result.winner.map(|power| &self.powers[power.index()]))?;
            dict.set_item("truncated", ended.truncated)?;
            dict.set_item("phase", result.last_phase.to_string())?;
            dict.set_item("state_hash", format!("{:016x}", result.state_hash))?;
            let centres: Vec<u16> = result.seats.iter().map(|(_, seat)| seat.centres).collect();
            dict.set_item("centres", centres)?;
            // A vector of bytes would become `bytes`.
            let places: Vec<u16> = result.seats.iter().map(|(_, seat)| seat.place.into()).collect();
            dict.set_item("places", places)?;
            Ok(dict)
        };
        ended.into_iter().map(dict).collect()
    }

    fn hashes(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.with(py, |batch| Ok(batch.hashes()))
    }

    fn order_text(&self, py: Python<'_>, row: usize) -> PyResult<String> {
        self.with(py, |batch| batch.order_text(row))
    }

    #[expect(clippy::too_many_arguments, reason = "one array for each table")]
    fn fill_padded(
        &self,
        py: Python<'_>,
        last: bool,
        bounds: [usize; 5],
        mut of_games: PyReadwriteArrayDyn<'_, i32>,
        mut of_seats: PyReadwriteArrayDyn<'_, i32>,
        mut nodes: PyReadwriteArrayDyn<'_, i32>,
        mut edges: PyReadwriteArrayDyn<'_, i32>,
        mut asks: PyReadwriteArrayDyn<'_, i32>,
        mut orders: PyReadwriteArrayDyn<'_, i32>,
        mut mask: PyReadwriteArrayDyn<'_, i8>,
    ) -> PyResult<()> {
        let games =
            self.with(py, |batch| Ok(if last { batch.final_sizes().games } else { batch.config().games }))?;
        let powers = self.powers.len();
        let bounds = bounds_of(bounds);
        let [_, of_node, of_edge, _, of_ask, of_order] = tables::ALL.map(|form| form.columns.len());
        let tables = Tables {
            games: shaped(&mut of_games, &[games, PADDED_GAME])?,
            seats: shaped(&mut of_seats, &[games, powers, PADDED_SEAT])?,
            nodes: shaped(&mut nodes, &[games, bounds.nodes, of_node])?,
            edges: shaped(&mut edges, &[games, bounds.edges, of_edge])?,
            asks: shaped(&mut asks, &[games, powers, bounds.asks, of_ask])?,
            orders: shaped(&mut orders, &[games, powers, bounds.orders, of_order])?,
        };
        let mask = shaped(&mut mask, &[games, powers, bounds.asks, bounds.choices])?;
        let padded = Padded { tables, mask };
        self.with(py, |batch| match last {
            true => batch.fill_final_padded(bounds, padded),
            false => batch.fill_padded(bounds, padded),
        })
    }

    /// The smallest bounds into which the current observation fits.
    fn bounds_needed(&self, py: Python<'_>) -> PyResult<[usize; 5]> {
        let Bounds { nodes, edges, asks, orders, choices } =
            self.with(py, |batch| Ok(batch.bounds_needed()))?;
        Ok([nodes, edges, asks, orders, choices])
    }

    fn step_padded(
        &self,
        py: Python<'_>,
        bounds: [usize; 5],
        choices: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<()> {
        let choices = copied(&choices)?;
        self.with(py, |batch| {
            let choices = batch.choices_of_padded(bounds_of(bounds), &choices)?;
            batch.step(&choices)
        })
    }
}

fn bounds_of([nodes, edges, asks, orders, choices]: [usize; 5]) -> Bounds {
    Bounds { nodes, edges, asks, orders, choices }
}

/// The player: a word names the caller or a shipped bot; a dict gives the keys of a section `[bots.NAME]`.
fn seat_of(any: &Bound<'_, PyAny>) -> PyResult<Seat> {
    if let Ok(keys) = any.cast::<PyDict>() {
        let entry = described(keys)?;
        return Ok(Seat::Bot { name: entry.name.into(), maker: entry.maker });
    }
    let name: String = any.extract()?;
    if name == CALLER {
        return Ok(Seat::Caller);
    }
    let kind = kinds().into_iter().find(|kind| kind.name == name).ok_or_else(|| {
        let kinds = kinds();
        let known = kinds.iter().map(|kind| kind.name).chain([CALLER]);
        input(format!("there is no bot `{name}`; {}", suggest(&name, known)))
    })?;
    Ok(Seat::Bot { name: name.into(), maker: BotMaker::from(kind) })
}

/// The names of the shipped bots.
#[pyfunction]
pub(crate) fn bots() -> Vec<&'static str> {
    kinds().iter().map(|kind| kind.name).collect()
}

/// The meanings of the columns and codes of the tables: for each table its columns with their meanings, and
/// the names of codes.
#[pyfunction]
pub(crate) fn table_forms(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for form in tables::ALL {
        dict.set_item(form.name, form.columns.to_vec())?;
    }
    dict.set_item("order_kinds", OrderKind::ALL.map(OrderKind::name).to_vec())?;
    dict.set_item("ask_kinds", AskKind::ALL.map(AskKind::name).to_vec())?;
    dict.set_item("stages", Stage::ALL.map(Stage::name).to_vec())?;
    dict.set_item("scores", Score::ALL.map(Score::name).to_vec())?;
    let Bounds { nodes, edges, asks, orders, choices } = Bounds::GENEROUS;
    dict.set_item("padded", [PADDED_GAME, PADDED_SEAT])?;
    dict.set_item("bounds", [nodes, edges, asks, orders, choices])?;
    Ok(dict)
}
