//! The form of a request. Without orders it is the state of a game as text: the `next` part of an answer, and where a
//! session or a game record starts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json::{Id, each_once, each_once_if_any, value_if_any, values};

/// A position with orders. `docs/adjudicate.md` describes every key.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Request {
    pub id: Id,
    #[serde(default = "standard")]
    pub variant: String,
    /// The name of a rulebook, or a table of switches.
    #[serde(default, deserialize_with = "value_if_any", skip_serializing_if = "Option::is_none")]
    pub rulebook: Option<Value>,
    /// Parameters of the variant that replace those in its file.
    #[serde(default, deserialize_with = "values")]
    pub parameters: BTreeMap<String, Value>,
    /// The year after which the game is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_year: Option<u16>,
    pub phase: String,
    #[serde(default)]
    pub map_events: Vec<Happened>,
    #[serde(default, skip_serializing_if = "Chance::is_nothing")]
    pub nature: Chance,
    #[serde(default)]
    pub state: State,
    #[serde(deserialize_with = "each_once")]
    pub powers: BTreeMap<String, PowerHoldings>,
    #[serde(default)]
    pub contested: Vec<String>,
    /// The orders by power. A request to settle the phase has them; the state of a game has none.
    #[serde(default, deserialize_with = "each_once_if_any", skip_serializing_if = "Option::is_none")]
    pub orders: Option<BTreeMap<String, Vec<String>>>,
}

/// An event, or several simultaneous events, on the map.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(
    untagged,
    expecting = "an event of `map_events` is a text such as \"collapse MAR\", or a list of texts for what happened \
                 at once"
)]
pub enum Happened {
    /// One event.
    One(String),
    /// Several events at once.
    Together(Vec<String>),
}

impl Happened {
    /// The texts of the events.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Happened::One(text) => std::slice::from_ref(text),
            Happened::Together(texts) => texts,
        }
    }
}

/// The source of the random events of the phase.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(
    untagged,
    expecting = "`nature` is a list of what is drawn, such as [\"collapse MAR\"], or a seed, such as {\"seed\": 7, \
                 \"block\": 0}"
)]
pub enum Chance {
    /// Each draw is named.
    Named(Vec<String>),
    /// All draws are made as in a run.
    Seeded(Seed),
}

/// The root seed of a run, and the block of a game in that run.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Seed {
    pub seed: u64,
    #[serde(default)]
    pub block: u64,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance::Named(Vec::new())
    }
}

impl Chance {
    fn is_nothing(&self) -> bool {
        matches!(self, Chance::Named(texts) if texts.is_empty())
    }
}

/// What a variant remembers besides units and owners.
#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct State {
    /// Each power's exempt centre: `{"FRANCE": "PAR"}`.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub exempt: BTreeMap<String, String>,
    /// The exempt centres that have been announced.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub announced: BTreeMap<String, String>,
    /// The powers that may change their exempt centre, each with the centre that it may name. If omitted, it
    /// follows from the position.
    #[serde(default, deserialize_with = "each_once_if_any", skip_serializing_if = "Option::is_none")]
    pub may_change: Option<BTreeMap<String, String>>,
    /// The powers that have already made their change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The powers whose exemption has lapsed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lapsed: Vec<String>,
    /// Holes that have been announced and open after the retreats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doomed: Vec<String>,
    /// Holes that have opened in this season, if a change of an exempt centre depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<String>,
    /// The units of each power that vanished with a hole, each named by the hole: `{"FRANCE": ["A BUR", "F
    /// SPA/SC"]}`.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub swallowed: BTreeMap<String, Vec<SwallowedEntry>>,
    /// The owner of a centre when it became a hole: `{"MAR": "ITALY"}`. If omitted, it follows from `centers`
    /// and the homes.
    #[serde(default, deserialize_with = "each_once_if_any", skip_serializing_if = "Option::is_none")]
    pub last_owner: Option<BTreeMap<String, String>>,
    /// The last power to have a unit in a province: `{"TYR": "ITALY"}`.
    #[serde(default, deserialize_with = "each_once_if_any", skip_serializing_if = "Option::is_none")]
    pub last_occupant: Option<BTreeMap<String, String>>,
    /// All straits and canals.
    #[serde(default, deserialize_with = "value_if_any", skip_serializing_if = "Option::is_none")]
    pub waterways: Option<Value>,
    /// How many movement phases the armies aboard have ended there, keyed by the sea of the fleet: `{"ENG":
    /// 2}`.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub seasons_aboard: BTreeMap<String, u8>,
    /// The year in which each eliminated power was eliminated.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub eliminated: BTreeMap<String, u16>,
}

/// A unit that vanished with a hole.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(
    untagged,
    expecting = "a unit that is gone is a text such as \"F SPA/SC\", or {\"unit\": \"F SPA\", \"coast\": [\"LYO\", \
                 \"WES\"]}"
)]
pub enum SwallowedEntry {
    /// On the coast that the face would have today.
    Unit(String),
    /// With the coast on which it was.
    OnCoast(SwallowedOnCoast),
}

/// A fleet that vanished with a hole, and the components of the coast on which it was or to which it was
/// ordered.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct SwallowedOnCoast {
    /// The unit, named by the hole: `F SPA`.
    pub unit: String,
    /// The faces off the coast, each followed by `#2` and so on if it meets the hole several times.
    pub coast: Vec<String>,
    /// How many movement phases the army aboard had ended there, if the variant limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seasons_aboard: Option<u8>,
}

/// The units, centres and retreats of a power.
#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PowerHoldings {
    #[serde(default)]
    pub units: Vec<String>,
    #[serde(default)]
    pub centers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retreats: Vec<RetreatEntry>,
}

/// A dislodged unit: the origin of its attacker, or its possible retreats.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RetreatEntry {
    pub unit: String,
    #[serde(default)]
    pub from: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub via_convoy: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// How many movement phases the army aboard has ended there, if the variant limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seasons_aboard: Option<u8>,
}

fn standard() -> String {
    "standard".to_owned()
}
