//! Code that several bots share: the reach of a unit, moves over water, retreats, builds and removals, the effects of
//! seismic orders, votes, and how ties are broken.

pub(crate) mod adjustments;
pub(crate) mod passage;
pub(crate) mod polls;
pub(crate) mod retreats;
pub(crate) mod seismic;
pub(crate) mod ties;

use upheaval_engine::ask::{Answer, Exempt, Observation};
use upheaval_engine::bot::Decision;
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
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
    kind == UnitKind::Army && seen.phase.season == Season::Fall && seen.sinking().contains(at)
}

/// Names an exempt centre by lot: all are equally good, and it matters only that other powers cannot guess the
/// choice.
pub(crate) fn name_any(Exempt { choices }: &Exempt, dice: &mut Stream, answer: &mut Answer<'_>) {
    if let Some(centre) = choices.iter().nth(dice.below(choices.len() as u32) as usize) {
        answer.give(&Decision::Exempt(centre));
    }
}

/// Counts up to `MOST`.
///
/// Counts how many units could go to each province, exactly up to a small limit and "at least the limit"
/// beyond it.
///
/// The first set holds the provinces that at least one unit could reach, the next those that at least two
/// could reach, and so on. Adding a unit moves the provinces it reaches up by one set; there is no carry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few<const MOST: usize>([ProvinceSet; MOST]);

impl<const MOST: usize> Few<MOST> {
    /// Counts how many of the units in these provinces could move to each province.
    #[inline]
    pub(crate) fn reached_by(seen: &Observation<'_>, units: ProvinceSet) -> Self {
        let fleets = *seen.position.fleets();
        let mut few = Few([ProvinceSet::EMPTY; MOST]);
        (units - fleets).iter().for_each(|army| add(&mut few.0, *seen.board.army_reach(army)));
        (units & fleets).iter().for_each(|fleet| {
            let coast = seen.position.unit(fleet).map_or(CoastId::FIRST, |unit| unit.coast);
            add(&mut few.0, *seen.board.fleet_reach(Location { province: fleet, coast }));
        });
        few
    }

    /// The provinces with a count of at least 1.
    #[inline]
    pub(crate) fn any(&self) -> ProvinceSet {
        self.0[0]
    }

    /// The count of a province, at most `MOST`.
    #[inline]
    pub(crate) fn of(&self, province: ProvinceId) -> i32 {
        self.0.iter().map(|set| i32::from(set.contains(province))).sum()
    }
}

/// Adds a unit that reaches these provinces.
// Not inlined, for any number of sets: otherwise the compiler combines words of neighbouring sets, and the
// processor waits for every one of them.
#[inline(never)]
fn add(sets: &mut [ProvinceSet], provinces: ProvinceSet) {
    let mut carry = provinces;
    for set in sets {
        let both = *set & carry;
        *set |= carry;
        carry = both;
    }
}
