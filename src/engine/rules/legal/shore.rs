//! The land round seas, and the armies there that could board a fleet.

use crate::rules::position::Position;
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// The armies of the fleet's power that could board it.
pub(super) fn boarders(board: &Board, position: &Position, fleet: ProvinceId) -> ProvinceSet {
    let Some(unit) = position.unit(fleet) else { return ProvinceSet::EMPTY };
    (*position.units_of(unit.power) - *position.fleets()) & shore_of(board, fleet)
}

/// The land provinces next to this sea.
#[inline]
pub(super) fn shore_of(board: &Board, sea: ProvinceId) -> ProvinceSet {
    *board.fleet_reach_any(sea) & *board.land()
}

/// The land provinces next to one of these seas.
#[inline]
pub(super) fn shores_of(board: &Board, seas: &ProvinceSet) -> ProvinceSet {
    let mut shores = ProvinceSet::EMPTY;
    seas.iter().for_each(|sea| shores |= *board.fleet_reach_any(sea));
    shores & *board.land()
}
