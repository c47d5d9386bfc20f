//! The rules of play that hold in every variant.

mod army_fleets;
mod datc;
mod drift;
mod no_allocation;
mod oceans;
mod prophetic_retreats;
mod reference;
mod reference_adjudicator;
mod reference_army_fleets;
mod standard;
mod vote;
