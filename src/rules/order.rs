//! Orders, typed by the phase they belong to. Text comes in and goes out through `notation`.

use crate::ids::{ByProvince, CoastId, Location, ProvinceId, UnitKind};

/// How an army's move is to travel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Route {
    /// By land, or for a fleet by water: to a neighbour.
    Direct,
    /// By convoy: `VIA` in text. A move to a province that is no neighbour is always by convoy.
    Convoy,
}

/// An order of the movement phase. The unit it is given to is the key it is stored by. The derived order of
/// the variants and their fields is the canonical order in which legal orders are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Order {
    /// Stay.
    Hold,
    /// Go to a province (for a fleet: to a coast of it).
    Move {
        /// The destination. An army's coast is [`CoastId::FIRST`].
        to: Location,
        /// By land or by convoy.
        route: Route,
    },
    /// Support a unit that does not move (it holds, supports or convoys).
    SupportHold {
        /// Where the supported unit stands.
        unit: ProvinceId,
    },
    /// Support a unit's move.
    SupportMove {
        /// Where the supported unit starts.
        unit: ProvinceId,
        /// Where it goes.
        to: ProvinceId,
        /// The coast that the support names, if it names one. Listed legal orders never do.
        coast: Option<CoastId>,
    },
    /// Convoy an army.
    Convoy {
        /// Where the army starts.
        army: ProvinceId,
        /// Where it goes.
        to: ProvinceId,
    },
}

/// The orders of a movement phase, one for each province with a unit; elsewhere the entry means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders(pub ByProvince<Order>);

impl Default for Orders {
    fn default() -> Self {
        Orders::all_hold()
    }
}

impl Orders {
    /// Every unit holds.
    pub const fn all_hold() -> Self {
        Orders(ByProvince::filled(Order::Hold))
    }
}

impl std::ops::Index<ProvinceId> for Orders {
    type Output = Order;
    #[inline]
    fn index(&self, unit: ProvinceId) -> &Order {
        &self.0[unit]
    }
}

impl std::ops::IndexMut<ProvinceId> for Orders {
    #[inline]
    fn index_mut(&mut self, unit: ProvinceId) -> &mut Order {
        &mut self.0[unit]
    }
}

/// An order of the retreat phase to one dislodged unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum RetreatOrder {
    /// Off the board.
    Disband,
    /// To an empty province.
    Retreat {
        /// The destination; an army's coast is [`CoastId::FIRST`].
        to: Location,
    },
}

/// An order of the adjustment phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum AdjustmentOrder {
    /// Raise a unit.
    Build {
        /// Army or fleet.
        kind: UnitKind,
        /// Where; an army's coast is [`CoastId::FIRST`].
        at: Location,
    },
    /// Disband a unit.
    Remove {
        /// Where it stands.
        at: ProvinceId,
    },
    /// Leave a build unused.
    Waive,
}
