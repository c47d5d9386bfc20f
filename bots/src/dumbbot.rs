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
use upheaval_engine::ids::{Location, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::position::Season;

use crate::common::retreats::Lister;
use crate::common::{adjustments, name_any, polls, retreats, seismic, ties};
use move_planner::MovePlanner;
use values::WorthTables;
use weights::{BUILD, FALL, FLEET_BUILT, Kinds, REMOVE, SPRING, Weights};

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
            Ask::Poll(poll) => polls::choose(seen, poll, dice, answer),
            Ask::Announce(_) | Ask::Trapped(_) => {}
            Ask::Movement(_) => {
                let worth = self.values.rate(seen, season, Kinds::of_units(seen));
                self.move_planner.order(seen, &worth, dice, answer);
                self.lister.list(seen, dice, answer, |kind, to| -worth.of(kind, to));
            }
            Ask::Retreats(choices) => {
                let worth = self.values.rate(seen, season, Kinds::BOTH);
                retreats::choose(choices, |kind, to| -worth.of(kind, to), dice, answer);
            }
            Ask::Adjustments(asked) => match asked.owed() {
                Owed::Builds(n) => {
                    let values = self.values.rate(seen, &BUILD, Kinds::BOTH);
                    let worth = |kind, at| match kind {
                        UnitKind::Army => values.of(kind, at) * 100,
                        UnitKind::Fleet => values.of(kind, at) * FLEET_BUILT,
                    };
                    let cost = |_: &[UnitKind], kind, at| Reverse(worth(kind, at));
                    adjustments::build(&asked.builds(seen.board), n, cost, dice, answer);
                }
                Owed::Removals(n) => {
                    let values = self.values.rate(seen, &REMOVE, Kinds::of_units(seen));
                    let worth = |at| {
                        let unit = seen.position.unit(at).zip(seen.position.location(at));
                        unit.map(|(unit, here)| values.of(unit.kind, here))
                    };
                    adjustments::remove(seen, n, worth, dice, answer);
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
                seismic::choose(seen, brings, |to| values.base(to), dice, answer);
            }
        }
    }
}

#[cfg(test)]
mod tests;
