//! `black-hole`: Black Hole Diplomacy.

mod draws;
mod rules;
