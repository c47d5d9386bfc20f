//! The form of a game record in a file: JSON, with texts in the usual notation, so that it can be read, and played
//! again, without the program that wrote it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::rows::REFUSED;
use upheaval_engine::adjudicate::Request;
use upheaval_engine::ask::Retreating;
use upheaval_engine::diagnostic::wording;
use upheaval_engine::game::StopRule;
use upheaval_engine::rules::notation::WrittenList;
use upheaval_engine::rules::told::EventLine;
use upheaval_engine::rules::variant::{Files, Variant, VariantError};
use upheaval_map::ids::PowerNames;

/// The name of the format, as files give it.
pub const FORMAT: &str = "upheaval-game";

/// The version of the format.
pub const FORMAT_VERSION: u32 = 1;

/// A whole game: everything that determines it, its stages, and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// [`FORMAT`].
    pub format: String,
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The version of everything that determines the course of a game.
    pub behaviour_version: u32,
    /// Which game it is.
    pub game: GameIdentity,
    /// Its rules.
    pub rules: RecordedRules,
    /// The last year to be played.
    pub last_year: u16,
    /// The rule that may stop it earlier.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stop: Option<StopRule>,
    /// The state from which it was played, if that is not the variant's own start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start: Option<Box<Request>>,
    /// The stages of the game in order, with their decisions.
    pub stages: Vec<StageRecord>,
    /// How it ended.
    pub end: End,
    /// The hash of all the rest ([`GameRecord::digest_of_rest`]): it is the only check of data that does not affect the
    /// game, such as the bots' names.
    pub digest: String,
    /// The powers of its board, which are in the rules.
    #[serde(skip, default = "PowerNames::standard")]
    pub power_names: PowerNames,
}

/// The origin of a game. It does not affect the course of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameIdentity {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's hash.
    pub experiment_hash: String,
    /// The root seed; `None` in a record for players, to whom it would foretell the draws.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The variant's name in the experiment.
    pub variant: String,
    /// The number of the game within its variant.
    pub game: u32,
    /// Its block.
    pub block: u32,
    /// Its line-up.
    pub line_up: u16,
    /// Its rotation.
    pub rotation: u8,
    /// The bot of each power.
    pub bots: BTreeMap<String, String>,
    /// In a game by hand: what becomes of a power without orders.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<MissingOrders>,
}

/// What becomes of a power from which no orders came in a game by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingOrders {
    /// Its units hold; it retreats and builds as any other power.
    #[default]
    Hold,
    /// Its units hold, and until the next movement it can neither retreat nor build (docs/gamemasters.md).
    CivilDisorder,
}

/// The rules of a game, as files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRules {
    /// The variant's id.
    pub id: String,
    /// Its files.
    pub files: Files,
}

/// A stage: the decision that the game waited for, the position, the orders, and the events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct StageRecord {
    /// The phase: `S1901M`.
    pub phase: String,
    /// The kind of decision: `movement`, `retreats`, `coasts`, `adjustments` or `seismic`.
    pub stage: String,
    /// The hash of the game before it ([`upheaval_engine::game::Game::hash`]), sixteen hexadecimal digits.
    pub state: String,
    /// The hash of the map before it.
    pub map: String,
    /// The units before it, by power, in the order of their provinces.
    pub units: BTreeMap<String, Vec<String>>,
    /// The centres before it, by power, in the order of provinces.
    pub centres: BTreeMap<String, Vec<String>>,
    /// The units that must retreat, in the order in which they are asked.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dislodged: Vec<Retreating>,
    /// In a game by hand: the orders as they were handed in, of each power that was asked.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub given: BTreeMap<String, Vec<String>>,
    /// The orders, in the order in which they were settled.
    pub orders: Vec<OrderLine>,
    /// The events, in order.
    pub events: Vec<EventLine>,
}

/// An order and its result: the columns of the table `orders`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OrderLine {
    pub power: String,
    pub order: String,
    pub result: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

impl StageRecord {
    /// Every power that the stage names.
    fn named(&self) -> impl Iterator<Item = &String> {
        let events = self.events.iter().flat_map(|event| event.power.iter().chain(&event.other));
        let holders = self.units.keys().chain(self.centres.keys());
        let orders = self.orders.iter().map(|line| &line.power);
        let asked = self.given.keys().chain(self.dislodged.iter().map(|unit| &unit.power));
        holders.chain(asked).chain(orders).chain(events)
    }
}

impl OrderLine {
    /// Did the order succeed completely?
    pub fn succeeded(&self) -> bool {
        self.result == "ok"
    }

    /// Is it a list of retreats that was not needed because its unit was not dislodged?
    pub fn is_spare(&self) -> bool {
        self.result == "void" && self.reason.is_none() && WrittenList::is_one(&self.order)
    }

    /// Does it remove its unit from the board: `A PAR D`?
    pub fn disbands(&self) -> bool {
        self.order.split(' ').skip(2).eq(["D"])
    }

    /// Does it give the fate of a unit that had to retreat from this province: its list of retreats, or its departure?
    pub(crate) fn ends_retreat_from(&self, province: Option<&str>) -> bool {
        let at = self.order.split(' ').nth(1).and_then(|place| place.split(['/', '#']).next());
        at == province && (self.disbands() || (WrittenList::is_one(&self.order) && !self.is_spare()))
    }

    /// Was it refused when it was given? Then it had no effect.
    pub fn was_refused(&self) -> bool {
        self.result == REFUSED
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The last phase.
    pub phase: String,
    /// The hash of the game.
    pub state: String,
    /// The hash of the map.
    pub map: String,
    /// `solo`, `draw` or `deserted`; `stopped` by the experiment's rule; `unfinished` for a session that was saved
    /// before its end.
    pub end: String,
    /// The power that won alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub winner: Option<String>,
    /// The powers whose bots were at fault and that forfeited their claims by the experiment's policy.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub forfeited: Vec<String>,
    /// The units at the end, by power.
    pub units: BTreeMap<String, Vec<String>>,
    /// The centres at the end, by power.
    pub centres: BTreeMap<String, Vec<String>>,
}

/// Why a file is not a game that can be played again here.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// It is not JSON of this form.
    #[error("{file}:{line}:{column}: {message}")]
    Json {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// It is something else, or has a later form.
    #[error("`{file}` {what}")]
    Other {
        /// The file.
        file: String,
        /// Its format.
        what: String,
    },
    /// Its rules cannot be used.
    #[error("`{file}`: the rules in it: {fault}")]
    Rules {
        /// The file.
        file: String,
        /// The reason.
        fault: Box<VariantError>,
    },
}

impl GameRecord {
    /// Reads a file's text. `file` is used only in errors.
    ///
    /// # Errors
    /// It is not a game, or has another version.
    pub fn parse(file: &str, text: &str) -> Result<GameRecord, FormError> {
        /// The head of the file, which is read first: the rest may have an unknown form.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            format_version: u32,
        }
        let at = |line, column, message| FormError::Json { file: file.to_owned(), line, column, message };
        let fault = |error: serde_json::Error| at(error.line(), error.column(), wording::of_json(&error));
        let other = |what| Err(FormError::Other { file: file.to_owned(), what });
        let head: Head = serde_json::from_str(text).map_err(fault)?;
        if head.format != FORMAT {
            return other(format!("is a `{}` file, not `{FORMAT}`", head.format));
        }
        if head.format_version != FORMAT_VERSION {
            return other(format!(
                "has the format version {}, but this program reads {FORMAT_VERSION}: play it with the version that \
                 wrote it",
                head.format_version
            ));
        }
        let game_record: GameRecord = serde_json::from_str(text).map_err(fault)?;
        let power_names = game_record.rules.variant(file)?.terrain.power_names().clone();
        if let Some(unknown) = game_record.named().find_map(|name| power_names.named(name).err()) {
            let before = text.split(&format!("\"{}\"", unknown.name)).next().unwrap_or_default();
            let (line, column) =
                (before.matches('\n').count() + 1, before.lines().last().map_or(0, str::len) + 1);
            return Err(at(line, column, unknown.to_string()));
        }
        Ok(GameRecord { power_names, ..game_record })
    }

    /// Every power that the record names.
    fn named(&self) -> impl Iterator<Item = &String> {
        let GameRecord { game, stages, end, .. } = self;
        let holders = end.units.keys().chain(end.centres.keys());
        let of_end = end.winner.iter().chain(&end.forfeited).chain(holders);
        game.bots.keys().chain(stages.iter().flat_map(StageRecord::named)).chain(of_end)
    }

    /// The text of the file: every order and every event on a line of its own.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        let value = serde_json::to_value(self).unwrap_or_default();
        lay_out(&value, 0, &mut text);
        text.push('\n');
        text
    }

    /// BLAKE3 of the file's text without a digest, in hexadecimal digits.
    pub fn digest_of_rest(&self) -> String {
        let rest = GameRecord { digest: String::new(), ..self.clone() };
        blake3::hash(rest.to_json().as_bytes()).to_hex().to_string()
    }

    /// The variant that it was played with.
    ///
    /// # Errors
    /// The rules in the file have a fault.
    pub fn variant(&self, file: &str) -> Result<Arc<Variant>, FormError> {
        self.rules.variant(file).map(Arc::new)
    }
}

impl RecordedRules {
    fn variant(&self, file: &str) -> Result<Variant, FormError> {
        let fault = |fault| FormError::Rules { file: file.to_owned(), fault: Box::new(fault) };
        let variant = self.files.check(&self.id).map_err(fault)?;
        Ok(Variant { id: self.id.clone(), ..variant })
    }
}

/// The depth to which the text is broken into lines: down to the orders and units of a stage.
const DEPTH: usize = 4;

fn lay_out(value: &Value, depth: usize, text: &mut String) {
    let indent = |text: &mut String, depth: usize| text.extend(std::iter::repeat_n("  ", depth));
    let (open, close, items): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(map) => ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(list) => ('[', ']', list.iter().map(|value| (None, value)).collect()),
        leaf => return text.push_str(&leaf.to_string()),
    };
    if depth >= DEPTH || items.is_empty() {
        return text.push_str(&value.to_string());
    }
    text.push(open);
    for (i, (key, value)) in items.iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        indent(text, depth + 1);
        if let Some(key) = key {
            text.push_str(&Value::from(key.as_str()).to_string());
            text.push_str(": ");
        }
        lay_out(value, depth + 1, text);
    }
    text.push('\n');
    indent(text, depth);
    text.push(close);
}
