//! The same as [`super::spread`], place by place in 64-bit numbers: for boards that are too large for it, and
//! for the tests, which compare the two.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet};
use upheaval_engine::topology::Board;

use super::spread::{ferries, shores};
use super::ways::next_to_aboard;
use super::weights::{SPREADS_TO, STEPS};

/// The worth of places by the centres around them.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    /// By province.
    army: Vec<i64>,
    /// By place; see [`Places`].
    fleet: Vec<i64>,
    places: Places,
}

/// The places for fleets, numbered consecutively: the coasts of one province are adjacent.
#[derive(Clone, Debug, Default)]
struct Places {
    /// By province.
    first: Vec<usize>,
    all: Vec<Location>,
}

impl Places {
    fn new(board: &Board) -> Places {
        let mut places = Places { first: vec![0; ALL], all: Vec::new() };
        for province in board.passable() {
            places.first[province.index()] = places.all.len();
            places.all.extend(board.stations_of(province));
        }
        places
    }

    fn number(&self, at: Location) -> usize {
        self.first[at.province.index()] + usize::from(at.coast.0)
    }
}

/// The number of provinces in a table.
const ALL: usize = upheaval_engine::ids::MAX_PROVINCES;

impl Plain {
    /// Spreads the worth of the centres, and sums the results of each step by its weight.
    pub(super) fn fill(&mut self, seen: &Observation<'_>, weights: &[i64; STEPS], base: &ByProvince<i64>) {
        let board = seen.board;
        self.places = Places::new(board);
        let all = &self.places.all;
        let mut old = (base.0.to_vec(), all.iter().map(|at| base[at.province]).collect::<Vec<i64>>());
        let weighted = |table: &[i64]| table.iter().map(|worth| weights[0] * worth).collect();
        (self.army, self.fleet) = (weighted(&old.0), weighted(&old.1));
        for weight in &weights[1..] {
            let mut new = (vec![0; ALL], vec![0; all.len()]);
            for province in walked(seen) {
                let near = next_to(seen, province).iter().map(|to| old.0[to.index()]).sum::<i64>();
                new.0[province.index()] = (old.0[province.index()] + near) / i64::from(SPREADS_TO);
            }
            for (number, &at) in all.iter().enumerate() {
                // The coasts of one province count as one neighbour: the best one counts.
                let mut near = 0;
                let mut counted: Option<(ProvinceId, i64)> = None;
                for to in board.fleet_moves(at) {
                    let worth = old.1[self.places.number(to)];
                    let before = counted.filter(|(province, _)| *province == to.province);
                    let best = before.map_or(worth, |(_, best)| worth.max(best));
                    near += best - before.map_or(0, |(_, best)| best);
                    counted = Some((to.province, best));
                }
                new.1[number] = (old.1[number] + near) / i64::from(SPREADS_TO);
            }
            let add = |table: &mut [i64], new: &[i64]| {
                table.iter_mut().zip(new).for_each(|(sum, worth)| *sum += weight * worth);
            };
            add(&mut self.army, &new.0);
            add(&mut self.fleet, &new.1);
            old = new;
        }
    }

    /// The worth of an army's place.
    pub(super) fn of_army(&self, at: ProvinceId) -> i64 {
        self.army[at.index()]
    }

    /// The same for a fleet's place; `None` for a fleet without a place.
    pub(super) fn of_fleet(&self, at: Location) -> Option<i64> {
        let number = self.places.number(at);
        (self.places.all.get(number) == Some(&at)).then(|| self.fleet[number])
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
