//! Properties of the movement that must hold for any orders on any map.

use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::movement::{Adjudicator, Outcome, Resolution};
use upheaval::rules::order::{Landing, Order, Orders, Route};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::rulebook::{
    AdjacentConvoy, ArmyBecomesFleet, ArmyFleets, BeatenUnit, Fallback, ParadoxRule, Rulebook, SeveralRoutes,
    SupportCoast,
};
use upheaval::topology::Board;

use super::drawn::scrambled;
use super::standard::Standard;
use crate::rules::{applied, unit_words};

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
        army_fleets: [ArmyFleets::No, ArmyFleets::Yes { max_seasons_aboard: None }]
            [stream.below(3).min(1) as usize],
        army_becomes_fleet: [ArmyBecomesFleet::No, ArmyBecomesFleet::Yes][stream.below(2) as usize],
        ..base
    }
}

/// An arbitrary order, possibly meaningless; `near` is used for orders that may be legal.
fn any_order(stream: &mut Stream, n: u32, near: &ProvinceSet) -> Order {
    let near: Vec<ProvinceId> = near.iter().collect();
    let province = |stream: &mut Stream| match stream.choose(&near) {
        Some(&p) if stream.below(4) > 0 => p,
        _ => ProvinceId(stream.below(n) as u8),
    };
    let (a, b) = (province(stream), province(stream));
    let coast = CoastId(stream.below(4) as u8);
    let route = if stream.below(2) == 0 { Route::Direct } else { Route::Convoy };
    match stream.below(13) {
        0 => Order::Hold,
        1 => Order::SupportHold { unit: a },
        2 => Order::SupportMove { unit: a, to: b, coast: None },
        3 => Order::SupportMove { unit: a, to: b, coast: Some(coast) },
        4 => Order::Convoy { army: a, to: b },
        5 | 6 => Order::Move { to: a.into(), route },
        7 => Order::SupportLanding { from: a, to: b },
        8 => Order::Transform { coast },
        9 | 10 => Order::Embark { fleet: a },
        _ => Order::Move { to: Location { province: a, coast }, route },
    }
}

/// A landing or none; `near` is its fleet's place, or any place.
fn any_landing(
    board: &Board,
    n: u32,
    position: &Position,
    orders: &mut Orders,
    fleet: ProvinceId,
    stream: &mut Stream,
) {
    if !position.laden().contains(fleet) && stream.below(3) > 0 || stream.below(4) == 0 {
        return;
    }
    let anywhere = ProvinceId(stream.below(n) as u8);
    let from = match (orders[fleet], stream.below(6)) {
        (_, 0) => anywhere,
        (Order::Move { to, .. }, _) => to.province,
        _ => fleet,
    };
    let shore: Vec<ProvinceId> = board.fleet_reach_any(from).iter().collect();
    let to = stream.choose(&shore).copied().filter(|_| stream.below(6) > 0).unwrap_or(anywhere);
    let power = position.unit(fleet).map_or(Power::AUSTRIA, |unit| unit.power);
    let power = if stream.below(20) == 0 {
        Powers::STANDARD.get(stream.below(7) as usize).expect("a power")
    } else {
        power
    };
    orders.land(Landing { power, from, to });
}

/// Settles random orders to random units, and checks what holds for any.
fn check<'a>(
    board: &Board,
    n: u32,
    units: u32,
    stream: &mut Stream,
    adjudicator: &'a mut Adjudicator,
) -> &'a Resolution {
    let mut position = Position::new(Powers::STANDARD);
    let all: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..units {
        let at = *stream.choose(&all).expect("a province");
        let kind = if stream.below(2) == 0 { UnitKind::Army } else { UnitKind::Fleet };
        let power = Powers::STANDARD.get(stream.below(4) as usize).expect("a power");
        position.place(at, Unit::new(kind, power, CoastId(stream.below(5) as u8)));
        if stream.below(3) == 0 {
            // Also on land.
            position.set_cargo(at, Cargo::Army { seasons: stream.below(256) as u8 });
        }
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
    for fleet in *position.fleets() {
        any_landing(board, n, &position, &mut orders, fleet, stream);
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
        assert!(!unit_words(resolution, at).is_empty());
        let landed = resolution.landed().find(|(_, to)| *to == at).map(|(fleet, _)| fleet);
        if let Some(attack) = resolution.dislodged_by(at) {
            assert!(!resolution.moved(at) && (landed.is_some() || resolution.moved(attack.from)));
            let power = |p| position.unit(p).map(|u| u.power);
            let attacker = landed.unwrap_or(attack.from);
            assert_ne!(power(at), power(attacker), "no power dislodges its own unit");
        }
        if resolution.embarked().contains(at) {
            assert!(rulebook.army_fleets.allowed() && resolution.dislodged_by(at).is_none());
        }
    }
    for landing in orders.landings() {
        let outcome = resolution.landing_outcome(landing.power, landing.from);
        let landed = resolution.landed().any(|(fleet, to)| {
            to == landing.to && position.unit(fleet).is_some_and(|unit| unit.power == landing.power)
        });
        assert!(landed || outcome != Some(Outcome::Succeeded));
    }
    let succeeded = |landing: &&Landing| {
        resolution.landing_outcome(landing.power, landing.from) == Some(Outcome::Succeeded)
    };
    assert_eq!(resolution.landed().count(), orders.landings().iter().filter(succeeded).count());
    let units = |position: &Position| -> usize {
        position.occupied().iter().filter_map(|at| position.unit(at)).map(|unit| unit.count()).sum()
    };
    let before = units(&position);
    let retreats = applied(resolution, &mut position, &orders);
    let dislodged: usize = retreats.dislodged.iter().map(|d| d.unit.count()).sum();
    assert_eq!(before, units(&position) + dislodged, "an army is lost or doubled");
    assert!(!retreats.contested.intersects(position.occupied()));
    assert!(retreats.dislodged.is_sorted_by_key(|d| d.at));
    resolution
}

#[test]
fn nonsense_does_no_harm() {
    let mut adjudicator = Adjudicator::default();
    let mut boards = vec![(Standard::load().board, 77)];
    boards.extend((0..4).map(|seed| (Standard::holed(seed).board, 77)));
    boards.extend([(20, 1), (60, 2), (255, 3)].map(|(n, seed)| (scrambled(n, seed), u32::from(n))));
    for (i, (board, n)) in boards.iter().enumerate() {
        for round in 0..testkit::amount(150, 400) {
            let stream = &mut Stream::keyed(5, Purpose::Bot, &[i as u64, round]);
            let units = [10, *n / 2, 3 * *n][stream.below(3) as usize];
            check(board, *n, units, stream, &mut adjudicator);
        }
    }
}

#[test]
fn the_tables_keep_nothing_from_the_last_time() {
    let Standard { board, .. } = Standard::load();
    let mut used = Adjudicator::default();
    for round in 0..200 {
        let stream = &mut Stream::keyed(6, Purpose::Bot, &[round]);
        let used = check(&board, 77, 60, stream, &mut used);
        let again = &mut Stream::keyed(6, Purpose::Bot, &[round]);
        let mut fresh = Adjudicator::default();
        let fresh = check(&board, 77, 60, again, &mut fresh);
        for p in (0..=255).map(ProvinceId) {
            assert_eq!(used.outcome(p), fresh.outcome(p));
            for power in Powers::STANDARD {
                let landings = [used, fresh].map(|one| one.landing_outcome(power, p));
                assert_eq!(landings[0], landings[1]);
            }
        }
    }
}
