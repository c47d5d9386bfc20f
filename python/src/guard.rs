//! The guards of external programs: the process between a run and a program, for runs in Python.

use std::ffi::OsString;

use pyo3::prelude::*;
use upheaval_bots::external::guard::{self, GuardTask};

use crate::errors::machine;

/// Declares that the command of these words starts a guard, which hands all its arguments but those before the last of
/// these words to `RawGuard.asked`.
#[pyfunction]
pub(crate) fn keep_programs(words: Vec<OsString>) {
    guard::guard_programs_by(words);
}

/// The task of a process that guards a program.
#[pyclass(frozen)]
pub struct RawGuard(GuardTask);

#[pymethods]
impl RawGuard {
    /// The task that these arguments describe, if they are those of a guard. The first argument is skipped.
    #[staticmethod]
    fn asked(arguments: Vec<OsString>) -> Option<RawGuard> {
        GuardTask::from_arguments(arguments.into_iter()).map(RawGuard)
    }

    /// Starts the program, and returns its exit code once it or the run has ended and no process is left.
    fn run(&self, py: Python<'_>) -> PyResult<i32> {
        py.detach(|| self.0.run_guard()).map_err(machine)
    }

    /// Ends all remaining processes of the program.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.0.clear());
    }
}
