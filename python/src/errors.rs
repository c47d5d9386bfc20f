//! Errors of the library as Python exceptions, with the library's messages.

use std::fmt::Display;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(
    upheaval,
    UpheavalError,
    PyValueError,
    "An input cannot be used: a variant, an order, an experiment, a run folder."
);

/// An error in the input.
pub(crate) fn input(error: impl Display) -> PyErr {
    UpheavalError::new_err(error.to_string())
}

/// An error of the machine.
pub(crate) fn machine(error: impl Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}
