//! What a request may have forgotten: sentences in the answer.

use crate::adjudicate::request::Request;
use crate::game::Game;
use crate::reading::{Decision, Refusal};
use crate::rules::map_tables::MapTables;
use crate::rules::position::Position;
use crate::rules::told::and;
use upheaval_map::ids::{Power, ProvinceSet};

/// The powers that have homes on the board and are left out of the position, unless they are known to be eliminated.
pub(super) fn left_out(request: &Request, game: &Game) -> Option<String> {
    let names = game.power_names();
    let is_known = |power: Power| {
        let name = names.name(power);
        request.powers.keys().chain(request.state.eliminated.keys()).any(|key| key.eq_ignore_ascii_case(name))
    };
    let has_home = |power: Power| !game.variant().terrain.homes()[power].is_empty();
    let powers = game.powers().iter().filter(|&power| has_home(power) && !is_known(power));
    let powers: Vec<&str> = powers.map(|power| names.name(power)).collect();
    (!powers.is_empty()).then(|| {
        format!("`powers` leaves out {}: without units and centres they are eliminated", and(&powers))
    })
}

/// For each power, its units for which no order of the movement counts, on the terrain of the orders.
pub(super) fn unordered(
    terrain: &MapTables,
    before: &Position,
    read: &[Result<Decision, Refusal>],
) -> Vec<String> {
    let ordered: ProvinceSet = read
        .iter()
        .filter_map(|read| match read {
            Ok(Decision::Order { unit, .. }) => Some(*unit),
            _ => None,
        })
        .collect();
    let names = terrain.names();
    let of_power = |power: Power| {
        let units = (*before.units_of(power) - ordered).iter();
        let units: Vec<String> = units.map(|at| before.unit_named(names, at).to_string()).collect();
        let units: Vec<&str> = units.iter().map(String::as_str).collect();
        let hold = if units.len() == 1 {
            "has no order that counts, and holds"
        } else {
            "have no orders that count, and hold"
        };
        (!units.is_empty()).then(|| format!("{}: {} {hold}", names.power(power), and(&units)))
    };
    terrain.powers().iter().filter_map(of_power).collect()
}
