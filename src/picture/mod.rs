//! The picture of a board, made from its planar map.
//!
//! [`Layout`] says where everything is: [`Layout::of`] for a first board, [`Layout::next`] for the one after it, which
//! moves as little as it can. [`svg::board`] draws it as a [`Style`] says: who owns what, which units stand where, or
//! a value for each province. Stands on the topology alone; owners and units come as plain data.

mod canvas;
mod foam;
mod follow;
pub mod geometry;
mod layout;
mod mesh;
mod net;
pub mod palette;
mod scar;
mod settle;
mod style;
pub mod svg;

pub use geometry::Point;
pub use layout::{CoastSpot, Layout, Spot};
pub use style::{Heat, Piece, Style};
