//! Typed orders for each phase. `notation` converts them from and to text.

use crate::rules::retreat_lists::RetreatLists;
use upheaval_map::ids::{ByProvince, CoastId, Location, Power, ProvinceId, UnitKind};

/// The route of an army's move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Route {
    /// By land, or for a fleet by water: to a neighbour.
    Direct,
    /// By convoy: `VIA` in text. A move to a province that is not a neighbour is always by convoy.
    Convoy,
}

/// An order of the movement phase. It is stored under the unit that it is given to. The derived order of the
/// variants and their fields is the canonical order in which legal orders are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Order {
    /// Stay in place.
    Hold,
    /// Move to a province (for a fleet: to a coast of it).
    Move {
        /// The destination. An army's coast is [`CoastId::FIRST`].
        to: Location,
        /// By land or by convoy.
        route: Route,
    },
    /// Support a unit that does not move (it holds, supports or convoys).
    SupportHold {
        /// The place of the supported unit.
        unit: ProvinceId,
    },
    /// Support a unit's move.
    SupportMove {
        /// The starting place of the supported unit.
        unit: ProvinceId,
        /// Its destination.
        to: ProvinceId,
        /// The coast that the support names, if it names one. Listed legal orders never do.
        coast: Option<CoastId>,
    },
    /// Convoy an army.
    Convoy {
        /// The starting place of the army.
        army: ProvinceId,
        /// Its destination.
        to: ProvinceId,
    },
    /// Support the landing of an army from aboard a fleet (army/fleet rule 3).
    SupportLanding {
        /// The sea it lands from.
        from: ProvinceId,
        /// The province it lands in.
        to: ProvinceId,
    },
    /// Become a fleet: for an army on a coast (ru10 rule 2).
    Transform {
        /// The coast on which the fleet will be.
        coast: CoastId,
    },
    /// Board a fleet (army/fleet rule 1).
    Embark {
        /// The sea of the fleet.
        fleet: ProvinceId,
    },
}

/// The order to an army that is aboard a fleet, or that boards it in the same season, to disembark
/// (army/fleet rules 3 and 4). It is given in addition to the fleet's own order. Only all orders together
/// determine which army it refers to ([`Boarding::landers`](super::boarding::Boarding::landers)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Landing {
    /// The power that gives it.
    pub power: Power,
    /// The sea from which the army lands: the place or the destination of its fleet.
    pub from: ProvinceId,
    /// The province it lands in.
    pub to: ProvinceId,
}

/// The orders of a movement phase: one for each province with a unit (other entries are meaningless), the
/// landings, and the lists of retreats where these are sent with the orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    units: ByProvince<Order>,
    landings: Vec<Landing>,
    retreats: RetreatLists,
}

/// Copied as a whole: filling the table entry by entry takes longer than many a bot's decision.
static HOLD: ByProvince<Order> = ByProvince::filled(Order::Hold);

impl Default for Orders {
    fn default() -> Self {
        Orders::all_hold()
    }
}

impl Orders {
    /// All units hold; there are no landings and no lists of retreats.
    pub fn all_hold() -> Self {
        Orders { units: HOLD, landings: Vec::new(), retreats: RetreatLists::default() }
    }

    /// All units hold again; the memory of landings and lists is kept.
    pub(crate) fn clear(&mut self) {
        self.units = HOLD;
        self.landings.clear();
        self.retreats.clear();
    }

    /// The landings, sorted by power, then by sea.
    #[inline]
    pub fn landings(&self) -> &[Landing] {
        &self.landings
    }

    /// The landing of the power's army in this sea, if one is ordered.
    pub fn landing(&self, power: Power, sea: ProvinceId) -> Option<Landing> {
        self.landings.iter().copied().find(|landing| (landing.power, landing.from) == (power, sea))
    }

    /// Orders a landing, replacing an earlier one of the power's from the same sea.
    pub fn land(&mut self, landing: Landing) {
        let army = (landing.power, landing.from);
        match self.landings.binary_search_by_key(&army, |other| (other.power, other.from)) {
            Ok(i) => self.landings[i] = landing,
            Err(i) => self.landings.insert(i, landing),
        }
    }

    /// Removes and returns the landings.
    pub(crate) fn take_landings(&mut self) -> Vec<Landing> {
        std::mem::take(&mut self.landings)
    }

    /// The lists of retreats (rules.md 4.12).
    #[inline]
    pub fn retreats(&self) -> &RetreatLists {
        &self.retreats
    }

    /// The lists of retreats, mutable.
    #[inline]
    pub fn retreats_mut(&mut self) -> &mut RetreatLists {
        &mut self.retreats
    }
}

impl std::ops::Index<ProvinceId> for Orders {
    type Output = Order;
    #[inline]
    fn index(&self, unit: ProvinceId) -> &Order {
        &self.units[unit]
    }
}

impl std::ops::IndexMut<ProvinceId> for Orders {
    #[inline]
    fn index_mut(&mut self, unit: ProvinceId) -> &mut Order {
        &mut self.units[unit]
    }
}

/// An order of the retreat phase to one dislodged unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum RetreatOrder {
    /// Leave the board.
    Disband,
    /// Retreat to an empty province.
    Retreat {
        /// The destination; an army's coast is [`CoastId::FIRST`].
        to: Location,
    },
}

/// An order of the adjustment phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum AdjustmentOrder {
    /// Build a unit.
    Build {
        /// Army or fleet.
        kind: UnitKind,
        /// The place; an army's coast is [`CoastId::FIRST`].
        at: Location,
    },
    /// Disband a unit; for an army/fleet both, because the army is removed with its fleet (army/fleet rule
    /// 8).
    Remove {
        /// The place of the unit.
        at: ProvinceId,
    },
    /// Disband the army aboard a fleet.
    RemoveArmy {
        /// The place of the fleet.
        fleet: ProvinceId,
    },
    /// Waive a build.
    Waive,
}
