//! The army/fleet page (ru10), as far as `cli/tests/sessions/adjudicate_boarding.md` and `adjudicate_army_fleets.md` do
//! not have it.

mod legal;
mod meant;
mod orders;
mod renamed;
