//! The ways in which a unit can reach its destination, including those across water.
//!
//! A voyage is a fleet's move to a sea and an army's landing from there, in one season:
//!
//! ```text
//!   LON ──▶ ENG ──────────▶ MAO ──▶ POR
//!     boards       sails       lands          or stays aboard, to land from there later
//! ```

use upheaval_engine::bot::{Faculty, Observation};
use upheaval_engine::ids::{CoastId, Location, ProvinceId, ProvinceSet};
use upheaval_engine::rules::legal::{convoy_goals, is_legal, landings};
use upheaval_engine::rules::order::{Order, Route};
use upheaval_engine::rules::rulebook::ArmyBecomesFleet;

/// The voyage of an army aboard a fleet: the place of the fleet now, and its sea afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Voyage {
    /// The fleet.
    pub fleet: ProvinceId,
    /// The sea it sails to or stays in.
    pub sea: ProvinceId,
}

/// The means by which a unit reaches its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Means {
    /// Its own move.
    Alone,
    /// By a convoy of this fleet.
    Convoy(ProvinceId),
    /// Aboard a fleet.
    Voyage(Voyage),
    /// It stays, and becomes a fleet.
    Transform,
}

impl Means {
    /// The fleet that carries it, if it is another unit.
    pub(crate) fn carrier(self, unit: ProvinceId) -> Option<ProvinceId> {
        match self {
            Means::Convoy(fleet) | Means::Voyage(Voyage { fleet, .. }) => Some(fleet).filter(|&f| f != unit),
            Means::Alone | Means::Transform => None,
        }
    }

    /// The sea where the fleet of a voyage ends, unless the unit ends there itself.
    pub(crate) fn sea(self, to: Location) -> Option<ProvinceId> {
        match self {
            Means::Voyage(voyage) => Some(voyage.sea).filter(|&sea| sea != to.province),
            Means::Alone | Means::Convoy(_) | Means::Transform => None,
        }
    }

    /// The order that takes the unit there. A landing is an additional order.
    pub(crate) fn order(self, unit: ProvinceId, to: Location) -> Order {
        match self {
            Means::Transform => Order::Transform { coast: to.coast },
            Means::Voyage(Voyage { fleet, .. }) if fleet != unit => Order::Embark { fleet },
            Means::Voyage(Voyage { sea, .. }) if sea != unit => {
                Order::Move { to: sea.into(), route: Route::Direct }
            }
            Means::Voyage(_) => Order::Hold,
            Means::Convoy(_) => Order::Move { to, route: Route::Convoy },
            Means::Alone if to.province != unit => Order::Move { to, route: Route::Direct },
            Means::Alone => Order::Hold,
        }
    }
}

/// Calls `found` with every place across the water to which a single fleet of its own power could convoy the
/// army, and with the fleet: convoys of several fleets are hard to coordinate.
pub(crate) fn convoys(
    seen: &Observation<'_>,
    army: ProvinceId,
    mut found: impl FnMut(ProvinceId, ProvinceId),
) {
    if seen.handicap.denies(Faculty::Convoys) {
        return;
    }
    let fleets = *seen.position.units_of(seen.power) & *seen.board.seas_next_to(army);
    for fleet in fleets {
        let shores = *seen.board.fleet_reach_any(fleet) & *seen.board.land();
        let across = shores - *seen.board.army_reach(army) - ProvinceSet::single(army);
        let goals = across & convoy_goals(seen.chains, fleet, army);
        goals.iter().for_each(|to| found(fleet, to));
    }
}

/// Calls `found` with the voyages of the army in this province, or of the army aboard the fleet there, and
/// with the option to become a fleet.
pub(crate) fn voyages(seen: &Observation<'_>, unit: ProvinceId, mut found: impl FnMut(Means, Location)) {
    if seen.position.laden().contains(unit) {
        aboard(seen, unit, unit, &mut found);
    } else if !seen.position.fleets().contains(unit) {
        let fleets = match seen.rulebook.army_fleets.allowed() {
            true => *seen.board.seas_next_to(unit) & *seen.position.units_of(seen.power),
            false => ProvinceSet::EMPTY,
        };
        for fleet in fleets {
            if is_legal(seen.board, seen.position, seen.chains, unit, Order::Embark { fleet }) {
                aboard(seen, unit, fleet, &mut found);
            }
        }
        let becomes_fleet = seen.rulebook.army_becomes_fleet != ArmyBecomesFleet::No;
        let coasts = if becomes_fleet { seen.board.coasts(unit) } else { 0 };
        for coast in (0..coasts).map(CoastId) {
            if is_legal(seen.board, seen.position, seen.chains, unit, Order::Transform { coast }) {
                found(Means::Transform, Location { province: unit, coast });
            }
        }
    }
}

/// The voyages of the army aboard this fleet, or boarding it.
fn aboard(
    seen: &Observation<'_>,
    unit: ProvinceId,
    fleet: ProvinceId,
    found: &mut impl FnMut(Means, Location),
) {
    for sea in ProvinceSet::single(fleet) | (*seen.board.seas_next_to(fleet) & *seen.board.sea()) {
        found(Means::Voyage(Voyage { fleet, sea }), sea.into());
    }
    for landing in landings(seen.board, seen.position, seen.chains, fleet) {
        // Across the sea of the fleet a convoy is as good, and leaves the fleet available.
        let convoyed = unit != fleet && landing.from == fleet;
        if !convoyed && landing.to != unit {
            found(Means::Voyage(Voyage { fleet, sea: landing.from }), landing.to.into());
        }
    }
}
