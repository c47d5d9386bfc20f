//! Orders, typed by the phase they belong to. Text comes in and goes out through `notation`.

use crate::rules::retreat_lists::RetreatLists;
use upheaval_map::ids::{ByProvince, CoastId, Location, Power, ProvinceId, UnitKind};

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
    /// Support the landing of an army from aboard a fleet (army/fleet rule 3).
    SupportLanding {
        /// The sea it lands from.
        from: ProvinceId,
        /// The province it lands in.
        to: ProvinceId,
    },
    /// Become a fleet: for an army on a coast (ru10 rule 2).
    Transform {
        /// The coast that the fleet will stand on.
        coast: CoastId,
    },
    /// Go aboard a fleet (army/fleet rule 1).
    Embark {
        /// The sea where the fleet stands.
        fleet: ProvinceId,
    },
}

/// The order to an army that is aboard a fleet, or that boards it in the same season: to disembark (army/fleet rules 3
/// and 4). It is given beside the fleet's own order. Which army it is for shows beside all orders
/// ([`Boarding::landers`](super::boarding::Boarding::landers)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Landing {
    /// The power that gives it.
    pub power: Power,
    /// The sea from which the army lands: where its fleet stands, or where it is ordered to.
    pub from: ProvinceId,
    /// The province it lands in.
    pub to: ProvinceId,
}

/// The orders of a movement phase: one for each province with a unit (elsewhere the entry means nothing), the landings,
/// and the lists of retreats where these are sent with the orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    units: ByProvince<Order>,
    landings: Vec<Landing>,
    retreats: RetreatLists,
}

impl Default for Orders {
    fn default() -> Self {
        Orders::all_hold()
    }
}

impl Orders {
    /// Every unit holds, nobody lands, and no unit has a list of retreats.
    pub fn all_hold() -> Self {
        // Copied as a whole: to fill the table entry by entry takes longer than many a bot.
        static HOLD: ByProvince<Order> = ByProvince::filled(Order::Hold);
        Orders { units: HOLD, landings: Vec::new(), retreats: RetreatLists::default() }
    }

    /// The landings, by power, then by sea, ascending.
    #[inline]
    pub fn landings(&self) -> &[Landing] {
        &self.landings
    }

    /// The landing of the power's army in this sea, if one is ordered.
    pub fn landing(&self, power: Power, sea: ProvinceId) -> Option<Landing> {
        self.landings.iter().copied().find(|landing| (landing.power, landing.from) == (power, sea))
    }

    /// Orders a landing. An earlier one of the power's from the same sea is forgotten.
    pub fn land(&mut self, landing: Landing) {
        let army = (landing.power, landing.from);
        match self.landings.binary_search_by_key(&army, |other| (other.power, other.from)) {
            Ok(i) => self.landings[i] = landing,
            Err(i) => self.landings.insert(i, landing),
        }
    }

    /// Takes the landings out and leaves none.
    pub fn take_landings(&mut self) -> Vec<Landing> {
        std::mem::take(&mut self.landings)
    }

    /// The lists of retreats (rules.md 4.12).
    #[inline]
    pub fn retreats(&self) -> &RetreatLists {
        &self.retreats
    }

    /// The lists of retreats, to be written.
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
    /// Disband a unit; of an army/fleet, both: with the fleet goes the army (army/fleet rule 8).
    Remove {
        /// Where it stands.
        at: ProvinceId,
    },
    /// Disband the army aboard a fleet.
    RemoveArmy {
        /// Where the fleet is.
        fleet: ProvinceId,
    },
    /// Leave a build unused.
    Waive,
}
