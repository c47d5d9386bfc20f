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
//! cached with the map and rebuilt with it (`dumbbot/ways.rs`):
//!
//! ```text
//!   Board ──▶ ways: graphs, once for each map ──┐
//!   position, owners ──▶ values: base ──────────┴──▶ spread (or plain) ──▶ Worth ──▶ move_planner, builds, retreats …
//! ```

#[cfg(feature = "checks")]
pub mod checks;
mod graph;
mod kinds;
mod move_planner;
mod plain;
mod spread;
mod values;
mod ways;
mod weights;

use std::cmp::Reverse;

use upheaval_engine::bot::{Bot, BotKind, Observation, OrderSheet, Pace, RetreatChoice};
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, RetreatOrder};
use upheaval_engine::rules::position::Season;
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_engine::rules::world::CoastChoice;
use upheaval_engine::topology::Quake;

use crate::common::lists::Lister;
use crate::common::{any_exempt, retreats, seismic, ties};
use kinds::Kinds;
use move_planner::MovePlanner;
use values::{Worth, WorthTables};
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
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
        let worth = self.values.rate(seen, moves(seen.phase.season), Kinds::of_units(seen));
        self.move_planner.order(seen, &worth, dice, sheet);
        self.lister.list(seen, dice, sheet, |kind, to| -worth.of(kind, to));
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<Option<RetreatOrder>>,
    ) {
        let worth = self.values.rate(seen, moves(seen.phase.season), Kinds::BOTH);
        retreats::choose(choices, |kind, to| -worth.of(kind, to), dice, orders);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        dice: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        match owed {
            Owed::Builds(n) => build(&self.values.rate(seen, &BUILD, Kinds::BOTH), n, builds, dice, orders),
            Owed::Removals(n) => {
                remove(seen, &self.values.rate(seen, &REMOVE, Kinds::of_units(seen)), n, dice, orders)
            }
        }
    }

    fn seismic(
        &mut self,
        seen: &Observation<'_>,
        quakes: &[Quake],
        dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        let values = self.values.rate(seen, moves(seen.phase.season), Kinds::NONE);
        let own = *seen.position.centres_of(seen.power);
        let brings = |to| if own.contains(to) { 0 } else { values.base(to) };
        seismic::choose(
            seen,
            seismic::SeismicWorth { brings, cuts_off: |_, to| values.base(to) },
            quakes,
            dice,
        )
    }

    fn exempt(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Option<ProvinceId> {
        any_exempt(seen, dice)
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, dice: &mut Stream) -> Option<CoastId> {
        let fleets = Kinds { army: false, fleet: true };
        let values = self.values.rate(seen, moves(seen.phase.season), fleets);
        let worth = |coast| values.of(UnitKind::Fleet, Location { province: choice.fleet, coast });
        ties::least(choice.coasts.iter().copied(), |&coast| Reverse(worth(coast)), dice)
    }
}

/// The most valuable builds, at most one in each province.
fn build(
    values: &Worth<'_>,
    count: usize,
    builds: &[AdjustmentOrder],
    dice: &mut Stream,
    orders: &mut Vec<AdjustmentOrder>,
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
        orders.push(order);
    }
}

/// Removes the least valuable units; of an army/fleet, no more than required.
fn remove(
    seen: &Observation<'_>,
    values: &Worth<'_>,
    count: usize,
    dice: &mut Stream,
    orders: &mut Vec<AdjustmentOrder>,
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
        orders.push(match units > owed {
            true => AdjustmentOrder::RemoveArmy { fleet: at },
            false => AdjustmentOrder::Remove { at },
        });
        owed = owed.saturating_sub(units);
    }
}
