//! The kinds of units for which worth is needed: it is not spread for the others.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::UnitKind;
use upheaval_engine::rules::rulebook::ArmyBecomesFleet;

/// Armies, fleets, both or none.
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
        let transform = seen.rulebook.army_becomes_fleet == ArmyBecomesFleet::Yes;
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
