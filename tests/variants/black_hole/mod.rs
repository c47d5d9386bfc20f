//! `black-hole`: seed 000, first part.

mod desk;
mod draws;
mod rules;
