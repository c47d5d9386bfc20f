//! Charts as SVG. A figure consists of panels no wider than a phone; a page places them side by side where it has room.

pub mod board;
pub mod heat;
pub mod intervals;
pub mod lines;
pub mod panel;
pub mod scale;

pub use board::{BoardMap, Cell};
pub use heat::{Heat, HeatPanel};
pub use intervals::{IntervalPanel, Row};
pub use lines::{LinePanel, Point, Series};
pub use panel::{Figure, Panel, Table};
