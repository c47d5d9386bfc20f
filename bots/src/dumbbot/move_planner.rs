//! The movement phase: each unit goes where it is worth most, as far as the power's other units permit.
//!
//! Units decide one after another, in random order. If a unit wants to go where another one is, that one
//! decides first; if it wants to go where another is going or staying, it supports that unit if this helps,
//! and otherwise looks further. So no two units ever meet or swap. A unit that finds nothing better than
//! staying supports others that need it.

use std::cmp::Reverse;

use upheaval_engine::ask::{Answer, Faculty, Observation};
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::{Landing, Order};

use super::values::Worth;
use super::weights::{
    COST_OF_A_FLEET, COST_OF_THE_ARMY, ENOUGH_SUPPORTS, NEXT_BEST, NEXT_BEST_FALLS, REINFORCED_BY,
};
use crate::common::passage::{self, Means, Voyage};
use crate::common::{drowns, reach, ties};

/// A possible action of a unit.
#[derive(Clone, Copy, Debug)]
struct Choice {
    unit: ProvinceId,
    to: Location,
    means: Means,
    value: i64,
}

/// The decisions for all units of a power. The buffers are reused from phase to phase.
#[derive(Clone, Debug, Default)]
pub(super) struct MovePlanner {
    /// The remaining options of each unit, the best first, unit by unit.
    choices: Vec<Choice>,
    /// The range of a unit's options.
    of_unit: ByProvince<(u16, u16)>,
    units: Vec<ProvinceId>,
    undecided: ProvinceSet,
    /// The units that wait until another has decided.
    waiting: ProvinceSet,
    /// The destinations of the power's own units.
    claimed: ProvinceSet,
    /// The unit that will be in each province; stale where nothing is claimed.
    claims: ByProvince<Option<Choice>>,
    targets: Vec<Choice>,
    /// Units that stay but are needed for something.
    busy: ProvinceSet,
    /// The number of supports for the unit that will be in each province.
    backing: ByProvince<u8>,
}

/// The data used while units decide.
struct Field<'a, 'b> {
    seen: &'a Observation<'a>,
    values: &'a Worth<'a>,
    dice: &'a mut Stream,
    answer: &'a mut Answer<'b>,
}

impl Field<'_, '_> {
    fn may_support(&self) -> bool {
        !self.seen.handicap.denies(Faculty::Supports)
    }
}

impl MovePlanner {
    /// Orders for all units of the power.
    pub(super) fn order(
        &mut self,
        seen: &Observation<'_>,
        values: &Worth<'_>,
        dice: &mut Stream,
        answer: &mut Answer<'_>,
    ) {
        let own = *seen.position.units_of(seen.power);
        self.units.clear();
        self.units.extend(own);
        dice.shuffle(&mut self.units);
        self.choices.clear();
        for unit in own {
            self.collect(seen, values, unit, dice);
        }
        (self.undecided, self.waiting) = (own, ProvinceSet::EMPTY);
        (self.claimed, self.busy) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        self.backing = ByProvince::filled(0);
        let mut field = Field { seen, values, dice, answer };
        for i in 0..self.units.len() {
            self.decide(&mut field, self.units[i]);
        }
        if field.may_support() {
            self.reinforce(&mut field);
            self.employ_the_idle(&mut field);
        }
    }

    /// All options of the unit, the best first.
    fn collect(&mut self, seen: &Observation<'_>, values: &Worth<'_>, unit: ProvinceId, dice: &mut Stream) {
        let first = self.choices.len();
        let choices = &mut self.choices;
        if let (Some(here), Some(kind)) =
            (seen.position.location(unit), seen.position.unit(unit).map(|unit| unit.kind))
        {
            let mut push = |to, means, value| choices.push(Choice { unit, to, means, value });
            if seen.position.laden().contains(unit) {
                // An army aboard acts through voyages, even to stay.
            } else if kind == UnitKind::Fleet {
                let moves = seen.board.fleet_moves(here);
                for to in std::iter::once(here).chain(moves) {
                    push(to, Means::Alone, values.of(kind, to));
                }
            } else {
                let near = *seen.board.army_reach(unit) | ProvinceSet::single(unit);
                near.iter().for_each(|to| push(to.into(), Means::Alone, values.of(kind, to.into())));
                passage::convoys(seen, unit, |fleet, to| {
                    let value = values.of(kind, to.into()) - COST_OF_A_FLEET;
                    push(to.into(), Means::Convoy(fleet), value);
                });
            }
            passage::voyages(seen, unit, |means, to| {
                let value = match means {
                    Means::Voyage(Voyage { fleet, .. }) if fleet == unit => values.of(UnitKind::Army, to),
                    Means::Transform => values.of(UnitKind::Fleet, to) - COST_OF_THE_ARMY,
                    _ => values.of(UnitKind::Army, to) - COST_OF_A_FLEET,
                };
                push(to, means, value);
            });
        }
        // The gain of a move is weighted by its likelihood of success.
        let stay = worth_here(seen, values, unit);
        for choice in &mut self.choices[first..] {
            let to = choice.to.province;
            if to != unit {
                choice.value = stay + (choice.value - stay) / 100 * values.prospect(to);
            }
        }
        ties::sort(&mut self.choices[first..], |choice| -choice.value, dice);
        self.of_unit[unit] = (first as u16, self.choices.len() as u16);
    }

    /// Draws one of the unit's remaining options: usually the best, sometimes the next best or the one after.
    fn draw(&mut self, unit: ProvinceId, dice: &mut Stream) -> Option<Choice> {
        let (first, end) = self.of_unit[unit];
        let left = &mut self.choices[usize::from(first)..usize::from(end)];
        let best = left.first()?.value;
        let mut drawn = 0;
        while let Some(next) = left.get(drawn + 1) {
            let falls = (best - next.value).saturating_mul(100 * NEXT_BEST_FALLS) / best.abs().max(1);
            if i64::from(dice.below(100)) >= NEXT_BEST.saturating_sub(falls) {
                break;
            }
            drawn += 1;
        }
        // It is removed; the others keep their order.
        left[..=drawn].rotate_right(1);
        self.of_unit[unit].0 += 1;
        Some(left[0])
    }

    fn decide(&mut self, field: &mut Field<'_, '_>, unit: ProvinceId) {
        if !self.undecided.contains(unit) {
            return;
        }
        self.waiting.insert(unit);
        loop {
            let Some(choice) = self.draw(unit, field.dice) else {
                self.stay(field, unit);
                break;
            };
            if self.attempt(field, choice) {
                break;
            }
        }
        self.waiting.remove(unit);
        self.undecided.remove(unit);
    }

    fn claim(&mut self, choice: Choice) {
        self.claimed.insert(choice.to.province);
        self.claims[choice.to.province] = Some(choice);
    }

    fn stay(&mut self, field: &Field<'_, '_>, unit: ProvinceId) {
        let here = field.seen.position.location(unit).unwrap_or(unit.into());
        let value = worth_here(field.seen, field.values, unit);
        self.claim(Choice { unit, to: here, means: Means::Alone, value });
    }

    /// Carries out the unit's choice if the power's other units permit it.
    fn attempt(&mut self, field: &mut Field<'_, '_>, choice: Choice) -> bool {
        let Choice { unit, to, means, .. } = choice;
        if to.province == unit && matches!(means, Means::Alone | Means::Transform) {
            if means == Means::Transform {
                field.answer.write(unit, means.order(unit, to));
                self.busy.insert(unit);
            }
            self.claim(choice);
            return true;
        }
        if means.carrier(unit).is_some_and(|fleet| !self.is_open(fleet)) {
            return false;
        }
        if let Means::Voyage(Voyage { fleet, sea }) = means {
            return self.sail(field, choice, fleet, sea);
        }
        if !self.is_free(field, to.province) {
            return self.back(field, unit, to.province);
        }
        // Moving the unit that was there may have used up the fleet.
        if means.carrier(unit).is_some_and(|fleet| !self.is_open(fleet)) {
            return false;
        }
        field.answer.write(unit, means.order(unit, to));
        self.claim(choice);
        if let Means::Convoy(fleet) = means {
            field.answer.write(fleet, Order::Convoy { army: unit, to: to.province });
            self.fix(fleet, fleet);
        }
        true
    }

    /// Takes the army of the choice aboard its fleet to that sea, and ashore if it is to land.
    fn sail(
        &mut self,
        field: &mut Field<'_, '_>,
        choice: Choice,
        fleet: ProvinceId,
        sea: ProvinceId,
    ) -> bool {
        let Choice { unit, to, means, .. } = choice;
        let lands = means.sea(to).is_some();
        if (sea != fleet && !self.is_free(field, sea)) || (lands && !self.is_free(field, to.province)) {
            return false;
        }
        // Either query may have used up the fleet or the other unit.
        let engaged = unit != fleet && !self.is_open(fleet);
        if engaged || (sea != fleet && self.claimed.contains(sea)) {
            return false;
        }
        field.answer.write(unit, means.order(unit, to));
        if unit != fleet && sea != fleet {
            field.answer.write(fleet, Means::Alone.order(fleet, sea.into()));
        }
        if lands {
            field.answer.land(Landing { power: field.seen.power, from: sea, to: to.province });
            self.claim(choice);
        }
        self.fix(fleet, sea);
        self.busy.insert(unit);
        true
    }

    /// Is the unit undecided and not waiting for another?
    fn is_open(&self, unit: ProvinceId) -> bool {
        self.undecided.contains(unit) && !self.waiting.contains(unit)
    }

    /// Assigns the fleet to this sea, which excludes any other use of it.
    fn fix(&mut self, fleet: ProvinceId, sea: ProvinceId) {
        self.claim(Choice { unit: fleet, to: sea.into(), means: Means::Alone, value: 0 });
        self.undecided.remove(fleet);
        self.busy.insert(fleet);
    }

    /// Do the power's other units permit a unit to go there? A unit that is there decides first.
    fn is_free(&mut self, field: &mut Field<'_, '_>, to: ProvinceId) -> bool {
        if self.undecided.contains(to) {
            if self.waiting.contains(to) {
                return false;
            }
            self.decide(field, to);
        }
        !self.claimed.contains(to)
    }

    /// Makes the unit support the one that will be in `to`, if that may be contested.
    fn back(&mut self, field: &mut Field<'_, '_>, unit: ProvinceId, to: ProvinceId) -> bool {
        let needed = field.values.competition(to).min(ENOUGH_SUPPORTS);
        if !field.may_support() || self.undecided.contains(to) || self.backing[to] >= needed {
            return false;
        }
        let Some(order) = self.support(to).filter(|&order| field.seen.is_legal(unit, order)) else {
            return false;
        };
        field.answer.write(unit, order);
        self.backing[to] += 1;
        self.stay(field, unit);
        self.busy.insert(unit);
        true
    }

    /// The order that supports the unit that will be in `to`.
    fn support(&self, to: ProvinceId) -> Option<Order> {
        let claim = self.claims[to].filter(|_| self.claimed.contains(to))?;
        Some(match claim.means.sea(claim.to) {
            Some(from) => Order::SupportLanding { from, to },
            None if claim.unit == to => Order::SupportHold { unit: to },
            None => Order::SupportMove { unit: claim.unit, to, coast: None },
        })
    }

    /// Units with destinations of low value give them up to support contested ones of higher value.
    fn reinforce(&mut self, field: &mut Field<'_, '_>) {
        self.targets.clear();
        for to in self.claimed {
            if let Some(claim) = self.claims[to].filter(|_| field.values.competition(to) > 0) {
                self.targets.push(claim);
            }
        }
        ties::sort(&mut self.targets, |claim| -claim.value, field.dice);
        for i in 0..self.targets.len() {
            let Choice { unit, to, value, .. } = self.targets[i];
            let to = to.province;
            if self.claims[to].is_none_or(|claim| claim.unit != unit) || !self.claimed.contains(to) {
                continue; // given up in the meantime
            }
            let needed = field.values.competition(to).min(ENOUGH_SUPPORTS);
            while self.backing[to] < needed {
                let Some(order) = self.support(to) else { break };
                let free = |goal: ProvinceId| {
                    let claim = self.claims[goal]?;
                    let helper = claim.unit;
                    let free = goal != helper
                        && helper != unit
                        && claim.means == Means::Alone
                        && !self.busy.contains(helper)
                        && !self.claimed.contains(helper)
                        && self.backing[goal] == 0
                        && claim.value * 100 < value * REINFORCED_BY
                        && !drowns(field.seen, UnitKind::Army, helper)
                        && field.seen.is_legal(helper, order);
                    free.then_some((claim.value, helper, goal))
                };
                let helpers = self.claimed.iter().filter_map(free);
                let best = ties::least(helpers, |&(value, ..)| value, field.dice);
                let Some((_, helper, goal)) = best else { break };
                self.claimed.remove(goal);
                self.stay(field, helper);
                field.answer.write(helper, order);
                self.backing[to] += 1;
                self.busy.insert(helper);
            }
            if self.backing[to] > 0 {
                self.busy.insert(unit);
            }
        }
    }

    /// Units that stay without a task support the most valuable contested provinces.
    fn employ_the_idle(&mut self, field: &mut Field<'_, '_>) {
        for i in 0..self.units.len() {
            let unit = self.units[i];
            if self.busy.contains(unit) || field.answer.order(unit) != Order::Hold {
                continue;
            }
            let lacks = |to: ProvinceId| {
                let claim = self.claims[to].filter(|claim| claim.unit != unit)?;
                let needed = field.values.competition(to).min(ENOUGH_SUPPORTS);
                if self.backing[to] >= needed {
                    return None;
                }
                let order = self.support(to).filter(|&order| field.seen.is_legal(unit, order))?;
                let moves = claim.unit != to;
                Some((moves, claim.value, to, order))
            };
            let disputed = reach(field.seen, unit) & self.claimed;
            let lacking = disputed.iter().filter_map(lacks);
            let best = ties::least(lacking, |&(moves, value, ..)| Reverse((moves, value)), field.dice);
            if let Some((.., to, order)) = best {
                field.answer.write(unit, order);
                self.backing[to] += 1;
                self.busy.insert(unit);
            }
        }
    }
}

/// The worth of leaving a unit where it is.
fn worth_here(seen: &Observation<'_>, values: &Worth<'_>, unit: ProvinceId) -> i64 {
    let at = seen.position.unit(unit).zip(seen.position.location(unit));
    at.map_or(0, |(unit, here)| values.of(unit.kind, here))
}
