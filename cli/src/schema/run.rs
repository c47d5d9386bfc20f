//! The form of experiment and tournament files as types, for their schemas alone.
#![allow(dead_code, reason = "no values of these types are made: they exist for their schemas")]

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// The common keys of experiments and tournaments.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Common {
    /// The beginning of the run folder's name: 1 to 64 letters, digits, `-`, `_` or `.`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$"))]
    name: String,
    /// Ids of variants that ship, and paths of variant files, relative to this file's folder.
    #[schemars(length(min = 1))]
    variants: Vec<String>,
    /// The root seed: every random number follows from it.
    seed: u64,
    /// The last year that is played; the remaining powers then share a draw.
    #[schemars(range(min = 1, max = 9999))]
    last_year: u16,
    /// Threads; 0 means one per core. The result does not depend on it.
    #[schemars(range(min = 0, max = 1024))]
    #[serde(default)]
    threads: u16,
    /// The folder for the run folder, relative to the current folder.
    #[schemars(length(min = 1))]
    #[serde(default)]
    out: String,
    #[serde(default)]
    log: Log,
    #[serde(default)]
    stop: Stop,
    /// Parameters set in every variant that has them: `holes.closure = "void"`.
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    /// Parameters over several values, each an arm of its own.
    #[serde(default)]
    sweep: Vec<Sweep>,
    /// Combinations of swept values that are left out: for each parameter a value or a list of them,
    /// `holes.closure = "void"`.
    #[serde(default)]
    skip: Vec<BTreeMap<String, Value>>,
    /// User-defined bots by their names.
    #[serde(default)]
    bots: BTreeMap<String, Bot>,
    #[serde(default)]
    faults: Faults,
}

/// The keys of experiments only.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Experiment {
    /// Games of each arm: a whole number of blocks.
    #[schemars(range(min = 1))]
    games: u32,
    seats: Seats,
}

/// The keys of tournaments only.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Tournament {
    /// The bots that play each other, 2 to 64.
    #[schemars(length(min = 2, max = 64))]
    entrants: Vec<String>,
    format: Format,
    /// Blocks of each variant: a block is one nature seed with all rotations of a line-up.
    #[schemars(range(min = 1))]
    blocks: u32,
    #[serde(default)]
    seats: SeatOrder,
}

/// In which order the bots of a line-up sit.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct SeatOrder {
    /// `true`: the order of the seats is drawn for each block.
    #[serde(default)]
    shuffle: bool,
}

/// How entrants meet.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// For each ordered pair, one seat of the first bot and all others of the second.
    OneAgainstRest,
    /// All at one table, seats filled in turn.
    RoundRobin,
}

/// Additional records.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Log {
    /// Each order with its result: by far the largest table.
    #[serde(default)]
    orders: bool,
    /// The number of sets of legal orders of each power in each movement phase: the column `choices` of `turns`.
    #[serde(default)]
    choices: bool,
    /// The map after each phase that has changed it: the table `maps`.
    #[serde(default)]
    maps: bool,
}

/// When decided games are stopped, at the end of a year.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Stop {
    /// A power this many centres ahead of any other is declared the winner, once it has been for `years`.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    lead: Option<u16>,
    /// For this many consecutive years.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    years: Option<u16>,
    /// The remaining powers share a draw when no power's number of centres has changed for this many years.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    still: Option<u16>,
}

/// A parameter with several values, listed or as a range.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Sweep {
    /// A key that `upheaval variants show` lists: `holes.per_season`.
    parameter: String,
    /// The values.
    #[serde(default)]
    #[schemars(with = "Vec<Value>", length(min = 1))]
    values: Vec<Value>,
    #[serde(default)]
    #[schemars(with = "Range")]
    range: Option<Range>,
    /// The variants that are swept. Left out: all variants that have the parameter.
    #[serde(default)]
    variants: Vec<String>,
}

/// Numbers from one to another, both included: whole, or with decimals.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Range {
    #[schemars(range(min = 0))]
    from: f64,
    #[schemars(range(min = 0))]
    to: f64,
    /// The difference between values. Left out: 1; a range with decimals needs it.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    step: f64,
}

/// Which bot plays which power.
#[derive(JsonSchema)]
#[serde(untagged)]
enum Seats {
    All(AllSeats),
    LineUp(LineUp),
    LineUps(LineUps),
    /// A bot for each power by its name.
    Powers(
        #[schemars(extend("propertyNames" = { "pattern": "^[A-Z][A-Z0-9_-]*$" }))] BTreeMap<String, String>,
    ),
}

/// The same bot in all seats.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AllSeats {
    /// The bot.
    all: String,
    /// Whether a line-up would be shuffled; the same bot everywhere sits alike in every order.
    #[serde(default)]
    shuffle: bool,
}

/// A bot for each power in their order; the line-up moves on by one seat from game to game.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LineUp {
    /// The bots.
    lineup: Vec<String>,
    /// `false`: the seats are fixed.
    #[serde(default)]
    rotate: bool,
    /// `true`: the order of the seats is drawn for each block.
    #[serde(default)]
    shuffle: bool,
}

/// Several line-ups: every block plays all, in all rotations, or each once in fixed seats.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct LineUps {
    /// The bots of each.
    lineups: Vec<Vec<String>>,
    /// `false`: the seats are fixed.
    #[serde(default)]
    rotate: bool,
    /// `true`: the order of the seats is drawn for each block, the same for all line-ups.
    #[serde(default)]
    shuffle: bool,
}

/// A user-defined bot.
#[derive(JsonSchema)]
#[serde(untagged)]
enum Bot {
    Program(Program),
    Kind(Kind),
}

/// A program that speaks docs/bot-protocol.md.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Program {
    /// The program and its arguments; paths are relative to the current folder.
    #[schemars(length(min = 1))]
    command: Vec<String>,
    /// A time limit for each answer, in milliseconds. Left out: none.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    move_ms: u64,
    /// The longest silence of the program, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    stall_ms: u64,
    /// Does it always answer alike from the same seed? If not, or left out, the run records the orders of all powers, and
    /// shows its games from them.
    #[serde(default)]
    repeats: bool,
    /// The most memory of its own that it and its processes may use together, in mebibytes. Left out: 16384.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16_777_216))]
    memory_mb: u64,
    /// The most processor time that one of its processes and all their children may use together, in seconds. Left out:
    /// no limit.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3_153_600_000_u64))]
    cpu_s: u64,
    /// The most processes at a time. Left out: 256.
    #[serde(default)]
    #[schemars(range(min = 1, max = 65_536))]
    processes: u64,
    /// The longest file that it may write, in mebibytes. Left out: 4096.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16_777_216))]
    file_mb: u64,
    /// The environment variables that it receives in addition to the usual ones.
    #[serde(default)]
    env: Vec<String>,
    /// The folder in which it is started. Left out: a new folder of its own, which is removed afterwards.
    #[serde(default)]
    #[schemars(length(min = 1))]
    folder: String,
    /// Its handicap.
    #[serde(default)]
    without: Vec<Faculty>,
}

/// A bot that ships, with settings of its own.
#[derive(JsonSchema)]
struct Kind {
    /// The kind: `upheaval bots` lists them.
    kind: String,
    /// The file of weights that replaces the shipped one, for bots that have learned. The path starts at the working
    /// directory.
    #[serde(default)]
    #[schemars(length(min = 1))]
    weights: String,
    /// Its handicap.
    #[serde(default)]
    without: Vec<Faculty>,
    #[serde(flatten)]
    settings: BTreeMap<String, u64>,
}

/// A faculty that can be denied to a bot.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Faculty {
    Convoys,
    Supports,
    Seismic,
    Exemptions,
}

/// The policy for bots at fault.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Faults {
    /// Left out: `hold`.
    #[serde(default)]
    policy: Policy,
    /// The faults that the policy answers; for others, the units hold.
    #[serde(default)]
    answers: Vec<Fault>,
    /// How often a void game is played again.
    #[serde(default)]
    #[schemars(range(min = 2, max = 100))]
    tries: u8,
    /// The run is stopped by a bot that fails in more than this share of its games. Left out: 0.1; 1: by none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    share: f64,
}

/// The policy.
#[derive(JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
enum Policy {
    /// Units without orders hold.
    #[default]
    Hold,
    /// No bot plays the power from then on.
    Forfeit,
    /// The game is void and is played again.
    VoidAndReplaySameLineUp,
}

/// The faults of a bot.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    /// A late answer.
    Timeout,
    /// The program has exited.
    Crash,
    /// No response for too long.
    Stall,
    /// An answer that does not follow the protocol.
    Protocol,
}

/// The schema of experiment files.
pub(super) fn experiment() -> Value {
    of_both::<Experiment>("ExperimentFile", "An experiment: its variants, bots, number of games and seed.")
}

/// The schema of tournament files.
pub(super) fn tournament() -> Value {
    of_both::<Tournament>("TournamentFile", "A tournament: its bots and variants.")
}

/// The schema of an object with the keys of both.
fn of_both<Own: JsonSchema>(title: &str, description: &str) -> Value {
    let mut generator = SchemaGenerator::default();
    let mut schema = Common::json_schema(&mut generator).to_value();
    let own = Own::json_schema(&mut generator).to_value();
    if let (Some(all), Some(more)) = (schema["properties"].as_object_mut(), own["properties"].as_object()) {
        all.extend(more.clone());
        // The defaults in schemas of types are those of the types, not of the reader.
        for property in all.values_mut().filter_map(Value::as_object_mut) {
            property.remove("default");
        }
    }
    if let (Some(all), Some(more)) = (schema["required"].as_array_mut(), own["required"].as_array()) {
        all.extend(more.clone());
    }
    let mut definitions: Map<String, Value> = generator.take_definitions(true);
    definitions.values_mut().for_each(without_defaults);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = title.into();
    schema["description"] = description.into();
    schema["$defs"] = definitions.into();
    schema
}

/// Removes the defaults.
fn without_defaults(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.remove("default");
            entries.values_mut().for_each(without_defaults);
        }
        Value::Array(list) => list.iter_mut().for_each(without_defaults),
        _ => {}
    }
}
