//! The balance of one cell: rates and means with their intervals.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::balance::distribution::{Distribution, Quantiles};
use crate::balance::effect::Effect;
use crate::balance::fairness::Fairness;
use crate::balance::headline::{BotRecord, SeatedBot, seated};
use crate::balance::needed::{Needed, needed_for_mean, needed_for_rate};
use crate::balance::options::BalanceOptions;
use crate::balance::play::PlayMeasures;
use crate::balance::source::LineUpFacts;
use crate::balance::tally::{CellTally, FairnessMeasure, PowerCounts};
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
    fn of(blocks: Blocks, seen: &Distribution) -> MeanSpread {
        MeanSpread { mean: blocks.mean(), quantiles: seen.quantiles(), histogram: seen.counts() }
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
    pub(super) fn new(
        (arm, label): (&Arm, &str),
        names: &PowerNames,
        line_up: usize,
        facts: &LineUpFacts,
        tally: &CellTally,
        fairness: Vec<Fairness>,
        options: &BalanceOptions,
    ) -> CellBalance {
        let counts = &tally.counts;
        let end = |end: GameEnd| counts.ends[end as usize].rate();
        let powers = || names.powers().iter();
        let balance =
            |power: Power| power_balance(&counts.powers[power.index()], &tally.centres[power.index()]);
        let years = tally.years.years.iter().zip(&tally.by_year.years).zip(arm.start()..);
        let centres = |year: u16, spread: MeanSpread| match year == arm.start() {
            // The start position is the same in every possible game.
            true => MeanSpread { quantiles: spread.quantiles.map(Quantiles::known), ..spread },
            false => spread,
        };
        let years = years.map(|((tally, seen), year)| YearBalance {
            year,
            running: tally.running,
            powers: names.by_name(powers().map(|power| {
                let at = power.index();
                let of = PowerYear {
                    centres: centres(year, MeanSpread::of(tally.centres[at], &seen[at])),
                    in_play: tally.in_play[at].rate(),
                    centres_in_play: tally.centres_in_play[at].mean(),
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
            games: counts.years.games(),
            blocks: counts.years.blocks(),
            ends: Ends {
                solo: end(GameEnd::Solo),
                draw: end(GameEnd::Draw),
                deserted: end(GameEnd::Deserted),
                unfinished: end(GameEnd::Unfinished),
                stopped: end(GameEnd::Stopped),
            },
            draws: Draws {
                size: tally.draw_sizes.mean(),
                of: counts.draws.iter().map(|&of| of.rate()).collect(),
            },
            length: MeanSpread::of(counts.years, &tally.lengths),
            extant_centres: counts.extant.mean(),
            play: tally.play.play(names),
            years: years.collect(),
            needed: needed(names, counts, options),
            powers: names.by_name(powers().map(|power| (power, balance(power)))),
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
    let games = tally.counts.years.games().max(1) as f64;
    let won = |bot: &str| tally.won.get(bot).map_or(0.0, |&won| won as f64 / games);
    let record = |seated: SeatedBot| BotRecord { won: won(&seated.bot), seated };
    seated(&facts.bots).into_iter().map(record).collect()
}

fn power_balance(counts: &PowerCounts<Blocks>, centres: &Distribution) -> PowerBalance {
    PowerBalance {
        solos: counts.solos.rate(),
        draws: counts.draws.rate(),
        survivals: counts.survivals.rate(),
        eliminations: counts.eliminations.rate(),
        score: counts
            .score
            .mean()
            .map(|score| score.map(|points| points / FairnessMeasure::Score.unit()).within(0.0, 1.0)),
        centres: MeanSpread::of(counts.centres, centres),
    }
}

fn needed(
    names: &PowerNames,
    counts: &crate::balance::tally::GameCounts<Blocks>,
    options: &BalanceOptions,
) -> Option<CellNeeded> {
    let (width, width_centres) = (options.width, options.width_centres);
    if width.is_none() && width_centres.is_none() {
        return None;
    }
    let of_power = |power: Power| {
        let counts = &counts.powers[power.index()];
        let rate = |of: Blocks| width.and_then(|width| needed_for_rate(of, width));
        PowerNeeded {
            solos: rate(counts.solos),
            score: width
                .and_then(|width| needed_for_mean(counts.score, width * FairnessMeasure::Score.unit())),
            survivals: rate(counts.survivals),
            centres: width_centres.and_then(|width| needed_for_mean(counts.centres, width)),
        }
    };
    let powers = names.by_name(names.powers().iter().map(|power| (power, of_power(power))));
    Some(CellNeeded { width, width_centres, powers })
}
