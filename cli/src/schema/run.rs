//! The form of experiment and tournament files as types, for their schemas alone.
#![allow(dead_code, reason = "nobody makes a value of these types: they are there for their schemas")]

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// What experiments and tournaments have in common.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Common {
    /// Starts the name of the run folder: 1 to 64 letters, digits, `-`, `_` or `.`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$"))]
    name: String,
    /// Ids of variants that ship, and paths of variant files, which start at this file's folder.
    #[schemars(length(min = 1))]
    variants: Vec<String>,
    /// The root seed: every random number follows from it.
    seed: u64,
    /// The last year that is played; who is left then shares a draw.
    #[schemars(range(min = 1, max = 9999))]
    last_year: u16,
    /// Threads; 0 is one a core. The result does not depend on it.
    #[schemars(range(min = 0, max = 1024))]
    #[serde(default)]
    threads: u16,
    /// The folder in which the run folder is made, from where the command is run.
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
    /// Combinations of swept values that are left out: of each parameter a value or a list of them,
    /// `holes.closure = "void"`.
    #[serde(default)]
    skip: Vec<BTreeMap<String, Value>>,
    /// Bots of one's own by their names.
    #[serde(default)]
    bots: BTreeMap<String, Bot>,
    #[serde(default)]
    faults: Faults,
}

/// What only experiments have.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Experiment {
    /// Games of each arm: a whole number of blocks.
    #[schemars(range(min = 1))]
    games: u32,
    seats: Seats,
}

/// What only tournaments have.
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
}

/// How entrants meet.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    /// For each ordered pair one of the first among others of the second.
    OneAgainstRest,
    /// All at one table, seats filled in turn.
    RoundRobin,
}

/// What is recorded beside the results.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Log {
    /// Each order with its result: by far the largest table.
    #[serde(default)]
    orders: bool,
    /// How many sets of legal orders each power has in each movement phase: the column `choices` of `turns`.
    #[serde(default)]
    choices: bool,
    /// The map after each phase that has changed it: the table `maps`.
    #[serde(default)]
    maps: bool,
}

/// When games that are decided are stopped, at the end of a year.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Stop {
    /// A power so many centres ahead of any other is named the winner, once it has been for `years`.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    lead: Option<u16>,
    /// At the end of so many years on end.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    years: Option<u16>,
    /// Those left share a draw when no power's count of centres has changed for so many years.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 1, max = 1000))]
    still: Option<u16>,
}

/// A parameter over several values, given one by one or as a range.
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
    /// The variants that are swept. Left out, they are all that have the parameter.
    #[serde(default)]
    variants: Vec<String>,
}

/// Numbers from one to another: whole, or with decimals.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Range {
    #[schemars(range(min = 0))]
    from: f64,
    #[schemars(range(min = 0))]
    to: f64,
    /// How far from one value to the next. Left out, it is 1; a range with decimals needs it.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    step: f64,
}

/// Who plays which power.
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

/// The same bot everywhere.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct AllSeats {
    /// The bot.
    all: String,
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
}

/// A bot of one's own.
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
    /// The program and its arguments; paths start where the command is run.
    #[schemars(length(min = 1))]
    command: Vec<String>,
    /// A clock for each answer, in milliseconds. Left out, there is none.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    move_ms: u64,
    /// How long it may say nothing at all, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 1, max = 86_400_000))]
    stall_ms: u64,
    /// The most memory of its own that it and its processes may use together, in mebibytes. Left out, it is 16384.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16_777_216))]
    memory_mb: u64,
    /// The most processor time that a process of it and all that it starts may use together, in seconds. Left out, there
    /// is no limit.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3_153_600_000_u64))]
    cpu_s: u64,
    /// The most processes that it may be at a time. Left out, it is 256.
    #[serde(default)]
    #[schemars(range(min = 1, max = 65_536))]
    processes: u64,
    /// The longest file that it may write, in mebibytes. Left out, it is 4096.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16_777_216))]
    file_mb: u64,
    /// The variables of the environment that it is passed besides the usual ones.
    #[serde(default)]
    env: Vec<String>,
    /// The folder in which it is started. Left out, it is a new one of its own, which is removed afterwards.
    #[serde(default)]
    #[schemars(length(min = 1))]
    folder: String,
    /// What it is denied.
    #[serde(default)]
    without: Vec<Faculty>,
}

/// A bot that ships, with settings of its own.
#[derive(JsonSchema)]
struct Kind {
    /// Which: `upheaval bots` lists them.
    kind: String,
    /// What it is denied.
    #[serde(default)]
    without: Vec<Faculty>,
    #[serde(flatten)]
    settings: BTreeMap<String, u64>,
}

/// What a bot can be denied.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Faculty {
    Convoys,
    Supports,
    Seismic,
    Exemptions,
}

/// What is done about bots that fail.
#[derive(JsonSchema, Default)]
#[schemars(deny_unknown_fields)]
struct Faults {
    /// Left out, it is `hold`.
    #[serde(default)]
    policy: Policy,
    /// The faults that the policy answers; the others hold.
    #[serde(default)]
    answers: Vec<Fault>,
    /// How often a game that is void is played again.
    #[serde(default)]
    #[schemars(range(min = 2, max = 100))]
    tries: u8,
}

/// What is done.
#[derive(JsonSchema, Default)]
#[serde(rename_all = "kebab-case")]
enum Policy {
    /// What is missing is a hold.
    #[default]
    Hold,
    /// The power is played by nobody from then on.
    Forfeit,
    /// The game is void and is played again.
    VoidAndReplaySameLineUp,
}

/// How a bot can fail.
#[derive(JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    /// An answer after the clock.
    Timeout,
    /// The program has ended.
    Crash,
    /// Nothing at all for too long.
    Stall,
    /// An answer that is not of the protocol.
    Protocol,
}

/// The schema of experiment files.
pub fn experiment() -> Value {
    of_both::<Experiment>(
        "ExperimentFile",
        "An experiment: which variants are played by whom, how often, from which seed.",
    )
}

/// The schema of tournament files.
pub fn tournament() -> Value {
    of_both::<Tournament>("TournamentFile", "A tournament: which bots play each other, in which variants.")
}

/// The schema of an object with the keys of both.
fn of_both<Own: JsonSchema>(title: &str, description: &str) -> Value {
    let mut generator = SchemaGenerator::default();
    let mut schema = Common::json_schema(&mut generator).to_value();
    let own = Own::json_schema(&mut generator).to_value();
    if let (Some(all), Some(more)) = (schema["properties"].as_object_mut(), own["properties"].as_object()) {
        all.extend(more.clone());
        // The values that schemas of types have where a key is left out are those of the types, not of the reader.
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

/// Takes out what is said of keys that are left out.
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
