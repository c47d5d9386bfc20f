//! Estimates with their intervals, one below the other.

use maud::html;

use crate::chart::scale::{Scale, digits_of, rounded};
use crate::chart::{Anchor, Panel, WIDTH, exact, fitted, heading, marked_below, note, px, rule, text_width};
use crate::palette::{Ink, PAPER};
use crate::words::{axis, minus};
use upheaval_analysis::Estimate;

/// An estimate.
#[derive(Clone, Debug)]
pub(crate) struct IntervalRow {
    /// Its subject.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// The estimate.
    pub value: f64,
    /// Its 95 % interval, if it is known.
    pub interval: Option<[f64; 2]>,
    /// Is it filled? A hollow mark means that the result is not significant.
    pub sure: bool,
}

impl IntervalRow {
    /// An estimate times a factor.
    pub(crate) fn of(name: &str, ink: Ink, of: Estimate, factor: f64) -> IntervalRow {
        let mut ends = of.interval.map(|of| [of.low * factor, of.high * factor]);
        // A negative factor reverses the interval.
        ends.iter_mut().for_each(|ends| ends.sort_by(f64::total_cmp));
        IntervalRow { name: name.to_owned(), ink, value: of.estimate * factor, interval: ends, sure: true }
    }

    /// All its values, for the limits of an axis.
    fn ends(&self) -> impl Iterator<Item = f64> {
        self.interval.into_iter().flatten().chain([self.value])
    }

    fn words(&self, digits: usize) -> String {
        let value = |value: f64| minus(&format!("{value:.digits$}"));
        let interval =
            self.interval.map(|[low, high]| format!(" (95 % interval {} to {})", value(low), value(high)));
        format!("{}: {}{}", self.name, value(self.value), interval.unwrap_or_default())
    }
}

/// A panel of estimates of one kind.
#[derive(Clone, Debug)]
pub(crate) struct IntervalPanel<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The unit.
    pub unit: &'a str,
    /// The limits of the axis.
    pub limits: AxisLimits,
    /// A reference line, and its name.
    pub reference: Option<(f64, &'a str)>,
    /// Digits after the decimal point.
    pub digits: usize,
    /// The estimates, from top to bottom.
    pub rows: &'a [IntervalRow],
}

/// The limits of the axis of estimates, which are round numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AxisLimits {
    /// From 0 to above all values.
    FromZero,
    /// Round all values and 0.
    WithZero,
}

const TOP: f64 = 48.0;
const ROW: f64 = 20.0;
/// Room for the names of rows, at most.
const NAMES: f64 = 126.0;
/// Room for the estimates in numbers.
const NUMBERS: f64 = 46.0;

impl IntervalPanel<'_> {
    fn values(&self) -> [f64; 2] {
        let ends = self.rows.iter().flat_map(IntervalRow::ends);
        match self.limits {
            AxisLimits::FromZero => [0.0, rounded(ends.chain(self.reference.map(|(value, _)| value)), 4)[1]],
            AxisLimits::WithZero => rounded(ends.chain([0.0]), 4),
        }
    }

    /// Draws it; `None` without estimates.
    pub(crate) fn draw(&self) -> Option<Panel> {
        if self.rows.is_empty() {
            return None;
        }
        let names = self.rows.iter().map(|row| text_width(&row.name, 11.0)).fold(0.0, f64::max).min(NAMES);
        let bottom = TOP + ROW * self.rows.len() as f64;
        let x = Scale::new(self.values(), [names + 10.0, WIDTH - NUMBERS]);
        let height = bottom + 22.0;
        let middle = |i: usize| TOP + ROW * (i as f64 + 0.5);
        let ticks = x.ticks(4);
        let digits = digits_of(&ticks);
        let body = html! {
            (heading(self.title, WIDTH))
            (note(0.0, 29.0, Anchor::Start, self.unit))
            (marked_below(x, [bottom, TOP], &ticks, true, |v| axis(v, digits)))
            (rule("axis", (x.range()[0], bottom), (x.range()[1], bottom)))
            @if let Some((value, name)) = self.reference.filter(|(value, _)| x.holds(*value)) {
                line.reference x1=(px(x.at(value))) x2=(px(x.at(value))) y1=(px(TOP)) y2=(px(bottom)) stroke="#222222"
                    stroke-dasharray="3 3" data-value=(exact(value)) {}
                (note(x.at(value), TOP - 5.0, Anchor::Middle, name))
            }
            @for (i, row) in self.rows.iter().enumerate() {
                @let y = middle(i);
                text.label x=(px(names)) y=(px(y + 4.0)) text-anchor="end" font-size="11" fill="#222222" { (fitted(&row.name, 11.0, NAMES)) }
                g.mark data-series=(row.name) data-value=(exact(row.value)) data-low=[row.interval.map(|ends| exact(ends[0]))]
                    data-high=[row.interval.map(|ends| exact(ends[1]))] data-sure=(row.sure) {
                    title { (row.words(self.digits)) }
                    @if let Some([low, high]) = row.interval {
                        line class=(row.ink.stroke()) x1=(px(x.at(low))) x2=(px(x.at(high))) y1=(px(y)) y2=(px(y)) stroke=(row.ink.colour())
                            stroke-width="2" stroke-linecap="round" {}
                    }
                    @if row.sure {
                        circle class=(row.ink.fill()) cx=(px(x.at(row.value))) cy=(px(y)) r="3.8" fill=(row.ink.colour()) {}
                    } @else {
                        circle class=(format!("hollow {}", row.ink.stroke())) cx=(px(x.at(row.value))) cy=(px(y)) r="3.4" fill=(PAPER)
                            stroke=(row.ink.colour()) stroke-width="1.6" {}
                    }
                }
                (note(WIDTH - 2.0, y + 4.0, Anchor::End, &minus(&format!("{:.*}", self.digits, row.value))))
            }
        };
        let label = format!("{}, {}, with 95 % intervals", self.title, self.unit);
        Some(Panel { label, width: WIDTH, height, body })
    }
}
