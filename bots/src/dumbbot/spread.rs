//! Worth that spreads from the centres over the map, step by step: in each step a place gets a fifth of what
//! its neighbours and itself had before, rounded down. The maps of armies and fleets are separate.
//!
//! The values of every place after each step are kept, and the weighted sum of a season is computed only for
//! the places that are needed, usually a few dozen. Because each step rounds, steps cannot be combined.
//!
//! All computations use 32-bit numbers, four or eight of which a processor divides at once. Where they might
//! overflow, on a board with very many centres, neighbours or places, [`Plain`] is used instead.
//!
//! The adjacency of armies and of fleets is a graph that is built once for each map and shared by all bots that play on
//! it ([`upheaval_engine::rules::map_tables::MapTables::kept`]).

use std::collections::BTreeMap;

use multiversion::multiversion;
use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet};
use upheaval_engine::topology::Board;

use super::weights::{Kinds, SPREADS_TO, STEPS};

/// The values of places after each step, by their numbers in the graphs.
#[derive(Clone, Debug)]
pub(super) struct WorthSpread {
    army: [Amounts; STEPS],
    fleet: [Amounts; STEPS],
    /// Pairs of provinces between which the power's fleets can carry armies: a province, and another that
    /// counts as adjacent.
    ferried: Vec<[u8; 2]>,
}

impl Default for WorthSpread {
    fn default() -> Self {
        let nothing = [[0; MOST]; STEPS];
        WorthSpread { army: nothing, fleet: nothing, ferried: Vec::new() }
    }
}

impl WorthSpread {
    /// Spreads the worth of these centres. Returns false if numbers might overflow; the values are then
    /// invalid.
    pub(super) fn fill(
        &mut self,
        seen: &Observation<'_>,
        (walks, sails): (&Walks, &Sails),
        kinds: Kinds,
        (centres, base): (ProvinceSet, &ByProvince<i64>),
    ) -> bool {
        let largest = centres.iter().fold(0, |largest, centre| base[centre].max(largest));
        let Ok(largest) = u32::try_from(largest) else { return false };
        if kinds.army {
            self.army[0][..walks.graph.places()].fill(0);
            (centres & walks.members).iter().for_each(|centre| {
                self.army[0][usize::from(walks.numbers[centre])] = base[centre] as u32; // it fits: checked above
            });
            let neighbours = walks.graph.most_neighbours() + self.ferry(seen, walks);
            let ferried = &self.ferried;
            let all = spread(&walks.graph, neighbours, largest, &mut self.army, |old, sums| {
                for &[at, to] in ferried {
                    sums[usize::from(at)] += old[usize::from(to)];
                }
            });
            if !all {
                return false;
            }
        }
        if kinds.fleet {
            self.fleet[0][..sails.graph.places()].fill(0);
            centres.iter().for_each(|centre| {
                for &number in sails.numbers(centre) {
                    self.fleet[0][usize::from(number)] = base[centre] as u32; // it fits: checked above
                }
            });
            let all = spread(&sails.graph, sails.most_moves, largest, &mut self.fleet, |old, sums| {
                for group in sails.others.chunk_by(|a, b| a[..2] == b[..2]) {
                    let best = group.iter().map(|&[.., other]| old[usize::from(other)]).max().unwrap_or(0);
                    let [at, first, _] = group[0];
                    sums[usize::from(at)] += best.saturating_sub(old[usize::from(first)]);
                }
            });
            if !all {
                return false;
            }
        }
        true
    }

    /// Determines between which provinces the power's fleets carry armies, and returns the largest number for
    /// one province. Where armies board fleets, this kind of transport is not used.
    fn ferry(&mut self, seen: &Observation<'_>, walks: &Walks) -> usize {
        self.ferried.clear();
        let ferries = ferries(seen);
        if ferries.is_empty() {
            return 0;
        }
        let board = seen.board;
        let coasts = ferries.iter().fold(ProvinceSet::EMPTY, |all, sea| all | shores(board, sea));
        let mut most = 0;
        for at in coasts {
            let near = (*board.seas_next_to(at) & ferries)
                .iter()
                .fold(ProvinceSet::EMPTY, |near, sea| near | shores(board, sea));
            let far = near - *board.army_reach(at) - ProvinceSet::single(at);
            let number = walks.numbers[at];
            self.ferried.extend(far.iter().map(|to| [number, walks.numbers[to]]));
            most = most.max(far.len());
        }
        most
    }

    /// The worth of an army's place, by the weights of the steps.
    #[inline]
    pub(super) fn of_army(&self, number: u8, weights: &[i64; STEPS]) -> i64 {
        weighted(&self.army, number, weights)
    }

    /// The same for a fleet's place.
    #[inline]
    pub(super) fn of_fleet(&self, number: u8, weights: &[i64; STEPS]) -> i64 {
        weighted(&self.fleet, number, weights)
    }
}

#[inline]
fn weighted(amounts: &[Amounts; STEPS], number: u8, weights: &[i64; STEPS]) -> i64 {
    amounts
        .iter()
        .zip(weights)
        .map(|(amounts, weight)| weight * i64::from(amounts[usize::from(number)]))
        .sum()
}

/// Seas with a fleet of the power that convoys.
pub(super) fn ferries(seen: &Observation<'_>) -> ProvinceSet {
    match seen.rulebook.army_fleets.allowed() || seen.handicap.denies(Faculty::Convoys) {
        true => ProvinceSet::EMPTY,
        false => *seen.position.units_of(seen.power) & *seen.board.sea(),
    }
}

/// The provinces between which a fleet at sea can carry armies.
pub(super) fn shores(board: &Board, sea: ProvinceId) -> ProvinceSet {
    *board.fleet_reach_any(sea) & *board.land()
}

/// Computes all steps: sums over neighbours, plus the additional pairs, divided. No initial value is larger
/// than `largest`, and no place has more than `neighbours` neighbours. Stops and returns false if a sum might
/// overflow. Compiled twice, like [`upheaval_engine::rules::legal::draw`]: some processors divide
/// four numbers at once, others eight.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn spread(
    graph: &AdjacencyGraph,
    neighbours: usize,
    mut largest: u32,
    amounts: &mut [Amounts; STEPS],
    besides: impl Fn(&Amounts, &mut Amounts),
) -> bool {
    for n in 1..STEPS {
        if !fits(largest, neighbours) {
            return false;
        }
        let (before, after) = amounts.split_at_mut(n);
        let (old, new) = (&before[n - 1], &mut after[0]);
        graph.sums(old, new);
        besides(old, new);
        largest = 0;
        let places = graph.places();
        for (new, old) in new[..places].iter_mut().zip(&old[..places]) {
            *new = (*new + *old) / SPREADS_TO;
            largest = largest.max(*new);
        }
    }
    true
}

/// Does the sum of a place and this number of neighbours fit into 32 bits, if none has a larger value than
/// this?
pub(super) fn fits(largest: u32, neighbours: usize) -> bool {
    u64::from(largest) * (neighbours as u64 + 1) <= u64::from(u32::MAX)
}

/// The largest number of places of a graph: the number of values of a byte.
pub(super) const MOST: usize = 256;

/// An amount for each place, by number.
pub(super) type Amounts = [u32; MOST];

/// Places with their numbers.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    /// Numbers by index, in the order in which the places were given.
    pub numbers: Vec<u8>,
    /// Indices by number.
    order: Vec<usize>,
    runs: Vec<(usize, usize)>,
}

impl Numbered {
    /// Numbers places with these degrees; `None` if there are too many places.
    pub(super) fn by_degree(degrees: &[u8]) -> Option<Numbered> {
        if degrees.len() > MOST {
            return None;
        }
        // Counting sort: first count each degree, then compute where each begins, then place one by one.
        let mut next = [0; MOST];
        degrees.iter().for_each(|&degree| next[usize::from(degree)] += 1);
        let most = degrees.iter().copied().max().map_or(0, usize::from);
        let (mut runs, mut begin) = (Vec::with_capacity(most + 1), 0);
        for (degree, next) in next[..=most].iter_mut().enumerate().filter(|(_, places)| **places > 0) {
            let places = std::mem::replace(next, begin);
            runs.push((degree, places));
            begin += places;
        }
        let (mut numbers, mut order) = (vec![0; degrees.len()], vec![0; degrees.len()]);
        for (place, &degree) in degrees.iter().enumerate() {
            let number = &mut next[usize::from(degree)];
            (numbers[place], order[*number]) = (*number as u8, place);
            *number += 1;
        }
        Some(Numbered { numbers, order, runs })
    }
}

/// A graph. Sums over neighbours are [`u32`]: the caller ensures that they do not overflow.
///
/// Places and their neighbours as numbers, so that sums over neighbours are computed for all places in one
/// pass over a list of bytes.
///
/// Places with equal numbers of neighbours are grouped and numbered in that order: a loop over a group knows
/// how many numbers each place reads, and the processor need not predict where a place's neighbours end.
///
/// ```text
///   neighbours   places        the list
///   1            0 1           │4│9│                    place 0 is next to 4, place 1 to 9
///   2            2 3 4         │3 5│2 8│0 7│            place 2 to 3 and 5 …
///   3            5 …           │2 6 9│…
/// ```
#[derive(Clone, Debug)]
pub(super) struct AdjacencyGraph {
    /// The number of neighbours, and the number of consecutive places with that many.
    runs: Vec<(usize, usize)>,
    /// The neighbours of all places, concatenated.
    near: Vec<u8>,
    places: usize,
}

impl AdjacencyGraph {
    /// The graph of numbered places. `neighbours` appends the numbers of the neighbours of the place with
    /// this index to a list.
    pub(super) fn new(numbered: Numbered, mut neighbours: impl FnMut(usize, &mut Vec<u8>)) -> AdjacencyGraph {
        let Numbered { order, runs, .. } = numbered;
        let sum = runs.iter().map(|(degree, places)| degree * places).sum();
        let mut near = Vec::with_capacity(sum);
        order.iter().for_each(|&place| neighbours(place, &mut near));
        debug_assert_eq!(near.len(), sum);
        AdjacencyGraph { runs, near, places: order.len() }
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// The largest number of neighbours of a place.
    pub(super) fn most_neighbours(&self) -> usize {
        self.runs.last().map_or(0, |&(degree, _)| degree)
    }

    /// For each place, the sum of its neighbours' amounts.
    #[inline(always)]
    pub(super) fn sums(&self, amounts: &Amounts, sums: &mut Amounts) {
        let (mut near, mut sums) = (&self.near[..], &mut sums[..self.places]);
        for &(degree, places) in &self.runs {
            let (these, others) = near.split_at(degree * places);
            let (of_these, of_others) = sums.split_at_mut(places);
            match degree {
                0 => of_these.fill(0),
                1 => sum::<1>(these, amounts, of_these),
                2 => sum::<2>(these, amounts, of_these),
                3 => sum::<3>(these, amounts, of_these),
                4 => sum::<4>(these, amounts, of_these),
                5 => sum::<5>(these, amounts, of_these),
                6 => sum::<6>(these, amounts, of_these),
                7 => sum::<7>(these, amounts, of_these),
                8 => sum::<8>(these, amounts, of_these),
                9 => sum::<9>(these, amounts, of_these),
                10 => sum::<10>(these, amounts, of_these),
                11 => sum::<11>(these, amounts, of_these),
                12 => sum::<12>(these, amounts, of_these),
                _ => these
                    .chunks_exact(degree)
                    .zip(of_these)
                    .for_each(|(near, sum)| *sum = near.iter().map(|&to| amounts[usize::from(to)]).sum()),
            }
            (near, sums) = (others, of_others);
        }
    }
}

/// The sums of places with `N` neighbours each.
#[inline]
fn sum<const N: usize>(near: &[u8], amounts: &Amounts, sums: &mut [u32]) {
    for (near, sum) in near.as_chunks::<N>().0.iter().zip(sums) {
        *sum = near.iter().map(|&to| amounts[usize::from(to)]).sum();
    }
}

/// Provinces as places of a graph.
#[derive(Debug)]
pub(super) struct Walks {
    pub graph: AdjacencyGraph,
    /// The numbers of the provinces; undefined for provinces that are not in the graph.
    pub numbers: ByProvince<u8>,
    pub members: ProvinceSet,
}

impl Walks {
    fn new(members: ProvinceSet, near: impl Fn(ProvinceId) -> ProvinceSet) -> Walks {
        let mut all = Vec::with_capacity(members.len());
        all.extend(members.iter().map(|at| (at, near(at) & members)));
        let degrees: Vec<u8> = all.iter().map(|(_, near)| near.len() as u8).collect();
        let numbered = Numbered::by_degree(&degrees).expect("there are no more provinces than places");
        let mut numbers = ByProvince::filled(0);
        for ((at, _), &number) in all.iter().zip(&numbered.numbers) {
            numbers[*at] = number;
        }
        let graph = AdjacencyGraph::new(numbered, |place, near| {
            near.extend(all[place].1.iter().map(|to| numbers[to]))
        });
        Walks { graph, numbers, members }
    }
}

/// The moves of armies by land.
#[derive(Debug)]
pub(super) struct OnFoot(pub Walks);

impl From<&Board> for OnFoot {
    fn from(board: &Board) -> Self {
        OnFoot(Walks::new(*board.land(), |at| *board.army_reach(at) - ProvinceSet::single(at)))
    }
}

/// The moves of armies by land and, where they board fleets, aboard from sea to sea.
#[derive(Debug)]
pub(super) struct Aboard(pub Walks);

impl From<&Board> for Aboard {
    fn from(board: &Board) -> Self {
        Aboard(Walks::new(board.passable(), |at| next_to_aboard(board, at)))
    }
}

/// The provinces that an army reaches from a province in one step, by land or aboard fleets.
pub(super) fn next_to_aboard(board: &Board, at: ProvinceId) -> ProvinceSet {
    let ashore = if board.sea().contains(at) { *board.fleet_reach_any(at) } else { ProvinceSet::EMPTY };
    *board.army_reach(at) | *board.seas_next_to(at) | ashore
}

/// The places for fleets. The coasts of one province count as one neighbour, of which the best counts: the graph has
/// the first of them as a neighbour, and `others` lists the places next to further coasts.
#[derive(Debug)]
pub(super) struct Sails {
    pub graph: AdjacencyGraph,
    /// The number of a province's first coast in `numbers`, and the number of its coasts.
    coasts: ByProvince<(u16, u8)>,
    numbers: Vec<u8>,
    /// A place, followed by the numbers of the first coast and another coast of a province next to it; those that differ
    /// only in the other coast are adjacent.
    pub others: Vec<[u8; 3]>,
    /// The largest number of places next to a place, counting all coasts.
    pub most_moves: usize,
}

/// The places for fleets if they fit into a graph.
#[derive(Debug)]
pub(super) struct Afloat(pub Option<Sails>);

impl From<&Board> for Afloat {
    fn from(board: &Board) -> Self {
        Afloat(Sails::new(board))
    }
}

impl Sails {
    fn new(board: &Board) -> Option<Sails> {
        let mut coasts = ByProvince::filled((0u16, 0u8));
        let mut all: Vec<Location> = Vec::with_capacity(MOST);
        for province in board.passable() {
            coasts[province] = (all.len() as u16, board.coasts(province));
            all.extend(board.stations_of(province));
        }
        let degrees: Vec<u8> = all.iter().map(|&at| board.fleet_reach(at).len() as u8).collect();
        let numbered = Numbered::by_degree(&degrees)?;
        let numbers = numbered.numbers.clone();
        let number = |at: Location| numbers[usize::from(coasts[at.province].0) + usize::from(at.coast.0)];
        let (mut others, mut most_moves) = (Vec::new(), 0);
        let graph = AdjacencyGraph::new(numbered, |place, near| {
            let moves = board.fleet_moves(all[place]);
            most_moves = moves.len().max(most_moves);
            let mut first: Option<(ProvinceId, u8)> = None;
            for to in moves {
                let this = number(to);
                match first {
                    Some((province, first)) if province == to.province => {
                        others.push([numbers[place], first, this]);
                    }
                    _ => {
                        near.push(this);
                        first = Some((to.province, this));
                    }
                }
            }
        });
        Some(Sails { graph, coasts, numbers, others, most_moves })
    }

    /// The number of a place; `None` for a fleet without a place.
    #[inline]
    pub(super) fn number(&self, at: Location) -> Option<u8> {
        let (first, coasts) = self.coasts[at.province];
        (at.coast.0 < coasts).then(|| self.numbers[usize::from(first) + usize::from(at.coast.0)])
    }

    /// The numbers of a province's coasts.
    #[inline]
    pub(super) fn numbers(&self, province: ProvinceId) -> &[u8] {
        let (first, coasts) = self.coasts[province];
        &self.numbers[usize::from(first)..][..usize::from(coasts)]
    }
}

/// The worth of places by the centres around them.
///
/// It is the same as [`WorthSpread`], computed place by place in 64-bit numbers: for boards that are too large for it,
/// and for the tests, which compare the two.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    /// By province.
    army: Vec<i64>,
    /// The coasts of one province are adjacent here.
    fleet: BTreeMap<Location, i64>,
}

/// The number of provinces in a table.
const ALL: usize = upheaval_engine::ids::MAX_PROVINCES;

impl Plain {
    /// Spreads the worth of the centres, and sums the results of each step by its weight.
    pub(super) fn fill(&mut self, seen: &Observation<'_>, weights: &[i64; STEPS], base: &ByProvince<i64>) {
        let board = seen.board;
        let places = board.passable().iter().flat_map(|province| board.stations_of(province));
        let (mut army, mut fleet): (Vec<i64>, BTreeMap<Location, i64>) =
            (base.0.to_vec(), places.map(|at| (at, base[at.province])).collect());
        self.army = army.iter().map(|worth| weights[0] * worth).collect();
        self.fleet = fleet.iter().map(|(at, worth)| (*at, weights[0] * worth)).collect();
        for weight in &weights[1..] {
            let mut walked_to = vec![0; ALL];
            for province in walked(seen) {
                let near = next_to(seen, province).iter().map(|to| army[to.index()]).sum::<i64>();
                walked_to[province.index()] = (army[province.index()] + near) / i64::from(SPREADS_TO);
            }
            let sailed_to = |(&at, own): (&Location, &i64)| {
                // The coasts of one province count as one neighbour: the best one counts.
                let mut near = 0;
                let mut counted: Option<(ProvinceId, i64)> = None;
                for to in board.fleet_moves(at) {
                    let worth = fleet[&to];
                    let before = counted.filter(|(province, _)| *province == to.province);
                    let best = before.map_or(worth, |(_, best)| worth.max(best));
                    near += best - before.map_or(0, |(_, best)| best);
                    counted = Some((to.province, best));
                }
                (at, (own + near) / i64::from(SPREADS_TO))
            };
            (army, fleet) = (walked_to, fleet.iter().map(sailed_to).collect());
            self.army.iter_mut().zip(&army).for_each(|(sum, worth)| *sum += weight * worth);
            self.fleet.values_mut().zip(fleet.values()).for_each(|(sum, worth)| *sum += weight * worth);
        }
    }

    /// The worth of an army's place.
    pub(super) fn of_army(&self, at: ProvinceId) -> i64 {
        self.army[at.index()]
    }

    /// The same for a fleet's place; `None` for a fleet without a place.
    pub(super) fn of_fleet(&self, at: Location) -> Option<i64> {
        self.fleet.get(&at).copied()
    }
}

/// The provinces that armies can reach: on land, and at sea where they board fleets.
pub(super) fn walked(seen: &Observation<'_>) -> ProvinceSet {
    if seen.rulebook.army_fleets.allowed() { seen.board.passable() } else { *seen.board.land() }
}

/// The provinces that an army reaches in one step: by land, across seas where a fleet of its power can carry
/// it, and, where armies board fleets, aboard from sea to sea.
fn next_to(seen: &Observation<'_>, at: ProvinceId) -> ProvinceSet {
    let board = seen.board;
    if seen.rulebook.army_fleets.allowed() {
        return next_to_aboard(board, at);
    }
    let mut near = *board.army_reach(at);
    for sea in *board.seas_next_to(at) & ferries(seen) {
        near |= shores(board, sea);
    }
    near.remove(at);
    near
}
