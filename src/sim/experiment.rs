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
//! ```
//! Bots of one's own are described in sections `[bots.NAME]` ([`super::bots`]), and `[faults]` says what is done about a
//! bot that is at fault ([`super::faults`]).
//!
//! What variants and bots there are is the caller's to say: see [`Catalogue`].

mod roster;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toml::Spanned;

use super::bots::BotSection;
use super::faults::FaultRule;
use crate::bot::Pace;
use crate::diagnostic::table::{Table, parse};
use crate::diagnostic::{Diagnostic, Source, SourceError, one_line, suggest};
use crate::ids::{ByPower, Power};
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::rng;
pub(crate) use roster::Bots;

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
    /// The file's text as given.
    pub given: String,
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
            let seating = seating(&seats, bots)?;
            let games = games(root, overrides, &seating)?;
            Ok((seating, games, ()))
        })
        .map(|(experiment, ())| experiment)
    }

    /// Checks a file of this form whose seats and number of games are said by keys of its own: `own` are these keys, and
    /// `plan` reads them, and what else they say.
    pub(crate) fn check_parts<C: Catalogue, T>(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &C,
        own: &[&str],
        plan: impl FnOnce(&Table<'_>, &mut Bots<'_, C>) -> Result<(Seating, u32, T), ExperimentError>,
    ) -> Result<(Experiment, T), ExperimentError> {
        let parsed = parse(source)?;
        let root = Table::root(source, &parsed);
        let mut keys = vec!["name", "variants"];
        keys.extend(own);
        keys.extend(["bots", "faults", "seed", "last_year", "threads", "out", "log"]);
        root.allow(&keys)?;
        let name = name(&root)?;
        let variants = variants(&root, base, catalogue)?;
        let mut bots = Bots::new(&root, base, catalogue)?;
        let (seating, games, rest) = plan(&root, &mut bots)?;
        let seed = root.whole("seed", 0..=u64::MAX)?.map(Spanned::into_inner);
        let seed = overrides.seed.or(seed).ok_or_else(|| root.missing("seed", "seed = 1"))?;
        let last_year = last_year(&root, &variants)?;
        let threads = threads(&root, overrides)?;
        let out = out(&root, overrides)?;
        let (logging, faults) = (logging(&root)?, FaultRule::read(&root)?);
        let (bots, given) = (bots.met(), source.text().to_owned());
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
            given,
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
            "variants": self.variants.iter()
                .map(|v| json!({ "id": v.id, "first_year": v.first_year, "content": v.content }))
                .collect::<Vec<_>>(),
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

fn variants(
    root: &Table<'_>,
    base: &Path,
    catalogue: &impl Catalogue,
) -> Result<Vec<VariantEntry>, Diagnostic> {
    let list =
        root.texts("variants")?.ok_or_else(|| root.missing("variants", "variants = [\"standard\"]"))?;
    if list.get_ref().is_empty() {
        return Err(root.fault(
            list.span(),
            format!("`variants` is empty; name one at least: {}", catalogue.variants().join(", ")),
        ));
    }
    let mut entries: Vec<VariantEntry> = Vec::new();
    for name in list.get_ref() {
        let entry = catalogue.variant(name.get_ref(), base).map_err(|error| {
            unusable(root, name.span(), "variant", name.get_ref(), error, &catalogue.variants())
        })?;
        if !is_plain(&entry.id) {
            return Err(root.fault(
                name.span(),
                format!(
                    "variant `{}` has the id `{}`, which becomes a folder's name: letters, digits, `-`, `_` \
                     and `.` only",
                    name.get_ref(),
                    entry.id
                ),
            ));
        }
        if entries.iter().any(|other| other.id == entry.id) {
            return Err(root.fault(
                name.span(),
                format!("variant `{}` is listed twice; list each once and set `games` instead", entry.id),
            ));
        }
        entries.push(entry);
    }
    Ok(entries)
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

fn seating<C: Catalogue>(seats: &Table<'_>, bots: &mut Bots<'_, C>) -> Result<Seating, Diagnostic> {
    let powers = Power::ALL.map(Power::name);
    let mut allowed = vec!["all", "lineup", "rotate"];
    allowed.extend(powers);
    seats.allow(&allowed)?;
    let ways: Vec<_> = [("all", seats.key("all")), ("lineup", seats.key("lineup"))]
        .into_iter()
        .chain(powers.map(|p| ("a power", seats.key(p))).into_iter().find(|(_, key)| key.is_some()))
        .filter_map(|(way, span)| Some((way, span?)))
        .collect();
    let (way, place) = match ways.as_slice() {
        [] => {
            return Err(seats.fault(
                seats.span(),
                "`seats` is empty; write `all = \"greedy\"`, or a bot for each of the seven powers, or \
                 `lineup = [..]` with seven bots",
            ));
        }
        [one] => one.clone(),
        [first, second, ..] => {
            return Err(seats.fault(
                second.1.clone(),
                format!(
                    "`seats` has both {} and {}; keep one of: `all`, the seven powers, `lineup`",
                    first.0, second.0
                ),
            ));
        }
    };
    let rotate = seats.truth("rotate")?;
    if let (Some(rotate), true) = (&rotate, way != "lineup") {
        let message = "`seats.rotate` needs a `lineup` of seven bots to rotate";
        return Err(seats.fault(rotate.span(), message));
    }
    match way {
        "all" => {
            let name = seats.text("all")?.ok_or_else(|| seats.missing("all", "all = \"greedy\""))?;
            let bot = bots.index(seats, &name)?;
            Ok(Seating::Fixed(ByPower([bot; Power::COUNT])))
        }
        "lineup" => {
            let list = seats.texts("lineup")?.unwrap_or(Spanned::new(place, Vec::new()));
            let mut indices = Vec::new();
            for name in list.get_ref() {
                indices.push(bots.index(seats, name)?);
            }
            let line_up: [usize; Power::COUNT] = indices.try_into().map_err(|indices: Vec<usize>| {
                seats
                    .fault(list.span(), format!("`seats.lineup` must name seven bots, not {}", indices.len()))
            })?;
            Ok(match rotate.is_none_or(Spanned::into_inner) {
                true => Seating::Rotated(line_up.into()),
                false => Seating::Fixed(ByPower(line_up)),
            })
        }
        _ => {
            let missing: Vec<_> = powers.into_iter().filter(|p| seats.key(p).is_none()).collect();
            if !missing.is_empty() {
                let message = format!("`seats` has no bot for {}; add them", missing.join(", "));
                return Err(seats.fault(seats.span(), message));
            }
            let mut by_power = ByPower([0; Power::COUNT]);
            for power in Power::ALL {
                if let Some(name) = seats.text(power.name())? {
                    by_power[power] = bots.index(seats, &name)?;
                }
            }
            Ok(Seating::Fixed(by_power))
        }
    }
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
            "{games} games are no whole number of blocks: a line-up has {block} rotations; take {near}"
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
