//! Checks that greedy's look-ups in sets agree with a search place by place.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::legal::{convoy_goals, is_legal};
use upheaval_engine::rules::order::Order;
use upheaval_engine::rules::position::Season;

use super::plan::Ranked;
use super::worth::{CentreSurvey, FAR};
use super::worth::{FrontLine, MOST_THREATS, PlannedUnit};
use crate::common::{drowns, reach};
use crate::tests::watch;

/// Breadth first from all goals at once.
fn steps(goals: ProvinceSet, from: ProvinceId, next: impl Fn(ProvinceId) -> ProvinceSet) -> u8 {
    let (mut found, mut edge) = (goals, goals);
    for distance in 0..FAR {
        if edge.contains(from) {
            return distance;
        }
        let all = edge.iter().fold(ProvinceSet::EMPTY, |all, at| all | next(at));
        edge = all - found;
        found |= edge;
    }
    FAR
}

#[test]
fn distances_are_those_of_a_search_from_the_wanted_centres_on_any_map() {
    watch(|seen| {
        let (survey, board) = (CentreSurvey::new(seen), seen.board);
        let wanted = survey.wanted & board.passable();
        for at in board.passable() {
            let by_land = steps(wanted & *board.land(), at, |at| *board.army_reach(at));
            assert_eq!(survey.distance(UnitKind::Army, at), by_land);
            let by_water = steps(wanted, at, |at| *board.fleet_reach_any(at));
            assert_eq!(survey.distance(UnitKind::Fleet, at), by_water);
            let aboard = steps(wanted & *board.land(), at, |at| *board.seas_next_to(at));
            assert_eq!(survey.distance_aboard(at), aboard);
        }
    });
}

/// The result of [`FrontLine::worth`], computed by examining every unit.
fn worth(
    seen: &Observation<'_>,
    survey: &CentreSurvey<'_>,
    unit: ProvinceId,
    kind: UnitKind,
    to: ProvinceId,
) -> i32 {
    let own = *seen.position.units_of(seen.power);
    let reached_by =
        |units: ProvinceSet| units.iter().filter(|&u| reach(seen, u).contains(to)).count() as i32;
    let stays = unit == to;
    if seen.doomed.contains(to) || drowns(seen, kind, to) {
        return -200;
    }
    let threats = reached_by(*seen.position.occupied() - own).min(MOST_THREATS as i32);
    let foreign = seen.position.occupied().contains(to) && !own.contains(to);
    if survey.wanted.contains(to) {
        let helpers = reached_by(own - ProvinceSet::single(unit));
        return match (stays, foreign) {
            (true, _) if seen.phase.season == Season::Fall => 120,
            (true, _) => 60,
            (false, false) => 100 - 10 * (threats - helpers).max(0),
            (false, true) if helpers == 0 => 15,
            (false, true) => 80 - 10 * (threats + 1 - helpers).max(0),
        };
    }
    if seen.centres.contains(to) && threats > 0 {
        return 50 + 5 * threats + i32::from(stays);
    }
    let near = 4 * i32::from(FAR - survey.distance(kind, to));
    near - i32::from(foreign) * 30 - i32::from(stays)
}

#[test]
fn worth_is_the_same_when_everybody_is_looked_at() {
    watch(|seen| {
        let survey = CentreSurvey::new(seen);
        let front = FrontLine::new(seen, &survey);
        for unit in *seen.position.units_of(seen.power) {
            for kind in [UnitKind::Army, UnitKind::Fleet] {
                let mover = PlannedUnit::new(seen, unit, kind);
                for to in seen.board.passable() {
                    assert_eq!(front.worth(&mover, to), worth(seen, &survey, unit, kind, to));
                }
            }
        }
    });
}

#[test]
fn the_goals_of_convoys_are_those_of_the_legal_orders() {
    watch(|seen| {
        let legal = |fleet, army, to| {
            is_legal(seen.board, seen.position, seen.chains, fleet, Order::Convoy { army, to })
        };
        // In retreats and later phases the chains are those of the movement.
        for fleet in *seen.position.fleets() & *seen.board.sea() {
            for army in *seen.position.occupied() {
                let goals = convoy_goals(seen.chains, fleet, army);
                for to in seen.board.passable() {
                    assert_eq!(goals.contains(to), legal(fleet, army, to));
                }
            }
        }
    });
}

#[test]
fn candidates_come_best_first_and_equal_ones_in_each_order_equally_often() {
    let dice = &mut Stream::keyed(5, Purpose::Bot, &[]);
    let mut later = [0; 3];
    for turn in 0..6_000 {
        // Two of equal worth that differ in unit, province or way, and a better one.
        let pair = [0, 1].map(|n| {
            let part = |of: u8| if turn % 3 == usize::from(of) { 255 * n } else { 7 };
            (ProvinceId(part(0)), Location { province: ProvinceId(part(1)), coast: CoastId(part(2)) })
        });
        let [first, second] = pair.map(|(unit, to)| Ranked::alone(unit, to, -260, dice));
        let number = dice.below(1 << 18) as usize;
        let (unit, to) = (ProvinceId(dice.below(256) as u8), ProvinceId(dice.below(256) as u8));
        let best = Ranked::other(unit, to, 120, number, dice);
        assert_eq!((best.unit(), best.province(), best.other_means()), (unit, to, Some(number)));
        for (ranked, (unit, to)) in [first, second].into_iter().zip(pair) {
            assert_eq!((ranked.unit(), ranked.to(), ranked.other_means()), (unit, to, None));
            assert!((-260..=-258).contains(&ranked.value()) && best < ranked);
        }
        assert_eq!(first.value() > second.value(), first < second && first.value() != second.value());
        later[turn % 3] += usize::from(first > second);
    }
    // Six standard errors.
    assert!(later.iter().all(|times| (866..1134).contains(times)), "{later:?}");
}
