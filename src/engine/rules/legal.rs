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
mod tally;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_aboard;

pub use aboard::{is_legal_landing, landings};
use chains::Carriage;
pub use chains::ConvoyChains;
#[cfg(test)]
pub(crate) use tests::{AMPHIBIOUS, laden_position, random_position};

use crate::rules::order::{Order, Route};
use crate::rules::position::Position;
use upheaval_map::ids::{Designation, Location, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Board;

/// Appends the legal orders of the unit in `at`, ascending; nothing where no unit stands. Allocates only to
/// let `out` grow.
///
/// ```
/// use std::sync::Arc;
/// use upheaval_engine::prelude::*;
/// use upheaval_engine::rules::legal::{ConvoyChains, legal_orders};
///
/// let variant = Variant::find("standard", "".as_ref())?.expect("it ships");
/// let (board, position) = (variant.terrain.board(), &variant.position);
/// let chains = ConvoyChains::new(board, &variant.rulebook, position);
/// let mut orders = Vec::new();
/// let kiel = variant.terrain.names().find("KIE").expect("it is on the board");
/// legal_orders(board, position, &chains, kiel, &mut orders);
/// assert_eq!(orders.len(), upheaval_engine::rules::legal::count(board, position, &chains, kiel));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn legal_orders(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    out: &mut Vec<Order>,
) {
    let Some(options) = Options::new(board, position, chains, at) else { return };
    out.push(Order::Hold);
    let direct = |to| Order::Move { to, route: Route::Direct };
    match options.designation {
        Designation::Army => {
            let convoyed = options.convoyed();
            (*options.reach | convoyed).iter().for_each(|province| {
                let to = province.into();
                if options.reach.contains(province) {
                    out.push(direct(to));
                }
                if convoyed.contains(province) {
                    out.push(Order::Move { to, route: Route::Convoy });
                }
            });
        }
        Designation::Fleet => out.extend(board.fleet_moves(options.at).iter().copied().map(direct)),
        Designation::ArmyFleet => {
            out.extend(options.steps_at_sea().iter().map(|province| direct(province.into())));
        }
    }
    options.held().iter().for_each(|unit| out.push(Order::SupportHold { unit }));
    chains.find_mover(options.reach, |unit, goals| {
        let backed = options.backed(unit, goals);
        backed.iter().for_each(|to| out.push(Order::SupportMove { unit, to, coast: None }));
        None::<()>
    });
    for &Carriage { army, to, .. } in chains.carriages(at) {
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
        Order::Move { to, route } => options.can_move(to, route),
        Order::SupportHold { unit } => options.reach.contains(unit) && position.occupied().contains(unit),
        Order::SupportMove { unit, to, coast } => {
            coast.is_none()
                && unit != at
                && position.occupied().contains(unit)
                && options.reach.contains(to)
                && chains.goals(unit).contains(to)
                && !options.only_by_itself(unit).is_some_and(|only| only.contains(to))
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
    Options::new(board, position, chains, at).map_or(0, |options| options.counts().total as usize)
}

/// One of the legal orders of the unit in `at`, each equally likely; `None` where no unit stands. Draws one
/// number, and counts rather than lists.
#[inline]
pub fn draw(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    at: ProvinceId,
    stream: &mut Stream,
) -> Option<Order> {
    let options = Options::new(board, position, chains, at)?;
    let counts = options.counts();
    options.nth(stream.below(counts.total) as usize, &counts)
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
    options.nth(n, &options.counts())
}

/// What one unit can do.
struct Options<'a> {
    board: &'a Board,
    position: &'a Position,
    chains: &'a ConvoyChains,
    at: Location,
    designation: Designation,
    /// The provinces in which it can lend its support: where it could go by itself, but that an army/fleet supports
    /// on the shore as well.
    reach: &'a ProvinceSet,
}

impl<'a> Options<'a> {
    #[inline]
    fn new(
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
    fn can_move(&self, to: Location, route: Route) -> bool {
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
    fn held(&self) -> ProvinceSet {
        *self.reach & *self.position.occupied()
    }

    /// How many orders there are of each sort.
    #[inline]
    fn counts(&self) -> Counts {
        let reach = self.reach.len();
        // The moves, and the provinces among them in which it could lend its support too.
        let (moves, own) = match self.designation {
            Designation::Army => (reach + self.convoyed().len(), reach),
            Designation::Fleet => (self.board.fleet_moves(self.at).len(), reach),
            Designation::ArmyFleet => {
                let steps = self.steps_at_sea().len();
                (steps, steps)
            }
        };
        // For each province that it reaches, the others that could go there ...
        let mut backed = self.chains.visits(self.reach) - own;
        let mut convoys = 0;
        for carriage in self.chains.carriages(self.at.province) {
            // ... but for armies that could not without this fleet.
            backed -= (carriage.only & *self.reach).len();
            convoys += carriage.to.len();
        }
        let held = self.held().len();
        let others = if self.chains.amphibious() { self.of_army_fleets().count() } else { 0 };
        let total = (1 + moves + held + backed + convoys + others) as u32;
        Counts { moves, held, backed, total }
    }

    /// The `n`-th order, counted from 0. `counts` are this unit's.
    #[inline]
    fn nth(&self, n: usize, counts: &Counts) -> Option<Order> {
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

    /// The `n`-th move, counted from 0: by province, a step before a convoy to the same.
    #[inline]
    fn nth_move(&self, mut n: usize) -> Option<Order> {
        let (steps, convoyed) = match self.designation {
            Designation::Army => (*self.reach, self.convoyed()),
            Designation::Fleet => {
                let to = self.board.fleet_moves(self.at).get(n);
                return to.map(|&to| Order::Move { to, route: Route::Direct });
            }
            Designation::ArmyFleet => (self.steps_at_sea(), ProvinceSet::EMPTY),
        };
        if convoyed.is_empty() {
            return steps.nth(n).map(|province| Order::Move { to: province.into(), route: Route::Direct });
        }
        for province in steps | convoyed {
            for (set, route) in [(&steps, Route::Direct), (&convoyed, Route::Convoy)] {
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

    /// The `n`-th support of a move, counted from 0: by the unit that moves, then by its destination.
    #[inline]
    fn nth_backed(&self, mut n: usize) -> Option<Order> {
        self.chains.find_mover(self.reach, |unit, goals| {
            let backed = self.backed(unit, goals);
            let count = backed.len();
            if n < count {
                return backed.nth(n).map(|to| Order::SupportMove { unit, to, coast: None });
            }
            n -= count;
            None
        })
    }

    /// Where fleets could convoy it, if it is an army.
    #[inline]
    fn convoyed(&self) -> ProvinceSet {
        self.chains.convoyed(self.at.province)
    }

    /// Where an army/fleet can go.
    #[inline]
    fn steps_at_sea(&self) -> ProvinceSet {
        *self.reach & *self.board.sea()
    }

    /// Where this unit can support a move of another one with these goals. What an army reaches only with this fleet's
    /// help does not count, as the fleet cannot give both.
    #[inline]
    fn backed(&self, unit: ProvinceId, goals: &ProvinceSet) -> ProvinceSet {
        if unit == self.at.province {
            return ProvinceSet::EMPTY;
        }
        let backed = *goals & *self.reach;
        self.only_by_itself(unit).map_or(backed, |&only| backed - only)
    }

    /// Where an army gets only by this fleet's help, if it is a fleet that can help it anywhere.
    #[inline]
    fn only_by_itself(&self, army: ProvinceId) -> Option<&'a ProvinceSet> {
        let carriages = self.chains.carriages(self.at.province);
        carriages.iter().find(|carriage| carriage.army == army).map(|carriage| &carriage.only)
    }
}

/// How many orders of each sort a unit has.
struct Counts {
    moves: usize,
    held: usize,
    backed: usize,
    /// All of these, those to convoy, those of army/fleets, and the one to hold.
    total: u32,
}
