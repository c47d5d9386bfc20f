//! Search files: experiment files with `[tune]` in place of games and seats.
//!
//! ```toml
//! name = "fair-holes"
//! variants = ["standard", "black-hole"]     # which one is a parameter as well
//! seed = 1900
//! last_year = 1912
//!
//! seats.shuffle = true                      # the order of the seats of a line-up is drawn for each block
//!
//! [[sweep]]                                 # as in an experiment; the arms are the settings that are searched
//! parameter = "changes.holes.count"
//! range = { from = 1, to = 3 }
//!
//! [tune]
//! objective = "fairness.score"              # or { mean = "length", near = 10 }
//! bots = ["greedy", "dumbbot"]              # each plays all seats; the worst counts
//! line_ups = [["greedy", "greedy", "greedy", "greedy", "dumbbot", "hold", "hold"]]   # besides, or in their place
//! budget = 60_000                           # games of the search
//! confidence = 0.95
//! blocks = { first = 64, most = 2048 }
//! check = { blocks = 1024 }                 # on top of the budget
//! within = { length = [6, 12], solos = [0.1, 1.0] }
//! front = { length = "low", lead = "low" }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::balance::source::seated as seated_bots;
use crate::balance::tally::FairnessMeasure;
use crate::tune::goal::{Metric, Objective, name_of};
use crate::tune::race::RaceRules;
use crate::tune::statistic::{LEAST_BLOCKS, Limits};
use upheaval_engine::diagnostic::value::{Decimal, Placed, Whole};
use upheaval_engine::diagnostic::{Faults, Form, Source, suggest};
use upheaval_harness::sim::{
    Catalogue, Experiment, ExperimentError, LineUps, LongIds, Overrides, SeatOrder, Seating,
    experiment::{Asked, Bots, SeatOrderKeys},
    resolved::Arm,
};
use upheaval_map::ids::{ByPower, Powers};
use upheaval_map::rng::{Purpose, Stream};

/// The most settings that a race accepts: for larger spaces, a search in Python chooses where to look next
/// (docs/fair-parameters.md).
pub(crate) const MOST_ARMS: usize = 500;

/// The range that a measure must lie in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The measure.
    pub of: Metric,
    /// The smallest value that is allowed.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

upheaval_map::named! {
    /// Which direction of a measure is wanted in a trade-off with the objective.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Wanted {
        /// The lower the better.
        Low = "low",
        /// The higher the better.
        High = "high",
    }
}

/// The bots that play: one of several groups, of which the worst counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players {
    /// The bot, or the line-up in words: `4 greedy, 1 dumbbot, 2 hold`.
    pub name: String,
    /// A bot that has every seat in every game, or a bot for each seat, all of which rotate within a block.
    pub(crate) seating: Seating,
}

/// A checked search.
#[derive(Clone, Debug)]
pub struct CheckedSearch {
    /// Its games, as many as a setting may need. Its arms are the settings.
    pub experiment: Experiment,
    /// The groups of bots that play, each by itself; the worst counts. The rest of a search calls each of them a bot.
    pub players: Vec<Players>,
    /// The quantity that is minimised.
    pub objective: Objective,
    /// The bounds, in the order of [`Metric::ALL`].
    pub bounds: Vec<Bound>,
    /// The measures in a trade-off with the objective, in the order of [`Metric::ALL`].
    pub fronts: Vec<(Metric, Wanted)>,
    /// The blocks of the first round.
    pub first: u32,
    /// The most blocks of a setting.
    pub most: u32,
    /// The most games of the search.
    pub budget: u64,
    /// The wanted probability that the best setting is in the answer.
    pub confidence: f64,
    /// The number of blocks that measure each setting of the answer.
    pub check_blocks: u32,
    /// The root seed of these blocks.
    pub check_seed: u64,
}

upheaval_map::named! {
    /// Which seed the games use.
    #[derive(PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SeedStage {
        /// Games that settings are chosen by.
        Search = "search",
        /// Games that measure the chosen settings.
        Check = "check",
    }
}

impl CheckedSearch {
    /// Reads and checks a search file, which is to be run as a race.
    ///
    /// # Errors
    /// The file cannot be read or has a fault, or the race cannot be run.
    pub fn read(
        path: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<CheckedSearch, ExperimentError> {
        let source = Source::read(path)?;
        let base = path.parent().unwrap_or(Path::new(""));
        let search = CheckedSearch::check(&source, base, overrides, catalogue)?;
        search.check_race(&source)?;
        Ok(search)
    }

    /// Checks the text of a search file whose paths start at `base`.
    ///
    /// # Errors
    /// It has a fault.
    pub fn check(
        source: &Source,
        base: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<CheckedSearch, ExperimentError> {
        // No folder is named after an arm.
        let overrides = &Overrides { long_ids: LongIds::Numbered, ..overrides.clone() };
        let plan = |asked: &mut Asked<'_, '_, _>, own: SearchKeys| {
            let keys = &own.tune;
            let objective = objective(asked.form, &keys.objective);
            let bounds = bounds(asked.form, keys);
            let blocks = blocks(asked.form, keys);
            let players = players(
                asked.form,
                keys,
                &mut asked.bots,
                asked.powers.map(|names| names.powers()),
                own.seats.into(),
            );
            let powers = asked.powers?.powers();
            let rules = (objective?, bounds?, blocks?, players?);
            // The seats of a stage and of a group are set by `CheckedSearch::games`.
            Some((Seating::Fixed(ByPower::new(powers)), rules.2.1, (rules, own.tune.into_inner())))
        };
        let (experiment, (rules, keys)) =
            Experiment::check_parts(source, base, overrides, None, catalogue, plan)?;
        let (objective, bounds, (first, most), players) = rules;
        let seed = experiment.resolved.seed;
        let drawn = || Stream::keyed(seed, Purpose::TuneCheck, &[]).next_u64();
        Ok(CheckedSearch {
            experiment,
            players,
            objective,
            bounds,
            fronts: keys.front.into_iter().collect(),
            first,
            most,
            budget: keys.budget.get(),
            confidence: keys.confidence.map_or(0.95, Decimal::get),
            check_blocks: keys.check.blocks.map_or(1024, Whole::small),
            check_seed: keys.check.seed.map_or_else(drawn, |seed| seed.get()),
        })
    }

    /// The measures that have bounds in a search file with these keys set.
    ///
    /// # Errors
    /// The file's bounds have a fault.
    pub fn bounded(source: &Source, set: &[String]) -> Result<Vec<Metric>, Faults> {
        let source = source.with(set)?;
        let mut form = Form::new(&source, |_| None)?;
        let keys: Option<SearchKeys> = form.read_part();
        let aspects = keys.map(|keys| keys.tune.within.keys().copied().collect());
        form.finish(aspects)
    }

    /// The settings.
    pub fn arms(&self) -> &[Arm] {
        &self.experiment.resolved.variants
    }

    /// How many bots count.
    pub fn bots(&self) -> usize {
        self.players.len()
    }

    /// The name of a bot that counts.
    pub fn name_of(&self, bot: usize) -> &str {
        &self.players[bot].name
    }

    /// The number of games in a block of a setting, over all bots.
    pub fn games_a_block(&self) -> u64 {
        self.players.iter().map(|players| u64::from(players.seating.block())).sum()
    }

    /// How many powers their boards have.
    pub(crate) fn powers(&self) -> usize {
        self.experiment.resolved.power_names().powers().len()
    }

    /// The limits of each bound.
    pub(crate) fn limits(&self) -> Vec<Limits> {
        let last = self.experiment.resolved.last_year;
        let first = self.arms().iter().map(|arm| arm.first_year).min().unwrap_or(last);
        let years = last.saturating_sub(first).saturating_add(1);
        self.bounds.iter().map(|bound| bound.of.limits(bound.low, bound.high, years)).collect()
    }

    /// The rules of the race.
    pub fn rules(&self) -> RaceRules {
        RaceRules {
            arms: self.arms().len(),
            bots: self.bots(),
            games: self.games_a_block(),
            bounds: self.limits(),
            first: self.first,
            most: self.most,
            confidence: self.confidence,
            budget: self.budget,
        }
    }

    /// The games of all settings in a stage with this bot.
    pub fn games(&self, stage: SeedStage, bot: usize) -> Experiment {
        let seating = self.players[bot].seating.clone();
        let (seed, blocks) = match stage {
            SeedStage::Search => (self.experiment.resolved.seed, self.most),
            SeedStage::Check => (self.check_seed, self.check_blocks),
        };
        let games = blocks.saturating_mul(seating.block());
        let mut experiment = Experiment { shard: None, ..self.experiment.clone() };
        (experiment.resolved.seed, experiment.resolved.games) = (seed, games);
        experiment.resolved.seat(seating);
        experiment
    }
}

/// The keys of searches only.
#[derive(Deserialize)]
struct SearchKeys {
    tune: Placed<TuneKeys>,
    #[serde(default)]
    seats: SeatOrderKeys,
}

/// The names of bots.
type BotNames = Placed<Vec<Placed<String>>>;

/// A number of blocks.
type Blocks = Whole<{ LEAST_BLOCKS as u64 }, 1_000_000>;

/// The section `[tune]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneKeys {
    objective: Placed<ObjectiveKeys>,
    bots: Option<BotNames>,
    line_ups: Option<Placed<Vec<BotNames>>>,
    budget: Placed<Whole<1, { u32::MAX as u64 }>>,
    confidence: Option<Decimal<500_000, 999_999>>,
    #[serde(default)]
    blocks: BlocksKeys,
    #[serde(default)]
    check: CheckKeys,
    #[serde(default)]
    within: BTreeMap<Metric, Placed<Vec<Decimal<{ i64::MIN }, { i64::MAX }>>>>,
    #[serde(default)]
    front: BTreeMap<Metric, Wanted>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct BlocksKeys {
    first: Option<Blocks>,
    most: Option<Placed<Blocks>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct CheckKeys {
    blocks: Option<Blocks>,
    seed: Option<Placed<Whole<0, { u64::MAX }>>>,
}

/// The name of a measure of fairness, or a mean and the value that it should be near.
enum ObjectiveKeys {
    Named(String),
    Near(NearKeys),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NearKeys {
    mean: Metric,
    near: Decimal<-1_000_000_000_000, 1_000_000_000_000>,
}

impl<'de> Deserialize<'de> for ObjectiveKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = ObjectiveKeys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text such as \"fairness.score\", or { mean = \"length\", near = 10 }")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<ObjectiveKeys, E> {
                Ok(ObjectiveKeys::Named(name.to_owned()))
            }

            /// In place of a value that is at fault.
            fn visit_unit<E: Error>(self) -> Result<ObjectiveKeys, E> {
                Ok(ObjectiveKeys::Named(String::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ObjectiveKeys, A::Error> {
                NearKeys::deserialize(MapAccessDeserializer::new(map)).map(ObjectiveKeys::Near)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

fn objective(form: &Form<'_>, keys: &Placed<ObjectiveKeys>) -> Option<Objective> {
    match &**keys {
        ObjectiveKeys::Near(NearKeys { mean, near }) => {
            Some(Objective::Near { of: *mean, target: near.get() })
        }
        ObjectiveKeys::Named(name) => {
            let found = FairnessMeasure::ALL.into_iter().find(|measure| name_of(*measure) == name);
            found.map(Objective::Fairness).or_else(|| {
                let known = suggest(name, FairnessMeasure::ALL.map(name_of));
                let message =
                    format!("there is no objective `{name}`; {known}; or {{ mean = \"length\", near = 10 }}");
                form.refuse(keys.span(), message)
            })
        }
    }
}

/// The bounds, in the order of [`Metric::ALL`].
fn bounds(form: &Form<'_>, keys: &TuneKeys) -> Option<Vec<Bound>> {
    let bound = |(of, limits): (&Metric, &Placed<Vec<Decimal<{ i64::MIN }, { i64::MAX }>>>)| {
        let numbers: Vec<f64> = limits.iter().map(|limit| limit.get()).collect();
        match numbers[..] {
            [low, high] if low <= high => Some(Bound { of: *of, low, high }),
            _ => {
                let key = of.name();
                let message = format!(
                    "`{key}` must be the smallest and the largest value, such as `{key} = [0.2, 0.8]`"
                );
                form.refuse(limits.span(), message)
            }
        }
    };
    let bounds: Vec<Option<Bound>> = keys.within.iter().map(bound).collect();
    bounds.into_iter().collect()
}

/// The blocks of the first round, and the most blocks of a setting.
fn blocks(form: &Form<'_>, keys: &TuneKeys) -> Option<(u32, u32)> {
    let first = keys.blocks.first.map_or(64, Whole::small);
    match &keys.blocks.most {
        Some(most) if most.small() < first => {
            let message =
                format!("`most`, {}, is less than the {first} blocks of the first round", most.small());
            form.refuse(most.span(), message)
        }
        most => Some((first, most.as_ref().map_or(first.max(4096), |most| most.small()))),
    }
}

/// The groups that play: each bot in every seat, and each line-up.
fn players<C: Catalogue>(
    form: &Form<'_>,
    keys: &Placed<TuneKeys>,
    bots: &mut Bots<'_, C>,
    powers: Option<Powers>,
    order: SeatOrder,
) -> Option<Vec<Players>> {
    let listed = keys.bots.as_deref().map_or(&[][..], |bots| bots);
    let line_ups = keys.line_ups.as_deref().map_or(&[][..], |line_ups| line_ups);
    if listed.is_empty() && line_ups.is_empty() {
        let empty = keys.bots.as_ref().map(Placed::span).or(keys.line_ups.as_ref().map(Placed::span));
        return match empty {
            Some(empty) => form.refuse(empty, "a search needs a bot, such as `bots = [\"greedy\"]`"),
            None => form.missing(keys.span(), "tune.bots"),
        };
    }
    let twice = |place, name: &str| form.fault(place, format!("`{name}` is listed twice"));
    let (mut seen, mut alone) = (BTreeSet::new(), Vec::new());
    for name in listed {
        let Some(bot) = bots.index(name) else { continue };
        alone.push((name.to_string(), bot));
        if !seen.insert(bot) {
            twice(name.span(), name);
        }
    }
    let (mut seen, mut seated) = (BTreeSet::new(), Vec::new());
    for names in line_ups {
        let seats = bots.indices(names);
        if let Some(powers) = powers.map(Powers::len).filter(|powers| *powers != names.len()) {
            let message = format!("a line-up has a bot for each of the {powers} powers, not {}", names.len());
            form.fault(names.span(), message);
            continue;
        }
        let Some(seats) = seats else { continue };
        let of_seats: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let words: Vec<String> =
            seated_bots(&of_seats).iter().map(|of| format!("{} {}", of.seats, of.bot)).collect();
        let name = words.join(", ");
        if !seen.insert(seats.clone()) {
            twice(names.span(), &name);
        }
        let line_ups = LineUps { order, ..LineUps::from(seats) };
        seated.push(Players { name, seating: Seating::Rotated(line_ups) });
    }
    let powers = powers?;
    let fixed = |bot| Seating::Fixed(ByPower::from_fn(powers, |_| bot));
    let alone = alone.into_iter().map(|(name, bot)| Players { name, seating: fixed(bot) });
    Some(alone.chain(seated).collect())
}

impl CheckedSearch {
    /// Checks that it can be run as a race, for its file.
    ///
    /// # Errors
    /// It has too few or too many settings, its budget does not suffice for the first round, or the seed of the check
    /// is the seed of the search. The message says what would be right.
    pub fn check_race(&self, source: &Source) -> Result<(), Faults> {
        let source = source.with(&self.experiment.set)?;
        let mut form = Form::new(&source, |_| None)?;
        let keys: Option<SearchKeys> = form.read_part();
        let done = keys.map(|keys| self.check_race_of(&form, &keys.tune));
        form.finish(done)
    }

    fn check_race_of(&self, form: &Form<'_>, keys: &TuneKeys) {
        let arms = self.arms().len();
        let least = arms as u64 * self.games_a_block() * u64::from(self.first);
        if !(2..=MOST_ARMS).contains(&arms) {
            let message = match arms {
                0 | 1 => {
                    "there is only one setting, so there is nothing to search: give a `[[sweep]]` several values"
                        .to_owned()
                }
                _ => format!(
                    "{arms} settings are more than the {MOST_ARMS} that a race accepts; give fewer values, or search with \
                     Python's `up.space`"
                ),
            };
            form.fault(form.key("sweep").unwrap_or_default(), message);
        } else if self.budget < least {
            let message = format!(
                "a budget of {} games does not suffice for the first round: {arms} settings, {} blocks of {} games are {least} games",
                self.budget,
                self.first,
                self.games_a_block()
            );
            form.fault(keys.budget.span(), message);
        }
        if let Some(seed) =
            keys.check.seed.as_ref().filter(|_| self.check_seed == self.experiment.resolved.seed)
        {
            let message = format!(
                "`check.seed` is the seed of the search, {}: the games that chose a setting make its figures look too good; \
                 give another seed, or remove the key",
                self.check_seed
            );
            form.fault(seed.span(), message);
        }
    }
}
