//! Combinations of values that sweeps leave out: `[[skip]]`.

use toml::Value;

use super::{Given, Sweep};
use upheaval_engine::diagnostic::table::Table;
use upheaval_engine::diagnostic::{Diagnostic, suggest};

/// A combination of values that is left out: for each parameter in it the values concerned.
pub(super) struct Skip(pub(super) Vec<(String, Vec<Value>)>);

impl Skip {
    /// Is an arm with these values left out?
    pub(super) fn is_of(&self, chosen: &[&(Given, String)]) -> bool {
        self.0.iter().all(|(parameter, values)| {
            let is = |given: &Given| {
                given.setting.parameter == *parameter && values.contains(&given.setting.value)
            };
            chosen.iter().any(|(given, _)| is(given))
        })
    }
}

/// The combinations `[[skip]]` that are left out.
pub(super) fn skips(root: &Table<'_>, sweeps: &[Sweep]) -> Result<Vec<Skip>, Diagnostic> {
    let mut skips = Vec::new();
    for table in root.list_of_tables("skip")? {
        let mut skip = Vec::new();
        conditions(&table, "", sweeps, &mut skip)?;
        if skip.is_empty() {
            return Err(
                table.fault(table.span(), "`skip` does not name a parameter: it would leave out every arm")
            );
        }
        skips.push(Skip(skip));
    }
    Ok(skips)
}

/// The parameters that a table of `[[skip]]` names, with their values; dotted keys are tables within it.
fn conditions(
    table: &Table<'_>,
    prefix: &str,
    sweeps: &[Sweep],
    found: &mut Vec<(String, Vec<Value>)>,
) -> Result<(), Diagnostic> {
    for key in table.keys() {
        let (path, place) = (format!("{prefix}{key}"), table.key(key).unwrap_or_default());
        let Some(sweep) = sweeps.iter().find(|sweep| sweep.parameter == path) else {
            match table.table(key) {
                Ok(Some(below)) => conditions(&below, &format!("{path}."), sweeps, found)?,
                _ => {
                    let known = suggest(&path, sweeps.iter().map(|sweep| sweep.parameter.as_str()));
                    return Err(table.fault(place, format!("`{path}` is not swept; {known}")));
                }
            }
            continue;
        };
        let Some(value) = table.value(key)? else { continue };
        let place = value.span();
        let values = match value.into_inner() {
            Value::Array(values) => values,
            one => vec![one],
        };
        let swept = |value: &Value| sweep.values.iter().any(|(given, _)| given.setting.value == *value);
        if let Some(strange) = values.iter().find(|value| !swept(value)) {
            return Err(table.fault(place, format!("`{path}` is not swept over {strange}")));
        }
        found.push((path, values));
    }
    Ok(())
}
