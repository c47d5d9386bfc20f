//! The tables of a run as Arrow streams.

use std::path::PathBuf;

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule};
use upheaval::sim::StoredRun;

use crate::errors::input;

/// A table of a run, or some of its columns. Each consumer of the stream reads it from the files, one batch
/// at a time.
#[pyclass(frozen, name = "Table", module = "upheaval")]
pub struct PyTable {
    folder: PathBuf,
    name: String,
    columns: Option<Vec<String>>,
    variants: Vec<String>,
}

impl PyTable {
    fn open(&self) -> PyResult<Box<dyn RecordBatchReader + Send>> {
        let run = StoredRun::open(&self.folder).map_err(input)?;
        let batches = run.batches(&self.name, self.columns.clone(), &self.variants).map_err(input)?;
        match batches {
            Some(batches) => Ok(Box::new(batches)),
            None => Err(input(format!(
                "`{}` has no rows of `{}`: orders are recorded with `log.orders = true`",
                self.folder.display(),
                self.name
            ))),
        }
    }
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (folder, name, columns = None, variants = Vec::new()))]
    fn new(
        folder: PathBuf,
        name: String,
        columns: Option<Vec<String>>,
        variants: Vec<String>,
    ) -> PyResult<PyTable> {
        let table = PyTable { folder, name, columns, variants };
        table.open()?;
        Ok(table)
    }

    /// The name of the table.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The names of its columns.
    #[getter]
    fn column_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let schema = py.detach(|| self.open().map(|batches| batches.schema()))?;
        Ok(schema.fields().iter().map(|field| field.name().clone()).collect())
    }

    /// The rows as an Arrow C stream, for polars, DuckDB, pandas, pyarrow and other consumers.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer may request another schema, but a producer may return its own.
        let _ = requested_schema;
        let batches = py.detach(|| self.open())?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table {} of {}>", self.name, self.folder.display())
    }
}
