//! Does skill matter in a variant, and how much: budget 2ᵏ against budget 2ᵏ⁻¹, rung by rung.
//!
//! ```text
//!   rung   one seat   all others     each rung: blocks of as many games as there are powers, in which the one
//!    k     2ᵏ         2ᵏ⁻¹           plays every power under the same catastrophes
//!    k+1   2ᵏ⁺¹       2ᵏ            ──▶ its share of the squares beside the even one, its lead in Elo
//!    …                                the sum over all rungs: paired by block, for all play the same blocks
//! ```
//! The bot is of a kind with a setting that is its budget. If it does not play better with twice the budget, then
//! thinking further is worthless in that variant for a bot of this kind, and luck or the map decides its games.

use std::convert::Infallible;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::blocks::mean_of_blocks;
use crate::estimate::{Estimate, Interval, Moments};
use crate::faults::Faults;
use crate::plackett_luce::{RankingCounts, Sets, Strengths};
use crate::repeats::{Repeats, Shuffling, fingerprint};
use crate::scoring::{Score, places};
use crate::table::Table;
use upheaval_engine::bot::Handicap;
use upheaval_harness::record::{GameRow, GameRows};
use upheaval_harness::sim::{
    BotEntry, BotRecipe, BotSection, Catalogue, Chunk, Experiment, LineUps, LookupError, Observer, RunError,
    Seating, Sink, VariantEntry, run,
};

/// The highest rung: budgets must be valid numbers of a setting.
pub const HIGHEST: u8 = 30;

/// The settings of a ladder.
#[derive(Clone, Debug)]
pub struct LadderPlan {
    /// The rule set.
    pub variant: VariantEntry,
    /// The kind of the bot.
    pub kind: String,
    /// The setting that is its budget.
    pub setting: String,
    /// The first rung: budget 2ᵏ against 2ᵏ⁻¹; from 1.
    pub from: u8,
    /// The last rung, at most [`HIGHEST`].
    pub to: u8,
    /// Blocks of each rung; one at least.
    pub blocks: u32,
    /// The root seed.
    pub seed: u64,
    /// The years of a game, from the variant's first on.
    pub years: u16,
    /// Threads, 0 for one per core. The result does not depend on it.
    pub threads: usize,
}

/// Why a ladder cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LadderError {
    /// There are no rungs, or budgets are beyond the range of a setting.
    #[error("expected rungs from 1 to {HIGHEST} in ascending order, found {from} to {to}")]
    Rungs {
        /// The first.
        from: u8,
        /// The last.
        to: u8,
    },
    /// Too few or too many games.
    #[error("expected 1 to {most} blocks of {block} games, found {blocks}")]
    Blocks {
        /// How many blocks were asked for.
        blocks: u32,
        /// The games of a block.
        block: u32,
        /// The most blocks.
        most: u32,
    },
    /// No year, or years beyond the last possible one.
    #[error("expected 1 to {most} years, found {years}: games of `{variant}` begin in {first}")]
    Years {
        /// The variant.
        variant: String,
        /// Its first year.
        first: u16,
        /// The most years.
        most: u16,
        /// How many years were asked for.
        years: u16,
    },
    /// There is no such bot, or its budget cannot be set.
    #[error("{0}")]
    Bot(String),
}

/// The last year that a game can have.
const LAST_YEAR: u16 = 9999;

/// A checked ladder.
#[derive(Clone, Debug)]
pub struct Ladder {
    plan: LadderPlan,
    rungs: Vec<Experiment>,
}

/// The result of a rung, or of all rungs together, for twice the budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RungOutcome {
    /// It wins, and the interval excludes an even share.
    Wins,
    /// It loses, and the interval excludes an even share.
    Loses,
    /// The interval contains an even share.
    Open,
}

/// The result of a rung.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rung {
    /// The budget of the single seat.
    pub budget: u64,
    /// The budget of all other seats.
    pub against: u64,
    /// Games played.
    pub games: u64,
    /// The single seat's share of the squares, from 0 to 1; its interval is over blocks.
    pub share: Estimate,
    /// The share that it would have if it played like the others.
    pub even: f64,
    /// Its lead over the others in Elo; its interval is by jackknife over blocks.
    pub elo: Estimate,
    /// How many of its blocks differ.
    #[serde(skip)]
    pub repeats: Repeats,
}

impl Rung {
    /// Does the larger budget win?
    pub(crate) fn outcome(&self) -> RungOutcome {
        outcome(self.share.interval.filter(|_| self.is_known()), self.even)
    }

    /// What must be said before anything is concluded from it: its blocks are too few, repeat each other, or do not
    /// differ, so that it has no interval.
    pub(crate) fn warning(&self) -> Option<String> {
        self.repeats.warning().or_else(|| {
            self.share.interval.is_none().then(|| {
                "the share is the same in all blocks, so they do not show how far off it may be; more blocks may"
                    .to_owned()
            })
        })
    }

    /// Do its blocks show how far off its share may be?
    fn is_known(&self) -> bool {
        self.share.interval.is_some() && !self.repeats.are_too_few()
    }
}

/// The result of a ladder.
#[derive(Clone, Debug)]
pub struct LadderReport {
    /// The rungs, from the lowest up.
    pub rungs: Vec<Rung>,
    /// How far the shares are above the even share, added up over the rungs.
    pub gain: Estimate,
    /// The leads in Elo, added up over the rungs: the lead of the largest budget over the smallest, if leads are
    /// additive.
    pub elo: Estimate,
    /// How the bots behaved.
    pub faults: Faults,
}

impl LadderReport {
    /// Why the ladder as a whole has no verdict: the rungs that have none, with what they say.
    pub(crate) fn warning(&self) -> Option<String> {
        let unknown: Vec<&Rung> = self.rungs.iter().filter(|rung| !rung.is_known()).collect();
        let first = unknown.first()?.warning().unwrap_or_default();
        // Rungs that say the same are named together.
        let same = unknown.iter().all(|rung| rung.warning().as_deref() == Some(&*first));
        Some(match (same, unknown.len() == self.rungs.len()) {
            (true, true) => first,
            (true, false) => format!("{}: {first}", named(unknown.iter().copied())),
            (false, _) => {
                let of = |rung: &&Rung| format!("{}: {}", named([*rung]), rung.warning().unwrap_or_default());
                unknown.iter().map(of).collect::<Vec<_>>().join("; ")
            }
        })
    }

    /// Does a larger budget win over the ladder as a whole? Open unless every rung shows how far off it may be.
    pub(crate) fn outcome(&self) -> RungOutcome {
        match self.rungs.iter().find(|rung| !rung.is_known()) {
            Some(_) => RungOutcome::Open,
            None => outcome(self.gain.interval, 0.0),
        }
    }

    /// The rungs with this outcome.
    pub(crate) fn rungs_that(&self, outcome: RungOutcome) -> impl Iterator<Item = &Rung> {
        self.rungs.iter().filter(move |rung| rung.outcome() == outcome)
    }
}

/// Rungs by their budgets: `8 over 4, 16 over 8`.
fn named<'a>(rungs: impl IntoIterator<Item = &'a Rung>) -> String {
    let name = |rung: &Rung| format!("{} over {}", rung.budget, rung.against);
    rungs.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The result that an interval shows, if the blocks are enough for it.
fn outcome(of: Option<Interval>, even: f64) -> RungOutcome {
    match of {
        Some(Interval { low, .. }) if low > even => RungOutcome::Wins,
        Some(Interval { high, .. }) if high < even => RungOutcome::Loses,
        _ => RungOutcome::Open,
    }
}

impl Ladder {
    /// Checks the settings of a ladder, with the bots of this catalogue.
    ///
    /// # Errors
    /// The rungs, games or years are impossible, or the bot has no such budget.
    pub fn new(plan: LadderPlan, catalogue: &impl Catalogue) -> Result<Ladder, LadderError> {
        let LadderPlan { from, to, blocks, years, .. } = plan;
        if from < 1 || from > to || to > HIGHEST {
            return Err(LadderError::Rungs { from, to });
        }
        let block = plan.variant.power_names().powers().len() as u32; // 34 at most
        if blocks < 1 || blocks > u32::MAX / block {
            return Err(LadderError::Blocks { blocks, block, most: u32::MAX / block });
        }
        let first = plan.variant.first_year();
        let most = LAST_YEAR.saturating_sub(first).saturating_add(1);
        if years < 1 || years > most {
            let variant = plan.variant.id().to_owned();
            return Err(LadderError::Years { variant, first, most, years });
        }
        let rungs = (from..=to).map(|k| plan.rung(k, catalogue)).collect::<Result<_, _>>()?;
        Ok(Ladder { plan, rungs })
    }

    /// Its settings.
    pub(crate) fn plan(&self) -> &LadderPlan {
        &self.plan
    }

    /// The games of all rungs together.
    pub fn games(&self) -> u64 {
        self.rungs.iter().map(|rung| u64::from(rung.resolved.games)).sum()
    }

    /// Plays all rungs, from the lowest up, and reports each one when it has been played.
    ///
    /// # Errors
    /// The threads cannot be started, or the observer stopped it.
    pub fn climb(
        &self,
        mut tell: impl FnMut(&Rung),
        observer: &dyn Observer,
    ) -> Result<LadderReport, RunError<Infallible>> {
        let mut faults = Faults::default();
        let mut climbed = Climbed::default();
        for (k, experiment) in (self.plan.from..).zip(&self.rungs) {
            let mut games = Games::default();
            let (schedule, player) = (experiment.schedule(), experiment.player());
            run(&schedule, experiment.threads, &player, &mut games, observer)?;
            games.rows.iter().for_each(|game| faults.add(game));
            tell(climbed.add(k, &games.rows, experiment));
        }
        Ok(climbed.report(faults))
    }
}

impl LadderPlan {
    /// The games of a rung.
    fn rung(&self, k: u8, catalogue: &impl Catalogue) -> Result<Experiment, LadderError> {
        let bots = [1 << k, 1 << (k - 1)].map(|budget| self.bot(budget, catalogue));
        let seats = self.variant.power_names().powers().len();
        let line_up = (0..seats).map(|seat| usize::from(seat > 0)).collect::<Vec<usize>>();
        let seating = Seating::Rotated(LineUps::from(line_up));
        let (variants, bots) = (vec![self.variant.clone()], bots.into_iter().collect::<Result<_, _>>()?);
        let (games, last_year) =
            (self.blocks * seating.block(), self.variant.first_year() + (self.years - 1));
        let games =
            Experiment::new("ladder".to_owned(), variants, bots, seating, games, self.seed, last_year);
        Ok(Experiment { threads: self.threads, ..games })
    }

    /// The bot with this budget; its name contains the budget.
    fn bot(&self, budget: u64, catalogue: &impl Catalogue) -> Result<BotEntry, LadderError> {
        let settings = [(self.setting.clone(), budget)].into_iter().collect();
        let section = BotSection {
            name: format!("{}-{budget}", self.kind),
            recipe: BotRecipe::Kind { kind: self.kind.clone(), settings, weights: None },
            handicap: Handicap::NONE,
        };
        catalogue.described(&section, Path::new("")).map_err(|error| match error {
            LookupError::Unknown => LadderError::Bot(format!("there is no bot `{}`", self.kind)),
            LookupError::Unusable(why) => LadderError::Bot(why),
            LookupError::Faults(faults) => LadderError::Bot(faults.to_string()),
        })
    }
}

/// Takes the games of a rung.
#[derive(Default)]
struct Games {
    rows: Vec<GameRow>,
}

impl Sink for Games {
    type Error = Infallible;

    fn take(&mut self, _: &Chunk, games: &[GameRows]) -> Result<(), Infallible> {
        self.rows.extend(games.iter().map(|record| record.game.clone()));
        Ok(())
    }
}

/// The result so far.
#[derive(Default)]
struct Climbed {
    rungs: Vec<Rung>,
    /// For each block, how far the shares of its rungs are above the even share, as a sum of means.
    gains: Vec<f64>,
    /// What each group of blocks contributes to the leads, added up over the rungs.
    leads: Vec<f64>,
}

impl Climbed {
    /// Adds the games of a rung, in their order.
    fn add(&mut self, k: u8, games: &[GameRow], experiment: &Experiment) -> &Rung {
        let one = &experiment.resolved.bots[0].name;
        let even = 1.0 / experiment.resolved.power_names().powers().len() as f64;
        let blocks: Vec<&[GameRow]> = games.chunk_by(|a, b| a.block == b.block).collect();
        let shares: Vec<(f64, u64)> =
            blocks.iter().map(|block| (shares(block, one), block.len() as u64)).collect();
        self.gains.resize(blocks.len(), 0.0);
        for (gain, (sum, games)) in self.gains.iter_mut().zip(&shares) {
            *gain += sum / *games as f64 - even;
        }
        let fingerprints = |block: &&[GameRow]| block.iter().map(fingerprint).collect::<Vec<u64>>();
        let repeats =
            Repeats::of(Shuffling::of(experiment.resolved.seating()), blocks.iter().map(fingerprints));
        let (share, elo) = (mean_of_blocks(&shares), Estimate::alone(0.0));
        let elo = leads(&blocks, one).map_or(elo, |strengths| {
            let contributions = strengths.contributions(&LEAD);
            self.leads.resize(contributions.len(), 0.0);
            self.leads.iter_mut().zip(contributions).for_each(|(sum, of)| *sum += of);
            strengths.estimate(&LEAD)
        });
        let known = |of: Estimate| if repeats.show_nothing() { Estimate::alone(of.estimate) } else { of };
        let (budget, against) = (1 << k, 1 << (k - 1));
        let share = known(share.unwrap_or(Estimate::alone(0.0))).within(0.0, 1.0);
        self.rungs.push(Rung {
            budget,
            against,
            games: games.len() as u64,
            share,
            even,
            elo: known(elo),
            repeats,
        });
        &self.rungs[self.rungs.len() - 1]
    }

    fn report(self, faults: Faults) -> LadderReport {
        let Climbed { rungs, gains, leads } = self;
        let gains: Vec<(f64, u64)> = gains.into_iter().map(|gain| (gain, 1)).collect();
        let lead = rungs.iter().map(|rung| rung.elo.estimate).sum();
        let spread = Moments::of(leads.into_iter()).spread();
        let gain = mean_of_blocks(&gains).unwrap_or(Estimate::alone(0.0));
        let elo = spread.map_or(Estimate::alone(lead), |spread| spread.around(lead));
        LadderReport {
            gain: within_all(gain, &rungs.iter().map(|rung| rung.share).collect::<Vec<_>>()),
            elo: within_all(elo, &rungs.iter().map(|rung| rung.elo).collect::<Vec<_>>()),
            rungs,
            faults,
        }
    }
}

/// The sum of an estimate over all rungs, without an interval unless every rung has one. The error of a sum is at most
/// the sum of the errors, so no bound is farther from the sum than those of the rungs together.
pub(crate) fn within_all(sum: Estimate, rungs: &[Estimate]) -> Estimate {
    let far = |Estimate { estimate, interval }: &Estimate| {
        interval.map(|Interval { low, high }| [estimate - low, high - estimate])
    };
    let all: Option<Vec<[f64; 2]>> = rungs.iter().map(far).collect();
    let interval = sum.interval.zip(all).map(|(Interval { low, high }, all)| {
        let [down, up] = [0, 1].map(|side| all.iter().map(|far| far[side]).sum::<f64>());
        Interval { low: low.max(sum.estimate - down), high: high.min(sum.estimate + up) }
    });
    Estimate { interval, ..sum }
}

/// The weights of the logarithms of strengths in a lead.
pub(crate) const LEAD: [f64; 2] = [1.0, -1.0];

/// The sum over games of the share of the squares that the seat of this bot had.
fn shares(games: &[GameRow], bot: &str) -> f64 {
    let share = |game: &GameRow| {
        let points = Score::SumOfSquares.points(game);
        let seats = game.seats.rows().iter().filter(|seat| *seat.bot == *bot);
        seats.map(|seat| points[seat.power] / 100.0).sum::<f64>()
    };
    games.iter().map(share).sum()
}

/// The strengths of this bot and of the others in these blocks; `None` where they do not converge.
pub(crate) fn leads(blocks: &[&[GameRow]], bot: &str) -> Option<Strengths> {
    let mut sets = Sets::new(2);
    let choices: Vec<RankingCounts> = blocks
        .iter()
        .map(|games| {
            sets.count(games.iter().map(|game| {
                let places = places(game);
                let seat = move |(power, seat): (_, &upheaval_harness::record::SeatRow)| {
                    (usize::from(*seat.bot != *bot), places[power])
                };
                game.seats.iter().map(seat).collect::<Vec<_>>()
            }))
        })
        .collect();
    sets.fit_blocks(&choices)
}

// A ladder as text: its heading, a line for each rung, and its verdict on skill; and as JSON.

/// The widths of the columns.
const WIDTHS: [usize; 6] = [10, 10, 9, 24, 8, 26];

fn line(cells: [String; 6]) -> String {
    let mut text = String::new();
    Table::without_headings(&mut text, 0, WIDTHS).row("", cells);
    text
}

fn counted(count: impl Into<u64>, what: &str) -> String {
    let count = count.into();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A lead as a whole number with its bounds; zero has no sign.
fn in_elo(lead: Estimate) -> String {
    lead.map(|value| if value.round() == 0.0 { 0.0 } else { value }).signed(0)
}

impl Ladder {
    /// The games played, and the headings of the columns.
    pub fn heading(&self) -> String {
        let LadderPlan { variant, kind, setting, blocks, seed, years, .. } = self.plan();
        let powers = variant.power_names().powers().len();
        let last = variant.first_year() + (years - 1);
        let others = if powers == 2 { "the other".to_owned() } else { format!("the {} others", powers - 1) };
        let text = format!(
            "{kind} on {}: one seat with twice the `{setting}` of {others}, {} of {powers} games a rung, to {last}, seed {seed}\n",
            variant.id(),
            counted(*blocks, "block"),
        );
        let headings = [setting.as_str(), "against", "games", "squares (95% CI)", "even", "Elo (95% CI)"]
            .map(str::to_owned);
        text + &line(headings)
    }

    /// The line of a rung, and what must be said of its blocks.
    pub fn line(&self, rung: &Rung) -> String {
        let Rung { budget, against, games, share, even, elo, .. } = rung;
        let warning = rung.warning().map(|warning| format!("  warning: {warning}\n")).unwrap_or_default();
        let cells = line([
            budget.to_string(),
            against.to_string(),
            games.to_string(),
            share.with_bounds(3),
            format!("{even:.3}"),
            in_elo(*elo),
        ]);
        cells + &warning
    }

    /// Everything as an object: the plan, the `rungs` with their `outcome`, and the result of all together.
    pub fn to_json(&self, report: &LadderReport) -> Value {
        let LadderPlan { variant, kind, setting, blocks, seed, years, .. } = self.plan();
        let rung = |rung: &Rung| {
            // A struct of numbers always serialises.
            let mut value = serde_json::to_value(rung).unwrap_or_default();
            value["outcome"] = json!(rung.outcome());
            value["warning"] = json!(rung.warning());
            value
        };
        let rungs: Vec<Value> = report.rungs.iter().map(rung).collect();
        json!({
            "variant": variant.id(),
            "bot": kind,
            "budget": setting,
            "blocks": blocks,
            "seed": seed,
            "years": years,
            "rungs": rungs,
            "gain": report.gain,
            "elo": report.elo,
            "outcome": report.outcome(),
            "warning": report.warning(),
            "faults": report.faults.to_json(),
        })
    }

    /// The verdict of the ladder on skill, with an explanation.
    pub fn verdict(&self, report: &LadderReport) -> String {
        let variant = self.plan().variant.id();
        let of = |outcome| (named(report.rungs_that(outcome)), report.rungs_that(outcome).count());
        let ((wins, won), (loses, lost)) = (of(RungOutcome::Wins), of(RungOutcome::Loses));
        let all = counted(report.rungs.len() as u64, "rung");
        let rungs = match (won, lost) {
            (0, 0) => "no single rung is decided".to_owned(),
            (0, _) => format!("no rung is won by twice the budget, and it loses {loses}"),
            (_, 0) => format!("twice the budget wins {won} of {all}: {wins}"),
            _ => format!("twice the budget wins {won} of {all}: {wins}; it loses {loses}"),
        };
        let said = match (report.outcome(), won + lost == 0) {
            (RungOutcome::Open, undecided) if report.warning().is_some() => {
                let rungs = if undecided { String::new() } else { format!("{rungs}; but ") };
                format!(
                    "whether skill matters in {variant} is open over the whole ladder: {rungs}{}",
                    report.warning().unwrap_or_default()
                )
            }
            (RungOutcome::Wins, _) => format!("skill matters in {variant}: {rungs}"),
            (RungOutcome::Loses, _) => {
                format!("more budget is a loss in {variant}: {rungs}")
            }
            (RungOutcome::Open, true) => {
                format!(
                    "no rung is decided: whether skill matters in {variant} is open; more blocks may tell"
                )
            }
            (RungOutcome::Open, false) => {
                format!("whether skill matters in {variant} is open over the whole ladder: {rungs}")
            }
        };
        format!(
            "{said}\nover the whole ladder: {} of the squares above the even share, {} Elo\n\
             share: of the squares of all centres; a solo has all of them; its interval: over blocks, at 95 % for each rung alone\n\
             Elo: Plackett–Luce over the finishing orders; its interval: jackknife over blocks; games of one block share their \
             catastrophes, and all rungs play the same blocks\n",
            report.gain.signed(3),
            in_elo(report.elo),
        )
    }
}

#[cfg(test)]
mod tests;
