//! The worth of every place to a power, for an army and for a fleet.
//!
//! ```text
//!   centre: attack or defence ──▶ spread over STEPS steps, separately for armies and fleets ──▶ weighted sum
//!                                                               + strength − competition, for moves
//! ```
//!
//! The weighted sum is computed for the places that are needed ([`Worth::of`]); everything that is the same
//! for all of them is computed in advance.

use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{ByProvince, CoastId, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rules::position::Season;
use upheaval_engine::tally::Tally;

use super::spread::{Aboard, Afloat, OnFoot, Plain, Sails, Walks, WorthSpread};
use super::weights::{
    ALONE_AGAINST_A_UNIT, DISPUTED, DISPUTED_BY_WHO_STANDS_THERE, Kinds, SIZE, SIZE_OF_A_CENTRE,
    SIZE_SQUARED, STRONGER, UNDISPUTED, Weights,
};

/// Less than any other worth: a place where a unit is lost.
pub(super) const LOST: i64 = -1_000_000_000_000;

/// The worth of places. The tables are reused from phase to phase and filled from the current board.
#[derive(Clone, Debug, Default)]
pub(super) struct WorthTables {
    /// The worth of each centre on its own.
    base: ByProvince<i64>,
    /// The provinces in `base`.
    based: ProvinceSet,
    /// How many of the power's own units could be in each province after the move.
    strength: Tally,
    /// The largest number of units that any single other power could send to each province.
    competition: Tally,
    /// The count of a power's units.
    count: Tally,
    spread: WorthSpread,
    plain: Plain,
}

/// The worth of places on the current board.
pub(super) struct Worth<'a> {
    values: &'a WorthTables,
    weights: &'a Weights,
    kinds: Kinds,
    walks: &'a Walks,
    /// `None` if the worth was spread by [`Plain`].
    sails: Option<&'a Sails>,
    /// The places where armies could be without being lost.
    walked: ProvinceSet,
    /// The places where fleets could be without being lost.
    sailed: ProvinceSet,
    prospects: Prospects,
}

/// The units that might keep a unit out of a province.
struct Prospects {
    /// The provinces that foreign units could be in.
    disputed: ProvinceSet,
    /// Those of them with a foreign unit, where no second unit of the power could help.
    alone: ProvinceSet,
    /// The provinces where the power could have more units than any other power.
    stronger: ProvinceSet,
    /// The provinces with foreign units.
    foreign: ProvinceSet,
}

impl WorthTables {
    /// Evaluates the current board for units of these kinds.
    pub(super) fn rate<'a>(
        &'a mut self,
        seen: &Observation<'a>,
        weights: &'a Weights,
        kinds: Kinds,
    ) -> Worth<'a> {
        self.count(seen, weights);
        let terrain = seen.terrain();
        let walks = match seen.rulebook.army_fleets.allowed() {
            true => &terrain.kept::<Aboard>().0,
            false => &terrain.kept::<OnFoot>().0,
        };
        let spread = |sails: &&Sails| self.spread.fill(seen, (walks, sails), kinds, (self.based, &self.base));
        let sails = terrain.kept::<Afloat>().0.as_ref().filter(spread);
        if sails.is_none() {
            self.plain.fill(seen, &weights.spread, &self.base);
        }
        let prospects = self.prospects(*seen.position.occupied() - *seen.position.units_of(seen.power));
        let sinking = if seen.phase.season == Season::Fall { seen.sinking() } else { ProvinceSet::EMPTY };
        Worth {
            values: self,
            weights,
            kinds,
            walks,
            sails,
            walked: walks.members - seen.doomed - sinking,
            sailed: seen.board.passable() - seen.doomed,
            prospects,
        }
    }

    /// Counts which units could be where, and rates the centres.
    fn count(&mut self, seen: &Observation<'_>, weights: &Weights) {
        self.based.iter().for_each(|centre| self.base[centre] = 0);
        // A centre that is about to vanish has no worth.
        let live = *seen.centres - seen.doomed - seen.sinking();
        self.based = live;
        let own = *seen.position.centres_of(seen.power) & live;
        let mut unowned = live - own;
        self.strength.clear();
        self.competition.clear();
        let fleets = *seen.position.fleets();
        for power in seen.powers() {
            let mut units = *seen.position.units_of(power);
            if power == seen.power && seen.handicap.denies(Faculty::Supports) {
                // However many of its units could be somewhere, they cannot support each other.
                units = ProvinceSet::EMPTY;
            }
            let count = if power == seen.power { &mut self.strength } else { &mut self.count };
            count.clear();
            (units - fleets).iter().for_each(|army| {
                count.add(*seen.board.army_reach(army) | ProvinceSet::single(army));
            });
            (units & fleets).iter().for_each(|fleet| {
                let coast = seen.position.unit(fleet).map_or(CoastId::FIRST, |unit| unit.coast);
                let reach = seen.board.fleet_reach(Location { province: fleet, coast });
                count.add(*reach | ProvinceSet::single(fleet));
            });
            if power == seen.power {
                continue;
            }
            self.competition.raise_to(&self.count);
            let centres = *seen.position.centres_of(power) & *seen.centres;
            let size = size(centres.len());
            (centres & live).iter().for_each(|centre| self.base[centre] = weights.attack * size);
            unowned -= centres;
            (own & self.count.any()).iter().for_each(|centre| {
                self.base[centre] = self.base[centre].max(weights.defence * size);
            });
        }
        unowned.iter().for_each(|centre| self.base[centre] = weights.attack * SIZE);
    }

    fn prospects(&self, foreign: ProvinceSet) -> Prospects {
        let disputed = self.competition.any();
        Prospects {
            disputed,
            alone: (foreign & disputed) - self.strength.at_least_two(),
            stronger: self.strength.larger_than(&self.competition),
            foreign,
        }
    }
}

impl Worth<'_> {
    /// Was the worth spread in 32-bit numbers?
    #[cfg(test)]
    pub(super) fn is_fast(&self) -> bool {
        self.sails.is_some()
    }

    /// The worth of having a unit there; for a fleet, on that coast.
    #[inline]
    pub(super) fn of(&self, kind: UnitKind, at: Location) -> i64 {
        debug_assert!(self.kinds.has(kind), "{} was not announced as needed", kind.noun());
        let (spread, weights) = (&self.values.spread, &self.weights.spread);
        let near = match (kind, self.sails) {
            (UnitKind::Army, _) if !self.walked.contains(at.province) => None,
            (UnitKind::Army, Some(_)) => Some(spread.of_army(self.walks.numbers[at.province], weights)),
            (UnitKind::Army, None) => Some(self.values.plain.of_army(at.province)),
            (UnitKind::Fleet, _) if !self.sailed.contains(at.province) => None,
            // A trapped fleet has no place.
            (UnitKind::Fleet, Some(sails)) => sails.number(at).map(|number| spread.of_fleet(number, weights)),
            (UnitKind::Fleet, None) => self.values.plain.of_fleet(at),
        };
        near.map_or(LOST, |near| near + self.company(at.province))
    }

    /// The other part of a place's worth: the units that could be there.
    #[inline]
    fn company(&self, at: ProvinceId) -> i64 {
        let Weights { strength, competition, .. } = *self.weights;
        if strength == 0 && competition == 0 {
            return 0;
        }
        strength * i64::from(self.values.strength.of(at)) - competition * i64::from(self.competition(at))
    }

    /// The largest number of units that any single other power could send there.
    #[inline]
    pub(super) fn competition(&self, at: ProvinceId) -> u8 {
        self.values.competition.of(at)
    }

    /// The percentage of a unit's gain from going there that counts, because it may not get in.
    #[inline]
    pub(super) fn prospect(&self, to: ProvinceId) -> i64 {
        let Prospects { disputed, alone, stronger, foreign } = &self.prospects;
        match to {
            to if !disputed.contains(to) => UNDISPUTED,
            to if alone.contains(to) => ALONE_AGAINST_A_UNIT,
            to if stronger.contains(to) => STRONGER,
            to if foreign.contains(to) => DISPUTED_BY_WHO_STANDS_THERE,
            _ => DISPUTED,
        }
    }

    /// The worth of the centre on its own, before spreading.
    pub(super) fn base(&self, centre: ProvinceId) -> i64 {
        self.values.base[centre]
    }
}

/// The size of a power with this number of centres.
fn size(centres: usize) -> i64 {
    let centres = centres as i64;
    SIZE + SIZE_OF_A_CENTRE * centres + SIZE_SQUARED * centres * centres
}
