//! Sets up the position of a request: a [`Game`] that waits for the phase's orders, and the draws of the phase.

use std::sync::Arc;

use crate::adjudicate::ground::{by_power, founded, province, provinces, terrain};
use crate::adjudicate::memory;
use crate::adjudicate::nature::Source;
use crate::adjudicate::request::{PowerHoldings, Request, RequestError};
use crate::game::Game;
use crate::rules::game_state::GameState;
use crate::rules::notation::PlacementError;
use crate::rules::position::{Phase, PhaseKind, Season, Unit};
use crate::rules::variant::Variant;
use upheaval_map::ids::{Power, ProvinceSet, UnitKind};

/// A year in a phase has four digits, so no game continues after this one.
pub(super) const LAST_YEAR: u16 = 9999;

/// A position that waits for its orders.
pub(super) struct Position {
    pub game: Game,
    pub nature: Source,
}

/// Sets up the position of a request.
pub(super) fn set_up(request: &Request, variant: Arc<Variant>) -> Result<Position, RequestError> {
    let phase: Phase = request.phase.parse().map_err(|error| RequestError::at("phase", error))?;
    check_phase(phase, &variant)?;
    let last_year = last_year(request, phase)?;
    let (terrain, past_holes) = terrain(request, &variant, phase)?;
    let mut world = GameState::new(Arc::clone(&terrain));
    world.past_holes = past_holes;
    world.retreats.contested = provinces("contested", &request.contested, &terrain)?;
    // A centre may also be a sea from the start.
    let centres = *variant.terrain.centres() | founded(&variant, phase);
    let sunken = (centres & *terrain.board().sea()) - *variant.terrain.board().sea();
    for (power, entry) in by_power("powers", &request.powers, terrain.power_names())? {
        place_units(&mut world, &variant, power, entry)?;
        give_centres(&mut world, power, entry, &sunken)?;
    }
    memory::read(&request.state, &variant, &mut world)?;
    // The holes that are to open depend on exempt centres, retreats depend on the holes, and the time aboard
    // depends on the units.
    memory::read_doomed(&request.state, &variant, phase, &mut world)?;
    memory::read_retreats(request, &variant.rulebook, &mut world)?;
    memory::read_seasons_aboard(&request.state, &variant, &mut world)?;
    if phase.kind != PhaseKind::Retreats {
        // All units that had to retreat have done so by then.
        world.retreats.clear();
    }
    let nature = Source::read(&request.nature, &variant, &mut world, phase)?;
    let game = Game::resumed(variant, last_year, world, phase)
        .with_eliminated(memory::eliminated(&request.state, terrain.power_names())?);
    Ok(Position { game, nature })
}

fn check_phase(phase: Phase, variant: &Variant) -> Result<(), RequestError> {
    let fault = match phase.kind {
        PhaseKind::Movement | PhaseKind::Retreats if phase.season != Season::Winter => return Ok(()),
        PhaseKind::Adjustments if phase.season == Season::Winter => return Ok(()),
        PhaseKind::Seismic if variant.changes.has_seismic_phase(phase) => return Ok(()),
        PhaseKind::Seismic => format!("{} has no seismic phase in that season", variant.id),
        _ => format!(
            "{phase} does not exist; movements and retreats are in Spring and Fall, adjustments in Winter"
        ),
    };
    Err(RequestError::at("phase", fault))
}

fn last_year(request: &Request, phase: Phase) -> Result<u16, RequestError> {
    let fault = match request.last_year {
        None => return Ok(LAST_YEAR),
        Some(year) if year > LAST_YEAR => format!("a year is a number up to {LAST_YEAR}, not {year}"),
        Some(year) if year < phase.year => format!("{year} is over in {phase}"),
        Some(year) => return Ok(year),
    };
    Err(RequestError::at("last_year", fault))
}

fn place_units(
    world: &mut GameState,
    variant: &Variant,
    power: Power,
    entry: &PowerHoldings,
) -> Result<(), RequestError> {
    let field = format!("powers.{}.units", world.terrain.power_names().name(power));
    for text in &entry.units {
        let (kind, at) =
            memory::standing(text, &world.terrain).map_err(|error| RequestError::at(&field, error))?;
        let board = world.terrain.board();
        let is_inland = board.land().contains(at.province) && board.coasts(at.province) == 0;
        if kind.kind() == UnitKind::Fleet && is_inland && !variant.changes.trap() {
            return Err(RequestError::at(field, PlacementError::NoCoast(text.clone())));
        }
        if world.position.occupied().contains(at.province) {
            return Err(RequestError::at(field, format_args!("`{text}`: another unit is already there")));
        }
        world.position.place(at.province, Unit::new(kind, power, at.coast));
    }
    Ok(())
}

/// Gives a power its centres. A centre that is now a hole gets the power as its last owner; a centre that has
/// sunk has no owner.
fn give_centres(
    world: &mut GameState,
    power: Power,
    entry: &PowerHoldings,
    sunken: &ProvinceSet,
) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    let field = format!("powers.{}.centers", terrain.power_names().name(power));
    for name in &entry.centers {
        let centre = province(&field, name, &terrain)?;
        if sunken.contains(centre) {
            continue;
        }
        if !terrain.chart().info(centre).is_some_and(|info| info.supply_centre) {
            return Err(RequestError::at(field, format_args!("{name} is not a supply centre")));
        }
        let is_hole = !terrain.centres().contains(centre);
        let owner = if is_hole { world.last_owner[centre] } else { world.position.owner(centre) };
        if owner.is_some_and(|owner| owner != power) {
            return Err(RequestError::at(field, format_args!("{name} is listed for two powers")));
        }
        if is_hole {
            world.last_owner[centre] = Some(power); // a hole has no owner now (rules.md 3.1)
        } else {
            world.position.set_owner(centre, Some(power));
        }
    }
    Ok(())
}
