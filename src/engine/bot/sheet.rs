//! A power's orders for a movement phase, as its bot writes them down.

use super::Observation;
use crate::rules::legal;
use crate::rules::order::{Landing, Order, Orders};
use crate::rules::retreat;
use upheaval_map::ids::{Location, ProvinceId};
use upheaval_map::rng::Stream;

/// What a power orders its units. All stand at hold; a legal order counts as soon as it is written, in place of the one
/// before; any other is refused and changes nothing. What other powers have written cannot be seen.
pub struct OrderSheet<'a> {
    seen: &'a Observation<'a>,
    /// Everybody's orders, of which these are a part.
    orders: &'a mut Orders,
    refused: u32,
}

impl<'a> OrderSheet<'a> {
    /// The sheet of the power that is looking. Its orders go among the others.
    pub fn new(seen: &'a Observation<'a>, orders: &'a mut Orders) -> Self {
        OrderSheet { seen, orders, refused: 0 }
    }

    /// How many orders, landings and places to retreat to were refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// The order of a unit of the power's; of anything else, to hold.
    #[inline]
    pub fn order(&self, unit: ProvinceId) -> Order {
        if self.is_own(unit) { self.orders[unit] } else { Order::Hold }
    }

    /// Orders a unit something. False, and refused, if the unit is not the power's or the order not one of its
    /// [`Observation::legal_orders`].
    pub fn write(&mut self, unit: ProvinceId, order: Order) -> bool {
        let counts = self.is_own(unit) && self.seen.is_legal(unit, order);
        match counts {
            true => self.orders[unit] = order,
            false => self.refused += 1,
        }
        counts
    }

    /// Orders every unit one of its legal orders, each equally likely; the units in the order of their provinces, one
    /// number for each.
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

    /// The same of the orders that a handicap leaves.
    fn draw_allowed(&mut self, dice: &mut Stream) {
        let mut orders = Vec::new();
        for unit in *self.seen.position.units_of(self.seen.power) {
            self.seen.legal_orders(unit, &mut orders);
            if let Some(&order) = dice.choose(&orders) {
                self.orders[unit] = order;
            }
        }
    }

    /// Orders the power's army aboard the fleet that is ordered to be in a sea to land, in place of an earlier landing
    /// from that sea. False, and refused, if it is not one of the [`legal::landings`].
    pub fn land(&mut self, landing: Landing) -> bool {
        let Observation { board, position, chains, power, .. } = *self.seen;
        let counts = landing.power == power && legal::is_legal_landing(board, position, chains, landing);
        match counts {
            true => self.orders.land(landing),
            false => self.refused += 1,
        }
        counts
    }

    /// Lists the places to which a unit retreats if it is dislodged, the best first, in place of an earlier list of the unit's
    /// (rules.md 4.12). A place to which it can never retreat is left out, and refused. False if one is, if the unit is not
    /// the power's, or if retreats are not sent with the orders ([`Observation::listing`]).
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

    /// The list of retreats of a unit of the power's; empty if it has none.
    pub fn retreats(&self, unit: ProvinceId) -> &[Location] {
        if self.is_own(unit) { self.orders.retreats().of(unit) } else { &[] }
    }

    #[inline]
    fn is_own(&self, unit: ProvinceId) -> bool {
        self.seen.position.units_of(self.seen.power).contains(unit)
    }
}
