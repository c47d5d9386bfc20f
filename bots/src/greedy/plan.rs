//! The movement phase: from values to orders.

use upheaval_engine::bot::{Observation, OrderSheet};
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::legal::is_legal;
use upheaval_engine::rules::order::{Landing, Order};
use upheaval_engine::rules::position::Season;

use super::survey::{FAR, Front, Survey};
use super::voyage;
use crate::common::passage::{self, Means, Voyage};
use crate::common::reach;

/// Something one unit could do with itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub unit: ProvinceId,
    pub to: Location,
    pub means: Means,
    pub value: i32,
}

impl Candidate {
    /// Its place among all of them: the best first; what is worth the same, in the order of the board, and then as they came.
    #[inline]
    fn rank(&self, number: usize) -> u64 {
        let value = (BEST - self.value) as u64;
        let [unit, province, coast] = [self.unit.0, self.to.province.0, self.to.coast.0].map(u64::from);
        value << 40 | unit << 32 | province << 24 | coast << 16 | number as u64
    }
}

/// More than anything is worth.
const BEST: i32 = 1 << 10;

/// What is looked at while plans are made.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub seen: &'a Observation<'a>,
    pub survey: &'a Survey<'a>,
    pub front: &'a Front,
}

/// What each own unit is going to do. The buffers are kept from phase to phase.
#[derive(Clone, Debug)]
pub struct Planner {
    /// Everything that the units could do; the best first, once it is sorted.
    candidates: Vec<Candidate>,
    /// The same as it came.
    found: Vec<Candidate>,
    ranks: Vec<u64>,
    /// What the unit of a province was given; stale where no own unit stands.
    plans: ByProvince<Option<Candidate>>,
    /// Where somebody is going to stand.
    claimed: ProvinceSet,
    /// Fleets that carry an army.
    carriers: ProvinceSet,
    /// Armies that board a fleet.
    passengers: ProvinceSet,
}

impl Default for Planner {
    fn default() -> Self {
        Planner {
            candidates: Vec::new(),
            found: Vec::new(),
            ranks: Vec::new(),
            plans: ByProvince::filled(None),
            claimed: ProvinceSet::EMPTY,
            carriers: ProvinceSet::EMPTY,
            passengers: ProvinceSet::EMPTY,
        }
    }
}

impl Planner {
    /// Orders for all units of the power.
    pub fn plan(
        &mut self,
        seen: &Observation<'_>,
        survey: &Survey<'_>,
        dice: &mut Stream,
        sheet: &mut OrderSheet<'_>,
    ) {
        let front = &Front::new(seen);
        let (view, own) = (View { seen, survey, front }, front.own);
        self.found.clear();
        (self.claimed, self.carriers) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        self.passengers = ProvinceSet::EMPTY;
        for unit in own {
            self.plans[unit] = None;
            self.collect(view, unit, dice);
        }
        self.sort();
        self.assign(seen, own);
        for unit in own {
            sheet.write(unit, self.order(unit));
        }
        self.support_moves(view, sheet);
        self.support_garrisons(view, sheet);
        for plan in own.iter().filter_map(|unit| self.plans[unit]) {
            // A fleet that was made a helper meanwhile goes nowhere.
            let goal = |fleet| match sheet.order(fleet) {
                Order::Move { to, .. } => to.province,
                _ => fleet,
            };
            if let Means::Voyage(Voyage { fleet, sea }) = plan.means
                && plan.to.province != sea
                && goal(fleet) == sea
            {
                sheet.land(Landing { power: seen.power, from: sea, to: plan.to.province });
            }
        }
    }

    /// Everything the unit could do, with its worth.
    fn collect(&mut self, view: View<'_>, unit: ProvinceId, dice: &mut Stream) {
        let seen = view.seen;
        let (Some(kind), Some(here)) =
            (seen.position.unit(unit).map(|u| u.kind), seen.position.location(unit))
        else {
            return;
        };
        let laden = seen.position.laden().contains(unit);
        let mut push = |to: Location, carrier: Option<ProvinceId>, cost: i32| {
            let risk = if carrier.is_none() { voyage::risk(view.front, unit, kind, to.province) } else { 0 };
            let value = worth(view, unit, kind, to.province) - cost - risk + dice.below(3) as i32;
            let means = carrier.map_or(Means::Alone, Means::Convoy);
            self.found.push(Candidate { unit, to, means, value });
        };
        if !laden {
            push(here, None, 0);
        }
        match kind {
            UnitKind::Fleet if laden => {}
            UnitKind::Fleet => {
                for &to in seen.board.fleet_moves(here) {
                    push(to, None, 0);
                }
            }
            UnitKind::Army => {
                let walk = *seen.board.army_reach(unit);
                for to in walk {
                    push(to.into(), None, 0);
                }
                passage::convoys(seen, unit, |fleet, to| push(to.into(), Some(fleet), 6));
            }
        }
        voyage::collect(view, unit, dice, &mut self.found);
    }

    /// Sorts what was found.
    fn sort(&mut self) {
        self.ranks.clear();
        self.ranks.extend(self.found.iter().enumerate().map(|(number, found)| found.rank(number)));
        self.ranks.sort_unstable();
        self.candidates.clear();
        self.candidates.extend(self.ranks.iter().map(|&rank| self.found[usize::from(rank as u16)]));
    }

    /// Gives every unit the best that is still free. A unit follows another of its own only once that one has
    /// been told to leave, so no two of them can meet or swap.
    fn assign(&mut self, seen: &Observation<'_>, own: ProvinceSet) {
        let mut waiting = own;
        while !waiting.is_empty() {
            let free = |c: &&Candidate| {
                let occupied_by_own = own.contains(c.to.province) && c.to.province != c.unit;
                waiting.contains(c.unit)
                    && !self.claimed.contains(c.to.province)
                    && !(occupied_by_own && waiting.contains(c.to.province))
                    && c.means.carrier(c.unit).is_none_or(|fleet| {
                        let stays = c.means.sea(c.to).is_none_or(|sea| sea == fleet);
                        waiting.contains(fleet) && !(stays && self.claimed.contains(fleet))
                    })
                    && c.means.sea(c.to).is_none_or(|sea| {
                        let own_stands_there = own.contains(sea) && waiting.contains(sea);
                        let itself = [Some(c.unit), c.means.carrier(c.unit)].contains(&Some(sea));
                        !self.claimed.contains(sea) && (itself || !own_stands_there)
                    })
            };
            let Some(&best) = self.candidates.iter().find(free) else { break };
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

    /// The order that carries out the unit's plan, carriers' aside.
    fn order(&self, unit: ProvinceId) -> Order {
        let carried = |c: &&Candidate| {
            c.means == Means::Convoy(unit)
                && self.plans[c.unit].is_some_and(|p| p.to == c.to && p.means == c.means)
        };
        if self.carriers.contains(unit)
            && let Some(army) = self.candidates.iter().find(carried)
        {
            return Order::Convoy { army: army.unit, to: army.to.province };
        }
        self.plans[unit].map_or(Order::Hold, |plan| plan.means.order(unit, plan.to))
    }

    /// Turns units with less to do into supporters of the moves that may meet somebody, the best move first.
    fn support_moves(&mut self, view: View<'_>, sheet: &mut OrderSheet<'_>) {
        let View { seen, front, .. } = view;
        let own = front.own;
        let contested = front.foreign | front.threatened;
        let mut fixed = self.carriers;
        // Who boards cannot help, and whose army lands has its help.
        let helpless = self.passengers;
        for i in 0..self.candidates.len() {
            let plan = self.candidates[i];
            let to = plan.to.province;
            if !contested.contains(to) || fixed.contains(plan.unit) {
                continue;
            }
            let lands = plan.means.sea(plan.to).is_some() && self.plans[plan.unit] == Some(plan);
            let chosen = lands || matches!(sheet.order(plan.unit), Order::Move { to, .. } if to == plan.to);
            if !chosen {
                continue;
            }
            let met = i32::from(front.foreign.contains(to)) + i32::from(front.threats.of(to));
            fixed.insert(plan.unit);
            let mut wanted = met.min(3);
            while wanted > 0 {
                let order = match plan.means.sea(plan.to) {
                    Some(from) => Order::SupportLanding { from, to },
                    None => Order::SupportMove { unit: plan.unit, to, coast: None },
                };
                let helper = (own - fixed - helpless)
                    .iter()
                    .filter(|&unit| {
                        let value = self.plans[unit].map_or(0, |p| p.value);
                        let expected = self.plans[unit]
                            .is_some_and(|p| p.to.province != unit && self.claimed.contains(unit));
                        value < plan.value
                            && !expected
                            && !front.drowns(kind_of(seen, unit), unit)
                            && is_legal(seen.board, seen.position, seen.chains, unit, order)
                    })
                    .min_by_key(|&unit| self.plans[unit].map_or(0, |p| p.value));
                let Some(helper) = helper else { break };
                // It stays, so the place it was to go to is nobody's, and its own is taken.
                if let Some(given_up) = self.plans[helper] {
                    self.claimed.remove(given_up.to.province);
                }
                self.claimed.insert(helper);
                fixed.insert(helper);
                sheet.write(helper, order);
                wanted -= 1;
            }
        }
    }

    /// A unit that only holds supports the most threatened neighbour that stays where it is.
    fn support_garrisons(&self, View { seen, front, .. }: View<'_>, sheet: &mut OrderSheet<'_>) {
        let threatened = front.own & front.threatened;
        for unit in front.own {
            if sheet.order(unit) != Order::Hold {
                continue;
            }
            let stays = |at: &ProvinceId| !matches!(sheet.order(*at), Order::Move { .. });
            let guarded = (reach(seen, unit) & threatened).iter().filter(stays);
            let worst = guarded.max_by_key(|&at| (front.threats.of(at), seen.centres.contains(at)));
            if let Some(at) = worst.filter(|&at| front.threats.of(at) > front.threats.of(unit).min(1)) {
                sheet.write(unit, Order::SupportHold { unit: at });
            }
        }
    }
}

fn kind_of(seen: &Observation<'_>, at: ProvinceId) -> UnitKind {
    seen.position.unit(at).map_or(UnitKind::Army, |unit| unit.kind)
}

/// What it is worth to have the unit there at the end of the move.
pub(super) fn worth(
    View { seen, survey, front }: View<'_>,
    unit: ProvinceId,
    kind: UnitKind,
    to: ProvinceId,
) -> i32 {
    let stays = unit == to;
    if seen.doomed.contains(to) || front.drowns(kind, to) {
        return -200;
    }
    let threats = if front.threatened.contains(to) { i32::from(front.threats.of(to)).min(3) } else { 0 };
    let foreign = front.foreign.contains(to);
    if survey.wanted.contains(to) {
        // A centre changes hands after Fall only: in Spring, to be there is not yet to have it.
        let there = if seen.phase.season == Season::Fall { 120 } else { 60 };
        let helpers = front.others(seen, unit, to);
        return match (stays, foreign) {
            (true, _) => there,
            (false, false) => 100 - 10 * (threats - helpers).max(0),
            // Without help nothing that holds is dislodged.
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
