//! What must hold whatever the bots send and however the map is torn.

use super::*;
use crate::ids::{Location, UnitKind};
use crate::rng::{Purpose, Stream};
use crate::rules::order::{Order, Route};
use crate::rules::position::Unit;
use crate::rules::rulebook::{
    AdjacentConvoy, BeatenUnit, Fallback, ParadoxRule, SeveralRoutes, SupportCoast,
};
use crate::rules::test_board;

fn any_rulebook(stream: &mut Stream) -> Rulebook {
    let base = if stream.below(2) == 0 { Rulebook::R2023 } else { Rulebook::R1971 };
    let paradox = [ParadoxRule::Szykman, ParadoxRule::Xii5, ParadoxRule::Rule1982, ParadoxRule::Dptg];
    Rulebook {
        paradox: paradox[stream.below(4) as usize],
        several_routes: [SeveralRoutes::AnyRoute, SeveralRoutes::AllRoutes][stream.below(2) as usize],
        adjacent_convoy: [AdjacentConvoy::Via, AdjacentConvoy::Opposite][stream.below(2) as usize],
        via_without_route: [Fallback::Stay, Fallback::Walk][stream.below(2) as usize],
        via_disrupted: [Fallback::Stay, Fallback::Walk][stream.below(2) as usize],
        beaten_unit: [BeatenUnit::HeadToHead, BeatenUnit::Never][stream.below(2) as usize],
        support_coast: [SupportCoast::Match, SupportCoast::Ignore, SupportCoast::Strict]
            [stream.below(3) as usize],
        ..base
    }
}

/// An order that need not make any sense; `near` is for orders that may.
fn any_order(stream: &mut Stream, n: u32, near: &ProvinceSet) -> Order {
    let near: Vec<ProvinceId> = near.iter().collect();
    let province = |stream: &mut Stream| match stream.choose(&near) {
        Some(&p) if stream.below(4) > 0 => p,
        _ => ProvinceId(stream.below(n) as u8),
    };
    let (a, b) = (province(stream), province(stream));
    let coast = CoastId(stream.below(4) as u8);
    let route = if stream.below(2) == 0 { Route::Direct } else { Route::Convoy };
    match stream.below(9) {
        0 => Order::Hold,
        1 => Order::SupportHold { unit: a },
        2 => Order::SupportMove { unit: a, to: b, coast: None },
        3 => Order::SupportMove { unit: a, to: b, coast: Some(coast) },
        4 => Order::Convoy { army: a, to: b },
        5 | 6 => Order::Move { to: a.into(), route },
        _ => Order::Move { to: Location { province: a, coast }, route },
    }
}

fn check(board: &Board, n: u32, units: u32, stream: &mut Stream, adjudicator: &mut Adjudicator) {
    let mut position = Position::new();
    let all: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..units {
        let Some(&at) = stream.choose(&all) else { return };
        let kind = if stream.below(2) == 0 { UnitKind::Army } else { UnitKind::Fleet };
        let power = Power::ALL[stream.below(4) as usize];
        position.place(at, Unit::new(kind, power, CoastId(stream.below(5) as u8)));
    }
    let mut orders = Orders::all_hold();
    for at in *position.occupied() {
        let near = *board.army_reach(at) | *board.fleet_reach_any(at) | *board.seas_next_to(at);
        orders[at] = any_order(stream, n, &near);
        if let (Order::Move { to, .. }, 0) = (orders[at], stream.below(2)) {
            for sea in *board.seas_next_to(at) & *position.occupied() {
                orders[sea] = Order::Convoy { army: at, to: to.province };
            }
        }
    }
    let rulebook = any_rulebook(stream);
    let resolution = adjudicator.resolve(board, &rulebook, &position, &orders);
    for at in *position.occupied() {
        let outcome = resolution.outcome(at).expect("every unit has an outcome");
        assert_eq!(
            resolution.moved(at),
            outcome == Outcome::Succeeded && matches!(orders[at], Order::Move { .. })
        );
        assert!(!outcome.display(|p| p.0).to_string().is_empty());
        assert!(resolution.words(at).next().is_some());
        if let Some(attack) = resolution.dislodged_by(at) {
            assert!(!resolution.moved(at) && resolution.moved(attack.from));
            let power = |p| position.unit(p).map(|u| u.power);
            assert_ne!(power(at), power(attack.from), "no power dislodges its own unit");
        }
    }
    let before = position.occupied().len();
    let retreats = resolution.apply(&mut position, &orders);
    assert_eq!(before, position.occupied().len() + retreats.dislodged.len(), "two units in one province");
    assert!(!retreats.contested.intersects(position.occupied()));
    assert!(retreats.dislodged.is_sorted_by_key(|d| d.at));
}

#[test]
fn nonsense_does_no_harm() {
    let mut adjudicator = Adjudicator::new();
    let mut boards = vec![(test_board::standard().0, 77)];
    boards.extend((0..4).map(|seed| (test_board::holed(seed).0, 77)));
    boards
        .extend([(20, 1), (60, 2), (255, 3)].map(|(n, seed)| (test_board::scrambled(n, seed), u32::from(n))));
    for (i, (board, n)) in boards.iter().enumerate() {
        for round in 0..400 {
            let stream = &mut Stream::keyed(5, Purpose::Bot, &[i as u64, round]);
            let units = [10, *n / 2, 3 * *n][stream.below(3) as usize];
            check(board, *n, units, stream, &mut adjudicator);
        }
    }
}

#[test]
fn the_tables_keep_nothing_from_the_last_time() {
    let (board, _) = test_board::standard();
    let mut used = Adjudicator::new();
    for round in 0..200 {
        let stream = &mut Stream::keyed(6, Purpose::Bot, &[round]);
        check(&board, 77, 60, stream, &mut used);
        let again = &mut Stream::keyed(6, Purpose::Bot, &[round]);
        let mut fresh = Adjudicator::new();
        check(&board, 77, 60, again, &mut fresh);
        for p in (0..=255).map(ProvinceId) {
            assert_eq!(used.resolution().outcome(p), fresh.resolution().outcome(p));
        }
    }
}
