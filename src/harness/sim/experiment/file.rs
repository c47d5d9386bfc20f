//! The keys of experiment files, and of tournaments, matches and searches, which share most of them: one structure,
//! from which the reader, its messages and the schema come.

use std::ops::Range;

use serde::Deserialize;
use toml::Value;
use upheaval_engine::diagnostic::Form;
use upheaval_engine::diagnostic::value::{Entries, Open, Placed, Whole};

use crate::sim::bots::BotKeys;
use crate::sim::faults::FaultKeys;
use crate::sim::resolved::RunLog;

/// The keys that all of these files share.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunKeys {
    /// The beginning of the run folder's name: 1 to 64 letters, digits, `-`, `_` or `.`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")))]
    pub name: Placed<String>,
    /// Ids of variants that ship, and paths of variant files, relative to this file's folder.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub variants: Placed<Vec<Placed<String>>>,
    /// The root seed: every random number follows from it.
    pub seed: Whole<0, { u64::MAX }>,
    /// The last year that is played; the remaining powers then share a draw.
    pub last_year: Placed<Whole<1, 9999>>,
    /// Threads; 0 means one per core. The result does not depend on it.
    pub(super) threads: Option<Whole<0, 1024>>,
    /// The folder for the run folder, relative to the current folder.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) out: Option<Placed<String>>,
    #[serde(default)]
    pub(super) log: RunLog,
    pub(super) stop: Option<Placed<StopKeys>>,
    /// Parameters set in every variant that has them: `changes.holes.change = "void"`.
    #[serde(default)]
    pub(super) parameters: Entries<Placed<Open>>,
    /// Parameters over several values, each an arm of its own.
    #[serde(default)]
    pub sweep: Vec<Placed<SweepKeys>>,
    /// Combinations of swept values that are left out: for each parameter a value or a list of them,
    /// `changes.holes.change = "void"`.
    #[serde(default)]
    pub(super) skip: Vec<Placed<Entries<Placed<Open>>>>,
    /// User-defined bots by their names.
    #[serde(default)]
    pub(super) bots: Entries<Placed<BotKeys>>,
    pub(super) faults: Option<Placed<FaultKeys>>,
}

/// The keys of experiments only.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ExperimentKeys {
    /// Games of each arm: a whole number of blocks.
    pub(super) games: Placed<Whole<1, { u32::MAX as u64 }>>,
    pub(super) seats: Placed<SeatsKeys>,
}

/// When decided games are stopped, at the end of a year.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Stop"))]
pub(super) struct StopKeys {
    /// A power this many centres ahead of any other is declared the winner, once it has been for `years`.
    pub(super) lead: Option<Whole<1, 1000>>,
    /// For this many consecutive years.
    pub(super) years: Option<Whole<1, 1000>>,
    /// The remaining powers share a draw when no power's number of centres has changed for this many years.
    pub(super) still: Option<Whole<1, 1000>>,
}

/// A parameter with several values, listed or as a range.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Sweep"))]
pub struct SweepKeys {
    /// A key that `upheaval variants show` lists: `changes.holes.count`.
    pub(super) parameter: Placed<String>,
    /// The values.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(super) values: Option<Placed<Vec<Placed<Open>>>>,
    pub(super) range: Option<Placed<RangeKeys>>,
    /// The variants that are swept. Left out: all variants that have the parameter.
    pub(super) variants: Option<Placed<Vec<Placed<String>>>>,
}

/// Numbers from one to another, both included: whole, or with decimals.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Range"))]
pub(super) struct RangeKeys {
    pub(super) from: Placed<RangeNumber>,
    pub(super) to: Placed<RangeNumber>,
    /// The difference between values. Left out: 1; a range with decimals needs it.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
    pub(super) step: Option<Placed<RangeNumber>>,
}

/// A number of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RangeNumber {
    Whole(u64),
    Decimal(f64),
}

/// The largest number of a range with decimals: with all its decimals it is still exact.
const LARGEST: f64 = 1e9;

impl<'de> Deserialize<'de> for RangeNumber {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = || serde::de::Error::invalid_value(serde::de::Unexpected::Other("value"), &RANGE_NUMBER);
        let Open::Single(value) = Open::deserialize(deserializer)? else { return Err(wanted()) };
        match value {
            Value::Integer(number) => u64::try_from(number).map(RangeNumber::Whole).map_err(|_| wanted()),
            Value::Float(number) if (0.0..=LARGEST).contains(&number) => Ok(RangeNumber::Decimal(number)),
            // In place of a value that is at fault.
            Value::String(text) if text.is_empty() => Ok(RangeNumber::Whole(0)),
            _ => Err(wanted()),
        }
    }
}

/// What a range accepts, in messages.
const RANGE_NUMBER: &str = "a whole number from 0, or a number from 0 to 1000000000";

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RangeNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RangeNumber".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": 0 })
    }
}

/// The names of the bots of a line-up.
pub(super) type BotNames = Placed<Vec<Placed<String>>>;

/// Which bot plays which power: the same in all seats, one for each power by its name, or line-ups.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Seats", extend("anyOf" = [
        { "required": ["all"] },
        { "required": ["lineup"] },
        { "required": ["lineups"] },
        { "propertyNames": { "pattern": "^[A-Z][A-Z0-9_-]*$" }, "minProperties": 1 },
    ]))
)]
pub(super) struct SeatsKeys {
    /// The bot in all seats.
    pub(super) all: Option<Placed<String>>,
    /// A bot for each power in their order; the line-up moves on by one seat from game to game.
    pub(super) lineup: Option<BotNames>,
    /// Several line-ups: every block plays all, in all rotations, or each once in fixed seats.
    pub(super) lineups: Option<Placed<Vec<BotNames>>>,
    /// `false`: the seats are fixed.
    pub(super) rotate: Option<Placed<bool>>,
    /// `true`: the order of the seats is drawn for each block, the same for all line-ups.
    pub(super) shuffle: Option<Placed<bool>>,
    /// A bot for each power by its name.
    #[serde(rename = "*")]
    #[cfg_attr(feature = "schema", schemars(with = "Entries<Placed<String>>"))]
    pub(super) powers: Entries<Placed<Open>>,
}

/// In which order the bots of a line-up sit.
#[derive(Deserialize, Clone, Copy, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SeatOrder"))]
pub struct SeatOrderKeys {
    /// `true`: the order of the seats is drawn for each block.
    #[serde(default)]
    pub(super) shuffle: bool,
}

/// The most entries of a list or table of the file, each of which may need a variant or a bot to be read.
const MOST_ENTRIES: usize = 1000;

/// Has the key of the file, at this place, few enough entries?
pub(super) fn is_short(form: &Form<'_>, key: &str, place: Option<Range<usize>>, count: usize) -> bool {
    if count > MOST_ENTRIES {
        let message = format!("`{key}` has at most {MOST_ENTRIES} entries, not {count}");
        form.fault(place.unwrap_or_default(), message);
    }
    count <= MOST_ENTRIES
}

/// An example of a required key, for the message when it is missing.
pub(super) fn example(path: &str) -> Option<String> {
    let line = match path {
        "name" => "name = \"first-try\"",
        "variants" => "variants = [\"standard\"]",
        "seed" => "seed = 1",
        "last_year" => "last_year = 1930",
        "games" => "games = 700",
        "seats" => "seats.all = \"greedy\"",
        "entrants" => "entrants = [\"greedy\", \"random\"]",
        "format" => "format = \"one-against-rest\"",
        "blocks" => "blocks = 28",
        "effect" => "effect = 0.05",
        "max_blocks" => "max_blocks = 400",
        "stop.years" => "years = 3",
        "stop.lead" => "lead = 6",
        "sweep.parameter" => "parameter = \"changes.holes.count\"",
        "sweep.values" => "values = [1, 2, 3]",
        "sweep.range.from" => "from = 1",
        "sweep.range.to" => "to = 5",
        "sweep.range.step" => "step = 0.1",
        "tune" => "tune = { objective = \"fairness.score\", bots = [\"greedy\"], budget = 60_000 }",
        "tune.objective" => "objective = \"fairness.score\"",
        "tune.objective.mean" => "mean = \"length\"",
        "tune.objective.near" => "near = 10",
        "tune.bots" => "bots = [\"greedy\"]",
        "tune.budget" => "budget = 60_000",
        _ if path.ends_with(".command") => "command = [\"python3\", \"bots/python/random_bot.py\"]",
        _ => return None,
    };
    Some(format!("add a line such as `{line}`"))
}

/// The schema of experiment files.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    let about = "An experiment: its variants, bots, number of games and seed.";
    schema_with::<ExperimentKeys>("ExperimentFile", about)
}

/// The schema of a file that has keys of its own beside the common ones.
#[cfg(feature = "schema")]
pub(in crate::sim) fn schema_with<Own: schemars::JsonSchema>(title: &str, about: &str) -> serde_json::Value {
    let mut generator = schemars::SchemaGenerator::default();
    let mut schema = <RunKeys as schemars::JsonSchema>::json_schema(&mut generator).to_value();
    let own = Own::json_schema(&mut generator).to_value();
    if let (Some(all), Some(more)) = (schema["properties"].as_object_mut(), own["properties"].as_object()) {
        all.extend(more.clone());
    }
    if let (Some(all), Some(more)) = (schema["required"].as_array_mut(), own["required"].as_array()) {
        all.extend(more.clone());
    }
    schema["additionalProperties"] = false.into();
    schema["$defs"] = generator.take_definitions(true).into();
    as_in_toml(&mut schema);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = title.into();
    schema["description"] = about.into();
    schema
}

/// Makes the schema of a type one of what TOML has and the reader accepts: without `null`, without defaults, which are
/// those of the types, and with the entries that no field names ([`OTHERS`](form::OTHERS)).
#[cfg(feature = "schema")]
fn as_in_toml(schema: &mut serde_json::Value) {
    use serde_json::Value;
    use upheaval_engine::diagnostic::form;

    let is_null = |of: &Value| *of == "null" || of["type"] == "null";
    match schema {
        Value::Object(entries) => {
            // A property may have the name of a keyword.
            if entries.contains_key("type") || entries.contains_key("$ref") || entries.contains_key("anyOf") {
                entries.remove("default");
            }
            let others = entries.get_mut("properties").and_then(|properties| {
                properties.as_object_mut().and_then(|properties| properties.remove(form::OTHERS))
            });
            if let Some(others) = others {
                entries.insert("additionalProperties".to_owned(), others["additionalProperties"].clone());
                if let Some(required) = entries.get_mut("required").and_then(Value::as_array_mut) {
                    required.retain(|key| key != form::OTHERS);
                }
                if entries.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
                    entries.remove("required");
                }
            }
            if let Some(Value::Array(types)) = entries.get_mut("type") {
                types.retain(|of| !is_null(of));
                if let [one] = &types[..] {
                    let one = one.clone();
                    entries.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(any)) = entries.get_mut("anyOf") {
                any.retain(|of| !is_null(of));
                if let [Value::Object(one)] = &any[..] {
                    let one = one.clone();
                    entries.remove("anyOf");
                    one.into_iter().for_each(|(key, value)| {
                        entries.entry(key).or_insert(value);
                    });
                }
            }
            entries.values_mut().for_each(as_in_toml);
        }
        Value::Array(list) => list.iter_mut().for_each(as_in_toml),
        _ => {}
    }
}
