//! The Python package `upheaval`: the library's types and functions under Python names. There is no logic
//! here; the functions called are in the library and tested there.

mod batch;
mod board;
mod bot;
mod cluster;
mod errors;
mod game;
mod guard;
mod job;
mod json;
mod learned;
mod study;
mod tables;
mod tune;
mod variant;

use pyo3::prelude::*;

#[pymodule]
mod _upheaval {
    #[pymodule_export]
    use crate::{
        batch::{RawBatch, bots, table_forms},
        board::{PyBoard, PyProvince},
        cluster::{RawDriver, RawWorker, blake3_of, dismiss_programs, plan_facts, plan_of, whole_run},
        errors::UpheavalError,
        game::{PyEvent, PyGame, PyOrderResult, PyTurn},
        guard::{RawGuard, keep_programs},
        learned::encode,
        study::{
            adjudicate, balance_of, manifest_of, replay_of, report_of, run_job, run_sprt, standings_of,
            verify_run,
        },
        tables::PyTable,
        tune::{RawSearch, RawSearcher, RawSpace, answer_of, run_search, whole_search},
        variant::{PyVariant, variants},
    };

    use super::*;
    use upheaval::sim::output::manifest::set_revision;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        if let Some(revision) = option_env!("UPHEAVAL_GIT") {
            set_revision(revision);
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // The package defines its own list of public names.
        module.delattr("__all__")
    }
}
