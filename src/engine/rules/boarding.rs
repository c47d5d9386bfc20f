//! Which armies are aboard which fleets once everybody has boarded, and which army an order to land means. This is the
//! one place that decides it: for orders as text, for the adjudication, and for what comes after.
//!
//! ```text
//!   A NTH D EDI    is for the army of the power that gives it, aboard a fleet that is ordered to be in the North Sea:
//!                    the fleet stands there and stays     ─▶ that one
//!                    fleets sail there, one or several    ─▶ whichever of them gets there
//!                    neither                              ─▶ nobody, and the order is void
//! ```
//!
//! However many fleets are meant to be there, one of a power's gets there at most. So an order to land is told by its
//! power and its sea, two for one sea are two orders for one army, and an order for another sea stands in the way of
//! none (army/fleet rules 3 and 4).

use crate::rules::order::{Order, Orders};
use crate::rules::position::{Position, Unit};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

/// The armies that go aboard before anything moves, and their fleets (army/fleet rule 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boarding {
    /// The armies, by where they stand.
    pub armies: ProvinceSet,
    /// The fleets that they board.
    pub fleets: ProvinceSet,
}

impl Boarding {
    /// Nobody boards.
    pub const NOBODY: Boarding = Boarding { armies: ProvinceSet::EMPTY, fleets: ProvinceSet::EMPTY };

    /// Those who board by these orders. Of two armies that are ordered aboard one fleet neither does.
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
    pub fn is_laden(&self, at: ProvinceId, unit: Unit) -> bool {
        unit.is_laden() || self.fleets.contains(at)
    }

    /// Where a fleet is ordered to be when the movement is over: where it sails to, or where it stands if it is not
    /// ordered to sail or cannot do as it is ordered.
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

    /// The fleets of the power's with an army aboard that an order to land out of this sea is for: the one that stands
    /// there and stays, or else all that sail there, of which one gets there at most. None if the order is void.
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

/// Can a fleet sail from where it stands to that place, whatever it carries?
#[inline]
pub fn can_sail(board: &Board, at: ProvinceId, fleet: Unit, to: Location) -> bool {
    fleet.kind == UnitKind::Fleet
        && fleet.coast.0 < board.coasts(at)
        && board.fleet_can_move(Location { province: at, coast: fleet.coast }, to)
}
