//! Common helpers of the tests of `seismic-acerunner`: years in which all units hold and quakes happen, and the
//! resulting waterways.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use upheaval::game::Stage;
use upheaval::ids::Power;

/// A season's seismic orders.
pub(super) type Shock<'a> = &'a [(Power, &'a str)];

/// A game of the variant in which all units have held so far and these orders were given, season by season.
pub(super) fn shaken(seasons: &[Shock<'_>]) -> Table {
    let mut table = Table::new_game(variant("seismic-acerunner"), 1950);
    for orders in seasons {
        next_quake(&mut table);
        table.shake(orders);
    }
    table
}

/// Settles everything up to the next seismic phase by default; all units hold.
pub(super) fn next_quake(table: &mut Table) {
    let before = table.game.phase();
    while table.game.stage() != Stage::Seismic || table.game.phase() == before {
        match table.game.stage() {
            Stage::Movement => table.move_all(&[]),
            _ => table.rest_of_season(),
        };
    }
}

/// A seismic phase with these units, on the board after these events.
pub(super) fn at(phase: &str, events: &[&str], units: &[(Power, &[&str])]) -> Table {
    Table::set_in(variant("seismic-acerunner"), phase, events, units, &[])
}

/// Straits and canals: `canal KIE: BAL HEL`.
pub(super) fn waterways(table: &Table) -> Vec<String> {
    let text = |way: &upheaval::topology::report::WaterwayReport| {
        format!("{} {}: {}", way.kind, way.within.join(" "), way.ends.join(" "))
    };
    table.report().waterways.iter().map(text).collect()
}

/// The waterways that are not those of the standard board.
pub(super) fn new_waterways(table: &Table) -> Vec<String> {
    waterways(table).into_iter().filter(|way| !STANDARD.contains(&way.as_str())).collect()
}

pub(super) const STANDARD: [&str; 3] =
    ["canal CON: AEG BLA", "canal KIE: BAL HEL", "strait DEN SWE: BAL SKA"];

/// The seas of each coast of a province: `["ADR", "TYS"]`.
pub(super) fn coasts(table: &Table, name: &str) -> Vec<String> {
    table.face(name).coasts.iter().map(|coast| coast.seas.join(" ")).collect()
}

/// The places that a fleet on a coast can reach; the coast is `""` if there is one.
pub(super) fn reach(table: &Table, name: &str, coast: &str) -> Vec<String> {
    let mut face = table.face(name);
    let all: Vec<String> = face.fleet.keys().cloned().collect();
    face.fleet.remove(coast).unwrap_or_else(|| panic!("{name} has no coast {coast:?}, but {all:?}"))
}

/// The isthmuses as words.
pub(super) fn isthmuses(table: &Table) -> Vec<String> {
    table.report().isthmuses.iter().map(|pair| pair.join(" ")).collect()
}
