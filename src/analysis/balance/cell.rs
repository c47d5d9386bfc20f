//! The balance of one cell: rates and means with their intervals.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::balance::distribution::{Distribution, Quantiles};
use crate::balance::effect::Effect;
use crate::balance::fairness::Fairness;
use crate::balance::play::PlayMeasures;
use crate::balance::source::{BalanceOptions, LineUpFacts, SeatedBot, seated};
use crate::balance::tally::{CellTally, FairnessMeasure, PowerTally};
use crate::blocks::for_estimated_spread;
use crate::estimate::{t_upper, wilson_share};
use crate::{Blocks, Estimate};
use upheaval_harness::record::GameEnd;
use upheaval_harness::sim::resolved::Arm;
use upheaval_map::ids::{Power, PowerNames};

/// An arm and a line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellBalance {
    /// The arm's id: a variant, with its parameters where it belongs to a sweep.
    pub arm: String,
    /// Its display name: only what differs between the arms.
    pub label: String,
    /// The parameters that the sweep set; `null` where there is no sweep.
    pub parameters: Value,
    /// The line-up's number.
    pub line_up: usize,
    /// Its bots, and how they are seated.
    pub seating: LineUpFacts,
    /// Its bots, each with the share of the games that it won.
    pub bots: Vec<BotRecord>,
    /// What fairness means here, in a sentence.
    pub fairness_means: &'static str,
    /// Games.
    pub games: u64,
    /// Blocks of games that share one nature.
    pub blocks: u64,
    /// How games ended: shares of all games.
    pub ends: Ends,
    /// How draws were shared.
    pub draws: Draws,
    /// Game years begun.
    pub length: MeanSpread,
    /// Centres that the map still has at the end.
    pub extant_centres: Option<Estimate>,
    /// The powers.
    pub powers: BTreeMap<String, PowerBalance>,
    /// How the games are played: leads, choices, orders and captures.
    pub play: PlayMeasures,
    /// Year by year, starting with the start position. A game that has ended keeps its final state, so every year
    /// covers all games.
    pub years: Vec<YearBalance>,
    /// How fair it is, by measure.
    pub fairness: Vec<Fairness>,
    /// How events affect the powers that they strike, by kind; only kinds that occurred.
    pub effects: Vec<Effect>,
    /// How many games are needed for intervals of the requested widths.
    pub needed: Option<CellNeeded>,
}

/// A bot of a line-up and what it won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotRecord {
    /// The bot with its seats.
    #[serde(flatten)]
    pub seated: SeatedBot,
    /// The share of all games that it won alone, from whichever seat.
    pub won: f64,
}

/// Shares of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // as `GameEnd`
pub struct Ends {
    pub solo: Option<Estimate>,
    pub draw: Option<Estimate>,
    pub deserted: Option<Estimate>,
    pub unfinished: Option<Estimate>,
    pub stopped: Option<Estimate>,
}

impl Ends {
    /// All of them, in the order of [`GameEnd::ALL`].
    pub(super) fn all(&self) -> [(GameEnd, Option<Estimate>); GameEnd::ALL.len()] {
        let &Ends { solo, draw, deserted, unfinished, stopped } = self;
        let shares = [solo, draw, deserted, unfinished, stopped];
        std::array::from_fn(|at| (GameEnd::ALL[at], shares[at]))
    }
}

/// Draws of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draws {
    /// The mean number of powers in a draw, over games that ended in one.
    pub size: Option<Estimate>,
    /// The share of games that ended in a draw of one, two … of all powers.
    pub of: Vec<Option<Estimate>>,
}

/// A mean and the distribution of the values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanSpread {
    /// The mean over games, with its interval over blocks.
    pub mean: Option<Estimate>,
    /// Quantiles over games, with their intervals over blocks.
    pub quantiles: Option<Quantiles>,
    /// How many games had 0, 1, 2 …
    pub histogram: Vec<u64>,
}

impl MeanSpread {
    fn of(seen: &Distribution) -> MeanSpread {
        MeanSpread { mean: seen.values().mean(), quantiles: seen.quantiles(), histogram: seen.counts() }
    }
}

/// One power in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerBalance {
    /// The share of games it won alone.
    pub solos: Option<Estimate>,
    /// The share of games in which it shared a draw.
    pub draws: Option<Estimate>,
    /// The share of games at whose end it has a unit.
    pub survivals: Option<Estimate>,
    /// The share of games in which it is left with neither unit nor centre, including games in which it still shares a
    /// draw of all powers.
    pub eliminations: Option<Estimate>,
    /// The mean draw-size score: 1 for a solo, 1/n for a draw of n.
    pub score: Option<Estimate>,
    /// Centres at the end.
    pub centres: MeanSpread,
}

/// The count at the end of one year.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct YearBalance {
    /// The year; the first is that of the start position.
    pub year: u16,
    /// Games that had a season in this year.
    pub running: u64,
    /// The powers.
    pub powers: BTreeMap<String, PowerYear>,
}

/// One power at the end of one year.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerYear {
    /// Centres, 0 for an eliminated power.
    pub centres: MeanSpread,
    /// The share of games in which it has a unit or a centre.
    pub in_play: Option<Estimate>,
    /// Mean centres over these games.
    pub centres_in_play: Option<Estimate>,
}

/// How many games are needed for intervals of the requested widths: a run should have as many as the power that needs
/// most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellNeeded {
    /// The requested width in rates and scores, from the lower bound to the upper.
    pub width: Option<f64>,
    /// The requested width in centres.
    pub width_centres: Option<f64>,
    /// By power.
    pub powers: BTreeMap<String, PowerNeeded>,
}

/// How many games the intervals of one power need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // as `PowerBalance`
pub struct PowerNeeded {
    pub solos: Option<Needed>,
    pub score: Option<Needed>,
    pub survivals: Option<Needed>,
    pub centres: Option<Needed>,
}

impl CellBalance {
    /// The balance that the tally of a cell gives; the effects are added later.
    pub(crate) fn new(
        (arm, label): (&Arm, &str),
        names: &PowerNames,
        line_up: usize,
        facts: &LineUpFacts,
        tally: &CellTally,
        fairness: Vec<Fairness>,
        options: &BalanceOptions,
    ) -> CellBalance {
        let [solo, draw, deserted, unfinished, stopped] = tally.ends.map(Blocks::rate);
        let powers = || names.powers().iter();
        let years = tally.years.years.iter().zip(arm.start()..);
        let centres = |year: u16, spread: MeanSpread| match year == arm.start() {
            // The start position is the same in every possible game.
            true => MeanSpread { quantiles: spread.quantiles.map(Quantiles::known), ..spread },
            false => spread,
        };
        let years = years.map(|(tally, year)| YearBalance {
            year,
            running: tally.running,
            powers: names.by_name(powers().map(|power| {
                let tally = &tally.powers[power.index()];
                let of = PowerYear {
                    centres: centres(year, MeanSpread::of(&tally.centres)),
                    in_play: tally.in_play.rate(),
                    centres_in_play: tally.centres_in_play.mean(),
                };
                (power, of)
            })),
        });
        CellBalance {
            arm: arm.id.clone(),
            label: label.to_owned(),
            parameters: arm.parameters.clone().map_or(Value::Null, Value::Object),
            line_up,
            seating: facts.clone(),
            bots: records(facts, tally),
            fairness_means: facts.seats.meaning(),
            games: tally.length.values().games(),
            blocks: tally.length.values().blocks(),
            ends: Ends { solo, draw, deserted, unfinished, stopped },
            draws: Draws {
                size: tally.draw_sizes.mean(),
                of: tally.draws.iter().map(|&of| of.rate()).collect(),
            },
            length: MeanSpread::of(&tally.length),
            extant_centres: tally.extant.mean(),
            play: tally.play.play(names),
            years: years.collect(),
            needed: cell_needed(names, &tally.powers, options),
            powers: names.by_name(powers().map(|power| (power, power_balance(&tally.powers[power.index()])))),
            fairness,
            effects: Vec::new(),
        }
    }

    /// How fair the cell is in a measure.
    pub fn fairness(&self, measure: FairnessMeasure) -> &Fairness {
        &self.fairness[measure as usize]
    }
}

/// What each bot of a line-up won.
fn records(facts: &LineUpFacts, tally: &CellTally) -> Vec<BotRecord> {
    let games = tally.length.values().games().max(1) as f64;
    let won = |bot: &str| tally.won.get(bot).map_or(0.0, |&won| won as f64 / games);
    let record = |seated: SeatedBot| BotRecord { won: won(&seated.bot), seated };
    seated(&facts.bots).into_iter().map(record).collect()
}

fn power_balance(counts: &PowerTally) -> PowerBalance {
    PowerBalance {
        solos: counts.solos.rate(),
        draws: counts.draws.rate(),
        survivals: counts.survivals.rate(),
        eliminations: counts.eliminations.rate(),
        score: counts
            .score
            .mean()
            .map(|score| score.map(|points| points / FairnessMeasure::Score.unit()).within(0.0, 1.0)),
        centres: MeanSpread::of(&counts.centres),
    }
}

fn cell_needed(names: &PowerNames, powers: &[PowerTally], options: &BalanceOptions) -> Option<CellNeeded> {
    let (width, width_centres) = (options.width, options.width_centres);
    if width.is_none() && width_centres.is_none() {
        return None;
    }
    let of_power = |power: Power| {
        let counts = &powers[power.index()];
        let rate = |of: Blocks| width.and_then(|width| needed_for_rate(of, width));
        PowerNeeded {
            solos: rate(counts.solos),
            score: width
                .and_then(|width| needed_for_mean(counts.score, width * FairnessMeasure::Score.unit())),
            survivals: rate(counts.survivals),
            centres: width_centres.and_then(|width| needed_for_mean(counts.centres.values(), width)),
        }
    };
    let powers = names.by_name(names.powers().iter().map(|power| (power, of_power(power))));
    Some(CellNeeded { width, width_centres, powers })
}

// How many games an interval of a given width needs.

/// How many games are needed for a width, in all and in addition to the existing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Needed {
    /// Blocks in all.
    pub blocks: u64,
    /// Games in all.
    pub games: u64,
    /// Of these, blocks that are still to be played.
    pub more_blocks: u64,
    /// Of these, games.
    pub more_games: u64,
}

/// No run has more blocks: a larger need is reported as this number.
const MOST: u64 = 1 << 40;

/// For the mean of independent blocks of this variance to have an interval of this width from its lower bound to its
/// upper.
pub(crate) fn needed(variance: f64, blocks: u64, games_a_block: f64, width: f64) -> Needed {
    let fits = |n: u64| variance == 0.0 || 2.0 * t_upper(n) * (variance / n as f64).sqrt() <= width;
    of(least(2, fits), blocks, games_a_block)
}

/// For a mean over games to have an interval of this width. `None` for fewer than two blocks, which say nothing about
/// the spread.
pub(crate) fn needed_for_mean(all: Blocks, width: f64) -> Option<Needed> {
    let (blocks, games) = (all.blocks(), all.games());
    let of_a_block = variance(all)? * blocks as f64;
    Some(needed(of_a_block, blocks, games as f64 / blocks as f64, width))
}

/// The variance of the mean over games; `None` for fewer than two blocks.
fn variance(all: Blocks) -> Option<f64> {
    (all.blocks() > 1).then(|| all.moments().spread().map_or(0.0, |spread| spread.variance))
}

/// For a rate to have a Wilson interval of this width.
pub(crate) fn needed_for_rate(all: Blocks, width: f64) -> Option<Needed> {
    let (blocks, games) = (all.blocks(), all.games());
    let a_block = games as f64 / blocks as f64;
    let share = all.sum() as f64 / games as f64;
    let of_independent_games = share * (1.0 - share) / games as f64;
    let variance = variance(all)?;
    let estimated = of_independent_games > 0.0 && blocks < games;
    // This many games of a block count as one.
    let alike = if estimated { (variance / of_independent_games).max(1.0) } else { 1.0 };
    let worth = |n: u64| if estimated { for_estimated_spread(n as f64 - 1.0) } else { 1.0 };
    let fits = |n: u64| {
        wilson_share(share, n as f64 * a_block / alike * worth(n)).is_some_and(|of| of.width() <= width)
    };
    Some(of(least(1, fits), blocks, a_block))
}

/// For a one-sided t test of this level to show in four runs of five that a mean is below a limit. `room` says how many
/// standard deviations of a block lie between the two. `None` where no number of games would do.
pub(crate) fn needed_for_equivalence(
    room: f64,
    level: f64,
    blocks: u64,
    games_a_block: f64,
) -> Option<Needed> {
    let fits = |n: u64| {
        let quantiles = StudentsT::new(0.0, 1.0, n as f64 - 1.0)
            .map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - level) + t.inverse_cdf(0.8));
        quantiles <= room * (n as f64).sqrt()
    };
    let needed = (room > 0.0).then(|| least(2, fits)).filter(|&blocks| blocks < MOST);
    needed.map(|needed| of(needed, blocks, games_a_block))
}

fn of(blocks: u64, there: u64, games_a_block: f64) -> Needed {
    let more_blocks = blocks.saturating_sub(there);
    let games = |blocks: u64| (blocks as f64 * games_a_block).round() as u64;
    Needed { blocks, games: games(blocks), more_blocks, more_games: games(more_blocks) }
}

/// The smallest number from `from` on that satisfies the condition; every greater number satisfies it too.
fn least(from: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let mut high = from;
    while high < MOST && !fits(high) {
        high *= 2;
    }
    let mut low = from;
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod needed_tests {
    use super::*;

    #[test]
    fn as_many_as_the_formula_of_the_interval_says() {
        // 2 · t(0.975; n − 1) · 3 / √n ≤ 1: scipy.stats.t gives 2 · 1.976931 · 3 / √141 = 0.99894 and
        // 2 · 1.977054 · 3 / √140 = 1.00256.
        let needed = needed(9.0, 20, 7.0, 1.0);
        assert_eq!(needed, Needed { blocks: 141, games: 987, more_blocks: 121, more_games: 847 });
        // A value that does not vary is known.
        assert_eq!(super::needed(0.0, 20, 7.0, 1.0).more_blocks, 0);
    }

    #[test]
    fn whatever_is_asked_for_has_an_answer() {
        let half = needed(0.25, 2, 7.0, 1e-6);
        // (2 · 1.959964 · 0.5 / 1e-6)²
        assert!((half.blocks as f64 / 3.841_459e12 - 1.0).abs() < 1e-6 || half.blocks == MOST, "{half:?}");
        for width in [1e-3, 1e-9, 1e-300] {
            assert!(needed(0.25, 2, 7.0, width).blocks <= 2 * MOST);
        }
    }

    #[test]
    fn a_rate_needs_as_many_as_its_wilson_interval() {
        let rate = |each: &[u64]| {
            let mut blocks = Blocks::default();
            each.iter().for_each(|&sum| blocks.add_block(7, sum));
            blocks
        };
        // No power ever won: the interval is 0 to z² / (n + z²), and 3.841459 · (1 / 0.02 − 1) = 188.23 games.
        let never = needed_for_rate(rate(&[0; 10]), 0.02).unwrap();
        assert_eq!((never.blocks, never.games, never.more_games), (27, 189, 119));
        // Half of all games, all games of a block alike: 4 · z² · 1/4 / w² − z² blocks = 380.3 of independent blocks,
        // and n / (n − 1) more for the estimated variance, and (t(0.975; n − 1) / z)² = 1.0063 more for their small
        // number (scipy.stats.t).
        let alike: Vec<u64> = (0..100).map(|i| 7 * (i % 2)).collect();
        let half = needed_for_rate(rate(&alike), 0.1).unwrap();
        assert_eq!(half.blocks, 387);
        assert_eq!(needed_for_rate(rate(&[1]), 0.02), None, "one block says nothing about how blocks differ");
    }
}
