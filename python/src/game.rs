//! One game, played by orders as text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use upheaval::game::Ending;
use upheaval::game_record::game_record_of;
use upheaval::ids::{Power, PowerNames};
use upheaval::record::EventRow;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::position::Phase;
use upheaval::session::{Session, SettledOrder};
use upheaval::sim::output::whole::write_whole;

use crate::board::PyBoard;
use crate::errors::{input, machine};
use crate::json;
use crate::variant::{PyVariant, variant_of};

/// A game: a variant, a seed, the orders given so far.
#[pyclass(name = "Game", module = "upheaval")]
pub struct PyGame(Session);

/// The result of one order.
#[pyclass(frozen, get_all, name = "OrderResult", module = "upheaval")]
#[derive(Clone)]
pub struct PyOrderResult {
    /// The power that gave the order.
    power: String,
    /// The order.
    order: String,
    /// Did it succeed? The unit may nevertheless have been dislodged.
    succeeded: bool,
    /// The result words: `ok`, `bounce`, `cut`, `dislodged` …
    words: Vec<&'static str>,
    /// Why it failed, if it did.
    reason: Option<String>,
}

#[pymethods]
impl PyOrderResult {
    fn __repr__(&self) -> String {
        let why = self.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        format!("<{} {}: {}{why}>", self.power, self.order, self.words.join(", "))
    }
}

impl From<SettledOrder> for PyOrderResult {
    fn from(result: SettledOrder) -> PyOrderResult {
        PyOrderResult {
            succeeded: result.succeeded(),
            power: result.power,
            order: result.order,
            words: result.words,
            reason: result.reason,
        }
    }
}

/// An event.
#[pyclass(frozen, get_all, name = "Event", module = "upheaval")]
#[derive(Clone)]
pub struct PyEvent {
    /// The phase in which it happened.
    phase: String,
    /// The kind of event, as in the table of events.
    kind: &'static str,
    /// The province, if any.
    province: Option<String>,
    /// The power that is affected or that acts.
    power: Option<String>,
    /// The other power involved.
    other: Option<String>,
    /// The kind of unit involved.
    unit: Option<&'static str>,
    /// Everything that does not fit into the other fields.
    detail: Option<String>,
}

#[pymethods]
impl PyEvent {
    fn __repr__(&self) -> String {
        let parts = [&self.power, &self.province, &self.other, &self.detail];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        format!("<{} {} {}>", self.phase, self.kind, parts.join(" "))
    }
}

impl PyEvent {
    fn of(row: EventRow, powers: &PowerNames) -> PyEvent {
        let name = |power: Power| powers.name(power).to_owned();
        PyEvent {
            phase: row.phase.to_string(),
            kind: row.kind.name(),
            province: row.province.map(|text| text.to_string()),
            power: row.power.map(name),
            other: row.other.map(name),
            unit: row.unit.map(|unit| unit.name()),
            detail: row.detail.map(|text| text.to_string()),
        }
    }
}

/// The results of a stage.
#[pyclass(frozen, get_all, name = "Turn", module = "upheaval")]
pub struct PyTurn {
    /// The phase that was settled.
    phase: String,
    /// The kind of decision that was settled.
    stage: &'static str,
    /// The result of each order.
    results: Vec<PyOrderResult>,
    /// The changes of the map, in order, in the form that `upheaval map` accepts: `collapse MAR`.
    map_changes: Vec<String>,
    /// All events, in order.
    events: Vec<PyEvent>,
}

#[pymethods]
impl PyTurn {
    fn __repr__(&self) -> String {
        let (orders, events) = (self.results.len(), self.events.len());
        let map = self.map_changes.join(", ");
        format!("<Turn {} {}: {orders} orders, {events} events, map changes [{map}]>", self.phase, self.stage)
    }
}

/// Collects the events, in the words of the tables.
#[derive(Default)]
struct Events(Vec<EventRow>);

impl Log for Events {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.0.push(EventRow::new(0, self.0.len() as u32, (at, terrain, event.description())));
    }
}

impl PyGame {
    fn names(&self) -> &PowerNames {
        self.0.game().power_names()
    }

    fn named(&self, name: &str) -> PyResult<Power> {
        self.names().named(name).map_err(input)
    }

    fn name(&self, power: Power) -> String {
        self.names().name(power).to_owned()
    }

    /// For one power its list; for all, the lists by power.
    fn by_power<'py>(
        &self,
        py: Python<'py>,
        power: Option<&str>,
        list: impl Fn(Power) -> Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match power {
            Some(name) => Ok(list(self.named(name)?).into_pyobject(py)?.into_any()),
            None => {
                let dict = PyDict::new(py);
                for power in self.names().powers() {
                    dict.set_item(self.names().name(power), list(power))?;
                }
                Ok(dict.into_any())
            }
        }
    }
}

/// The place that a choice refers to: `PAR` for `A PAR`, `STP` for `F STP/SC`; for anything else its own word.
fn place(subject: &str) -> &str {
    let words: Vec<&str> = subject.split(' ').collect();
    let place = match words[..] {
        ["A" | "F" | "A/F", place] | ["A" | "F" | "A/F", place, "R"] => place,
        _ => subject,
    };
    place.split('/').next().unwrap_or(place)
}

#[pymethods]
impl PyGame {
    /// A new game. `variant` is the id of a shipped variant, the path of a variant file, a dict with its
    /// keys, or a `Variant`. Under one seed, each `number` is a different game: the one with that number in a
    /// run or batch with the same seed.
    #[new]
    #[pyo3(signature = (variant = None, seed = 0, *, last_year = None, number = 0))]
    fn new(
        variant: Option<&Bound<'_, PyAny>>,
        seed: u64,
        last_year: Option<u16>,
        number: u32,
    ) -> PyResult<PyGame> {
        let session = match variant {
            Some(variant) => Session::of(variant_of(variant)?, seed),
            None => Session::new("standard", seed).map_err(input)?,
        };
        let first = session.phase().year;
        let session = match last_year {
            Some(last) if last < first => {
                return Err(input(format!(
                    "last_year {last} is before the game starts; use {first} or later"
                )));
            }
            Some(last) => session.ending_in(last),
            None => session,
        };
        Ok(PyGame(session.in_block(u64::from(number))))
    }

    /// The rule set.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(self.0.variant().clone())
    }

    /// The powers, in order.
    #[getter(powers)]
    fn power_names(&self) -> Vec<String> {
        self.names().iter().map(str::to_owned).collect()
    }

    /// The seed of the random events.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed()
    }

    /// The game's number under the seed.
    #[getter]
    fn number(&self) -> u64 {
        self.0.block()
    }

    /// The phase that waits for orders, such as `S1901M`, or the last phase of a game that is over.
    #[getter]
    fn phase(&self) -> String {
        self.0.phase().to_string()
    }

    /// The same.
    fn get_current_phase(&self) -> String {
        self.phase()
    }

    /// The year of the phase.
    #[getter]
    fn year(&self) -> u16 {
        self.0.phase().year
    }

    /// The kind of decision that is awaited: `movement`, `retreats`, `coasts`, `adjustments`, `seismic`, or
    /// `over`.
    #[getter]
    fn stage(&self) -> &'static str {
        self.0.stage().name()
    }

    /// Is the game over?
    #[getter]
    fn is_game_done(&self) -> bool {
        self.0.is_over()
    }

    /// The powers that won or share the draw; an empty list while the game is not over, and for a draw
    /// without powers.
    #[getter]
    fn outcome(&self) -> Vec<String> {
        match self.0.ending() {
            Some(Ending::Solo(winner)) => vec![self.name(*winner)],
            Some(Ending::Draw(powers)) => powers.iter().map(|&power| self.name(power)).collect(),
            None => Vec::new(),
        }
    }

    /// The power that won alone.
    #[getter]
    fn winner(&self) -> Option<String> {
        match self.0.ending() {
            Some(Ending::Solo(winner)) => Some(self.name(*winner)),
            _ => None,
        }
    }

    /// The hash of the state, sixteen hexadecimal digits: the `state_hash` of a run's table of games.
    #[getter]
    fn state_hash(&self) -> String {
        format!("{:016x}", self.0.game().hash())
    }

    /// Was the game imagined rather than played from its start?
    #[getter]
    fn is_imagined(&self) -> bool {
        self.0.is_imagined()
    }

    /// The powers that can give orders now: none before changes at the start of a game.
    fn awaited(&self) -> Vec<String> {
        self.0.awaited().into_iter().map(|power| self.name(power)).collect()
    }

    /// The number of supply centres that would win now.
    #[getter]
    fn centres_to_win(&self) -> usize {
        upheaval::rules::victory::majority(self.0.game().terrain().centres().len())
    }

    /// Everything that a power can order, by subject: `{'A PAR': ['A PAR H', …], …}`.
    fn legal_orders(&self, power: &str) -> PyResult<BTreeMap<String, Vec<String>>> {
        let choices = self.0.legal_orders(self.named(power)?).into_iter();
        let texts = |orders: Vec<upheaval::session::LegalOrder>| orders.into_iter().map(|order| order.text);
        Ok(choices.map(|choice| (choice.subject, texts(choice.orders).collect())).collect())
    }

    /// Everything that can be ordered, by location: `{'PAR': ['A PAR H', …], …}`. Orders without a location are listed
    /// under a word such as `SEISMIC`, and are the same for every power that may give them.
    fn get_all_possible_orders(&self) -> BTreeMap<String, Vec<String>> {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for choice in self.0.game().powers().iter().flat_map(|power| self.0.legal_orders(power)) {
            let orders = all.entry(place(&choice.subject).to_owned()).or_default();
            for order in choice.orders {
                if !orders.contains(&order.text) {
                    orders.push(order.text);
                }
            }
        }
        all
    }

    /// The locations at which a power can give orders; for all powers, by power.
    #[pyo3(signature = (power = None))]
    fn get_orderable_locations<'py>(
        &self,
        py: Python<'py>,
        power: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.by_power(py, power, |power| {
            let mut places: Vec<String> =
                self.0.legal_orders(power).iter().map(|choice| place(&choice.subject).to_owned()).collect();
            places.sort();
            places.dedup();
            places
        })
    }

    /// Replaces all orders of a power for this phase. Orders that cannot be given raise an `UpheavalError`
    /// with the reason for each; with `strict=False` they are left out and returned with their reasons. Orders are
    /// read as people type them (`Army Paris to Burgundy`); with `typed=False` only in the notation.
    #[pyo3(signature = (power, orders, *, strict = true, typed = true))]
    fn set_orders(
        &mut self,
        power: &str,
        orders: Vec<String>,
        strict: bool,
        typed: bool,
    ) -> PyResult<Vec<(String, String)>> {
        let power = self.named(power)?;
        let before = self.0.orders(power).to_vec();
        self.0.set_orders(power, Vec::<String>::new());
        let mut give = |order: &String| match typed {
            true => self.0.order(power, order),
            false => self.0.order_in_notation(power, order),
        };
        let given: Vec<_> = orders.iter().map(&mut give).collect();
        let refused = orders
            .into_iter()
            .zip(given)
            .filter_map(|(order, given)| Some((order, given.err()?.to_string())));
        let refused: Vec<(String, String)> = refused.collect();
        if strict && !refused.is_empty() {
            self.0.set_orders(power, before);
            let said: Vec<String> = refused.iter().map(|(order, why)| format!("{order}: {why}")).collect();
            return Err(input(said.join("; ")));
        }
        Ok(refused)
    }

    /// The orders that a power has given for this phase; for all powers, by power.
    #[pyo3(signature = (power = None))]
    fn get_orders<'py>(&self, py: Python<'py>, power: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.by_power(py, power, |power| self.0.orders(power).to_vec())
    }

    /// Withdraws the orders of a power, or of all powers.
    #[pyo3(signature = (power = None))]
    fn clear_orders(&mut self, power: Option<&str>) -> PyResult<()> {
        let powers = match power {
            Some(name) => vec![self.named(name)?],
            None => self.names().powers().iter().collect(),
        };
        for power in powers {
            self.0.set_orders(power, Vec::<String>::new());
        }
        Ok(())
    }

    /// The units of a power; for all powers, by power. Dislodged units are excluded.
    #[pyo3(signature = (power = None))]
    fn get_units<'py>(&self, py: Python<'py>, power: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let units = self.0.units();
        self.by_power(py, power, |power| units.get(self.names().name(power)).cloned().unwrap_or_default())
    }

    /// The supply centres of a power; for all powers, by power.
    #[pyo3(signature = (power = None))]
    fn get_centers<'py>(&self, py: Python<'py>, power: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let centres = self.0.centres();
        self.by_power(py, power, |power| centres.get(self.names().name(power)).cloned().unwrap_or_default())
    }

    /// Settles the phase with the orders that have been given, and returns the results. The game then waits
    /// for the next stage, or is over.
    fn process(&mut self) -> PyTurn {
        let mut events = Events::default();
        let turn = self.0.advance_into(&mut events);
        PyTurn {
            phase: turn.phase.to_string(),
            stage: turn.stage.name(),
            results: turn.results.into_iter().map(Into::into).collect(),
            map_changes: turn.map_changes.iter().map(ToString::to_string).collect(),
            events: events.0.into_iter().map(|row| PyEvent::of(row, self.names())).collect(),
        }
    }

    /// The current board, as a mapping from the names of provinces.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard::of(&self.0)
    }

    /// The board as text: a line for each face, then holes and waterways.
    fn board_text(&self) -> String {
        self.0.board_text()
    }

    /// The board in the form of `upheaval map --format json`.
    fn board_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &serde_json::to_string(&self.0.board()).map_err(machine)?)
    }

    /// The board as a picture: one SVG element.
    fn to_svg(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.board_svg())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.to_svg(py)
    }

    /// An independent copy of the game. It has the same random events: the same orders lead to the same game.
    fn clone(&self) -> PyGame {
        PyGame(self.0.clone())
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    /// The game as a power knows it, for planning: the secrets of others and all random events are guessed
    /// under this seed.
    fn imagine(&self, power: &str, seed: u64) -> PyResult<PyGame> {
        Ok(PyGame(self.0.imagine(self.named(power)?, seed)))
    }

    /// The state of the game as `adjudicate` takes it, without orders: all that the rest of the game depends on,
    /// including the secrets of the powers and the seed. `None` while it waits for choices of coasts, and when
    /// it is over.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &serde_json::to_string(&self.0.state()).map_err(machine)?)
    }

    /// A game that goes on from a state: that of another game, or a position for `adjudicate` whose `nature` is a
    /// seed. Its orders are ignored. `variant` replaces the variant that it names.
    #[staticmethod]
    #[pyo3(signature = (state, variant = None))]
    fn resume(state: &Bound<'_, PyAny>, variant: Option<&Bound<'_, PyAny>>) -> PyResult<PyGame> {
        let text = state.extract().or_else(|_| json::text_of(state))?;
        let session = match variant {
            Some(variant) => Session::resume_with(&text, variant_of(variant)?),
            None => Session::resume(&text),
        };
        session.map(PyGame).map_err(input)
    }

    /// The game as bytes: its rules, its seed, and all orders.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.0.save().map_err(input)?.as_bytes()))
    }

    /// Restores the game from such bytes by replaying it.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<PyGame> {
        let text = std::str::from_utf8(bytes).map_err(|_| input("not a saved session: it is not text"))?;
        Session::restore(text).map(PyGame).map_err(input)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = slf.borrow().to_bytes(slf.py())?;
        let make = slf.get_type().getattr("from_bytes")?;
        (make, (bytes,)).into_pyobject(slf.py())
    }

    /// Writes the game so far into a file that `upheaval replay` reads.
    fn to_replay(&self, path: PathBuf) -> PyResult<()> {
        let game_record = game_record_of(&self.0).map_err(input)?;
        let cannot = |error| machine(format!("cannot write `{}`: {error}", path.display()));
        write_whole(&path, game_record.to_json()).map_err(cannot)
    }

    fn __repr__(&self) -> String {
        format!("<Game {} seed {} {}>", self.0.variant().id, self.0.seed(), self.0.phase())
    }
}
