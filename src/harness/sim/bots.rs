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
use std::ops::Range;

use serde::Deserialize;
use toml::Value;
use upheaval_engine::bot::{BotSetting, Faculty, Guest, Handicap, Program, Repeats};
use upheaval_engine::diagnostic::value::{Entries, Open, Placed, Whole};
use upheaval_engine::diagnostic::{Faults, Form, Source, suggest, wording};

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
    memory_mb: Option<Placed<Mebibytes>>,
    /// The most processor time that one of a program's processes and all their children may use together, in seconds, up
    /// to a year of 100 cores. Left out: no limit.
    cpu_s: Option<Placed<Whole<1, 3_153_600_000>>>,
    /// The most processes of a program at a time. Left out: 256.
    processes: Option<Placed<Whole<1, 65_536>>>,
    /// The longest file that a program may write, in mebibytes. Left out: 4096.
    file_mb: Option<Placed<Mebibytes>>,
    /// The environment variables that a program receives in addition to the usual ones.
    env: Option<Placed<Vec<Placed<String>>>>,
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
    #[cfg_attr(feature = "schema", schemars(with = "Entries<Placed<Whole<0, { u64::MAX }>>>"))]
    settings: Entries<Placed<Open>>,
}

impl BotKeys {
    /// The place of the file of weights.
    pub(super) fn weights(&self) -> Option<Range<usize>> {
        self.weights.as_ref().map(Placed::span)
    }
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

/// The settings of a kind of bots.
///
/// # Errors
/// There is no such kind; the error says which there are.
pub type SettingsOf<'a> = dyn Fn(&str) -> Result<&'static [BotSetting], String> + 'a;

/// The sections `[bots.NAME]` of a text that has nothing else, in its order.
///
/// # Errors
/// A section has a fault.
pub fn sections(source: &Source, settings_of: &SettingsOf<'_>) -> Result<Vec<BotSection>, Faults> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        bots: Entries<Placed<BotKeys>>,
    }

    let mut form = Form::new(source, |_| None)?;
    let sections = form.read::<File>().and_then(|file| {
        file.bots.iter().map(|(name, keys)| BotSection::read(&form, name, keys, settings_of)).collect()
    });
    form.finish(sections)
}

impl BotSection {
    /// The bot that a section of this name describes, without those of its keys that have faults.
    pub(super) fn read(
        form: &Form<'_>,
        name: &Placed<String>,
        keys: &Placed<BotKeys>,
        settings_of: &SettingsOf<'_>,
    ) -> Option<BotSection> {
        let recipe = match (&keys.command, &keys.kind) {
            (Some(command), None) => Some(BotRecipe::Program(program(form, name, keys, command))),
            (None, Some(kind)) => kind_of(form, name, keys, kind, settings_of),
            (command, kind) => {
                let unknown: Vec<_> = keys.settings.iter().filter(|entry| is_unknown(entry)).collect();
                unknown.iter().for_each(|entry| unknown_key(form, name, entry, &all_keys()));
                if let (Some(_), Some(kind)) = (command, kind) {
                    form.fault(kind.span(), "a bot has a `command` or a `kind`, not both; remove one");
                } else if unknown.is_empty() {
                    form.missing::<()>(keys.span(), &format!("bots.{}.command", **name));
                }
                None
            }
        };
        let handicap: Handicap = keys.without.iter().copied().collect();
        Some(BotSection { name: name.to_string(), recipe: recipe?, handicap })
    }
}

/// The place of a key's value, if a section has the key.
type PlaceIn = fn(&BotKeys) -> Option<Range<usize>>;

/// The optional keys of programs, which a bot that ships does not have.
const OF_PROGRAMS: [(&str, PlaceIn); 9] = [
    ("move_ms", |keys| keys.move_ms.as_ref().map(Placed::span)),
    ("stall_ms", |keys| keys.stall_ms.as_ref().map(Placed::span)),
    ("repeats", |keys| keys.repeats.as_ref().map(Placed::span)),
    ("memory_mb", |keys| keys.memory_mb.as_ref().map(Placed::span)),
    ("cpu_s", |keys| keys.cpu_s.as_ref().map(Placed::span)),
    ("processes", |keys| keys.processes.as_ref().map(Placed::span)),
    ("file_mb", |keys| keys.file_mb.as_ref().map(Placed::span)),
    ("env", |keys| keys.env.as_ref().map(Placed::span)),
    ("folder", |keys| keys.folder.as_ref().map(Placed::span)),
];

/// A key of a section that is none of [`BotKeys`], and its value.
type Other = (Placed<String>, Placed<Open>);

/// The keys of all sections, except for settings.
fn all_keys() -> Vec<&'static str> {
    let of_programs = OF_PROGRAMS.map(|(key, _)| key);
    ["command"].into_iter().chain(of_programs).chain(["kind", "weights", "without"]).collect()
}

/// Is this not even a setting of an unknown kind?
fn is_unknown((key, value): &Other) -> bool {
    !matches!(**value, Open::Single(Value::Integer(_)))
        || wording::nearest(key, all_keys().into_iter()).is_some()
}

fn unknown_key(form: &Form<'_>, name: &str, (key, value): &Other, known: &[&str]) {
    if form.is_sound(&value.span()) {
        let known = suggest(key, known.iter().copied());
        form.fault(key.span(), format!("unknown key `bots.{name}.{}`; {known}", **key));
    }
}

/// A bot that ships.
fn kind_of(
    form: &Form<'_>,
    name: &str,
    keys: &BotKeys,
    kind: &Placed<String>,
    settings_of: &SettingsOf<'_>,
) -> Option<BotRecipe> {
    for (key, place) in OF_PROGRAMS.iter().filter_map(|(key, place)| Some((key, place(keys)?))) {
        form.fault(place, format!("`bots.{name}` is not a program, so it has no `{key}`"));
    }
    let known = match settings_of(kind) {
        Ok(settings) => settings,
        Err(why) => return form.refuse(kind.span(), why),
    };
    let mut settings = BTreeMap::new();
    for entry in keys.settings.iter() {
        let (key, value) = entry;
        let Some(setting) = known.iter().find(|setting| setting.name == **key) else {
            let own = known.iter().map(|setting| setting.name);
            let known: Vec<&str> = ["kind", "weights", "without"].into_iter().chain(own).collect();
            unknown_key(form, name, entry, &known);
            continue;
        };
        let number = match **value {
            Open::Single(Value::Integer(number)) => u64::try_from(number).ok(),
            _ => None,
        };
        let BotSetting { least, most, .. } = *setting;
        if let Some(number) = number.filter(|number| (least..=most).contains(number)) {
            settings.insert(key.to_string(), number);
        } else {
            let message = format!(
                "`bots.{name}.{}` must be a whole number from {least} to {most}, not {}",
                **key, **value
            );
            form.fault(value.span(), message);
        }
    }
    let weights = keys.weights.as_ref().filter(|file| form.is_sound(&file.span()));
    Some(BotRecipe::Kind { kind: kind.to_string(), settings, weights: weights.map(|file| file.to_string()) })
}

fn program(form: &Form<'_>, name: &str, keys: &BotKeys, command: &Placed<Vec<String>>) -> Program {
    let known: Vec<&str> =
        ["command"].into_iter().chain(OF_PROGRAMS.map(|(key, _)| key)).chain(["without"]).collect();
    keys.settings.iter().for_each(|entry| unknown_key(form, name, entry, &known));
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
    let clock = keys.move_ms.as_ref().filter(|ms| form.is_sound(&ms.span())).map(|ms| ms.get());
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
    Program { command: command.to_vec(), move_ms: clock, stall_ms, guest: guest(form, keys), repeats }
}

/// The limits and the environment that the section gives a program.
fn guest(form: &Form<'_>, keys: &BotKeys) -> Guest {
    let env = keys.env.as_ref().map_or(&[][..], |env| env);
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
        memory_mb: keys.memory_mb.as_ref().map(|number| number.get()),
        cpu_s: keys.cpu_s.as_ref().map(|number| number.get()),
        processes: keys.processes.as_ref().map(|number| number.get()),
        file_mb: keys.file_mb.as_ref().map(|number| number.get()),
        env: env.iter().map(|name| name.to_string()).collect(),
        folder: keys.folder.as_ref().map(|folder| folder.to_string()),
    }
}

/// Can an environment variable have this name?
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}
