//! Whole games: the same seed gives the same game, the invariants hold after every phase, and a recorded game can be
//! played again.

mod boards;
mod choices;
mod conformance;
mod game_record;
mod golden;
mod kept;
mod maps;
mod parts;
mod promises;
mod refused;
mod replay;
mod stopped;
mod streams;
mod tune;
pub mod watch;
mod what_if;
