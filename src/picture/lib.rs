//! The picture of a board, made from its planar map.
//!
//! [`Layout`] says where everything is: [`Layout::of`] for a first board, [`Layout::next`] for the one after it, which
//! moves as little as it can. [`svg::board`] draws it as a [`Style`] says: who owns what, which units stand where and
//! what they are ordered, or a value for each province. Stands on the topology alone; all else comes as plain data.

mod arrows;
mod canvas;
mod contract;
mod curve;
mod foam;
mod follow;
pub mod geometry;
mod halfway;
mod layout;
mod mesh;
mod net;
pub mod palette;
mod pieces;
mod pull;
mod scar;
mod settle;
mod spot;
pub mod strip;
mod style;
pub mod svg;
mod view;

pub use geometry::Point;
pub use layout::Layout;
pub use spot::{CoastSpot, Spot};
pub use style::{Act, DrawnOrder, Footing, Heat, Highlight, Outcome, Piece, Place, Stand, Style, Timing};
pub use view::View;
