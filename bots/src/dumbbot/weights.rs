//! The parameters of `dumbbot`. All its decisions follow from these, the board and its dice. They were found
//! by trying others against six seats of `greedy` (`docs/bots.md`).

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::UnitKind;
use upheaval_engine::rules::rulebook::ArmyBecomesFleet;

/// The number of steps over which a centre's worth spreads.
pub(super) const STEPS: usize = 8;

/// The weights of one season.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A foreign centre, for each point of its owner's size.
    pub attack: i64,
    /// One of its own centres, for each point of the size of the largest power that could take it.
    pub defence: i64,
    /// The weight of the centres at each distance from a place.
    pub spread: [i64; STEPS],
    /// Each of its own units that could be there.
    pub strength: i64,
    /// Each unit of the single power that could send most units there.
    pub competition: i64,
}

/// Spring: no centres change hands, so there is nothing to defend yet, and being next to many centres is
/// better than being on one.
pub(super) const SPRING: Weights = Weights {
    attack: 7,
    defence: 0,
    spread: [400, 700, 25, 12, 10, 6, 4, 3],
    strength: 2000,
    competition: 2000,
};

/// Fall: a unit on a centre captures it, and taking a centre is better than keeping one.
pub(super) const FALL: Weights = Weights {
    attack: 4,
    defence: 1,
    spread: [1000, 120, 25, 8, 8, 5, 5, 2],
    strength: 2000,
    competition: 2000,
};

/// Builds: the surroundings count, because no unit stays where it is built.
pub(super) const BUILD: Weights = Weights {
    attack: 5,
    defence: 4,
    spread: [400, 500, 160, 160, 50, 20, 10, 10],
    strength: 0,
    competition: 0,
};

/// Removals: the place of a unit counts, and what it can still reach.
pub(super) const REMOVE: Weights =
    Weights { attack: 2, defence: 6, spread: [750, 240, 90, 60, 30, 12, 12, 4], strength: 0, competition: 0 };

/// The size of a power: this constant, ...
pub(super) const SIZE: i64 = 40;
/// ... plus this for each centre, ...
pub(super) const SIZE_OF_A_CENTRE: i64 = 4;
/// ... plus this times the square of its centres: large powers are to be cut down first.
pub(super) const SIZE_SQUARED: i64 = 3;

/// In each step a place gets the sum of its own value and its neighbours' values divided by this.
pub(super) const SPREADS_TO: u32 = 5;

/// The percentage chance of considering the next best option when it is as good as the best.
pub(super) const NEXT_BEST: i64 = 25;
/// How much faster that chance falls than the worth does: with 5, an option that is worth a tenth less has
/// half the chance.
pub(super) const NEXT_BEST_FALLS: i64 = 9;

/// The percentage of a move's gain that counts if no other power contests it.
pub(super) const UNDISPUTED: i64 = 100;
/// The same if it has more units there than any other power.
pub(super) const STRONGER: i64 = 90;
/// The same if it has as many or fewer. This is high because the others may have better moves.
pub(super) const DISPUTED: i64 = 70;
/// The same if it has as many or fewer, and a foreign unit is there.
pub(super) const DISPUTED_BY_WHO_STANDS_THERE: i64 = 40;
/// The same if a foreign unit is there and no other unit could help: chosen only without a better option.
pub(super) const ALONE_AGAINST_A_UNIT: i64 = 5;

/// The cost to an army of using a fleet that could do something else.
pub(super) const COST_OF_A_FLEET: i64 = 20000;
/// The cost to an army of becoming a fleet for good.
pub(super) const COST_OF_THE_ARMY: i64 = 16000;

/// The largest number of supports for one unit: powers that could bring this many attackers seldom coordinate
/// them.
pub(super) const ENOUGH_SUPPORTS: u8 = 5;
/// A unit gives up its destination to support another if its own is worth less than this percentage of the
/// other's.
pub(super) const REINFORCED_BY: i64 = 55;

/// The worth of a fleet relative to an army, in percent, where both can be built and the surroundings are
/// equal: fleets are hard to dislodge.
pub(super) const FLEET_BUILT: i64 = 125;

/// Armies, fleets, both or none.
///
/// The kinds of units for which worth is needed: it is not spread for the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    pub army: bool,
    pub fleet: bool,
}

impl Kinds {
    pub(super) const BOTH: Kinds = Kinds { army: true, fleet: true };
    pub(super) const NONE: Kinds = Kinds { army: false, fleet: false };

    /// The kinds that the power's units have or could become in a movement.
    pub(super) fn of_units(seen: &Observation<'_>) -> Kinds {
        let (own, fleets) = (*seen.position.units_of(seen.power), *seen.position.fleets());
        let transform = seen.rulebook.army_becomes_fleet != ArmyBecomesFleet::No;
        Kinds {
            army: !own.is_subset(&fleets) || seen.rulebook.army_fleets.allowed(),
            fleet: own.intersects(&fleets) || transform,
        }
    }

    pub(super) fn has(self, kind: UnitKind) -> bool {
        match kind {
            UnitKind::Army => self.army,
            UnitKind::Fleet => self.fleet,
        }
    }
}
