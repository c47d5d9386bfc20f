//! The options of one unit: its legal orders, counted and found by number without listing them.

use super::chains::ConvoyChains;
use super::shares;
use crate::rules::order::{Order, Route};
use crate::rules::position::Position;
use upheaval_map::ids::{Designation, Location, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// The options of one unit.
pub(super) struct Options<'a> {
    pub(super) board: &'a Board,
    pub(super) position: &'a Position,
    pub(super) chains: &'a ConvoyChains,
    pub(super) at: Location,
    pub(super) designation: Designation,
    /// The provinces in which it can give support: where it could go without a convoy; an army/fleet can also
    /// support on the shore.
    pub(super) reach: &'a ProvinceSet,
}

impl<'a> Options<'a> {
    #[inline]
    pub(super) fn new(
        board: &'a Board,
        position: &'a Position,
        chains: &'a ConvoyChains,
        province: ProvinceId,
    ) -> Option<Self> {
        let unit = position.unit(province)?;
        let at = Location { province, coast: unit.coast };
        let designation = unit.designation();
        let reach = match designation {
            Designation::Army => board.army_reach(province),
            Designation::Fleet | Designation::ArmyFleet => board.fleet_reach(at),
        };
        Some(Options { board, position, chains, at, designation, reach })
    }

    /// Is this one of the moves?
    #[inline]
    pub(super) fn can_move(&self, to: Location, route: Route) -> bool {
        let whole = to == Location::from(to.province);
        match (self.designation, route) {
            (Designation::Army, Route::Direct) => whole && self.reach.contains(to.province),
            (Designation::Army, Route::Convoy) => whole && self.convoyed().contains(to.province),
            (Designation::Fleet, Route::Direct) => self.board.fleet_can_move(self.at, to),
            (Designation::ArmyFleet, Route::Direct) => whole && self.steps_at_sea().contains(to.province),
            (Designation::Fleet | Designation::ArmyFleet, Route::Convoy) => false,
        }
    }

    /// The units that it can support in holding.
    #[inline]
    pub(super) fn held(&self) -> ProvinceSet {
        *self.reach & *self.position.occupied()
    }

    /// The number of orders of each sort.
    #[inline(always)]
    pub(super) fn counts(&self) -> Counts {
        let reach = self.reach.len();
        // The moves, and the provinces among them in which it could also give support.
        let (moves, own) = match self.designation {
            Designation::Army => (reach + self.convoyed().len(), reach),
            Designation::Fleet => (self.board.fleet_moves(self.at).len(), reach),
            Designation::ArmyFleet => {
                let steps = self.steps_at_sea().len();
                (steps, steps)
            }
        };
        // For each province that it reaches, count the other units that could go there ...
        let mut backed = self.chains.visits(self.reach) - own;
        let mut convoys = 0;
        for carriage in self.chains.carriages(self.at.province) {
            // ... except armies that could not without this fleet.
            backed -= (carriage.only & *self.reach).len();
            convoys += carriage.to.len();
        }
        let held = self.held().len();
        let others = if self.chains.amphibious() { self.of_army_fleets().count() } else { 0 };
        let total = (1 + moves + held + backed + convoys + others) as u32;
        Counts { moves, held, backed, total }
    }

    /// The `n`-th order, counted from 0. `counts` are this unit's.
    #[inline(always)]
    pub(super) fn nth(&self, n: usize, counts: &Counts) -> Option<Order> {
        let Some(mut n) = n.checked_sub(1) else { return Some(Order::Hold) };
        if n < counts.moves {
            return self.nth_move(n);
        }
        n -= counts.moves;
        if n < counts.held {
            return self.held().nth(n).map(|unit| Order::SupportHold { unit });
        }
        n -= counts.held;
        if n < counts.backed {
            return self.nth_backed(n);
        }
        n -= counts.backed;
        for carriage in self.chains.carriages(self.at.province) {
            let count = carriage.to.len();
            if n < count {
                return carriage.to.nth(n).map(|to| Order::Convoy { army: carriage.army, to });
            }
            n -= count;
        }
        self.of_army_fleets().nth(n)
    }

    /// The `n`-th move, counted from 0: by province, a direct move before a convoy to the same province.
    #[inline]
    fn nth_move(&self, n: usize) -> Option<Order> {
        let (steps, convoyed) = match self.designation {
            Designation::Army => (*self.reach, self.convoyed()),
            Designation::Fleet => {
                let to = self.board.fleet_moves(self.at).get(n);
                return to.map(|to| Order::Move { to, route: Route::Direct });
            }
            Designation::ArmyFleet => (self.steps_at_sea(), ProvinceSet::EMPTY),
        };
        if convoyed.is_empty() {
            return steps.nth(n).map(|province| Order::Move { to: province.into(), route: Route::Direct });
        }
        // In the few places that it can reach both ways, there are two moves.
        let all = steps | convoyed;
        let mut twice = 0;
        for to in steps & convoyed {
            let step = all.below(to).len() + twice;
            if n <= step {
                break;
            }
            if n == step + 1 {
                return Some(Order::Move { to: to.into(), route: Route::Convoy });
            }
            twice += 1;
        }
        let to = all.nth(n - twice)?;
        let route = if steps.contains(to) { Route::Direct } else { Route::Convoy };
        Some(Order::Move { to: to.into(), route })
    }

    /// The `n`-th support of a move, counted from 0: by the moving unit, then by its destination.
    #[inline]
    fn nth_backed(&self, mut n: usize) -> Option<Order> {
        let chains = self.chains;
        let carriages = chains.carriages(self.at.province);
        let own = chains.rank(self.at.province);
        for (group, mut shares) in chains.shares(self.reach).enumerate() {
            let first = group * shares::UNITS;
            let here = first..first + shares::UNITS;
            if here.contains(&own) {
                shares.drop(own - first);
            }
            for carriage in carriages {
                let army = chains.rank(carriage.army);
                if here.contains(&army) {
                    shares.take(army - first, (carriage.only & *self.reach).len());
                }
            }
            let count = shares.sum();
            if n < count {
                let (unit, n) = shares.locate(n);
                let (unit, goals) = chains.mover(first + unit);
                let to = self.backed(unit, goals).nth(n)?;
                return Some(Order::SupportMove { unit, to, coast: None });
            }
            n -= count;
        }
        None
    }

    /// The destinations by convoy, if it is an army.
    #[inline]
    pub(super) fn convoyed(&self) -> ProvinceSet {
        self.chains.convoyed(self.at.province)
    }

    /// The destinations of an army/fleet.
    #[inline]
    pub(super) fn steps_at_sea(&self) -> ProvinceSet {
        *self.reach & *self.board.sea()
    }

    /// The provinces in which this unit can support a move of another one with these destinations. Those that
    /// an army reaches only with this fleet's help do not count, because the fleet cannot do both.
    #[inline]
    pub(super) fn backed(&self, unit: ProvinceId, goals: &ProvinceSet) -> ProvinceSet {
        if unit == self.at.province {
            return ProvinceSet::EMPTY;
        }
        let backed = *goals & *self.reach;
        self.only_by_itself(unit).map_or(backed, |&only| backed - only)
    }

    /// The destinations that an army reaches only with this fleet's help; empty for other units.
    #[inline]
    pub(super) fn only_by_itself(&self, army: ProvinceId) -> Option<&'a ProvinceSet> {
        let carriages = self.chains.carriages(self.at.province);
        carriages.iter().find(|carriage| carriage.army == army).map(|carriage| &carriage.only)
    }
}

/// The number of orders of each sort that a unit has.
pub(super) struct Counts {
    moves: usize,
    held: usize,
    backed: usize,
    /// The total of these, including convoy orders, orders of army/fleets, and the order to hold.
    pub(super) total: u32,
}
