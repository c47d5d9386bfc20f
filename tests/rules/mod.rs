//! The rules of play that hold in every variant.

mod army_fleets;
mod datc;
mod drawn;
mod legal;
mod no_allocation;
mod nonsense;
mod notation;
mod oceans;
mod prophetic_retreats;
mod reference;
mod reference_adjudicator;
mod reference_army_fleets;
mod retreats;
mod standard;
mod typed;
mod vote;
mod words;
mod year_end;

use upheaval::ids::ProvinceId;
use upheaval::rules::movement::Resolution;
use upheaval::rules::order::Orders;
use upheaval::rules::position::{Position, Retreats};
use upheaval::rules::settlement::OrderOutcome;

/// The result words of a unit.
fn unit_words(resolution: &Resolution, at: ProvinceId) -> Vec<&'static str> {
    let dislodged_from = resolution.dislodged_by(at).map(|attack| attack.from);
    OrderOutcome::Unit { outcome: resolution.outcome(at), dislodged_from }.words().to_vec()
}

/// Carries out the moves; the units that wait for their retreats.
fn applied(resolution: &Resolution, position: &mut Position, orders: &Orders) -> Retreats {
    let mut retreats = Retreats::default();
    resolution.apply_into(position, orders, &mut retreats);
    retreats
}
