//! `schizo-ii`: rr07.

mod desk;
mod draws;
mod rules;
mod splits;
mod victory;
