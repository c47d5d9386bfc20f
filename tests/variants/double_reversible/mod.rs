//! `double-reversible`: Double Reversible.

mod draws;
mod round_trip;
mod rules;
