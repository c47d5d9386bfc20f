//! What every place is worth to a power, to an army and to a fleet.
//!
//! ```text
//!   centre: attack or defence ──▶ spread over STEPS steps, army map and fleet map by themselves ──▶ weighted sum
//!                                                               + strength − competition, for moves
//! ```

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ByPower, ByProvince, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::topology::Board;

use super::weights::{
    ALONE_AGAINST_A_UNIT, DISPUTED, DISPUTED_BY_WHO_STANDS_THERE, SIZE, SIZE_OF_A_CENTRE, SIZE_SQUARED,
    SPREADS_TO, STEPS, STRONGER, UNDISPUTED, Weights,
};
use crate::common::{drowns, reach};

/// Worth less than anything: a place where a unit is lost.
pub const LOST: i64 = -1_000_000_000_000;

/// What places are worth. The tables are kept from phase to phase and filled anew in each, from the board as it is.
#[derive(Clone, Debug)]
pub struct Values {
    /// For an army in a land province; where armies board fleets, for an army aboard in a sea.
    army: ByProvince<i64>,
    /// For a fleet, by place; see [`Places`].
    fleet: Vec<i64>,
    places: Places,
    /// What each centre is worth by itself.
    base: ByProvince<i64>,
    /// How many units of its own could be in each province, after the move.
    pub strength: ByProvince<u8>,
    /// How many units of the power of others could be there that could send most.
    pub competition: ByProvince<u8>,
    step: Step,
}

/// The two tables between which the worth goes back and forth as it spreads.
#[derive(Clone, Debug)]
struct Step {
    army: [ByProvince<i64>; 2],
    fleet: [Vec<i64>; 2],
}

/// The places for fleets, numbered through: the coasts of one province stand together.
#[derive(Clone, Debug)]
struct Places {
    first: ByProvince<u16>,
    all: Vec<Location>,
}

impl Places {
    fn number(&self, at: Location) -> usize {
        usize::from(self.first[at.province]) + usize::from(at.coast.0)
    }

    fn fill(&mut self, board: &Board) {
        self.all.clear();
        for province in board.passable() {
            self.first[province] = self.all.len() as u16;
            self.all.extend(board.stations_of(province));
        }
    }
}

impl Default for Values {
    fn default() -> Self {
        let nothing = ByProvince::filled(0);
        Values {
            army: nothing,
            fleet: Vec::new(),
            places: Places { first: ByProvince::filled(0), all: Vec::new() },
            base: nothing,
            strength: ByProvince::filled(0),
            competition: ByProvince::filled(0),
            step: Step { army: [nothing, nothing], fleet: [Vec::new(), Vec::new()] },
        }
    }
}

impl Values {
    /// Looks at the board as it is now.
    pub fn fill(&mut self, seen: &Observation<'_>, weights: &Weights) {
        self.places.fill(seen.board);
        let largest = self.count(seen);
        self.rate_centres(seen, weights, &largest);
        self.spread(seen, weights);
        if weights.strength != 0 || weights.competition != 0 {
            for province in seen.board.passable() {
                let here = weights.strength * i64::from(self.strength[province])
                    - weights.competition * i64::from(self.competition[province]);
                self.army[province] += here;
                for at in seen.board.stations_of(province) {
                    self.fleet[self.places.number(at)] += here;
                }
            }
        }
        for province in seen.board.passable() {
            let doomed = seen.doomed.contains(province);
            if doomed || drowns(seen, UnitKind::Army, province) {
                self.army[province] = LOST;
            }
            if doomed {
                seen.board.stations_of(province).for_each(|at| self.fleet[self.places.number(at)] = LOST);
            }
        }
    }

    /// What it is worth to have a unit there; of a fleet, on that coast.
    pub fn of(&self, kind: UnitKind, at: Location) -> i64 {
        match kind {
            UnitKind::Army => self.army[at.province],
            UnitKind::Fleet => match self.places.number(at) {
                number if self.places.all.get(number) == Some(&at) => self.fleet[number],
                _ => LOST, // a trapped fleet is nowhere
            },
        }
    }

    /// How much of what a unit would gain by going there counts, in a hundred: it may not get in.
    pub fn prospect(&self, seen: &Observation<'_>, to: ProvinceId) -> i64 {
        let own = *seen.position.units_of(seen.power);
        let foreign = seen.position.occupied().contains(to) && !own.contains(to);
        let (strength, competition) = (self.strength[to], self.competition[to]);
        match (foreign, competition) {
            (_, 0) => UNDISPUTED,
            (true, _) if strength < 2 => ALONE_AGAINST_A_UNIT,
            (_, competition) if strength > competition => STRONGER,
            (true, _) => DISPUTED_BY_WHO_STANDS_THERE,
            (false, _) => DISPUTED,
        }
    }

    /// What the centre is worth by itself, spread over nothing.
    pub fn base(&self, centre: ProvinceId) -> i64 {
        self.base[centre]
    }

    /// Counts who could be where; the size of the largest power of others that could be in each province.
    fn count(&mut self, seen: &Observation<'_>) -> ByProvince<i64> {
        let size = sizes(seen);
        let mut largest = ByProvince::filled(0);
        self.competition = ByProvince::filled(0);
        self.strength = ByProvince::filled(0);
        for power in seen.powers() {
            let mut count = ByProvince::filled(0u8);
            let mut reached = ProvinceSet::EMPTY;
            for unit in *seen.position.units_of(power) {
                let mut near = reach(seen, unit);
                near.insert(unit);
                near.iter().for_each(|to| count[to] += 1);
                reached |= near;
            }
            if power == seen.power {
                self.strength = count;
                continue;
            }
            for province in reached {
                self.competition[province] = self.competition[province].max(count[province]);
                largest[province] = largest[province].max(size[power]);
            }
        }
        largest
    }

    fn rate_centres(&mut self, seen: &Observation<'_>, weights: &Weights, largest: &ByProvince<i64>) {
        let size = sizes(seen);
        self.base = ByProvince::filled(0);
        let own = *seen.position.centres_of(seen.power);
        // What is about to vanish is worth nothing any more.
        for centre in *seen.centres - seen.doomed - seen.sinking {
            self.base[centre] = match own.contains(centre) {
                true => weights.defence * largest[centre],
                false => weights.attack * seen.position.owner(centre).map_or(SIZE, |owner| size[owner]),
            };
        }
    }

    /// Spreads the worth of the centres, and adds up what each step brings.
    fn spread(&mut self, seen: &Observation<'_>, weights: &Weights) {
        let Values { army, fleet, places, base, step, .. } = self;
        let board = seen.board;
        let count = places.all.len();
        for table in step.fleet.iter_mut().chain(std::iter::once(&mut *fleet)) {
            table.clear();
            table.resize(count, 0);
        }
        step.army[0] = *base;
        for (number, at) in places.all.iter().enumerate() {
            step.fleet[0][number] = base[at.province];
        }
        let walks = Walks::new(seen);
        for province in walks.all {
            army[province] = weights.spread[0] * base[province];
        }
        for (number, worth) in fleet.iter_mut().enumerate() {
            *worth = weights.spread[0] * step.fleet[0][number];
        }
        for n in 1..STEPS {
            let (old, new) = ((n - 1) % 2, n % 2);
            for province in walks.all {
                let near = walks.next_to(seen, province).iter().map(|to| step.army[old][to]).sum::<i64>();
                step.army[new][province] = (step.army[old][province] + near) / SPREADS_TO;
                army[province] += weights.spread[n] * step.army[new][province];
            }
            for (number, &at) in places.all.iter().enumerate() {
                // Two coasts of one province are one neighbour: the better counts.
                let mut near = 0;
                let mut last: Option<(ProvinceId, i64)> = None;
                for to in board.fleet_moves(at) {
                    let worth = step.fleet[old][places.number(to)];
                    near += match last {
                        Some((province, before)) if province == to.province => (worth - before).max(0),
                        _ => worth,
                    };
                    last = Some((to.province, worth));
                }
                step.fleet[new][number] = (step.fleet[old][number] + near) / SPREADS_TO;
                fleet[number] += weights.spread[n] * step.fleet[new][number];
            }
        }
    }
}

/// The map on which armies go: by land, across seas where a fleet of their power's can carry them, and, where armies
/// board fleets, aboard from sea to sea.
struct Walks {
    all: ProvinceSet,
    /// Seas with a fleet that convoys; none where armies board fleets.
    ferries: ProvinceSet,
    boards: bool,
}

impl Walks {
    fn new(seen: &Observation<'_>) -> Walks {
        let boards = seen.rulebook.army_fleets.allowed();
        let own_at_sea = *seen.position.units_of(seen.power) & *seen.board.sea();
        Walks {
            all: if boards { seen.board.passable() } else { *seen.board.land() },
            ferries: if boards { ProvinceSet::EMPTY } else { own_at_sea },
            boards,
        }
    }

    fn next_to(&self, seen: &Observation<'_>, at: ProvinceId) -> ProvinceSet {
        let board = seen.board;
        if self.boards {
            let ashore =
                if board.sea().contains(at) { *board.fleet_reach_any(at) } else { ProvinceSet::EMPTY };
            return *board.army_reach(at) | *board.seas_next_to(at) | ashore;
        }
        let mut near = *board.army_reach(at);
        for sea in *board.seas_next_to(at) & self.ferries {
            near |= *board.fleet_reach_any(sea) & *board.land();
        }
        near.remove(at);
        near
    }
}

/// How much each power counts for.
fn sizes(seen: &Observation<'_>) -> ByPower<i64> {
    ByPower::from_fn(seen.powers(), |power| {
        let centres = (*seen.position.centres_of(power) & *seen.centres).len() as i64;
        SIZE + SIZE_OF_A_CENTRE * centres + SIZE_SQUARED * centres * centres
    })
}
