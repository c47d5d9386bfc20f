//! The rules of Diplomacy and of its variants whose map changes during play.
//!
//! [`rules`] sees only the tables of a board; [`game`] is the phase machine; [`bot`] defines the interface of
//! bots, and [`play`] lets bots play a game; [`adjudicate`] answers JSON requests. The map itself is in the
//! crate `upheaval-map`, whose modules are re-exported here.

pub use upheaval_map::{ids, letters, rng, tally, topology};

pub mod adjudicate;
pub mod ask;
pub mod bot;
pub mod diagnostic;
pub mod game;
pub mod play;
pub mod prelude;
pub mod reading;
pub mod rules;
pub mod session;
pub mod settle;
