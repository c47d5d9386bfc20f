//! Compares the enumeration with a slow definition, and both with every value an order can have.

use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::*;
use crate::rules::movement::{Adjudicator, Outcome};
use crate::rules::order::{Landing, Orders};
use crate::rules::position::{Cargo, Unit};
use crate::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use crate::rules::test_board;
use crate::rules::variant::Variant;
use upheaval_map::ids::{CoastId, Location, Power, Powers, UnitKind};
use upheaval_map::rng::Purpose;

/// Up to `n` random units, with more fleets at sea than a game would have.
pub(crate) fn random_position(board: &Board, n: usize, stream: &mut Stream) -> Position {
    let mut position = Position::new(Powers::STANDARD);
    let places: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..n {
        let Some(&at) = stream.choose(&places) else { break };
        let stations: Vec<Location> = board.stations_of(at).collect();
        let fleet = board.sea().contains(at) || stream.below(3) == 0;
        let kind = if fleet { UnitKind::Fleet } else { UnitKind::Army };
        // Includes a fleet that has lost its coast (rules.md 8.8).
        let coast = match stream.choose(&stations) {
            Some(station) if fleet => station.coast,
            _ => CoastId::FIRST,
        };
        let power = Powers::STANDARD.get(stream.below(7) as usize).expect("a power");
        position.place(at, Unit::new(kind, power, coast));
    }
    position
}

/// The rules with all interactions of armies and fleets enabled.
pub(crate) const AMPHIBIOUS: Rulebook = Rulebook {
    army_fleets: ArmyFleets::Yes { max_seasons_aboard: None },
    army_becomes_fleet: ArmyBecomesFleet::Yes,
    ..Rulebook::R2023
};

/// A random position of three powers in which every third fleet at sea has an army aboard.
pub(crate) fn laden_position(board: &Board, n: usize, stream: &mut Stream) -> Position {
    let mut position = random_position(board, n, stream);
    for at in *position.occupied() {
        let Some(unit) = position.unit(at) else { continue };
        position.place(
            at,
            Unit { power: Powers::STANDARD.get(unit.power.index() % 3).expect("a power"), ..unit },
        );
        if board.sea().contains(at) && stream.below(3) == 0 {
            position.set_cargo(at, Cargo::Army { seasons: 1 });
        }
    }
    position
}

fn listed(board: &Board, position: &Position, chains: &ConvoyChains, at: ProvinceId) -> Vec<Order> {
    let mut orders = Vec::new();
    legal_orders(board, position, chains, at, &mut orders);
    orders
}

/// Every value of an order with ids below `n`, and some invalid ones above.
fn every_order(n: u8) -> Vec<Order> {
    let ids: Vec<ProvinceId> = (0..n).chain([100, 128, 200, 254, 255]).map(ProvinceId).collect();
    let coasts = [0, 1, 2, 3, 4, 255].map(CoastId);
    let mut all = vec![Order::Hold];
    all.extend(coasts.map(|coast| Order::Transform { coast }));
    for &a in &ids {
        all.push(Order::SupportHold { unit: a });
        all.push(Order::Embark { fleet: a });
        for coast in coasts {
            for route in [Route::Direct, Route::Convoy] {
                all.push(Order::Move { to: Location { province: a, coast }, route });
            }
        }
        for &b in &ids {
            all.push(Order::Convoy { army: a, to: b });
            all.push(Order::SupportLanding { from: a, to: b });
            all.push(Order::SupportMove { unit: a, to: b, coast: None });
            all.extend(coasts.map(|c| Order::SupportMove { unit: a, to: b, coast: Some(c) }));
        }
    }
    all
}

#[test]
fn checking_agrees_with_listing_over_all_orders() {
    let all = every_order(78);
    let stream = &mut Stream::keyed(3, Purpose::Bot, &[]);
    for round in testkit::thinned(0..16, 5) {
        let (board, units) = match round {
            0..8 => (test_board::scrambled(40, round), 25),
            _ => (test_board::holed(round).0, 34),
        };
        let (position, rulebook) = match round % 2 {
            0 => (random_position(&board, units, stream), Rulebook::R2023),
            _ => (laden_position(&board, units, stream), AMPHIBIOUS),
        };
        let chains = ConvoyChains::new(&board, &rulebook, &position);
        for at in (0..=255).map(ProvinceId) {
            let orders = listed(&board, &position, &chains, at);
            assert!(orders.is_sorted_by(|a, b| a < b), "canonical order, none twice: {orders:?}");
            assert_eq!(orders.len(), count(&board, &position, &chains, at));
            for (n, &order) in orders.iter().enumerate() {
                assert_eq!(nth(&board, &position, &chains, at, n), Some(order));
            }
            assert_eq!(nth(&board, &position, &chains, at, orders.len()), None);
            if orders.is_empty() {
                assert!(position.unit(at).is_none());
            }
            for &order in &all {
                let legal = is_legal(&board, &position, &chains, at, order);
                assert_eq!(legal, orders.binary_search(&order).is_ok(), "{at:?} {order:?}");
            }
        }
    }
}

/// The boards of the shipped variants, some with holes, and some with more than 128 provinces.
fn boards() -> Vec<Board> {
    let shipped = Variant::shipped().map(|id| {
        let variant = Variant::find(id, "".as_ref()).expect("a sound file").expect("it ships");
        variant.terrain.board().clone()
    });
    let holed = (0..3).map(|seed| test_board::holed(seed).0);
    let large = (0..3).map(|seed| test_board::scrambled(130 + 50 * seed as u8, seed));
    shipped.chain(holed).chain(large).collect()
}

#[test]
fn a_draw_is_the_order_of_that_number_in_the_list_on_every_board() {
    let stream = &mut Stream::keyed(7, Purpose::Bot, &[]);
    // Reused from one position to the next, as a referee does.
    let mut chains = ConvoyChains::default();
    let mut supports = 0;
    for (n, board) in boards().iter().enumerate() {
        for units in [3, 22, 40, 90] {
            for rulebook in [Rulebook::R2023, AMPHIBIOUS] {
                let position = match rulebook.army_fleets.allowed() {
                    false => random_position(board, units, stream),
                    true => laden_position(board, units, stream),
                };
                chains.update(board, &rulebook, &position);
                for at in *position.occupied() {
                    let orders = listed(board, &position, &chains, at);
                    assert_eq!(orders.len(), count(board, &position, &chains, at), "board {n}, {at:?}");
                    for (i, &order) in orders.iter().enumerate() {
                        let found = nth(board, &position, &chains, at, i);
                        assert_eq!(found, Some(order), "board {n}, {at:?}, {i}");
                        supports += usize::from(matches!(order, Order::SupportMove { .. }));
                    }
                    assert_eq!(nth(board, &position, &chains, at, orders.len()), None);
                    let drawn = stream.clone().below(orders.len() as u32) as usize;
                    assert_eq!(draw(board, &position, &chains, at, stream), Some(orders[drawn]));
                }
            }
        }
    }
    assert!(supports > 10_000, "{supports}");
}

/// Is the fleet a link of a route without a superfluous link? Decided by looking at every subset of the
/// fleets.
fn is_of_use(
    board: &Board,
    at_sea: &[ProvinceId],
    fleet: ProvinceId,
    army: ProvinceId,
    to: ProvinceId,
) -> bool {
    let linked = |fleets: &ProvinceSet| {
        let mut found = *fleets & *board.seas_next_to(army);
        loop {
            let mut next = found;
            for sea in found {
                next |= *board.seas_next_to(sea) & *fleets;
            }
            if next == found {
                return found.intersects(board.seas_next_to(to));
            }
            found = next;
        }
    };
    // Useful: with some others the army arrives, and without this fleet they are not enough.
    (0u32..1 << at_sea.len()).any(|bits| {
        let mut fleets: ProvinceSet =
            at_sea.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &p)| p).collect();
        let with = fleets.contains(fleet) && linked(&fleets);
        fleets.remove(fleet);
        with && !linked(&fleets)
    })
}

#[test]
fn a_convoy_order_is_legal_exactly_where_it_could_matter() {
    let stream = &mut Stream::keyed(4, Purpose::Bot, &[]);
    let mut legal = 0;
    for round in 0..40 {
        let (board, units) = match round {
            0..20 => (test_board::scrambled(30, 100 + round), 16),
            _ => (test_board::holed(round).0, 20),
        };
        let position = random_position(&board, units, stream);
        let chains = ConvoyChains::new(&board, &Rulebook::R2023, &position);
        let at_sea: Vec<ProvinceId> = (*position.fleets() & *board.sea()).iter().collect();
        for &fleet in &at_sea {
            for army in *position.occupied() - *position.fleets() {
                for to in *board.land() {
                    let expected = army != to && is_of_use(&board, &at_sea, fleet, army, to);
                    let order = Order::Convoy { army, to };
                    assert_eq!(is_legal(&board, &position, &chains, fleet, order), expected);
                    legal += u32::from(expected);
                }
            }
        }
    }
    assert!(legal > 500, "{legal}");
}

fn place(position: &mut Position, names: &Gazetteer, units: &str) {
    for unit in units.split(", ") {
        let (kind, code) = unit.split_at(2);
        let kind = if kind == "A " { UnitKind::Army } else { UnitKind::Fleet };
        let at = names.find(code).expect(code);
        position.place(at, Unit::new(kind, Power::ENGLAND, CoastId::FIRST));
    }
}

#[test]
fn draws_are_even() {
    let (board, names) = test_board::standard();
    let mut position = Position::new(Powers::STANDARD);
    place(&mut position, &names, "A PIC, F ENG, A BEL, F IRI");
    let chains = ConvoyChains::new(&board, &Rulebook::R2023, &position);
    let at = names.find("ENG").expect("ENG");
    let orders = listed(&board, &position, &chains, at);
    let mut seen = vec![0u32; orders.len()];
    let stream = &mut Stream::keyed(5, Purpose::Bot, &[]);
    for _ in 0..orders.len() * 1000 {
        let order = draw(&board, &position, &chains, at, stream).expect("a unit is there");
        seen[orders.binary_search(&order).expect("a legal order")] += 1;
    }
    assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
}

// Compares the interactions of armies and fleets with a literal reading of the definitions, and with the
// adjudication: an order is legal exactly if it is not void for some orders of the other units.

/// Boards with a number of units for each; every province has an index below 78.
fn laden_boards() -> impl Iterator<Item = (Board, usize)> {
    (0..12).map(|round| match round {
        0..4 => (test_board::scrambled(30, 200 + round), 18),
        4 => (test_board::standard().0, 34),
        _ => (test_board::holed(round).0, 30),
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
    for (board, units) in laden_boards() {
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
        let chains = ConvoyChains::new(&board, &crate::rules::rulebook::Rulebook::R2023, &position);
        let none = |fleet| landings(&board, &position, &chains, ProvinceId(fleet)).next().is_none();
        assert!((0..78).all(none));
    }
    assert!(count > 200, "{count}");
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
    let adjudicator = &mut Adjudicator::new();
    let mut counts = [0; 2];
    let mut kept_in_its_sea = 0;
    let rounds = testkit::amount(6, 24);
    for round in 0..rounds {
        let n = 7;
        let board = test_board::scrambled(n, 300 + round);
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
                let tries = if legal { 20_000 } else { 150 };
                let tools = (&mut *stream, &mut *adjudicator);
                let matters = matters(&board, &position, &chains, (at, order), tries, tools);
                counts[usize::from(legal)] += 1;
                // A fleet that can make way for another only by going where that fleet's army lands is kept
                // in its sea by that army: then the support for the landing is legal and cannot matter.
                if legal && !matters && matches!(order, Order::SupportLanding { .. }) {
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
