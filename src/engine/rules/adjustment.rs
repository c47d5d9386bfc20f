//! The adjustment phase: builds and removals, their settlement, and removals by civil disorder.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use thiserror::Error;

use crate::rules::order::AdjustmentOrder;
use crate::rules::position::{Cargo, Position, Unit};
use crate::rules::rulebook::DisbandDistance;
use crate::rules::words::words;
use upheaval_map::ids::{ByProvince, CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::Board;

/// The number of builds or removals of a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// It may build this number of units; there may be fewer places for them.
    Builds(usize),
    /// It must disband this number of units.
    Removals(usize),
}

/// The difference between a power's extant centres and its units.
#[inline]
pub fn owed(position: &Position, power: Power, extant: &ProvinceSet) -> Owed {
    let centres = (*position.centres_of(power) & *extant).len();
    let units = position.unit_count(power);
    if centres >= units { Owed::Builds(centres - units) } else { Owed::Removals(units - centres) }
}

words! {
    /// Where a power may build.
    BuildSite {
        /// On its home centres.
        Home = "home",
        /// On any centre that it owns.
        AnyOwned = "any-owned",
        /// On its home centres; once at most one of them is left on the map, on any centre that it owns (rules.md
        /// 4.8).
        HomeElseOwned = "home-else-owned",
        /// On its home centres; if none of them is free, on up to three other centres that it owns (ru02).
        HomeElseThree = "home-else-three",
    }
}

/// The largest number of builds elsewhere under [`BuildSite::HomeElseThree`].
pub(crate) const MOST_ELSEWHERE: usize = 3;

/// The places on which a power may build: vacant extant centres that it owns and may use.
///
/// `home` are the power's home centres and `extant` the centres that are on the map.
pub fn build_sites(
    board: &Board,
    position: &Position,
    power: Power,
    home: &ProvinceSet,
    extant: &ProvinceSet,
    rule: BuildSite,
) -> ProvinceSet {
    let owned = *position.centres_of(power) & *extant & board.passable();
    let vacant = owned - *position.occupied();
    let any = match rule {
        BuildSite::Home => false,
        BuildSite::AnyOwned => true,
        BuildSite::HomeElseOwned => (*home & *extant).len() <= 1,
        BuildSite::HomeElseThree => !vacant.intersects(home),
    };
    if any { vacant } else { vacant & *home }
}

/// Every build on these sites, in canonical order: armies before fleets, then by place.
pub fn builds(board: &Board, sites: &ProvinceSet) -> Vec<AdjustmentOrder> {
    let army = |province| AdjustmentOrder::Build { kind: UnitKind::Army, at: Location::from(province) };
    let armies = (*sites & *board.land()).iter().map(army);
    let fleets = sites
        .iter()
        .flat_map(|province| board.stations_of(province))
        .map(|at| AdjustmentOrder::Build { kind: UnitKind::Fleet, at });
    armies.chain(fleets).collect()
}

/// The outcome of an adjustment order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdjustmentOutcome {
    /// It was carried out.
    Done,
    /// It was refused.
    Illegal(AdjustmentRefusal),
}

/// Why an adjustment order was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum AdjustmentRefusal {
    /// The power has no build left.
    #[error("no build is left")]
    NoBuildLeft,
    /// The power has no removal left.
    #[error("no removal is left")]
    NoRemovalLeft,
    /// The power cannot build in the province.
    #[error("the power cannot build there")]
    NoSite,
    /// The province is occupied.
    #[error("the province is occupied, by a unit or by an earlier build")]
    Occupied,
    /// A unit of this kind cannot be there, or not on that coast.
    #[error("such a unit cannot be there")]
    WrongKind,
    /// The power has no unit there.
    #[error("the power has no unit there, or an earlier order removes it")]
    NoUnit,
}

impl AdjustmentOutcome {
    /// The result word (docs/adjudicate.md).
    pub const fn word(&self) -> &'static str {
        match self {
            AdjustmentOutcome::Done => "ok",
            AdjustmentOutcome::Illegal(_) => "illegal",
        }
    }
}

impl fmt::Display for AdjustmentOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdjustmentOutcome::Done => f.write_str("done"),
            AdjustmentOutcome::Illegal(refusal) => refusal.fmt(f),
        }
    }
}

/// A power's adjustments while its orders are taken one by one: the first legal ones count, any excess does not
/// (4.C.4, 6.I.1, 6.J.1).
#[derive(Clone, Copy, Debug)]
pub struct Adjusting {
    power: Power,
    /// From [`build_sites`].
    sites: ProvinceSet,
    to_build: usize,
    to_remove: usize,
    /// Where orders have built.
    built: ProvinceSet,
    /// Where orders have removed the unit.
    removed: ProvinceSet,
    /// The fleets whose armies orders have removed.
    unladen: ProvinceSet,
}

impl Adjusting {
    /// Before the first order. `sites` comes from [`build_sites`].
    pub fn new(power: Power, owed: Owed, sites: ProvinceSet) -> Adjusting {
        let (to_build, to_remove) = match owed {
            Owed::Builds(n) => (n, 0),
            Owed::Removals(n) => (0, n),
        };
        let none = ProvinceSet::EMPTY;
        Adjusting { power, sites, to_build, to_remove, built: none, removed: none, unladen: none }
    }

    /// The builds or removals that no order has used yet.
    pub fn owed(&self) -> Owed {
        if self.to_remove > 0 { Owed::Removals(self.to_remove) } else { Owed::Builds(self.to_build) }
    }

    /// The places on which the power may build.
    pub fn sites(&self) -> &ProvinceSet {
        &self.sites
    }

    /// Before the first order: is there neither a possible build nor a required removal?
    pub(crate) fn is_settled(&self) -> bool {
        match self.owed() {
            Owed::Builds(n) => n == 0 || self.sites.is_empty(),
            Owed::Removals(_) => false,
        }
    }

    /// Every possible build before the first order, in the order of [`builds`].
    pub fn builds(&self, board: &Board) -> Vec<AdjustmentOrder> {
        match self.owed() {
            Owed::Builds(_) => builds(board, &self.sites),
            Owed::Removals(_) => Vec::new(),
        }
    }

    /// Takes the next order, which is not carried out. `position` is that before the first order.
    ///
    /// # Errors
    /// Why it does not count.
    pub fn take(
        &mut self,
        board: &Board,
        position: &Position,
        order: AdjustmentOrder,
    ) -> Result<(), AdjustmentRefusal> {
        // The power's unit there, as far as earlier orders have left it.
        let unit = |at| {
            let unit =
                position.unit(at).filter(|unit| unit.power == self.power && !self.removed.contains(at));
            let cargo = |unit: Unit| if self.unladen.contains(at) { Cargo::Nothing } else { unit.cargo };
            unit.map(|unit| unit.with_cargo(cargo(unit))).ok_or(AdjustmentRefusal::NoUnit)
        };
        match order {
            AdjustmentOrder::Waive | AdjustmentOrder::Build { .. } if self.to_build == 0 => {
                return Err(AdjustmentRefusal::NoBuildLeft);
            }
            AdjustmentOrder::Waive => self.to_build -= 1,
            AdjustmentOrder::Build { kind, at } => {
                if position.unit(at.province).is_some() || self.built.contains(at.province) {
                    return Err(AdjustmentRefusal::Occupied);
                }
                if !self.sites.contains(at.province) {
                    return Err(AdjustmentRefusal::NoSite);
                }
                let fits = match kind {
                    UnitKind::Army => board.land().contains(at.province),
                    UnitKind::Fleet => at.coast.0 < board.coasts(at.province),
                };
                if !fits {
                    return Err(AdjustmentRefusal::WrongKind);
                }
                self.to_build -= 1;
                self.built.insert(at.province);
            }
            // A power with builds has no removals.
            AdjustmentOrder::Remove { at } if self.built.contains(at) => {
                return Err(AdjustmentRefusal::NoRemovalLeft);
            }
            AdjustmentOrder::Remove { at } => {
                let unit = unit(at)?;
                if self.to_remove == 0 {
                    return Err(AdjustmentRefusal::NoRemovalLeft);
                }
                // A power that owes one removal and removes an army/fleet has removed one unit more than it owed.
                self.to_remove = self.to_remove.saturating_sub(unit.count());
                self.removed.insert(at);
            }
            AdjustmentOrder::RemoveArmy { fleet } => {
                if !unit(fleet)?.is_laden() {
                    return Err(AdjustmentRefusal::NoUnit);
                }
                if self.to_remove == 0 {
                    return Err(AdjustmentRefusal::NoRemovalLeft);
                }
                self.to_remove -= 1;
                self.unladen.insert(fleet);
            }
        }
        Ok(())
    }
}

/// The unit that a build makes.
pub(crate) fn built(power: Power, kind: UnitKind, at: Location) -> Unit {
    Unit::new(kind, power, if kind == UnitKind::Army { CoastId::FIRST } else { at.coast })
}

/// The outcomes of a power's orders in the order given, which are not carried out yet.
pub fn judge(
    board: &Board,
    position: &Position,
    adjusting: &mut Adjusting,
    orders: &[AdjustmentOrder],
) -> Vec<AdjustmentOutcome> {
    let judged = orders.iter().map(|&order| match adjusting.take(board, position, order) {
        Ok(()) => AdjustmentOutcome::Done,
        Err(refusal) => AdjustmentOutcome::Illegal(refusal),
    });
    judged.collect()
}

/// Carries out those of a power's orders that are [judged](judge) to be done. Removals still owed afterwards are made by
/// [`civil_disorder`].
pub fn carry_out(
    position: &mut Position,
    power: Power,
    orders: &[AdjustmentOrder],
    outcomes: &[AdjustmentOutcome],
) {
    for (&order, outcome) in orders.iter().zip(outcomes) {
        match order {
            _ if *outcome != AdjustmentOutcome::Done => {}
            AdjustmentOrder::Waive => {}
            AdjustmentOrder::Build { kind, at } => position.place(at.province, built(power, kind, at)),
            AdjustmentOrder::Remove { at } => drop(position.take(at)),
            AdjustmentOrder::RemoveArmy { fleet } => position.set_cargo(fleet, Cargo::Nothing),
        }
    }
}

/// A unit removed by civil disorder, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Removal {
    /// Its place.
    pub at: ProvinceId,
    /// The unit; of an army/fleet, one of the two.
    pub unit: Unit,
    /// Its distance from the nearest relevant centre; `None` if it cannot reach one.
    pub distance: Option<u16>,
}

/// Removes `count` units of a power from the board, or all if there are fewer: always the one farthest from
/// the relevant centres, fleets before armies, then the first by name (4.D.8, 6.J). An army aboard a fleet is
/// removed when its fleet's turn comes, and the fleet after it: no more units are removed than are owed.
///
/// `centres` are either the extant centres that the power owns or its home centres, depending on the
/// rulebook's [`DisbandDistance`].
pub fn civil_disorder(
    board: &Board,
    rule: DisbandDistance,
    position: &mut Position,
    power: Power,
    count: usize,
    centres: &ProvinceSet,
    by_name: impl Fn(ProvinceId, ProvinceId) -> Ordering,
) -> Vec<Removal> {
    // The distances do not depend on the units, so they are computed once.
    let distances = match rule {
        DisbandDistance::Owned => Distances::over_any_adjacency(board, centres),
        DisbandDistance::Home => Distances::by_own_movement(board, centres),
    };
    let mut units: Vec<Removal> = position
        .units_of(power)
        .iter()
        .filter_map(|at| {
            let unit = position.unit(at)?;
            Some(Removal { at, unit, distance: distances.of(board, at, unit) })
        })
        .collect();
    // A unit that cannot reach a centre is the farthest of all; fleets come before armies.
    let key = |r: &Removal| (Reverse(r.distance.map_or(u16::MAX, |n| n)), Reverse(r.unit.kind));
    units.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| by_name(a.at, b.at)));
    let one_by_one = units.into_iter().flat_map(|removal| {
        let army = Removal { unit: Unit::army(power), ..removal };
        let aboard = removal.unit.is_laden().then_some(army);
        let itself = Removal { unit: removal.unit.with_cargo(Cargo::Nothing), ..removal };
        aboard.into_iter().chain([itself])
    });
    let removals: Vec<Removal> = one_by_one.take(count).collect();
    for removal in &removals {
        match (removal.unit.kind, position.laden().contains(removal.at)) {
            (UnitKind::Army, true) => position.set_cargo(removal.at, Cargo::Nothing),
            _ => drop(position.take(removal.at)),
        }
    }
    removals
}

/// The distance of an unreachable place.
const FAR: u16 = u16::MAX;

/// The number of moves from each province to the nearest centre.
struct Distances {
    army: ByProvince<u16>,
    /// One entry for each place of a fleet, indexed by [`Distances::station`].
    fleet: ByProvince<[u16; 8]>,
}

impl Distances {
    /// Measures every unit over army and fleet adjacency alike.
    fn over_any_adjacency(board: &Board, centres: &ProvinceSet) -> Self {
        let neighbours =
            |p: ProvinceId| *board.army_reach(p) | *board.fleet_reach_any(p) | *board.seas_next_to(p);
        let army = Distances::spread(centres, neighbours);
        let mut fleet = ByProvince::filled([FAR; 8]);
        for p in board.passable() {
            fleet[p] = [army[p]; 8];
        }
        Distances { army, fleet }
    }

    /// An army moves by land and, as if by convoy, through any sea; a fleet moves from coast to coast.
    fn by_own_movement(board: &Board, centres: &ProvinceSet) -> Self {
        let sea = *board.sea();
        let steps = |p: ProvinceId| {
            let by_land = *board.army_reach(p);
            if sea.contains(p) {
                // From a sea to the next sea, or to the shore.
                let ashore: ProvinceSet =
                    board.land().iter().filter(|&land| board.seas_next_to(land).contains(p)).collect();
                *board.seas_next_to(p) | ashore
            } else {
                by_land | *board.seas_next_to(p)
            }
        };
        let army = Distances::spread(centres, steps);
        // A fleet's moves are symmetric, coast by coast; sweep until no distance gets shorter.
        let mut fleet = ByProvince::filled([FAR; 8]);
        for p in *centres {
            fleet[p] = [0; 8];
        }
        let mut news = true;
        while news {
            news = false;
            for p in board.passable() {
                for from in board.stations_of(p) {
                    let best = board
                        .fleet_moves(from)
                        .iter()
                        .map(|to| fleet[to.province][Distances::station(to.coast)].saturating_add(1))
                        .min();
                    let here = &mut fleet[p][Distances::station(from.coast)];
                    if let Some(best) = best.filter(|best| best < here) {
                        *here = best;
                        news = true;
                    }
                }
            }
        }
        Distances { army, fleet }
    }

    fn spread(from: &ProvinceSet, neighbours: impl Fn(ProvinceId) -> ProvinceSet) -> ByProvince<u16> {
        let mut distance = ByProvince::filled(FAR);
        let (mut seen, mut front) = (*from, *from);
        let mut n = 0;
        while !front.is_empty() {
            let mut next = ProvinceSet::EMPTY;
            for p in front {
                distance[p] = n;
                next |= neighbours(p);
            }
            front = next - seen;
            seen |= front;
            n += 1;
        }
        distance
    }

    /// Provinces with more than eight coasts share the last place.
    fn station(coast: CoastId) -> usize {
        usize::from(coast.0).min(7)
    }

    fn of(&self, board: &Board, at: ProvinceId, unit: Unit) -> Option<u16> {
        let n = match unit.kind {
            UnitKind::Army => self.army[at],
            UnitKind::Fleet if unit.coast.0 < board.coasts(at) => {
                self.fleet[at][Distances::station(unit.coast)]
            }
            // A trapped fleet cannot move.
            UnitKind::Fleet => self.fleet[at][0],
        };
        (n != FAR).then_some(n)
    }
}
