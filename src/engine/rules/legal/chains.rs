//! The convoys that the fleets at sea make possible in this phase: chains of fleets, the shores that each
//! chain links, and which fleet is of use to which convoy.
//!
//! ```text
//!        LON        NWY            fleets in ENG, IRI and SKA form two chains:
//!       /   \         |              {ENG, IRI} with the shores BEL BRE LON LVP PIC WAL
//!   IRI──ENG─\──    SKA─DEN          {SKA}      with the shores DEN NWY SWE
//!       \   BEL       |
//!        BRE         SWE
//! ```
//!
//! A convoy order is legal if the fleet is a link of a chain *without a superfluous link*: a path of fleets
//! of which only the first touches the army's province, only the last touches the destination, and only
//! consecutive ones touch each other. Any other route with the fleet contains a shorter one without it, so
//! the order could not matter. That is DATC's reading: in 6.F.12 Irish Sea is on no route from London to
//! Belgium, because English Channel touches both; in 6.G.19 Western Mediterranean touches Spain and Gulf of
//! Lyon, but Gulf of Lyon needs no help. In both cases the order is illegal and does not show intent.
//! There can be very many such paths where fleets cover a whole ocean. After [`MOST_ROUTES`] routes of a
//! chain the search gives up, and every fleet of the chain counts as useful to all of it: then more orders
//! are legal than could matter.
//!
//! With army/fleets a convoy crosses only one sea (army/fleet rule 5): every fleet is a chain of its own.

use crate::rules::order::Landing;
use crate::rules::position::Position;
use crate::rules::rulebook::{ArmyBecomesFleet, Rulebook};
use upheaval_map::ids::{ByProvince, Location, ProvinceId, ProvinceSet};
use upheaval_map::tally::Tally;
use upheaval_map::topology::Board;

// The land round seas, and the armies there that could board a fleet.

/// The armies of the fleet's power that could board it.
pub(super) fn boarders(board: &Board, position: &Position, fleet: ProvinceId) -> ProvinceSet {
    let Some(unit) = position.unit(fleet) else { return ProvinceSet::EMPTY };
    (*position.units_of(unit.power) - *position.fleets()) & shore_of(board, fleet)
}

/// The land provinces next to this sea.
#[inline]
pub(super) fn shore_of(board: &Board, sea: ProvinceId) -> ProvinceSet {
    *board.fleet_reach_any(sea) & *board.land()
}

/// The land provinces next to one of these seas.
#[inline]
pub(super) fn shores_of(board: &Board, seas: &ProvinceSet) -> ProvinceSet {
    let mut shores = ProvinceSet::EMPTY;
    seas.iter().for_each(|sea| shores |= *board.fleet_reach_any(sea));
    shores & *board.land()
}

/// The number of routes of one chain that are followed before the search gives up.
const MOST_ROUTES: u32 = 1 << 18;

/// A connected group of fleets at sea.
#[derive(Clone, Copy, Debug)]
struct Chain {
    fleets: ProvinceSet,
    /// The land provinces that some fleet of the chain touches.
    shores: ProvinceSet,
    /// The armies on these shores.
    armies: ProvinceSet,
}

/// An army that a fleet can help to convoy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carriage {
    pub(crate) army: ProvinceId,
    /// The destinations for which the help is useful.
    pub(crate) to: ProvinceSet,
    /// Those destinations that the army cannot reach without this fleet, by land or by other chains.
    pub(crate) only: ProvinceSet,
}

/// The chains of fleets at sea, and the consequences for every unit. Call [`ConvoyChains::update`] once per
/// phase; the buffers are reused, so that no phase after the first allocates.
#[derive(Clone, Debug, Default)]
pub struct ConvoyChains {
    chains: Vec<Chain>,
    /// For each army, the provinces to which fleets could convoy it. Stale for other entries.
    convoyed: ByProvince<ProvinceSet>,
    /// The units in the order of their provinces, and for each unit every province it could go to, with or
    /// without a chain of fleets.
    units: Vec<ProvinceId>,
    /// Padded with empty sets after the last unit, up to a multiple of [`UNITS`].
    goals: Vec<ProvinceSet>,
    /// The index of each province's unit in these lists. Stale elsewhere.
    rank: ByProvince<u8>,
    /// For each province, the number of units that could go there.
    visitors: Tally,
    /// The carriages of all fleets at sea, fleet by fleet, each by ascending army.
    carriages: Vec<Carriage>,
    /// The range of a fleet's carriages. Stale where no fleet is at sea.
    carriages_of: ByProvince<(u32, u32)>,
    /// The fleets that can convoy.
    at_sea: ProvinceSet,
    one_sea: bool,
    /// The fleets that have an army aboard or may have one before anything moves (army/fleet rules 1 and 4).
    pub(super) carriers: ProvinceSet,
    /// May armies become fleets?
    pub(super) transform: ArmyBecomesFleet,
}

impl ConvoyChains {
    /// The chains of this position.
    pub fn new(board: &Board, rulebook: &Rulebook, position: &Position) -> Self {
        let mut chains = ConvoyChains::default();
        chains.update(board, rulebook, position);
        chains
    }

    /// Recomputes everything for the position; call it when units have moved or the board has changed.
    pub fn update(&mut self, board: &Board, rulebook: &Rulebook, position: &Position) {
        self.at_sea = (*position.fleets() & *board.sea()) - *position.laden();
        self.one_sea = rulebook.army_fleets.allowed();
        self.transform = rulebook.army_becomes_fleet;
        self.carriers = if self.one_sea { self.find_carriers(board, position) } else { ProvinceSet::EMPTY };
        let armies = *position.occupied() - *position.fleets();
        self.find_chains(board, &armies);
        self.find_convoyed(&armies);
        self.find_goals(board, position);
        self.find_carriages(board);
    }

    fn find_chains(&mut self, board: &Board, armies: &ProvinceSet) {
        self.chains.clear();
        let mut left = self.at_sea;
        while let Some(first) = left.first() {
            let fleets = self.chain_of(board, &left, ProvinceSet::single(first));
            left -= fleets;
            let shores = shores_of(board, &fleets);
            self.chains.push(Chain { fleets, shores, armies: *armies & shores });
        }
    }

    fn find_convoyed(&mut self, armies: &ProvinceSet) {
        armies.iter().for_each(|army| self.convoyed[army] = ProvinceSet::EMPTY);
        for chain in &self.chains {
            for army in chain.armies {
                let reach = &mut self.convoyed[army];
                *reach |= chain.shores;
                reach.remove(army);
            }
        }
    }

    fn find_goals(&mut self, board: &Board, position: &Position) {
        self.visitors.clear();
        let count = position.occupied().len();
        self.units.resize(count, ProvinceId(0));
        let mut next = 0;
        position.occupied().iter().for_each(|unit| {
            self.units[next] = unit;
            self.rank[unit] = next as u8; // at most one less than the number of provinces
            next += 1;
        });
        self.goals.resize(count.next_multiple_of(UNITS), ProvinceSet::EMPTY);
        self.goals[count..].fill(ProvinceSet::EMPTY);
        // Armies first, then fleets: a combined loop would branch in a way that processors cannot predict.
        (*position.occupied() - *position.fleets()).iter().for_each(|army| {
            let goals = *board.army_reach(army) | self.convoyed(army);
            self.set_goals(army, goals);
        });
        for province in *position.fleets() {
            let Some(unit) = position.unit(province) else { continue };
            let reach = board.fleet_reach(Location { province, coast: unit.coast });
            let goals = if unit.is_laden() { *reach & *board.sea() } else { *reach };
            self.set_goals(province, goals);
        }
    }

    #[inline]
    fn set_goals(&mut self, unit: ProvinceId, goals: ProvinceSet) {
        self.goals[usize::from(self.rank[unit])] = goals;
        self.visitors.add(goals);
    }

    /// The provinces to which fleets could convoy the army here if every one of them helped. Meaningless for
    /// other units.
    #[inline]
    pub(super) fn convoyed(&self, army: ProvinceId) -> ProvinceSet {
        self.convoyed[army]
    }

    /// The provinces that a chain of fleets links to this one, ignoring the fleet in `without`.
    fn convoyed_without(&self, board: &Board, from: ProvinceId, without: ProvinceId) -> ProvinceSet {
        let mut left = self.at_sea;
        left.remove(without);
        let start = *board.seas_next_to(from) & left;
        if start.is_empty() {
            return ProvinceSet::EMPTY;
        }
        // Chains that start at different seas need not be distinguished: all of them start at this province.
        shores_of(board, &self.chain_of(board, &left, start))
    }

    /// The members of `within` that are connected to `start`, which is a subset.
    fn chain_of(&self, board: &Board, within: &ProvinceSet, start: ProvinceSet) -> ProvinceSet {
        if self.one_sea { start } else { connected(board, within, start) }
    }

    fn find_carriers(&self, board: &Board, position: &Position) -> ProvinceSet {
        let may_be_boarded = |&fleet: &ProvinceId| !boarders(board, position, fleet).is_empty();
        *position.laden() | self.at_sea.iter().filter(may_be_boarded).collect()
    }

    /// Can there be any orders of army/fleets, or of armies that become fleets?
    #[inline]
    pub(super) fn amphibious(&self) -> bool {
        self.one_sea || self.transform != ArmyBecomesFleet::No
    }

    /// The fleets from which an army may land out of this sea, if they sail there or stay there.
    pub(super) fn landers(&self, board: &Board, from: ProvinceId) -> ProvinceSet {
        self.carriers & (ProvinceSet::single(from) | *board.seas_next_to(from))
    }

    /// The fleets of the landing's own power that it can refer to, if they sail to its sea or stay there.
    pub(in crate::rules) fn own_landers(
        &self,
        board: &Board,
        position: &Position,
        landing: Landing,
    ) -> ProvinceSet {
        match board.sea().contains(landing.from) {
            true => self.landers(board, landing.from) & *position.units_of(landing.power),
            false => ProvinceSet::EMPTY,
        }
    }

    /// The fleets that an army here may board (army/fleet rule 1), if they belong to its power.
    pub(super) fn piers(&self, board: &Board, army: ProvinceId) -> ProvinceSet {
        if self.one_sea { *board.seas_next_to(army) & self.at_sea } else { ProvinceSet::EMPTY }
    }

    /// Every province that the unit here could go to, with or without a chain of fleets.
    #[inline]
    pub(super) fn goals(&self, unit: ProvinceId) -> ProvinceSet {
        self.goals.get(usize::from(self.rank[unit])).copied().unwrap_or(ProvinceSet::EMPTY)
    }

    /// Calls `show` for the units that could go to any of these provinces, in their order, with all their
    /// destinations, until a result is found.
    #[inline]
    pub(super) fn find_mover<T>(
        &self,
        to: &ProvinceSet,
        mut find: impl FnMut(ProvinceId, &ProvinceSet) -> Option<T>,
    ) -> Option<T> {
        for (units, goals) in self.units.chunks(64).zip(self.goals.chunks(64)) {
            // Tested for all units at once: processors cannot predict the answers one by one.
            let mut movers = 0u64;
            for (rank, goals) in goals.iter().enumerate() {
                movers |= u64::from(goals.intersects(to)) << rank;
            }
            while movers != 0 {
                let rank = movers.trailing_zeros() as usize;
                movers &= movers - 1;
                let found = find(units[rank], &goals[rank]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// How many of these provinces each unit could go to, in groups of [`UNITS`] units.
    #[inline]
    pub(super) fn shares(&self, provinces: &ProvinceSet) -> impl Iterator<Item = Shares> {
        let (groups, _) = self.goals.as_chunks::<{ UNITS }>();
        let low = provinces.is_low();
        groups.iter().map(move |goals| match low {
            true => Shares::from_fn(|unit| (goals[unit] & *provinces).low_len()),
            false => Shares::from_fn(|unit| (goals[unit] & *provinces).len()),
        })
    }

    /// The index of the unit here among all units.
    #[inline]
    pub(super) fn rank(&self, unit: ProvinceId) -> usize {
        usize::from(self.rank[unit])
    }

    /// The unit with this index, and all its destinations.
    #[inline]
    pub(super) fn mover(&self, rank: usize) -> (ProvinceId, &ProvinceSet) {
        (self.units[rank], &self.goals[rank])
    }

    /// The number of units that could go to each of these provinces, summed over the provinces.
    #[inline]
    pub(super) fn visits(&self, provinces: &ProvinceSet) -> usize {
        self.visitors.sum(provinces)
    }

    /// The armies that the fleet here can help to convoy, ascending; empty unless it is at sea.
    #[inline]
    pub(super) fn carriages(&self, fleet: ProvinceId) -> &[Carriage] {
        if !self.at_sea.contains(fleet) {
            return &[];
        }
        let (begin, end) = self.carriages_of[fleet];
        &self.carriages[begin as usize..end as usize]
    }

    /// Determines the use of each fleet.
    fn find_carriages(&mut self, board: &Board) {
        self.carriages.clear();
        for n in 0..self.chains.len() {
            let chain = self.chains[n];
            self.find_carriages_of(board, &chain);
        }
    }

    fn find_carriages_of(&mut self, board: &Board, chain: &Chain) {
        let Some(first_fleet) = chain.fleets.first() else { return };
        if chain.fleets == ProvinceSet::single(first_fleet) {
            return self.find_carriages_of_one(board, chain, first_fleet);
        }
        for fleet in chain.fleets {
            let begin = self.carriages.len() as u32;
            let nowhere = ProvinceSet::EMPTY;
            self.carriages.extend(chain.armies.iter().map(|army| Carriage {
                army,
                to: nowhere,
                only: nowhere,
            }));
            self.carriages_of[fleet] = (begin, self.carriages.len() as u32);
        }
        let mut routes_left = MOST_ROUTES;
        for first in chain.fleets {
            let shore = shore_of(board, first);
            let route = Route {
                links: ProvinceSet::single(first),
                last: first,
                closed: ProvinceSet::single(first),
                armies: chain.armies & shore,
                passed: ProvinceSet::EMPTY,
            };
            self.follow(board, chain, &route, &mut routes_left);
        }
        if routes_left == 0 {
            for fleet in chain.fleets {
                let (begin, end) = self.carriages_of[fleet];
                for carriage in &mut self.carriages[begin as usize..end as usize] {
                    carriage.to = chain.shores - ProvinceSet::single(carriage.army);
                }
            }
        }
        // An army to which a fleet is of no use is not listed. The lists are contiguous, so they are
        // compacted from the first fleet of the chain on.
        let mut kept = self.carriages_of[first_fleet].0;
        for fleet in chain.fleets {
            let (begin, end) = self.carriages_of[fleet];
            let new_begin = kept;
            for i in begin..end {
                let Carriage { army, to, .. } = self.carriages[i as usize];
                if !to.is_empty() {
                    self.carriages[kept as usize] = self.carriage(board, fleet, army, to);
                    kept += 1;
                }
            }
            self.carriages_of[fleet] = (new_begin, kept);
        }
        self.carriages.truncate(kept as usize);
    }

    /// A fleet that forms a chain alone is useful wherever it can be; most chains are like that.
    fn find_carriages_of_one(&mut self, board: &Board, chain: &Chain, fleet: ProvinceId) {
        let begin = self.carriages.len() as u32;
        chain.armies.iter().for_each(|army| {
            let to = chain.shores - ProvinceSet::single(army);
            if !to.is_empty() {
                self.carriages.push(self.carriage(board, fleet, army, to));
            }
        });
        self.carriages_of[fleet] = (begin, self.carriages.len() as u32);
    }

    fn carriage(&self, board: &Board, fleet: ProvinceId, army: ProvinceId, to: ProvinceSet) -> Carriage {
        let overseas = to - *board.army_reach(army);
        Carriage { army, to, only: overseas - self.convoyed_without(board, army, fleet) }
    }

    /// Records the uses of a route, then extends it by one fleet in every possible way. The search ends early
    /// when no army is left that only the first fleet touches, which happens soon on a real coast.
    fn follow(&mut self, board: &Board, chain: &Chain, route: &Route, routes_left: &mut u32) {
        if route.armies.is_empty() || *routes_left == 0 {
            return;
        }
        *routes_left -= 1;
        let shore = shore_of(board, route.last);
        let to = shore - route.passed;
        if !to.is_empty() {
            for fleet in route.links {
                let (begin, end) = self.carriages_of[fleet];
                for carriage in &mut self.carriages[begin as usize..end as usize] {
                    if route.armies.contains(carriage.army) {
                        let mut to = to;
                        to.remove(carriage.army);
                        carriage.to |= to;
                    }
                }
            }
        }
        let next_to_last = *board.seas_next_to(route.last) & chain.fleets;
        for next in next_to_last - route.closed {
            let mut links = route.links;
            links.insert(next);
            let longer = Route {
                links,
                last: next,
                closed: route.closed | next_to_last,
                armies: route.armies - shore_of(board, next),
                passed: route.passed | shore,
            };
            self.follow(board, chain, &longer, routes_left);
        }
    }
}

/// A path of fleets in which only consecutive ones touch.
struct Route {
    links: ProvinceSet,
    last: ProvinceId,
    /// The links, and every fleet next to a link before the last: none of them can be the next link.
    closed: ProvinceSet,
    /// The armies that only the first link touches.
    armies: ProvinceSet,
    /// The shores of every link before the last.
    passed: ProvinceSet,
}

/// The members of `within` that are connected to `start`, a subset, through neighbouring seas.
pub(in crate::rules) fn connected(board: &Board, within: &ProvinceSet, start: ProvinceSet) -> ProvinceSet {
    let mut found = start;
    let mut edge = start;
    while !edge.is_empty() {
        let mut next = ProvinceSet::EMPTY;
        edge.iter().for_each(|sea| next |= *board.seas_next_to(sea));
        edge = (next & *within) - found;
        found |= edge;
    }
    found
}

// Numbers of eight units in one word, one byte each: how many moves of each unit could be supported.
//
// ```text
//   unit      7   6   5   4   3   2   1   0
//   byte      0   1   0   2   0   3   0   2      8 moves; the third of them is the first of unit 2
// ```
//
// A word is summed in a few operations and searched without branches, because a processor cannot predict
// where the search ends.

/// The number of units that share a word.
pub(super) const UNITS: usize = 8;

/// The bytes with an even index.
const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// A number from 0 to 255 for each of eight units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares(u64);

impl Shares {
    /// The numbers that a function returns for each unit; all must be at most 255.
    #[inline]
    pub(super) fn from_fn(mut number: impl FnMut(usize) -> usize) -> Shares {
        Shares((0..UNITS).fold(0, |word, unit| word | (number(unit) as u64) << (8 * unit)))
    }

    /// Sets the number of a unit to 0.
    #[inline]
    pub(super) fn drop(&mut self, unit: usize) {
        self.0 &= !(0xff << (8 * unit));
    }

    /// Subtracts `count` from the number of a unit, which must be at least that large.
    #[inline]
    pub(super) fn take(&mut self, unit: usize, count: usize) {
        self.0 -= (count as u64) << (8 * unit);
    }

    /// The sum of all numbers.
    #[inline]
    pub(super) fn sum(self) -> usize {
        // Pairs of bytes are added as 16-bit numbers, and one multiplication sums these into the topmost.
        let pairs = (self.0 & EVEN) + (self.0 >> 8 & EVEN);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
    }

    /// The unit to which the `n`-th item belongs, and the index of the item within that unit, both counted
    /// from 0. `n` must be less than the sum.
    #[inline]
    pub(super) fn locate(self, n: usize) -> (usize, usize) {
        let (mut unit, mut before, mut sum) = (0, 0, 0);
        for i in 0..UNITS - 1 {
            sum += (self.0 >> (8 * i)) as usize & 0xff;
            (unit, before) = if sum <= n { (i + 1, sum) } else { (unit, before) };
        }
        (unit, n - before)
    }
}
