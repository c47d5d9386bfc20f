//! Rule sets: the shipped ones, and custom ones from files, texts and dicts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use upheaval::diagnostic::{Source, suggest, wording};
use upheaval::rules::variant::{Files, Variant};

use crate::errors::input;
use crate::json;

/// A rule set with its board.
#[pyclass(frozen, name = "Variant", module = "upheaval")]
pub struct PyVariant(pub Arc<Variant>);

#[pymethods]
impl PyVariant {
    /// A shipped variant, by its id, or the variant of a file, by its path.
    #[new]
    fn new(variant: &Bound<'_, PyAny>) -> PyResult<PyVariant> {
        variant_of(variant).map(PyVariant)
    }

    /// The variant of a variant file's text; `map` is the text of its map file, if the map is not a shipped
    /// one.
    #[staticmethod]
    #[pyo3(signature = (text, map = None, name = "text"))]
    fn from_text(text: &str, map: Option<String>, name: &str) -> PyResult<PyVariant> {
        let files = Files { variant: text.to_owned(), map };
        files.check(name).map(|variant| PyVariant(Arc::new(variant))).map_err(input)
    }

    /// The variant given by a dict with the keys of a variant file.
    #[staticmethod]
    #[pyo3(signature = (keys, map = None))]
    fn from_dict(keys: &Bound<'_, PyDict>, map: Option<String>) -> PyResult<PyVariant> {
        PyVariant::from_text(&toml_of(keys)?, map, "dict")
    }

    /// Its name in files and tables.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    /// The powers of its board, in order.
    #[getter]
    fn powers(&self) -> Vec<String> {
        self.0.terrain.power_names().iter().map(str::to_owned).collect()
    }

    /// Its first phase, such as `S1901M`.
    #[getter]
    fn first_phase(&self) -> String {
        self.0.first_phase.to_string()
    }

    /// The text of its variant file.
    #[getter]
    fn text(&self) -> &str {
        &self.0.files.variant
    }

    /// The text of its map file; None if the map is a shipped one.
    #[getter]
    fn map_text(&self) -> Option<&str> {
        self.0.files.map.as_deref()
    }

    /// The keys of its variant file.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.0.files.to_json().to_string())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.get();
        let make = slf.get_type().getattr("from_text")?;
        let files = &this.0.files;
        let arguments = (&files.variant, files.map.as_deref(), &this.0.id);
        (make, arguments).into_pyobject(slf.py()).map(Bound::into_any)
    }

    fn __repr__(&self) -> String {
        format!("Variant({:?})", self.0.id)
    }
}

/// The ids of the shipped variants.
#[pyfunction]
pub(crate) fn variants() -> Vec<&'static str> {
    Variant::shipped().collect()
}

/// A dict as TOML text.
pub(crate) fn toml_of(keys: &Bound<'_, PyDict>) -> PyResult<String> {
    let cannot = |why: String| input(format!("the dict cannot be written as TOML: {why}"));
    let value: toml::Value = serde_json::from_str(&json::text_of(keys.as_any())?)
        .map_err(|error| cannot(wording::of_json(&error)))?;
    toml::to_string(&value).map_err(|error| cannot(error.to_string()))
}

/// The given variant: a `Variant`, the id of a shipped variant, the path of a file, or a dict.
pub(crate) fn variant_of(any: &Bound<'_, PyAny>) -> PyResult<Arc<Variant>> {
    if let Ok(variant) = any.cast::<PyVariant>() {
        return Ok(Arc::clone(&variant.get().0));
    }
    if let Ok(keys) = any.cast::<PyDict>() {
        return Ok(PyVariant::from_dict(keys, None)?.0);
    }
    let found = match any.extract::<String>() {
        Ok(name) => Variant::find(&name, Path::new("")).map_err(input)?.ok_or_else(|| {
            input(format!(
                "there is no variant `{name}`; {}; a file is named by its path, such as `./{name}.toml`",
                suggest(&name, Variant::shipped())
            ))
        })?,
        Err(_) => {
            let path: PathBuf = any.extract()?;
            let source = Source::read(&path).map_err(input)?;
            Variant::check(&source, path.parent().unwrap_or(Path::new(""))).map_err(input)?
        }
    };
    Ok(Arc::new(found))
}
