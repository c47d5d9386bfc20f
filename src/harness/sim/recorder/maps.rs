//! The map after each phase that has changed it: the rows of the table `maps`.

use std::sync::Arc;

use crate::record::{GameRows, MapRow};
use crate::sim::MapLog;
use upheaval_engine::game::Game;
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::position::Phase;

/// Watches the map of a game.
pub(super) struct MapWatch {
    /// The hash of the map that was seen last.
    seen: u64,
    /// The hash of the map before the phase of the last row.
    before: u64,
}

impl MapWatch {
    /// The watch of a game that begins, if each phase is asked for.
    pub(super) fn of(game: &Game, maps: MapLog) -> Option<MapWatch> {
        let hash = game.terrain().hash();
        (maps == MapLog::EachPhase).then_some(MapWatch { seen: hash, before: hash })
    }

    /// Writes the map down if it is another than when it was seen last. A phase has one row, of the map at its end, and
    /// none if the map is again what it was before the phase.
    pub(super) fn look(&mut self, at: Phase, terrain: &MapTables, record: &mut GameRows) {
        let hash = terrain.hash();
        if hash == self.seen {
            return;
        }
        match record.maps.last() {
            Some(row) if row.phase == at => {
                record.maps.pop();
            }
            _ => self.before = self.seen,
        }
        self.seen = hash;
        if hash == self.before {
            return;
        }
        record.maps.push(MapRow {
            game: record.game.game,
            turn: super::narrow(record.topology.len()),
            phase: at,
            events: record.events.len() as u32,
            extant_centres: super::narrow(terrain.centres().len()),
            topology_hash: hash,
            map: Arc::clone(terrain.metrics()),
        });
    }

    /// Counts an event of a phase that has been written down.
    pub(super) fn event(at: Phase, record: &mut GameRows) {
        let events = record.events.len() as u32;
        if let Some(row) = record.maps.last_mut().filter(|row| row.phase == at) {
            row.events = events;
        }
    }
}
