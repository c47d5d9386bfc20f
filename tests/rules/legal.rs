//! The list of legal orders: checking, counting and drawing agree with it, and a slow definition of useful convoys does.

use std::ops::Range;

use upheaval::ids::{ByProvince, CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{ConvoyChains, count, draw, is_legal, legal_orders, nth};
use upheaval::rules::order::{Order, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::variant::Variant;
use upheaval::topology::{Board, ByHand};

use super::drawn::{AMPHIBIOUS, laden_position, random_position, scrambled};
use super::standard::Standard;

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
            0..8 => (scrambled(40, round), 25),
            _ => (Standard::holed(round).board, 34),
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
            // Orders to nobody are tried less often.
            let each = if orders.is_empty() { 16 } else { 1 };
            for &order in testkit::thinned(&all, each) {
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
    let holed = (0..3).map(|seed| Standard::holed(seed).board);
    let large = (0..3).map(|seed| scrambled(130 + 50 * seed as u8, seed));
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

/// A sea with a shore of random length, and 255 lands. Each is next to as many lands as the range says, or to all of
/// them: itself too, so that an army can support 255 moves of each other army.
fn crowded(neighbours: Range<u32>, stream: &mut Stream) -> Board {
    let sea = ProvinceId(0);
    let lands: Vec<ProvinceId> = (1..=255).map(ProvinceId).collect();
    let part = |count: u32, stream: &mut Stream| -> ProvinceSet {
        let mut lands = lands.clone();
        stream.shuffle(&mut lands);
        lands.into_iter().take(count as usize).collect()
    };
    let shore = part(stream.below(256), stream);
    let mut army = ByProvince::filled(ProvinceSet::EMPTY);
    let mut seas_next_to = ByProvince::filled(ProvinceSet::EMPTY);
    let mut coasts = ByProvince::filled(0);
    coasts[sea] = 1;
    for &land in &lands {
        let some = neighbours.start + stream.below(neighbours.end - neighbours.start);
        let count = if stream.below(3) == 0 { 255 } else { some };
        army[land] = part(count, stream);
        if shore.contains(land) {
            seas_next_to[land] = ProvinceSet::single(sea);
            coasts[land] = 1;
        }
    }
    let moves = [(sea.into(), shore.iter().map(Location::from).collect())].into();
    let land = lands.into_iter().collect();
    Board::by_hand(ByHand { land, sea: ProvinceSet::single(sea), army, seas_next_to, coasts, moves })
}

/// The moves that a unit could support are counted for eight other units at a time, a byte for each.
#[test]
fn shares_are_added_and_found_as_in_a_list() {
    let stream = &mut Stream::keyed(1, Purpose::Bot, &[]);
    let (mut most_supports, mut overseas) = (0, 0);
    for round in 0..testkit::amount(5, 16).min(16) as usize {
        let neighbours = match round {
            0 => 255..256,
            _ => 0..[1, 2, 6, 256][round % 4],
        };
        let board = crowded(neighbours, stream);
        let mut position = Position::new(Powers::STANDARD);
        let fleet = ProvinceId(0);
        position.place(fleet, Unit::new(UnitKind::Fleet, Power::ENGLAND, CoastId::FIRST));
        while position.occupied().len() < 25 {
            let land = ProvinceId(stream.below(255) as u8 + 1);
            position.place(land, Unit::army(Power::FRANCE));
        }
        let chains = ConvoyChains::new(&board, &Rulebook::R2023, &position);
        for at in *position.occupied() {
            let orders = listed(&board, &position, &chains, at);
            assert_eq!(orders.len(), count(&board, &position, &chains, at));
            for (n, &order) in orders.iter().enumerate() {
                assert_eq!(nth(&board, &position, &chains, at, n), Some(order), "round {round}, {at:?}");
            }
            let supports = orders.iter().filter(|order| matches!(order, Order::SupportMove { .. }));
            most_supports = most_supports.max(supports.count());
            // The fleet cannot support what it is needed to convoy.
            overseas += orders
                .iter()
                .filter(|order| match **order {
                    Order::Move { to, route: Route::Convoy } => {
                        let support = Order::SupportMove { unit: at, to: to.province, coast: None };
                        !is_legal(&board, &position, &chains, fleet, support)
                    }
                    _ => false,
                })
                .count();
        }
    }
    // An army could support all 255 moves of each of the other 23, so words were full of the largest number.
    let often = if testkit::tries_all() { 1_000 } else { 300 };
    assert!(most_supports >= 23 * 255 && overseas > often, "{most_supports}, {overseas}");
}

/// Where an army goes by a route without a superfluous link of which each of these fleets is a link. Decided by looking
/// at every subset of the fleets.
fn of_use(board: &Board, at_sea: &[ProvinceId], army: ProvinceId) -> Vec<ProvinceSet> {
    let lands_at = |sea: ProvinceId| {
        let near = board.land().iter().filter(|&land| board.seas_next_to(land).contains(sea));
        near.collect::<ProvinceSet>()
    };
    let shores: Vec<ProvinceSet> = at_sea.iter().map(|&sea| lands_at(sea)).collect();
    // Where the army arrives with these fleets.
    let arrives = |bits: usize| {
        let members = || (0..at_sea.len()).filter(|i| bits >> i & 1 == 1);
        let fleets: ProvinceSet = members().map(|i| at_sea[i]).collect();
        let mut found = fleets & *board.seas_next_to(army);
        loop {
            let mut next = found;
            for sea in found {
                next |= *board.seas_next_to(sea) & fleets;
            }
            if next == found {
                let linked = members().filter(|&i| found.contains(at_sea[i]));
                return linked.fold(ProvinceSet::EMPTY, |all, i| all | shores[i]);
            }
            found = next;
        }
    };
    let arrives: Vec<ProvinceSet> = (0..1 << at_sea.len()).map(arrives).collect();
    // Useful: with some others the army arrives, and without this fleet they are not enough.
    let with_and_not_without = |i: usize| {
        let with = (0..arrives.len()).filter(|bits| bits >> i & 1 == 1);
        with.fold(ProvinceSet::EMPTY, |all, bits| all | (arrives[bits] - arrives[bits ^ 1 << i]))
    };
    (0..at_sea.len()).map(with_and_not_without).collect()
}

#[test]
fn a_convoy_order_is_legal_exactly_where_it_could_matter() {
    let stream = &mut Stream::keyed(4, Purpose::Bot, &[]);
    let mut legal = 0;
    for round in 0..40 {
        let (board, units) = match round {
            0..20 => (scrambled(30, 100 + round), 16),
            _ => (Standard::holed(round).board, 20),
        };
        let position = random_position(&board, units, stream);
        let chains = ConvoyChains::new(&board, &Rulebook::R2023, &position);
        let at_sea: Vec<ProvinceId> = (*position.fleets() & *board.sea()).iter().collect();
        for army in *position.occupied() - *position.fleets() {
            for (&fleet, useful) in at_sea.iter().zip(of_use(&board, &at_sea, army)) {
                for to in *board.land() {
                    let expected = army != to && useful.contains(to);
                    let order = Order::Convoy { army, to };
                    assert_eq!(is_legal(&board, &position, &chains, fleet, order), expected);
                    legal += u32::from(expected);
                }
            }
        }
    }
    assert!(legal > 500, "{legal}");
}

#[test]
fn draws_are_even() {
    let standard = Standard::load();
    let board = &standard.board;
    let mut position = Position::new(Powers::STANDARD);
    for text in ["A PIC", "F ENG", "A BEL", "F IRI"] {
        let (at, unit) = standard.read_unit(Power::ENGLAND, text);
        position.place(at, unit);
    }
    let chains = ConvoyChains::new(board, &Rulebook::R2023, &position);
    let at = standard.id("ENG");
    let orders = listed(board, &position, &chains, at);
    let mut seen = vec![0u32; orders.len()];
    let stream = &mut Stream::keyed(5, Purpose::Bot, &[]);
    for _ in 0..orders.len() * 1000 {
        let order = draw(board, &position, &chains, at, stream).expect("a unit is there");
        seen[orders.binary_search(&order).expect("a legal order")] += 1;
    }
    assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
}
