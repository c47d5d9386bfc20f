//! The movement phase: from values to orders, with voyages of armies aboard fleets, and armies that become fleets.

use std::cmp::Reverse;

use upheaval_engine::ask::{Answer, Faculty, Observation};
use upheaval_engine::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::order::{Landing, Order};

use super::worth::{CentreSurvey, FrontLine, MOST_THREATS, PlannedUnit};
use crate::common::passage::{Means, Voyage};
use crate::common::{passage, reach, ties};

/// A possible action of one unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub unit: ProvinceId,
    pub to: Location,
    pub means: Means,
    pub value: i32,
}

/// A candidate packed into a number, so that all of them are sorted at once: the best first, equal ones by lot.
///
/// ```text
///   how much less than BEST it is worth │   lot   │ unit │ province │ the coast, or 256 + a number in `by_other_means`
///                 9 bits                │ 20 bits │   8  │     8    │                     19 bits
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Ranked(u64);

/// A place to which no unit can go.
const NOWHERE: Location = Location { province: ProvinceId(u8::MAX), coast: CoastId(u8::MAX) };

/// More than any worth, but by less than 2⁹.
const BEST: i32 = 150;

/// The number of coasts in [`Ranked`], and of the options by other means.
const COASTS: usize = 1 << 8;
const OTHER_MEANS: usize = (1 << 19) - COASTS;

impl Ranked {
    /// The unit's own move, or its staying, with a random part from 0 to 2 added to its worth.
    #[inline]
    pub(super) fn alone(unit: ProvinceId, to: Location, worth: i32, dice: &mut Stream) -> Ranked {
        Ranked::new(unit, to.province, worth, usize::from(to.coast.0), dice)
    }

    /// The same for an option by other means, with its number.
    pub(super) fn other(
        unit: ProvinceId,
        to: ProvinceId,
        worth: i32,
        number: usize,
        dice: &mut Stream,
    ) -> Ranked {
        Ranked::new(unit, to, worth, COASTS + number, dice)
    }

    /// The random part and the lot come from a single draw: they are the digits before and after the point of three
    /// times a number from 0 up to 1.
    #[inline(always)]
    fn new(unit: ProvinceId, to: ProvinceId, worth: i32, way: usize, dice: &mut Stream) -> Ranked {
        let drawn = u128::from(dice.next_u64()) * 3;
        let (more, lot) = ((drawn >> 64) as i32, drawn as u64 >> 44);
        let [less, unit, to] = [(BEST - worth - more) as u64, u64::from(unit.0), u64::from(to.0)];
        debug_assert!(less < 1 << 9, "a worth of {worth}");
        Ranked(less << 55 | lot << 35 | unit << 27 | to << 19 | way as u64)
    }

    #[inline]
    pub(super) fn value(self) -> i32 {
        BEST - (self.0 >> 55) as i32
    }

    #[inline]
    pub(super) fn unit(self) -> ProvinceId {
        ProvinceId((self.0 >> 27) as u8)
    }

    #[inline]
    pub(super) fn province(self) -> ProvinceId {
        ProvinceId((self.0 >> 19) as u8)
    }

    /// The place to which the unit moves by itself; without meaning for an option by other means.
    #[inline]
    pub(super) fn to(self) -> Location {
        Location { province: self.province(), coast: CoastId(self.0 as u8) }
    }

    /// The number of the option by other means.
    #[inline]
    pub(super) fn other_means(self) -> Option<usize> {
        (self.0 as usize & (COASTS + OTHER_MEANS - 1)).checked_sub(COASTS)
    }
}

/// The plan of each own unit. The buffers are reused from phase to phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Planner {
    /// All options of all units; sorted by worth, the best first.
    candidates: Vec<Ranked>,
    /// The options other than own moves.
    by_other_means: Vec<Candidate>,
    /// The plan of each province's unit; stale elsewhere.
    plans: ByProvince<Option<Candidate>>,
    /// The destination of each own unit's order; stale elsewhere.
    goals: ByProvince<Location>,
    /// The places that will be occupied.
    claimed: ProvinceSet,
    /// Fleets that carry an army.
    carriers: ProvinceSet,
    /// Armies that board a fleet.
    passengers: ProvinceSet,
}

impl Planner {
    /// Orders for all units of the power.
    pub(super) fn plan(
        &mut self,
        seen: &Observation<'_>,
        survey: &CentreSurvey<'_>,
        dice: &mut Stream,
        answer: &mut Answer<'_>,
    ) {
        let front = &FrontLine::new(seen, survey);
        let own = front.own;
        self.candidates.clear();
        self.by_other_means.clear();
        (self.claimed, self.carriers) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        self.passengers = ProvinceSet::EMPTY;
        for unit in own {
            self.plans[unit] = None;
            self.collect(seen, front, unit, dice);
        }
        self.candidates.sort_unstable();
        self.assign(seen, own);
        for unit in own {
            let order = self.order(unit);
            if order != Order::Hold {
                answer.write(unit, order);
            }
            self.goals[unit] = match answer.order(unit) {
                Order::Move { to, .. } => to,
                _ => NOWHERE,
            };
        }
        if !seen.handicap.denies(Faculty::Supports) {
            self.support_moves(seen, front, dice, answer);
            support_garrisons(seen, front, dice, answer);
        }
        for plan in own.iter().filter_map(|unit| self.plans[unit]) {
            // A fleet that has become a helper in the meantime does not move.
            let goal = |fleet| match answer.order(fleet) {
                Order::Move { to, .. } => to.province,
                _ => fleet,
            };
            if let Means::Voyage(Voyage { fleet, sea }) = plan.means
                && plan.to.province != sea
                && goal(fleet) == sea
            {
                answer.land(Landing { power: seen.power, from: sea, to: plan.to.province });
            }
        }
    }

    /// All options of the unit, with their worth.
    fn collect(
        &mut self,
        seen: &Observation<'_>,
        front: &FrontLine<'_>,
        unit: ProvinceId,
        dice: &mut Stream,
    ) {
        let Some(standing) = seen.position.unit(unit) else { return };
        let mover = PlannedUnit::new(seen, unit, standing.kind);
        if !standing.is_laden() {
            let here = Location { province: unit, coast: standing.coast };
            self.add_alone(front, &mover, here, dice);
            match standing.kind {
                UnitKind::Fleet => seen.board.fleet_moves(here).iter().for_each(|to| {
                    self.add_alone(front, &mover, to, dice);
                }),
                UnitKind::Army => seen.board.army_reach(unit).iter().for_each(|to| {
                    self.add_alone(front, &mover, to.into(), dice);
                }),
            }
            if standing.kind == UnitKind::Army {
                passage::convoys(seen, unit, |fleet, to| {
                    let value = front.worth(&mover, to) - COST_OF_A_FLEET;
                    self.add(Candidate { unit, to: to.into(), means: Means::Convoy(fleet), value }, dice);
                });
            }
        }
        collect_voyages(seen, front, unit, |found| self.add(found, dice));
    }

    /// Adds the option of staying or of the unit's own move.
    #[inline(always)]
    fn add_alone(&mut self, front: &FrontLine<'_>, mover: &PlannedUnit, to: Location, dice: &mut Stream) {
        let worth = front.worth(mover, to.province) - front.risk(mover, to.province);
        self.candidates.push(Ranked::alone(mover.at, to, worth, dice));
    }

    /// Adds an option by other means, if it fits: there is room for half a million of them, more than any map of 256
    /// provinces with all its units would have.
    fn add(&mut self, option: Candidate, dice: &mut Stream) {
        let number = self.by_other_means.len();
        if number < OTHER_MEANS {
            let ranked = Ranked::other(option.unit, option.to.province, option.value, number, dice);
            self.candidates.push(ranked);
            self.by_other_means.push(Candidate { value: ranked.value(), ..option });
        }
    }

    #[inline]
    fn candidate(&self, ranked: Ranked) -> Candidate {
        match ranked.other_means() {
            Some(number) => self.by_other_means[number],
            None => {
                let (unit, to, value) = (ranked.unit(), ranked.to(), ranked.value());
                Candidate { unit, to, means: Means::Alone, value }
            }
        }
    }

    /// Gives every unit its best option that is still free. A unit follows another of its own power only
    /// after that one has been ordered to leave, so no two of them can meet or swap.
    fn assign(&mut self, seen: &Observation<'_>, own: ProvinceSet) {
        let mut waiting = own;
        while !waiting.is_empty() {
            let taken = self.claimed | waiting;
            let free = |ranked: &&Ranked| {
                let (unit, to) = (ranked.unit(), ranked.province());
                // Evaluated without branches, because each condition alone is unpredictable.
                (waiting.contains(unit) & (!taken.contains(to) | ((to == unit) & !self.claimed.contains(to))))
                    && (ranked.other_means().is_none()
                        || self.can_be_carried(self.candidate(**ranked), waiting))
            };
            let Some(&best) = self.candidates.iter().find(free) else { break };
            let best = self.candidate(best);
            if let Some(fleet) = best.means.carrier(best.unit) {
                let at = match best.means {
                    Means::Voyage(voyage) => voyage.sea.into(),
                    _ => seen.position.location(fleet).unwrap_or(fleet.into()),
                };
                let means = Means::Alone;
                self.plans[fleet] = Some(Candidate { unit: fleet, to: at, means, value: best.value });
                self.claimed.insert(at.province);
                self.carriers.insert(fleet);
                waiting.remove(fleet);
            }
            if let Means::Voyage(voyage) = best.means {
                self.claimed.insert(voyage.sea);
                self.passengers.insert(best.unit);
            }
            self.plans[best.unit] = Some(best);
            self.claimed.insert(best.to.province);
            waiting.remove(best.unit);
        }
    }

    /// Can the required fleet do its part?
    fn can_be_carried(&self, Candidate { unit, to, means, .. }: Candidate, waiting: ProvinceSet) -> bool {
        means.carrier(unit).is_none_or(|fleet| {
            let stays = means.sea(to).is_none_or(|sea| sea == fleet);
            waiting.contains(fleet) && !(stays && self.claimed.contains(fleet))
        }) && means.sea(to).is_none_or(|sea| {
            let itself = [Some(unit), means.carrier(unit)].contains(&Some(sea));
            !self.claimed.contains(sea) && (itself || !waiting.contains(sea))
        })
    }

    /// The order that carries out the unit's plan, except for those of carriers.
    fn order(&self, unit: ProvinceId) -> Order {
        let carried = |c: &Candidate| {
            c.means == Means::Convoy(unit)
                && self.plans[c.unit].is_some_and(|p| p.to == c.to && p.means == c.means)
        };
        if self.carriers.contains(unit)
            && let Some(army) = self.candidates.iter().map(|&ranked| self.candidate(ranked)).find(carried)
        {
            return Order::Convoy { army: army.unit, to: army.to.province };
        }
        self.plans[unit].map_or(Order::Hold, |plan| plan.means.order(unit, plan.to))
    }

    /// Turns units with less to do into supporters of moves that may meet resistance, the best move first.
    fn support_moves(
        &mut self,
        seen: &Observation<'_>,
        front: &FrontLine<'_>,
        dice: &mut Stream,
        answer: &mut Answer<'_>,
    ) {
        let own = front.own;
        let contested = front.foreign | front.threats.any();
        let mut fixed = self.carriers;
        // Boarding armies cannot help, and fleets whose army lands already help it.
        let helpless = self.passengers;
        for i in 0..self.candidates.len() {
            let ranked = self.candidates[i];
            let (unit, to) = (ranked.unit(), ranked.province());
            let goes = (self.goals[unit] == ranked.to()) | ranked.other_means().is_some();
            if !(goes & contested.contains(to) & !fixed.contains(unit)) {
                continue;
            }
            let plan = self.candidate(ranked);
            let lands = plan.means.sea(plan.to).is_some() && self.plans[plan.unit] == Some(plan);
            if !lands && self.goals[unit] != plan.to {
                continue;
            }
            let met = i32::from(front.foreign.contains(to)) + front.threats.of(to);
            fixed.insert(plan.unit);
            let mut wanted = met.min(3);
            while wanted > 0 {
                let order = match plan.means.sea(plan.to) {
                    Some(from) => Order::SupportLanding { from, to },
                    None => Order::SupportMove { unit: plan.unit, to, coast: None },
                };
                let helps = |&unit: &ProvinceId| {
                    let value = self.plans[unit].map_or(0, |p| p.value);
                    let expected = self.plans[unit]
                        .is_some_and(|p| p.to.province != unit && self.claimed.contains(unit));
                    value < plan.value
                        && !expected
                        && !front.drowns(kind_of(seen, unit), unit)
                        && seen.is_legal(unit, order)
                };
                let helpers = (own - fixed - helpless).iter().filter(helps);
                let helper = ties::least(helpers, |&unit| self.plans[unit].map_or(0, |p| p.value), dice);
                let Some(helper) = helper else { break };
                // The helper stays, so its former destination becomes free, and its own place is occupied.
                if let Some(given_up) = self.plans[helper] {
                    self.claimed.remove(given_up.to.province);
                }
                self.claimed.insert(helper);
                fixed.insert(helper);
                answer.write(helper, order);
                wanted -= 1;
            }
        }
    }
}

/// A unit that only holds supports the most threatened neighbour that stays.
fn support_garrisons(
    seen: &Observation<'_>,
    front: &FrontLine<'_>,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let threatened = front.own & front.threats.any();
    // The number of foreign units that could come: all of them count, because a larger number is a greater
    // threat.
    let threats = |at| match front.threats.of(at) {
        few if few < MOST_THREATS as i32 => few,
        _ => front.foreign.iter().filter(|&unit| reach(seen, unit).contains(at)).count() as i32,
    };
    for unit in front.own {
        let guarded = reach(seen, unit) & threatened;
        if guarded.is_empty() || answer.order(unit) != Order::Hold {
            continue;
        }
        let stays = |at: &ProvinceId| !matches!(answer.order(*at), Order::Move { .. });
        let threat = |&at: &ProvinceId| Reverse((threats(at), seen.centres.contains(at)));
        let worst = ties::least(guarded.iter().filter(stays), threat, dice);
        if let Some(at) = worst.filter(|&at| front.threats.of(at) > front.threats.of(unit).min(1)) {
            answer.write(unit, Order::SupportHold { unit: at });
        }
    }
}

fn kind_of(seen: &Observation<'_>, at: ProvinceId) -> UnitKind {
    seen.position.unit(at).map_or(UnitKind::Army, |unit| unit.kind)
}

/// The cost of using a fleet that could do something else.
pub(super) const COST_OF_A_FLEET: i32 = 6;

/// The cost to an army of becoming a fleet for good.
const COST_OF_THE_ARMY: i32 = 12;

/// Calls `found` with the voyages of the army in this province, or of the army aboard the fleet there, and
/// with the option to become a fleet.
pub(super) fn collect_voyages(
    seen: &Observation<'_>,
    front: &FrontLine<'_>,
    unit: ProvinceId,
    mut found: impl FnMut(Candidate),
) {
    passage::voyages(seen, unit, |means, to| {
        let value = match means {
            Means::Voyage(Voyage { fleet, sea }) => {
                let cost = if fleet == unit { 0 } else { COST_OF_A_FLEET };
                let there = match sea == to.province {
                    true => front.worth_aboard(fleet, sea),
                    false => front.worth(&PlannedUnit::new(seen, unit, UnitKind::Army), to.province),
                };
                there - cost
            }
            Means::Transform => {
                front.worth(&PlannedUnit::new(seen, unit, UnitKind::Fleet), unit) - COST_OF_THE_ARMY
            }
            Means::Alone | Means::Convoy(_) => return,
        };
        found(Candidate { unit, to, means, value });
    });
}
