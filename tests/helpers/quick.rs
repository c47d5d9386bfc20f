//! The bots that ship as tests play them: those that think ahead do so as little as they can, for thousands of games
//! are played.

use upheaval::bot::BotKind;
use upheaval_bots::{KINDS, Search, SearchSettings};

/// The least with which `search` compares anything.
const QUICK: SearchSettings = SearchSettings { rollouts: 8, asides: 8, candidates: 4, years: 1 };

/// The bot of this name, `search` with little to search.
pub fn kind(name: &str) -> BotKind {
    let kind = KINDS.into_iter().find(|kind| kind.name == name).unwrap_or_else(|| panic!("no bot {name}"));
    match name {
        "search" => BotKind { make: || Box::new(Search::new(QUICK)), ..kind },
        _ => kind,
    }
}
