//! `black-hole`: Black Hole Diplomacy.

mod desk;
mod draws;
mod rules;
