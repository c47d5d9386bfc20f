//! Charts as SVG. A figure consists of panels no wider than a phone; a page places them side by side where it has room.
//!
//! A report must be readable without scripts, on dark pages and on paper, and tests compare each mark with the data.
//! The charts are therefore the project's own: the marks of `plotters` and `kuva` have neither classes nor values and
//! do not adapt to a dark page, and `charming` needs scripts.

use maud::{Markup, html};

use crate::chart::scale::Scale;
use crate::words::{number, written};

pub(crate) use board::{BoardMap, Cell};
pub(crate) use heat::{HeatCell, HeatPanel};
pub(crate) use intervals::{AxisLimits, IntervalPanel, IntervalRow};
pub(crate) use lines::{LinePanel, LinePoint, LineSeries, panels_of};

pub(crate) mod board;
pub(crate) mod heat;
pub(crate) mod intervals;
pub(crate) mod lines;
pub(crate) mod scale;

// Figures and their panels.

/// The width of a panel, in pixels of an unzoomed page.
pub(crate) const WIDTH: f64 = 290.0;

/// The font of figures, which a separate file must name itself.
const FONT: &str = "system-ui, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";

/// A drawing with one pair of axes, or one board.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its description for screen readers.
    pub label: String,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its content.
    pub body: Markup,
}

/// The numbers of a figure as rows of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FigureTable {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows; the first word is the row's name.
    pub rows: Vec<Vec<String>>,
}

impl FigureTable {
    /// A table with these columns and no rows yet.
    pub(crate) fn new<T: Into<String>>(head: impl IntoIterator<Item = T>) -> FigureTable {
        FigureTable { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// The table with further columns.
    pub(crate) fn and<T: Into<String>>(mut self, head: impl IntoIterator<Item = T>) -> FigureTable {
        self.head.extend(head.into_iter().map(Into::into));
        self
    }
}

/// A figure with its caption and its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its name in links and files.
    pub id: String,
    /// What it shows, in a few words.
    pub title: String,
    /// An explanation of how to read it.
    pub caption: String,
    /// Its panels.
    pub panels: Vec<Panel>,
    /// The same as a table.
    pub table: FigureTable,
}

impl Panel {
    /// The panel as an SVG element of a page, with its numbers in the element `numbers`, which `summary` refers to.
    pub(crate) fn svg(&self, [numbers, summary]: [&str; 2]) -> Markup {
        html! {
            svg viewBox=(format!("0 0 {} {}", px(self.width), px(self.height))) width=(px(self.width)) height=(px(self.height))
                role="img" aria-label=(self.label) aria-describedby=(summary) aria-details=(numbers) font-family=(FONT) { (self.body) }
        }
    }
}

/// The gap between panels of a file.
const GAP: f64 = 16.0;

impl Figure {
    /// The figure as a separate file, with its panels in at most this many columns.
    pub fn file(&self, columns: usize) -> String {
        let columns = columns.clamp(1, self.panels.len().max(1));
        let (mut places, mut y, mut width): (Vec<(f64, f64)>, f64, f64) = (Vec::new(), 0.0, 0.0);
        for row in self.panels.chunks(columns) {
            let mut x = 0.0;
            for panel in row {
                places.push((x, y));
                width = width.max(x + panel.width);
                x += panel.width + GAP;
            }
            y += row.iter().map(|panel| panel.height).fold(0.0, f64::max) + GAP;
        }
        let height = (y - GAP).max(0.0);
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", px(width), px(height)))
                width=(px(width)) height=(px(height)) role="img" aria-labelledby="title" aria-describedby="desc"
                font-family=(FONT) {
                title id="title" { (self.title) }
                desc id="desc" { (self.caption) }
                rect width="100%" height="100%" fill="#ffffff" {}
                @for (panel, (x, y)) in self.panels.iter().zip(&places) {
                    g transform=(format!("translate({} {})", px(*x), px(*y))) { (panel.body) }
                }
            }
        };
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", written(svg))
    }
}

/// A length or coordinate in pixels.
pub(crate) fn px(value: f64) -> String {
    number(value, 1)
}

/// A value as attributes of marks contain it.
pub(crate) fn exact(value: f64) -> String {
    number(value, 6)
}

/// The maximum width of a text in a font of this size: in the widest font that a page may be shown in (DejaVu Sans).
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | ' ' | '(' | ')' | '-' => 0.39,
        'm' | 'M' | 'W' | 'w' | '%' => 0.98,
        c if c.is_uppercase() => 0.74,
        _ => 0.64,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// A text whose beginning is cut off if it would be longer than the available width: names of arms differ at their
/// ends. The remaining text starts with a whole word, if there is room for one.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    // Preferably before a part, which follows a point or space and begins with a letter; else before a word, which
    // follows any mark that joins words, except points within numbers; else anywhere.
    let cuts: [fn(&str, &str) -> bool; 3] = [
        |front, rest| front.ends_with(['.', ' ']) && rest.starts_with(char::is_alphabetic),
        |front, rest| front.ends_with(['_', '-', ' ']) && rest.starts_with(char::is_alphanumeric),
        |_, _| true,
    ];
    let starts = || text.char_indices().map(|(i, _)| i).skip(1);
    let fits = |i: &usize| text_width(&text[*i..], size) + size <= room;
    let cut = cuts.iter().find_map(|falls| starts().filter(|&i| falls(&text[..i], &text[i..])).find(fits));
    cut.map_or("…".to_owned(), |i| format!("…{}", &text[i..]))
}

upheaval_map::named! {
    /// The alignment of text relative to its position.
    pub(crate) enum Anchor {
        Start = "start",
        Middle = "middle",
        End = "end",
    }
}

/// A text in a muted colour: ticks, units, notes.
pub(crate) fn note(x: f64, y: f64, anchor: Anchor, text: &str) -> Markup {
    html! { text.note x=(px(x)) y=(px(y)) text-anchor=(anchor.name()) font-size="11" fill="#5f6368" { (text) } }
}

/// The heading of a panel.
pub(crate) fn heading(text: &str, room: f64) -> Markup {
    html! { text.heading x="0" y="13" font-size="12.5" font-weight="600" fill="#222222" { (fitted(text, 12.5, room)) } }
}

/// A straight line of the frame.
pub(crate) fn rule(class: &str, from: (f64, f64), to: (f64, f64)) -> Markup {
    let colour = if class == "axis" { "#8a8f98" } else { "#e6e6e3" };
    html! {
        line class=(class) x1=(px(from.0)) y1=(px(from.1)) x2=(px(to.0)) y2=(px(to.1)) stroke=(colour) stroke-width="1" {}
    }
}

/// The ticks of the horizontal axis: grid lines across the panel if asked for, and numbers below.
pub(crate) fn marked_below(
    x: Scale,
    y: [f64; 2],
    ticks: &[f64],
    grid: bool,
    text: impl Fn(f64) -> String,
) -> Markup {
    let [bottom, top] = y;
    html! {
        @for &tick in ticks {
            @if grid { (rule("grid", (x.at(tick), bottom), (x.at(tick), top))) }
            (note(x.at(tick), bottom + 15.0, Anchor::Middle, &text(tick)))
        }
    }
}

/// The ticks of the vertical axis: grid lines across the panel and numbers on the left.
pub(crate) fn marked_left(y: Scale, x: [f64; 2], ticks: &[f64], text: impl Fn(f64) -> String) -> Markup {
    html! {
        @for &tick in ticks {
            (rule("grid", (x[0], y.at(tick)), (x[1], y.at(tick))))
            (note(x[0] - 6.0, y.at(tick) + 4.0, Anchor::End, &text(tick)))
        }
    }
}

#[cfg(test)]
mod panel_tests {
    use super::*;

    #[test]
    fn names_are_cut_at_words() {
        let cut = |text: &str, room: f64| fitted(text, 11.0, room);
        assert_eq!(cut("standard", 110.0), "standard");
        assert_eq!(cut("black-hole.per_season-1", 110.0), "…per_season-1");
        assert_eq!(cut("black-hole.per_season-1, line-up 1", 110.0), "…line-up 1");
        assert_eq!(cut("black-hole.per_season-1", 80.0), "…season-1");
        assert_eq!(cut("a_variant.rate-0.25", 50.0), "…0.25");
        assert_eq!(cut("averyveryverylongvariant", 60.0), "…variant");
        assert_eq!(cut("variant", 5.0), "…");
    }
}
