//! Values over two parameters, as a grid of coloured cells with numbers in them.

use maud::html;

use crate::chart::{Anchor, Panel, exact, fitted, heading, note, px, text_width};
use crate::palette::{on_ramp, ramp, step};

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeatCell {
    /// The description of the cell, for its tooltip and for screen readers.
    pub name: String,
    /// The value that the colour represents.
    pub value: f64,
    /// The value as it is written.
    pub words: String,
    /// The text below the value.
    pub mark: String,
}

/// A grid of cells: rows from top to bottom, columns from left to right.
#[derive(Clone, Debug)]
pub(crate) struct HeatPanel<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The unit.
    pub unit: &'a str,
    /// The name of the row parameter, and the names of the rows.
    pub rows: (&'a str, &'a [String]),
    /// The name of the column parameter, and the names of the columns.
    pub columns: (&'a str, &'a [String]),
    /// The cells, row by row; `None` where there is none.
    pub cells: &'a [Vec<Option<HeatCell>>],
}

const TOP: f64 = 66.0;
const HIGH: f64 = 34.0;
const WIDE: f64 = 64.0;
/// Room for the names of rows, at most.
const NAMES: f64 = 110.0;

impl HeatPanel<'_> {
    /// Draws it.
    pub(crate) fn draw(&self) -> Panel {
        let (rows, columns) = (self.rows.1, self.columns.1);
        let named = rows.iter().map(String::as_str).chain([self.rows.0]);
        let left = named.map(|name| text_width(name, 11.0)).fold(0.0, f64::max).min(NAMES) + 8.0;
        let width = (left + WIDE * columns.len() as f64 + 2.0).max(crate::chart::WIDTH);
        let height = TOP + HIGH * rows.len() as f64 + 4.0;
        let values = || self.cells.iter().flatten().flatten().map(|heat| heat.value);
        let most = values().fold(0.0, f64::max);
        let tone = |value: f64| if most > 0.0 { step(value / most) } else { 0 };
        let body = html! {
            (heading(self.title, width))
            (note(0.0, 29.0, Anchor::Start, self.unit))
            (note(left, 45.0, Anchor::Start, &fitted(self.columns.0, 11.0, width - left)))
            (note(0.0, 60.0, Anchor::Start, &fitted(self.rows.0, 11.0, left)))
            @for (i, name) in columns.iter().enumerate() {
                @let x = left + WIDE * (i as f64 + 0.5);
                text.label x=(px(x)) y="60" text-anchor="middle" font-size="11" fill="#222222" { (fitted(name, 11.0, WIDE - 2.0)) }
            }
            @for (i, (name, row)) in rows.iter().zip(self.cells).enumerate() {
                @let y = TOP + HIGH * i as f64;
                text.label x=(px(left - 8.0)) y=(px(y + HIGH / 2.0 + 4.0)) text-anchor="end" font-size="11" fill="#222222" {
                    (fitted(name, 11.0, NAMES))
                }
                @for (j, heat) in row.iter().enumerate() {
                    @let x = left + WIDE * j as f64;
                    @if let Some(heat) = heat {
                        @let tone = tone(heat.value);
                        g.mark data-series=(heat.name) data-value=(exact(heat.value)) {
                            title { (heat.name) ": " (heat.words) " " (heat.mark) }
                            rect x=(px(x)) y=(px(y)) width=(px(WIDE - 2.0)) height=(px(HIGH - 2.0)) fill=(ramp(tone))
                                stroke="#8a8f98" stroke-width="0.5" {}
                            text x=(px(x + WIDE / 2.0 - 1.0)) y=(px(y + 14.0)) text-anchor="middle" font-size="11"
                                fill=(on_ramp(tone)) { (heat.words) }
                            text x=(px(x + WIDE / 2.0 - 1.0)) y=(px(y + 27.0)) text-anchor="middle" font-size="11"
                                fill=(on_ramp(tone)) { (heat.mark) }
                        }
                    } @else {
                        rect x=(px(x)) y=(px(y)) width=(px(WIDE - 2.0)) height=(px(HIGH - 2.0)) fill="none" stroke="#8a8f98"
                            stroke-width="0.5" stroke-dasharray="3 3" {}
                    }
                }
            }
        };
        let label = format!("{}, {}, by {} and {}", self.title, self.unit, self.rows.0, self.columns.0);
        Panel { label, width, height, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_value_is_the_darkest_and_what_is_not_there_is_blank() {
        let heat = |value: f64| {
            Some(HeatCell { name: "x".to_owned(), value, words: format!("{value:.2}"), mark: "a".to_owned() })
        };
        let [rows, columns] = [["1", "2"], ["collapse", "void"]].map(|names| names.map(str::to_owned));
        let cells = [vec![heat(0.0), heat(0.5)], vec![None, heat(1.0)]];
        let panel = HeatPanel {
            title: "t",
            unit: "u",
            rows: ("holes", &rows),
            columns: ("closure", &columns),
            cells: &cells,
        };
        let svg = panel.draw().body.into_string();
        assert!(svg.contains(ramp(crate::palette::STEPS - 1)) && svg.contains(ramp(0)), "{svg}");
        assert_eq!((svg.matches("<rect").count(), svg.matches("stroke-dasharray").count()), (4, 1));
    }
}
