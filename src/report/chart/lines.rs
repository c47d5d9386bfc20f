//! Values over the years: lines with bands.

use maud::{Markup, html};

use crate::chart::scale::{Scale, counted, whole};
use crate::chart::{
    Anchor, Panel, WIDTH, exact, fitted, heading, marked_below, marked_left, note, px, rule, text_width,
};
use crate::palette::Ink;
use crate::words::number;

/// A value at one year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LinePoint {
    /// The year.
    pub year: u16,
    /// The value.
    pub value: f64,
    /// The interval drawn as a dark band; infinite ends are not drawn.
    pub interval: Option<[f64; 2]>,
    /// The range of games drawn as a light band.
    pub range: Option<[f64; 2]>,
}

/// A line.
#[derive(Clone, Debug)]
pub(crate) struct LineSeries {
    /// Its name, which is written at its end if a panel has several lines.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Its points, by year.
    pub points: Vec<LinePoint>,
}

/// A panel of lines over the same years.
#[derive(Clone, Debug)]
pub(crate) struct LinePanel<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The unit of the vertical axis, which has whole numbers only.
    pub unit: &'a str,
    /// Its width, in pixels of an unzoomed page.
    pub width: f64,
    /// The years.
    pub years: [u16; 2],
    /// The limits of the vertical axis.
    pub values: [f64; 2],
    /// The lines.
    pub series: &'a [LineSeries],
}

const HEIGHT: f64 = 184.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = HEIGHT - 22.0;
const LEFT: f64 = 34.0;
/// Room for a year on the axis.
const TICKS: f64 = 58.0;
/// Room for the names at the ends of lines, at most.
const NAMES: f64 = 104.0;
/// A font size at which regular letters are as wide as bold letters of size 11.
const BOLD: f64 = 12.1;
/// The distance between two lines of names.
const LEADING: f64 = 13.0;

impl LinePanel<'_> {
    /// Are the lines named at their ends?
    fn is_named(&self) -> bool {
        self.series.len() > 1
    }

    /// The scale of the years.
    pub(crate) fn scale(&self) -> Scale {
        let names = self.series.iter().map(|s| text_width(&s.name, BOLD));
        let room = if self.is_named() { names.fold(0.0, f64::max).min(NAMES) + 10.0 } else { 18.0 };
        Scale::new(self.years.map(f64::from), [LEFT, self.width - room])
    }

    /// Draws it.
    pub(crate) fn draw(&self) -> Panel {
        let x = self.scale();
        let y = Scale::new(self.values, [BOTTOM, TOP]);
        let years = whole(x.ticks((self.width / TICKS) as usize));
        let values = whole(y.ticks(4));
        let body = html! {
            (heading(self.title, self.width))
            (note(0.0, 29.0, Anchor::Start, self.unit))
            (marked_left(y, x.range(), &values, |v| number(v, 0)))
            (marked_below(x, y.range(), &years, false, |v| number(v, 0)))
            (rule("axis", (x.range()[0], BOTTOM), (x.range()[1], BOTTOM)))
            @for series in self.series { (bands(series, x, y)) }
            @for series in self.series { (line(series, x, y)) }
            @if self.is_named() { (names(self.series, x, y)) }
        };
        let names: Vec<&str> = self.series.iter().map(|s| s.name.as_str()).collect();
        let label = format!("{}, {} by year: {}", self.title, self.unit, names.join(", "));
        Panel { label, width: self.width, height: HEIGHT, body }
    }
}

/// A panel for each of these titles with its lines, all with the same scale from 0 on. `ends` are the values of a point
/// that must be on the scale besides its own.
pub(crate) fn panels_of<'a>(
    unit: &str,
    years: [u16; 2],
    lines: &[(&'a str, Vec<LineSeries>)],
    ends: impl Fn(&LinePoint) -> Option<[f64; 2]>,
) -> Vec<Panel> {
    let points = lines.iter().flat_map(|(_, series)| series).flat_map(|series| &series.points);
    let [_, high] = counted(points.flat_map(|p| ends(p).into_iter().flatten().chain([p.value])), 4);
    let values = [0.0, high];
    let panel = |(title, series): &(&'a str, Vec<LineSeries>)| {
        LinePanel { title, unit, width: WIDTH, years, values, series }.draw()
    };
    lines.iter().map(panel).collect()
}

/// The area between the two values that `ends` returns for each point; gaps where it returns none.
fn area(
    points: &[LinePoint],
    x: Scale,
    y: Scale,
    ends: impl Fn(&LinePoint) -> Option<[f64; 2]>,
) -> Option<String> {
    let (mut there, mut back) = (String::new(), Vec::new());
    for point in points {
        let Some([low, high]) = ends(point).filter(|ends| ends.iter().all(|end| end.is_finite())) else {
            continue;
        };
        let at = x.at(f64::from(point.year));
        let word = if there.is_empty() { "M" } else { "L" };
        there.push_str(&format!("{word}{} {}", px(at), px(y.at(high))));
        back.push(format!("L{} {}", px(at), px(y.at(low))));
    }
    if back.len() < 2 {
        return None;
    }
    back.reverse();
    Some(format!("{there}{}Z", back.concat()))
}

fn bands(series: &LineSeries, x: Scale, y: Scale) -> Markup {
    let band = |class: &str, opacity: &str, path: Option<String>| {
        html! {
            @if let Some(path) = path {
                path class=(format!("{class} {}", series.ink.fill())) d=(path) fill=(series.ink.colour()) fill-opacity=(opacity) {}
            }
        }
    };
    html! {
        (band("range", "0.13", area(&series.points, x, y, |p| p.range)))
        (band("interval", "0.3", area(&series.points, x, y, |p| p.interval)))
    }
}

fn line(series: &LineSeries, x: Scale, y: Scale) -> Markup {
    let place = |p: &LinePoint| format!("{},{}", px(x.at(f64::from(p.year))), px(y.at(p.value)));
    let places: Vec<String> = series.points.iter().map(place).collect();
    html! {
        g class="series" data-series=(series.name) {
            polyline class=(series.ink.stroke()) points=(places.join(" ")) fill="none" stroke=(series.ink.colour())
                stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round" {}
            @for point in &series.points {
                circle class=(format!("point {}", series.ink.fill())) cx=(px(x.at(f64::from(point.year)))) cy=(px(y.at(point.value))) r="2.2"
                    fill=(series.ink.colour()) data-year=(point.year) data-value=(exact(point.value)) {
                    title { (describe(series, point)) }
                }
            }
        }
    }
}

/// A point in words.
fn describe(series: &LineSeries, point: &LinePoint) -> String {
    let mut text = format!("{}, {}: {}", series.name, point.year, number(point.value, 2));
    if let Some([low, high]) = point.interval.filter(|ends| ends.iter().all(|end| end.is_finite())) {
        text += &format!(" (95 % interval {} to {})", number(low, 2), number(high, 2));
    }
    if let Some([low, high]) = point.range {
        text += &format!("; 90 % of games {} to {}", number(low, 1), number(high, 1));
    }
    text
}

/// The names at the ends of the lines, moved apart where the lines end together.
fn names(series: &[LineSeries], x: Scale, y: Scale) -> Markup {
    let end = |(i, s): (usize, &LineSeries)| Some((i, y.at(s.points.last()?.value) + 4.0));
    let mut ends: Vec<(usize, f64)> = series.iter().enumerate().filter_map(end).collect();
    ends.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    spread(&mut ends);
    html! {
        @for (i, place) in ends {
            text class=(format!("name {}", series[i].ink.fill())) x=(px(x.range()[1] + 6.0)) y=(px(place)) font-size="11" font-weight="600"
                fill=(series[i].ink.colour()) { (fitted(&series[i].name, BOLD, NAMES)) }
        }
    }
}

/// Moves ordered positions apart to the distance that lines of text need, within the panel.
fn spread(ends: &mut [(usize, f64)]) {
    let mut least = TOP;
    for (_, place) in ends.iter_mut() {
        *place = place.max(least);
        least = *place + LEADING;
    }
    let mut most = BOTTOM;
    for (_, place) in ends.iter_mut().rev() {
        *place = place.min(most);
        most = *place - LEADING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_on_each_other() {
        let mut ends = vec![(0, BOTTOM - 2.0), (1, BOTTOM - 1.0), (2, BOTTOM)];
        spread(&mut ends);
        assert!(ends.windows(2).all(|pair| pair[1].1 - pair[0].1 >= LEADING), "{ends:?}");
        assert!(ends[2].1 <= BOTTOM);
    }

    #[test]
    fn an_interval_without_ends_is_not_drawn() {
        let point = |year, half: f64| LinePoint {
            year,
            value: 1.0,
            interval: Some([1.0 - half, 1.0 + half]),
            range: None,
        };
        let (x, y) = (Scale::new([1900.0, 1902.0], [0.0, 10.0]), Scale::new([0.0, 2.0], [10.0, 0.0]));
        let endless: Vec<LinePoint> = (1900..1903).map(|year| point(year, f64::INFINITY)).collect();
        assert_eq!(area(&endless, x, y, |p| p.interval), None);
        let finite: Vec<LinePoint> = (1900..1902).map(|year| point(year, 1.0)).collect();
        assert_eq!(area(&finite, x, y, |p| p.interval).unwrap(), "M0 0L5 0L5 10L0 10Z");
    }
}
