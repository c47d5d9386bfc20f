//! Typed orders for each phase. `notation` converts them from and to text.

use std::fmt;
use std::sync::Arc;

use crate::rules::position::{Position, Unit};
use upheaval_map::ids::{ByProvince, CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

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
/// determine which army it refers to ([`Boarding::landers`](Boarding::landers)).
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

// Determines which armies are aboard which fleets after boarding, and which army an order to land means. It
// is the only place that decides this: for orders as text, for the adjudication, and for later phases.
//
// ```text
//   A NTH D EDI    means an army of the ordering power, aboard a fleet that is ordered to be in the North Sea:
//                    the fleet is there and stays         ─▶ that one
//                    one or several fleets sail there     ─▶ whichever of them gets there
//                    neither                              ─▶ none, and the order is void
// ```
//
// However many fleets are ordered there, at most one of a power's gets there. An order to land is therefore
// identified by its power and its sea; two orders for one sea are two orders for one army, and orders for
// other seas do not interfere (army/fleet rules 3 and 4).

/// The armies that board before anything moves, and their fleets (army/fleet rule 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boarding {
    /// The places of the armies.
    pub armies: ProvinceSet,
    /// The fleets that they board.
    pub fleets: ProvinceSet,
}

impl Boarding {
    /// No army boards.
    pub const NOBODY: Boarding = Boarding { armies: ProvinceSet::EMPTY, fleets: ProvinceSet::EMPTY };

    /// The armies that board by these orders. If two armies are ordered aboard one fleet, neither boards it.
    pub fn of(board: &Board, position: &Position, orders: &Orders) -> Boarding {
        let free = (*position.fleets() & *board.sea()) - *position.laden();
        let armies = *position.occupied() - *position.fleets();
        let power = |at: ProvinceId| position.unit(at).map(|unit| unit.power);
        let boarded_by = |army: ProvinceId| match orders[army] {
            Order::Embark { fleet }
                if free.contains(fleet)
                    && board.seas_next_to(army).contains(fleet)
                    && power(army) == power(fleet) =>
            {
                Some(fleet)
            }
            _ => None,
        };
        let (mut wanted, mut crowded) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        for fleet in armies.iter().filter_map(boarded_by) {
            if wanted.contains(fleet) {
                crowded.insert(fleet);
            }
            wanted.insert(fleet);
        }
        let fleets = wanted - crowded;
        let boards = |army: &ProvinceId| boarded_by(*army).is_some_and(|fleet| fleets.contains(fleet));
        Boarding { armies: armies.iter().filter(boards).collect(), fleets }
    }

    /// Does the unit have an army aboard when the movement begins?
    #[inline]
    pub(crate) fn is_laden(&self, at: ProvinceId, unit: Unit) -> bool {
        unit.is_laden() || self.fleets.contains(at)
    }

    /// The place where a fleet is ordered to be after the movement: its destination, or its current place if
    /// it is not ordered to sail or cannot follow its order.
    fn destination(
        &self,
        board: &Board,
        position: &Position,
        orders: &Orders,
        fleet: ProvinceId,
    ) -> ProvinceId {
        match (orders[fleet], position.unit(fleet)) {
            (Order::Move { to, .. }, Some(unit))
                if can_sail(board, fleet, unit, to)
                    && (board.sea().contains(to.province) || !self.is_laden(fleet, unit)) =>
            {
                to.province
            }
            _ => fleet,
        }
    }

    /// The fleets of the power, with an army aboard, to which an order to land from this sea can refer: the
    /// one that is there and stays, or else all that sail there, of which at most one arrives. Empty if the
    /// order is void.
    pub fn landers(
        &self,
        board: &Board,
        position: &Position,
        orders: &Orders,
        power: Power,
        sea: ProvinceId,
    ) -> ProvinceSet {
        let bound_there = |fleet: ProvinceId| {
            position.unit(fleet).is_some_and(|unit| self.is_laden(fleet, unit))
                && self.destination(board, position, orders, fleet) == sea
        };
        let own = *position.units_of(power) & *position.fleets();
        if own.contains(sea) && bound_there(sea) {
            return ProvinceSet::single(sea);
        }
        (own & *board.seas_next_to(sea)).iter().filter(|&fleet| bound_there(fleet)).collect()
    }
}

/// Can a fleet sail from its place to that place, whatever it carries?
#[inline]
pub(crate) fn can_sail(board: &Board, at: ProvinceId, fleet: Unit, to: Location) -> bool {
    fleet.kind == UnitKind::Fleet
        && fleet.coast.0 < board.coasts(at)
        && board.fleet_can_move(Location { province: at, coast: fleet.coast }, to)
}

// Polls: questions of a mechanism to the powers, such as a vote, that are answered with the orders of a movement.

/// The most polls of a power in one phase; further ones are not asked.
pub(crate) const MOST_POLLS: usize = 5;

/// A question to a power, which may pick one of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    /// The first word of an answer, in capitals: `VOTE`. It is not the first word of any other order.
    pub topic: Arc<str>,
    /// The rest of an answer, in capitals: one option or another. At least one.
    pub options: Vec<Arc<str>>,
    /// The index of the variant's entry whose places the options are, if they are.
    pub entry: Option<usize>,
}

/// The answer to a poll: `VOTE BUR`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// The topic of the poll.
    pub topic: Arc<str>,
    /// One of its options.
    pub option: Arc<str>,
}

impl Poll {
    /// The answer that picks this option.
    pub fn ballot(&self, option: &Arc<str>) -> Ballot {
        Ballot { topic: Arc::clone(&self.topic), option: Arc::clone(option) }
    }

    /// The answer in an order that begins with the topic: `Some(None)` if it names none of the options, and `None` if the
    /// order is none to this poll. Capitals do not matter.
    pub(crate) fn answer(&self, order: &str) -> Option<Option<Ballot>> {
        let (word, rest) = order.trim().split_once(char::is_whitespace).unwrap_or((order.trim(), ""));
        let names = |option: &&Arc<str>| option.eq_ignore_ascii_case(rest.trim());
        let option = || self.options.iter().find(names);
        word.eq_ignore_ascii_case(&self.topic).then(|| option().map(|option| self.ballot(option)))
    }
}

impl fmt::Display for Ballot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.topic, self.option)
    }
}

// Lists of retreat places that powers send with their orders, before it is known which units will be
// dislodged (rules.md 4.12).

/// The places that a list of retreats may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// There are no lists: powers are asked for retreats after the movement.
    None,
    /// Places to which the unit could move without a convoy on the current board. The retreats are on the
    /// same board, so that no other place can become a legal retreat.
    InReach,
    /// Any place but the unit's own, because the map may change between the movement and the retreats.
    Anywhere,
}

impl Listing {
    /// Are retreats sent with the orders?
    pub const fn is_allowed(self) -> bool {
        !matches!(self, Listing::None)
    }
}

/// For each unit the places to which it retreats if it is dislodged, the best first. All places are in one
/// flat table that is reused from phase to phase, so that the steady state allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct RetreatLists {
    /// Ascending by unit.
    lists: Vec<List>,
    /// The places of all lists, including replaced ones.
    places: Vec<Location>,
}

/// The range of a unit's places; never empty.
#[derive(Clone, Copy, Debug)]
struct List {
    unit: ProvinceId,
    from: usize,
    to: usize,
}

impl RetreatLists {
    /// Are there no lists?
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The list of the unit in this province; empty if it has none.
    pub fn of(&self, unit: ProvinceId) -> &[Location] {
        match self.find(unit) {
            Ok(i) => self.places(self.lists[i]),
            Err(_) => &[],
        }
    }

    /// The units that have a list, ascending by province, each with its places.
    pub fn iter(&self) -> impl Iterator<Item = (ProvinceId, &[Location])> {
        self.lists.iter().map(|&list| (list.unit, self.places(list)))
    }

    /// Sets the list of a unit, replacing an earlier one. An empty list counts as no list.
    pub fn set(&mut self, unit: ProvinceId, places: impl IntoIterator<Item = Location>) {
        let from = self.places.len();
        self.places.extend(places);
        let list = List { unit, from, to: self.places.len() };
        match (self.find(unit), list.from == list.to) {
            (Ok(i), false) => self.lists[i] = list,
            (Err(i), false) => self.lists.insert(i, list),
            (Ok(i), true) => drop(self.lists.remove(i)),
            (Err(_), true) => {}
        }
    }

    /// Removes all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.lists.clear();
        self.places.clear();
    }

    fn find(&self, unit: ProvinceId) -> Result<usize, usize> {
        self.lists.binary_search_by_key(&unit, |list| list.unit)
    }

    fn places(&self, list: List) -> &[Location] {
        &self.places[list.from..list.to]
    }
}

impl PartialEq for RetreatLists {
    /// Compares the lists, regardless of their storage.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for RetreatLists {}
