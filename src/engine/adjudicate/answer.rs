//! The form of an answer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::json::Id;
use super::request::Request;
use upheaval_map::ids::Power;
use upheaval_map::topology::report::MapReport;

/// What came of a request. `docs/adjudicate.md` has every key.
#[derive(Serialize, Debug, Clone)]
#[allow(missing_docs)]
pub struct Answer {
    pub id: Id,
    pub phase: String,
    /// By power: the orders as they were given, each with its result words.
    pub results: BTreeMap<Power, Map<String, Value>>,
    pub units_after: BTreeMap<Power, Vec<String>>,
    pub dislodged: Vec<DislodgedUnit>,
    pub contested: Vec<String>,
    pub centers_after: BTreeMap<Power, Vec<String>>,
    /// The fleets that had to choose; only written where there is any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FleetChoice>,
    /// The board, after a seismic phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapReport>,
    /// What the variant remembers besides, as a request takes it; only written where there is anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateAfter>,
    /// By power: why the orders that failed did. Only written when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<BTreeMap<Power, Map<String, Value>>>,
    /// The next request, without orders, where the game goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Request>>,
    /// How the game ended, where it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingReport>,
}

/// What a variant remembers after a phase.
#[derive(Serialize, Debug, Clone, PartialEq, Eq, Default)]
pub struct StateAfter {
    /// By power the units that are gone with a hole, each named by that.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub swallowed: BTreeMap<Power, Vec<String>>,
    /// How many movement phases the armies aboard have ended there, where the variant limits it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub seasons_aboard: BTreeMap<String, u8>,
}

/// A unit that must retreat.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct DislodgedUnit {
    pub unit: String,
    pub power: Power,
    pub from: Option<String>,
    pub options: Vec<String>,
}

/// A fleet whose coast was divided or is gone. Asked again with one of the orders, the phase comes out with that.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct FleetChoice {
    /// The fleet, without a coast: `F BUL`.
    pub unit: String,
    /// Whose it is.
    pub power: Power,
    /// What it can be ordered: `F BUL COAST SC`; or `F MUN D` for one that is trapped.
    pub orders: Vec<String>,
}

/// How a game ended.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct EndingReport {
    /// The power that won alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Power>,
    /// Those that share in a draw; nobody, if nobody is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Vec<Power>>,
    /// The place of every power, from 1; those that are tied share one.
    pub places: BTreeMap<Power, u8>,
}

/// Results and reasons by power, gathered order by order.
#[derive(Default)]
pub(super) struct Results {
    pub words: BTreeMap<Power, Map<String, Value>>,
    pub reasons: BTreeMap<Power, Map<String, Value>>,
    /// How often a text of a power has come so far.
    times: BTreeMap<(Power, String), usize>,
}

impl Results {
    /// Reserves the place of an order, so that results stand in the order of the orders; the second of two equal
    /// texts is told apart by ` #2`. Returns its key.
    pub fn reserve(&mut self, power: Power, text: &str) -> String {
        let of_power = self.words.entry(power).or_default();
        let n = self.times.entry((power, text.to_owned())).or_insert(0);
        let mut key;
        loop {
            *n += 1;
            key = if *n == 1 { text.to_owned() } else { format!("{text} #{n}") };
            if !of_power.contains_key(&key) {
                break; // unless an order is written like the name of a second
            }
        }
        of_power.insert(key.clone(), Value::Array(Vec::new()));
        key
    }

    /// Writes an order's result words, and why it failed if it did.
    pub fn write(&mut self, power: Power, key: &str, words: &[&str], reason: Option<String>) {
        let words = words.iter().map(|&word| Value::from(word)).collect();
        self.words.entry(power).or_default().insert(key.to_owned(), Value::Array(words));
        if let Some(reason) = reason {
            self.reasons.entry(power).or_default().insert(key.to_owned(), reason.into());
        } else if let Some(reasons) = self.reasons.get_mut(&power) {
            reasons.shift_remove(key);
        }
    }
}
