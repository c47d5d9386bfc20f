//! The units that must retreat (`retreats`): read from a request, and written for the next one.

use std::sync::Arc;

use super::RequestError;
use super::lookup::{by_power, province, sorted};
use super::memory::{ground_of, opened, time_aboard};
use super::request::{Request, RetreatEntry};
use crate::game::Game;
use crate::rules::game_state::GameState;
use crate::rules::map_tables::MapTables;
use crate::rules::notation::{PlacementError, WrittenUnit};
use crate::rules::position::{Cargo, Dislodged, Unit};
use crate::rules::retreat;
use crate::rules::rulebook::Rulebook;
use upheaval_map::ids::{CoastId, Designation, Location, Power};

/// A unit and its place, checked against the board.
pub(super) fn placed(text: &str, terrain: &MapTables) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, terrain.names())?;
    Ok((unit.kind, unit.placed(text, terrain.names(), terrain.board())?))
}

/// A unit that waits for its retreat.
struct Waiting {
    dislodged: Dislodged,
    /// Distinguishes several equal units.
    ordinal: u8,
    /// Where it could go if all places were free, for each possible reading of the position; `None` means as
    /// the board says.
    ways: Vec<Option<Vec<Location>>>,
    /// Where it can go, if the request says so.
    options: Option<Vec<Location>>,
}

/// Puts the dislodged units of a request into the world. All units are already in place, and contested and
/// doomed provinces are known.
pub(super) fn read(
    request: &Request,
    rulebook: &Rulebook,
    world: &mut GameState,
) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    let mut waiting = Vec::new();
    for (power, entry) in by_power("powers", &request.powers, terrain.power_names())? {
        for retreat in &entry.retreats {
            waiting.push(read_one(power, retreat, &terrain)?);
        }
    }
    sort(&mut waiting);
    for Waiting { dislodged, ways, options, .. } in waiting {
        let i = world.retreats.dislodged.len();
        world.retreats.dislodged.push(dislodged);
        let mut meant = ways.into_iter();
        let first = meant.next().flatten();
        let Some(options) = options else {
            world.retreats.ways.extend(first.map(|ways| (i, ways)));
            continue;
        };
        // The options decide. If the position alone gives the same options, the position is used: the unit
        // then also knows its ways to places that are closed now.
        let says_so = [first].into_iter().chain(meant).any(|ways| {
            world.retreats.ways.retain(|(unit, _)| *unit != i);
            world.retreats.ways.extend(ways.map(|ways| (i, ways)));
            let GameState { terrain, position, retreats, doomed, .. } = &*world;
            let mut open = retreat::options(terrain.board(), rulebook, position, retreats, i, doomed);
            open.sort_unstable();
            open == options
        });
        if !says_so {
            let (at, kind) = (dislodged.at, dislodged.unit.kind);
            let ground = opened(&terrain, at);
            let ground = ground.as_ref().unwrap_or(&terrain);
            let mut ways = retreat::ways_across(
                ground.board(),
                terrain.board(),
                at,
                kind,
                &coasts_to_leave(ground, dislodged),
            );
            ways.retain(|to| options.contains(to));
            world.retreats.dislodged[i].attacker = None;
            world.retreats.ways.retain(|(unit, _)| *unit != i);
            world.retreats.ways.push((i, ways));
        }
    }
    Ok(())
}

/// The coasts from which a unit with listed options can go: a fleet whose coast was divided may start from
/// any part of it.
fn coasts_to_leave(ground: &MapTables, Dislodged { unit, at, .. }: Dislodged) -> Vec<CoastId> {
    match unit.designation() {
        Designation::Army => vec![unit.coast],
        Designation::Fleet | Designation::ArmyFleet => {
            ground.board().stations_of(at).map(|part| part.coast).collect()
        }
    }
}

/// Sorted by province as in the movement phase; equal units by their numbers.
fn sort(waiting: &mut [Waiting]) {
    waiting.sort_by_key(|unit| unit.dislodged.at);
    let key = |unit: &Waiting| (unit.dislodged.at, unit.dislodged.unit);
    for i in 0..waiting.len() {
        let alike = (i + 1..waiting.len()).filter(|&j| key(&waiting[j]) == key(&waiting[i]));
        let least = alike.min_by_key(|&j| waiting[j].ordinal);
        if let Some(j) = least.filter(|&j| waiting[j].ordinal < waiting[i].ordinal) {
            waiting.swap(i, j);
        }
    }
}

/// Reads an entry of `retreats`. A unit dislodged from a province that is now a hole retreats as if the
/// province were open (rules.md 4.8).
fn read_one(power: Power, entry: &RetreatEntry, terrain: &Arc<MapTables>) -> Result<Waiting, RequestError> {
    let fault = |message: String| RequestError::Retreat {
        power: terrain.power_names().name(power).to_owned(),
        message,
    };
    let ground = ground_of(&entry.unit, terrain);
    let (kind, at) = placed(&entry.unit, &ground).map_err(|e| fault(e.to_string()))?;
    let ordinal = WrittenUnit::parse(&entry.unit, ground.names()).map_or(1, |unit| unit.ordinal);
    // The origin of the attacker may be written with its coast.
    let find = |name: &String| {
        let code = name.split('/').next().unwrap_or(name);
        province("retreats", code, terrain).map_err(|e| fault(e.to_string()))
    };
    let listed = |options: &Vec<String>| -> Result<Vec<Location>, RequestError> {
        let place = |place| placed(&format!("{kind} {place}"), terrain).map_err(|e| fault(e.to_string()));
        let mut options: Vec<Location> =
            options.iter().map(|option| Ok(place(option)?.1)).collect::<Result<_, RequestError>>()?;
        options.sort_unstable();
        options.dedup();
        Ok(options)
    };
    let mut unit = Unit::new(kind, power, at.coast);
    if let Some(seasons) = entry.seasons_aboard {
        if !unit.is_laden() {
            return Err(fault(format!("`{}` has no army aboard", entry.unit)));
        }
        unit.cargo = Cargo::Army { seasons };
    }
    let dislodged = Dislodged {
        unit,
        at: at.province,
        attacker: entry.from.as_ref().map(find).transpose()?,
        attacker_convoyed: entry.via_convoy,
    };
    let across = |coasts: &[CoastId]| {
        retreat::ways_across(ground.board(), terrain.board(), at.province, kind.kind(), coasts)
    };
    let by_its_coast = match Arc::ptr_eq(&ground, terrain) {
        true => None,
        false => Some(across(&[at.coast])),
    };
    let by_all_coasts = across(&coasts_to_leave(&ground, dislodged));
    Ok(Waiting {
        dislodged,
        ordinal,
        ways: vec![by_its_coast, Some(by_all_coasts)],
        options: entry.options.as_ref().map(listed).transpose()?,
    })
}

/// The units of a power that wait for their retreats, in the form of a request.
pub(super) fn write(game: &Game, power: Power) -> Vec<RetreatEntry> {
    let terrain = game.terrain();
    let mut written: Vec<RetreatEntry> = Vec::new();
    for (i, dislodged) in game.dislodged().dislodged.iter().enumerate() {
        let Dislodged { unit, at, attacker, attacker_convoyed } = *dislodged;
        if unit.power != power {
            continue;
        }
        let ground = opened(terrain, at);
        let names = ground.as_ref().unwrap_or(terrain).names();
        let text = names.unit(Location { province: at, coast: unit.coast }, unit.designation()).to_string();
        let ordinal = game.dislodged().ordinal(i);
        let options = game.retreat_options(i);
        let names = terrain.names();
        written.push(RetreatEntry {
            unit: if ordinal > 1 { format!("{text}#{ordinal}") } else { text },
            from: attacker.map(|from| names.province(from).to_owned()),
            via_convoy: attacker_convoyed,
            options: Some(sorted(options.iter().map(|&to| names.location(to, unit.kind).to_string()))),
            seasons_aboard: time_aboard(game.variant(), unit),
        });
    }
    written
}
