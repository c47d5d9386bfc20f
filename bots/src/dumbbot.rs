//! The classic baseline of the field, after David Norman's description of his DumbBot: every place has a
//! worth, and every unit goes where it is worth most.
//!
//! A foreign centre is worth more if its owner is larger; one of the power's own is worth more if the power
//! that could take it is larger. The worth spreads over some steps along the moves of each kind of unit,
//! weighted by the season (`dumbbot/values.rs`, `dumbbot/weights.rs`). Units choose one after another, with a
//! little randomness, and units that would get in each other's way support each other
//! (`dumbbot/move_planner.rs`).
//!
//! The bot itself keeps only its buffers from phase to phase. Adjacency, which depends on the map alone, is
//! cached with the map and rebuilt with it (`dumbbot/spread.rs`):
//!
//! ```text
//!   Board ──▶ spread: graphs, once for each map ──┐
//!   position, owners ──▶ values: base ──────────┴──▶ spread ──────────▶ Worth ──▶ move_planner, builds, retreats …
//! ```

mod move_planner;
mod spread;
mod values;
mod weights;

use std::cmp::Reverse;

use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::{Bot, BotKind, Decision, Pace};
use upheaval_engine::ids::{Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::AdjustmentOrder;
use upheaval_engine::rules::position::Season;

use crate::common::retreats::Lister;
use crate::common::{name_any, retreats, seismic, ties};
use move_planner::MovePlanner;
use values::{Worth, WorthTables};
use weights::Kinds;
use weights::{BUILD, FALL, FLEET_BUILT, REMOVE, SPRING, Weights};

/// See the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Dumbbot {
    values: WorthTables,
    move_planner: MovePlanner,
    lister: Lister,
}

pub(crate) const KIND: BotKind = BotKind {
    name: "dumbbot",
    description: "moves to the places of highest worth: centres, spread over the map, by season (after David Norman)",
    version: 2,
    make: || Box::new(Dumbbot::default()),
    tuning: None,
    pace: Pace::Quick,
    weights: None,
};

/// The weights of a season's moves.
fn moves(season: Season) -> &'static Weights {
    match season {
        Season::Spring => &SPRING,
        Season::Fall | Season::Winter => &FALL,
    }
}

impl Bot for Dumbbot {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        let season = moves(seen.phase.season);
        match ask {
            Ask::Exempt(exempt) => name_any(exempt, dice, answer),
            Ask::Announce(_) | Ask::Trapped(_) | Ask::Poll(_) => {}
            Ask::Movement(_) => {
                let worth = self.values.rate(seen, season, Kinds::of_units(seen));
                self.move_planner.order(seen, &worth, dice, answer);
                self.lister.list(seen, dice, answer, |kind, to| -worth.of(kind, to));
            }
            Ask::Retreats(choices) => {
                let worth = self.values.rate(seen, season, Kinds::BOTH);
                retreats::choose(choices, |kind, to| -worth.of(kind, to), dice, answer);
            }
            Ask::Adjustments(adjustments) => match adjustments.owed() {
                Owed::Builds(n) => {
                    let builds = adjustments.builds(seen.board);
                    build(&self.values.rate(seen, &BUILD, Kinds::BOTH), n, &builds, dice, answer);
                }
                Owed::Removals(n) => {
                    let worth = self.values.rate(seen, &REMOVE, Kinds::of_units(seen));
                    remove(seen, &worth, n, dice, answer);
                }
            },
            Ask::Coast(choice) => {
                let fleets = Kinds { army: false, fleet: true };
                let values = self.values.rate(seen, season, fleets);
                let worth = |coast| values.of(UnitKind::Fleet, Location { province: choice.fleet, coast });
                let best = ties::least(choice.coasts.iter().copied(), |&coast| Reverse(worth(coast)), dice);
                if let Some(coast) = best {
                    answer.give(&Decision::Coast { fleet: choice.fleet, coast });
                }
            }
            Ask::Seismic(_) => {
                let values = self.values.rate(seen, season, Kinds::NONE);
                let own = *seen.position.centres_of(seen.power);
                let brings = |to| if own.contains(to) { 0 } else { values.base(to) };
                let worth = seismic::SeismicWorth { brings, cuts_off: |_, to| values.base(to) };
                seismic::choose(seen, worth, dice, answer);
            }
        }
    }
}

/// The most valuable builds, at most one in each province.
fn build(
    values: &Worth<'_>,
    count: usize,
    builds: &[AdjustmentOrder],
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let mut used = ProvinceSet::EMPTY;
    let worth = |kind, at| match kind {
        UnitKind::Army => values.of(kind, at) * 100,
        UnitKind::Fleet => values.of(kind, at) * FLEET_BUILT,
    };
    for _ in 0..count {
        let open = builds.iter().filter_map(|&order| match order {
            AdjustmentOrder::Build { kind, at } if !used.contains(at.province) => Some((order, kind, at)),
            _ => None,
        });
        let best = ties::least(open, |&(_, kind, at)| Reverse(worth(kind, at)), dice);
        let Some((order, _, at)) = best else { break };
        used.insert(at.province);
        answer.adjust(order);
    }
}

/// Removes the least valuable units; of an army/fleet, no more than required.
fn remove(
    seen: &Observation<'_>,
    values: &Worth<'_>,
    count: usize,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let mut left = *seen.position.units_of(seen.power);
    let mut owed = count;
    while owed > 0 {
        let worth = |at: &ProvinceId| {
            let unit = seen.position.unit(*at).zip(seen.position.location(*at));
            unit.map(|(unit, here)| values.of(unit.kind, here))
        };
        let Some(at) = ties::least(left, worth, dice) else { break };
        left.remove(at);
        let units = seen.position.unit(at).map_or(1, |unit| unit.count());
        answer.adjust(match units > owed {
            true => AdjustmentOrder::RemoveArmy { fleet: at },
            false => AdjustmentOrder::Remove { at },
        });
        owed = owed.saturating_sub(units);
    }
}

#[cfg(test)]
mod tests;
