//! The orders of a movement phase.

use super::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::decision::Decision;
use crate::rules::legal;
use crate::rules::notation::{Listed, Situation, WrittenOrder};
use crate::rules::order::{Landing, Order};
use crate::rules::refused::RefusedOrder;
use crate::rules::retreat;
use upheaval_map::ids::{Location, Power, ProvinceId};
use upheaval_map::rng::Stream;

/// The orders of all units of a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movement;

impl Movement {
    /// Calls `found` with each possible decision besides the orders of units, and its subject: the landings from each
    /// fleet; and, where retreats are sent with the orders, the places that the list of a unit may name, each as a list
    /// of one place.
    pub fn besides(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        let Observation { board, position, chains, power, .. } = *seen;
        let own = *position.units_of(power);
        if seen.rulebook.army_fleets.allowed() {
            for fleet in own & *position.fleets() {
                for landing in legal::landings(board, position, chains, fleet) {
                    found(Subject::Aboard(fleet), Decision::Landing(landing));
                }
            }
        }
        if seen.listing.is_allowed() {
            for unit in own {
                for to in seen.ways_from(unit) {
                    let list = Listed { unit, places: vec![to], passed_over: Vec::new() };
                    found(Subject::Retreats(unit), Decision::List(list));
                }
            }
        }
    }
}

impl Question for Movement {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Movement)) {
        if game.stage() == Stage::Movement && !game.world().position.units_of(power).is_empty() {
            found(Movement);
        }
    }

    /// The orders of each unit, and what else may be decided ([`Movement::besides`]).
    fn choices(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        let mut orders = Vec::new();
        for unit in *seen.position.units_of(seen.power) {
            seen.legal_orders(unit, &mut orders);
            orders.iter().for_each(|&order| found(Subject::Unit(unit), Decision::Order { unit, order }));
        }
        self.besides(seen, found);
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Order { .. } | Decision::Landing(_) | Decision::List(_))
    }

    /// Orders are checked, and refused with their own reasons, by the methods of [`Answer`] below.
    fn check(&self, _: &mut Answer<'_>, _: &Decision) -> Result<(), Refusal> {
        Err(Refusal::NotListed)
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let (power, orders) = (answer.seen.power, &answer.answers.orders);
        let own = *answer.seen.position.units_of(power);
        let units = own.iter().map(|unit| Decision::Order { unit, order: orders[unit] });
        let landings = orders.landings().iter().filter(|landing| landing.power == power);
        let lists = orders.retreats().iter().filter(|(unit, _)| own.contains(*unit));
        let lists = lists.map(|(unit, places)| {
            Decision::List(Listed { unit, places: places.to_vec(), passed_over: Vec::new() })
        });
        units.chain(landings.map(|&landing| Decision::Landing(landing))).chain(lists).collect()
    }

    fn withdraw(&self, answer: &mut Answer<'_>) {
        answer.answers.withdraw_orders(answer.seen.power, answer.seen.position.units_of(answer.seen.power));
    }
}

impl Answer<'_> {
    /// The order of one of the power's units; a hold for any other province.
    #[inline]
    pub fn order(&self, unit: ProvinceId) -> Order {
        if self.is_own(unit) { self.answers.orders[unit] } else { Order::Hold }
    }

    /// Gives an order to a unit. Returns false and notes a refusal if the unit does not belong to the power
    /// or the order is not one of its [`Observation::legal_orders`].
    pub fn write(&mut self, unit: ProvinceId, order: Order) -> bool {
        let counts = self.is_own(unit) && self.seen.is_legal(unit, order);
        match counts {
            true => self.answers.orders[unit] = order,
            false => self.refuse(unit, order),
        }
        counts
    }

    fn refuse(&mut self, unit: ProvinceId, order: Order) {
        let Observation { board, position, chains, power, handicap, .. } = *self.seen;
        let names = self.seen.names();
        let written = WrittenOrder::from_order(position, unit, order);
        let situation = Situation { board, position, chains, power, names };
        let reason = match written.map(|written| written.resolve(&situation)) {
            _ if !self.is_own(unit) => format!("the power has no unit in {}", names.province(unit)),
            Some(Err(illegal)) => illegal.to_string(),
            _ if !handicap.allows(order) => "the bot plays without orders of this kind".to_owned(),
            _ => "it is not legal".to_owned(),
        };
        let text = match written {
            Some(written) => written.display(names).to_string(),
            None => format!("an order to {}", names.province(unit)),
        };
        self.refused.push(RefusedOrder::new(text, reason));
    }

    /// Gives every unit one of its legal orders, each equally likely; draws one number for each unit, in the
    /// order of the provinces.
    pub fn draw(&mut self, dice: &mut Stream) {
        let Observation { board, position, chains, power, handicap, .. } = *self.seen;
        if !handicap.is_none() {
            return self.draw_allowed(dice);
        }
        for unit in *position.units_of(power) {
            if let Some(order) = legal::draw(board, position, chains, unit, dice) {
                self.answers.orders[unit] = order;
            }
        }
    }

    /// The same among the orders that a handicap allows.
    fn draw_allowed(&mut self, dice: &mut Stream) {
        let mut orders = Vec::new();
        for unit in *self.seen.position.units_of(self.seen.power) {
            self.seen.legal_orders(unit, &mut orders);
            if let Some(&order) = dice.choose(&orders) {
                self.answers.orders[unit] = order;
            }
        }
    }

    /// Orders the power's army aboard the fleet ordered to be in a sea to land, replacing an earlier landing
    /// from that sea. Returns false and notes a refusal if it is not one of the [`legal::landings`].
    pub fn land(&mut self, landing: Landing) -> bool {
        let Observation { board, position, chains, power, .. } = *self.seen;
        let counts = landing.power == power && legal::is_legal_landing(board, position, chains, landing);
        match counts {
            true => self.answers.orders.land(landing),
            false => {
                let text = WrittenOrder::from_landing(landing).display(self.seen.names()).to_string();
                self.refused.push(RefusedOrder::new(text, "the army cannot land there"));
            }
        }
        counts
    }

    /// Lists the places to which a unit retreats if it is dislodged, the best first, replacing an earlier
    /// list (rules.md 4.12). A place to which it can never retreat is left out and noted as refused.
    /// Returns false if there was such a place, if the unit does not belong to the power, or if retreats are
    /// not sent with the orders ([`Observation::listing`]).
    pub fn list_retreats(&mut self, unit: ProvinceId, places: impl IntoIterator<Item = Location>) -> bool {
        let Observation { board, position, listing, .. } = *self.seen;
        let names = self.seen.names();
        let own = position.unit(unit).zip(position.location(unit)).filter(|_| self.is_own(unit));
        let Some((own, from)) = own.filter(|_| listing.is_allowed()) else {
            let reason = match listing.is_allowed() {
                true => "the power has no such unit",
                false => "retreats are not sent with the orders in this variant",
            };
            let text = format!("the retreats of {}", names.province(unit));
            self.refused.push(RefusedOrder::new(text, reason));
            return false;
        };
        let before = self.refused.len();
        let refused = &mut self.refused;
        let may_be_listed = |&to: &Location| {
            let may = retreat::may_be_listed(board, listing, from, own.kind, to);
            if !may {
                let unit = names.unit(from, own.designation());
                let text = format!("{unit} R {}", names.location(to, own.kind));
                refused.push(RefusedOrder::new(text, "the unit can never retreat there"));
            }
            may
        };
        self.answers.orders.retreats_mut().set(unit, places.into_iter().filter(may_be_listed));
        self.refused.len() == before
    }

    /// The list of retreats of one of the power's units; empty if it has none.
    pub fn retreats(&self, unit: ProvinceId) -> &[Location] {
        if self.is_own(unit) { self.answers.orders.retreats().of(unit) } else { &[] }
    }

    #[inline]
    fn is_own(&self, unit: ProvinceId) -> bool {
        self.seen.position.units_of(self.seen.power).contains(unit)
    }
}
