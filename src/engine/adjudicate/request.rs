//! The form of a request. Without orders it is the state of a game as text: the `next` part of an answer, and where a
//! session or a game record starts.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::diagnostic::wording;
use crate::rules::nature::Seeded;
use crate::rules::notation::{ParseSeismicError, SeismicFault};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use upheaval_map::topology::{InvalidEvent, SurgeryError};

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
    /// Are orders understood only in the notation, and not as people type them?
    #[serde(default, skip_serializing_if = "is_no")]
    pub strict: bool,
    /// Does the answer list all legal orders?
    #[serde(default, skip_serializing_if = "is_no")]
    pub legal: bool,
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

fn is_no(value: &bool) -> bool {
    !value
}

/// An event, or several simultaneous events, on the map.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(
    untagged,
    expecting = "an event of `map_events` is a text such as \"collapse MAR\", or a list of texts of simultaneous \
                 events"
)]
pub enum Happened {
    /// One event.
    One(String),
    /// Several events at once.
    Together(Vec<String>),
}

/// One event as text, or several as a list of JSON: `["collapse MAR", "collapse GAS"]`.
impl FromStr for Happened {
    type Err = serde_json::Error;
    fn from_str(text: &str) -> Result<Happened, serde_json::Error> {
        match text.trim_start().starts_with('[') {
            true => serde_json::from_str(text).map(Happened::Together),
            false => Ok(Happened::One(text.to_owned())),
        }
    }
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
    expecting = "`nature` is a list of draws, such as [\"collapse MAR\"], or a seed, such as {\"seed\": 7, \
                 \"block\": 0}"
)]
pub enum Chance {
    /// Each draw is named.
    Named(Vec<String>),
    /// All draws are made as in a run.
    Seeded(Seeded),
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
    /// By the id of an entry: the places that it has changed and that are still so, if a set names them.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, Vec<String>>,
    /// By the id of an entry: the places that it changed when it last acted, if a set names them.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub last: BTreeMap<String, Vec<String>>,
    /// The provinces that were occupied at the end of each of the last Springs and Falls, the latest first, if a set
    /// depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub occupied: Vec<Vec<String>>,
    /// By the id of an entry: the places that are announced to change, by the moment, as in `ends`.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub coming: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// By the id of an entry: its changes that have an end, by place.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub ends: BTreeMap<String, BTreeMap<String, EndEntry>>,
    /// The units of each power that vanish with the hole that they are in unless they retreat, as in `swallowed`.
    #[serde(default, deserialize_with = "each_once", skip_serializing_if = "BTreeMap::is_empty")]
    pub leaving: BTreeMap<String, Vec<SwallowedEntry>>,
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

/// The end of a change.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct EndEntry {
    /// The end of this season, `F1905`; or the moment before its retreats, `F1905 before-retreats`.
    pub at: String,
    /// What the place is then: `open`, `collapsed` or `void`; `land`, `sea` or `ice`; `centre`, `home of FRANCE` or
    /// `no centre`; `unmarked`.
    pub then: String,
}

/// A unit that vanished with a hole.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(
    untagged,
    expecting = "a swallowed unit is a text such as \"F SPA/SC\", or {\"unit\": \"F SPA\", \"coast\": [\"LYO\", \
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

// JSON that is kept as it was received: numbers of any size, and no duplicate keys.

/// The id of a request: any JSON, kept as text, so that a number beyond 64 bits or `1.50` is returned
/// unchanged.
#[derive(Serialize, Debug, Clone)]
#[serde(transparent)]
pub struct Id(Box<RawValue>);

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Id {}

impl Default for Id {
    /// `null`
    fn default() -> Id {
        Id(RawValue::NULL.to_owned())
    }
}

impl Id {
    /// The JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        // Ends of lines and tabs occur only between the parts of a JSON text, never inside one: a space in place
        // of each keeps the answer on one line.
        if !raw.get().contains(['\n', '\r', '\t']) {
            return Ok(Id(raw));
        }
        RawValue::from_string(raw.get().replace(['\n', '\r', '\t'], " ")).map(Id).map_err(D::Error::custom)
    }
}

/// A table without duplicate keys: a second entry for a name is an error rather than silently ignored.
fn each_once<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct EachOnce<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for EachOnce<T> {
        type Value = BTreeMap<String, T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with names as keys")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut table = BTreeMap::new();
            while let Some(key) = entries.next_key::<String>()? {
                if table.contains_key(&key) {
                    return Err(twice(&key));
                }
                table.insert(key, entries.next_value()?);
            }
            Ok(table)
        }
    }

    deserializer.deserialize_map(EachOnce(PhantomData))
}

/// [`each_once`] for an optional table.
fn each_once_if_any<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(bound = "T: Deserialize<'de>")]
    struct Table<T>(#[serde(deserialize_with = "each_once")] BTreeMap<String, T>);

    Ok(Option::<Table<T>>::deserialize(deserializer)?.map(|Table(table)| table))
}

/// Values by name; no object, at any depth, may have a duplicate key.
fn values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Value>, D::Error> {
    let table: BTreeMap<String, Plain> = each_once(deserializer)?;
    Ok(table.into_iter().map(|(key, Plain(value))| (key, value)).collect())
}

/// An optional value; no object, at any depth, may have a duplicate key.
fn value_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Ok(Option::<Plain>::deserialize(deserializer)?.map(|Plain(value)| value))
}

/// A value whose objects have no duplicate keys.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(PlainValue).map(Plain)
    }
}

struct PlainValue;

impl<'de> Visitor<'de> for PlainValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Plain(value)) = entries.next_element()? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut table = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if table.contains_key(&key) {
                return Err(twice(&key));
            }
            let Plain(value) = entries.next_value()?;
            table.insert(key, value);
        }
        Ok(table.into())
    }
}

fn twice<E: serde::de::Error>(key: &str) -> E {
    E::custom(format_args!("the key `{key}` occurs twice"))
}

// Limits on the size of a request. Each limit is far beyond what a game can produce, and bounds the time and
// memory that one line can take, whoever has written it.

/// The longest request, in bytes. The map events of some thousand years of a game fit into it.
pub const LONGEST_REQUEST: usize = 1 << 22;

/// The largest number of orders of a power.
pub const MOST_ORDERS: usize = 100_000;

/// The largest number of units, centres and dislodged units of a power; no board has as many provinces.
pub const MOST_ENTRIES: usize = 1000;

/// The deepest permitted nesting, which is also the limit of `serde_json`.
pub const DEEPEST: usize = 127;

/// Rejects a text that is too long or too deeply nested.
pub(super) fn text(text: &str) -> Result<(), RequestError> {
    if text.len() > LONGEST_REQUEST {
        return Err(RequestError::too_long());
    }
    // The parser does not count the depth of values that are skipped or kept as text.
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(RequestError::form(format_args!("nested deeper than {DEEPEST}")));
        }
    }
    Ok(())
}

/// Rejects a request with more entries than a game can produce.
pub(super) fn entries(request: &Request) -> Result<(), RequestError> {
    let within = |most: usize, found: usize, key: fmt::Arguments<'_>| match found <= most {
        true => Ok(()),
        false => Err(RequestError::at(key, format_args!("{found} entries; at most {most} are allowed"))),
    };
    for (power, orders) in request.orders.iter().flatten() {
        within(MOST_ORDERS, orders.len(), format_args!("orders.{power}"))?;
    }
    for (power, entry) in &request.powers {
        within(MOST_ENTRIES, entry.units.len(), format_args!("powers.{power}.units"))?;
        within(MOST_ENTRIES, entry.centers.len(), format_args!("powers.{power}.centers"))?;
        within(MOST_ENTRIES, entry.retreats.len(), format_args!("powers.{power}.retreats"))?;
    }
    within(MOST_ENTRIES, request.contested.len(), format_args!("contested"))
}

// The possible faults of a request.

/// Why a request cannot be answered, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RequestError(String);

impl RequestError {
    /// The text is not a request.
    pub(super) fn form(fault: impl fmt::Display) -> RequestError {
        RequestError(format!("not a request: {fault}"))
    }

    /// The text has more than [`LONGEST_REQUEST`] bytes.
    pub fn too_long() -> RequestError {
        RequestError::form(format_args!("longer than {LONGEST_REQUEST} bytes"))
    }

    /// The value of this key is at fault.
    pub(super) fn at(key: impl fmt::Display, fault: impl fmt::Display) -> RequestError {
        RequestError(format!("`{key}`: {fault}"))
    }
}

impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> RequestError {
        RequestError::form(wording::of_json_at(&error))
    }
}

/// Why an event of the map cannot be applied.
#[derive(Debug, thiserror::Error)]
#[error("{text}: {fault}")]
pub struct MapEventError {
    /// The event.
    pub text: String,
    /// The fault, in words.
    pub fault: String,
}

impl MapEventError {
    pub(super) fn new(text: &str, fault: &EventFault) -> MapEventError {
        MapEventError { text: text.to_owned(), fault: fault.to_string() }
    }
}

/// Why an event of the request is impossible.
#[derive(Debug, thiserror::Error)]
pub(super) enum EventFault {
    #[error(transparent)]
    Text(#[from] InvalidEvent),
    #[error(transparent)]
    Surgery(#[from] SurgeryError),
    #[error(transparent)]
    SeismicText(#[from] ParseSeismicError),
    #[error(transparent)]
    Seismic(#[from] SeismicFault),
    #[error("simultaneous events must be all seismic or all of other kinds")]
    Mixed,
    #[error("expected at most {0} simultaneous events, one for each power")]
    TooManyAtOnce(usize),
    #[error("a list of simultaneous events must not be empty")]
    Empty,
    #[error("the variant draws no such event in this phase")]
    NotDrawn,
    #[error("nature draws for it only among places that tie by its measure, and these do not")]
    Ranked,
    #[error("{0} may draw it; begin with the id of one, such as `{first}: `", first = .0.split(" and ").next().unwrap_or_default())]
    Ambiguous(String),
    #[error("it is named twice")]
    DrawnTwice,
    #[error("it is a hole already")]
    AlreadyHole,
    #[error("it is impassable, and not among the places that can be drawn: `{0}`")]
    Closed(String),
    #[error("it is not among the places that can be drawn: `{0}`")]
    NotAmong(String),
    #[error("drawn now, it would {0}")]
    OtherChange(&'static str),
    #[error("it is not a home centre of the power that can be exempt")]
    NotExempt,
    #[error("a face is restored only for a hole of the season; name the holes first")]
    NoHoleBefore,
    #[error("at most {0} can be drawn in a season")]
    TooMany(usize),
    #[error(
        "no unit can stay there: no province with a unit was split so, or the unit cannot be in that half"
    )]
    NothingStays,
    #[error(
        "no exempt centre is drawn for that power now: it has one, it names one, or the variant draws none"
    )]
    NoneToExempt,
}
