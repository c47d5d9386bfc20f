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
//! parameter = "holes.per_season"
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

use std::ops::RangeInclusive;
use std::path::Path;

use toml::{Spanned, Value};

use crate::balance::tally::FairnessMeasure;
use crate::tune::goal::{Metric, Objective, name_of};
use crate::tune::race::RaceRules;
use crate::tune::statistic::{LEAST_BLOCKS, Limits};
use upheaval_engine::diagnostic::table::{Table, parse};
use upheaval_engine::diagnostic::{Diagnostic, Source, suggest};
use upheaval_harness::sim::{
    Catalogue, Experiment, ExperimentError, LineUp, LineUps, LongIds, Overrides, SeatOrder, Seating,
    experiment::{Bots, order_alone},
    resolved::Arm,
};
use upheaval_map::ids::{ByPower, Powers};
use upheaval_map::rng::{Purpose, Stream};

/// The most settings that a race accepts: for larger spaces, a search in Python chooses where to look next
/// (docs/fair-parameters.md).
pub(crate) const MOST_ARMS: usize = 500;

/// The most blocks of a setting.
const MOST_BLOCKS: u64 = 1_000_000;

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

impl Bound {
    /// The bound as numbers, where the longest game may have this many years.
    pub(crate) fn limits(&self, years: u16) -> Limits {
        self.of.limits(self.low, self.high, years)
    }
}

/// Which direction of a measure is wanted in a trade-off with the objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The lower the better.
    Low,
    /// The higher the better.
    High,
}

impl Wanted {
    /// Both.
    pub(crate) const ALL: [Wanted; 2] = [Wanted::Low, Wanted::High];

    /// Its name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Wanted::Low => "low",
            Wanted::High => "high",
        }
    }
}

/// The bots that play: one of several groups, of which the worst counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players {
    /// The bot, or the line-up in words: `4 greedy, 1 dumbbot, 2 hold`.
    pub name: String,
    /// A bot that has every seat in every game, or a bot for each seat, all of which rotate within a block.
    seating: Seating,
}

impl Players {
    /// How many games a block has.
    pub(crate) fn block(&self) -> u32 {
        self.seating.block()
    }
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

/// Which seed the games use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedStage {
    /// Games that settings are chosen by.
    Search,
    /// Games that measure the chosen settings.
    Check,
}

impl SeedStage {
    /// Both.
    pub(crate) const ALL: [SeedStage; 2] = [SeedStage::Search, SeedStage::Check];

    /// Its name in tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            SeedStage::Search => "search",
            SeedStage::Check => "check",
        }
    }
}

impl CheckedSearch {
    /// Reads and checks a search file.
    ///
    /// # Errors
    /// The file cannot be read or has a fault.
    pub fn read(
        path: &Path,
        overrides: &Overrides,
        catalogue: &impl Catalogue,
    ) -> Result<CheckedSearch, ExperimentError> {
        let source = Source::read(path)?;
        CheckedSearch::check(&source, path.parent().unwrap_or(Path::new("")), overrides, catalogue)
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
        let checked = Experiment::check_parts(
            source,
            base,
            overrides,
            catalogue,
            &["tune", "seats"],
            |root, bots, powers| {
                let example = "[tune] with `objective`, `bots` and `budget`";
                let table = root.table("tune")?.ok_or_else(|| root.missing("tune", example))?;
                let keys = [
                    "objective",
                    "bots",
                    "line_ups",
                    "budget",
                    "confidence",
                    "blocks",
                    "check",
                    "within",
                    "front",
                ];
                table.allow(&keys)?;
                let plan = Plan {
                    objective: objective(&table)?,
                    bounds: bounds(&table)?,
                    fronts: fronts(&table)?,
                    blocks: blocks(&table)?,
                    budget: budget(&table)?,
                    confidence: table
                        .number("confidence", 0.5..=0.999_999)?
                        .map_or(0.95, Spanned::into_inner),
                    check: check(&table)?,
                    players: players(&table, bots, powers.powers(), order_alone(root)?)?,
                };
                // The seats of a stage and of a group are set by `Tuning::games`.
                Ok((Seating::Fixed(ByPower::new(powers.powers())), plan.blocks.1, plan))
            },
        );
        let (experiment, plan) = checked?;
        let Plan { objective, bounds, fronts, blocks: (first, most), budget, confidence, check, players } =
            plan;
        let drawn = || Stream::keyed(experiment.resolved.seed, Purpose::TuneCheck, &[]).next_u64();
        let (check_blocks, check_seed) = (check.0, check.1.unwrap_or_else(drawn));
        Ok(CheckedSearch {
            experiment,
            players,
            objective,
            bounds,
            fronts,
            first,
            most,
            budget,
            confidence,
            check_blocks,
            check_seed,
        })
    }

    /// The measures that have bounds in a search file with these keys set.
    ///
    /// # Errors
    /// The file's bounds have a fault.
    pub fn bounded(source: &Source, set: &[String]) -> Result<Vec<Metric>, Diagnostic> {
        let source = source.with(set)?;
        let parsed = parse(&source)?;
        let table = Table::root(&source, &parsed).table("tune")?;
        let bounds = table.map(|table| bounds(&table)).transpose()?;
        Ok(bounds.into_iter().flatten().map(|bound| bound.of).collect())
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
        self.players.iter().map(|players| u64::from(players.block())).sum()
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
        self.bounds.iter().map(|bound| bound.limits(years)).collect()
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

/// The contents of `[tune]`.
struct Plan {
    objective: Objective,
    bounds: Vec<Bound>,
    fronts: Vec<(Metric, Wanted)>,
    blocks: (u32, u32),
    budget: u64,
    confidence: f64,
    check: (u32, Option<u64>),
    players: Vec<Players>,
}

/// The aspect of this name, which is set in this table.
fn aspect(table: &Table<'_>, name: &str, place: std::ops::Range<usize>) -> Result<Metric, Diagnostic> {
    Metric::ALL.into_iter().find(|aspect| aspect.name() == name).ok_or_else(|| {
        let known = suggest(name, Metric::ALL.map(Metric::name));
        table.fault(place, format!("there is no measure `{name}`; {known}"))
    })
}

fn objective(table: &Table<'_>) -> Result<Objective, Diagnostic> {
    let missing = || table.missing("objective", "objective = \"fairness.score\"");
    let value = table.value("objective")?.ok_or_else(missing)?;
    if let Value::String(text) = value.get_ref() {
        let found = FairnessMeasure::ALL.into_iter().find(|measure| name_of(*measure) == text);
        return found.map(Objective::Fairness).ok_or_else(|| {
            let known = suggest(text, FairnessMeasure::ALL.map(name_of));
            let message =
                format!("there is no objective `{text}`; {known}; or {{ mean = \"length\", near = 10 }}");
            table.fault(value.span(), message)
        });
    }
    let near = table.table("objective")?.ok_or_else(missing)?;
    near.allow(&["mean", "near"])?;
    let of = near.text("mean")?.ok_or_else(|| near.missing("mean", "mean = \"length\""))?;
    let target = near.number("near", -1e6..=1e6)?.ok_or_else(|| near.missing("near", "near = 10"))?;
    Ok(Objective::Near { of: aspect(&near, of.get_ref(), of.span())?, target: target.into_inner() })
}

fn bounds(table: &Table<'_>) -> Result<Vec<Bound>, Diagnostic> {
    let Some(within) = table.table("within")? else { return Ok(Vec::new()) };
    let mut bounds = Vec::new();
    for key in within.keys() {
        let of = aspect(&within, key, within.key(key).unwrap_or_default())?;
        let Some(limits) = within.values(key)? else { continue };
        let place = limits.span();
        let number = |value: &Spanned<Value>| match value.get_ref() {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = limits.get_ref().iter().map(number).collect();
        match numbers.as_deref() {
            Some(&[low, high]) if low <= high => bounds.push(Bound { of, low, high }),
            _ => {
                let message = format!(
                    "`{key}` must be the smallest and the largest value, such as `{key} = [0.2, 0.8]`"
                );
                return Err(within.fault(place, message));
            }
        }
    }
    bounds.sort_by_key(|bound| bound.of);
    Ok(bounds)
}

fn fronts(table: &Table<'_>) -> Result<Vec<(Metric, Wanted)>, Diagnostic> {
    let Some(front) = table.table("front")? else { return Ok(Vec::new()) };
    let mut fronts = Vec::new();
    for key in front.keys() {
        let of = aspect(&front, key, front.key(key).unwrap_or_default())?;
        if let Some(wanted) = front.word(key, &Wanted::ALL, Wanted::name)? {
            fronts.push((of, wanted));
        }
    }
    fronts.sort_by_key(|(of, _)| *of);
    Ok(fronts)
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The blocks of the first round, and the most blocks of a setting.
fn blocks(table: &Table<'_>) -> Result<(u32, u32), Diagnostic> {
    const LEAST: RangeInclusive<u64> = LEAST_BLOCKS as u64..=MOST_BLOCKS;
    let Some(blocks) = table.table("blocks")? else { return Ok((64, 4096)) };
    blocks.allow(&["first", "most"])?;
    let first = blocks.whole("first", LEAST)?.map_or(64, Spanned::into_inner);
    let most = blocks.whole("most", LEAST)?.map_or(first.max(4096), Spanned::into_inner);
    match most < first {
        true => {
            let place = blocks.key("most").unwrap_or_default();
            Err(blocks
                .fault(place, format!("`most`, {most}, is less than the {first} blocks of the first round")))
        }
        false => Ok((small(first), small(most))),
    }
}

fn budget(table: &Table<'_>) -> Result<u64, Diagnostic> {
    let games = table.whole("budget", 1..=u64::from(u32::MAX))?;
    games.map(Spanned::into_inner).ok_or_else(|| table.missing("budget", "budget = 60_000"))
}

fn check(table: &Table<'_>) -> Result<(u32, Option<u64>), Diagnostic> {
    let Some(check) = table.table("check")? else { return Ok((1024, None)) };
    check.allow(&["blocks", "seed"])?;
    let blocks =
        check.whole("blocks", u64::from(LEAST_BLOCKS)..=MOST_BLOCKS)?.map_or(1024, Spanned::into_inner);
    Ok((small(blocks), check.whole("seed", 0..=u64::MAX)?.map(Spanned::into_inner)))
}

/// The groups that play: each bot in every seat, and each line-up.
fn players<C: Catalogue>(
    table: &Table<'_>,
    bots: &mut Bots<'_, C>,
    powers: Powers,
    order: SeatOrder,
) -> Result<Vec<Players>, Diagnostic> {
    let (alone, line_ups) = (table.texts("bots")?, table.lists_of_texts("line_ups")?);
    let mut found: Vec<Players> = Vec::new();
    let mut add = |players: Players, place: std::ops::Range<usize>| {
        if found.iter().any(|other| other.seating == players.seating) {
            return Err(table.fault(place, format!("`{}` is listed twice", players.name)));
        }
        found.push(players);
        Ok(())
    };
    for name in alone.iter().flat_map(|list| list.get_ref()) {
        let bot = bots.index(table, name)?;
        let seating = Seating::Fixed(ByPower::from_fn(powers, |_| bot));
        add(Players { name: (*name.get_ref()).to_owned(), seating }, name.span())?;
    }
    for line_up in line_ups.into_iter().flatten() {
        let (place, names) = (line_up.span(), line_up.into_inner());
        if names.len() != powers.len() {
            let message =
                format!("a line-up has a bot for each of the {} powers, not {}", powers.len(), names.len());
            return Err(table.fault(place, message));
        }
        let seats = names.iter().map(|name| bots.index(table, name)).collect::<Result<LineUp, _>>()?;
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for name in names.iter().map(|name| *name.get_ref()) {
            match counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        let words: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let line_ups = LineUps { order, ..LineUps::from(seats) };
        add(Players { name: words.join(", "), seating: Seating::Rotated(line_ups) }, place)?;
    }
    match found.is_empty() {
        true => Err(table.missing("bots", "bots = [\"greedy\"]")),
        false => Ok(found),
    }
}

impl CheckedSearch {
    /// Checks that it can be run as a race.
    ///
    /// # Errors
    /// It has too few or too many settings, its budget does not suffice for the first round, or the seed of the check
    /// is the seed of the search. The message says what would be right.
    pub fn check_race(&self) -> Result<(), String> {
        let arms = self.arms().len();
        if arms < 2 {
            return Err(
                "there is only one setting, so there is nothing to search: give a `[[sweep]]` several values"
                    .to_owned(),
            );
        }
        if arms > MOST_ARMS {
            return Err(format!(
                "{arms} settings are more than the {MOST_ARMS} that a race accepts: take fewer values, or search by \
                 Python's `up.space`"
            ));
        }
        let least = arms as u64 * self.games_a_block() * u64::from(self.first);
        if self.budget < least {
            return Err(format!(
                "a budget of {} games does not suffice for the first round: {arms} settings, {} blocks of {} games are {least} games",
                self.budget,
                self.first,
                self.games_a_block()
            ));
        }
        if self.check_seed == self.experiment.resolved.seed {
            return Err(format!(
                "`check.seed` is the seed of the search, {}: figures from the games that a setting was chosen by are too good; take \
                 another, or leave it out",
                self.check_seed
            ));
        }
        Ok(())
    }
}
