//! Converts JSON to Python objects, and back.

use pyo3::prelude::*;

/// The object for a JSON text: dicts, lists, strings, numbers, booleans and None.
pub(crate) fn to_python<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// An object as JSON text, as written by Python's own `json`.
pub(crate) fn text_of(any: &Bound<'_, PyAny>) -> PyResult<String> {
    any.py().import("json")?.call_method1("dumps", (any,))?.extract()
}
