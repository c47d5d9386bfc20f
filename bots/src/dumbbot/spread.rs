//! Worth that spreads from the centres over the map, step by step: in each step a place gets a fifth of what
//! its neighbours and itself had before, rounded down. The maps of armies and fleets are separate.
//!
//! The values of every place after each step are kept, and the weighted sum of a season is computed only for
//! the places that are needed, usually a few dozen. Because each step rounds, steps cannot be combined.
//!
//! All computations use 32-bit numbers, eight of which a processor divides at once. Where they might
//! overflow, on a board with very many centres, neighbours or places, [`super::plain`] is used instead.

use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{ByProvince, ProvinceId, ProvinceSet};
use upheaval_engine::topology::Board;

use super::graph::{AdjacencyGraph, Amounts, MOST};
use super::kinds::Kinds;
use super::ways::{Sails, Walks};
use super::weights::{SPREADS_TO, STEPS};

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

/// Computes all steps: sums over neighbours, plus the additional pairs, divided. `largest` is the largest
/// initial value, and no place has more than `neighbours` neighbours. Stops and returns false if a sum might
/// overflow.
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
