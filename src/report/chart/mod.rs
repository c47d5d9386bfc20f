//! Charts as SVG. A figure consists of panels no wider than a phone; a page places them side by side where it has room.

pub mod board;
pub mod heat;
pub mod intervals;
pub mod lines;
pub mod panel;
pub mod scale;

pub use board::{BoardMap, Cell};
pub use heat::{HeatCell, HeatPanel};
pub use intervals::{IntervalPanel, IntervalRow};
pub use lines::{LinePanel, LinePoint, LineSeries};
pub use panel::{Figure, FigureTable, Panel};
