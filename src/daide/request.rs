//! The messages of `upheaval` to a bot (docs/bot-protocol.md), as far as they are needed here. Other fields
//! are ignored.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// A message of `upheaval`.
#[derive(Deserialize, Clone, Debug)]
#[serde(tag = "type")]
#[allow(missing_docs)]
pub enum RequestMessage {
    #[serde(rename = "hello")]
    Hello,
    #[serde(rename = "isready")]
    IsReady { game: Value },
    #[serde(rename = "newgame")]
    NewGame(Box<NewGame>),
    #[serde(rename = "orders?")]
    Orders(Box<DecisionRequest>),
    #[serde(rename = "result")]
    Result(Box<GameResult>),
    #[serde(rename = "quit")]
    Quit,
    /// A message of an unknown type, which future versions may add.
    #[serde(other)]
    Other,
}

/// A game begins.
#[derive(Deserialize, Clone, Debug)]
pub struct NewGame {
    /// Its name.
    pub game: String,
    /// The power to be played.
    pub power: String,
    /// The variant.
    pub variant: String,
    /// The rules of the variant.
    pub rules: VariantRules,
    /// The seed for the bot's dice.
    pub seed: u64,
    /// The first phase.
    pub phase: String,
    /// The board.
    pub map: Map,
}

/// The rules of a variant.
#[derive(Deserialize, Clone, Debug)]
pub struct VariantRules {
    /// The home centres, by power.
    pub homes: BTreeMap<String, Vec<String>>,
    /// The units at the start, by power.
    pub units: BTreeMap<String, Vec<String>>,
    /// The changes of the map.
    #[serde(default)]
    pub changes: Vec<Value>,
    /// When retreats are sent.
    #[serde(default)]
    pub retreats_sent: Option<String>,
    /// The rulebook's switches.
    #[serde(default)]
    pub rulebook: BTreeMap<String, Value>,
}

/// The board.
#[derive(Deserialize, Clone, Debug)]
pub struct Map {
    /// Its faces, by code.
    pub faces: BTreeMap<String, BoardFace>,
}

/// A face of the board.
#[derive(Deserialize, Clone, Debug)]
pub struct BoardFace {
    /// `land`, `sea` …
    pub kind: String,
    /// Is it a supply centre?
    pub supply_centre: bool,
    /// The moves of an army from it.
    pub army: Vec<String>,
    /// The moves of a fleet from it, by coast; `""` for a single coast.
    pub fleet: BTreeMap<String, Vec<String>>,
}

/// The state of a power.
#[derive(Deserialize, Clone, Debug, Default)]
pub struct PowerState {
    /// Its units.
    #[serde(default)]
    pub units: Vec<String>,
    /// Its centres.
    #[serde(default)]
    pub centers: Vec<String>,
    /// Its units that must retreat.
    #[serde(default)]
    pub retreats: Vec<MustRetreat>,
}

/// A unit that must retreat.
#[derive(Deserialize, Clone, Debug)]
pub struct MustRetreat {
    /// The unit.
    pub unit: String,
    /// Its options.
    pub options: Vec<String>,
}

/// The states of all powers.
pub(crate) type PowerStates = BTreeMap<String, PowerState>;

/// A settled stage.
#[derive(Deserialize, Clone, Debug)]
pub struct SettledStage {
    /// Its phase.
    pub phase: String,
    /// The states of the powers before it.
    pub powers: PowerStates,
    /// The orders, by power.
    pub orders: BTreeMap<String, Vec<SettledOrder>>,
}

/// A settled order.
#[derive(Deserialize, Clone, Debug)]
pub struct SettledOrder {
    /// The order.
    pub order: String,
    /// The result words.
    pub result: Vec<String>,
}

/// A decision is requested.
#[derive(Deserialize, Clone, Debug)]
pub struct DecisionRequest {
    /// The game.
    pub game: String,
    /// The phase.
    pub phase: String,
    /// The hash of the map.
    pub topology_hash: String,
    /// The kind of decision.
    pub asks: String,
    /// The states of the powers.
    pub powers: PowerStates,
    /// Present only if the map has changed.
    #[serde(default)]
    pub changes: Option<Value>,
    /// The stages settled since the last request.
    #[serde(default)]
    pub history: Vec<SettledStage>,
    /// The legal orders, by unit.
    #[serde(default)]
    pub legal: BTreeMap<String, Vec<String>>,
    /// The number of units that may be built.
    #[serde(default)]
    pub builds: Option<usize>,
    /// The possible builds.
    #[serde(default)]
    pub sites: Vec<String>,
    /// The number of units that must be removed.
    #[serde(default)]
    pub removals: Option<usize>,
}

/// The game is over.
#[derive(Deserialize, Clone, Debug)]
pub struct GameResult {
    /// The game.
    pub game: String,
    /// The phase; absent for an abandoned game.
    #[serde(default)]
    pub phase: Option<String>,
    /// `solo`, `draw` …
    pub end: String,
    /// The winner, or the powers that share a draw.
    pub winners: Vec<String>,
    /// The states of the powers.
    #[serde(default)]
    pub powers: PowerStates,
    /// The stages settled since the last request.
    #[serde(default)]
    pub history: Vec<SettledStage>,
}
