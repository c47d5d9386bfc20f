//! An estimate with its 95% interval: the one form in which means, rates, differences and ratings are reported.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The bounds of a 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// From the lower bound to the upper one.
    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }
}

/// An estimate with its 95% interval. As JSON it has the fields `estimate`, `low` and `high`, of which the last two are
/// `null` where no interval is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub estimate: f64,
    /// Its interval; `None` where the data do not say how far off the estimate may be, as with one block.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// An estimate without a known interval.
    pub const fn alone(estimate: f64) -> Estimate {
        Estimate { estimate, interval: None }
    }

    /// An estimate with a symmetric interval; without an interval if its half-width is infinite.
    pub fn around(estimate: f64, half_width: f64) -> Estimate {
        let bounds = || Interval { low: estimate - half_width, high: estimate + half_width };
        Estimate { estimate, interval: half_width.is_finite().then(bounds) }
    }

    /// The estimate and its bounds, each changed by a monotonic function.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Estimate {
        let interval = self.interval.map(|Interval { low, high }| Interval { low: of(low), high: of(high) });
        Estimate { estimate: of(self.estimate), interval }
    }

    /// The same for a quantity that lies between these bounds: the bounds end there.
    pub(crate) fn within(self, least: f64, most: f64) -> Estimate {
        self.map(|value| value.max(least).min(most))
    }

    /// `0.25 (0.20 to 0.31)`, or the estimate alone.
    pub(crate) fn with_bounds(self, decimals: usize) -> String {
        let Estimate { estimate, interval } = self;
        match interval {
            Some(Interval { low, high }) => {
                format!("{estimate:.decimals$} ({low:.decimals$} to {high:.decimals$})")
            }
            None => format!("{estimate:.decimals$}"),
        }
    }

    /// This many decimals, or as many more as show on which side of 0 each bound lies.
    pub fn deciding_decimals(self, decimals: usize) -> usize {
        /// Nearer to 0 than this is the residue of rounding.
        const RESIDUE: f64 = 1e-9;
        let shows = |bound: f64, decimals: usize| {
            bound.abs() < RESIDUE || bound.abs() * 10_f64.powi(decimals.min(12) as i32) > 0.5
        };
        let shown = |decimals: &usize| {
            self.interval.is_none_or(|of| shows(of.low, *decimals) && shows(of.high, *decimals))
        };
        (decimals..=decimals + 9).find(shown).unwrap_or(decimals)
    }

    /// With signs: `+0.25 (+0.20 to +0.31)`. No bound is written as 0 that lies on one side of it.
    pub fn signed(self, decimals: usize) -> String {
        let decimals = self.deciding_decimals(decimals);
        let Estimate { estimate, interval } = self;
        match interval {
            Some(Interval { low, high }) => {
                format!("{estimate:+.decimals$} ({low:+.decimals$} to {high:+.decimals$})")
            }
            None => format!("{estimate:+.decimals$}"),
        }
    }
}

impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Estimate", 3)?;
        fields.serialize_field("estimate", &self.estimate)?;
        fields.serialize_field("low", &self.interval.map(|interval| interval.low))?;
        fields.serialize_field("high", &self.interval.map(|interval| interval.high))?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_written_with_its_interval_or_alone() {
        let known = Estimate::around(1.25, 0.5);
        assert_eq!(known.interval.map(Interval::width), Some(1.0));
        let texts = [known.with_bounds(2), known.signed(1)];
        assert_eq!(texts, ["1.25 (0.75 to 1.75)", "+1.2 (+0.8 to +1.8)"]);
        let alone = Estimate::around(1.25, f64::INFINITY);
        assert_eq!(alone, Estimate::alone(1.25));
        assert_eq!([alone.with_bounds(2), alone.signed(2)], ["1.25", "+1.25"]);
        assert_eq!(known.map(|value| 100.0 * value).with_bounds(0), "125 (75 to 175)");
    }

    #[test]
    fn a_bound_near_0_shows_its_side() {
        let near = |low: f64| Estimate { estimate: 0.008, interval: Some(Interval { low, high: 0.016 }) };
        assert_eq!(near(0.000_04).signed(3), "+0.00800 (+0.00004 to +0.01600)");
        assert_eq!(near(-0.000_4).signed(3), "+0.0080 (-0.0004 to +0.0160)");
        assert_eq!(near(0.0).signed(3), "+0.008 (+0.000 to +0.016)");
        assert_eq!(
            (near(1e-15).signed(2), near(0.004).deciding_decimals(2)),
            ("+0.01 (+0.00 to +0.02)".into(), 3)
        );
    }

    #[test]
    fn json_has_null_for_bounds_that_are_not_known() {
        let json = |of: Estimate| serde_json::to_string(&of).unwrap();
        assert_eq!(json(Estimate::around(1.25, 0.5)), r#"{"estimate":1.25,"low":0.75,"high":1.75}"#);
        assert_eq!(json(Estimate::alone(1.25)), r#"{"estimate":1.25,"low":null,"high":null}"#);
    }
}
