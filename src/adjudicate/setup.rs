//! Setting a request's position up: the map after its events, units, owners, dislodged units, and what is drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::request::{PowerEntry, Request, RetreatEntry};
use super::{EventFault, RequestError};
use crate::ids::{Location, Power, ProvinceId, ProvinceSet, UnitKind};
use crate::rules::mechanism::Mechanism;
use crate::rules::mechanism::holes::{Closure, Foresight, Holes};
use crate::rules::nature::Given;
use crate::rules::notation::{PlacementError, WrittenUnit};
use crate::rules::position::{Dislodged, Phase, PhaseKind, Position, Unit};
use crate::rules::terrain::Terrain;
use crate::rules::variant::Variant;
use crate::rules::world::World;
use crate::topology::MapEvent;

/// The entries of a table by power, in the order of the powers.
pub(super) fn by_power<'a, T>(
    field: &'static str,
    entries: &'a BTreeMap<String, T>,
) -> Result<Vec<(Power, &'a T)>, RequestError> {
    entries
        .iter()
        .map(|(name, entry)| match name.parse::<Power>() {
            Ok(power) => Ok((power, entry)),
            Err(error) => Err(RequestError::Power { field, message: error.to_string() }),
        })
        .collect()
}

pub(super) fn terrain(request: &Request, variant: &Variant) -> Result<Arc<Terrain>, RequestError> {
    if request.map_events.is_empty() {
        return Ok(Arc::clone(&variant.terrain));
    }
    let mut chart = variant.terrain.chart().clone();
    for text in &request.map_events {
        let fault = |reason: EventFault| RequestError::Event {
            field: "map_events",
            event: text.clone(),
            reason: Box::new(reason),
        };
        let event: MapEvent = text.parse().map_err(|e| fault(EventFault::Text(e)))?;
        event.apply(&mut chart).map_err(|e| fault(EventFault::Surgery(e)))?;
    }
    Ok(Arc::new(Terrain::new(chart)))
}

pub(super) fn province(field: &str, name: &str, terrain: &Terrain) -> Result<ProvinceId, RequestError> {
    let unknown = || RequestError::Province { field: field.to_owned(), name: name.to_owned() };
    terrain.names().find(&name.to_ascii_uppercase()).ok_or_else(unknown)
}

pub(super) fn provinces(
    field: &str,
    names: &[String],
    terrain: &Terrain,
) -> Result<ProvinceSet, RequestError> {
    names.iter().map(|name| province(field, name, terrain)).collect()
}

pub(super) fn place_units(
    position: &mut Position,
    power: Power,
    entry: &PowerEntry,
    terrain: &Terrain,
) -> Result<(), RequestError> {
    for text in &entry.units {
        let (kind, at) = placed(text, terrain)
            .map_err(|e| RequestError::Unit { power: power.to_string(), reason: Box::new(e) })?;
        if position.occupied().contains(at.province) {
            return Err(RequestError::Crowded { power: power.to_string(), unit: text.clone() });
        }
        position.place(at.province, Unit { kind, power, coast: at.coast });
    }
    Ok(())
}

fn placed(text: &str, terrain: &Terrain) -> Result<(UnitKind, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, terrain.names())?;
    Ok((unit.kind, unit.placed(text, terrain.names(), terrain.board())?))
}

pub(super) fn give_centres(
    position: &mut Position,
    power: Power,
    entry: &PowerEntry,
    terrain: &Terrain,
) -> Result<(), RequestError> {
    let field = format!("powers.{power}.centers");
    for name in &entry.centers {
        let centre = province(&field, name, terrain)?;
        if !terrain.chart().info(centre).is_some_and(|info| info.supply_centre) {
            return Err(RequestError::Centre { field, name: name.clone() });
        }
        if !terrain.centres().contains(centre) {
            continue; // a hole took it: nobody owns it (RULINGS 3.1)
        }
        if position.owner(centre).is_some_and(|owner| owner != power) {
            return Err(RequestError::TwoOwners { field, name: name.clone() });
        }
        position.set_owner(centre, Some(power));
    }
    Ok(())
}

/// A unit that waits for its retreat.
pub(super) struct Waiting {
    pub dislodged: Dislodged,
    /// Which of several alike it is.
    pub ordinal: u8,
    /// Where alone it may go, if the request says so.
    pub options: Option<Vec<Location>>,
}

/// Reads an entry of `retreats`. Options, where they are listed, say all there is to say: the attacker's start has no
/// part in them any more.
pub(super) fn dislodged(
    power: Power,
    entry: &RetreatEntry,
    terrain: &Terrain,
) -> Result<Waiting, RequestError> {
    let fault = |message: String| RequestError::Retreat { power: power.to_string(), message };
    let (kind, at) = placed(&entry.unit, terrain).map_err(|e| fault(e.to_string()))?;
    let ordinal = WrittenUnit::parse(&entry.unit, terrain.names()).map_or(1, |unit| unit.ordinal);
    // Where it came from may be written with its coast.
    let find = |name: &String| {
        let code = name.split('/').next().unwrap_or(name);
        province("retreats", code, terrain).map_err(|e| fault(e.to_string()))
    };
    let options = entry
        .options
        .as_ref()
        .map(|options| {
            options
                .iter()
                .map(|place| {
                    placed(&format!("{kind} {place}"), terrain)
                        .map(|(_, at)| at)
                        .map_err(|e| fault(e.to_string()))
                })
                .collect::<Result<Vec<_>, _>>()
        })
        .transpose()?;
    let dislodged = Dislodged {
        unit: Unit { kind, power, coast: at.coast },
        at: at.province,
        attacker: entry.from.as_ref().map(find).transpose()?.filter(|_| options.is_none()),
        attacker_convoyed: entry.via_convoy,
    };
    Ok(Waiting { dislodged, ordinal, options })
}

/// The events that the request says are drawn. Holes that retreats know of are doomed from the start where the
/// movement, in which they were drawn, lies behind.
pub(super) fn nature(
    request: &Request,
    variant: &Variant,
    world: &mut World,
    phase: Phase,
) -> Result<Given, RequestError> {
    let mut given = Given::default();
    let holes = variant.mechanisms.iter().find_map(|mechanism| match mechanism {
        Mechanism::Holes(holes) => Some(holes),
        Mechanism::Exemption(_) => None,
    });
    for text in &request.nature {
        let fault = |reason: EventFault| RequestError::Event {
            field: "nature",
            event: text.clone(),
            reason: Box::new(reason),
        };
        let event: MapEvent = text.parse().map_err(|e| fault(EventFault::Text(e)))?;
        let holes = holes
            .filter(|holes| phase.kind != PhaseKind::Adjustments && holes.seasons.includes(phase.season));
        let Some(holes) = holes else { return Err(fault(EventFault::NotDrawn)) };
        let name = match (&event, holes.closure) {
            (MapEvent::Collapse(name), Closure::Collapse) | (MapEvent::Void(name), Closure::Void) => name,
            _ => return Err(fault(EventFault::NotDrawn)),
        };
        let hole = province("nature", name, &world.terrain)?;
        if !Holes::eligible(world).contains(hole) || given.holes.contains(&hole) {
            return Err(fault(EventFault::NotEligible));
        }
        if given.holes.len() == usize::from(holes.per_season) {
            return Err(fault(EventFault::TooMany(holes.per_season)));
        }
        given.holes.push(hole);
    }
    if phase.kind == PhaseKind::Retreats && holes.is_some_and(|holes| holes.retreats == Foresight::Foretold) {
        world.doomed = std::mem::take(&mut given.holes).into_iter().collect();
    }
    Ok(given)
}
