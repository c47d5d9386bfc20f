//! Bots of users: the sections `[bots.NAME]` of an experiment file.
//!
//! ```toml
//! [bots.mine]
//! command = ["python3", "bots/python/random_bot.py"]   # a program; paths start where the command is run
//! move_ms = 500                                        # its clock for each answer; none if left out
//! stall_ms = 10000                                     # how long it may be silent
//! repeats = true                                       # in place of a clock: it answers alike from the same seed
//! memory_mb = 2048                                     # what it may use: `cpu_s`, `processes`, `file_mb` likewise
//! env = ["CUDA_VISIBLE_DEVICES"]                       # variables that it is passed besides the usual ones
//!
//! [bots.deep]
//! kind = "search"                                      # a bot that ships, with settings of its own
//! rollouts = 400
//!
//! [bots.taught]
//! kind = "learned"
//! weights = "my.onnx"                                  # a file of weights; the path starts at the working directory
//!
//! [bots.alone]
//! kind = "dumbbot"
//! without = ["supports"]                               # what it is denied: convoys, supports, seismic, exemptions
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use upheaval_engine::bot::{Faculty, Guest, Handicap, Program, Repeats};
use upheaval_engine::diagnostic::value::{Entries, Placed, Whole};
use upheaval_engine::diagnostic::{Faults, Form, Source, suggest};

/// How long a program may be silent if the file does not set it, in milliseconds.
pub(crate) const STALL_MS: u64 = 10_000;

/// Milliseconds, up to a day.
type Milliseconds = Whole<1, 86_400_000>;

/// Mebibytes, up to 16 TiB.
type Mebibytes = Whole<1, 16_777_216>;

/// A section `[bots.NAME]`: a user-defined bot, which is a program that speaks docs/bot-protocol.md, or a bot that
/// ships, with settings of its own.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Bot", extend("oneOf" = [{ "required": ["command"] }, { "required": ["kind"] }]))
)]
pub(crate) struct BotKeys {
    /// The program and its arguments; paths are relative to the current folder.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    command: Option<Placed<Vec<String>>>,
    /// A program's time limit for each answer, in milliseconds. Left out: none.
    move_ms: Option<Placed<Milliseconds>>,
    /// The longest silence of a program, in milliseconds.
    stall_ms: Option<Placed<Milliseconds>>,
    /// Does the program always answer alike from the same seed? If not, or left out, the run records the orders of all
    /// powers, and shows its games from them.
    repeats: Option<Placed<bool>>,
    /// The most memory of its own that a program and its processes may use together, in mebibytes. Left out: 16384.
    memory_mb: Option<Mebibytes>,
    /// The most processor time that one of a program's processes and all their children may use together, in seconds, up
    /// to a year of 100 cores. Left out: no limit.
    cpu_s: Option<Whole<1, 3_153_600_000>>,
    /// The most processes of a program at a time. Left out: 256.
    processes: Option<Whole<1, 65_536>>,
    /// The longest file that a program may write, in mebibytes. Left out: 4096.
    file_mb: Option<Mebibytes>,
    /// The environment variables that a program receives in addition to the usual ones.
    env: Option<Vec<Placed<String>>>,
    /// The folder in which a program is started. Left out: a new folder of its own, which is removed afterwards.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    folder: Option<Placed<String>>,
    /// The kind of a bot that ships: `upheaval bots` lists them.
    kind: Option<Placed<String>>,
    /// The file of weights that replaces the shipped one, for bots that have learned. The path starts at the working
    /// directory.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    weights: Option<Placed<String>>,
    /// The handicap of the bot.
    #[serde(default)]
    without: Vec<Faculty>,
    /// The settings of a bot that ships.
    #[serde(rename = "*")]
    settings: Entries<Placed<Whole<0, { u64::MAX }>>>,
}

/// A section `[bots.NAME]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSection {
    /// The name that seats use.
    pub name: String,
    /// How to make the bot.
    pub recipe: BotRecipe,
    /// Its handicap.
    pub handicap: Handicap,
}

/// How to make a user's own bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotRecipe {
    /// A program that speaks docs/bot-protocol.md.
    Program(Program),
    /// Which kind it is.
    Kind {
        /// Which.
        kind: String,
        /// The settings that the section gives.
        settings: BTreeMap<String, u64>,
        /// The file of weights in place of the shipped one.
        weights: Option<String>,
    },
}

/// The sections `[bots.NAME]` of a text that has nothing else, in its order.
///
/// # Errors
/// A section has a fault.
pub fn sections(source: &Source) -> Result<Vec<BotSection>, Faults> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        bots: Entries<Placed<BotKeys>>,
    }

    let mut form = Form::new(source, |_| None)?;
    let sections = form
        .read::<File>()
        .and_then(|file| file.bots.iter().map(|(name, keys)| BotSection::read(&form, name, keys)).collect());
    form.finish(sections)
}

impl BotSection {
    /// The bot that a section of this name describes.
    pub(super) fn read(form: &Form<'_>, name: &Placed<String>, keys: &Placed<BotKeys>) -> Option<BotSection> {
        let recipe = match (&keys.command, &keys.kind) {
            (Some(_), Some(kind)) => {
                form.refuse(kind.span(), "a bot has a `command` or a `kind`, not both; remove one")
            }
            (None, None) => form.missing(keys.span(), &format!("bots.{}.command", **name)),
            (Some(command), None) => program(form, name, keys, command).map(BotRecipe::Program),
            (None, Some(kind)) => kind_of(form, name, keys, kind),
        };
        let handicap: Handicap = keys.without.iter().copied().collect();
        Some(BotSection { name: name.to_string(), recipe: recipe?, handicap })
    }
}

/// Does a section have the key?
type IsGiven = fn(&BotKeys) -> bool;

/// The optional keys of programs, which a bot that ships does not have.
const OF_PROGRAMS: [(&str, IsGiven); 9] = [
    ("move_ms", |keys| keys.move_ms.is_some()),
    ("stall_ms", |keys| keys.stall_ms.is_some()),
    ("repeats", |keys| keys.repeats.is_some()),
    ("memory_mb", |keys| keys.memory_mb.is_some()),
    ("cpu_s", |keys| keys.cpu_s.is_some()),
    ("processes", |keys| keys.processes.is_some()),
    ("file_mb", |keys| keys.file_mb.is_some()),
    ("env", |keys| keys.env.is_some()),
    ("folder", |keys| keys.folder.is_some()),
];

/// A bot that ships.
fn kind_of(form: &Form<'_>, name: &str, keys: &BotKeys, kind: &Placed<String>) -> Option<BotRecipe> {
    let given = OF_PROGRAMS.iter().filter(|(_, is_given)| is_given(keys));
    let given: Vec<&str> = given.map(|(key, _)| *key).collect();
    if !given.is_empty() {
        let message = format!("`bots.{name}` is not a program, so it has no `{}`", given.join("`, `"));
        return form.refuse(kind.span(), message);
    }
    let settings = keys.settings.iter().map(|(key, value)| (key.to_string(), value.get()));
    let weights = keys.weights.as_ref().map(|file| file.to_string());
    Some(BotRecipe::Kind { kind: kind.to_string(), settings: settings.collect(), weights })
}

fn program(form: &Form<'_>, name: &str, keys: &BotKeys, command: &Placed<Vec<String>>) -> Option<Program> {
    for (key, _) in keys.settings.iter() {
        let known = ["command"].into_iter().chain(OF_PROGRAMS.map(|(key, _)| key)).chain(["without"]);
        form.fault(key.span(), format!("unknown key `bots.{name}.{}`; {}", **key, suggest(key, known)));
    }
    if let Some(weights) = &keys.weights {
        form.fault(
            weights.span(),
            format!("`bots.{name}.weights` is for bots that ship; a program reads its own"),
        );
    }
    if command.first().is_none_or(String::is_empty) {
        let message = "`command` does not name a program; write `command = [\"python3\", \"my_bot.py\"]`";
        form.fault(command.span(), message);
    }
    let clock = keys.move_ms.as_ref().map(|ms| ms.get());
    // By default the watchdog leaves room for a long clock.
    let default = STALL_MS.max(clock.unwrap_or(0).saturating_mul(2));
    let stall_ms = keys.stall_ms.as_ref().map_or(default, |ms| ms.get());
    if let (Some(clock), Some(stall)) = (clock, &keys.stall_ms)
        && stall_ms <= clock
    {
        let message = format!(
            "`stall_ms` {stall_ms} must be more than `move_ms` {clock}: it is for programs that do not respond at all"
        );
        form.fault(stall.span(), message);
    }
    let repeats = keys.repeats.as_ref().filter(|repeats| ***repeats);
    if let (Some(repeats), Some(_)) = (&repeats, clock) {
        let message = "a bot under a clock may be late, so it cannot be declared to repeat; remove `repeats` or `move_ms`";
        form.fault(repeats.span(), message);
    }
    let repeats = if repeats.is_some() { Repeats::Yes } else { Repeats::No };
    Some(Program { command: command.to_vec(), move_ms: clock, stall_ms, guest: guest(form, keys), repeats })
}

/// The limits and the environment that the section gives a program.
fn guest(form: &Form<'_>, keys: &BotKeys) -> Guest {
    let env = keys.env.as_deref().unwrap_or_default();
    for name in env.iter().filter(|name| !is_variable(name)) {
        let message = format!(
            "`{}` cannot be the name of a variable; `env` lists names of variables, such as `env = [\"CUDA_VISIBLE_DEVICES\"]`, and \
             their values are those of the environment",
            **name
        );
        form.fault(name.span(), message);
    }
    if let Some(folder) = keys.folder.as_ref().filter(|folder| folder.is_empty()) {
        let message = "`folder` is empty; write `folder = \".\"`, or remove the key for a folder of its own";
        form.fault(folder.span(), message);
    }
    Guest {
        memory_mb: keys.memory_mb.map(Whole::get),
        cpu_s: keys.cpu_s.map(Whole::get),
        processes: keys.processes.map(Whole::get),
        file_mb: keys.file_mb.map(Whole::get),
        env: env.iter().map(|name| name.to_string()).collect(),
        folder: keys.folder.as_ref().map(|folder| folder.to_string()),
    }
}

/// Can an environment variable have this name?
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}
