//! Kinds of bots, their settings, and how bots are made.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bot::{Bot, Ensemble, Handicap, Incident, handicapped};

/// A kind of bot: its name, what it does, and how to make one.
#[derive(Clone, Copy)]
pub struct BotKind {
    /// The name in experiment files.
    pub name: &'static str,
    /// One line on how it plays.
    pub description: &'static str,
    /// Incremented whenever the bot plays differently; part of an experiment's hash.
    pub version: u32,
    /// Makes one.
    pub make: fn() -> Box<dyn Bot>,
    /// The settings of the bot, if it has any.
    pub tuning: Option<Tuning>,
    /// How long its games take.
    pub pace: Pace,
    /// The learned weights, if the bot uses any.
    pub weights: Option<LearnedWeights>,
}

impl BotKind {
    /// The settings of the bot.
    pub fn settings(&self) -> &'static [BotSetting] {
        self.tuning.map_or(&[], |tuning| tuning.settings)
    }
}

/// The learned weights of a kind of bot.
#[derive(Clone, Copy)]
pub struct LearnedWeights {
    /// The file that ships. Its hash is part of an experiment's hash.
    pub shipped: &'static [u8],
    /// Creates a maker of bots with the weights of another file and these values of the settings, in their order. The
    /// error says why the bytes are not such a file.
    pub make: fn(Vec<u8>, &[u64]) -> Result<BotMaker, String>,
}

/// Roughly how long a bot's games take. It determines how often results are saved, so that an interrupted run
/// loses little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Milliseconds.
    Quick,
    /// Up to seconds.
    Slow,
}

/// The settings of a kind of bot in a section `[bots.NAME]`.
#[derive(Clone, Copy)]
pub struct Tuning {
    /// The settings.
    pub settings: &'static [BotSetting],
    /// Makes a bot with these values, in the order of the settings.
    pub make: fn(&[u64]) -> Box<dyn Bot>,
}

/// A number that decides how a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BotSetting {
    /// Its key.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// The smallest permitted value.
    pub least: u64,
    /// The largest permitted value.
    pub most: u64,
    /// The default value.
    pub default: u64,
}

impl BotSetting {
    /// Its value among those of all settings, which has this index; the default if it is missing.
    pub fn value(self, values: &[u64], at: usize) -> u64 {
        values.get(at).copied().unwrap_or(self.default)
    }
}

/// How programs in any language become bots.
#[derive(Clone, Copy)]
pub struct ProgramKind {
    /// The version of their protocol; part of an experiment's hash.
    pub protocol: u32,
    /// Creates a maker of bots that this program plays.
    pub make: fn(&Program) -> BotMaker,
}

/// Makes bots, one for each seat of each game, on any thread.
#[derive(Clone)]
pub struct BotMaker {
    make: Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>,
    incidents: Arc<dyn Fn() -> Vec<Incident> + Send + Sync>,
    farewell: Arc<dyn Fn() + Send + Sync>,
    trial: Arc<dyn Fn() -> Result<(), String> + Send + Sync>,
    ensemble: Option<Arc<dyn Ensemble>>,
}

impl BotMaker {
    /// A maker that calls this function.
    pub fn new(make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static) -> BotMaker {
        let (make, incidents, farewell) = (Arc::new(make), Arc::new(Vec::new), Arc::new(|| ()));
        BotMaker { make, incidents, farewell, trial: Arc::new(|| Ok(())), ensemble: None }
    }

    /// A maker of the seats of an ensemble.
    pub fn of_ensemble(ensemble: Arc<dyn Ensemble>) -> BotMaker {
        let seats = Arc::clone(&ensemble);
        BotMaker { ensemble: Some(ensemble), ..BotMaker::new(move || seats.seat()) }
    }

    /// The same maker; this function lists the faults of its bots.
    pub fn with_incidents(self, incidents: impl Fn() -> Vec<Incident> + Send + Sync + 'static) -> BotMaker {
        BotMaker { incidents: Arc::new(incidents), ..self }
    }

    /// The same maker, which does this when no game is played for now.
    pub fn with_farewell(self, farewell: impl Fn() + Send + Sync + 'static) -> BotMaker {
        BotMaker { farewell: Arc::new(farewell), ..self }
    }

    /// The same maker; this function starts a program, if the bots need one, and says why it cannot be started.
    pub fn with_trial(self, trial: impl Fn() -> Result<(), String> + Send + Sync + 'static) -> BotMaker {
        BotMaker { trial: Arc::new(trial), ..self }
    }

    /// The same maker, with this handicap for its bots.
    pub fn without(self, denied: Handicap) -> BotMaker {
        if denied.is_none() {
            return self;
        }
        let make = Arc::clone(&self.make);
        BotMaker { make: Arc::new(move || handicapped(make(), denied)), ..self }
    }

    /// Says that no game is played for now: programs that wait for one are ended. Others are started for the next.
    pub fn dismiss(&self) {
        (self.farewell)();
    }

    /// Starts the program that the bots need, if there is one; it then waits for its first game.
    ///
    /// # Errors
    /// It cannot be started: why, and the command as the user wrote it.
    pub fn try_out(&self) -> Result<(), String> {
        (self.trial)()
    }

    /// Makes a bot.
    pub fn make(&self) -> Box<dyn Bot> {
        (self.make)()
    }

    /// The ensemble whose seats it makes; it must be called before each stage.
    pub fn ensemble(&self) -> Option<&dyn Ensemble> {
        self.ensemble.as_deref()
    }

    /// Descriptions of the faults of the bots that this maker has made, in no particular order. Only makers
    /// of external programs have any: a shipped bot has no faults but illegal orders, which the game itself
    /// counts.
    pub fn incidents(&self) -> Vec<Incident> {
        (self.incidents)()
    }
}

impl fmt::Debug for BotMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BotMaker")
    }
}

impl From<BotKind> for BotMaker {
    fn from(kind: BotKind) -> BotMaker {
        BotMaker::new(kind.make)
    }
}

// The description of a bot that is an external program.

/// A program that plays, its time limits, and the resources that it may use. In the JSON of an experiment, values that
/// are not set are left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default, Serialize, Deserialize)]
pub struct Program {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The time limit for an answer, in milliseconds; with `None`, only [`Program::stall_ms`] applies.
    pub move_ms: Option<u64>,
    /// The longest permitted silence while an answer is awaited, in milliseconds.
    pub stall_ms: u64,
    /// What it may use of the machine, and what it finds there.
    #[serde(flatten)]
    pub guest: Guest,
    /// Does its author say that it always answers alike?
    #[serde(skip_serializing_if = "Repeats::is_no", default)]
    pub repeats: Repeats,
}

/// Does a bot answer alike when the same game is played again from the same seed?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum Repeats {
    /// Nobody says so: its orders are recorded.
    #[default]
    No,
    /// Its author declares that it does.
    Yes,
}

impl Repeats {
    fn is_no(&self) -> bool {
        *self == Repeats::No
    }
}

impl From<bool> for Repeats {
    fn from(repeats: bool) -> Repeats {
        if repeats { Repeats::Yes } else { Repeats::No }
    }
}

impl From<Repeats> for bool {
    fn from(repeats: Repeats) -> bool {
        repeats == Repeats::Yes
    }
}

/// The limits of a program together with all processes that it starts, and its environment. Values that are not set
/// have their defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default, Serialize, Deserialize)]
pub struct Guest {
    /// Memory of its own, in mebibytes; [`Guest::MEMORY_MB`] if not set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memory_mb: Option<u64>,
    /// Processor time, in seconds; without a limit if not set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cpu_s: Option<u64>,
    /// Processes; [`Guest::PROCESSES`] if not set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub processes: Option<u64>,
    /// The longest file that it may write, in mebibytes; [`Guest::FILE_MB`] if not set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file_mb: Option<u64>,
    /// The variables of this process's environment that it is passed besides those that every program is passed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub env: Vec<String>,
    /// The folder in which it is started; a new one of its own, which is removed afterwards, if not set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub folder: Option<String>,
}

impl Guest {
    /// Memory of a program that sets nothing, in mebibytes.
    pub const MEMORY_MB: u64 = 16_384;
    /// Processes of a program that sets nothing.
    pub const PROCESSES: u64 = 256;
    /// The longest file of a program that sets nothing, in mebibytes.
    pub const FILE_MB: u64 = 4096;
}
