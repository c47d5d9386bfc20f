//! The bots of this crate as tests play them: those that think ahead do so as little as they can, for thousands of games
//! are played.
use upheaval::bot::BotKind;
use upheaval_bots::{KINDS, Search, SearchSettings};

/// The least with which `search` compares anything.
pub const QUICK: SearchSettings = SearchSettings { rollouts: 8, candidates: 4, years: 1 };

/// The kind of this name.
pub fn kind(name: &str) -> Option<BotKind> {
    let kind = KINDS.into_iter().find(|kind| kind.name == name)?;
    Some(match name {
        "search" => BotKind { make: || Box::new(Search::new(QUICK)), ..kind },
        _ => kind,
    })
}
