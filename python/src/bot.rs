//! Bots written in Python: objects with a method `choose` that play in runs, tournaments and matches.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::{Value, json};
use upheaval::bot::{BotKind, Pace, Repeats};
use upheaval::diagnostic::Source;
use upheaval::env::{Chooser, ChooserFailure, Seen, chooser_bot, tables};
use upheaval::sim::bots::sections;
use upheaval::sim::{BotEntry, BotOrigin, Catalogue as _, LookupError, Registry};

use crate::errors::input;
use crate::json;
use crate::variant::toml_of;

/// The shipped bots, by name.
pub(crate) fn kinds() -> Vec<BotKind> {
    let mut kinds: Vec<BotKind> = upheaval_bots::KINDS.into_iter().chain(upheaval_learned::KINDS).collect();
    kinds.sort_by_key(|kind| kind.name);
    kinds
}

/// The shipped bots, external programs, and the Python bots that a dict names.
pub(crate) fn registry(bots: &Bound<'_, PyDict>) -> PyResult<Registry> {
    let mut registry = Registry::new(kinds()).with_programs(upheaval_bots::external::PROGRAMS);
    for (name, bot) in bots {
        registry = registry.with_own(entry(&name.extract::<String>()?, &bot)?).map_err(input)?;
    }
    Ok(registry)
}

/// The bot that the keys of a section `[bots.NAME]` describe.
pub(crate) fn described(keys: &Bound<'_, PyDict>) -> PyResult<BotEntry> {
    let file = PyDict::new(keys.py());
    let bots = PyDict::new(keys.py());
    bots.set_item("seat", keys)?;
    file.set_item("bots", bots)?;
    let source = Source::new("seats", toml_of(&file)?);
    let registry = registry(&PyDict::new(keys.py()))?;
    let sections = sections(&source, &|kind| registry.settings(kind)).map_err(input)?;
    let entry = sections.first().map(|section| registry.described(section, Path::new("")));
    match entry {
        Some(Ok(entry)) => Ok(entry),
        Some(Err(LookupError::Unusable(why))) => Err(input(why)),
        Some(Err(LookupError::Faults(faults))) => Err(input(faults)),
        Some(Err(LookupError::Unknown)) | None => {
            Err(input("the dict does not describe a bot: give it a `kind`"))
        }
    }
}

fn entry(name: &str, bot: &Bound<'_, PyAny>) -> PyResult<BotEntry> {
    let py = bot.py();
    let class = bot.get_type();
    let version: Value = serde_json::from_str(&json::text_of(&bot.getattr("version")?)?).map_err(input)?;
    // In a spawned process the module of the script has another name.
    let module = class.module()?.to_string().replace("__mp_main__", "__main__");
    let mut content = json!({
        "class": format!("{module}.{}", class.qualname()?),
        "version": version,
    });
    let repeats = match bot.getattr("repeats")?.extract()? {
        true => Repeats::Yes,
        false => Repeats::No,
    };
    if repeats == Repeats::Yes {
        content["repeats"] = json!(true);
    }
    let chooser = PyChooser {
        choose: py.import("upheaval.bot")?.getattr("_choose")?.unbind(),
        bot: bot.clone().unbind(),
        alone: Mutex::default(),
    };
    let maker = chooser_bot(Arc::new(chooser));
    Ok(BotEntry {
        name: name.to_owned(),
        origin: BotOrigin::Guest(repeats),
        content,
        pace: Pace::Quick,
        maker,
    })
}

/// Calls a Python bot.
struct PyChooser {
    /// `upheaval.bot._choose`
    choose: Py<PyAny>,
    bot: Py<PyAny>,
    /// Held during a call: a bot may be called from any thread, but from only one at a time.
    alone: Mutex<()>,
}

impl Chooser for PyChooser {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        let _alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(|py| {
            self.call(py, seen).map_err(|error| {
                let trace = error.traceback(py).and_then(|trace| trace.format().ok());
                ChooserFailure { reason: error.to_string(), trace: trace.unwrap_or_default() }
            })
        })
    }
}

impl PyChooser {
    fn call(&self, py: Python<'_>, seen: Seen) -> PyResult<Vec<i32>> {
        let Seen { tables: cells, uniform, .. } = seen;
        let mut arguments = vec![self.bot.bind(py).clone(), PyArray1::from_vec(py, uniform).into_any()];
        for (form, cells) in tables::ALL.iter().zip(cells.into_array()) {
            let width = form.columns.len();
            let rows = cells.len() / width;
            arguments.push(PyArray1::from_vec(py, cells).reshape([rows, width])?.into_any());
        }
        let choices = self.choose.bind(py).call1(PyTuple::new(py, arguments)?)?;
        let choices: PyReadonlyArray1<'_, i32> = choices.extract()?;
        Ok(choices.as_slice().map_err(input)?.to_vec())
    }
}
