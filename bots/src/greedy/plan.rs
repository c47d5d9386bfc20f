//! The movement phase: from values to orders.

use upheaval_engine::bot::{Observation, OrderSheet};
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::legal::is_legal;
use upheaval_engine::rules::order::{Landing, Order};

use super::survey::Survey;
use super::voyage::{self, COST_OF_A_FLEET};
use super::worth::{Front, MOST_THREATS, Mover};
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
        let front = &Front::new(seen, survey);
        let own = front.own;
        (self.found.clear(), self.ranks.clear());
        (self.claimed, self.carriers) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        self.passengers = ProvinceSet::EMPTY;
        for unit in own {
            self.plans[unit] = None;
            self.collect(seen, front, unit, dice);
        }
        self.sort();
        self.assign(seen, own);
        for unit in own {
            let order = self.order(unit);
            if order != sheet.order(unit) {
                sheet.write(unit, order);
            }
        }
        self.support_moves(seen, front, sheet);
        support_garrisons(seen, front, sheet);
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
    fn collect(&mut self, seen: &Observation<'_>, front: &Front<'_>, unit: ProvinceId, dice: &mut Stream) {
        let Some(standing) = seen.position.unit(unit) else { return };
        let mover = Mover::new(seen, unit, standing.kind);
        if !standing.is_laden() {
            let mut alone = |to: Location| {
                let worth = front.worth(mover, to.province) - front.risk(mover, to.province);
                let value = worth + dice.below(3) as i32;
                self.add(Candidate { unit, to, means: Means::Alone, value });
            };
            let here = Location { province: unit, coast: standing.coast };
            alone(here);
            match standing.kind {
                UnitKind::Fleet => seen.board.fleet_moves(here).iter().for_each(|&to| alone(to)),
                UnitKind::Army => seen.board.army_reach(unit).iter().for_each(|to| alone(to.into())),
            }
            if standing.kind == UnitKind::Army {
                passage::convoys(seen, unit, |fleet, to| {
                    let worth = front.worth(mover, to) - COST_OF_A_FLEET;
                    let value = worth + dice.below(3) as i32;
                    self.add(Candidate { unit, to: to.into(), means: Means::Convoy(fleet), value });
                });
            }
        }
        voyage::collect(seen, front, unit, dice, |found| self.add(found));
    }

    #[inline]
    fn add(&mut self, found: Candidate) {
        self.ranks.push(found.rank(self.found.len()));
        self.found.push(found);
    }

    /// Sorts what was found.
    fn sort(&mut self) {
        self.ranks.sort_unstable();
        self.candidates.clear();
        self.candidates.extend(self.ranks.iter().map(|&rank| self.found[usize::from(rank as u16)]));
    }

    /// Gives every unit the best that is still free. A unit follows another of its own only once that one has
    /// been told to leave, so no two of them can meet or swap.
    fn assign(&mut self, seen: &Observation<'_>, own: ProvinceSet) {
        let mut waiting = own;
        while !waiting.is_empty() {
            let taken = self.claimed | waiting;
            let free = |c: &&Candidate| {
                let to = c.to.province;
                waiting.contains(c.unit)
                    && (!taken.contains(to) || (to == c.unit && !self.claimed.contains(to)))
                    && c.means.carrier(c.unit).is_none_or(|fleet| {
                        let stays = c.means.sea(c.to).is_none_or(|sea| sea == fleet);
                        waiting.contains(fleet) && !(stays && self.claimed.contains(fleet))
                    })
                    && c.means.sea(c.to).is_none_or(|sea| {
                        let itself = [Some(c.unit), c.means.carrier(c.unit)].contains(&Some(sea));
                        !self.claimed.contains(sea) && (itself || !waiting.contains(sea))
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
    fn support_moves(&mut self, seen: &Observation<'_>, front: &Front<'_>, sheet: &mut OrderSheet<'_>) {
        let own = front.own;
        let contested = front.foreign | front.threats.any();
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
            let met = i32::from(front.foreign.contains(to)) + front.threats.of(to);
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
}

/// A unit that only holds supports the most threatened neighbour that stays where it is.
fn support_garrisons(seen: &Observation<'_>, front: &Front<'_>, sheet: &mut OrderSheet<'_>) {
    let threatened = front.own & front.threats.any();
    // How many units of others could come: all of them, for more of them count more.
    let threats = |at| match front.threats.of(at) {
        few if few < MOST_THREATS as i32 => few,
        _ => front.foreign.iter().filter(|&unit| reach(seen, unit).contains(at)).count() as i32,
    };
    for unit in front.own {
        let guarded = reach(seen, unit) & threatened;
        if guarded.is_empty() || sheet.order(unit) != Order::Hold {
            continue;
        }
        let stays = |at: &ProvinceId| !matches!(sheet.order(*at), Order::Move { .. });
        let worst = guarded.iter().filter(stays).max_by_key(|&at| (threats(at), seen.centres.contains(at)));
        if let Some(at) = worst.filter(|&at| front.threats.of(at) > front.threats.of(unit).min(1)) {
            sheet.write(unit, Order::SupportHold { unit: at });
        }
    }
}

fn kind_of(seen: &Observation<'_>, at: ProvinceId) -> UnitKind {
    seen.position.unit(at).map_or(UnitKind::Army, |unit| unit.kind)
}
