//! The sheet on which a bot writes its power's orders for a movement phase.

use super::Observation;
use crate::rules::legal;
use crate::rules::order::{Landing, Order, Orders};
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
    refused: u32,
}

impl<'a> OrderSheet<'a> {
    /// The sheet of the observing power. Its orders are stored among those of the others.
    pub fn new(seen: &'a Observation<'a>, orders: &'a mut Orders) -> Self {
        OrderSheet { seen, orders, refused: 0 }
    }

    /// How many orders, landings and retreat places were refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// The order of one of the power's units; a hold for any other province.
    #[inline]
    pub fn order(&self, unit: ProvinceId) -> Order {
        if self.is_own(unit) { self.orders[unit] } else { Order::Hold }
    }

    /// Gives an order to a unit. Returns false and counts a refusal if the unit does not belong to the power
    /// or the order is not one of its [`Observation::legal_orders`].
    pub fn write(&mut self, unit: ProvinceId, order: Order) -> bool {
        let counts = self.is_own(unit) && self.seen.is_legal(unit, order);
        match counts {
            true => self.orders[unit] = order,
            false => self.refused += 1,
        }
        counts
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
    /// from that sea. Returns false and counts a refusal if it is not one of the [`legal::landings`].
    pub fn land(&mut self, landing: Landing) -> bool {
        let Observation { board, position, chains, power, .. } = *self.seen;
        let counts = landing.power == power && legal::is_legal_landing(board, position, chains, landing);
        match counts {
            true => self.orders.land(landing),
            false => self.refused += 1,
        }
        counts
    }

    /// Lists the places to which a unit retreats if it is dislodged, the best first, replacing an earlier
    /// list (rules.md 4.12). A place to which it can never retreat is left out and counted as refused.
    /// Returns false if there was such a place, if the unit does not belong to the power, or if retreats are
    /// not sent with the orders ([`Observation::listing`]).
    pub fn list_retreats(&mut self, unit: ProvinceId, places: impl IntoIterator<Item = Location>) -> bool {
        let Observation { board, position, listing, .. } = *self.seen;
        let own = position.unit(unit).zip(position.location(unit)).filter(|_| self.is_own(unit));
        let Some((own, from)) = own.filter(|_| listing.is_allowed()) else {
            self.refused += 1;
            return false;
        };
        let before = self.refused;
        let refused = &mut self.refused;
        let may_be_listed = |&to: &Location| {
            let may = retreat::may_be_listed(board, listing, from, own.kind, to);
            *refused += u32::from(!may);
            may
        };
        self.orders.retreats_mut().set(unit, places.into_iter().filter(may_be_listed));
        self.refused == before
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
