//! The range of a sweep: `{ from = 1, to = 5, step = 2 }` is 1, 3, 5, and `{ from = 0.1, to = 0.3, step = 0.1 }` is
//! 0.1, 0.2, 0.3.

use toml::{Spanned, Value};

use super::MOST_ARMS;
use upheaval_engine::diagnostic::Diagnostic;
use upheaval_engine::diagnostic::table::Table;

/// The most decimals of a number in a range.
const MOST_DECIMALS: usize = 6;

/// The largest number of a range with decimals: with all its decimals it is still exact.
const LARGEST: f64 = 1e9;

/// The numbers of a range: whole ones, or all of them with decimals where one of its keys has any.
pub(super) fn numbers(range: &Table<'_>) -> Result<Vec<Value>, Diagnostic> {
    range.allow(&["from", "to", "step"])?;
    let mut with_decimals = false;
    for key in ["from", "to", "step"] {
        with_decimals |= range.value(key)?.is_some_and(|value| value.get_ref().is_float());
    }
    if with_decimals { decimals(range) } else { whole(range) }
}

fn whole(range: &Table<'_>) -> Result<Vec<Value>, Diagnostic> {
    const MOST: u64 = i64::MAX as u64;
    let end =
        |key: &str, example: &str| range.whole(key, 0..=MOST)?.ok_or_else(|| range.missing(key, example));
    let (from, to) = (end("from", "from = 1")?, end("to", "to = 5")?);
    let step = range.whole("step", 1..=MOST)?.map_or(1, Spanned::into_inner);
    let (first, last) = (*from.get_ref(), *to.get_ref());
    if last < first {
        return Err(backwards(range, &to, &first));
    }
    let count = (last - first) / step;
    if count >= MOST_ARMS as u64 {
        return Err(too_many(range, &to));
    }
    Ok((0..=count).map(|i| Value::Integer((first + i * step) as i64)).collect())
}

/// Counts in units of the last decimal, so that each value is the number that its decimals write: a sum of steps would
/// give 0.30000000000000004.
fn decimals(range: &Table<'_>) -> Result<Vec<Value>, Diagnostic> {
    let number = |key: &str, least: f64| range.number(key, least..=LARGEST);
    let end = |key: &str, example: &str| number(key, 0.0)?.ok_or_else(|| range.missing(key, example));
    let (from, to) = (end("from", "from = 0.1")?, end("to", "to = 0.5")?);
    let step = number("step", 0.0)?.ok_or_else(|| range.missing("step", "step = 0.1"))?;
    let mut places = 0;
    for number in [&from, &to, &step] {
        // The shortest text that is read as the number has the decimals that the author has written.
        let text = number.get_ref().to_string();
        let own = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        if own > MOST_DECIMALS {
            let message = format!("a number of a range has {MOST_DECIMALS} decimals at most, not {own}");
            return Err(range.fault(number.span(), message));
        }
        places = places.max(own);
    }
    let unit = 10_u64.pow(places as u32) as f64;
    let units = |number: &Spanned<f64>| (number.get_ref() * unit).round() as u64;
    let (first, last, by) = (units(&from), units(&to), units(&step));
    if last < first {
        return Err(backwards(range, &to, from.get_ref()));
    }
    if by == 0 {
        return Err(range.fault(step.span(), "`step` must be more than 0"));
    }
    let count = (last - first) / by;
    if count >= MOST_ARMS as u64 {
        return Err(too_many(range, &to));
    }
    Ok((0..=count).map(|i| Value::Float((first + i * by) as f64 / unit)).collect())
}

fn backwards<T: std::fmt::Display>(range: &Table<'_>, to: &Spanned<T>, first: &T) -> Diagnostic {
    let message = format!("the range ends at {}, before it starts at {first}", to.get_ref());
    range.fault(to.span(), message)
}

fn too_many<T>(range: &Table<'_>, to: &Spanned<T>) -> Diagnostic {
    let message = format!("the range has more than {MOST_ARMS} values; take a larger `step`");
    range.fault(to.span(), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_engine::diagnostic::Source;
    use upheaval_engine::diagnostic::table::parse;

    fn of(text: &str) -> Result<Vec<Value>, String> {
        let source = Source::new("f", text);
        let parsed = parse(&source).unwrap();
        numbers(&Table::root(&source, &parsed)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn decimals_do_not_drift() {
        let tenths = of("from = 0.1\nto = 100\nstep = 0.1").unwrap();
        let written: Vec<Value> =
            (1..=1000).map(|n| Value::Float(format!("{}.{}", n / 10, n % 10).parse().unwrap())).collect();
        assert_eq!(tenths, written);
        let twentieths = of("from = 0\nto = 1\nstep = 0.05").unwrap();
        assert_eq!(twentieths.len(), 21, "the end is a value");
        assert_eq!(twentieths[3], Value::Float(0.15), "where a sum of steps is 0.15000000000000002");
    }

    #[test]
    fn whole_numbers_stay_whole_and_a_step_of_decimals_is_named() {
        let whole = of("from = 1\nto = 6\nstep = 2").unwrap();
        assert_eq!(whole, [1, 3, 5].map(Value::Integer));
        for (text, message) in [
            ("from = 0.5\nto = 1", "`step` is missing; add a line such as `step = 0.1`"),
            ("from = 0.5\nto = 1\nstep = 0", "`step` must be more than 0"),
            ("from = 0.5\nto = 0.25\nstep = 0.1", "f:2:6: the range ends at 0.25, before it starts at 0.5"),
            ("from = 0.0\nto = 1\nstep = 0.001", "f:2:6: the range has more than 1000 values"),
            ("from = 0.1234567\nto = 1\nstep = 0.1", "has 6 decimals at most, not 7"),
            ("from = -0.5\nto = 1\nstep = 0.1", "`from` must be a number from 0 to 1000000000, not -0.5"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
