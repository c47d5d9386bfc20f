//! Determines which armies are aboard which fleets after boarding, and which army an order to land means. It
//! is the only place that decides this: for orders as text, for the adjudication, and for later phases.
//!
//! ```text
//!   A NTH D EDI    means an army of the ordering power, aboard a fleet that is ordered to be in the North Sea:
//!                    the fleet is there and stays         ─▶ that one
//!                    one or several fleets sail there     ─▶ whichever of them gets there
//!                    neither                              ─▶ none, and the order is void
//! ```
//!
//! However many fleets are ordered there, at most one of a power's gets there. An order to land is therefore
//! identified by its power and its sea; two orders for one sea are two orders for one army, and orders for
//! other seas do not interfere (army/fleet rules 3 and 4).

use crate::rules::order::{Order, Orders};
use crate::rules::position::{Position, Unit};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

/// The armies that board before anything moves, and their fleets (army/fleet rule 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boarding {
    /// The places of the armies.
    pub armies: ProvinceSet,
    /// The fleets that they board.
    pub fleets: ProvinceSet,
}

impl Boarding {
    /// No army boards.
    pub const NOBODY: Boarding = Boarding { armies: ProvinceSet::EMPTY, fleets: ProvinceSet::EMPTY };

    /// The armies that board by these orders. If two armies are ordered aboard one fleet, neither boards it.
    pub fn of(board: &Board, position: &Position, orders: &Orders) -> Boarding {
        let free = (*position.fleets() & *board.sea()) - *position.laden();
        let armies = *position.occupied() - *position.fleets();
        let power = |at: ProvinceId| position.unit(at).map(|unit| unit.power);
        let boarded_by = |army: ProvinceId| match orders[army] {
            Order::Embark { fleet }
                if free.contains(fleet)
                    && board.seas_next_to(army).contains(fleet)
                    && power(army) == power(fleet) =>
            {
                Some(fleet)
            }
            _ => None,
        };
        let (mut wanted, mut crowded) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for fleet in armies.iter().filter_map(boarded_by) {
            if wanted.contains(fleet) {
                crowded.insert(fleet);
            }
            wanted.insert(fleet);
        }
        let fleets = wanted - crowded;
        let boards = |army: &ProvinceId| boarded_by(*army).is_some_and(|fleet| fleets.contains(fleet));
        Boarding { armies: armies.iter().filter(boards).collect(), fleets }
    }

    /// Does the unit have an army aboard when the movement begins?
    #[inline]
    pub(crate) fn is_laden(&self, at: ProvinceId, unit: Unit) -> bool {
        unit.is_laden() || self.fleets.contains(at)
    }

    /// The place where a fleet is ordered to be after the movement: its destination, or its current place if
    /// it is not ordered to sail or cannot follow its order.
    fn destination(
        &self,
        board: &Board,
        position: &Position,
        orders: &Orders,
        fleet: ProvinceId,
    ) -> ProvinceId {
        match (orders[fleet], position.unit(fleet)) {
            (Order::Move { to, .. }, Some(unit))
                if can_sail(board, fleet, unit, to)
                    && (board.sea().contains(to.province) || !self.is_laden(fleet, unit)) =>
            {
                to.province
            }
            _ => fleet,
        }
    }

    /// The fleets of the power, with an army aboard, to which an order to land from this sea can refer: the
    /// one that is there and stays, or else all that sail there, of which at most one arrives. Empty if the
    /// order is void.
    pub fn landers(
        &self,
        board: &Board,
        position: &Position,
        orders: &Orders,
        power: Power,
        sea: ProvinceId,
    ) -> ProvinceSet {
        let bound_there = |fleet: ProvinceId| {
            position.unit(fleet).is_some_and(|unit| self.is_laden(fleet, unit))
                && self.destination(board, position, orders, fleet) == sea
        };
        let own = *position.units_of(power) & *position.fleets();
        if own.contains(sea) && bound_there(sea) {
            return ProvinceSet::single(sea);
        }
        (own & *board.seas_next_to(sea)).iter().filter(|&fleet| bound_there(fleet)).collect()
    }
}

/// Can a fleet sail from its place to that place, whatever it carries?
#[inline]
pub(crate) fn can_sail(board: &Board, at: ProvinceId, fleet: Unit, to: Location) -> bool {
    fleet.kind == UnitKind::Fleet
        && fleet.coast.0 < board.coasts(at)
        && board.fleet_can_move(Location { province: at, coast: fleet.coast }, to)
}
