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
//! and, where the rules have army/fleets or armies that become fleets:
//!
//! - for an army on a coast, to become a fleet, and to board a fleet of its power's in a sea next to it;
//! - for an army/fleet, all that a fleet could but to convoy and to go ashore;
//! - to support the landing of an army, where the supporter could go;
//! - for an army aboard, to land ([`landings`]): an order beside that of its fleet.
//!
//! A support that names a coast is accepted in writing but is not a canonical legal order: the same support
//! without the coast is.

mod chains;

use crate::rules::legal::chains::{Carriage, boarders, shore_of};
use crate::rules::order::{Landing, Order, Route};
use crate::rules::position::Position;
use multiversion::multiversion;
use upheaval_map::ids::{CoastId, Designation, Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Board;

pub use crate::rules::legal::chains::ConvoyChains;
pub(in crate::rules) use crate::rules::legal::chains::connected;

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
///
/// It counts the members of dozens of sets. It is compiled twice, and a processor that has an instruction for that
/// runs the second version, in which everything below is inlined.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
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

// The options of one unit: its legal orders, counted and found by number without listing them.

/// The options of one unit.
struct Options<'a> {
    board: &'a Board,
    position: &'a Position,
    chains: &'a ConvoyChains,
    at: Location,
    designation: Designation,
    /// The provinces in which it can give support: where it could go without a convoy; an army/fleet can also
    /// support on the shore.
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

    /// The number of orders of each sort.
    #[inline(always)]
    fn counts(&self) -> Counts {
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

    /// The `n`-th move, counted from 0: by province, a direct move before a convoy to the same province.
    #[inline(always)]
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
    #[inline(always)]
    fn nth_backed(&self, mut n: usize) -> Option<Order> {
        let chains = self.chains;
        let carriages = chains.carriages(self.at.province);
        let own = chains.rank(self.at.province);
        for (group, mut shares) in chains.shares(self.reach).enumerate() {
            let first = group * chains::UNITS;
            let here = first..first + chains::UNITS;
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
    fn convoyed(&self) -> ProvinceSet {
        self.chains.convoyed(self.at.province)
    }

    /// The destinations of an army/fleet.
    #[inline]
    fn steps_at_sea(&self) -> ProvinceSet {
        *self.reach & *self.board.sea()
    }

    /// The provinces in which this unit can support a move of another one with these destinations. Those that
    /// an army reaches only with this fleet's help do not count, because the fleet cannot do both.
    #[inline]
    fn backed(&self, unit: ProvinceId, goals: &ProvinceSet) -> ProvinceSet {
        if unit == self.at.province {
            return ProvinceSet::EMPTY;
        }
        let backed = *goals & *self.reach;
        self.only_by_itself(unit).map_or(backed, |&only| backed - only)
    }

    /// The destinations that an army reaches only with this fleet's help; empty for other units.
    #[inline]
    fn only_by_itself(&self, army: ProvinceId) -> Option<&'a ProvinceSet> {
        let carriages = self.chains.carriages(self.at.province);
        carriages.iter().find(|carriage| carriage.army == army).map(|carriage| &carriage.only)
    }
}

/// The number of orders of each sort that a unit has.
struct Counts {
    moves: usize,
    held: usize,
    backed: usize,
    /// The total of these, including convoy orders, orders of army/fleets, and the order to hold.
    total: u32,
}

// The additional legal orders under the army/fleet rules, and of armies that become fleets.
//
// ```text
//   LON ──▶ ENG ──────────▶ MAO ──▶ POR        A LON E F ENG     board,
//       E       A/F ENG - MAO    D             A/F ENG - MAO     sail one space,
//                                              A MAO D POR       and land: in one season (army/fleet rule 4)
// ```
//
// The action of an army aboard is a separate order beside the fleet's, and names the sea that the army lands
// from. The adjudication decides whether the fleet gets there; an order is legal if it could succeed.

/// The landings of the army that is aboard the fleet here or could board it, in canonical order: from the
/// fleet's sea and from every sea that it could sail to. Empty if there is no such fleet.
pub fn landings<'a>(
    board: &'a Board,
    position: &Position,
    chains: &ConvoyChains,
    fleet: ProvinceId,
) -> impl Iterator<Item = Landing> + use<'a> {
    let power = position.unit(fleet).map(|unit| unit.power).filter(|_| chains.carriers.contains(fleet));
    let of = move |power: Power| {
        let seas = ProvinceSet::single(fleet) | (*board.seas_next_to(fleet) & *board.sea());
        seas.into_iter().flat_map(move |from| {
            shore_of(board, from).into_iter().map(move |to| Landing { power, from, to })
        })
    };
    power.into_iter().flat_map(of)
}

/// Is the landing one of those that [`landings`] lists for a fleet of its power? The landing may be
/// arbitrary.
pub fn is_legal_landing(board: &Board, position: &Position, chains: &ConvoyChains, landing: Landing) -> bool {
    !chains.own_landers(board, position, landing).is_empty()
        && shore_of(board, landing.from).contains(landing.to)
}

impl Options<'_> {
    /// The orders defined in this module, in canonical order.
    #[inline]
    fn of_army_fleets(&self) -> impl Iterator<Item = Order> + use<'_> {
        // In most variants there are none, and this is called for every unit.
        self.chains.amphibious().then(|| self.list_of_army_fleets()).into_iter().flatten()
    }

    fn list_of_army_fleets(&self) -> impl Iterator<Item = Order> + use<'_> {
        let supports = self.landing_seas().into_iter().flat_map(|from| {
            self.backed_landings(from).into_iter().map(move |to| Order::SupportLanding { from, to })
        });
        let coasts = (0..self.coasts_to_take()).map(|coast| Order::Transform { coast: CoastId(coast) });
        let fleets = self.fleets_to_board().into_iter().map(|fleet| Order::Embark { fleet });
        supports.chain(coasts).chain(fleets)
    }

    /// The seas from which landings can be supported by this unit.
    fn landing_seas(&self) -> ProvinceSet {
        if self.chains.carriers.is_empty() {
            return ProvinceSet::EMPTY;
        }
        let mut seas = ProvinceSet::EMPTY;
        for to in *self.reach & *self.board.land() {
            seas |= *self.board.seas_next_to(to);
        }
        seas
    }

    /// The provinces in which this unit can support a landing from that sea. A pair has the strength of one
    /// unit: a fleet cannot support the landing of the army that it carries itself, and another unit lands
    /// from its sea only if the fleet is dislodged. An army cannot support a landing that only it could make.
    fn backed_landings(&self, from: ProvinceId) -> ProvinceSet {
        let mut others = self.chains.landers(self.board, from);
        others.remove(self.at.province);
        let has_another = |fleet: &ProvinceId| {
            let mut boarders = boarders(self.board, self.position, *fleet);
            boarders.remove(self.at.province);
            self.position.laden().contains(*fleet) || !boarders.is_empty()
        };
        let sea = self.board.sea().contains(from);
        if !sea || from == self.at.province || !others.iter().any(|fleet| has_another(&fleet)) {
            return ProvinceSet::EMPTY;
        }
        shore_of(self.board, from) & *self.reach
    }

    /// The number of coasts on which an army can become a fleet; 0 if it cannot.
    fn coasts_to_take(&self) -> u8 {
        match self.designation {
            Designation::Army if self.chains.transform.allowed(self.position, self.at.province) => {
                self.board.coasts(self.at.province)
            }
            _ => 0,
        }
    }

    /// The seas with a fleet that the army can board.
    fn fleets_to_board(&self) -> ProvinceSet {
        match (self.designation, self.position.unit(self.at.province)) {
            (Designation::Army, Some(unit)) => {
                self.chains.piers(self.board, self.at.province) & *self.position.units_of(unit.power)
            }
            _ => ProvinceSet::EMPTY,
        }
    }
}
