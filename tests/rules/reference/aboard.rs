//! The additions of the army/fleet page, before the movement and after it.

use upheaval::ids::{Location, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::rulebook::{ArmyBecomesFleet, Rulebook};
use upheaval::topology::Board;

use super::{Assignment, Given, Variable};

/// An army that lands is listed like a unit, in the province it lands from, with the index of its fleet.
pub(super) type Carrier = Option<usize>;

/// Rule 1: the board and the orders once all armies that board are aboard. Actions that a fleet with an army may not
/// take (rule 2) have become holds, and so have the orders of armies that cannot board.
fn boarded(board: &Board, rules: &Rulebook, position: &Position, orders: &Orders) -> (Position, Orders) {
    let (mut after, mut plain) = (position.clone(), orders.clone());
    let boards = |army: ProvinceId| {
        let (Order::Embark { fleet }, unit) = (orders[army], position.unit(army)?) else { return None };
        let carrier = position.unit(fleet)?;
        let can = rules.army_fleets.allowed()
            && unit.kind == UnitKind::Army
            && carrier.kind == UnitKind::Fleet
            && board.sea().contains(fleet)
            && board.seas_next_to(army).contains(fleet)
            && carrier.power == unit.power
            && carrier.cargo == Cargo::Nothing;
        can.then_some(fleet)
    };
    for army in *position.occupied() {
        if matches!(orders[army], Order::Embark { .. }) {
            plain[army] = Order::Hold;
        }
        let Some(fleet) = boards(army) else { continue };
        // A fleet carries one army: if two try to board it, neither does.
        if position.occupied().iter().filter(|&other| boards(other) == Some(fleet)).count() == 1 {
            after.take(army);
            after.set_cargo(fleet, Cargo::Army { seasons: 0 });
        }
    }
    for fleet in *after.laden() {
        let ashore = matches!(orders[fleet], Order::Move { to, .. } if !board.sea().contains(to.province));
        if ashore || matches!(orders[fleet], Order::Convoy { .. }) {
            plain[fleet] = Order::Hold;
        }
    }
    (after, plain)
}

impl<'a> Given<'a> {
    pub(super) fn new(
        board: &'a Board,
        rules: &'a Rulebook,
        position: &Position,
        orders: &Orders,
    ) -> Given<'a> {
        let (before, orders) = boarded(board, rules, position, orders);
        let mut units: Vec<_> =
            before.occupied().iter().map(|at| (at, before.unit(at).unwrap(), orders[at])).collect();
        let mut carriers: Vec<Carrier> = vec![None; units.len()];
        let count = units.len();
        for landing in orders.landings() {
            let near = board.fleet_reach(Location::from(landing.from));
            let sound = rules.army_fleets.allowed()
                && board.sea().contains(landing.from)
                && near.contains(landing.to)
                && board.land().contains(landing.to);
            if !sound {
                continue;
            }
            // Rule 3, and rule 4: the armies of the power aboard where a fleet stays, or is ordered to be.
            let goal = |i: usize| match units[i].2 {
                Order::Move { to, .. } => to.province,
                _ => units[i].0,
            };
            let meant = |&i: &usize| {
                units[i].1.power == landing.power && units[i].1.is_laden() && goal(i) == landing.from
            };
            let meant: Vec<usize> = (0..count).filter(meant).collect();
            let stays = meant.iter().copied().find(|&i| units[i].0 == landing.from);
            for i in stays.map_or(meant, |i| vec![i]) {
                let to = landing.to.into();
                let order = Order::Move { to, route: upheaval::rules::order::Route::Direct };
                units.push((landing.from, Unit::army(landing.power), order));
                carriers.push(Some(i));
            }
        }
        Given { board, rules, units, carriers }
    }

    /// Does a support `from` `to` of this unit name that landing? Rule 2: a pair has the strength of one unit, so the
    /// fleet lends none to its own army.
    pub(super) fn names(&self, supporter: usize, from: ProvinceId, to: ProvinceId, landing: usize) -> bool {
        let carrier = self.carriers[landing];
        let fits = self.at(landing) == from && self.goal(landing) == Some(to);
        fits && carrier.is_some_and(|ship| ship != supporter)
    }

    /// Is it a support for that landing? It counts for all landings that it names, but if a landing of its own power is
    /// not void, only for that one.
    pub(super) fn backs(&self, supporter: usize, landing: usize, a: Assignment) -> bool {
        let Order::SupportLanding { from, to } = self.units[supporter].2 else { return false };
        let power = |i: usize| self.units[i].1.power;
        let is_own = |i: usize| {
            self.names(supporter, from, to, i)
                && power(i) == power(supporter)
                && a.get(Variable::FleetArrives(i))
        };
        self.names(supporter, from, to, landing)
            && (power(landing) == power(supporter) || !self.all().any(is_own))
    }

    /// Rule 5: the fleets of its own power that ferry this army. If there are any, it leaves its province for certain.
    pub(super) fn own_ferries(&self, i: usize) -> Vec<ProvinceId> {
        if !self.rules.army_fleets.allowed() || !self.wants_convoy(i) || self.may_walk(i) {
            return vec![];
        }
        let own = |f: &ProvinceId| self.units[self.unit_in(*f).unwrap()].1.power == self.units[i].1.power;
        self.routes(i, &self.fleets(i)).concat().into_iter().filter(own).collect()
    }

    /// Has the unit left its province, for another or for a fleet?
    pub(super) fn leaves(&self, i: usize, a: Assignment) -> bool {
        a.get(Variable::Succeeds(i)) || !self.own_ferries(i).is_empty()
    }

    /// The army aboard this fleet when everything is over: the previous one, unless it has landed, or one that could
    /// not land.
    fn cargo_after(&self, i: usize, a: Assignment) -> Cargo {
        let landed = |l: usize| self.carriers[l] == Some(i) && a.get(Variable::Succeeds(l));
        if self.carriers[i].is_some() || self.all().any(landed) {
            return Cargo::Nothing;
        }
        let rescued = |army: usize| {
            let ferries = self.own_ferries(army);
            let safe = ferries.iter().filter(|f| !self.entered(**f, a)).min();
            !a.get(Variable::Succeeds(army)) && safe.or(ferries.iter().min()) == Some(&self.at(i))
        };
        if self.all().any(rescued) { Cargo::Army { seasons: 0 } } else { self.units[i].1.cargo }
    }

    /// All units in their final places: the position, and the units that must retreat, with their provinces.
    pub(super) fn carried_out(&self, a: Assignment) -> (Position, Vec<(ProvinceId, Unit)>) {
        let (mut after, mut retreating) = (Position::new(Powers::STANDARD), vec![]);
        for i in self.all() {
            let (at, unit, order) = self.units[i];
            let unit = unit.with_cargo(self.cargo_after(i, a));
            match order {
                Order::Move { to, .. } if a.get(Variable::Succeeds(i)) => {
                    after.place(to.province, Unit { coast: to.coast, ..unit });
                }
                // Still aboard its fleet, or newly so: the fleet's entry contains it.
                _ if self.carriers[i].is_some() || self.leaves(i, a) => {}
                _ if self.entered(at, a) => retreating.push((at, unit)),
                Order::Transform { coast } if self.becomes_fleet(i, coast.0) => {
                    after.place(at, Unit::new(UnitKind::Fleet, unit.power, coast));
                }
                _ => after.place(at, unit),
            }
        }
        (after, retreating)
    }

    fn becomes_fleet(&self, i: usize, coast: u8) -> bool {
        self.rules.army_becomes_fleet == ArmyBecomesFleet::Yes
            && self.units[i].1.kind == UnitKind::Army
            && coast < self.board.coasts(self.at(i))
    }

    /// The provinces that a stand-off left empty.
    pub(super) fn contested(&self, a: Assignment) -> ProvinceSet {
        let empty = |p: ProvinceId| !self.entered(p, a) && self.unit_in(p).is_none_or(|i| self.leaves(i, a));
        self.all()
            .filter_map(|i| self.goal(i).filter(|_| self.prevents(i, a) > 0))
            .filter(|&p| empty(p))
            .collect()
    }
}
