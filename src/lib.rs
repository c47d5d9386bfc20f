//! `upheaval`: an engine for Diplomacy variants whose map changes during play, and the harness round it.
//!
//! This crate is a façade: it has no code of its own and gathers the crates of the workspace under one name.
//! `ARCHITECTURE.md` draws them.

pub use upheaval_engine::{
    adjudicate, bot, diagnostic, game, ids, play, prelude, reading, rng, rules, session, settle, topology,
};

#[cfg(feature = "analysis")]
pub use upheaval_analysis as analysis;
#[cfg(feature = "harness")]
pub use upheaval_harness::{chronicle, record, sim};
#[cfg(feature = "picture")]
pub use upheaval_picture as picture;
#[cfg(feature = "report")]
pub use upheaval_report::{self as report, viewer};
