//! Maps values to positions in a panel, and finds the round numbers for the ticks of an axis.

use crate::words::number;

/// A linear scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    domain: [f64; 2],
    range: [f64; 2],
}

impl Scale {
    /// The scale that maps `domain` to `range`. A domain of one value is widened.
    pub(crate) fn new(domain: [f64; 2], range: [f64; 2]) -> Scale {
        let [low, high] = domain;
        Scale { domain: if high > low { domain } else { [low - 0.5, low + 0.5] }, range }
    }

    /// The position of a value; values outside of the domain are placed at its ends.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.domain;
        let share = ((value.clamp(low, high)) - low) / (high - low);
        self.range[0] + share * (self.range[1] - self.range[0])
    }

    /// The ends of the range.
    pub(crate) fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Does the domain contain this value?
    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.domain[0]..=self.domain[1]).contains(&value)
    }

    /// The round numbers in the domain.
    pub(crate) fn ticks(&self, most: usize) -> Vec<f64> {
        let step = step(self.domain, most);
        let first = (self.domain[0] / step - 1e-9).ceil() as i64;
        let last = (self.domain[1] / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides a domain into at most this many parts.
fn step([low, high]: [f64; 2], most: usize) -> f64 {
    let raw = (high - low) / most.max(1) as f64;
    let power = 10f64.powi(raw.log10().floor() as i32);
    [1.0, 2.0, 5.0].map(|m| m * power).into_iter().find(|&s| s >= raw * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// The smallest domain with round limits that contains all values.
pub(crate) fn rounded(values: impl IntoIterator<Item = f64>, most: usize) -> [f64; 2] {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return [0.0, 1.0];
    }
    if low == high {
        return if low == 0.0 { [0.0, 1.0] } else { [low.min(0.0), high.max(0.0)] };
    }
    let step = step([low, high], most);
    [(low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step]
}

/// The smallest domain with whole limits that contains all values of a count.
pub(crate) fn counted(values: impl IntoIterator<Item = f64>, most: usize) -> [f64; 2] {
    let [low, high] = rounded(values, most);
    [(low + 1e-9).floor(), (high - 1e-9).ceil()]
}

/// Only the whole numbers.
pub(crate) fn whole(mut ticks: Vec<f64>) -> Vec<f64> {
    ticks.retain(|tick| (tick - tick.round()).abs() < 1e-9);
    ticks
}

/// How many digits after the decimal point distinguish these numbers.
pub(crate) fn digits_of(ticks: &[f64]) -> usize {
    let told = |digits: usize| {
        ticks.iter().all(|tick| (number(*tick, digits).parse::<f64>().unwrap_or(0.0) - tick).abs() < 1e-9)
    };
    (0..6).find(|&digits| told(digits)).unwrap_or(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::new([0.0, 18.0], [0.0, 1.0]).ticks(5), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(Scale::new([1901.0, 1907.0], [0.0, 1.0]).ticks(3), [1902.0, 1904.0, 1906.0]);
        let fine: Vec<String> =
            Scale::new([0.0, 0.3], [0.0, 1.0]).ticks(3).iter().map(|t| number(*t, 3)).collect();
        assert_eq!(fine, ["0", "0.1", "0.2", "0.3"]);
    }

    #[test]
    fn ticks_have_the_digits_they_need() {
        assert_eq!((digits_of(&[0.0, 5.0]), digits_of(&[1.0, 1.005]), digits_of(&[0.1 + 0.2])), (0, 3, 1));
    }

    #[test]
    fn domains_hold_what_they_are_made_of() {
        assert_eq!(rounded([0.3, 17.2], 5), [0.0, 20.0]);
        assert_eq!(rounded([-1.2, 0.4], 4), [-1.5, 0.5]);
        assert_eq!(rounded([3.0], 4), [0.0, 3.0]);
        assert_eq!(rounded([f64::INFINITY], 4), [0.0, 1.0]);
        assert_eq!((counted([0.3, 0.02], 4), counted([55.1, 56.0], 4)), ([0.0, 1.0], [55.0, 56.0]));
        assert_eq!((counted([2.9, 3.0], 4), counted([0.4, 1.3], 4)), ([2.0, 3.0], [0.0, 2.0]));
        assert_eq!(whole(Scale::new([0.0, 2.0], [0.0, 1.0]).ticks(4)), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn a_value_lies_between_the_ends() {
        let scale = Scale::new([0.0, 10.0], [100.0, 0.0]);
        assert_eq!((scale.at(0.0), scale.at(5.0), scale.at(11.0)), (100.0, 50.0, 0.0));
        assert!(Scale::new([4.0, 4.0], [0.0, 10.0]).at(4.0) == 5.0);
    }
}
