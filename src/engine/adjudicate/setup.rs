//! Setting a request's position up: the map after its events, units, owners, dislodged units, and what is drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::request::{PowerEntry, Request, RetreatEntry};
use super::{EventFault, RequestError, waterways};
use crate::rules::mechanism::exemption::{Changing, Lapse};
use crate::rules::mechanism::holes::Foresight;
use crate::rules::mechanism::seismic::Waterways;
use crate::rules::mechanism::{Closure, Mechanism};
use crate::rules::nature::{Draw, Given};
use crate::rules::notation::{PlacementError, WrittenUnit};
use crate::rules::position::{Cargo, Dislodged, Phase, PhaseKind, Position, Unit};
use crate::rules::retreat;
use crate::rules::rulebook::ArmyFleets;
use crate::rules::terrain::Terrain;
use crate::rules::variant::Variant;
use crate::rules::world::{Swallowed, World};
use upheaval_map::ids::{CoastId, Designation, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{BorderId, Chart, CoastFate, MapEvent, SurgeryError};

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

/// The ground before the phase: after the events of the request, and with the centres that have come into being by
/// then.
pub(super) fn terrain(
    request: &Request,
    variant: &Variant,
    phase: Phase,
) -> Result<Arc<Terrain>, RequestError> {
    let founded = variant.deluge().map_or(ProvinceSet::EMPTY, |deluge| deluge.founded_before(phase.year));
    let listed = request.state.waterways.as_ref().filter(|_| has_isthmuses(variant));
    if request.map_events.is_empty() && founded.is_empty() && listed.is_none() {
        return Ok(Arc::clone(&variant.terrain));
    }
    let mut chart = variant.terrain.chart().clone();
    founded.iter().for_each(|centre| chart.found_centre(centre));
    for text in &request.map_events {
        let fault = |reason: EventFault| RequestError::Event {
            field: "map_events",
            event: text.clone(),
            reason: Box::new(reason),
        };
        let event: MapEvent = text.parse().map_err(|e| fault(EventFault::Text(e)))?;
        event.apply(&mut chart).map_err(|e| fault(EventFault::Surgery(e)))?;
    }
    if let Some(listed) = listed {
        let laid = waterways::read(listed, &chart).map_err(|message| RequestError::Waterways { message })?;
        chart.set_waterways(laid);
    }
    Ok(Arc::new(Terrain::new(chart)))
}

fn has_isthmuses(variant: &Variant) -> bool {
    variant.seismic().is_some_and(|seismic| seismic.waterways == Waterways::Isthmuses)
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
        position.place(at.province, Unit::new(kind, power, at.coast));
    }
    Ok(())
}

fn placed(text: &str, terrain: &Terrain) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, terrain.names())?;
    Ok((unit.kind, unit.placed(text, terrain.names(), terrain.board())?))
}

/// What was a centre and has sunk.
pub(super) fn sunken_centres(variant: &Variant, phase: Phase, terrain: &Terrain) -> ProvinceSet {
    let founded = variant.deluge().map_or(ProvinceSet::EMPTY, |deluge| deluge.founded_before(phase.year));
    (*variant.terrain.centres() | founded) & *terrain.board().sea()
}

/// Gives a power its centres. One that is a hole now it owned last; one that has sunk is nobody's.
pub(super) fn give_centres(
    world: &mut World,
    power: Power,
    entry: &PowerEntry,
    sunken: &ProvinceSet,
) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    let field = format!("powers.{power}.centers");
    for name in &entry.centers {
        let centre = province(&field, name, &terrain)?;
        if sunken.contains(centre) {
            continue;
        }
        if !terrain.chart().info(centre).is_some_and(|info| info.supply_centre) {
            return Err(RequestError::Centre { field, name: name.clone() });
        }
        let is_hole = !terrain.centres().contains(centre);
        let owner = if is_hole { world.last_owner[centre] } else { world.position.owner(centre) };
        if owner.is_some_and(|owner| owner != power) {
            return Err(RequestError::TwoOwners { field, name: name.clone() });
        }
        if is_hole {
            world.last_owner[centre] = Some(power); // nobody owns it now (rules.md 3.1)
        } else {
            world.position.set_owner(centre, Some(power));
        }
    }
    Ok(())
}

/// Of the home centres that are holes and that nobody is said to have owned, the home power was the last owner.
pub(super) fn give_lost_homes(world: &mut World) {
    let terrain = Arc::clone(&world.terrain);
    for hole in terrain.chart().map().holes() {
        let home = terrain.chart().info(hole).filter(|info| info.supply_centre).and_then(|info| info.home);
        world.last_owner[hole] = world.last_owner[hole].or(home);
    }
}

/// The ground on which the unit of this text stands: as it is, or, where its province is a hole, as it would be were
/// that open still.
fn ground_of(text: &str, terrain: &Arc<Terrain>) -> Arc<Terrain> {
    let word = text.split_whitespace().nth(1).unwrap_or("");
    let code = word.split(['/', '#']).next().unwrap_or("").to_ascii_uppercase();
    let mut chart = terrain.chart().clone();
    match chart.map().find(&code).map(|id| chart.restore(id)) {
        Some(Ok(())) => Arc::new(Terrain::new(chart)),
        _ => Arc::clone(terrain),
    }
}

/// Armies aboard: only where the variant has them, and for how long, where it limits that.
pub(super) fn seasons_aboard(
    request: &Request,
    variant: &Variant,
    world: &mut World,
) -> Result<(), RequestError> {
    let ArmyFleets::Yes { max_seasons_aboard: most } = variant.rulebook.army_fleets else {
        return match world.army_fleets().next() {
            Some((_, Unit { power, .. })) => {
                Err(RequestError::NoArmyFleets { power, variant: variant.id.clone() })
            }
            None => Ok(()),
        };
    };
    if most.is_none() && !request.state.seasons_aboard.is_empty() {
        return Err(RequestError::State { key: "seasons_aboard", variant: variant.id.clone() });
    }
    for (name, &seasons) in &request.state.seasons_aboard {
        let at = province("state.seasons_aboard", name, &world.terrain)?;
        let cargo = Cargo::Army { seasons };
        let waiting = world.retreats.dislodged.iter_mut().find(|unit| unit.at == at && unit.unit.is_laden());
        if let Some(waiting) = waiting {
            waiting.unit.cargo = cargo;
        } else if world.position.laden().contains(at) {
            world.position.set_cargo(at, cargo);
        } else {
            let message = format!("no army/fleet is in {name}");
            return Err(RequestError::SeasonsAboard { message });
        }
    }
    Ok(())
}

/// Who was the last to have a unit in a province (rules.md 6.4).
pub(super) fn last_occupants(
    request: &Request,
    variant: &Variant,
    world: &mut World,
) -> Result<(), RequestError> {
    let Some(last_occupant) = request.state.last_occupant.as_ref().filter(|listed| !listed.is_empty()) else {
        return Ok(());
    };
    if variant.deluge().is_none() {
        return Err(RequestError::State { key: "last_occupant", variant: variant.id.clone() });
    }
    for (name, power) in last_occupant {
        let at = province("state.last_occupant", name, &world.terrain)?;
        let power = power.parse().map_err(|error: upheaval_map::ids::UnknownPower| RequestError::Power {
            field: "state.last_occupant",
            message: error.to_string(),
        })?;
        world.last_occupant[at] = Some(power);
    }
    Ok(())
}

/// The units that are gone with holes (rules.md 4.8).
pub(super) fn swallowed(
    request: &Request,
    variant: &Variant,
    terrain: &Arc<Terrain>,
) -> Result<Vec<Swallowed>, RequestError> {
    let mut all = Vec::new();
    for (power, units) in by_power("state.swallowed", &request.state.swallowed)? {
        if !units.is_empty() && !variant.mechanisms.iter().any(|m| matches!(m, Mechanism::Toggles(_))) {
            return Err(RequestError::State { key: "swallowed", variant: variant.id.clone() });
        }
        for text in units {
            let fault = |message: String| RequestError::Swallowed { power: power.to_string(), message };
            let ground = ground_of(text, terrain);
            let (kind, at) = placed(text, &ground).map_err(|e| fault(e.to_string()))?;
            if !terrain.chart().map().holes().contains(at.province) {
                return Err(fault(format!("`{text}`: there is no hole")));
            }
            let coast = match kind.kind() {
                UnitKind::Army => Vec::new(),
                UnitKind::Fleet => ground.chart().coast_borders(ground.board(), at),
            };
            all.push(Swallowed { hole: at.province, unit: Unit::new(kind, power, at.coast), coast });
        }
    }
    Ok(all)
}

/// A unit that is gone with a hole, as [`swallowed`] reads it: on its coast as the face would have it were it open.
pub(super) fn swallowed_text(terrain: &Terrain, hole: ProvinceId, unit: Unit, coast: &[BorderId]) -> String {
    let mut chart = terrain.chart().clone();
    let mut at = Location { province: hole, coast: CoastId::FIRST };
    if chart.restore(hole).is_ok() {
        let ground = Terrain::new(chart);
        if unit.kind == UnitKind::Fleet {
            at.coast = match ground.chart().coast_returned(ground.board(), hole, coast) {
                CoastFate::Stays(coast) | CoastFate::Moves(coast) => coast,
                CoastFate::Choice { default, .. } => default,
                CoastFate::Lost => CoastId::FIRST,
            };
        }
        return ground.names().unit(at, unit.designation()).to_string();
    }
    terrain.names().unit(at, unit.designation()).to_string()
}

/// A unit that waits for its retreat.
pub(super) struct Waiting {
    pub dislodged: Dislodged,
    /// Which of several alike it is.
    pub ordinal: u8,
    /// Where it could go were all places free, if the board does not say it.
    pub ways: Option<Vec<Location>>,
}

/// Reads an entry of `retreats`. Options, where they are listed, say all there is to say: the attacker's start has no
/// part in them any more. A unit driven out of a province that is a hole now goes as if that were open (rules.md 4.8).
pub(super) fn dislodged(
    power: Power,
    entry: &RetreatEntry,
    terrain: &Arc<Terrain>,
) -> Result<Waiting, RequestError> {
    let fault = |message: String| RequestError::Retreat { power: power.to_string(), message };
    let ground = ground_of(&entry.unit, terrain);
    let (kind, at) = placed(&entry.unit, &ground).map_err(|e| fault(e.to_string()))?;
    let ordinal = WrittenUnit::parse(&entry.unit, ground.names()).map_or(1, |unit| unit.ordinal);
    // Where it came from may be written with its coast.
    let find = |name: &String| {
        let code = name.split('/').next().unwrap_or(name);
        province("retreats", code, terrain).map_err(|e| fault(e.to_string()))
    };
    let listed = |options: &Vec<String>| -> Result<Vec<Location>, RequestError> {
        let place = |place| placed(&format!("{kind} {place}"), terrain).map_err(|e| fault(e.to_string()));
        options.iter().map(|option| Ok(place(option)?.1)).collect()
    };
    let options = entry.options.as_ref().map(listed).transpose()?;
    // A fleet whose coast was divided goes from any part of it, and the options say so.
    let coasts: Vec<CoastId> = match options {
        Some(_) if kind != Designation::Army => {
            ground.board().stations_of(at.province).map(|part| part.coast).collect()
        }
        _ => vec![at.coast],
    };
    let mut ways = retreat::ways_across(ground.board(), terrain.board(), at.province, kind.kind(), &coasts);
    ways.retain(|to| options.as_ref().is_none_or(|options| options.contains(to)));
    let dislodged = Dislodged {
        unit: Unit::new(kind, power, at.coast),
        at: at.province,
        attacker: entry.from.as_ref().map(find).transpose()?.filter(|_| options.is_none()),
        attacker_convoyed: entry.via_convoy,
    };
    let as_the_board_says = options.is_none() && Arc::ptr_eq(&ground, terrain);
    Ok(Waiting { dislodged, ordinal, ways: (!as_the_board_says).then_some(ways) })
}

/// The events that the request says are drawn. Holes that retreats know of are doomed from the start where the
/// movement, in which they were drawn, lies behind.
pub(super) fn nature(
    request: &Request,
    variant: &Variant,
    world: &mut World,
    phase: Phase,
) -> Result<Given, RequestError> {
    let chart = world.terrain.chart().clone();
    let may_be_freed =
        variant.exemption().is_some_and(|rule| rule.change != Changing::Never || rule.lapse != Lapse::Never);
    let mut drawn = Drawn { given: Given::default(), places: Vec::new(), chart, may_be_freed };
    for text in &request.nature {
        let fault = |reason: EventFault| RequestError::Event {
            field: "nature",
            event: text.clone(),
            reason: Box::new(reason),
        };
        let event: MapEvent = text.parse().map_err(|e| fault(EventFault::Text(e)))?;
        drawn.add(event, variant, world, phase).map_err(fault)?;
    }
    let Drawn { mut given, .. } = drawn;
    let foretold = variant.mechanisms.iter().any(
        |mechanism| matches!(mechanism, Mechanism::Holes(holes) if holes.retreats == Foresight::Foretold),
    );
    if phase.kind == PhaseKind::Retreats && foretold {
        world.doomed = std::mem::take(&mut given.holes).into_iter().collect();
    }
    Ok(given)
}

/// What the request says is drawn, as far as it has been read.
struct Drawn {
    given: Given,
    places: Vec<(Draw, ProvinceId)>,
    /// The map after these events, in their order.
    chart: Chart,
    /// Can a centre that is exempt become liable before the season's hole is drawn (rr01, rules 6 and 8)?
    may_be_freed: bool,
}

impl Drawn {
    /// Adds an event, if one of the variant's mechanisms can draw it.
    fn add(
        &mut self,
        event: MapEvent,
        variant: &Variant,
        world: &World,
        phase: Phase,
    ) -> Result<(), EventFault> {
        let (MapEvent::Collapse(name)
        | MapEvent::Void(name)
        | MapEvent::Restore(name)
        | MapEvent::Split { province: name, .. }) = &event
        else {
            return Err(EventFault::NotDrawn);
        };
        let place = world.terrain.chart().map().find(name);
        let place = place.ok_or_else(|| SurgeryError::NoSuchFace(name.clone()))?;
        let mut rules = variant.mechanisms.iter().filter_map(|m| self.rule(m, &event, world, phase));
        let DrawRule { draw, most, eligible } = rules.next().ok_or(EventFault::NotDrawn)?;
        drop(rules);
        let again = self.places.contains(&(draw, place));
        if again || !eligible.contains(place) {
            return Err(EventFault::NotEligible);
        }
        if self.places.iter().filter(|(other, _)| *other == draw).count() == most {
            return Err(if most == 0 { EventFault::NoHoleBefore } else { EventFault::TooMany(most) });
        }
        event.apply(&mut self.chart)?;
        self.places.push((draw, place));
        match draw {
            Draw::Holes => self.given.holes.push(place),
            Draw::Restores => self.given.restores.push(place),
            Draw::Splits => self.given.splits.push(event),
            // What a mechanism from outside draws has no words in a request.
            Draw::Custom(_) => return Err(EventFault::NotDrawn),
        }
        Ok(())
    }

    /// What the mechanism says to such an event, if it draws any in this phase.
    fn rule(&self, mechanism: &Mechanism, event: &MapEvent, world: &World, phase: Phase) -> Option<DrawRule> {
        let holes = world.terrain.chart().map().holes();
        let becomes_hole = |closure| match event {
            MapEvent::Collapse(_) => closure == Closure::Collapse,
            MapEvent::Void(_) => closure == Closure::Void,
            _ => false,
        };
        let (acts, draw, most, eligible) = match mechanism {
            Mechanism::Holes(rule) if becomes_hole(rule.closure) => {
                let acts = phase.kind != PhaseKind::Adjustments && rule.seasons.includes(phase.season);
                // What is exempt now may be so no longer when the hole is drawn; then the end of the season tells.
                let eligible = match self.may_be_freed && rule.retreats == Foresight::Unforetold {
                    true => rule.faces.open(&world.terrain),
                    false => rule.eligible(world),
                };
                (acts, Draw::Holes, rule.per_season.into(), eligible)
            }
            Mechanism::Toggles(rule)
                if becomes_hole(rule.closure) || matches!(event, MapEvent::Restore(_)) =>
            {
                let acts = phase.kind == PhaseKind::Movement && rule.seasons.includes(phase.season);
                let eligible = match event {
                    MapEvent::Restore(_) => rule.eligible(world) & holes,
                    _ => rule.eligible(world) - holes,
                };
                (acts, Draw::Holes, rule.per_season.into(), eligible)
            }
            Mechanism::Restores(rule) if matches!(event, MapEvent::Restore(_)) => {
                let acts = phase.kind != PhaseKind::Adjustments && phase >= rule.from;
                (acts, Draw::Restores, self.given.holes.len() * usize::from(rule.per_hole), holes)
            }
            Mechanism::Splits(rule) if matches!(event, MapEvent::Split { .. }) => {
                let acts = phase.kind != PhaseKind::Adjustments && rule.seasons.includes(phase.season);
                let open = rule.faces.all(&world.terrain) - self.chart.map().holes();
                (acts, Draw::Splits, rule.per_season.into(), open)
            }
            _ => return None,
        };
        acts.then_some(DrawRule { draw, most, eligible })
    }
}

/// What can be drawn in a season: for what, how many at most, of which faces.
struct DrawRule {
    draw: Draw,
    most: usize,
    eligible: ProvinceSet,
}
