//! `upheaval`: an engine for Diplomacy variants whose map changes during play, and the harness round it.
//!
//! Imports go one way: [`ids`], [`rng`] → [`topology`] → [`rules`] → [`game`], [`bot`] → [`sim`], [`record`]
//! → [`analysis`]; [`replay`] stands on [`game`] alone, [`picture`] on [`topology`]. `ARCHITECTURE.md` draws the rooms.

pub mod adjudicate;
pub mod analysis;
pub mod bot;
pub mod chronicle;
pub mod diagnostic;
pub mod game;
pub mod ids;
pub mod picture;
pub mod record;
pub mod replay;
pub mod report;
pub mod rng;
pub mod rules;
pub mod sim;
pub mod topology;
pub mod viewer;
