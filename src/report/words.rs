//! Numbers as words, and markup as text.

use maud::Markup;
use upheaval_analysis::Estimate;
use upheaval_analysis::table::grouped;

/// An estimate with its interval, times a factor: `14.3 (12.1 to 16.6)`.
pub(crate) fn estimate(of: Estimate, factor: f64, digits: usize) -> String {
    of.written(|value| minus(&format!("{:.digits$}", value * factor)))
}

/// The same for a difference, with as many digits more as show on which side of 0 each bound lies.
pub(crate) fn difference(of: Estimate, factor: f64, digits: usize) -> String {
    estimate(of, factor, of.map(|value| value * factor).deciding_decimals(digits))
}

/// The same for an estimate that may be missing.
pub(crate) fn maybe(of: Option<Estimate>, factor: f64, digits: usize) -> String {
    of.map_or("–".to_owned(), |of| estimate(of, factor, digits))
}

/// Markup as text. Two characters that a name may have are none that XML can have, not even by their numbers.
pub(crate) fn written(markup: Markup) -> String {
    markup.into_string().replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// A probability in a table.
pub(crate) fn maybe_p(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(small) if small < 0.001 => "< 0.001".to_owned(),
        Some(other) => format!("{other:.3}"),
    }
}

/// `1 game`, `2 games`.
pub(crate) fn count(n: u64, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {one}s", thousands(n)),
    }
}

/// A number of things as in prose: in words up to twelve.
pub(crate) fn numeral(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// A whole number in groups of three digits, separated by narrow spaces from five digits on.
pub(crate) fn thousands(n: u64) -> String {
    if n < 10_000 { n.to_string() } else { grouped(n, '\u{202f}') }
}

/// `A`, `A and B`, `A, B and C`.
pub(crate) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

/// With a capital letter first.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A number with a proper minus sign.
pub(crate) fn minus(number: &str) -> String {
    let zero = number.strip_prefix('-').filter(|digits| digits.chars().all(|c| matches!(c, '0' | '.')));
    zero.map_or_else(|| number.replacen('-', "−", 1), str::to_owned)
}

/// A number as on axes and in attributes: no more digits than it needs, and at most this many after the decimal point.
pub(crate) fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number as on axes.
pub(crate) fn axis(value: f64, digits: usize) -> String {
    minus(&number(value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_analysis::{Interval, table::p};

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (thousands(9999), thousands(1_234_567)),
            ("9999".into(), "1\u{202f}234\u{202f}567".into())
        );
        assert_eq!((minus("-0.00"), minus("-1.5")), ("0.00".into(), "−1.5".into()));
        assert_eq!((p(0.000_2), p(0.05)), ("p < 0.001".into(), "p = 0.050".into()));
        assert_eq!(list(&["A".into(), "B".into(), "C".into()]), "A, B and C");
        let known = Estimate { estimate: 0.143, interval: Some(Interval { low: 0.133, high: 0.153 }) };
        assert_eq!(estimate(known, 100.0, 1), "14.3 (13.3 to 15.3)");
        assert_eq!(estimate(Estimate::alone(-0.5), 1.0, 1), "−0.5");
    }

    #[test]
    fn the_bound_of_a_difference_is_not_0_where_it_lies_on_a_side() {
        let near = Estimate { estimate: 0.008, interval: Some(Interval { low: 0.000_3, high: 0.016 }) };
        assert_eq!(difference(near, 1.0, 3), "0.0080 (0.0003 to 0.0160)");
        assert_eq!(difference(near, 100.0, 1), "0.80 (0.03 to 1.60)");
    }

    #[test]
    fn numbers_are_short() {
        let texts = [number(1.50, 2), number(-0.001, 2), number(10.0, 2), number(100.0, 0)];
        assert_eq!(texts, ["1.5", "0", "10", "100"]);
    }
}
