//! Experiment files: TOML in, a checked [`Experiment`] out, and its canonical form and hash.
//!
//! ```toml
//! name = "holes"
//! variants = ["standard", "black-hole"]   # names, or paths of variant files beside this one
//! games = 700                             # for each variant
//! seed = 1
//! last_year = 1930
//! threads = 0                             # 0: one a core
//! out = "results"
//! log.orders = false
//!
//! [seats]
//! all = "greedy"                          # or AUSTRIA = "random" …, or a line-up of seven:
//! # lineup = ["search", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy"]
//! # rotate = true                         # each block of seven games has every seat rotation
//! # lineups = [[…], […]]                  # several: every block plays all of them
//! ```
//! A variant can be played with parameters set or swept: `[parameters]` and `[[sweep]]` make the experiment's *arms*
//! (`experiment/arms.rs`). Values of the command line take the place of the file's ([`upheaval_engine::diagnostic::settings`]).
//!
//! Bots of one's own are described in sections `[bots.NAME]` ([`super::bots`]), and `[faults]` says what is done about a
//! bot that is at fault ([`super::faults`]).
//!
//! What variants and bots there are is the caller's to say: see [`Catalogue`].

mod arms;
mod roster;
mod seats;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toml::Spanned;

use super::bots::BotSection;
use super::faults::FaultRule;
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::sim::shard::Shard;
pub use roster::Bots;
use upheaval_engine::bot::Pace;
use upheaval_engine::diagnostic::table::{Table, parse};
use upheaval_engine::diagnostic::{Diagnostic, Source, SourceError, one_line, suggest};
use upheaval_engine::rules::variant::Files;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng;

/// The most threads that may be asked for: a number beyond it is a slip.
const MOST_THREADS: u64 = 1024;

/// A variant that an experiment plays.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantEntry {
    /// Its name in tables and folders.
    pub id: String,
    /// The year its games start in.
    pub first_year: u16,
    /// Everything that decides how it plays: rules, parameters, map. Part of the experiment's hash.
    pub content: Value,
    /// Which variant it is with which parameters set, if it is an arm of a sweep.
    pub arm: Option<Arm>,
    /// The files it is made of: whoever has them can play its games. What of them decides anything is in the content.
    pub files: Files,
}

/// What an arm of a sweep is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The id of the variant that is swept.
    pub base: String,
    /// The parameters, in the order of the sweeps.
    pub parameters: Vec<Setting>,
}

/// A bot that an experiment seats.
#[derive(Clone, Debug, PartialEq)]
pub struct BotEntry {
    /// Its name in tables.
    pub name: String,
    /// Is it a part of this program?
    pub origin: BotOrigin,
    /// Everything that decides how it plays. Part of the experiment's hash.
    pub content: Value,
    /// How long its games take. No part of the hash by itself: it follows from what the bot is.
    pub pace: Pace,
}

/// Where a bot comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotOrigin {
    /// It is a part of this program.
    Shipped,
    /// It is a program of its own, with as much time as the watchdog leaves it.
    Program,
    /// It is a program of its own under a move clock: whether it is late differs from run to run.
    ProgramOnClock,
}

/// Why a name gave no variant or bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupError {
    /// There is none of this name.
    Unknown,
    /// There is one, but it cannot be used, and why.
    Unusable(String),
}

/// What variants and bots there are.
pub trait Catalogue {
    /// The names of the variants that ship, for messages.
    fn variants(&self) -> Vec<String>;
    /// The variant of a name or path; paths start at `base`, the experiment file's folder.
    fn variant(&self, name: &str, base: &Path) -> Result<VariantEntry, LookupError>;
    /// Does this variant have a parameter? Asked of variants that were found.
    fn has_parameter(&self, _name: &str, _base: &Path, _parameter: &str) -> bool {
        false
    }
    /// The variant of a name or path with these parameters set, under this id.
    fn variant_with(
        &self,
        _name: &str,
        _base: &Path,
        _id: &str,
        _settings: &[Setting],
    ) -> Result<VariantEntry, LookupError> {
        Err(LookupError::Unusable("variants have no parameters here".to_owned()))
    }
    /// The names of the bots, for messages.
    fn bots(&self) -> Vec<String>;
    /// The bot of a name; paths start at `base`.
    fn bot(&self, name: &str, base: &Path) -> Result<BotEntry, LookupError>;
    /// The bot that a section `[bots.NAME]` describes; paths start at `base`.
    fn described(&self, _section: &BotSection, _base: &Path) -> Result<BotEntry, LookupError> {
        Err(LookupError::Unusable("there are no bots of one's own here".to_owned()))
    }
}

/// Who plays which power. The numbers are indices into [`Experiment::bots`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seating {
    /// The same in every game.
    Fixed(ByPower<usize>),
    /// Line-ups that move on by one seat from game to game, all rotations under the nature of one block.
    Rotated(LineUps),
}

/// Seven bots, the first for AUSTRIA in the first rotation.
pub type LineUp = [usize; Power::COUNT];

/// The line-ups of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUps {
    /// The line-ups; one at least.
    pub list: Vec<LineUp>,
    /// Which of them a block plays.
    pub deal: Deal,
}

/// Which line-ups a block plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deal {
    /// All, one after the other: they meet the same natures.
    EveryBlock,
    /// The next one, and after the last the first again.
    InTurn,
}

impl From<LineUp> for LineUps {
    fn from(line_up: LineUp) -> LineUps {
        LineUps { list: vec![line_up], deal: Deal::EveryBlock }
    }
}

impl Seating {
    /// In how many ways a line-up is seated.
    pub const fn rotations(&self) -> u8 {
        match self {
            Seating::Fixed(_) => 1,
            Seating::Rotated(_) => Power::COUNT as u8,
        }
    }

    /// How many games make a block.
    pub fn block(&self) -> u32 {
        match self {
            Seating::Rotated(LineUps { list, deal: Deal::EveryBlock }) => (list.len() * Power::COUNT) as u32,
            _ => u32::from(self.rotations()),
        }
    }
}

/// Whether each order is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logging {
    /// All tables but `orders`.
    WithoutOrders,
    /// `orders` too.
    WithOrders,
}

/// What a command line says in place of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--seed`
    pub seed: Option<u64>,
    /// `--games`
    pub games: Option<u32>,
    /// `--threads`
    pub threads: Option<usize>,
    /// `--out`
    pub out: Option<PathBuf>,
    /// `--shard`
    pub shard: Option<Shard>,
    /// `--set`, each `KEY=VALUE`
    pub set: Vec<String>,
}

/// A checked experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, which starts the run folder's.
    pub name: String,
    /// The variants, each played `games` times.
    pub variants: Vec<VariantEntry>,
    /// The bots that are seated, each once, in the order in which the file first names them.
    pub bots: Vec<BotEntry>,
    /// Who plays which power.
    pub seating: Seating,
    /// Games of each variant.
    pub games: u32,
    /// The root seed.
    pub seed: u64,
    /// The last year to be played.
    pub last_year: u16,
    /// Whether orders are recorded.
    pub logging: Logging,
    /// What is done about bots that are at fault.
    pub faults: FaultRule,
    /// Threads, 0 for one a core. No part of the hash.
    pub threads: usize,
    /// The folder in which the run folder is made. No part of the hash.
    pub out: PathBuf,
    /// The piece of the run that is to be played; all of it if there is none. No part of the hash.
    pub shard: Option<Shard>,
    /// The file's text as given.
    pub given: String,
    /// What the command line has set in the file, each `KEY=VALUE`. Part of the hash by what it does.
    pub set: Vec<String>,
}

/// Why there is no experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file has a fault.
    #[error(transparent)]
    Fault(#[from] Diagnostic),
    /// An argument has one.
    #[error("{flag}: {message}")]
    Argument {
        /// The flag.
        flag: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
}

impl Experiment {
    /// Reads and checks an experiment file.
    pub fn read(
        path: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<Experiment, ExperimentError> {
        let source = Source::read(path)?;
        Experiment::check(&source, path.parent().unwrap_or(Path::new("")), overrides, catalogue)
    }

    /// Checks the text of an experiment file whose paths start at `base`.
    pub fn check(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<Experiment, ExperimentError> {
        let own = ["seats", "games"];
        Experiment::check_parts(source, base, overrides, catalogue, &own, |root, bots| {
            let seats =
                root.table("seats")?.ok_or_else(|| root.missing("seats", "seats.all = \"greedy\""))?;
            let seating = seats::read(&seats, bots)?;
            let games = games(root, overrides, &seating)?;
            Ok((seating, games, ()))
        })
        .map(|(experiment, ())| experiment)
    }

    /// Checks a file of this form whose seats and number of games are said by keys of its own: `own` are these keys, and
    /// `plan` reads them, and what else they say.
    pub fn check_parts<C: Catalogue, T>(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &C,
        own: &[&str],
        plan: impl FnOnce(&Table<'_>, &mut Bots<'_, C>) -> Result<(Seating, u32, T), ExperimentError>,
    ) -> Result<(Experiment, T), ExperimentError> {
        let source = &source.with(&overrides.set)?;
        let parsed = parse(source)?;
        let root = Table::root(source, &parsed);
        let mut keys = vec!["name", "variants", "parameters", "sweep"];
        keys.extend(own);
        keys.extend(["bots", "faults", "seed", "last_year", "threads", "out", "log"]);
        root.allow(&keys)?;
        let name = name(&root)?;
        let variants = arms::read(&root, base, catalogue)?;
        let mut bots = Bots::new(&root, base, catalogue)?;
        let (seating, games, rest) = plan(&root, &mut bots)?;
        let seed = root.whole("seed", 0..=u64::MAX)?.map(Spanned::into_inner);
        let seed = overrides.seed.or(seed).ok_or_else(|| root.missing("seed", "seed = 1"))?;
        let last_year = last_year(&root, &variants)?;
        let threads = threads(&root, overrides)?;
        let out = out(&root, overrides)?;
        let (logging, faults) = (logging(&root)?, FaultRule::read(&root)?);
        let (bots, given) = (bots.met(), source.given().to_owned());
        let experiment = Experiment {
            name,
            variants,
            bots,
            seating,
            games,
            seed,
            last_year,
            logging,
            faults,
            threads,
            out,
            shard: overrides.shard,
            given,
            set: overrides.set.clone(),
        };
        Ok((experiment, rest))
    }

    /// Everything that decides what a run gives, and nothing else, as JSON: keys sorted, two blanks to a
    /// level, a newline at the end. Threads and output folder are no part of it.
    pub fn resolved(&self) -> String {
        let bot = |i: &usize| self.bots[*i].name.as_str();
        let seats = match &self.seating {
            Seating::Fixed(seats) => {
                seats.iter().map(|(p, i)| (p.name().to_owned(), Value::from(bot(i)))).collect()
            }
            Seating::Rotated(LineUps { list, deal }) => {
                let named = |line_up: &LineUp| line_up.iter().map(bot).collect::<Vec<_>>();
                match (list.as_slice(), deal) {
                    ([line_up], _) => json!({ "lineup": named(line_up) }),
                    (all, Deal::EveryBlock) => {
                        json!({ "each_block": "all", "lineups": all.iter().map(named).collect::<Vec<_>>() })
                    }
                    (all, Deal::InTurn) => {
                        json!({ "each_block": "next", "lineups": all.iter().map(named).collect::<Vec<_>>() })
                    }
                }
            }
        };
        let value = json!({
            "behaviour_version": BEHAVIOUR_VERSION,
            "schema_version": SCHEMA_VERSION,
            "rng": { "algorithm": rng::ALGORITHM, "derivation_version": rng::DERIVATION_VERSION },
            "name": self.name,
            "seed": self.seed,
            "games": self.games,
            "last_year": self.last_year,
            "log": { "orders": self.logging == Logging::WithOrders },
            "seats": seats,
            "faults": self.faults.content(),
            "bots": self.bots.iter()
                .map(|b| json!({ "name": b.name, "content": b.content })).collect::<Vec<_>>(),
            "variants": self.variants.iter().map(VariantEntry::resolved).collect::<Vec<_>>(),
        });
        format!("{:#}\n", sorted(&value))
    }

    /// Does the result depend on the experiment alone? Not where a bot plays under a clock.
    pub fn is_repeatable(&self) -> bool {
        self.bots.iter().all(|bot| bot.origin != BotOrigin::ProgramOnClock)
    }

    /// The experiment's hash: BLAKE3 of [`Experiment::resolved`] in hexadecimal digits.
    pub fn hash(&self) -> String {
        blake3::hash(self.resolved().as_bytes()).to_hex().to_string()
    }
}

impl VariantEntry {
    /// Its part of an experiment's canonical form.
    fn resolved(&self) -> Value {
        let mut value = json!({ "id": self.id, "first_year": self.first_year, "content": self.content });
        if let Some(Arm { base, parameters }) = &self.arm {
            let parameters = parameters.iter().map(|set| (set.parameter.clone(), json!(set.value))).collect();
            value["base"] = base.as_str().into();
            value["parameters"] = Value::Object(parameters);
        }
        value
    }
}

/// The same value with the keys of every object in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let keys: BTreeMap<&String, &Value> = map.iter().collect();
            Value::Object(keys.into_iter().map(|(key, value)| (key.clone(), sorted(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// May the text be part of a folder's name on every system?
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && !text.starts_with(['.', '-'])
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

fn name(root: &Table<'_>) -> Result<String, Diagnostic> {
    let name = root.text("name")?.ok_or_else(|| root.missing("name", "name = \"first-try\""))?;
    if is_plain(name.get_ref()) {
        return Ok((*name.get_ref()).to_owned());
    }
    Err(root.fault(
        name.span(),
        "`name` becomes a folder's name: 1 to 64 letters, digits, `-`, `_` or `.`, a letter or digit first",
    ))
}

fn unusable(
    root: &Table<'_>,
    span: Range<usize>,
    what: &str,
    name: &str,
    error: LookupError,
    known: &[String],
) -> Diagnostic {
    let message = match error {
        LookupError::Unknown => {
            format!("unknown {what} `{name}`; {}", suggest(name, known.iter().map(String::as_str)))
        }
        LookupError::Unusable(why) => format!("{what} `{name}` cannot be used: {}", one_line(&why)),
    };
    root.fault(span, message)
}

fn games(root: &Table<'_>, overrides: &Overrides, seating: &Seating) -> Result<u32, ExperimentError> {
    let block = seating.block();
    let whole_blocks = |games: u32| {
        if games.is_multiple_of(block) {
            return Ok(games);
        }
        let (below, above) = (games / block * block, games.div_ceil(block).saturating_mul(block));
        let near = if below == 0 { format!("{above}") } else { format!("{below} or {above}") };
        Err(format!(
            "{games} games are no whole number of blocks: {}; take {near}",
            match block / Power::COUNT as u32 {
                0 | 1 => format!("a line-up has {block} rotations"),
                line_ups => format!("{line_ups} line-ups in {} rotations are {block} games", Power::COUNT),
            }
        ))
    };
    let most = u64::from(u32::MAX / block * block);
    let given = root.whole("games", 1..=most)?;
    let argument = |message| ExperimentError::Argument { flag: "--games", message };
    match (overrides.games, given) {
        (Some(0), _) => Err(argument("at least 1 game".to_owned())),
        (Some(games), _) => whole_blocks(games).map_err(argument),
        (None, Some(games)) => {
            let span = games.span();
            let games = u32::try_from(games.into_inner()).unwrap_or(u32::MAX);
            whole_blocks(games).map_err(|message| root.fault(span, message).into())
        }
        (None, None) => Err(root.missing("games", "games = 700").into()),
    }
}

fn last_year(root: &Table<'_>, variants: &[VariantEntry]) -> Result<u16, Diagnostic> {
    let year =
        root.whole("last_year", 1..=9999)?.ok_or_else(|| root.missing("last_year", "last_year = 1930"))?;
    let last = u16::try_from(*year.get_ref()).unwrap_or(u16::MAX);
    match variants.iter().find(|v| v.first_year > last) {
        None => Ok(last),
        Some(v) => Err(root.fault(
            year.span(),
            format!("`last_year` {last} is before `{}` starts: take {} or later", v.id, v.first_year),
        )),
    }
}

fn threads(root: &Table<'_>, overrides: &Overrides) -> Result<usize, ExperimentError> {
    let given = root.whole("threads", 0..=MOST_THREADS)?.map_or(0, Spanned::into_inner);
    match overrides.threads {
        None => Ok(given as usize),
        Some(threads) if threads as u64 <= MOST_THREADS => Ok(threads),
        Some(threads) => Err(ExperimentError::Argument {
            flag: "--threads",
            message: format!("{threads} threads are more than {MOST_THREADS}; 0 takes one a core"),
        }),
    }
}

fn out(root: &Table<'_>, overrides: &Overrides) -> Result<PathBuf, ExperimentError> {
    let given = root.text("out")?;
    match (&overrides.out, given) {
        (Some(out), _) if out.as_os_str().is_empty() => Err(ExperimentError::Argument {
            flag: "--out",
            message: "the folder's name is empty; `.` is this folder".to_owned(),
        }),
        (Some(out), _) => Ok(out.clone()),
        (None, Some(out)) if out.get_ref().is_empty() => {
            Err(root.fault(out.span(), "`out` is empty; write a folder such as `out = \"results\"`").into())
        }
        (None, Some(out)) => Ok(PathBuf::from(out.into_inner())),
        (None, None) => Ok(PathBuf::from("results")),
    }
}

fn logging(root: &Table<'_>) -> Result<Logging, Diagnostic> {
    let Some(log) = root.table("log")? else { return Ok(Logging::WithoutOrders) };
    log.allow(&["orders"])?;
    Ok(match log.truth("orders")?.is_some_and(Spanned::into_inner) {
        true => Logging::WithOrders,
        false => Logging::WithoutOrders,
    })
}

#[cfg(test)]
mod tests;
