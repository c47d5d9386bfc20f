//! The bots that ship in the form that tests use: those that search do as little as they can, because thousands of
//! games are played.

use upheaval::bot::BotKind;
use upheaval_bots::{KINDS, Search, SearchSettings};

/// The least search that compares anything.
const QUICK: SearchSettings =
    SearchSettings { rollouts: 8, other_stage_rollouts: 8, candidates: 4, years: 1, rounds: 1 };

/// The bot of this name, `search` with a minimal search.
pub fn kind(name: &str) -> BotKind {
    let kind = KINDS.into_iter().find(|kind| kind.name == name).unwrap_or_else(|| panic!("no bot {name}"));
    match name {
        "search" => BotKind { make: || Box::new(Search::new(QUICK)), ..kind },
        _ => kind,
    }
}
