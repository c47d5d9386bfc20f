//! Resolves a [`WrittenOrder`] to a typed order, on a given board with given units.
//!
//!  | left open or wrong | interpretation | |
//! | --- | --- | --- |
//!  | a fleet's destination without a coast | the only reachable one; if several are, illegal | 6.B.1, 6.B.2 |
//!  | a coast that it cannot reach | illegal, not corrected | 6.B.3 |
//! | the coast of the ordered or the supported unit | ignored | 6.B.10, 6.B.16, 6.B.17 |
//! | a coast in an army's destination | ignored | 6.B.12 |
//! | a support without a coast | for every coast | 6.B.7, 6.B.8 |
//!  | a support with a coast | kept; if the fleet cannot reach the coast, illegal | 6.B.9 |
//!  | a move to a province that is not a neighbour, without `VIA` | by convoy | 4.A.3 |
//!  | `F` for an army/fleet, or `A/F` for a fleet | the fleet, with its cargo | |

use super::{WrittenList, WrittenOrder, WrittenPlace, WrittenUnit};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{ConvoyChains, is_legal, is_legal_landing};
use crate::rules::order::{AdjustmentOrder, Landing, Listing, Order, Orders, RetreatOrder, Route};
use crate::rules::position::{Position, Retreats};
use crate::rules::rulebook::{AdjacentConvoy, Fallback, Rulebook, SupportCoast};
use upheaval_map::ids::{CoastId, Designation, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

/// The context of an order: the board, the units, and the power that gives it.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The board.
    pub board: &'a Board,
    /// The units on it.
    pub position: &'a Position,
    /// The chains of this position.
    pub chains: &'a ConvoyChains,
    /// The power that gives the order.
    pub power: Power,
    /// The names, for the reason of a refusal.
    pub names: &'a Gazetteer,
}

/// Why an order cannot be followed in this position. It counts as a hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalOrder {
    /// The power has no unit there.
    #[error("there is no unit there")]
    NoUnit,
    /// It is another power's unit.
    #[error("the unit is {0}'s")]
    ForeignUnit(String),
    /// An army was named but the unit there is a fleet, or the reverse.
    #[error("the unit there is {}", .0.noun())]
    WrongKind(UnitKind),
    /// The destination is the unit's own place.
    #[error("the unit is there already")]
    OwnProvince,
    /// An army at sea.
    #[error("an army cannot go to sea")]
    ArmyToSea,
    /// A fleet inland.
    #[error("a fleet cannot go inland")]
    FleetInland,
    /// `VIA` with a fleet.
    #[error("a fleet cannot be convoyed")]
    FleetByConvoy,
    /// The destination is not a neighbour, and there is no chain of fleets.
    #[error("it cannot be reached from there")]
    Unreachable,
    /// The destination could be reached only by land.
    #[error("no chain of fleets leads there")]
    NoChain,
    /// A fleet could reach several coasts and the order names none.
    #[error("the fleet can reach several coasts there and the order names none")]
    WhichCoast,
    /// A coast that the fleet cannot reach.
    #[error("that coast cannot be reached from there")]
    WrongCoast,
    /// A unit that supports itself.
    #[error("a unit cannot support itself")]
    SupportsItself,
    /// There is no unit to be supported or convoyed.
    #[error("there is no unit to be supported or convoyed there")]
    NobodyToHelp,
    /// The supporter could not go to the province without a convoy.
    #[error("a unit can support only where it could go without a convoy")]
    SupportOutOfReach,
    /// A support for an impossible move.
    #[error("the supported unit cannot go there without this unit's convoy")]
    SupportOfImpossibleMove,
    /// A convoy by an army or in a province.
    #[error("only a fleet at sea can convoy")]
    NotAtSea,
    /// A convoy by an army/fleet.
    #[error("an army/fleet cannot convoy another army")]
    Laden,
    /// A convoy of a fleet.
    #[error("only armies can be convoyed")]
    ConvoyOfFleet,
    /// This fleet is not on any route of the convoy.
    #[error("this fleet is not on a route of that convoy")]
    NoUseToConvoy,
    /// A fleet that cannot be boarded, or an army that cannot board.
    #[error(
        "an army can board only an empty fleet of its own power in an adjacent sea, in a variant with army/fleets"
    )]
    CannotBoard,
    /// There is no army/fleet from which the army could land.
    #[error("no army of the power is aboard a fleet that is there or is ordered there")]
    NobodyAboard,
    /// An impossible landing.
    #[error("an army can land only in a land province next to the sea of its fleet")]
    CannotLand,
    /// An army that cannot become a fleet.
    #[error("only an army on a coast can become a fleet, in a variant that allows it")]
    CannotBecomeFleet,
    /// An army/fleet ordered into a land province.
    #[error("an army/fleet cannot leave the sea")]
    StaysAtSea,
    /// An order of another phase.
    #[error("the order belongs to another phase")]
    OtherPhase,
    /// There is no such dislodged unit.
    #[error("there is no such dislodged unit")]
    NotDislodged,
    /// An army built at sea, a fleet built inland.
    #[error("such a unit cannot be there")]
    CannotStand,
}

impl WrittenOrder {
    /// Resolves an order of the movement phase to the province of its unit and the order. The result is legal
    /// in the sense of [`is_legal`], except that a support may name a coast.
    pub fn resolve(&self, situation: &Situation<'_>) -> Result<(ProvinceId, Order), IllegalOrder> {
        let Some(unit) = self.unit() else { return Err(IllegalOrder::OtherPhase) };
        let at = situation.own_unit(unit)?;
        let order = match *self {
            WrittenOrder::Hold { .. } => Order::Hold,
            WrittenOrder::Move { to, route, .. } => situation.movement(at, to, route)?,
            WrittenOrder::SupportHold { supported, .. } => {
                let unit = situation.helped(supported)?;
                if unit == at.province {
                    return Err(IllegalOrder::SupportsItself);
                }
                situation.confirmed(at, Order::SupportHold { unit }, IllegalOrder::SupportOutOfReach)?
            }
            WrittenOrder::SupportMove { supported, to, .. } => {
                let unit = situation.helped(supported)?;
                situation.support_move(at, unit, to)?
            }
            WrittenOrder::Convoy { army, to, .. } => situation.convoy(at, army, to.province)?,
            WrittenOrder::SupportLanding { supported, to, .. } => {
                if supported.kind != Designation::Army {
                    return Err(IllegalOrder::NobodyAboard);
                }
                if !situation.reach(at).contains(to.province) {
                    return Err(IllegalOrder::SupportOutOfReach);
                }
                let order = Order::SupportLanding { from: supported.place.province, to: to.province };
                situation.confirmed(at, order, IllegalOrder::SupportOfImpossibleMove)?
            }
            WrittenOrder::Embark { fleet, .. } => {
                let order = Order::Embark { fleet: fleet.place.province };
                match fleet.kind {
                    Designation::Fleet => situation.confirmed(at, order, IllegalOrder::CannotBoard)?,
                    Designation::Army | Designation::ArmyFleet => return Err(IllegalOrder::CannotBoard),
                }
            }
            WrittenOrder::Transform { coast, .. } => {
                let coast = match (coast, situation.board.coasts(at.province)) {
                    (Some(coast), _) => coast,
                    (None, 0 | 1) => CoastId::FIRST,
                    (None, _) => return Err(IllegalOrder::WhichCoast),
                };
                situation.confirmed(at, Order::Transform { coast }, IllegalOrder::CannotBecomeFleet)?
            }
            _ => return Err(IllegalOrder::OtherPhase),
        };
        Ok((at.province, order))
    }

    /// Resolves the order of an army that lands: `A MAO D POR`. The result is one of the legal landings in
    /// the sense of [`is_legal_landing`]; [`Boarding::landers`](crate::rules::order::Boarding::landers)
    /// decides which army it means, and whether that army's fleet is ordered to be in the sea.
    pub(crate) fn resolve_landing(&self, situation: &Situation<'_>) -> Result<Landing, IllegalOrder> {
        let WrittenOrder::Disembark { unit, to } = *self else { return Err(IllegalOrder::OtherPhase) };
        let Situation { board, position, chains, power, .. } = *situation;
        let landing = Landing { power, from: unit.place.province, to: to.province };
        if unit.kind != Designation::Army || chains.own_landers(board, position, landing).is_empty() {
            return Err(IllegalOrder::NobodyAboard);
        }
        is_legal_landing(board, position, chains, landing).then_some(landing).ok_or(IllegalOrder::CannotLand)
    }

    /// Like [`WrittenOrder::resolve_landing`], but requires an army aboard such a fleet, or ordered aboard.
    pub fn resolve_landing_beside(
        &self,
        situation: &Situation<'_>,
        orders: &Orders,
    ) -> Result<Landing, IllegalOrder> {
        let landing = self.resolve_landing(situation)?;
        let Situation { board, position, chains, power, .. } = *situation;
        let ordered_aboard = |fleet: ProvinceId| {
            position.units_of(power).iter().any(|army| orders[army] == Order::Embark { fleet })
        };
        let fleets = chains.own_landers(board, position, landing);
        let somebody = fleets.iter().any(|fleet| position.laden().contains(fleet) || ordered_aboard(fleet));
        somebody.then_some(landing).ok_or(IllegalOrder::NobodyAboard)
    }

    /// Like [`WrittenOrder::resolve`], but applies the cases in which a rulebook reinterprets an illegal
    /// order: `VIA` to a neighbour without any chain of fleets walks (switch `via_without_route`, and the
    /// 1971 rulebook, which has no `VIA`), and a coast in a support may be ignored (switch `support_coast`).
    pub fn resolve_by(
        &self,
        situation: &Situation<'_>,
        rulebook: &Rulebook,
    ) -> Result<(ProvinceId, Order), IllegalOrder> {
        let walks = rulebook.via_without_route == Fallback::Walk
            || rulebook.adjacent_convoy == AdjacentConvoy::Opposite;
        self.resolve(situation).or_else(|illegal| match *self {
            WrittenOrder::Move { unit, to, route: Route::Convoy } if walks => {
                WrittenOrder::Move { unit, to, route: Route::Direct }.resolve(situation)
            }
            WrittenOrder::SupportMove { unit, supported, to }
                if rulebook.support_coast == SupportCoast::Ignore =>
            {
                let to = WrittenPlace { coast: None, ..to };
                WrittenOrder::SupportMove { unit, supported, to }.resolve(situation)
            }
            _ => Err(illegal),
        })
    }

    /// Resolves an order to a dislodged unit: its index in [`Retreats::dislodged`], and the order. The
    /// destination must be a neighbour; the retreat phase decides whether it is open to a retreat.
    pub fn resolve_retreat(
        &self,
        situation: &Situation<'_>,
        retreats: &Retreats,
    ) -> Result<(usize, RetreatOrder), IllegalOrder> {
        let (unit, to) = match *self {
            WrittenOrder::Disband { unit } => (unit, None),
            WrittenOrder::Retreat { unit, to } => (unit, Some(to)),
            _ => return Err(IllegalOrder::OtherPhase),
        };
        let alike = |d: &crate::rules::position::Dislodged| {
            d.at == unit.place.province && d.unit.kind == unit.kind.kind() && d.unit.power == situation.power
        };
        // If two fleets are in one place, a coast may identify one of them; otherwise it is ignored.
        let coast = unit.place.coast.filter(|&coast| {
            retreats.dislodged.iter().any(|other| alike(other) && other.unit.coast == coast)
        });
        let (index, dislodged) = retreats
            .dislodged
            .iter()
            .enumerate()
            .filter(|(_, d)| alike(d) && coast.is_none_or(|coast| d.unit.coast == coast))
            .nth(usize::from(unit.ordinal.saturating_sub(1)))
            .ok_or(IllegalOrder::NotDislodged)?;
        let Some(to) = to else { return Ok((index, RetreatOrder::Disband)) };
        let from = Location { province: dislodged.at, coast: dislodged.unit.coast };
        if let Some((_, ways)) = retreats.ways.iter().find(|(unit, _)| *unit == index) {
            let to = one_of(ways.iter().copied().filter(|way| way.province == to.province), to.coast)
                .unwrap_or_else(|| Err(situation.unreachable(unit.kind.kind(), from, to.province)))?;
            return Ok((index, RetreatOrder::Retreat { to }));
        }
        let to = match dislodged.unit.designation() {
            Designation::Army => {
                if !situation.board.army_reach(from.province).contains(to.province) {
                    return Err(situation.unreachable(UnitKind::Army, from, to.province));
                }
                to.province.into()
            }
            Designation::ArmyFleet if !situation.board.sea().contains(to.province) => {
                return Err(IllegalOrder::StaysAtSea);
            }
            Designation::Fleet | Designation::ArmyFleet => situation.fleet_destination(from, to)?,
        };
        Ok((index, RetreatOrder::Retreat { to }))
    }

    /// Resolves an adjustment. The adjustment phase decides whether the power may build there, and how many;
    /// a fleet must name its coast if there are several (6.B.14).
    pub fn resolve_adjustment(&self, situation: &Situation<'_>) -> Result<AdjustmentOrder, IllegalOrder> {
        match *self {
            WrittenOrder::Waive => Ok(AdjustmentOrder::Waive),
            WrittenOrder::Disband { unit } => situation.removal(unit),
            WrittenOrder::Build { unit: WrittenUnit { kind, place, .. } } => {
                let board = situation.board;
                let province = place.province;
                let coast = match kind {
                    Designation::Army if board.land().contains(province) => CoastId::FIRST,
                    Designation::Army | Designation::ArmyFleet => return Err(IllegalOrder::CannotStand),
                    Designation::Fleet => match (place.coast, board.coasts(province)) {
                        (_, 0) => return Err(IllegalOrder::CannotStand),
                        (None, 1) => CoastId::FIRST,
                        (None, _) => return Err(IllegalOrder::WhichCoast),
                        (Some(coast), n) if coast.0 < n => coast,
                        (Some(_), _) => return Err(IllegalOrder::WrongCoast),
                    },
                };
                Ok(AdjustmentOrder::Build { kind: kind.kind(), at: Location { province, coast } })
            }
            _ => Err(IllegalOrder::OtherPhase),
        }
    }
}

/// A resolved list of retreats: the place of the unit, and its retreat places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The place of the unit.
    pub unit: ProvinceId,
    /// The retreat places, the best first; never empty.
    pub places: Vec<Location>,
    /// The provinces that were ignored because the unit can never retreat there, with the reasons.
    pub passed_over: Vec<(ProvinceId, IllegalOrder)>,
}

impl WrittenList {
    /// Resolves a list of retreats. A place to which the unit can never retreat is ignored. The
    /// settlement of the retreats decides whether any of the others is open.
    ///
    /// # Errors
    /// The unit does not belong to the power, or can never retreat to any of the places.
    pub fn resolve(&self, situation: &Situation<'_>, listing: Listing) -> Result<Listed, IllegalOrder> {
        if listing == Listing::None {
            return Err(IllegalOrder::OtherPhase);
        }
        let at = situation.own_unit(self.unit)?;
        let (mut places, mut passed_over) = (Vec::with_capacity(self.places.len()), Vec::new());
        for &to in &self.places {
            match situation.listed_place(at, to, listing) {
                Ok(place) if places.contains(&place) => {}
                Ok(place) => places.push(place),
                Err(illegal) => passed_over.push((to.province, illegal)),
            }
        }
        match (places.is_empty(), passed_over.first()) {
            (true, Some((_, illegal))) => Err(illegal.clone()),
            _ => Ok(Listed { unit: at.province, places, passed_over }),
        }
    }
}

impl Situation<'_> {
    /// A place in the list of the unit that is here, with its coast.
    fn listed_place(
        &self,
        at: Location,
        to: WrittenPlace,
        listing: Listing,
    ) -> Result<Location, IllegalOrder> {
        let kind = self.kind(at.province);
        let in_reach = match kind {
            UnitKind::Army if self.board.army_reach(at.province).contains(to.province) => {
                Ok(to.province.into())
            }
            UnitKind::Army => Err(self.unreachable(kind, at, to.province)),
            UnitKind::Fleet => self.fleet_destination(at, to),
        };
        match (in_reach, listing) {
            (Err(_), Listing::Anywhere) if to.province != at.province => match (kind, to.coast) {
                (UnitKind::Army, _) => Ok(to.province.into()),
                (UnitKind::Fleet, Some(coast)) => Ok(Location { province: to.province, coast }),
                (UnitKind::Fleet, None) if self.board.coasts(to.province) < 2 => Ok(to.province.into()),
                (UnitKind::Fleet, None) => Err(IllegalOrder::WhichCoast),
            },
            (in_reach, _) => in_reach,
        }
    }

    /// The place of the ordered unit; the coast is the actual one, not the written one (6.B.10).
    fn own_unit(&self, written: WrittenUnit) -> Result<Location, IllegalOrder> {
        let at = written.place.province;
        let unit = self.position.unit(at).ok_or(IllegalOrder::NoUnit)?;
        if unit.power != self.power {
            Err(IllegalOrder::ForeignUnit(self.names.power(unit.power).to_owned()))
        } else if unit.kind != written.kind.kind() {
            Err(IllegalOrder::WrongKind(unit.kind))
        } else {
            Ok(Location { province: at, coast: unit.coast })
        }
    }

    /// The unit to be removed: `A/F ENG` and `F ENG` mean both, `A ENG` the army aboard (army/fleet rule 8).
    fn removal(&self, written: WrittenUnit) -> Result<AdjustmentOrder, IllegalOrder> {
        let at = written.place.province;
        let laden = self.position.laden().contains(at);
        match written.kind {
            Designation::Army if laden => {
                let fleet = self.own_unit(WrittenUnit { kind: Designation::Fleet, ..written })?.province;
                Ok(AdjustmentOrder::RemoveArmy { fleet })
            }
            Designation::ArmyFleet if !laden => Err(IllegalOrder::NobodyAboard),
            _ => Ok(AdjustmentOrder::Remove { at: self.own_unit(written)?.province }),
        }
    }

    /// The province of a unit that is to be supported or convoyed.
    fn helped(&self, written: WrittenUnit) -> Result<ProvinceId, IllegalOrder> {
        let at = written.place.province;
        match self.position.unit(at) {
            None => Err(IllegalOrder::NobodyToHelp),
            Some(unit) if unit.kind != written.kind.kind() => Err(IllegalOrder::WrongKind(unit.kind)),
            Some(_) => Ok(at),
        }
    }

    fn kind(&self, at: ProvinceId) -> UnitKind {
        self.position.unit(at).map_or(UnitKind::Army, |unit| unit.kind)
    }

    /// The order if it is legal, otherwise the given reason.
    fn confirmed(&self, at: Location, order: Order, reason: IllegalOrder) -> Result<Order, IllegalOrder> {
        if is_legal(self.board, self.position, self.chains, at.province, order) {
            Ok(order)
        } else {
            Err(reason)
        }
    }

    fn movement(&self, at: Location, to: WrittenPlace, route: Route) -> Result<Order, IllegalOrder> {
        let laden = self.position.laden().contains(at.province);
        match (self.kind(at.province), route) {
            (UnitKind::Fleet, _) if laden && self.board.land().contains(to.province) => {
                Err(IllegalOrder::StaysAtSea)
            }
            (UnitKind::Fleet, Route::Convoy) => Err(IllegalOrder::FleetByConvoy),
            (UnitKind::Fleet, Route::Direct) => {
                let to = self.fleet_destination(at, to)?;
                self.confirmed(at, Order::Move { to, route }, IllegalOrder::Unreachable)
            }
            (UnitKind::Army, route) => {
                let neighbour = self.board.army_reach(at.province).contains(to.province);
                let route = if neighbour { route } else { Route::Convoy };
                let reason = if neighbour {
                    IllegalOrder::NoChain
                } else {
                    self.unreachable(UnitKind::Army, at, to.province)
                };
                self.confirmed(at, Order::Move { to: to.province.into(), route }, reason)
            }
        }
    }

    /// The coast that a fleet goes to, named in the order or not (6.B.1 to 6.B.3).
    fn fleet_destination(&self, from: Location, to: WrittenPlace) -> Result<Location, IllegalOrder> {
        let moves = self.board.fleet_moves(from).iter().filter(|l| l.province == to.province);
        one_of(moves, to.coast).unwrap_or_else(|| Err(self.unreachable(UnitKind::Fleet, from, to.province)))
    }

    /// The most specific reason why a unit cannot go there.
    fn unreachable(&self, kind: UnitKind, from: Location, to: ProvinceId) -> IllegalOrder {
        if from.province == to {
            return IllegalOrder::OwnProvince;
        }
        match kind {
            UnitKind::Army if self.board.sea().contains(to) => IllegalOrder::ArmyToSea,
            UnitKind::Fleet if self.board.land().contains(to) && self.board.coasts(to) == 0 => {
                IllegalOrder::FleetInland
            }
            _ => IllegalOrder::Unreachable,
        }
    }

    /// The provinces that the unit here could reach without a convoy, ignoring an army aboard.
    fn reach(&self, at: Location) -> &ProvinceSet {
        match self.kind(at.province) {
            UnitKind::Army => self.board.army_reach(at.province),
            UnitKind::Fleet => self.board.fleet_reach(at),
        }
    }

    fn support_move(&self, at: Location, unit: ProvinceId, to: WrittenPlace) -> Result<Order, IllegalOrder> {
        if unit == at.province {
            return Err(IllegalOrder::SupportsItself);
        }
        if !self.reach(at).contains(to.province) {
            return Err(IllegalOrder::SupportOutOfReach);
        }
        let plain = Order::SupportMove { unit, to: to.province, coast: None };
        self.confirmed(at, plain, IllegalOrder::SupportOfImpossibleMove)?;
        // A coast matters only for a fleet (6.B.12), and only where there are several.
        let coast = to.coast.filter(|_| self.kind(unit) == UnitKind::Fleet);
        if let (Some(coast), Some(from)) = (coast, self.position.location(unit)) {
            let to = Location { province: to.province, coast };
            if !self.board.fleet_moves(from).contains(to) {
                return Err(IllegalOrder::SupportOfImpossibleMove);
            }
        }
        Ok(Order::SupportMove { unit, to: to.province, coast })
    }

    fn convoy(&self, at: Location, army: WrittenUnit, to: ProvinceId) -> Result<Order, IllegalOrder> {
        if self.kind(at.province) == UnitKind::Army || !self.board.sea().contains(at.province) {
            return Err(IllegalOrder::NotAtSea);
        }
        if army.kind != Designation::Army {
            return Err(IllegalOrder::ConvoyOfFleet);
        }
        if self.position.laden().contains(at.province) {
            return Err(IllegalOrder::Laden);
        }
        let army = self.helped(army)?;
        self.confirmed(at, Order::Convoy { army, to }, IllegalOrder::NoUseToConvoy)
    }
}

/// The place on this coast, or the only place if no coast is named. `None` if there are no places.
fn one_of(
    mut places: impl Iterator<Item = Location> + Clone,
    coast: Option<CoastId>,
) -> Option<Result<Location, IllegalOrder>> {
    places.clone().next()?;
    Some(match coast {
        Some(coast) => places.find(|place| place.coast == coast).ok_or(IllegalOrder::WrongCoast),
        None => match (places.next(), places.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(IllegalOrder::WhichCoast),
        },
    })
}
