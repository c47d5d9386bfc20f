//! The orders of one turn as they arrive: each is checked and annotated, until none is missing.

mod adjusting;
mod moving;
mod retreating;
mod taken;

use crate::board::DaideBoard;
use crate::order::{DaideOrder, DaideUnit, PowerToken, ProvinceToken};
use crate::position::DaidePosition;
use crate::sentence::Sentence;
use crate::token::Token;
use crate::token::words::{
    CST, ESC, FAR, HSC, MBV, NAS, NMB, NMR, NRN, NRS, NSA, NSC, NSF, NSP, NSU, NVR, NYU, YSC,
};
use crate::told::DecisionRequest;
use crate::turn::DaideTurn;

use adjusting::{Builds, Removals};
use moving::Moves;
use retreating::Retreats;

/// The notes on orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum OrderNote {
    /// The order counts.
    Fine,
    /// The place cannot be reached from there.
    NotAdjacent,
    /// The board has no such province.
    NoProvince,
    /// There is no such unit.
    NoUnit,
    /// The convoying fleet is not at sea, or the route leads over land.
    NotAtSea,
    /// There is no such fleet.
    NoFleet,
    /// There is no such army.
    NoArmy,
    /// The unit belongs to another power.
    NotYours,
    /// The unit need not retreat.
    NoRetreatNeeded,
    /// It cannot retreat there.
    NoRetreatThere,
    /// The centre belongs to another power.
    NotYourCentre,
    /// The centre is occupied.
    Occupied,
    /// The centre is not a home of the power.
    NotHome,
    /// The province is not a centre.
    NoCentre,
    /// A coast is missing, or such a unit cannot be there.
    Coast,
    /// No build is left.
    NoBuildLeft,
    /// No removal is left.
    NoRemovalLeft,
    /// The order belongs to another season.
    WrongSeason,
}

impl OrderNote {
    /// Its token.
    pub(crate) const fn token(self) -> Token {
        match self {
            OrderNote::Fine => MBV,
            OrderNote::NotAdjacent => FAR,
            OrderNote::NoProvince => NSP,
            OrderNote::NoUnit => NSU,
            OrderNote::NotAtSea => NAS,
            OrderNote::NoFleet => NSF,
            OrderNote::NoArmy => NSA,
            OrderNote::NotYours => NYU,
            OrderNote::NoRetreatNeeded => NRN,
            OrderNote::NoRetreatThere => NVR,
            OrderNote::NotYourCentre => YSC,
            OrderNote::Occupied => ESC,
            OrderNote::NotHome => HSC,
            OrderNote::NoCentre => NSC,
            OrderNote::Coast => CST,
            OrderNote::NoBuildLeft => NMB,
            OrderNote::NoRemovalLeft => NMR,
            OrderNote::WrongSeason => NRS,
        }
    }
}

/// May the orders be carried out as soon as they are complete?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readiness {
    /// They may.
    Go,
    /// They must wait for the deadline, or until the client says otherwise.
    Wait,
}

/// The orders of a power for one turn.
#[derive(Clone, Debug)]
pub(crate) struct OrderBook {
    turn: DaideTurn,
    readiness: Readiness,
    task: Task,
}

#[derive(Clone, Debug)]
enum Task {
    Moves(Moves),
    Retreats(Retreats),
    Builds(Builds),
    Removals(Removals),
}

/// The position and the power that orders are checked against.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub board: &'a DaideBoard,
    pub position: &'a DaidePosition,
    pub power: PowerToken,
}

impl Scene<'_> {
    /// One of the power's own units, as in the position.
    fn own(&self, wanted: DaideUnit) -> Result<DaideUnit, OrderNote> {
        let unit = self.position.found(wanted).ok_or(OrderNote::NoUnit)?;
        match unit.power == wanted.power {
            true if unit.power == self.power => Ok(unit),
            true => Err(OrderNote::NotYours),
            false => Err(OrderNote::NoUnit),
        }
    }

    /// A unit of any power, as in the position.
    fn any(&self, wanted: DaideUnit) -> Option<DaideUnit> {
        self.position.units.get(&wanted.place.province).copied().filter(|unit| {
            unit.power == wanted.power
                && unit.kind == wanted.kind
                && (wanted.place.coast.is_none() || unit.place.coast == wanted.place.coast)
        })
    }
}

impl OrderBook {
    /// An order book for the requested decision.
    ///
    /// # Errors
    /// The request is not a decision that the language has.
    pub(crate) fn new(
        board: &DaideBoard,
        position: &DaidePosition,
        power: PowerToken,
        request: &DecisionRequest,
    ) -> Result<OrderBook, String> {
        let scene = Scene { board, position, power };
        let task = match request.asks.as_str() {
            "movement" => Task::Moves(Moves::new(scene, &request.legal)),
            "retreats" => Task::Retreats(Retreats::new(scene)),
            "adjustments" => match (request.builds, request.removals) {
                (Some(count), _) => Task::Builds(Builds::new(count, &request.sites)),
                (None, Some(count)) => Task::Removals(Removals::new(count)),
                (None, None) => return Err("adjustments without `builds` or `removals`".to_owned()),
            },
            other => return Err(format!("`{other}` is asked for, and DAIDE does not have orders for it")),
        };
        Ok(OrderBook { turn: position.turn, readiness: Readiness::Go, task })
    }

    /// The turn.
    pub(crate) fn turn(&self) -> DaideTurn {
        self.turn
    }

    /// Accepts an order, replacing an earlier one to the same unit, unless the note reports a fault.
    pub(crate) fn take(
        &mut self,
        board: &DaideBoard,
        position: &DaidePosition,
        power: PowerToken,
        order: &DaideOrder,
    ) -> OrderNote {
        let scene = Scene { board, position, power };
        if provinces(order).into_iter().any(|province| board.code(province).is_none()) {
            return OrderNote::NoProvince;
        }
        let taken = match &mut self.task {
            Task::Moves(moves) => moves.take(scene, order),
            Task::Retreats(retreats) => retreats.take(scene, order),
            Task::Builds(builds) => builds.take(scene, order),
            Task::Removals(removals) => removals.take(scene, order),
        };
        taken.err().unwrap_or(OrderNote::Fine)
    }

    /// Withdraws an order, or all. Returns false if it was not there.
    pub(crate) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        match &mut self.task {
            Task::Moves(moves) => moves.take_back(order),
            Task::Retreats(retreats) => retreats.take_back(order),
            Task::Builds(builds) => builds.take_back(order),
            Task::Removals(removals) => removals.take_back(order),
        }
    }

    /// Sets whether complete orders may be carried out.
    pub(crate) fn set_readiness(&mut self, readiness: Readiness) {
        self.readiness = readiness;
    }

    /// Is any order missing?
    pub(crate) fn is_complete(&self) -> bool {
        match &self.task {
            Task::Moves(moves) => moves.is_complete(),
            Task::Retreats(retreats) => retreats.is_complete(),
            Task::Builds(builds) => builds.missing() == 0,
            Task::Removals(removals) => removals.missing() == 0,
        }
    }

    /// Are the orders complete, and may they be carried out?
    pub(crate) fn is_ready(&self) -> bool {
        self.is_complete() && self.readiness == Readiness::Go
    }

    /// The message that lists the missing orders; it is empty if none is missing.
    pub(crate) fn missing(&self, position: &DaidePosition) -> Sentence {
        match &self.task {
            Task::Moves(moves) => moves.write_missing(),
            Task::Retreats(retreats) => retreats.write_missing(position),
            Task::Builds(builds) => builds.write_missing(),
            Task::Removals(removals) => removals.write_missing(),
        }
    }

    /// The orders in the form that is sent to `upheaval`.
    pub(crate) fn texts(&self, board: &DaideBoard) -> Vec<String> {
        match &self.task {
            Task::Moves(moves) => moves.texts(),
            Task::Retreats(retreats) => retreats.texts(board),
            Task::Builds(builds) => builds.texts(board),
            Task::Removals(removals) => removals.texts(board),
        }
    }

    /// The orders as the client gave them.
    pub(crate) fn orders(&self) -> Vec<DaideOrder> {
        match &self.task {
            Task::Moves(moves) => moves.orders(),
            Task::Retreats(_) | Task::Builds(_) | Task::Removals(_) => Vec::new(),
        }
    }
}

/// Every province that an order names.
fn provinces(order: &DaideOrder) -> Vec<ProvinceToken> {
    let mut provinces: Vec<ProvinceToken> =
        order.unit().map(|unit| unit.place.province).into_iter().collect();
    match order {
        DaideOrder::Move(_, to) | DaideOrder::Retreat(_, to) => provinces.push(to.province),
        DaideOrder::SupportHold(_, other) => provinces.push(other.place.province),
        DaideOrder::SupportMove(_, other, to) | DaideOrder::Convoy(_, other, to) => {
            provinces.extend([other.place.province, *to]);
        }
        DaideOrder::MoveByConvoy(_, to, seas) => {
            provinces.push(to.province);
            provinces.extend(seas);
        }
        DaideOrder::Hold(_)
        | DaideOrder::Disband(_)
        | DaideOrder::Build(_)
        | DaideOrder::Remove(_)
        | DaideOrder::Waive(_) => {}
    }
    provinces
}
