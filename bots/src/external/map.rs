//! The map as a program knows it: first the whole map, then its changes.

use serde_json::{Map, Value, json};
use upheaval_engine::ids::ProvinceSet;
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::topology::MapEvent;
use upheaval_engine::topology::report::MapReport;

/// The state of the map that a program has received.
#[derive(Default)]
pub(super) struct KnownMap {
    told: Option<(u64, ProvinceSet, MapReport)>,
    /// The events since.
    events: Vec<String>,
}

/// The hash of a map as messages have it.
pub(super) fn hash(terrain: &MapTables) -> String {
    format!("{:016x}", terrain.hash())
}

impl KnownMap {
    /// The whole map (docs/map-command.md).
    pub(super) fn whole(&mut self, terrain: &MapTables) -> Value {
        let report = MapReport::new(terrain.chart(), terrain.board());
        let value = to_value(&report);
        self.told = Some((terrain.hash(), *terrain.centres(), report));
        self.events.clear();
        value
    }

    /// Records an event.
    pub(super) fn happened(&mut self, event: &MapEvent) {
        self.events.push(event.to_string());
    }

    /// The changes since the last message; `None` if there are none.
    pub(super) fn changes(&mut self, terrain: &MapTables) -> Option<Value> {
        let (hash, centres) = (terrain.hash(), *terrain.centres());
        let (old_hash, old_centres, before) = self.told.as_ref()?;
        if (hash, centres) == (*old_hash, *old_centres) && self.events.is_empty() {
            return None;
        }
        let now = MapReport::new(terrain.chart(), terrain.board());
        let faces: Map<String, Value> = now
            .faces
            .iter()
            .filter(|(name, face)| before.faces.get(*name) != Some(face))
            .map(|(name, face)| (name.clone(), to_value(face)))
            .collect();
        let gone: Vec<&String> = before.faces.keys().filter(|name| !now.faces.contains_key(*name)).collect();
        let mut changes = json!({ "events": std::mem::take(&mut self.events), "faces": faces, "gone": gone });
        // Each changed short list is sent as a whole.
        if now.counts != before.counts {
            changes["counts"] = to_value(&now.counts);
        }
        if now.isthmuses != before.isthmuses {
            changes["isthmuses"] = to_value(&now.isthmuses);
        }
        if now.points != before.points {
            changes["points"] = to_value(&now.points);
        }
        if now.waterways != before.waterways {
            changes["waterways"] = to_value(&now.waterways);
        }
        self.told = Some((hash, centres, now));
        Some(changes)
    }
}

fn to_value(part: &impl serde::Serialize) -> Value {
    // Structs of texts, numbers and lists always serialise.
    serde_json::to_value(part).unwrap_or_default()
}
