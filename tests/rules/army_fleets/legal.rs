//! The legal orders of army/fleets against a literal reading of the definitions, and against the adjudication: an order
//! is legal exactly if it is not void for some orders of the other units.

use upheaval::ids::{CoastId, Location, Power, ProvinceId, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{ConvoyChains, draw, is_legal, is_legal_landing, landings};
use upheaval::rules::movement::{Adjudicator, Outcome};
use upheaval::rules::order::{Landing, Order, Orders, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;
use upheaval::topology::Board;

use crate::rules::drawn::{AMPHIBIOUS, laden_position, scrambled};
use crate::rules::standard::Standard;

/// Boards with a number of units for each; every province has an index below 78.
fn laden_boards() -> impl Iterator<Item = (Board, usize)> {
    (0..12).map(|round| match round {
        0..4 => (scrambled(30, 200 + round), 18),
        4 => (Standard::load().board, 34),
        _ => (Standard::holed(round).board, 30),
    })
}

fn touch(board: &Board, sea: ProvinceId, land: ProvinceId) -> bool {
    board.sea().contains(sea) && board.land().contains(land) && board.seas_next_to(land).contains(sea)
}

fn is_army(unit: Option<Unit>, power: Power) -> bool {
    unit.is_some_and(|unit| unit.kind == UnitKind::Army && unit.power == power)
}

/// Rule 1: an army next to a sea with a fleet of its own power that carries no army.
fn can_embark(board: &Board, position: &Position, army: ProvinceId, fleet: ProvinceId) -> bool {
    let free = |unit: Unit| {
        unit.kind == UnitKind::Fleet && !unit.is_laden() && is_army(position.unit(army), unit.power)
    };
    touch(board, fleet, army) && position.unit(fleet).is_some_and(free)
}

/// Rules 3 and 4, for an army aboard this fleet and of its power, while `busy` does anything but board.
fn can_land(
    board: &Board,
    position: &Position,
    fleet: ProvinceId,
    Landing { power, from, to }: Landing,
    busy: Option<ProvinceId>,
) -> bool {
    let boards = |army| Some(army) != busy && can_embark(board, position, army, fleet);
    let Some(unit) = position.unit(fleet).filter(|unit| unit.power == power) else { return false };
    let at_sea = unit.kind == UnitKind::Fleet && board.sea().contains(fleet);
    let gets_there =
        from == fleet || board.sea().contains(from) && board.fleet_moves(fleet.into()).contains(from.into());
    at_sea
        && gets_there
        && touch(board, from, to)
        && (unit.is_laden() || position.occupied().iter().any(boards))
}

/// All pairs of provinces, and one that is not on any board.
fn pairs() -> impl Iterator<Item = (ProvinceId, ProvinceId)> {
    let all = || (0..78).chain([255]).map(ProvinceId);
    all().flat_map(move |from| all().map(move |to| (from, to)))
}

#[test]
fn landings_are_those_of_the_page() {
    let stream = &mut Stream::keyed(20, Purpose::Bot, &[]);
    let mut count = 0;
    for (board, units) in testkit::thinned(laden_boards(), 4) {
        let position = laden_position(&board, units, stream);
        let chains = ConvoyChains::new(&board, &AMPHIBIOUS, &position);
        for fleet in (0..78).chain([255]).map(ProvinceId) {
            let all: Vec<Landing> = landings(&board, &position, &chains, fleet).collect();
            assert!(all.is_sorted_by(|a, b| a < b), "canonical order, none twice: {all:?}");
            count += all.len();
            let owner = position.unit(fleet).map_or(Power::AUSTRIA, |unit| unit.power);
            for (from, to) in pairs() {
                let landing = Landing { power: owner, from, to };
                let expected = can_land(&board, &position, fleet, landing, None);
                assert_eq!(all.contains(&landing), expected, "{fleet:?}: {landing:?}");
            }
        }
        for (from, to) in pairs() {
            for power in [Power::AUSTRIA, Power::ENGLAND] {
                let landing = Landing { power, from, to };
                let can = |fleet| can_land(&board, &position, fleet, landing, None);
                let expected = position.fleets().iter().any(can);
                assert_eq!(is_legal_landing(&board, &position, &chains, landing), expected, "{landing:?}");
            }
        }
        // Without army/fleets there are no landings.
        let chains = ConvoyChains::new(&board, &Rulebook::R2023, &position);
        let none = |fleet| landings(&board, &position, &chains, ProvinceId(fleet)).next().is_none();
        assert!((0..78).all(none));
    }
    assert!(count > if testkit::tries_all() { 200 } else { 50 }, "{count}");
}

#[test]
fn orders_of_army_fleets_are_those_of_the_page() {
    let stream = &mut Stream::keyed(21, Purpose::Bot, &[]);
    let mut legal = [0; 5];
    for (board, units) in laden_boards() {
        let position = laden_position(&board, units, stream);
        let chains = ConvoyChains::new(&board, &AMPHIBIOUS, &position);
        for at in *position.occupied() {
            let unit = position.unit(at).expect("a unit");
            let here = Location { province: at, coast: unit.coast };
            let reach =
                if unit.kind == UnitKind::Army { *board.army_reach(at) } else { *board.fleet_reach(here) };
            let mut check = |kind: usize, order: Order, expected: bool| {
                assert_eq!(is_legal(&board, &position, &chains, at, order), expected, "{at:?} {order:?}");
                legal[kind] += u32::from(expected);
            };
            for coast in 0..5 {
                let can = unit.kind == UnitKind::Army && coast < board.coasts(at);
                check(0, Order::Transform { coast: CoastId(coast) }, can);
            }
            for a in (0..78).map(ProvinceId) {
                check(1, Order::Embark { fleet: a }, can_embark(&board, &position, at, a));
                if unit.is_laden() {
                    // Rule 2: from sea to sea only.
                    let to = Location::from(a);
                    let can = board.sea().contains(a) && board.fleet_moves(here).contains(to);
                    check(2, Order::Move { to, route: Route::Direct }, can);
                }
                for to in (0..78).map(ProvinceId) {
                    // Rule 5: one fleet that touches both.
                    let other = position.unit(a);
                    let can = unit.kind == UnitKind::Fleet
                        && !unit.is_laden()
                        && other.is_some_and(|other| other.kind == UnitKind::Army)
                        && a != to
                        && touch(&board, at, a)
                        && touch(&board, at, to);
                    check(3, Order::Convoy { army: a, to }, can);
                    let lands = |fleet| {
                        let power = position.unit(fleet).expect("a fleet").power;
                        let landing = Landing { power, from: a, to };
                        fleet != at && can_land(&board, &position, fleet, landing, Some(at))
                    };
                    let can = a != at && reach.contains(to) && position.fleets().iter().any(lands);
                    check(4, Order::SupportLanding { from: a, to }, can);
                }
            }
        }
    }
    assert!(legal.iter().all(|&n| n > 10), "{legal:?}");
}

/// Draws orders for all other units until the order is not void; false if it always is.
fn matters(
    board: &Board,
    position: &Position,
    chains: &ConvoyChains,
    (at, order): (ProvinceId, Order),
    tries: u32,
    (stream, adjudicator): (&mut Stream, &mut Adjudicator),
) -> bool {
    let all: Vec<Landing> =
        position.fleets().iter().flat_map(|fleet| landings(board, position, chains, fleet)).collect();
    for _ in 0..tries {
        let mut orders = Orders::all_hold();
        for other in *position.occupied() {
            orders[other] = draw(board, position, chains, other, stream).expect("a unit");
        }
        orders[at] = order;
        stream.choose(&all).into_iter().for_each(|&landing| orders.land(landing));
        let resolution = adjudicator.resolve(board, &AMPHIBIOUS, position, &orders);
        let idle = |at| {
            matches!(resolution.outcome(at), Some(Outcome::Void(_) | Outcome::NoConvoy | Outcome::Cut { .. }))
        };
        // Supporting an army that no fleet takes, or whose fleet does not arrive, is of no use.
        let lands = |l: &Landing, from, to| {
            (l.from, l.to) == (from, to)
                && !matches!(resolution.landing_outcome(l.power, l.from), Some(Outcome::Void(_)))
        };
        let in_vain = match order {
            Order::SupportMove { unit, .. } => idle(unit),
            Order::SupportLanding { from, to } => !orders.landings().iter().any(|l| lands(l, from, to)),
            _ => false,
        };
        if !idle(at) && !in_vain {
            return true;
        }
    }
    false
}

#[test]
fn an_order_is_legal_exactly_where_it_could_matter() {
    let stream = &mut Stream::keyed(22, Purpose::Bot, &[]);
    let adjudicator = &mut Adjudicator::default();
    let mut counts = [0; 2];
    let mut kept_in_its_sea = 0;
    let rounds = testkit::amount(6, 24);
    for round in 0..rounds {
        let n = 7;
        let board = scrambled(n, 300 + round);
        let position = laden_position(&board, 4, stream);
        let chains = ConvoyChains::new(&board, &AMPHIBIOUS, &position);
        let mut orders: Vec<Order> = (0..3).map(|coast| Order::Transform { coast: CoastId(coast) }).collect();
        for a in (0..n).map(ProvinceId) {
            orders.extend([Order::Embark { fleet: a }, Order::SupportHold { unit: a }]);
            orders.push(Order::Move { to: a.into(), route: Route::Convoy });
            for to in (0..n).map(ProvinceId) {
                orders.push(Order::SupportLanding { from: a, to });
                orders.push(Order::SupportMove { unit: a, to, coast: None });
                orders.push(Order::Convoy { army: a, to });
            }
        }
        for at in *position.occupied() {
            let is_fleet = position.fleets().contains(at);
            for &order in &orders {
                // The meaning of routes for a fleet is defined by legality alone.
                if is_fleet && matches!(order, Order::Move { .. }) {
                    continue;
                }
                let legal = is_legal(&board, &position, &chains, at, order);
                let is_landing = matches!(order, Order::SupportLanding { .. });
                let tries = match legal {
                    // Only slow tests count those that never matter.
                    true if is_landing && rounds < 24 => 100,
                    true => 20_000,
                    false => testkit::amount(60, 150).min(150) as u32,
                };
                let tools = (&mut *stream, &mut *adjudicator);
                let matters = matters(&board, &position, &chains, (at, order), tries, tools);
                counts[usize::from(legal)] += 1;
                // A fleet that can make way for another only by going where that fleet's army lands is kept
                // in its sea by that army: then the support for the landing is legal and cannot matter.
                if legal && !matters && is_landing {
                    kept_in_its_sea += 1;
                    continue;
                }
                assert_eq!(legal, matters, "round {round}: {at:?} {order:?}\n{position:?}");
            }
        }
    }
    assert!(counts[0] > 1_000 && counts[1] > 200 || rounds < 24, "{counts:?}");
    assert!(kept_in_its_sea * 100 < counts[1] || rounds < 24, "{kept_in_its_sea} of {counts:?}");
}
