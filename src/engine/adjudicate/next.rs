//! What comes after a phase: the next request, without orders, or how the game ended.

use std::collections::BTreeMap;

use super::answer::EndingReport;
use super::request::{Chance, Happened, PowerEntry, Request};
use super::{lookup, memory, retreats};
use crate::game::{Ending, Game, Stage};
use upheaval_map::ids::Power;

/// The request for the phase that the game waits for. `happened` is what the phase of `asked` did to the map, `nature`
/// what is still to be drawn.
pub(super) fn request(asked: &Request, game: &Game, happened: Vec<Happened>, nature: Chance) -> Request {
    let map_events = asked.map_events.iter().cloned().chain(happened).collect();
    let contested = match game.stage() {
        Stage::Retreats => lookup::names(game.dislodged().contested, game.terrain()),
        _ => Vec::new(),
    };
    Request {
        id: asked.id.clone(),
        variant: asked.variant.clone(),
        rulebook: asked.rulebook.clone(),
        parameters: asked.parameters.clone(),
        last_year: asked.last_year,
        phase: game.phase().to_string(),
        map_events,
        nature,
        state: memory::write(game),
        powers: powers(game),
        contested,
        orders: BTreeMap::new(),
    }
}

/// What every power has that has anything.
fn powers(game: &Game) -> BTreeMap<String, PowerEntry> {
    let world = game.world();
    let (mut units, mut centres) = (world.written_units(), world.written_centres());
    let mut entry = |power: Power| PowerEntry {
        units: units.remove(&power).unwrap_or_default(),
        centers: centres.remove(&power).unwrap_or_default(),
        retreats: match game.stage() {
            Stage::Retreats => retreats::write(game, power),
            _ => Vec::new(),
        },
    };
    let has_any = |entry: &PowerEntry| {
        !(entry.units.is_empty() && entry.centers.is_empty() && entry.retreats.is_empty())
    };
    let entries = game.powers().iter().map(|power| (power.to_string(), entry(power)));
    entries.filter(|(_, entry)| has_any(entry)).collect()
}

/// How a game that is over ended.
pub(super) fn ending(game: &Game) -> Option<EndingReport> {
    let (winner, draw) = match game.ending()? {
        Ending::Solo(winner) => (Some(*winner), None),
        Ending::Draw(powers) => (None, Some(powers.clone())),
    };
    Some(EndingReport { winner, draw, places: game.places().iter().map(|(p, &place)| (p, place)).collect() })
}
