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

use toml::Spanned;
use upheaval_engine::bot::{Faculty, Guest, Handicap, Program, Repeats};
use upheaval_engine::diagnostic::table::Table;
use upheaval_engine::diagnostic::{Diagnostic, suggest};

/// How long a program may be silent if the file does not set it, in milliseconds.
pub(crate) const STALL_MS: u64 = 10_000;

/// The key of a handicap.
const WITHOUT: &str = "without";

/// The key of a file of weights.
const WEIGHTS: &str = "weights";

/// The largest number of milliseconds: a day.
const MOST_MS: u64 = 86_400_000;

/// The largest number of mebibytes: 16 TiB.
const MOST_MB: u64 = 1 << 24;

/// The largest processor time in seconds: a year of 100 cores.
const MOST_CPU_S: u64 = 3_153_600_000;

/// The largest number of processes.
const MOST_PROCESSES: u64 = 1 << 16;

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

/// The sections `[bots.NAME]` of a file, in its order.
///
/// # Errors
/// A section has a fault.
pub fn sections(root: &Table<'_>) -> Result<Vec<BotSection>, Diagnostic> {
    let Some(bots) = root.table("bots")? else { return Ok(Vec::new()) };
    let section = |(name, table): (String, Table<'_>)| {
        Ok(BotSection { recipe: recipe(&table)?, handicap: handicap(&table)?, name })
    };
    bots.tables()?.into_iter().map(section).collect()
}

fn recipe(table: &Table<'_>) -> Result<BotRecipe, Diagnostic> {
    match (table.texts_if("command")?, table.text("kind")?) {
        (Some(_), Some(kind)) => {
            Err(table.fault(kind.span(), "a bot has a `command` or a `kind`, not both; take one out"))
        }
        (None, None) => {
            Err(table.missing("command", "command = [\"python3\", \"bots/python/random_bot.py\"]"))
        }
        (Some(command), None) => program(table, command).map(BotRecipe::Program),
        (None, Some(kind)) => {
            let mut settings = BTreeMap::new();
            for key in table.keys().filter(|key| !["kind", WITHOUT, WEIGHTS].contains(key)) {
                if let Some(value) = table.whole(key, 0..=u64::MAX)? {
                    settings.insert(key.to_owned(), value.into_inner());
                }
            }
            let weights = table.text(WEIGHTS)?.map(|file| file.into_inner().to_owned());
            Ok(BotRecipe::Kind { kind: (*kind.get_ref()).to_owned(), settings, weights })
        }
    }
}

/// The handicap of the bot; none if the section does not give one.
fn handicap(table: &Table<'_>) -> Result<Handicap, Diagnostic> {
    let words = table.texts(WITHOUT)?.into_iter().flat_map(Spanned::into_inner);
    let faculty = |word: Spanned<&str>| {
        Faculty::named(word.get_ref()).ok_or_else(|| {
            let known = Faculty::ALL.map(Faculty::name);
            let message =
                format!("a bot cannot be `without` `{}`; {}", word.get_ref(), suggest(word.get_ref(), known));
            table.fault(word.span(), message)
        })
    };
    words.map(faculty).collect()
}

fn program(table: &Table<'_>, command: Vec<String>) -> Result<Program, Diagnostic> {
    table.allow(&[
        "command",
        "move_ms",
        "stall_ms",
        "repeats",
        "memory_mb",
        "cpu_s",
        "processes",
        "file_mb",
        "env",
        "folder",
        WITHOUT,
    ])?;
    if command.first().is_none_or(String::is_empty) {
        let message = "`command` does not name a program; write `command = [\"python3\", \"my_bot.py\"]`";
        return Err(table.fault(table.key("command").unwrap_or_default(), message));
    }
    let move_ms = table.whole("move_ms", 1..=MOST_MS)?;
    let stall = table.whole("stall_ms", 1..=MOST_MS)?;
    let clock = move_ms.as_ref().map(|ms| *ms.get_ref());
    // By default the watchdog leaves room for a long clock.
    let default = STALL_MS.max(clock.unwrap_or(0).saturating_mul(2));
    let stall_ms = stall.as_ref().map_or(default, |ms| *ms.get_ref());
    if let (Some(clock), Some(stall)) = (clock, &stall)
        && stall_ms <= clock
    {
        let message = format!(
            "`stall_ms` {stall_ms} must be more than `move_ms` {clock}: it is for programs that do not respond at all"
        );
        return Err(table.fault(stall.span(), message));
    }
    let repeats = table.truth("repeats")?.filter(|repeats| *repeats.get_ref());
    if let (Some(repeats), Some(_)) = (&repeats, clock) {
        let message = "a bot under a clock may be late, so it cannot be declared to repeat; leave out `repeats` or `move_ms`";
        return Err(table.fault(repeats.span(), message));
    }
    let repeats = if repeats.is_some() { Repeats::Yes } else { Repeats::No };
    Ok(Program { command, move_ms: clock, stall_ms, guest: guest(table)?, repeats })
}

/// The limits and the environment that the section gives a program.
fn guest(table: &Table<'_>) -> Result<Guest, Diagnostic> {
    let limit = |key: &str, most: u64| Ok(table.whole(key, 1..=most)?.map(Spanned::into_inner));
    let env: Vec<Spanned<&str>> = table.texts("env")?.into_iter().flat_map(Spanned::into_inner).collect();
    if let Some(name) = env.iter().find(|name| !is_variable(name.get_ref())) {
        let message = format!(
            "`{}` cannot be the name of a variable; `env` lists names of variables, such as `env = [\"CUDA_VISIBLE_DEVICES\"]`, and \
             their values are those of the environment",
            name.get_ref()
        );
        return Err(table.fault(name.span(), message));
    }
    let folder = table.text("folder")?;
    if let Some(folder) = folder.as_ref().filter(|folder| folder.get_ref().is_empty()) {
        let message = "`folder` is empty; write `folder = \".\"`, or remove the key for a folder of its own";
        return Err(table.fault(folder.span(), message));
    }
    Ok(Guest {
        memory_mb: limit("memory_mb", MOST_MB)?,
        cpu_s: limit("cpu_s", MOST_CPU_S)?,
        processes: limit("processes", MOST_PROCESSES)?,
        file_mb: limit("file_mb", MOST_MB)?,
        env: env.into_iter().map(|name| name.into_inner().to_owned()).collect(),
        folder: folder.map(|folder| folder.into_inner().to_owned()),
    })
}

/// Can an environment variable have this name?
fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}
