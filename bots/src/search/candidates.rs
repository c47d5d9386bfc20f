//! What `search` may order: joint orders of all its units, as its policies give them under several dice.

use upheaval_engine::bot::{Bot, Observation, OrderSheet};
use upheaval_engine::ids::{ProvinceId, ProvinceSet};
use upheaval_engine::rules::order::{Landing, Order, Orders};

use super::rollout::{Part, stream};
use crate::{Dumbbot, Greedy};

/// One in so many candidates is `greedy`'s.
const GREEDY_EVERY: u64 = 4;

/// More tries than candidates, for some give the same orders again.
const TRIES: u64 = 3;

/// The orders of one power's units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Joint {
    units: Vec<(ProvinceId, Order)>,
    landings: Vec<Landing>,
}

impl Joint {
    /// What these orders hold for these units.
    fn of(orders: &Orders, units: &ProvinceSet) -> Joint {
        Joint {
            units: units.iter().map(|unit| (unit, orders[unit])).collect(),
            landings: orders.landings().iter().copied().filter(|l| units.contains(l.fleet)).collect(),
        }
    }

    /// Puts them among everybody's orders, in place of what those have for the same units.
    pub fn join(&self, orders: &mut Orders) {
        let is_own = |landing: &Landing| self.units.iter().any(|&(unit, _)| unit == landing.fleet);
        let of_others = orders.take_landings().into_iter().filter(|landing| !is_own(landing));
        of_others.chain(self.landings.iter().copied()).for_each(|landing| orders.land(landing));
        self.units.iter().for_each(|&(unit, order)| orders[unit] = order);
    }

    /// Gives them.
    pub fn write(&self, sheet: &mut OrderSheet<'_>) {
        for &(unit, order) in &self.units {
            sheet.write(unit, order);
        }
        for &landing in &self.landings {
            sheet.land(landing);
        }
    }
}

/// The joint orders that are compared.
#[derive(Default)]
pub struct Candidates {
    joint: Vec<Joint>,
    dumbbot: Dumbbot,
    greedy: Greedy,
}

impl Candidates {
    /// Different joint orders, so many at most and one at least.
    pub fn collect(&mut self, seen: &Observation<'_>, root: u64, most: u32) {
        self.joint.clear();
        let own = *seen.position.units_of(seen.power);
        let mut orders = Orders::all_hold();
        for i in 0..TRIES * u64::from(most.max(1)) {
            orders.clone_from(&Orders::all_hold());
            let mut sheet = OrderSheet::new(seen, &mut orders);
            let mut dice = stream(root, Part::Candidate, i, seen.power);
            match i % GREEDY_EVERY == GREEDY_EVERY - 1 {
                true => self.greedy.movement(seen, &mut dice, &mut sheet),
                false => self.dumbbot.movement(seen, &mut dice, &mut sheet),
            }
            let joint = Joint::of(&orders, &own);
            if !self.joint.contains(&joint) {
                self.joint.push(joint);
            }
            if self.joint.len() >= most as usize {
                break;
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.joint.len()
    }

    /// One of them.
    pub fn get(&self, i: usize) -> &Joint {
        &self.joint[i]
    }
}
