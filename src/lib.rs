//! `upheaval`: an engine for Diplomacy variants whose map changes during play, and the harness round it.
//!
//! A game from a variant's name and a seed, in which every power orders at random:
//!
//! ```
//! use upheaval::prelude::*;
//!
//! let mut game = Session::new("black-hole", 7)?.ending_in(1905);
//! let mut dice = Stream::keyed(7, Purpose::Bot, &[]);
//! while !game.is_over() {
//!     for power in game.awaited() {
//!         let choices = game.legal_orders(power);
//!         // Of more builds than the power has, the first count.
//!         game.set_orders(power, choices.iter().filter_map(|choice| dice.choose(&choice.orders)));
//!     }
//!     let turn = game.advance();
//!     for change in turn.map_changes {
//!         println!("{}: {change}", turn.phase); // S1901M: collapse SIL
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | play a game by orders as text | [`session`] |
//! | adjudicate positions given as JSON | [`adjudicate`] |
//! | change and measure the map itself | [`topology`] |
//! | write a bot | [`bot`] |
//! | make or read a rule set | [`rules::variant`] |
//! | import a board that exists already | `import` (feature `import`) |
//! | draw a board | `picture` (feature `picture`) |
//! | run experiments into tables, replay games, import games of people | `sim`, `record`, `game_record`, `archive` (feature `harness`) |
//! | standings, matches, balance | `analysis` (feature `analysis`) |
//! | play many games at once, for programs that learn | `env` (feature `env`) |
//! | pages of runs and games | `report`, `viewer` (feature `report`) |
//!
//! This crate is a façade: it has no code of its own and gathers the crates of the workspace under one name. All
//! features are on by default; without them it is the engine alone.
pub use upheaval_engine::rules::event;
pub use upheaval_engine::{
    adjudicate, ask, bot, diagnostic, game, ids, letters, play, prelude, reading, rng, rules, session,
    settle, topology,
};

#[cfg(feature = "analysis")]
pub use upheaval_analysis as analysis;
#[cfg(feature = "env")]
pub use upheaval_env as env;
#[cfg(feature = "harness")]
pub use upheaval_harness::{archive, branch, game_record, record, sim};
#[cfg(feature = "import")]
pub use upheaval_import as import;
#[cfg(feature = "picture")]
pub use upheaval_picture as picture;
#[cfg(feature = "report")]
pub use upheaval_report::{self as report, viewer};
