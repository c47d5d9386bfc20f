//! Does skill matter in a variant, and how much: budget 2ᵏ against budget 2ᵏ⁻¹, rung by rung.
//!
//! ```text
//!   rung   one seat   all others     each rung: blocks of as many games as there are powers, in which the one
//!    k     2ᵏ         2ᵏ⁻¹           plays every power under the same catastrophes
//!    k+1   2ᵏ⁺¹       2ᵏ            ──▶ its share of the squares beside the even one, its lead in Elo
//!    …                                the sum over all rungs: paired by block, for all play the same blocks
//! ```
//! A rung is compared like a match ([`Comparison`]), but has a fixed number of blocks in place of a test that stops it.
//! The bot is of a kind with a setting that is its budget. If it does not play better with twice the budget, then
//! thinking further is worthless in that variant for a bot of this kind, and luck or the map decides its games.

use std::convert::Infallible;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::blocks::{mean_of, mean_of_blocks};
use crate::duel::{Comparison, LEAD, play_until};
use crate::estimate::{Estimate, Interval, Moments};
use crate::faults::Faults;
use crate::repeats::{Repeats, shuffling_helps};
use crate::scoring::Score;
use crate::table::{Table, counted};
use upheaval_engine::bot::Handicap;
use upheaval_harness::record::{GameRow, GameRows};
use upheaval_harness::sim::{
    BotEntry, BotRecipe, BotSection, Catalogue, Chunk, Experiment, LineUps, LookupError, Observer, RunError,
    Seating, VariantEntry,
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
enum RungOutcome {
    /// It wins, and the interval excludes an even share.
    Wins,
    /// It loses, and the interval excludes an even share.
    Loses,
    /// The interval contains an even share, or there are too few blocks for one.
    Open,
}

impl RungOutcome {
    fn of(interval: Option<Interval>, even: f64) -> RungOutcome {
        match interval {
            Some(Interval { low, .. }) if low > even => RungOutcome::Wins,
            Some(Interval { high, .. }) if high < even => RungOutcome::Loses,
            _ => RungOutcome::Open,
        }
    }
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
    share: Estimate,
    /// The share that it would have if it played like the others.
    even: f64,
    /// Its lead over the others in Elo; its interval is by jackknife over blocks.
    elo: Estimate,
    /// Does the larger budget win?
    outcome: RungOutcome,
    /// Its blocks are too few, repeat each other, or do not differ, so that it has no interval.
    warning: Option<String>,
    /// Do its blocks show how far off its share may be?
    #[serde(skip)]
    is_known: bool,
}

/// The warning about a share with this interval, from these blocks.
fn warning(share: Estimate, repeats: Repeats) -> Option<String> {
    repeats.warning().or_else(|| {
        share.interval.is_none().then(|| {
            "the share is the same in all blocks, so they do not show how far off it may be; more blocks may"
                .to_owned()
        })
    })
}

/// The rungs that have been played, from the lowest up.
#[derive(Clone, Debug, Default)]
pub struct LadderReport {
    rungs: Vec<Rung>,
    /// For each block, how far the shares of its rungs are above the even share, as a sum of means.
    gains: Vec<f64>,
    /// The contribution of each group of blocks to the leads, added up over the rungs.
    leads: Vec<f64>,
    /// How the bots behaved.
    pub faults: Faults,
}

impl LadderReport {
    /// Adds the games of a rung, in their order.
    fn add(&mut self, k: u8, games: &[GameRow], experiment: &Experiment) -> &Rung {
        let bots = [0, 1].map(|bot| experiment.resolved.bots[bot].name.clone());
        let even = 1.0 / experiment.resolved.power_names().powers().len() as f64;
        let mut comparison = Comparison::new(bots, shuffling_helps(experiment.resolved.seating()));
        let mut shares: Vec<(f64, u64)> = Vec::new();
        let games: Vec<&GameRow> = games.iter().collect();
        for block in games.chunk_by(|a, b| a.block == b.block) {
            comparison.add(block);
            let share = |game: &&GameRow| {
                let points = Score::SumOfSquares.points(game);
                comparison.seats(game, 0).map(|power| points[power] / 100.0).sum::<f64>()
            };
            shares.push((block.iter().map(share).sum(), block.len() as u64));
        }
        self.gains.resize(shares.len(), 0.0);
        for (gain, (sum, games)) in self.gains.iter_mut().zip(&shares) {
            *gain += sum / *games as f64 - even;
        }
        let elo = comparison.strengths().map_or(Estimate::alone(0.0), |strengths| {
            let contributions = strengths.contributions(&LEAD);
            self.leads.resize(contributions.len(), 0.0);
            self.leads.iter_mut().zip(contributions).for_each(|(sum, of)| *sum += of);
            strengths.estimate(&LEAD)
        });
        let repeats = comparison.repeats();
        let share = repeats.known(mean_of_blocks(&shares).unwrap_or(Estimate::alone(0.0))).within(0.0, 1.0);
        let is_known = share.interval.is_some() && !repeats.are_too_few();
        self.faults.merge(comparison.faults);
        self.rungs.push(Rung {
            budget: 1 << k,
            against: 1 << (k - 1),
            games: games.len() as u64,
            share,
            even,
            elo: repeats.known(elo),
            outcome: RungOutcome::of(share.interval.filter(|_| is_known), even),
            warning: warning(share, repeats),
            is_known,
        });
        &self.rungs[self.rungs.len() - 1]
    }

    /// How far the shares are above the even share, added up over the rungs.
    fn gain(&self) -> Estimate {
        let gain = mean_of(self.gains.iter().copied()).unwrap_or(Estimate::alone(0.0));
        within_all(gain, self.rungs.iter().map(|rung| rung.share))
    }

    /// The leads in Elo, added up over the rungs: the lead of the largest budget over the smallest, if leads are
    /// additive.
    fn elo(&self) -> Estimate {
        let lead = self.rungs.iter().map(|rung| rung.elo.estimate).sum();
        let elo = Moments::of(self.leads.iter().copied()).around(lead);
        within_all(elo, self.rungs.iter().map(|rung| rung.elo))
    }

    /// Why the ladder as a whole has no verdict: the rungs that have none, with their warnings.
    fn warning(&self) -> Option<String> {
        let unknown = || self.rungs.iter().filter(|rung| !rung.is_known);
        let said = |rung: &Rung| rung.warning.clone().unwrap_or_default();
        let first = said(unknown().next()?);
        // Rungs that say the same are named together.
        Some(match unknown().all(|rung| said(rung) == first) {
            true if unknown().count() == self.rungs.len() => first,
            true => format!("{}: {first}", named(unknown())),
            false => {
                let each = unknown().map(|rung| format!("{}: {}", named([rung]), said(rung)));
                each.collect::<Vec<_>>().join("; ")
            }
        })
    }

    /// Does a larger budget win over the ladder as a whole? Open unless every rung shows how far off it may be.
    fn outcome(&self) -> RungOutcome {
        let are_known = self.rungs.iter().all(|rung| rung.is_known);
        RungOutcome::of(self.gain().interval.filter(|_| are_known), 0.0)
    }

    /// The number of rungs with this outcome, and their names.
    fn rungs_that(&self, outcome: RungOutcome) -> (usize, String) {
        let rungs = || self.rungs.iter().filter(move |rung| rung.outcome == outcome);
        (rungs().count(), named(rungs()))
    }
}

/// Rungs by their budgets: `8 over 4, 16 over 8`.
fn named<'a>(rungs: impl IntoIterator<Item = &'a Rung>) -> String {
    let name = |rung: &Rung| format!("{} over {}", rung.budget, rung.against);
    rungs.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The sum of an estimate over all rungs, without an interval unless every rung has one. The error of a sum is at most
/// the sum of the errors, so no bound is farther from the sum than those of the rungs together.
pub(crate) fn within_all(sum: Estimate, rungs: impl IntoIterator<Item = Estimate>) -> Estimate {
    let far =
        |of: Estimate| of.interval.map(|Interval { low, high }| [of.estimate - low, high - of.estimate]);
    let all: Option<Vec<[f64; 2]>> = rungs.into_iter().map(far).collect();
    let interval = sum.interval.zip(all).map(|(Interval { low, high }, all)| {
        let [down, up] = [0, 1].map(|side| all.iter().map(|far| far[side]).sum::<f64>());
        Interval { low: low.max(sum.estimate - down), high: high.min(sum.estimate + up) }
    });
    Estimate { interval, ..sum }
}

impl Ladder {
    /// Checks the settings of a ladder, with the bots of this catalogue.
    ///
    /// # Errors
    /// The rungs, games or years are impossible, or the bot has no such budget.
    pub fn new(plan: LadderPlan, catalogue: &impl Catalogue) -> Result<Ladder, String> {
        let LadderPlan { from, to, blocks, years, .. } = plan;
        if from < 1 || from > to || to > HIGHEST {
            return Err(format!(
                "expected rungs from 1 to {HIGHEST} in ascending order, found {from} to {to}"
            ));
        }
        let block = plan.powers() as u32; // 34 at most
        let most = u32::MAX / block;
        if blocks < 1 || blocks > most {
            return Err(format!("expected 1 to {most} blocks of {block} games, found {blocks}"));
        }
        let (variant, first) = (plan.variant.id(), plan.variant.first_year());
        let most = LAST_YEAR.saturating_sub(first).saturating_add(1);
        if years < 1 || years > most {
            return Err(format!(
                "expected 1 to {most} years, found {years}: games of `{variant}` begin in {first}"
            ));
        }
        let rungs = (from..=to).map(|k| plan.rung(k, catalogue)).collect::<Result<_, _>>()?;
        Ok(Ladder { plan, rungs })
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
        let mut report = LadderReport::default();
        for (k, experiment) in (self.plan.from..).zip(&self.rungs) {
            let mut games: Vec<GameRow> = Vec::new();
            let take = |_: &Chunk, played: &[GameRows]| {
                games.extend(played.iter().map(|record| record.game.clone()));
                Ok(())
            };
            play_until(experiment, take, observer)?;
            tell(report.add(k, &games, experiment));
        }
        Ok(report)
    }
}

impl LadderPlan {
    /// The number of powers, and of games in a block.
    fn powers(&self) -> usize {
        self.variant.power_names().powers().len()
    }

    /// The last year of a game.
    fn last_year(&self) -> u16 {
        self.variant.first_year() + (self.years - 1)
    }

    /// The games of a rung.
    fn rung(&self, k: u8, catalogue: &impl Catalogue) -> Result<Experiment, String> {
        let bots = vec![self.bot(1 << k, catalogue)?, self.bot(1 << (k - 1), catalogue)?];
        let line_up = (0..self.powers()).map(|seat| usize::from(seat > 0)).collect::<Vec<usize>>();
        let seating = Seating::Rotated(LineUps::from(line_up));
        let (variants, games) = (vec![self.variant.clone()], self.blocks * seating.block());
        let name = "ladder".to_owned();
        let games = Experiment::new(name, variants, bots, seating, games, self.seed, self.last_year());
        Ok(Experiment { threads: self.threads, ..games })
    }

    /// The bot with this budget; its name contains the budget.
    fn bot(&self, budget: u64, catalogue: &impl Catalogue) -> Result<BotEntry, String> {
        let settings = [(self.setting.clone(), budget)].into_iter().collect();
        let section = BotSection {
            name: format!("{}-{budget}", self.kind),
            recipe: BotRecipe::Kind { kind: self.kind.clone(), settings, weights: None },
            handicap: Handicap::NONE,
        };
        catalogue.described(&section, Path::new("")).map_err(|error| match error {
            LookupError::Unknown => format!("there is no bot `{}`", self.kind),
            LookupError::Unusable(why) => why,
            LookupError::Faults(faults) => faults.to_string(),
        })
    }
}

// A ladder as text: its heading, a line for each rung, and its verdict on skill; and as JSON.

/// The widths of the columns.
const WIDTHS: [usize; 6] = [10, 10, 9, 24, 8, 26];

fn line(cells: [String; 6]) -> String {
    let mut text = String::new();
    Table::without_headings(&mut text, 0, WIDTHS).row("", cells);
    text
}

/// A lead as a whole number with its bounds; zero has no sign.
fn in_elo(lead: Estimate) -> String {
    lead.map(|value| if value.round() == 0.0 { 0.0 } else { value }).signed(0)
}

impl Ladder {
    /// The games played, and the headings of the columns.
    pub fn heading(&self) -> String {
        let LadderPlan { variant, kind, setting, blocks, seed, .. } = &self.plan;
        let (powers, last) = (self.plan.powers(), self.plan.last_year());
        let others = if powers == 2 { "the other".to_owned() } else { format!("the {} others", powers - 1) };
        let text = format!(
            "{kind} on {}: one seat with twice the `{setting}` of {others}, {} of {powers} games a rung, to {last}, seed {seed}\n",
            variant.id(),
            counted((*blocks).into(), "block"),
        );
        let headings = [setting.as_str(), "against", "games", "squares (95% CI)", "even", "Elo (95% CI)"]
            .map(str::to_owned);
        text + &line(headings)
    }

    /// The line of a rung, and what must be said of its blocks.
    pub fn line(&self, rung: &Rung) -> String {
        let Rung { budget, against, games, share, even, elo, warning, .. } = rung;
        let warning = warning.as_ref().map(|warning| format!("  warning: {warning}\n")).unwrap_or_default();
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
        let LadderPlan { variant, kind, setting, blocks, seed, years, .. } = &self.plan;
        json!({
            "variant": variant.id(),
            "bot": kind,
            "budget": setting,
            "blocks": blocks,
            "seed": seed,
            "years": years,
            "rungs": report.rungs,
            "gain": report.gain(),
            "elo": report.elo(),
            "outcome": report.outcome(),
            "warning": report.warning(),
            "faults": report.faults.to_json(),
        })
    }

    /// The verdict of the ladder on skill, with an explanation.
    pub fn verdict(&self, report: &LadderReport) -> String {
        let variant = self.plan.variant.id();
        let ((won, wins), (lost, loses)) =
            (report.rungs_that(RungOutcome::Wins), report.rungs_that(RungOutcome::Loses));
        let all = counted(report.rungs.len() as u64, "rung");
        let rungs = match (won, lost) {
            (0, 0) => "no single rung is decided".to_owned(),
            (0, _) => format!("no rung is won by twice the budget, and it loses {loses}"),
            (_, 0) => format!("twice the budget wins {won} of {all}: {wins}"),
            _ => format!("twice the budget wins {won} of {all}: {wins}; it loses {loses}"),
        };
        let open = format!("whether skill matters in {variant} is open over the whole ladder");
        let said = match (report.outcome(), report.warning(), won + lost) {
            (RungOutcome::Wins, ..) => format!("skill matters in {variant}: {rungs}"),
            (RungOutcome::Loses, ..) => format!("a larger budget loses in {variant}: {rungs}"),
            (RungOutcome::Open, Some(warning), 0) => format!("{open}: {warning}"),
            (RungOutcome::Open, Some(warning), _) => format!("{open}: {rungs}; but {warning}"),
            (RungOutcome::Open, None, 0) => {
                format!(
                    "no rung is decided: whether skill matters in {variant} is open; more blocks may tell"
                )
            }
            (RungOutcome::Open, None, _) => format!("{open}: {rungs}"),
        };
        format!(
            "{said}\nover the whole ladder: {} of the squares above the even share, {} Elo\n\
             share: of the squares of all centres; a solo has all of them; its interval: over blocks, at 95 % for each rung alone\n\
             Elo: Plackett–Luce over the finishing orders; its interval: jackknife over blocks; games of one block share their \
             catastrophes, and all rungs play the same blocks\n",
            report.gain().signed(3),
            in_elo(report.elo()),
        )
    }
}

#[cfg(test)]
mod tests;
