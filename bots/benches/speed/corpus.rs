//! Positions with orders to all units, as input for the adjudicator. All on `standard`, all from fixed seeds.

use upheaval::game::Referee;
use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Log;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::order::{Order, Orders, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::topology::Board;

use super::seats::{SEED, bot, play_game, variant};

/// A movement phase to be settled.
pub struct Case {
    pub position: Position,
    pub orders: Orders,
}

/// Keeps the positions and orders of every movement phase.
#[derive(Default)]
struct Keeper(Vec<Case>);

impl Log for Keeper {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, .. } = settlement.settled else { return };
        self.0.push(Case { position: position.clone(), orders: orders.clone() });
    }
}

/// The movement phases of this many games of random play, 1901 to 1910.
pub fn random(games: u64) -> Vec<Case> {
    let (variant, mut referee, mut keeper) = (variant("standard"), Referee::new(), Keeper::default());
    for block in 0..games {
        play_game(&variant, &bot("random"), block, &mut referee, &mut keeper);
    }
    keeper.0
}

/// The positions of random play, with orders drawn for conflict: two of three units move to the province in their reach
/// that most other units can reach, and the third supports one of those moves if it can, otherwise it moves too.
pub fn many_conflicts(board: &Board, games: u64) -> Vec<Case> {
    let mut dice = Stream::keyed(SEED, Purpose::Bot, &[u64::MAX]);
    random(games).into_iter().map(|case| contested(board, case.position, &mut dice)).collect()
}

/// The destinations of a unit's own moves.
fn moves(board: &Board, position: &Position, at: ProvinceId) -> Vec<Location> {
    match position.unit(at).map(|unit| unit.kind) {
        None => Vec::new(),
        Some(UnitKind::Army) => board.army_reach(at).iter().map(Location::from).collect(),
        Some(UnitKind::Fleet) => {
            position.location(at).map_or(Vec::new(), |from| board.fleet_moves(from).iter().collect())
        }
    }
}

fn contested(board: &Board, position: Position, dice: &mut Stream) -> Case {
    let units: Vec<ProvinceId> = position.occupied().iter().collect();
    let reach: Vec<Vec<Location>> = units.iter().map(|&at| moves(board, &position, at)).collect();
    let crowd = |to: ProvinceId| reach.iter().filter(|of| of.iter().any(|l| l.province == to)).count();
    let mut orders = Orders::all_hold();
    let mut waiting = Vec::new();
    for (&at, reach) in units.iter().zip(&reach) {
        // Of provinces with equal crowds the first, so that units agree on it.
        let to = reach.iter().copied().rev().max_by_key(|to| crowd(to.province));
        let charge = to.map_or(Order::Hold, |to| Order::Move { to, route: Route::Direct });
        if dice.below(3) == 0 {
            waiting.push((at, charge));
        } else {
            orders[at] = charge;
        }
    }
    let chains = ConvoyChains::new(board, &Rulebook::R2023, &position);
    let mut listed = Vec::new();
    for (at, charge) in waiting {
        listed.clear();
        legal::legal_orders(board, &position, &chains, at, &mut listed);
        listed.retain(
            |order| matches!(*order, Order::SupportMove { unit, to, .. } if goes(&orders, unit) == Some(to)),
        );
        orders[at] = dice.choose(&listed).copied().unwrap_or(charge);
    }
    Case { position, orders }
}

fn goes(orders: &Orders, unit: ProvinceId) -> Option<ProvinceId> {
    match orders[unit] {
        Order::Move { to, .. } => Some(to.province),
        _ => None,
    }
}

/// The number of units that are packed together.
const PACKED: usize = 34;

/// The number of them that support or convoy: two thirds.
const HELPERS: usize = 23;

/// 34 units packed together, with consistent orders: a third of the units move or are convoyed if they can, and two
/// thirds support or convoy an actual order.
pub fn packed(board: &Board, count: usize) -> Vec<Case> {
    let mut dice = Stream::keyed(SEED, Purpose::Bot, &[u64::MAX, 1]);
    let mut found = Vec::new();
    while found.len() < count {
        let position = crowded(board, &mut dice);
        found.extend(fitting(board, &position, &mut dice).map(|orders| Case { position, orders }));
    }
    found
}

/// Units in provinces that are all connected, each of some power.
fn crowded(board: &Board, dice: &mut Stream) -> Position {
    let passable = board.passable();
    let mut taken = ProvinceSet::EMPTY;
    let all: Vec<ProvinceId> = passable.iter().collect();
    let mut edge: ProvinceSet = dice.choose(&all).copied().into_iter().collect();
    while taken.len() < PACKED {
        let open: Vec<ProvinceId> = edge.iter().collect();
        let Some(&next) = dice.choose(&open) else { break };
        taken.insert(next);
        edge |= *board.army_reach(next) | *board.fleet_reach_any(next) | *board.seas_next_to(next);
        edge = (edge & passable) - taken;
    }
    let mut position = Position::new(Powers::STANDARD);
    for at in taken {
        let power = *dice.choose(&Power::STANDARD).expect("a power");
        let stations: Vec<Location> = board.stations_of(at).collect();
        let afloat = board.sea().contains(at) || (!stations.is_empty() && dice.below(3) == 0);
        let unit = match dice.choose(&stations) {
            Some(station) if afloat => Unit::new(UnitKind::Fleet, power, station.coast),
            _ => Unit::new(UnitKind::Army, power, CoastId::FIRST),
        };
        position.place(at, unit);
    }
    position
}

/// Orders of which two thirds help others; `None` if too few can.
fn fitting(board: &Board, position: &Position, dice: &mut Stream) -> Option<Orders> {
    let chains = ConvoyChains::new(board, &Rulebook::R2023, position);
    let mut units: Vec<ProvinceId> = position.occupied().iter().collect();
    dice.shuffle(&mut units);
    let (helpers, others) = units.split_at(HELPERS);
    let mut orders = Orders::all_hold();
    let mut listed = Vec::new();
    for &at in others {
        listed.clear();
        legal::legal_orders(board, position, &chains, at, &mut listed);
        listed.retain(|order| matches!(order, Order::Move { .. }));
        // Armies that can be convoyed are.
        prefer(&mut listed, |order| matches!(order, Order::Move { route: Route::Convoy, .. }));
        orders[at] = dice.choose(&listed).copied().unwrap_or(Order::Hold);
    }
    for &at in helpers {
        listed.clear();
        legal::legal_orders(board, position, &chains, at, &mut listed);
        listed.retain(|&order| fits(&orders, order));
        // A fleet that can contribute to a convoy does so, and moves take precedence over holds.
        prefer(&mut listed, |order| !matches!(order, Order::SupportHold { .. }));
        prefer(&mut listed, |order| matches!(order, Order::Convoy { .. }));
        orders[at] = *dice.choose(&listed)?;
    }
    Some(orders)
}

/// Keeps only orders of a kind, if there are any.
fn prefer(listed: &mut Vec<Order>, kind: fn(&Order) -> bool) {
    if listed.iter().any(kind) {
        listed.retain(kind);
    }
}

/// Does a support or convoy agree with the actual orders?
fn fits(orders: &Orders, help: Order) -> bool {
    match help {
        Order::SupportHold { unit } => goes(orders, unit).is_none(),
        Order::SupportMove { unit, to, .. } => goes(orders, unit) == Some(to),
        Order::Convoy { army, to } => {
            matches!(orders[army], Order::Move { to: there, route: Route::Convoy } if there.province == to)
        }
        _ => false,
    }
}

/// The contents of a corpus, in words.
pub fn account(cases: &[Case]) -> String {
    let orders = || cases.iter().flat_map(|case| case.position.occupied().iter().map(|at| case.orders[at]));
    let share =
        |is: fn(&Order) -> bool| 100.0 * orders().filter(is).count() as f64 / orders().count().max(1) as f64;
    format!(
        "{} positions of {:.1} units on average: {:.0}% of the orders are moves, {:.0}% supports, {:.0}% convoys",
        cases.len(),
        orders().count() as f64 / cases.len().max(1) as f64,
        share(|order| matches!(order, Order::Move { .. })),
        share(|order| matches!(order, Order::SupportHold { .. } | Order::SupportMove { .. })),
        share(|order| matches!(order, Order::Convoy { .. })),
    )
}
