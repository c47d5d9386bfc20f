//! The form of an answer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::json::Id;
use super::request::Request;
use upheaval_map::topology::report::MapReport;

/// The result of a request. `docs/adjudicate.md` describes every key.
#[derive(Serialize, Debug, Clone)]
#[allow(missing_docs)]
pub struct Answer {
    pub id: Id,
    pub phase: String,
    /// The orders of each power as they were given, each with its result words.
    pub results: BTreeMap<String, Map<String, Value>>,
    pub units_after: BTreeMap<String, Vec<String>>,
    pub dislodged: Vec<DislodgedUnit>,
    pub contested: Vec<String>,
    pub centers_after: BTreeMap<String, Vec<String>>,
    /// The fleets that had to choose; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<FleetChoice>,
    /// The board, after a seismic phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapReport>,
    /// What else the variant remembers, in the form that a request takes; omitted if empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateAfter>,
    /// For each power, the reasons why orders failed. Present only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<BTreeMap<String, Map<String, Value>>>,
    /// The next request, without orders, if the game continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Request>>,
    /// How the game ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingReport>,
}

impl Answer {
    /// The answer as one line of JSON, without its end.
    ///
    /// # Errors
    /// None that can occur: every key is a text.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// What a variant remembers after a phase.
#[derive(Serialize, Debug, Clone, PartialEq, Eq, Default)]
pub struct StateAfter {
    /// The units of each power that vanished with a hole, each named by the hole.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub swallowed: BTreeMap<String, Vec<String>>,
    /// How many movement phases the armies aboard have ended there, if the variant limits it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub seasons_aboard: BTreeMap<String, u8>,
}

/// A unit that must retreat.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct DislodgedUnit {
    pub unit: String,
    pub power: String,
    pub from: Option<String>,
    pub options: Vec<String>,
}

/// A fleet whose coast was divided or has vanished. If the request is repeated with one of the orders, the
/// phase is settled with that choice.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct FleetChoice {
    /// The fleet, without a coast: `F BUL`.
    pub unit: String,
    /// The owner.
    pub power: String,
    /// The orders that it can be given: `F BUL COAST SC`, or `F MUN D` for a trapped fleet.
    pub orders: Vec<String>,
}

/// How a game ended.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct EndingReport {
    /// The power that won alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// The powers that share a draw; empty if no power is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Vec<String>>,
    /// The place of every power, from 1; tied powers share a place.
    pub places: BTreeMap<String, u8>,
}

/// Results and reasons by power, gathered order by order.
#[derive(Default)]
pub(super) struct Results {
    pub words: BTreeMap<String, Map<String, Value>>,
    pub reasons: BTreeMap<String, Map<String, Value>>,
    /// How often each text of a power has occurred so far.
    times: BTreeMap<(String, String), usize>,
}

impl Results {
    /// Reserves the place of an order, so that results are in the order of the orders; ` #2` distinguishes
    /// the second of two equal texts. Returns the key.
    pub(super) fn reserve(&mut self, power: &str, text: &str) -> String {
        let of_power = self.words.entry(power.to_owned()).or_default();
        let n = self.times.entry((power.to_owned(), text.to_owned())).or_insert(0);
        let mut key;
        loop {
            *n += 1;
            key = if *n == 1 { text.to_owned() } else { format!("{text} #{n}") };
            if !of_power.contains_key(&key) {
                break; // unless an order is written like the key of a repeated one
            }
        }
        of_power.insert(key.clone(), Value::Array(Vec::new()));
        key
    }

    /// Writes an order's result words and, if it failed, the reason.
    pub(super) fn write(&mut self, power: &str, key: &str, words: &[&str], reason: Option<String>) {
        let words = words.iter().map(|&word| Value::from(word)).collect();
        self.words.entry(power.to_owned()).or_default().insert(key.to_owned(), Value::Array(words));
        if let Some(reason) = reason {
            self.reasons.entry(power.to_owned()).or_default().insert(key.to_owned(), reason.into());
        } else if let Some(reasons) = self.reasons.get_mut(power) {
            reasons.shift_remove(key);
        }
    }
}
