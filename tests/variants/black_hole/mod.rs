//! `black-hole` and `black-hole-i`: Black Hole Diplomacy and Black Hole Diplomacy I.

mod draws;
mod rules;
mod secrecy;
