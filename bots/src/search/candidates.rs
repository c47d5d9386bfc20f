//! The candidates of `search`: joint orders of all its units, as given by its policies under several dice.

use upheaval_engine::bot::{Bot, Observation, OrderSheet};
use upheaval_engine::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_engine::rules::order::{Landing, Order, Orders};
use upheaval_engine::rules::retreat_lists::RetreatLists;

use super::rollout::{StreamPurpose, stream};
use crate::{Dumbbot, Greedy};

/// One in this many candidates is `greedy`'s.
const GREEDY_EVERY: u64 = 4;
/// One in this many is the adviser's, if there is one.
const ADVISED_EVERY: u64 = 2;

/// More tries than candidates, because some give the same orders again.
const TRIES: u64 = 3;

/// The orders of one power's units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joint {
    power: Power,
    units: Vec<(ProvinceId, Order)>,
    landings: Vec<Landing>,
    retreats: RetreatLists,
}

impl Joint {
    /// The part of these orders that belongs to the power with these units.
    fn of(orders: &Orders, power: Power, units: &ProvinceSet) -> Joint {
        let mut retreats = RetreatLists::default();
        for (unit, places) in orders.retreats().iter().filter(|(unit, _)| units.contains(*unit)) {
            retreats.set(unit, places.iter().copied());
        }
        Joint {
            power,
            units: units.iter().map(|unit| (unit, orders[unit])).collect(),
            landings: orders.landings().iter().copied().filter(|landing| landing.power == power).collect(),
            retreats,
        }
    }

    /// Puts them into the common orders, replacing those for the same units.
    pub fn join(&self, orders: &mut Orders) {
        let of_others = orders.take_landings().into_iter().filter(|landing| landing.power != self.power);
        of_others.chain(self.landings.iter().copied()).for_each(|landing| orders.land(landing));
        self.units.iter().for_each(|&(unit, order)| orders[unit] = order);
        if !(self.retreats.is_empty() && orders.retreats().is_empty()) {
            let lists = orders.retreats_mut();
            self.units.iter().for_each(|&(unit, _)| lists.set(unit, self.retreats.of(unit).iter().copied()));
        }
    }

    /// Writes them onto the sheet.
    pub fn write(&self, sheet: &mut OrderSheet<'_>) {
        for &(unit, order) in &self.units {
            sheet.write(unit, order);
        }
        for &landing in &self.landings {
            sheet.land(landing);
        }
        for (unit, places) in self.retreats.iter() {
            sheet.list_retreats(unit, places.iter().copied());
        }
    }
}

/// The joint orders being compared.
#[derive(Default)]
pub struct Candidates {
    joint: Vec<Joint>,
    adviser: Option<Box<dyn Bot>>,
    dumbbot: Dumbbot,
    greedy: Greedy,
}

impl Candidates {
    /// A set of candidates of which half are the adviser's.
    pub fn advised(adviser: Box<dyn Bot>) -> Candidates {
        Candidates { adviser: Some(adviser), ..Candidates::default() }
    }

    /// A new game begins, in which the bot plays this power.
    pub fn new_game(&mut self, power: Power) {
        if let Some(adviser) = &mut self.adviser {
            adviser.new_game(power);
        }
    }

    /// Collects different joint orders: at least one, at most this number.
    pub fn collect(&mut self, seen: &Observation<'_>, root: u64, most: u32) {
        self.joint.clear();
        let own = *seen.position.units_of(seen.power);
        let mut orders = Orders::all_hold();
        for i in 0..TRIES * u64::from(most.max(1)) {
            orders.clone_from(&Orders::all_hold());
            let mut sheet = OrderSheet::new(seen, &mut orders);
            let mut dice = stream(root, StreamPurpose::Candidate, i, seen.power);
            let author: &mut dyn Bot = match &mut self.adviser {
                Some(adviser) if i % ADVISED_EVERY == ADVISED_EVERY - 1 => adviser.as_mut(),
                Some(_) if i % (ADVISED_EVERY * GREEDY_EVERY) == 2 => &mut self.greedy,
                None if i % GREEDY_EVERY == GREEDY_EVERY - 1 => &mut self.greedy,
                _ => &mut self.dumbbot,
            };
            author.movement(seen, &mut dice, &mut sheet);
            let joint = Joint::of(&orders, seen.power, &own);
            if !self.joint.contains(&joint) {
                self.joint.push(joint);
            }
            if self.joint.len() >= most as usize {
                break;
            }
        }
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.joint.len()
    }

    /// One of them.
    pub fn get(&self, i: usize) -> &Joint {
        &self.joint[i]
    }
}
