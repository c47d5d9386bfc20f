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
mod vote;
mod words;
mod year_end;
