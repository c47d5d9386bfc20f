//! The legal orders of a unit, in canonical order.
//!
//! This is the only definition: bots choose from it, their orders are checked against it, and the reading of
//! written orders ([`super::notation`]) ends in it. An order is legal if it *could* matter on this board with
//! these units, whatever the other units do (DATC 4.E.1):
//!
//! - to hold;
//! - to move to a neighbour, for a fleet to a certain coast of it;
//! - for an army, to be convoyed to any other province that a chain of fleets at sea links to its own, a
//!   neighbour too; the fleets may be anyone's and need not be willing (6.D.32: without them it is illegal);
//! - to support a unit in holding, in a province that the supporter could move to without a convoy;
//! - to support another unit's move to such a province, if that unit could go there on its own or by a chain
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
//! A support that names a coast is accepted in writing but is not a canonical legal order: the same support
//! without the coast is.

mod aboard;
mod chains;
mod options;
mod shares;
mod shore;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_aboard;

pub use aboard::{is_legal_landing, landings};
use chains::Carriage;
pub use chains::ConvoyChains;
use options::Options;
#[cfg(test)]
pub(crate) use tests::{AMPHIBIOUS, laden_position, random_position};

use crate::rules::order::{Order, Route};
use crate::rules::position::Position;
use upheaval_map::ids::{Designation, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Board;

/// Appends the legal orders of the unit in `at`, ascending; none if there is no unit. Allocates only to grow
/// `out`.
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
        Designation::Fleet => out.extend(board.fleet_moves(options.at).iter().map(direct)),
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

/// Is the order one of those that [`legal_orders`] lists for the unit in `at`? The [`Order`] may be
/// arbitrary.
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

/// The destinations to which a fleet can be ordered to convoy an army, according to its legal orders.
#[inline]
pub fn convoy_goals(chains: &ConvoyChains, fleet: ProvinceId, army: ProvinceId) -> ProvinceSet {
    let carriages = chains.carriages(fleet).iter().filter(|carriage| carriage.army == army);
    carriages.fold(ProvinceSet::EMPTY, |goals, carriage| goals | carriage.to)
}

/// The number of legal orders of the unit in `at`; 0 if there is no unit.
pub fn count(board: &Board, position: &Position, chains: &ConvoyChains, at: ProvinceId) -> usize {
    Options::new(board, position, chains, at).map_or(0, |options| options.counts().total as usize)
}

/// One of the legal orders of the unit in `at`, each equally likely; `None` if there is no unit. Draws one
/// number, and counts the orders instead of listing them.
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
