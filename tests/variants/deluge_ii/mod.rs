//! Deluge II: ru10. Its army/fleets are in `tests/rules/army_fleets/`.

mod coasts;
mod rules;
