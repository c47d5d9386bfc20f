//! Experiment files: TOML in, a checked [`Experiment`] out, and its canonical form and hash.
//!
//! ```toml
//! name = "holes"
//! variants = ["standard", "black-hole"]   # names, or paths of variant files beside this one
//! games = 700                             # for each variant
//! seed = 1
//! last_year = 1930
//! threads = 0                             # 0: one per core
//! out = "results"
//! log.orders = false
//!
//! [seats]
//! all = "greedy"                          # or AUSTRIA = "random" …, or a line-up, of seven bots for seven powers:
//! # lineup = ["search", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy"]
//! # rotate = true                         # each block of as many games has every seat rotation
//! # lineups = [[…], […]]                  # several: every block plays all of them, in rotation or in fixed seats
//! # shuffle = true                        # the order of the seats of a line-up is drawn for each block
//! ```
//! A variant can be played with parameters set or swept: `[parameters]` and `[[sweep]]` make the experiment's *arms*
//! (`experiment/arms.rs`). Values of the caller ([`Overrides`]) take the place of the file's.
//!
//! A user's own bots are described in sections `[bots.NAME]` ([`super::bots`]), and `[faults]` gives the policy for
//! bots that are at fault ([`super::faults`]).
//!
//! The caller provides the available variants and bots: see [`Catalogue`] and [`super::Registry`]. An experiment owns
//! its variants and the makers of its bots, so its games can be played with it alone.

mod arms;
mod catalogue;
mod error;
pub(crate) mod plain;
mod roster;
mod seating;
mod seats;
mod space;
mod terms;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;

use super::faults::FaultRule;
use super::resolved::{Arm, ResolvedBot, ResolvedExperiment};
use crate::sim::shard::Shard;
pub use catalogue::{BotEntry, BotOrigin, BotSource, Catalogue, LookupError, Swept, VariantEntry};
pub use error::{ExperimentError, Override};
use plain::is_plain;
pub use roster::Bots;
pub use seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
pub use seats::order_alone;
pub use space::{Dimension, Space};
pub use terms::{ChoiceCounting, MapLog, RunOptions};
use upheaval_engine::bot::{BotMaker, Repeats};
use upheaval_engine::diagnostic::table::{Table, parse};
use upheaval_engine::diagnostic::{Diagnostic, Source};
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::PowerNames;

/// The most threads that may be asked for: a larger number is a mistake.
const MOST_THREADS: u64 = 1024;

/// Is each order recorded?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logging {
    /// All tables but `orders`.
    WithoutOrders,
    /// `orders` too.
    WithOrders,
}

/// Values of the caller that take the place of the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The root seed.
    pub seed: Option<u64>,
    /// Games of each arm.
    pub games: Option<u32>,
    /// Threads; 0 for one per core.
    pub threads: Option<usize>,
    /// The folder for the run folder.
    pub out: Option<PathBuf>,
    /// The shard of the run that is to be played.
    pub shard: Option<Shard>,
    /// Keys of the file, each `KEY=VALUE` ([`Source::with`]).
    pub set: Vec<String>,
    /// The one arm that is to be played: a value for each swept parameter, and for `variant` where there are several.
    /// Values that do not apply to the variant are ignored.
    pub pick: Option<Vec<Setting>>,
    /// How to treat arms whose ids are too long for the name of a folder.
    pub long_ids: LongIds,
    /// The share of its games in which a bot may fail, in place of the file's; 1 where no failure stops a run.
    pub share: Option<f64>,
}

/// How to treat arms whose ids are too long for the name of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongIds {
    /// The file is refused.
    #[default]
    Refused,
    /// Their ids are the variant's with a number: for games that are not written into a folder for each arm.
    Numbered,
}

/// A checked experiment: what determines its result, and the means to play it here.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Everything that determines the result, in the form of its run folder. Only this part is hashed.
    pub resolved: ResolvedExperiment,
    /// The rules of each of its arms.
    pub variants: Vec<Arc<Variant>>,
    /// The makers of its bots.
    pub bots: Vec<BotSource>,
    /// Threads, 0 for one per core.
    pub threads: usize,
    /// The folder for the run folder.
    pub out: PathBuf,
    /// The piece of the run that is to be played, or the whole run.
    pub shard: Option<Shard>,
    /// The file's text as given.
    pub given: String,
    /// The settings that the caller has changed in the file, each `KEY=VALUE`. Their effect is part of the hash.
    pub set: Vec<String>,
}

impl Experiment {
    /// The experiment with these variants, bots and games. It has no optional records, rules about decided games or
    /// question, answers faults of bots by the default policy, and is played in one piece, by a thread for each core,
    /// into a folder below the current one.
    ///
    /// # Panics
    /// A seat has a bot that is not in the list.
    pub fn new(
        name: String,
        variants: Vec<VariantEntry>,
        bots: Vec<BotEntry>,
        seating: Seating,
        games: u32,
        seed: u64,
        last_year: u16,
    ) -> Experiment {
        let power_names = variants.first().map_or_else(PowerNames::standard, |arm| arm.power_names().clone());
        let (rules, arms) =
            variants.into_iter().map(|entry| (Arc::clone(&entry.variant), Arm::from(entry))).unzip();
        let (named, bots) = bots.into_iter().map(BotEntry::split).unzip();
        Experiment {
            resolved: ResolvedExperiment::new(
                name,
                (power_names, arms),
                named,
                seating,
                games,
                seed,
                last_year,
            ),
            variants: rules,
            bots,
            threads: 0,
            out: PathBuf::new(),
            shard: None,
            given: String::new(),
            set: Vec::new(),
        }
    }

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
        Experiment::check_parts(source, base, overrides, catalogue, &own, |root, bots, powers| {
            let seats =
                root.table("seats")?.ok_or_else(|| root.missing("seats", "seats.all = \"greedy\""))?;
            let seating = seats::read(&seats, bots, powers)?;
            let games = games(root, overrides, &seating)?;
            Ok((seating, games, ()))
        })
        .map(|(experiment, ())| experiment)
    }

    /// Checks a file whose seats and number of games are given by other keys: `own` are these keys, and `plan` reads
    /// them for a board with these powers.
    pub fn check_parts<C: Catalogue, T>(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &C,
        own: &[&str],
        plan: impl FnOnce(&Table<'_>, &mut Bots<'_, C>, &PowerNames) -> Result<(Seating, u32, T), ExperimentError>,
    ) -> Result<(Experiment, T), ExperimentError> {
        let source = &source.with(&overrides.set)?;
        let parsed = parse(source)?;
        let root = Table::root(source, &parsed);
        let mut keys = vec!["name", "variants", "parameters", "sweep", "skip"];
        keys.extend(own);
        keys.extend(["bots", "faults", "seed", "last_year", "threads", "out", "log", "stop"]);
        root.allow(&keys)?;
        let name = name(&root)?;
        let (variants, power_names) = arms::read(&root, base, catalogue, overrides)?;
        let mut bots = Bots::new(&root, base, catalogue)?;
        let (seating, games, rest) = plan(&root, &mut bots, &power_names)?;
        let seed = root.whole("seed", 0..=u64::MAX)?.map(Spanned::into_inner);
        let seed = overrides.seed.or(seed).ok_or_else(|| root.missing("seed", "seed = 1"))?;
        let last_year = last_year(&root, &variants)?;
        let threads = threads(&root, overrides)?;
        let out = out(&root, overrides)?;
        let (logging, terms, mut faults) =
            (logging(&root)?, RunOptions::read(&root)?, FaultRule::read(&root)?);
        faults.share = overrides.share.unwrap_or(faults.share);
        let mut experiment = Experiment {
            threads,
            out,
            shard: overrides.shard.clone(),
            given: source.given().to_owned(),
            set: overrides.set.clone(),
            ..Experiment::new(name, variants, bots.met(), seating, games, seed, last_year)
        };
        // Without its orders no game of a bot that may answer differently could be shown again.
        let logging = if experiment.is_repeatable() { logging } else { Logging::WithOrders };
        let resolved = &mut experiment.resolved;
        (resolved.log, resolved.stop, resolved.faults) = ((logging, terms).into(), terms.stop, faults);
        Ok((experiment, rest))
    }

    /// The subject of a file's sweeps, without the arms that they produce, of which there may be too many. Paths in the
    /// file start at `base`.
    ///
    /// # Errors
    /// Variants, parameters or sweeps have a fault.
    pub fn space(
        source: &Source,
        base: &Path,
        set: &[String],
        catalogue: &impl Catalogue,
    ) -> Result<Space, ExperimentError> {
        let source = &source.with(set)?;
        let parsed = parse(source)?;
        Ok(arms::space(&Table::root(source, &parsed), base, catalogue)?)
    }

    /// Its bots, each with its maker.
    pub(crate) fn makers(&self) -> impl Iterator<Item = (&ResolvedBot, &BotMaker)> {
        self.resolved.bots.iter().zip(&self.bots).map(|(bot, source)| (bot, &source.maker))
    }

    /// Does the result depend on the experiment alone? It does not where a bot is not declared to repeat its answers.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.varying().next().is_none()
    }

    /// The bots that nobody declares to repeat their answers: their orders are recorded.
    pub(crate) fn varying(&self) -> impl Iterator<Item = &ResolvedBot> {
        let bots = self.resolved.bots.iter().zip(&self.bots);
        bots.filter(|(_, source)| source.origin == BotOrigin::Guest(Repeats::No)).map(|(bot, _)| bot)
    }
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

fn games(root: &Table<'_>, overrides: &Overrides, seating: &Seating) -> Result<u32, ExperimentError> {
    let block = seating.block();
    let whole_blocks = |games: u32| {
        if games.is_multiple_of(block) {
            return Ok(games);
        }
        let (below, above) = (games / block * block, games.div_ceil(block).saturating_mul(block));
        let near = if below == 0 { format!("{above}") } else { format!("{below} or {above}") };
        Err(format!(
            "{games} games are not a whole number of blocks: {}; take {near}",
            match (block, u32::from(seating.rotations())) {
                (block, rotations) if block <= rotations => format!("a line-up has {block} rotations"),
                (block, 1) => format!("each of {block} line-ups plays a game"),
                (block, rotations) =>
                    format!("{} line-ups in {rotations} rotations are {block} games", block / rotations),
            }
        ))
    };
    let most = u64::from(u32::MAX / block * block);
    let given = root.whole("games", 1..=most)?;
    let argument = |message| ExperimentError::Override { of: Override::Games, message };
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
    match variants.iter().find(|v| v.first_year() > last) {
        None => Ok(last),
        Some(v) => Err(root.fault(
            year.span(),
            format!("`last_year` {last} is before `{}` starts: take {} or later", v.id(), v.first_year()),
        )),
    }
}

fn threads(root: &Table<'_>, overrides: &Overrides) -> Result<usize, ExperimentError> {
    let given = root.whole("threads", 0..=MOST_THREADS)?.map_or(0, Spanned::into_inner);
    match overrides.threads {
        None => Ok(given as usize),
        Some(threads) if threads as u64 <= MOST_THREADS => Ok(threads),
        Some(threads) => Err(ExperimentError::Override {
            of: Override::Threads,
            message: format!("{threads} threads are more than {MOST_THREADS}; 0 takes one per core"),
        }),
    }
}

fn out(root: &Table<'_>, overrides: &Overrides) -> Result<PathBuf, ExperimentError> {
    let given = root.text("out")?;
    match (&overrides.out, given) {
        (Some(out), _) if out.as_os_str().is_empty() => Err(ExperimentError::Override {
            of: Override::Out,
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
    log.allow(&["orders", "choices", "maps"])?;
    Ok(match log.truth("orders")?.is_some_and(Spanned::into_inner) {
        true => Logging::WithOrders,
        false => Logging::WithoutOrders,
    })
}

#[cfg(test)]
mod tests;
