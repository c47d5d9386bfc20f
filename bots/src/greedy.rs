//! A bot that takes what it can reach. It values provinces by the centres in and near them, gives each unit
//! the most valuable free destination, turns units with little to do into supporters of contested moves, and
//! garrisons threatened provinces. It looks no further than the next move and treats all other powers as
//! enemies.
//!
//! Where armies board fleets, it sends them on voyages (`plan.rs`), and turns armies that would drown into
//! fleets.
//!
//! ```text
//!   survey ──▶ worth ──▶ plans (one destination a unit, none twice) ──▶ supports of moves ──▶ supports of garrisons
//! ```

mod plan;
mod worth;

use std::cmp::Reverse;

use upheaval_engine::ask::{Adjustments, Answer, Ask, Faculty, Observation};
use upheaval_engine::bot::{Bot, BotKind, Pace};
use upheaval_engine::ids::{Location, ProvinceId, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::adjustment::Owed;

use crate::common::retreats::Lister;
use crate::common::{adjustments, name_any, polls, retreats, seismic};
use plan::Planner;
use worth::{CentreSurvey, FAR};

/// The worth of bringing a wanted centre into reach by a seismic order.
const BRINGS: i64 = 30;
/// The worth of cutting off a threat to one of its own centres.
const CUTS_OFF: i64 = 25;

/// See the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    planner: Planner,
    lister: Lister,
}

pub(crate) const KIND: BotKind = BotKind {
    name: "greedy",
    description: "takes the centres in reach, supports its own attacks, garrisons threatened provinces",
    version: 3,
    make: || Box::new(Greedy::default()),
    tuning: None,
    pace: Pace::Quick,
    weights: None,
};

/// The cost of retreating there: a centre to take comes first, then one to hold, then the place nearest to a
/// centre.
fn retreat_cost(
    seen: &Observation<'_>,
    survey: &CentreSurvey<'_>,
    kind: UnitKind,
    province: ProvinceId,
) -> i64 {
    match seen.position.centres_of(seen.power).contains(province) {
        true => 1,
        false => 2 * i64::from(survey.distance(kind, province)),
    }
}

/// Builds what is nearest to a centre to take, and removes what is farthest.
fn adjust(
    seen: &Observation<'_>,
    survey: &CentreSurvey<'_>,
    asked: &Adjustments,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let own = *seen.position.units_of(seen.power);
    match asked.owed() {
        Owed::Builds(n) => {
            let own_fleets = (own & *seen.position.fleets()).len();
            let own_armies = seen.position.unit_count(seen.power) - own_fleets;
            let carried = seen.rulebook.army_fleets.allowed() || !seen.handicap.denies(Faculty::Convoys);
            let cost = |built: &[UnitKind], kind, at: Location| {
                let new_fleets = built.iter().filter(|kind| **kind == UnitKind::Fleet).count();
                let (fleets, armies) = (own_fleets + new_fleets, own_armies + built.len() - new_fleets);
                match (kind, survey.distance(kind, at.province)) {
                    // Armies that cannot walk anywhere need fleets to carry them.
                    (UnitKind::Army, FAR..) if carried && fleets > 2 * armies => 2,
                    (UnitKind::Army, steps) => steps,
                    (UnitKind::Fleet, steps) => steps + 1 + u8::from(fleets > armies) * 2,
                }
            };
            adjustments::build(&asked.builds(seen.board), n, cost, dice, answer);
        }
        Owed::Removals(n) => {
            let distance = |at| {
                let kind = seen.position.unit(at).map_or(UnitKind::Army, |unit| unit.kind);
                survey.distance(kind, at)
            };
            adjustments::remove(seen, n, |at| Reverse(distance(at)), dice, answer);
        }
    }
}

impl Bot for Greedy {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        let survey = match ask {
            Ask::Exempt(exempt) => return name_any(exempt, dice, answer),
            Ask::Poll(poll) => return polls::choose(seen, poll, dice, answer),
            Ask::Announce(_) | Ask::Coast(_) | Ask::Trapped(_) => return,
            Ask::Movement(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) => {
                CentreSurvey::new(seen)
            }
        };
        let cost = |kind, to: Location| retreat_cost(seen, &survey, kind, to.province);
        match ask {
            Ask::Movement(_) => {
                self.planner.plan(seen, &survey, dice, answer);
                self.lister.list(seen, dice, answer, cost);
            }
            Ask::Retreats(choices) => retreats::choose(choices, cost, dice, answer),
            Ask::Adjustments(asked) => adjust(seen, &survey, asked, dice, answer),
            Ask::Seismic(_) => {
                let wanted = survey.wanted;
                let brings = |centre| if wanted.contains(centre) { BRINGS } else { 0 };
                seismic::choose(seen, brings, |_| CUTS_OFF, dice, answer);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
