//! Checks that greedy's look-ups in sets agree with a search place by place.

#![allow(missing_docs)]

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::legal::{convoy_goals, is_legal};
use upheaval_engine::rules::order::Order;
use upheaval_engine::rules::position::Season;

use super::plan::Ranked;
use super::survey::{CentreSurvey, FAR};
use super::worth::{FrontLine, MOST_THREATS, PlannedUnit};
use crate::checks::watch;
use crate::common::{drowns, reach};

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

pub fn distances_are_those_of_a_search_from_the_wanted_centres_on_any_map() {
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

pub fn worth_is_the_same_when_everybody_is_looked_at() {
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

pub fn the_goals_of_convoys_are_those_of_the_legal_orders() {
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

pub fn candidates_come_best_first_then_in_the_order_of_the_board_then_by_themselves_first() {
    let mut dice = Stream::keyed(5, Purpose::Bot, &[]);
    for _ in 0..200 {
        let mut number = 0;
        let mut all: Vec<(i32, ProvinceId, Location, usize)> = (0..dice.below(40))
            .map(|_| {
                let value = dice.below(400) as i32 - 275;
                let unit = ProvinceId(dice.below(256) as u8);
                let to = Location {
                    province: ProvinceId(dice.below(3) as u8),
                    coast: CoastId(dice.below(3) as u8),
                };
                number += dice.below(2) as usize;
                (value, unit, to, if dice.below(2) == 0 { 0 } else { number })
            })
            .collect();
        let mut ranked: Vec<Ranked> =
            all.iter().map(|&(value, unit, to, means)| Ranked::new(unit, to, value, means)).collect();
        ranked.sort_unstable();
        all.sort_by_key(|&(value, unit, to, means)| (-value, unit, to, means));
        let read = |ranked: &Ranked| (ranked.value(), ranked.unit(), ranked.to(), ranked.other_means());
        assert_eq!(ranked.iter().map(read).collect::<Vec<_>>(), all);
    }
}
