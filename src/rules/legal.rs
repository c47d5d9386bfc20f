//! The legal orders of a unit, in canonical order.
//!
//! This is the one definition: bots choose from it, their orders are checked against it, and the reading of
//! written orders ([`super::notation`]) ends in it. Legal is what *could* matter on this board with these
//! units, whatever the others do (DATC 4.E.1):
//!
//! - to hold;
//! - to move to a neighbour, for a fleet to a certain coast of it;
//! - for an army, to be convoyed to any other province that a chain of fleets at sea links to its own, a
//!   neighbour too; the fleets may be anyone's and need not be willing (6.D.32: without them it is illegal);
//! - to support a unit in holding, in a province that the supporter could move to by itself;
//! - to support another unit's move to such a province, if that unit could go there by itself or by a chain
//!   of fleets that the supporter is not a link of (6.D.31);
//! - for a fleet at sea, to convoy an army where it is of use to the convoy ([`ConvoyChains`]).
//!
//! and, where the rules have army/fleets or armies that become fleets (`legal/aboard.rs`):
//!
//! - for an army on a coast, to become a fleet, and to board a fleet of its power's in a sea next to it;
//! - for an army/fleet, all that a fleet could but to convoy and to go ashore;
//! - to support the landing of an army, where the supporter could go;
//! - for an army aboard, to land ([`landings`]): an order beside that of its fleet.
//!
//! A support that names a coast is accepted in writing but is no legal order in the canonical sense: the same
//! support without the coast is.

mod aboard;
mod chains;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_aboard;

pub use aboard::{is_legal_landing, landings};
use chains::Carriage;
pub use chains::ConvoyChains;
#[cfg(test)]
pub(crate) use tests::{AMPHIBIOUS, laden_position, random_position};

use crate::ids::{Designation, Location, ProvinceId, ProvinceSet, UnitKind};
use crate::rng::Stream;
use crate::rules::order::{Order, Route};
use crate::rules::position::Position;
use crate::topology::Board;

/// Appends the legal orders of the unit in `at`, ascending; nothing where no unit stands. Allocates only to
/// let `out` grow.
pub fn legal_orders(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    out: &mut Vec<Order>,
) {
    let Some(options) = Options::new(board, position, chains, at) else { return };
    out.push(Order::Hold);
    match options.by_water {
        None => {
            for province in options.steps | options.convoyed {
                let to = province.into();
                if options.steps.contains(province) {
                    out.push(Order::Move { to, route: Route::Direct });
                }
                if options.convoyed.contains(province) {
                    out.push(Order::Move { to, route: Route::Convoy });
                }
            }
        }
        Some(moves) => {
            out.extend(moves.iter().map(|&to| Order::Move { to, route: Route::Direct }));
        }
    }
    let held = options.reach & *position.occupied();
    held.iter().for_each(|unit| out.push(Order::SupportHold { unit }));
    options.movers().iter().for_each(|unit| {
        let backed = options.backed(unit);
        backed.iter().for_each(|to| out.push(Order::SupportMove { unit, to, coast: None }));
    });
    for &Carriage { army, to } in chains.carriages(at) {
        to.iter().for_each(|to| out.push(Order::Convoy { army, to }));
    }
    out.extend(options.of_army_fleets());
}

/// Is the order one of those that [`legal_orders`] lists for the unit in `at`? Any value of [`Order`] may be
/// asked about.
pub fn is_legal(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    order: Order,
) -> bool {
    let Some(options) = Options::new(board, position, chains, at) else { return false };
    match order {
        Order::Hold => true,
        Order::Move { to, route } => match (options.by_water, route) {
            (None, Route::Direct) => to == to.province.into() && options.steps.contains(to.province),
            (None, Route::Convoy) => to == to.province.into() && options.convoyed.contains(to.province),
            (Some(moves), Route::Direct) => options.reach.contains(to.province) && moves.contains(&to),
            (Some(_), Route::Convoy) => false,
        },
        Order::SupportHold { unit } => options.reach.contains(unit) && position.occupied().contains(unit),
        Order::SupportMove { unit, to, coast } => {
            coast.is_none()
                && unit != at
                && position.occupied().contains(unit)
                && options.reach.contains(to)
                && options.backed(unit).contains(to)
        }
        Order::Convoy { army, to } => {
            chains.carriages(at).iter().any(|carriage| carriage.army == army && carriage.to.contains(to))
        }
        Order::SupportLanding { from, to } => options.backed_landings(from).contains(to),
        Order::Transform { coast } => coast.0 < options.coasts_to_take(),
        Order::Embark { fleet } => options.fleets_to_board().contains(fleet),
    }
}

/// How many legal orders the unit in `at` has; 0 where no unit stands.
pub fn count(board: &Board, position: &Position, chains: &ConvoyChains, at: ProvinceId) -> usize {
    let Some(options) = Options::new(board, position, chains, at) else { return 0 };
    let convoys: usize = chains.carriages(at).iter().map(|carriage| carriage.to.len()).sum();
    let backed: usize = options.movers().iter().map(|unit| options.backed(unit).len()).sum();
    let held = (options.reach & *position.occupied()).len();
    1 + options.move_count() + held + backed + convoys + options.of_army_fleets().count()
}

/// One of the legal orders of the unit in `at`, each equally likely; `None` where no unit stands. Draws one
/// number, and counts rather than lists.
pub fn draw(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    stream: &mut Stream,
) -> Option<Order> {
    let n = stream.below(count(board, position, chains, at) as u32) as usize;
    nth(board, position, chains, at, n)
}

/// The `n`-th of the orders that [`legal_orders`] lists, counted from 0.
pub fn nth(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    n: usize,
) -> Option<Order> {
    let options = Options::new(board, position, chains, at)?;
    let Some(mut n) = n.checked_sub(1) else { return Some(Order::Hold) };
    let moves = options.move_count();
    if n < moves {
        return options.nth_move(n);
    }
    n -= moves;
    let held = options.reach & *position.occupied();
    if n < held.len() {
        return held.iter().nth(n).map(|unit| Order::SupportHold { unit });
    }
    n -= held.len();
    for unit in options.movers() {
        let backed = options.backed(unit);
        if n < backed.len() {
            return backed.iter().nth(n).map(|to| Order::SupportMove { unit, to, coast: None });
        }
        n -= backed.len();
    }
    for carriage in chains.carriages(at) {
        if n < carriage.to.len() {
            return carriage.to.iter().nth(n).map(|to| Order::Convoy { army: carriage.army, to });
        }
        n -= carriage.to.len();
    }
    options.of_army_fleets().nth(n)
}

/// What one unit can do, as sets.
struct Options<'a> {
    board: &'a Board,
    position: &'a Position,
    chains: &'a ConvoyChains,
    at: ProvinceId,
    kind: UnitKind,
    /// The provinces in which it can lend its support: where it could go by itself, but that an army/fleet supports
    /// on the shore as well.
    reach: ProvinceSet,
    /// For a fleet that carries nothing: its moves by itself, coasts and all.
    by_water: Option<&'a [Location]>,
    /// For all others: the provinces they could move to by themselves.
    steps: ProvinceSet,
    /// For an army: where fleets could convoy it.
    convoyed: ProvinceSet,
}

impl<'a> Options<'a> {
    #[inline]
    fn new(
        board: &'a Board,
        position: &'a Position,
        chains: &'a ConvoyChains,
        at: ProvinceId,
    ) -> Option<Self> {
        let unit = position.unit(at)?;
        let here = Location { province: at, coast: unit.coast };
        let nowhere = ProvinceSet::EMPTY;
        let (reach, by_water, steps, convoyed) = match unit.designation() {
            Designation::Army => {
                let reach = *board.army_reach(at);
                (reach, None, reach, chains.convoy_reach(at))
            }
            Designation::Fleet => (*board.fleet_reach(here), Some(board.fleet_moves(here)), nowhere, nowhere),
            Designation::ArmyFleet => {
                let reach = *board.fleet_reach(here);
                (reach, None, reach & *board.sea(), nowhere)
            }
        };
        Some(Options { board, position, chains, at, kind: unit.kind, reach, by_water, steps, convoyed })
    }

    fn move_count(&self) -> usize {
        self.by_water.map_or_else(|| self.steps.len() + self.convoyed.len(), <[Location]>::len)
    }

    fn nth_move(&self, mut n: usize) -> Option<Order> {
        if let Some(moves) = self.by_water {
            return moves.get(n).map(|&to| Order::Move { to, route: Route::Direct });
        }
        for province in self.steps | self.convoyed {
            for (set, route) in [(&self.steps, Route::Direct), (&self.convoyed, Route::Convoy)] {
                if !set.contains(province) {
                    continue;
                }
                if n == 0 {
                    return Some(Order::Move { to: province.into(), route });
                }
                n -= 1;
            }
        }
        None
    }

    /// The other units that could go where this one can lend its support. A superset: see
    /// [`Options::backed`].
    #[inline]
    fn movers(&self) -> ProvinceSet {
        let mut movers = ProvinceSet::EMPTY;
        self.reach.iter().for_each(|to| movers |= *self.chains.visitors(to));
        movers.remove(self.at);
        movers
    }

    /// Where this unit can support a move of another one.
    #[inline]
    fn backed(&self, unit: ProvinceId) -> ProvinceSet {
        let backed = *self.chains.goals(unit) & self.reach;
        if self.kind == UnitKind::Army || self.position.fleets().contains(unit) {
            return backed;
        }
        // A fleet and an army: what the army reaches only with this fleet's help does not count, as the
        // fleet cannot give both.
        let by_land = self.board.army_reach(unit);
        if backed.is_subset(by_land) {
            return backed;
        }
        backed & (*by_land | self.chains.convoy_reach_without(self.board, unit, self.at))
    }
}
