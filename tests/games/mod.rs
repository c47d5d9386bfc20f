//! Whole games: the same seed gives the same game, whatever must hold does after every phase, and a game that is written
//! down is played again.

mod boards;
mod choices;
mod conformance;
mod game_record;
mod golden;
mod kept;
mod parts;
mod promises;
mod refused;
mod replay;
mod stopped;
mod store;
mod streams;
mod tune;
mod watch;
mod what_if;
