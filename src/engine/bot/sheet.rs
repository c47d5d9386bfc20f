//! The sheet on which a bot writes its power's orders for a movement phase.

use super::Observation;
use crate::rules::legal;
use crate::rules::notation::{Situation, WrittenOrder};
use crate::rules::order::{Landing, Order, Orders};
use crate::rules::refused::RefusedOrder;
use crate::rules::retreat;
use upheaval_map::ids::{Location, ProvinceId};
use upheaval_map::rng::Stream;

/// The orders of a power's units. All units hold at first; a legal order counts as soon as it is written and
/// replaces an earlier one; any other order is refused and changes nothing. The orders of other powers are
/// not visible.
pub struct OrderSheet<'a> {
    seen: &'a Observation<'a>,
    /// The orders of all powers, including these.
    orders: &'a mut Orders,
    refused: Vec<RefusedOrder>,
}

impl<'a> OrderSheet<'a> {
    /// The sheet of the observing power. Its orders are stored among those of the others.
    pub fn new(seen: &'a Observation<'a>, orders: &'a mut Orders) -> Self {
        OrderSheet { seen, orders, refused: Vec::new() }
    }

    /// The orders, landings and retreat places that were refused.
    pub fn refused(&self) -> &[RefusedOrder] {
        &self.refused
    }

    /// The same, without the sheet.
    pub fn into_refused(self) -> Vec<RefusedOrder> {
        self.refused
    }

    /// The order of one of the power's units; a hold for any other province.
    #[inline]
    pub fn order(&self, unit: ProvinceId) -> Order {
        if self.is_own(unit) { self.orders[unit] } else { Order::Hold }
    }

    /// Gives an order to a unit. Returns false and notes a refusal if the unit does not belong to the power
    /// or the order is not one of its [`Observation::legal_orders`].
    pub fn write(&mut self, unit: ProvinceId, order: Order) -> bool {
        let counts = self.is_own(unit) && self.seen.is_legal(unit, order);
        match counts {
            true => self.orders[unit] = order,
            false => self.refuse(unit, order),
        }
        counts
    }

    fn refuse(&mut self, unit: ProvinceId, order: Order) {
        let Observation { board, position, chains, power, handicap, .. } = *self.seen;
        let names = self.seen.names();
        let written = WrittenOrder::from_order(position, unit, order);
        let situation = Situation { board, position, chains, power };
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
                self.orders[unit] = order;
            }
        }
    }

    /// The same among the orders that a handicap allows.
    fn draw_allowed(&mut self, dice: &mut Stream) {
        let mut orders = Vec::new();
        for unit in *self.seen.position.units_of(self.seen.power) {
            self.seen.legal_orders(unit, &mut orders);
            if let Some(&order) = dice.choose(&orders) {
                self.orders[unit] = order;
            }
        }
    }

    /// Orders the power's army aboard the fleet ordered to be in a sea to land, replacing an earlier landing
    /// from that sea. Returns false and notes a refusal if it is not one of the [`legal::landings`].
    pub fn land(&mut self, landing: Landing) -> bool {
        let Observation { board, position, chains, power, .. } = *self.seen;
        let counts = landing.power == power && legal::is_legal_landing(board, position, chains, landing);
        match counts {
            true => self.orders.land(landing),
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
        self.orders.retreats_mut().set(unit, places.into_iter().filter(may_be_listed));
        self.refused.len() == before
    }

    /// The list of retreats of one of the power's units; empty if it has none.
    pub fn retreats(&self, unit: ProvinceId) -> &[Location] {
        if self.is_own(unit) { self.orders.retreats().of(unit) } else { &[] }
    }

    #[inline]
    fn is_own(&self, unit: ProvinceId) -> bool {
        self.seen.position.units_of(self.seen.power).contains(unit)
    }
}
