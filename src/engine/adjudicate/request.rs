//! The form of a request.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::rules::rulebook::Rulebook;

/// A position and orders to it. `docs/adjudicate.md` has every key (docs/adjudicate.md).
#[derive(Deserialize, Debug, Clone)]
#[allow(missing_docs)]
pub struct Request {
    pub id: Value,
    #[serde(default = "standard")]
    pub variant: String,
    pub rulebook: Option<Rulebook>,
    pub phase: String,
    #[serde(default)]
    pub map_events: Vec<String>,
    #[serde(default)]
    pub nature: Vec<String>,
    #[serde(default)]
    pub state: State,
    pub powers: BTreeMap<String, PowerEntry>,
    #[serde(default)]
    pub contested: Vec<String>,
    pub orders: BTreeMap<String, Vec<String>>,
}

/// What a variant remembers besides units and owners.
#[derive(Deserialize, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct State {
    #[serde(default)]
    pub exempt: BTreeMap<String, String>,
    /// By power the units that are gone with a hole, each named by that: `{"FRANCE": ["A BUR", "F SPA/SC"]}`.
    #[serde(default)]
    pub swallowed: BTreeMap<String, Vec<String>>,
    /// The power that was the last to have a unit in a province: `{"TYR": "ITALY"}`.
    pub last_occupant: Option<BTreeMap<String, String>>,
    pub waterways: Option<Value>,
    /// How many movement phases the armies aboard have ended there, by the seas of their fleets: `{"ENG": 2}`.
    #[serde(default)]
    pub seasons_aboard: BTreeMap<String, u8>,
}

/// What a power has.
#[derive(Deserialize, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct PowerEntry {
    #[serde(default)]
    pub units: Vec<String>,
    #[serde(default)]
    pub centers: Vec<String>,
    #[serde(default)]
    pub retreats: Vec<RetreatEntry>,
}

/// A dislodged unit: where its attacker came from, or where it can go.
#[derive(Deserialize, Debug, Clone)]
#[allow(missing_docs)]
pub struct RetreatEntry {
    pub unit: String,
    pub from: Option<String>,
    #[serde(default)]
    pub via_convoy: bool,
    pub options: Option<Vec<String>>,
}

fn standard() -> String {
    "standard".to_owned()
}
