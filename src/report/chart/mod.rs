//! Charts as SVG. A figure consists of panels no wider than a phone; a page places them side by side where it has room.
//!
//! A report must be readable without scripts, on dark pages and on paper, and tests compare each mark with the data.
//! The charts are therefore the project's own: the marks of `plotters` and `kuva` have neither classes nor values and
//! do not adapt to a dark page, and `charming` needs scripts.

pub(crate) mod board;
pub(crate) mod heat;
pub(crate) mod intervals;
pub(crate) mod lines;
pub mod panel;
pub(crate) mod scale;

pub(crate) use board::{BoardMap, Cell};
pub(crate) use heat::{HeatCell, HeatPanel};
pub(crate) use intervals::{IntervalPanel, IntervalRow};
pub(crate) use lines::{LinePanel, LinePoint, LineSeries};
pub(crate) use panel::{Figure, FigureTable, Panel};
