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
mod file;
mod seats;
mod sweeps;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::faults::{FaultRule, USUAL_SHARE};
use super::resolved::{Arm, ResolvedBot, ResolvedExperiment, ResolvedRng, ResolvedSeats, RunLog};
use super::seating::Seating;
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::sim::shard::Shard;
pub(in crate::sim) use catalogue::PLAIN;
pub(crate) use catalogue::is_plain;
pub use catalogue::{BotEntry, BotOrigin, BotSource, Bots, Catalogue, LookupError, Swept, VariantEntry};
use file::ExperimentKeys;
#[cfg(feature = "schema")]
pub use file::schema;
#[cfg(feature = "schema")]
pub(in crate::sim) use file::schema_with;
pub use file::{RunKeys, SeatOrderKeys, SweepKeys};
pub use sweeps::{Dimension, Space};
use upheaval_engine::bot::{BotMaker, Repeats};
use upheaval_engine::diagnostic::value::{Decimal, Placed, Whole};
use upheaval_engine::diagnostic::{Diagnostic, Faults, Form, Place, Source, SourceError};
use upheaval_engine::game::{StopLead, StopRule};
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::PowerNames;
use upheaval_map::rng;

/// Why an experiment file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file has faults, or a value that the caller gives in place of the file's.
    #[error(transparent)]
    Faults(#[from] Faults),
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
        let (named, bots): (Vec<_>, _) = bots.into_iter().map(BotEntry::split).unzip();
        Experiment {
            resolved: ResolvedExperiment {
                behaviour_version: BEHAVIOUR_VERSION,
                schema_version: SCHEMA_VERSION,
                rng: ResolvedRng {
                    algorithm: rng::ALGORITHM.to_owned(),
                    derivation_version: rng::DERIVATION_VERSION,
                },
                name,
                seed,
                games,
                last_year,
                log: RunLog::default(),
                stop: StopRule::default(),
                sequential: None,
                seats: ResolvedSeats::new(&seating, &named, &power_names),
                faults: FaultRule::default(),
                share: USUAL_SHARE,
                bots: named,
                variants: arms,
                seating,
                power_names,
            },
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
        let argument = overrides.games.map(|games| Argument { name: "games", key: "games", value: games });
        let plan = |asked: &mut Asked<'_, '_, _>, own: ExperimentKeys| {
            let seating = seats::read(asked.form, &own.seats, &mut asked.bots, asked.powers);
            let games = games(asked.form, &own.games, seating.as_ref()?)?;
            Some((seating?, games, ()))
        };
        Experiment::check_parts(source, base, overrides, argument, catalogue, plan)
            .map(|(experiment, ())| experiment)
    }

    /// Checks a file whose seats and number of games are given by keys of its own, `K`. `plan` reads them; `argument` is
    /// the caller's number in place of the file's.
    pub fn check_parts<C: Catalogue, K: DeserializeOwned, T>(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        argument: Option<Argument>,
        catalogue: &C,
        plan: impl FnOnce(&mut Asked<'_, '_, C>, K) -> Option<(Seating, u32, T)>,
    ) -> Result<(Experiment, T), ExperimentError> {
        let source = &overrides.applied(source, argument)?;
        let mut form = Form::new(source, file::example)?;
        let keys = form.read_both::<RunKeys, K>();
        let checked = keys.and_then(|(run, own)| {
            let variants = arms::variants(&form, &run, base, catalogue);
            let powers = variants.powers();
            let mut asked =
                Asked { form: &form, run: &run, powers, bots: Bots::new(&form, &run, base, catalogue) };
            let plan = plan(&mut asked, own);
            let bots = asked.bots.met();
            let name = name(&form, &run.name);
            let out = out(&form, &run, overrides);
            let stop = stop(&form, &run);
            let faults = FaultRule::read(&form, run.faults.as_ref());
            let reader = arms::Reader { form: &form, run: &run, base, catalogue, variants: &variants };
            let arms = reader.arms(overrides);
            let last_year = last_year(&form, &run, &variants);
            let (seating, games, rest) = plan.filter(|_| form.faults() == 0)?;
            let threads = run.threads.map_or(0, |threads| threads.small() as usize);
            let (name, seed, last_year) = (name?, run.seed.get(), last_year?);
            let mut experiment = Experiment {
                threads,
                out: out?,
                shard: overrides.shard.clone(),
                given: source.given().to_owned(),
                set: overrides.set.clone(),
                ..Experiment::new(name, arms?, bots, seating, games, seed, last_year)
            };
            // Without its orders no game of a bot that may answer differently could be shown again.
            let log = RunLog { orders: run.log.orders || !experiment.is_repeatable(), ..run.log };
            let share = run.faults.as_ref().and_then(|keys| keys.share).map(Decimal::get);
            let resolved = &mut experiment.resolved;
            (resolved.log, resolved.stop, resolved.faults) = (log, stop?, faults);
            resolved.share = overrides.share.or(share).unwrap_or(USUAL_SHARE);
            Some((experiment, rest))
        });
        Ok(form.finish(checked)?)
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
        let mut form = Form::new(source, file::example)?;
        // The file may be of any kind: the keys of its own are not checked.
        let keys = form.read_part::<RunKeys>();
        let space = keys.and_then(|run| {
            let variants = &arms::variants(&form, &run, base, catalogue);
            arms::Reader { form: &form, run: &run, base, catalogue, variants }.space()
        });
        Ok(form.finish(space)?)
    }

    /// The name, the content and the maker of each of its bots.
    pub(crate) fn makers(&self) -> impl Iterator<Item = (&str, &serde_json::Value, &BotMaker)> + Clone {
        let all = self.resolved.bots.iter().zip(&self.bots);
        all.map(|(bot, source)| (&*bot.name, &bot.content, &source.maker))
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

/// A number of the caller that takes the place of a key of the file.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The argument's name, in messages.
    pub name: &'static str,
    /// The key.
    pub key: &'static str,
    /// The number.
    pub value: u32,
}

impl Overrides {
    /// The file with these values, and with the argument's.
    fn applied(&self, source: &Source, argument: Option<Argument>) -> Result<Source, Faults> {
        let own = [("seed", self.seed), ("threads", self.threads.map(|threads| threads as u64))];
        let own = own.into_iter().filter_map(|(key, value)| Some((key, key, value?)));
        let given = argument.map(|Argument { name, key, value }| (name, key, value.into()));
        own.chain(given).try_fold(source.with(&self.set)?, |source, (name, key, value)| {
            source.with_argument(name, key, value)
        })
    }
}

/// A file that is being checked, for readers of its own keys.
pub struct Asked<'a, 'b, C> {
    /// The file, with the faults found so far.
    pub form: &'a Form<'a>,
    /// The keys that all kinds of files share.
    pub run: &'a RunKeys,
    /// The powers of the boards; `None` if no variant is found.
    pub powers: Option<&'b PowerNames>,
    /// The bots that are seated.
    pub bots: Bots<'a, C>,
}

fn name(form: &Form<'_>, name: &Placed<String>) -> Option<String> {
    if is_plain(name) {
        return Some(name.to_string());
    }
    form.refuse(name.span(), format!("`name` becomes a folder's name: {PLAIN}"))
}

/// The number of games, which are whole blocks.
fn games(form: &Form<'_>, games: &Placed<Whole<1, { u32::MAX as u64 }>>, seating: &Seating) -> Option<u32> {
    let (count, block) = (games.small(), seating.block());
    if count.is_multiple_of(block) {
        return Some(count);
    }
    let (below, above) = (count / block * block, count.div_ceil(block).checked_mul(block));
    let near = [Some(below), above].into_iter().flatten().filter(|near| *near > 0);
    let near: Vec<String> = near.map(|near| near.to_string()).collect();
    let message = format!(
        "{count} games are not a whole number of blocks: {}; use {}",
        match (block, u32::from(seating.rotations())) {
            (block, rotations) if block <= rotations => format!("a line-up has {block} rotations"),
            (block, 1) => format!("each of {block} line-ups plays a game"),
            (block, rotations) =>
                format!("{} line-ups in {rotations} rotations are {block} games", block / rotations),
        },
        near.join(" or ")
    );
    form.refuse(games.span(), message)
}

fn last_year(form: &Form<'_>, run: &RunKeys, variants: &arms::Variants<'_>) -> Option<u16> {
    let last = run.last_year.short();
    match variants.found.iter().map(|named| &named.entry).find(|entry| entry.first_year() > last) {
        None => Some(last),
        Some(entry) => {
            let message = format!(
                "`last_year` {last} is before `{}` starts: use {} or later",
                entry.id(),
                entry.first_year()
            );
            form.refuse(run.last_year.span(), message)
        }
    }
}

/// The rule by which decided games are stopped.
fn stop(form: &Form<'_>, run: &RunKeys) -> Option<StopRule> {
    let Some(keys) = &run.stop else { return Some(StopRule::default()) };
    let lead = match (keys.lead, keys.years) {
        (Some(centres), Some(years)) => Some(StopLead { centres: centres.short(), years: years.short() }),
        (Some(_), None) => return form.missing(keys.span(), "stop.years"),
        (None, Some(_)) => return form.missing(keys.span(), "stop.lead"),
        (None, None) if keys.still.is_some() => None,
        (None, None) => {
            let message = "`stop` is empty; write `lead = 6` and `years = 3`, or `still = 5`";
            return form.refuse(keys.span(), message);
        }
    };
    Some(StopRule { lead, still: keys.still.map(Whole::short) })
}

fn out(form: &Form<'_>, run: &RunKeys, overrides: &Overrides) -> Option<PathBuf> {
    match (&overrides.out, &run.out) {
        (Some(out), _) if out.as_os_str().is_empty() => {
            let message = "the folder's name is empty; `.` is this folder".to_owned();
            form.add(Diagnostic { place: Place::Argument("out"), message });
            None
        }
        (Some(out), _) => Some(out.clone()),
        (None, Some(out)) if out.is_empty() => {
            form.refuse(out.span(), "`out` is empty; write a folder such as `out = \"results\"`")
        }
        (None, Some(out)) => Some(PathBuf::from(out.as_str())),
        (None, None) => Some(PathBuf::from("results")),
    }
}

#[cfg(test)]
mod tests;
