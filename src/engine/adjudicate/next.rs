//! The next step after a phase: the next request, without orders, or the ending of the game.

use std::collections::BTreeMap;

use super::answer::EndingReport;
use super::json::Id;
use super::request::{Chance, Happened, PowerHoldings, Request};
use super::setup::LAST_YEAR;
use super::{lookup, memory, retreats};
use crate::game::{Ending, Game, Stage};
use upheaval_map::ids::Power;

/// The request for the phase that the game waits for. `happened` are the map events of the phase of `asked`,
/// `nature` the draws still to be made.
pub(super) fn request(asked: &Request, game: &Game, happened: Vec<Happened>, nature: Chance) -> Request {
    let map_events = asked.map_events.iter().cloned().chain(happened).collect();
    Request {
        id: asked.id.clone(),
        variant: asked.variant.clone(),
        rulebook: asked.rulebook.clone(),
        parameters: asked.parameters.clone(),
        last_year: asked.last_year,
        ..Request::of(game, map_events, nature)
    }
}

impl Request {
    /// The state of a game as text, after these map events and with these draws to come. The game must wait for orders
    /// other than choices of coasts.
    pub(crate) fn of(game: &Game, map_events: Vec<Happened>, nature: Chance) -> Request {
        let contested = match game.stage() {
            Stage::Retreats => lookup::names(game.dislodged().contested, game.terrain()),
            _ => Vec::new(),
        };
        Request {
            id: Id::default(),
            variant: game.variant().id.clone(),
            rulebook: None,
            parameters: BTreeMap::new(),
            last_year: Some(game.last_year().max(game.phase().year)).filter(|&year| year < LAST_YEAR),
            phase: game.phase().to_string(),
            map_events,
            nature,
            state: memory::write(game),
            powers: powers(game),
            contested,
            orders: None,
        }
    }
}

/// The entries of all powers that have any units, centres or retreats.
fn powers(game: &Game) -> BTreeMap<String, PowerHoldings> {
    let world = game.world();
    let (mut units, mut centres) = (world.written_units(), world.written_centres());
    let mut entry = |power: Power| {
        let name = game.power_names().name(power);
        let entry = PowerHoldings {
            units: units.remove(name).unwrap_or_default(),
            centers: centres.remove(name).unwrap_or_default(),
            retreats: match game.stage() {
                Stage::Retreats => retreats::write(game, power),
                _ => Vec::new(),
            },
        };
        (name.to_owned(), entry)
    };
    let has_any = |entry: &PowerHoldings| {
        !(entry.units.is_empty() && entry.centers.is_empty() && entry.retreats.is_empty())
    };
    game.powers().iter().map(&mut entry).filter(|(_, entry)| has_any(entry)).collect()
}

/// How a finished game ended.
pub(super) fn ending(game: &Game) -> Option<EndingReport> {
    let names = game.power_names();
    let name = |&power: &Power| names.name(power).to_owned();
    let (winner, draw) = match game.ending()? {
        Ending::Solo(winner) => (Some(name(winner)), None),
        Ending::Draw(powers) => (None, Some(powers.iter().map(name).collect())),
    };
    Some(EndingReport { winner, draw, places: names.by_name(game.places().into_iter()) })
}
