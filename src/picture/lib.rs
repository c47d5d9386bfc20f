//! The picture of a board, made from its planar map.
//!
//! [`Layout`] has the positions of everything: [`Layout::of`] for a first board, [`Layout::next`] for the board after
//! it, with as little movement as possible. [`svg::board`] draws it according to a [`Style`]: owners, units and their
//! orders, or a value for each province. This crate depends only on the topology; all other data are plain.

mod arrows;
mod canvas;
mod curve;
mod foam;
pub mod geometry;
mod layout;
mod mesh;
mod net;
pub mod palette;
mod pieces;
mod pull;
mod scar;
mod settle;
mod shore;
mod spot;
pub mod strip;
mod style;
pub mod svg;
mod view;

pub use crate::geometry::{Area, Point};
pub use layout::Layout;
pub use spot::{CoastSpot, Spot};
pub use style::{
    DrawnAct, DrawnOrder, DrawnOutcome, DrawnPlace, DrawnUnit, Footing, Heat, Highlight, Stand, Style, Timing,
};
pub use view::View;
