//! The army/fleet page (ru10), rule by rule.

mod aboard;
mod at_sea;
mod battles;
mod becomes_fleet;
mod ferry;
mod landing_paradoxes;
mod meant;
mod orders;
mod renamed;
