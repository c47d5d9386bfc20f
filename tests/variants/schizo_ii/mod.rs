//! `schizo-ii`: seed 002.

mod desk;
mod draws;
mod rules;
mod splits;
mod victory;
