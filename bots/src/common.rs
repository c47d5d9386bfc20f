//! Code that several bots share: the reach of a unit, moves over water, retreats, the effects of seismic orders, and
//! how ties are broken.

pub(crate) mod few;
pub(crate) mod lists;
pub(crate) mod passage;
pub(crate) mod retreats;
pub(crate) mod seismic;
pub(crate) mod ties;

use upheaval_engine::ask::{Answer, Exempt, Observation};
use upheaval_engine::bot::Decision;
use upheaval_engine::ids::{Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::position::Season;

/// The provinces to which the unit here could move without a convoy.
pub(crate) fn reach(seen: &Observation<'_>, at: ProvinceId) -> ProvinceSet {
    match seen.position.unit(at) {
        Some(unit) if unit.kind == UnitKind::Army => *seen.board.army_reach(at),
        Some(unit) => *seen.board.fleet_reach(Location { province: at, coast: unit.coast }),
        None => ProvinceSet::EMPTY,
    }
}

/// Would a unit drown there at the end of the year? In Spring there is time to leave.
pub(crate) fn drowns(seen: &Observation<'_>, kind: UnitKind, at: ProvinceId) -> bool {
    kind == UnitKind::Army && seen.phase.season == Season::Fall && seen.sinking.contains(at)
}

/// Names an exempt centre by lot: all are equally good, and it matters only that other powers cannot guess the
/// choice.
pub(crate) fn name_any(Exempt { choices }: &Exempt, dice: &mut Stream, answer: &mut Answer<'_>) {
    if let Some(centre) = choices.iter().nth(dice.below(choices.len() as u32) as usize) {
        answer.give(&Decision::Exempt(centre));
    }
}
