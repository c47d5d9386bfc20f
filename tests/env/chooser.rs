//! A bot that decides by a formula of the position of each ask: the plain counterpart of a caller who chooses by the
//! same formula from the tables of a batch.

use upheaval::ask::{Adjustments, Answer, Ask, Observation, Trapped};
use upheaval::bot::{Bot, Brief, Decision};
use upheaval::ids::{Location, Power, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::legal;
use upheaval::rules::order::{AdjustmentOrder, Landing, RetreatOrder};

/// The choice, among this many, in this game, power, year, season and stage, for this ask of the seat.
pub(super) fn choice(place: [i32; 6], among: usize) -> usize {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for word in place {
        hash = (hash ^ word as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^= hash >> 29;
    }
    (hash % among as u64) as usize
}

/// Decides by [`choice`].
#[derive(Default)]
pub(super) struct Chooser {
    game: i32,
    power: i32,
    /// The phase and stage of its last ask, and the number of asks in it.
    last: [i32; 3],
    number: i32,
    /// The seas from which an army of its own has landed in this phase.
    landed: ProvinceSet,
}

const MOVEMENT: i32 = 0;
const RETREATS: i32 = 1;
const COASTS: i32 = 2;
const ADJUSTMENTS: i32 = 3;
const SEISMIC: i32 = 4;

impl Chooser {
    /// A season may have two stages in which fleets must choose coasts: only the fleet matters.
    fn choose_for(&self, seen: &Observation<'_>, fleet: ProvinceId, among: usize) -> usize {
        let (year, season) = (i32::from(seen.phase.year), seen.phase.season as i32);
        choice([self.game, self.power, year, season, COASTS, i32::from(fleet.0)], among)
    }

    fn choose(&mut self, seen: &Observation<'_>, stage: i32, among: usize) -> usize {
        let now = [i32::from(seen.phase.year), seen.phase.season as i32, stage];
        self.number = if now == self.last { self.number + 1 } else { 0 };
        self.last = now;
        choice([self.game, self.power, now[0], now[1], stage, self.number], among)
    }
}

impl Chooser {
    /// Lets the army aboard a fleet land, unless another has landed from the same sea.
    fn land(&mut self, seen: &Observation<'_>, fleet: ProvinceId, answer: &mut Answer<'_>) {
        let landings: Vec<Landing> = legal::landings(seen.board, seen.position, seen.chains, fleet).collect();
        if landings.is_empty() {
            return;
        }
        let Some(chosen) = self.choose(seen, MOVEMENT, landings.len() + 1).checked_sub(1) else { return };
        if !self.landed.contains(landings[chosen].from) {
            self.landed.insert(landings[chosen].from);
            assert!(answer.land(landings[chosen]));
        }
    }

    fn order(&mut self, seen: &Observation<'_>, answer: &mut Answer<'_>) {
        for unit in *seen.position.units_of(seen.power) {
            let mut orders = Vec::new();
            legal::legal_orders(seen.board, seen.position, seen.chains, unit, &mut orders);
            let chosen = self.choose(seen, MOVEMENT, orders.len());
            assert!(answer.write(unit, orders[chosen]));
        }
        if seen.rulebook.army_fleets.allowed() {
            self.landed = ProvinceSet::EMPTY;
            for fleet in *seen.position.units_of(seen.power) & *seen.position.fleets() {
                self.land(seen, fleet, answer);
            }
        }
        if seen.listing.is_allowed() {
            for unit in *seen.position.units_of(seen.power) {
                let ways: Vec<Location> = seen.ways_from(unit).collect();
                let mut list: Vec<Location> = Vec::new();
                for _ in 0..ways.len() {
                    let chosen = self.choose(seen, MOVEMENT, ways.len() + 1);
                    let place = chosen.checked_sub(1).map(|i| ways[i]);
                    list.extend(place.filter(|place| !list.contains(place)));
                }
                assert!(answer.list_retreats(unit, list));
            }
        }
    }

    fn adjust(&mut self, seen: &Observation<'_>, adjustments: &Adjustments, answer: &mut Answer<'_>) {
        let (builds, mut orders) = (adjustments.builds(seen.board), Vec::<AdjustmentOrder>::new());
        match adjustments.owed() {
            Owed::Builds(count) => {
                let site = |order: &AdjustmentOrder| match order {
                    AdjustmentOrder::Build { at, .. } => at.province,
                    _ => unreachable!("builds only"),
                };
                let mut sites: Vec<ProvinceId> = builds.iter().map(site).collect();
                sites.sort_unstable();
                sites.dedup();
                for _ in 0..count.min(sites.len()) {
                    let Some(chosen) = self.choose(seen, ADJUSTMENTS, builds.len() + 1).checked_sub(1) else {
                        continue;
                    };
                    if orders.iter().all(|order| site(order) != site(&builds[chosen])) {
                        orders.push(builds[chosen]);
                    }
                }
            }
            Owed::Removals(count) => {
                let mut removals = Vec::new();
                for at in *seen.position.units_of(seen.power) {
                    removals.push(AdjustmentOrder::Remove { at });
                    if seen.position.laden().contains(at) {
                        removals.push(AdjustmentOrder::RemoveArmy { fleet: at });
                    }
                }
                let mut left = count;
                for _ in 0..count {
                    let order = removals[self.choose(seen, ADJUSTMENTS, removals.len())];
                    // The army aboard goes with its fleet.
                    let takes = match order {
                        AdjustmentOrder::Remove { at } => seen.position.unit(at).unwrap().count(),
                        _ => 1,
                    };
                    let of = |order: &AdjustmentOrder| match *order {
                        AdjustmentOrder::Remove { at } => at,
                        AdjustmentOrder::RemoveArmy { fleet } => fleet,
                        _ => unreachable!("removals only"),
                    };
                    if left > 0 && orders.iter().all(|other| of(other) != of(&order)) {
                        left = left.saturating_sub(takes);
                        orders.push(order);
                    }
                }
            }
        }
        for order in orders {
            assert!(answer.adjust(order));
        }
    }
}

impl Bot for Chooser {
    fn new_game(&mut self, power: Power) {
        *self = Chooser { power: power.index() as i32, ..Chooser::default() };
    }

    fn briefed(&mut self, brief: &Brief<'_>, _: &Observation<'_>, _: &mut Stream) {
        self.game = brief.game.split('/').nth(1).unwrap().parse().unwrap();
    }

    // Declarations belong to the orders of the units, and come after them in the tables of a batch; a bot is asked
    // before, and makes none.
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        let decision = match ask {
            Ask::Exempt(_) | Ask::Announce(_) | Ask::Poll(_) => return,
            Ask::Movement(_) => return self.order(seen, answer),
            Ask::Retreats(retreats) => {
                for choice in &retreats.choices {
                    let to = choice.options.get(self.choose(seen, RETREATS, choice.options.len() + 1));
                    let order = to.map_or(RetreatOrder::Disband, |&to| RetreatOrder::Retreat { to });
                    assert!(answer.retreat(choice, order));
                }
                return;
            }
            Ask::Adjustments(adjustments) => return self.adjust(seen, adjustments, answer),
            Ask::Coast(choice) => {
                let coast = choice.coasts[self.choose_for(seen, choice.fleet, choice.coasts.len())];
                Decision::Coast { fleet: choice.fleet, coast }
            }
            Ask::Trapped(Trapped { fleet }) => match self.choose_for(seen, *fleet, 2) {
                0 => Decision::KeepTrapped(*fleet),
                _ => Decision::DisbandTrapped(*fleet),
            },
            Ask::Seismic(_) => {
                let chosen = self.choose(seen, SEISMIC, seen.quakes().len() + 1).checked_sub(1);
                let Some(chosen) = chosen else { return };
                Decision::Seismic(seen.quakes()[chosen].into())
            }
        };
        assert!(answer.give(&decision));
    }
}
