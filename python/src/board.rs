//! Read-only views of a board.

use std::collections::BTreeMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use upheaval::session::Session;

/// A province at the time when the board was read.
#[pyclass(frozen, get_all, name = "Province", module = "upheaval")]
pub struct PyProvince {
    /// Its name.
    name: String,
    /// `land`, `sea`, `impassable` or `outside`.
    kind: &'static str,
    /// Is it a supply centre?
    is_centre: bool,
    /// The power whose home centre it is.
    home: Option<String>,
    /// The power that owns the centre.
    owner: Option<String>,
    /// The unit in it: `A PAR`.
    unit: Option<String>,
    /// The owner of that unit.
    unit_power: Option<String>,
    /// The provinces that an army could move to without a convoy.
    army: Vec<String>,
    /// The moves of a fleet, by the coast that it is on; the coast of a sea or of a province with a single
    /// coast is the empty string.
    fleet: BTreeMap<String, Vec<String>>,
    /// All adjacent provinces that an army or fleet could move to.
    neighbours: Vec<String>,
}

#[pymethods]
impl PyProvince {
    fn __repr__(&self) -> String {
        format!("<Province {} {}>", self.name, self.kind)
    }
}

/// A board at the time when it was read: a mapping from the names of the existing provinces.
#[pyclass(frozen, mapping, name = "Board", module = "upheaval")]
pub struct PyBoard(BTreeMap<String, Py<PyProvince>>);

impl PyBoard {
    /// The board of a session.
    pub fn of(session: &Session) -> PyBoard {
        let by_place = |lists: BTreeMap<String, Vec<String>>, place: fn(&str) -> &str| {
            let of = |(power, list): (String, Vec<String>)| {
                list.into_iter().map(move |text| (place(&text).to_owned(), (power.clone(), text)))
            };
            lists.into_iter().flat_map(of).collect::<BTreeMap<String, (String, String)>>()
        };
        let units = by_place(session.units(), |text| {
            let place = text.rsplit(' ').next().unwrap_or(text);
            place.split('/').next().unwrap_or(place)
        });
        let owners = by_place(session.centres(), |text| text);
        let faces = session.board().faces.into_iter().filter(|(_, face)| face.alive);
        Python::attach(|py| {
            let provinces = faces.filter_map(|(name, face)| {
                let reached =
                    face.fleet.values().flatten().map(|place| place.split('/').next().unwrap_or(place));
                let mut neighbours: Vec<String> =
                    face.army.iter().map(String::as_str).chain(reached).map(str::to_owned).collect();
                neighbours.sort();
                neighbours.dedup();
                let unit = units.get(&name);
                let province = PyProvince {
                    kind: face.kind,
                    is_centre: face.supply_centre,
                    home: face.home.map(|power| power.to_string()),
                    owner: owners.get(&name).map(|(power, _)| power.clone()),
                    unit: unit.map(|(_, unit)| unit.clone()),
                    unit_power: unit.map(|(power, _)| power.clone()),
                    army: face.army,
                    fleet: face.fleet,
                    neighbours,
                    name: name.clone(),
                };
                Some((name, Py::new(py, province).ok()?))
            });
            PyBoard(provinces.collect())
        })
    }
}

#[pymethods]
impl PyBoard {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyProvince>> {
        self.0
            .get(name)
            .map(|province| province.clone_ref(py))
            .ok_or_else(|| PyKeyError::new_err(format!("there is no province `{name}` on this board")))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_pyobject(py)?.call_method0("__iter__")
    }

    /// The names of the provinces, sorted.
    fn keys(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// The provinces, sorted by name.
    fn values(&self, py: Python<'_>) -> Vec<Py<PyProvince>> {
        self.0.values().map(|province| province.clone_ref(py)).collect()
    }

    /// Names with provinces, sorted.
    fn items(&self, py: Python<'_>) -> Vec<(String, Py<PyProvince>)> {
        self.0.iter().map(|(name, province)| (name.clone(), province.clone_ref(py))).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Board of {} provinces>", self.0.len())
    }
}
