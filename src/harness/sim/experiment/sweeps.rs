//! The sweeps of an experiment, `[[sweep]]`: their values, listed or as a range, what each adds to the id of an arm,
//! and the combinations that `[[skip]]` leaves out.
//!
//! The range `{ from = 1, to = 5, step = 2 }` is 1, 3, 5, and `{ from = 0.1, to = 0.3, step = 0.1 }` is 0.1, 0.2, 0.3.

use std::ops::Range;

use toml::Value;

use super::file::{RangeKeys, RangeNumber, RunKeys, SweepKeys, is_short};
use upheaval_engine::diagnostic::value::{Entries, Open, Placed};
use upheaval_engine::diagnostic::{Form, suggest};
use upheaval_engine::rules::variant::parameter::is_parameter;
use upheaval_engine::rules::variant::setting::Setting;

/// The most arms of an experiment: a larger number is a mistake in a range.
pub(super) const MOST_ARMS: usize = 1000;

/// The most decimals of a number in a range.
const MOST_DECIMALS: usize = 6;

/// The parameters of an experiment that have several values.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The ids of its variants.
    pub variants: Vec<String>,
    /// The swept parameters, in the order of the sweeps.
    pub dimensions: Vec<Dimension>,
    /// Combinations that are left out: for each parameter in one the values concerned.
    pub skips: Vec<Vec<(String, Vec<Value>)>>,
}

/// A swept parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The parameter.
    pub parameter: String,
    /// Its values, in the order of the sweep.
    pub values: Vec<Value>,
    /// The ids of the variants in which it is swept.
    pub variants: Vec<String>,
}

/// A parameter with a value that the file gives.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) setting: Setting,
    pub(super) place: Range<usize>,
}

/// A parameter with its values, and what each of them adds to the id of an arm.
pub(super) struct Sweep {
    pub(super) parameter: String,
    pub(super) place: Range<usize>,
    pub(super) values: Vec<(Given, String)>,
    /// For each variant of the file: is it swept?
    pub(super) sweeps: Vec<bool>,
}

/// A combination of values that is left out: for each parameter in it the values concerned.
pub(super) struct Skip(Vec<(String, Vec<Value>)>);

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

/// The space of these sweeps over variants with these ids.
pub(super) fn ranges_of(variants: Vec<String>, sweeps: &[Sweep], skips: Vec<Skip>) -> Space {
    let dimension = |sweep: &Sweep| {
        let swept = variants.iter().zip(&sweep.sweeps).filter(|(_, is)| **is);
        Dimension {
            parameter: sweep.parameter.clone(),
            values: sweep.values.iter().map(|(given, _)| given.setting.value.clone()).collect(),
            variants: swept.map(|(id, _)| id.clone()).collect(),
        }
    };
    Space {
        dimensions: sweeps.iter().map(dimension).collect(),
        skips: skips.into_iter().map(|skip| skip.0).collect(),
        variants,
    }
}

/// The values of a sweep; their parts of an id are filled in later.
pub(super) fn values(form: &Form<'_>, keys: &Placed<SweepKeys>) -> Option<Vec<(Given, String)>> {
    let parameter = keys.parameter.as_str();
    let given = |value: Value, place: Range<usize>| {
        (Given { setting: Setting { parameter: parameter.to_owned(), value }, place }, String::new())
    };
    let mut is_sound = true;
    let values: Vec<(Given, String)> = match (&keys.values, &keys.range) {
        (Some(_), Some(range)) => {
            return form.refuse(range.span(), "a sweep has `values` or a `range`, not both; remove one");
        }
        (None, None) => return form.missing(keys.span(), "sweep.values"),
        (Some(values), None) if values.is_empty() => {
            return form.refuse(values.span(), "`values` is empty; give at least one value");
        }
        (Some(values), None) if values.len() > MOST_ARMS => {
            let message = format!("a sweep has at most {MOST_ARMS} values, not {}", values.len());
            return form.refuse(values.span(), message);
        }
        (Some(values), None) => {
            let sound = values.iter().filter(|value| form.is_sound(&value.span()));
            let found: Vec<_> = sound.map(|value| given(value.value(), value.span())).collect();
            is_sound = found.len() == values.len();
            found
        }
        (None, Some(range)) if !form.is_sound(&range.span()) => return None,
        (None, Some(range)) => {
            numbers(form, range)?.into_iter().map(|number| given(number, range.span())).collect()
        }
    };
    for (i, (value, _)) in values.iter().enumerate() {
        if values[..i].iter().any(|(other, _)| other.setting == value.setting) {
            form.fault(value.place.clone(), format!("`{}` is listed twice", value.setting.value));
        }
    }
    is_sound.then_some(values)
}

/// The numbers of a range: whole ones, or all of them with decimals where one of its keys has any.
fn numbers(form: &Form<'_>, range: &Placed<RangeKeys>) -> Option<Vec<Value>> {
    let whole = |number: &Placed<RangeNumber>| match **number {
        RangeNumber::Whole(number) => Some(number),
        RangeNumber::Decimal(_) => None,
    };
    let step = range.step.as_ref().map_or(Some(1), whole);
    match (whole(&range.from), whole(&range.to), step) {
        (Some(first), Some(last), Some(step)) => {
            let count = count(form, range, [first, last, step])?;
            Some((0..=count).map(|i| Value::Integer((first + i * step) as i64)).collect())
        }
        _ => decimals(form, range),
    }
}

/// Counts in units of the last decimal, so that each value is the number that its decimals write: a sum of steps would
/// give 0.30000000000000004.
fn decimals(form: &Form<'_>, range: &Placed<RangeKeys>) -> Option<Vec<Value>> {
    let Some(step) = &range.step else { return form.missing(range.span(), "sweep.range.step") };
    let value = |number: &RangeNumber| match *number {
        RangeNumber::Whole(number) => number as f64,
        RangeNumber::Decimal(number) => number,
    };
    let (mut places, mut is_sound) = (0, true);
    for number in [&range.from, &range.to, step] {
        // The shortest text that is read as the number has the decimals that the author has written.
        let text = value(number).to_string();
        let own = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        if own > MOST_DECIMALS {
            let message = format!("a number of a range has {MOST_DECIMALS} decimals at most, not {own}");
            form.fault(number.span(), message);
            is_sound = false;
        }
        places = places.max(own);
    }
    if !is_sound {
        return None;
    }
    let unit = 10_u64.pow(places as u32) as f64;
    let units = |number: &RangeNumber| (value(number) * unit).round() as u64;
    let (first, by) = (units(&range.from), units(step));
    let count = count(form, range, [first, units(&range.to), by])?;
    Some((0..=count).map(|i| Value::Float((first + i * by) as f64 / unit)).collect())
}

/// How many steps of this size there are.
fn count(form: &Form<'_>, range: &RangeKeys, [first, last, step]: [u64; 3]) -> Option<u64> {
    if let Some(place) = range.step.as_ref().filter(|_| step == 0) {
        form.fault(place.span(), "`step` must be more than 0");
    }
    if last < first {
        let message = format!("the range ends at {}, before it starts at {}", *range.to, *range.from);
        return form.refuse(range.to.span(), message);
    }
    let count = (last - first).checked_div(step)?;
    if count >= MOST_ARMS as u64 {
        let message = format!("the range has more than {MOST_ARMS} values; use a larger `step`");
        return form.refuse(range.to.span(), message);
    }
    Some(count)
}

impl std::fmt::Display for RangeNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RangeNumber::Whole(number) => write!(f, "{number}"),
            RangeNumber::Decimal(number) => write!(f, "{number}"),
        }
    }
}

/// The combinations `[[skip]]` without faults that are left out of these sweeps, which are those without faults.
pub(super) fn skips(form: &Form<'_>, run: &RunKeys, sweeps: &[Sweep]) -> Vec<Skip> {
    let mut skips = Vec::new();
    if !is_short(form, "skip", form.key("skip"), run.skip.len()) {
        return skips;
    }
    for table in &run.skip {
        let mut skip = Vec::new();
        let is_sound = conditions(form, table, "", (run, sweeps), &mut skip);
        if is_sound && skip.is_empty() {
            form.fault(table.span(), "`skip` does not name a parameter: it would leave out every arm");
        } else if is_sound {
            skips.push(Skip(skip));
        }
    }
    skips
}

/// Finds the parameters that a table of `[[skip]]` names, with their values; dotted keys are tables within it. Returns
/// whether all are swept.
fn conditions(
    form: &Form<'_>,
    table: &Entries<Placed<Open>>,
    prefix: &str,
    (run, sweeps): (&RunKeys, &[Sweep]),
    found: &mut Vec<(String, Vec<Value>)>,
) -> bool {
    let mut is_sound = true;
    for (key, value) in table.iter() {
        let path = format!("{prefix}{}", **key);
        let swept: Vec<&Sweep> = sweeps.iter().filter(|sweep| sweep.parameter == path).collect();
        let all = run.sweep.iter().map(|keys| keys.parameter.as_str());
        let values: Vec<(Value, Range<usize>)> = match &**value {
            // Its sweep has a fault.
            _ if swept.is_empty() && all.clone().any(|parameter| parameter == path) => Vec::new(),
            Open::Table(below) if swept.is_empty() && !below.is_empty() => {
                is_sound &= conditions(form, below, &format!("{path}."), (run, sweeps), found);
                continue;
            }
            _ if swept.is_empty() => {
                // A sweep over an unknown parameter may be meant to be one over this.
                if all.clone().all(is_parameter) || !is_parameter(&path) {
                    let known = suggest(&path, all.filter(|parameter| is_parameter(parameter)));
                    form.fault(key.span(), format!("`{path}` is not swept; {known}"));
                }
                Vec::new()
            }
            Open::List(list) if list.is_empty() => {
                form.fault(value.span(), format!("`{path}` is empty; give a value, or a list of them"));
                Vec::new()
            }
            Open::List(list) => list.iter().map(|value| (value.value(), value.span())).collect(),
            one => vec![(one.value(), value.span())],
        };
        let is_swept = |value: &Value| {
            swept.iter().flat_map(|sweep| &sweep.values).any(|(given, _)| given.setting.value == *value)
        };
        is_sound &= !values.is_empty();
        for (value, place) in values.iter().filter(|(value, place)| !form.is_sound(place) || !is_swept(value))
        {
            form.fault(place.clone(), format!("`{path}` is not swept over {value}"));
            is_sound = false;
        }
        found.push((path, values.into_iter().map(|(value, _)| value).collect()));
    }
    is_sound
}

/// Fills in what each value adds to an arm's id: `.count-2`. The end of the key is taken with as many parts as are
/// needed to distinguish the parameters.
pub(super) fn label(sweeps: &mut [Sweep]) {
    let last = |key: &str, parts: usize| {
        let all: Vec<&str> = key.split('.').collect();
        all[all.len().saturating_sub(parts)..].join(".")
    };
    let keys: Vec<String> = sweeps.iter().map(|sweep| sweep.parameter.clone()).collect();
    for sweep in sweeps {
        let key = &sweep.parameter;
        let is_own = |parts: &usize| {
            keys.iter().filter(|other| *other != key).all(|other| last(other, *parts) != last(key, *parts))
        };
        let parts = key.split('.').count();
        let name = last(key, (1..=parts).find(is_own).unwrap_or(parts));
        let words: Option<Vec<String>> =
            sweep.values.iter().map(|(value, _)| word(&value.setting.value)).collect();
        let distinct =
            |words: &Vec<String>| words.iter().enumerate().all(|(i, word)| !words[..i].contains(word));
        // If one value is not a word, all values are given by their index.
        let words = words
            .filter(distinct)
            .unwrap_or_else(|| (1..=sweep.values.len()).map(|n| n.to_string()).collect());
        for ((_, label), word) in sweep.values.iter_mut().zip(words) {
            *label = format!(".{name}-{word}");
        }
    }
}

/// A value as a part of an id, if it can be one.
fn word(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => return None,
    };
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    plain.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_engine::diagnostic::Source;

    fn of(text: &str) -> Vec<Value> {
        let source = Source::new("f", text);
        let mut form = Form::new(&source, super::super::file::example).expect("TOML");
        let range = form.read::<RangeKeys>().and_then(|range| numbers(&form, &Placed::new(0..0, range)));
        form.finish(range).expect("a range")
    }

    #[test]
    fn decimals_do_not_drift() {
        let tenths = of("from = 0.1\nto = 100\nstep = 0.1");
        let written: Vec<Value> =
            (1..=1000).map(|n| Value::Float(format!("{}.{}", n / 10, n % 10).parse().unwrap())).collect();
        assert_eq!(tenths, written);
        let twentieths = of("from = 0\nto = 1\nstep = 0.05");
        assert_eq!(twentieths.len(), 21, "the end is a value");
        assert_eq!(twentieths[3], Value::Float(0.15), "where a sum of steps is 0.15000000000000002");
    }
}
