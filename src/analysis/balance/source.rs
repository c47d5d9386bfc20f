//! A run folder, as far as a balance needs to know it: its arms and line-ups, and which of them are asked for.

use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use crate::balance::effect::AttributionRule;
use crate::balance::tally::FairnessMeasure;
use crate::reading::RunPart;
use crate::standings::are_of_one_tournament;
use upheaval_engine::diagnostic::suggest;
use upheaval_harness::record::EventKind;
use upheaval_harness::sim::SeatOrder;
use upheaval_harness::sim::resolved::{BotNames, ResolvedSeats};
use upheaval_harness::sim::stored::{StoredError, StoredRun, Trust};
use upheaval_map::ids::{Power, PowerNames};

/// The most powers that the label of a line-up names.
const MOST_IN_A_LABEL: usize = 3;

/// How the bots of a line-up are seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineUpSeating {
    /// The same bot plays every power.
    Alike,
    /// Different bots, each of which plays every power equally often, always with the same neighbours.
    Rotated,
    /// Different bots, each of which plays every power equally often, in an order that is drawn for each block.
    Shuffled,
    /// Different bots, each with a power of its own.
    Fixed,
}

impl LineUpSeating {
    /// What a comparison of powers compares, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            LineUpSeating::Alike => "the same bot plays every power, so differences are the powers'",
            LineUpSeating::Rotated => {
                "every power is played equally often by each entry of the line-up, so differences are the powers', on \
                 average over these bots in this order; no interval includes what another order would change"
            }
            LineUpSeating::Shuffled => {
                "every power is played equally often by each entry of the line-up, in another order in each block, so \
                 differences are the powers', on average over these bots and their orders"
            }
            LineUpSeating::Fixed => {
                "each power is always played by the same one of several bots: differences are of bots and powers together, \
                and say nothing about the powers alone"
            }
        }
    }
}

/// A line-up of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineUpFacts {
    /// A bot for each power, in the order of the powers in the first rotation if the seats are not shuffled.
    pub bots: Vec<String>,
    /// How they are seated.
    pub seats: LineUpSeating,
    /// Its label: its number, and what differs between line-ups in fixed seats.
    pub label: String,
}

/// A bot of a line-up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatedBot {
    /// The bot.
    pub bot: String,
    /// How many seats it has.
    pub seats: usize,
}

/// The bots of these seats.
pub(crate) fn seated(seats: &[String]) -> Vec<SeatedBot> {
    let mut all: Vec<SeatedBot> = Vec::new();
    for bot in seats {
        match all.iter_mut().find(|known| known.bot == *bot) {
            Some(known) => known.seats += 1,
            None => all.push(SeatedBot { bot: bot.clone(), seats: 1 }),
        }
    }
    all
}

/// A whole run on disk with its line-ups, and the runs by which it was extended if it is a tournament.
#[derive(Clone, Debug)]
pub struct RunSource {
    /// The run.
    pub run: StoredRun,
    /// The runs with the games of entrants that were added to it. They have the same arms.
    pub extensions: Vec<StoredRun>,
    /// The line-ups of all runs, one run after the other.
    pub line_ups: Vec<LineUpFacts>,
    /// How many blocks each arm has: as many as the run that has the most.
    pub blocks: u32,
}

impl RunSource {
    /// Opens a tournament that was extended: the folder of its first run, and those of the others.
    ///
    /// # Errors
    /// One of them cannot be opened, or they are not of one tournament.
    pub fn open_all(
        first: &Path,
        others: &[impl AsRef<Path>],
        trust: Trust,
    ) -> Result<RunSource, BalanceError> {
        let open = |path: &Path| -> Result<StoredRun, BalanceError> {
            Ok(StoredRun::open_with(path, trust)?.whole()?)
        };
        let run = open(first)?;
        let extensions = others.iter().map(|path| open(path.as_ref())).collect::<Result<Vec<_>, _>>()?;
        let runs: Vec<&StoredRun> = [&run].into_iter().chain(&extensions).collect();
        are_of_one_tournament(&runs)?;
        let seats: Vec<&ResolvedSeats> = runs.iter().map(|run| &run.experiment.seats).collect();
        let blocks = runs.iter().map(|run| run.experiment.games.div_ceil(run.experiment.seating().block()));
        Ok(RunSource {
            line_ups: line_ups(&seats, run.experiment.power_names()),
            blocks: blocks.max().unwrap_or(0),
            extensions,
            run,
        })
    }

    /// The runs, each with the numbers of its line-ups in [`line_ups`](RunSource::line_ups).
    pub fn runs(&self) -> impl Iterator<Item = (&StoredRun, Range<usize>)> {
        let mut from = 0;
        [&self.run].into_iter().chain(&self.extensions).map(move |run| {
            let line_ups = from..from + count(&run.experiment.seats);
            from = line_ups.end;
            (run, line_ups)
        })
    }

    /// The parts of an arm, run by run.
    pub(crate) fn parts(&self, arm: usize) -> impl Iterator<Item = RunPart<'_>> {
        self.runs().flat_map(move |(run, line_ups)| RunPart::of_arm(run, line_ups, arm))
    }

    /// The indices of the arms with these ids, or of all arms where no id is given.
    pub(crate) fn chosen_arms(&self, ids: &[String]) -> Result<Vec<usize>, BalanceError> {
        let known = || self.run.arms().iter().map(|arm| arm.id.as_str());
        if let Some(strange) = ids.iter().find(|id| known().all(|known| known != id.as_str())) {
            let message = format!("this run has no variant `{strange}`; {}", suggest(strange, known()));
            return Err(BalanceError::Choice { option: "variant", message });
        }
        let chosen = |id: &str| ids.is_empty() || ids.iter().any(|chosen| chosen == id);
        Ok(known().enumerate().filter(|(_, id)| chosen(id)).map(|(place, _)| place).collect())
    }
}

/// How many line-ups the seats of an experiment form.
fn count(seats: &ResolvedSeats) -> usize {
    match seats {
        ResolvedSeats::LineUps { lineups: list, .. }
        | ResolvedSeats::FixedLineUps { fixed_lineups: list } => list.len(),
        ResolvedSeats::LineUp { .. } | ResolvedSeats::Fixed(_) => 1,
    }
}

/// The line-ups that the seats of experiments form, one experiment after the other.
fn line_ups(seats: &[&ResolvedSeats], powers: &PowerNames) -> Vec<LineUpFacts> {
    let facts = |bots: Vec<String>, unlike| {
        let alike = bots.iter().all(|bot| *bot == bots[0]);
        LineUpFacts { bots, seats: if alike { LineUpSeating::Alike } else { unlike }, label: String::new() }
    };
    let rotated = |names: &BotNames, order| {
        let seats = match order {
            SeatOrder::Listed => LineUpSeating::Rotated,
            SeatOrder::ShuffledByBlock => LineUpSeating::Shuffled,
        };
        facts(names.to_vec(), seats)
    };
    let of_one = |seats: &&ResolvedSeats| match seats {
        ResolvedSeats::LineUp { lineup, .. } => vec![rotated(lineup, seats.order())],
        ResolvedSeats::LineUps { lineups, .. } => {
            lineups.iter().map(|names| rotated(names, seats.order())).collect()
        }
        ResolvedSeats::FixedLineUps { fixed_lineups } => {
            fixed_lineups.iter().map(|names| facts(names.to_vec(), LineUpSeating::Fixed)).collect()
        }
        ResolvedSeats::Fixed(names) => vec![facts(names.values().cloned().collect(), LineUpSeating::Fixed)],
    };
    let mut all: Vec<LineUpFacts> = seats.iter().flat_map(of_one).collect();
    let differing: Vec<Power> = match seats {
        [ResolvedSeats::FixedLineUps { .. }] => {
            let bot = |facts: &LineUpFacts, power: Power| facts.bots.get(power.index()).cloned();
            let differs = |&power: &Power| all.iter().any(|of| bot(of, power) != bot(&all[0], power));
            powers.powers().iter().filter(differs).collect()
        }
        _ => Vec::new(),
    };
    for (number, line_up) in all.iter_mut().enumerate() {
        let seated =
            |&power: &Power| Some(format!("{} {}", powers.name(power), line_up.bots.get(power.index())?));
        let what: Vec<String> = differing.iter().filter_map(seated).collect();
        line_up.label = match what.len() {
            1..=MOST_IN_A_LABEL => format!("line-up {number} ({})", what.join(", ")),
            _ => format!("line-up {number}"),
        };
    }
    all
}

// The options of a balance, and why a balance may be refused.

/// How far a power's shares with two line-ups may differ for the bots to agree, in parts of an equal share, if nothing
/// else is asked for: with seven powers, 3.6 of 100 points.
pub const MARGIN: f64 = 0.25;

/// What is asked of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceOptions {
    /// The arms, by id; empty for all.
    pub variants: Vec<String>,
    /// The line-ups, by number; empty for all.
    pub line_ups: Vec<usize>,
    /// The arm that the others are compared with; the first of those chosen if left out.
    pub against: Option<String>,
    /// The measure that arms are ranked by in text and pages.
    pub rank_by: FairnessMeasure,
    /// The kinds of events whose effect is estimated; empty for those that change a province.
    pub events: Vec<EventKind>,
    /// Whose province an event strikes.
    pub whose: AttributionRule,
    /// How many years after an event the centres are counted.
    pub years: u16,
    /// The requested width of intervals of rates and scores.
    pub width: Option<f64>,
    /// The requested width of intervals of centres.
    pub width_centres: Option<f64>,
    /// How far a power's shares with two line-ups may differ for the bots to agree, in parts of an equal share.
    pub margin: f64,
    /// How much of the run folder is trusted without a check.
    pub trust: Trust,
}

impl Default for BalanceOptions {
    fn default() -> BalanceOptions {
        BalanceOptions {
            variants: Vec::new(),
            line_ups: Vec::new(),
            against: None,
            rank_by: FairnessMeasure::Score,
            events: Vec::new(),
            whose: AttributionRule::Home,
            years: 2,
            width: None,
            width_centres: None,
            margin: MARGIN,
            trust: Trust::Nothing,
        }
    }
}

impl BalanceOptions {
    /// The requested width in a measure.
    pub(crate) fn width(&self, measure: FairnessMeasure) -> Option<f64> {
        match measure {
            FairnessMeasure::Solos | FairnessMeasure::Score | FairnessMeasure::Survival => self.width,
            FairnessMeasure::Centres => self.width_centres,
        }
    }
}

/// Why a balance cannot be computed from a folder.
#[derive(Debug, thiserror::Error)]
pub enum BalanceError {
    /// The folder cannot be read as a whole run of this version.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Something that is asked for does not exist.
    #[error("{option}: {message}")]
    Choice {
        /// Which option of [`BalanceOptions`].
        option: &'static str,
        /// What is wrong, and what would be right.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn seats_say_what_fairness_means() {
        let six = |other: &'static str| ["a", "a", "a", "a", "a", "a", other];
        let seats = |value: Value| -> Vec<LineUpSeating> {
            let seats: ResolvedSeats = serde_json::from_value(value).unwrap();
            line_ups(&[&seats], &PowerNames::standard()).iter().map(|line_up| line_up.seats).collect()
        };
        assert_eq!(seats(json!({ "lineup": six("b") })), [LineUpSeating::Rotated]);
        assert_eq!(seats(json!({ "lineup": six("b"), "shuffle": true })), [LineUpSeating::Shuffled]);
        assert_eq!(
            seats(json!({ "each_block": "all", "lineups": [six("a"), six("b")] })),
            [LineUpSeating::Alike, LineUpSeating::Rotated]
        );
        let fixed = |other: &'static str| {
            let names = PowerNames::standard();
            let bots = names.iter().zip(six(other));
            Value::Object(bots.map(|(power, bot)| (power.to_owned(), bot.into())).collect())
        };
        assert_eq!(seats(fixed("b")), [LineUpSeating::Fixed]);
        assert_eq!(seats(fixed("a")), [LineUpSeating::Alike]);
    }

    #[test]
    fn line_ups_in_fixed_seats_are_labelled_by_what_differs() {
        let labels = |lists: Value| -> Vec<String> {
            let seats: ResolvedSeats = serde_json::from_value(json!({ "fixed_lineups": lists })).unwrap();
            line_ups(&[&seats], &PowerNames::standard()).into_iter().map(|line_up| line_up.label).collect()
        };
        assert_eq!(
            labels(json!([["a", "b", "a", "a", "a", "a", "a"], ["a", "a", "a", "a", "a", "a", "c"]])),
            ["line-up 0 (ENGLAND b, TURKEY a)", "line-up 1 (ENGLAND a, TURKEY c)"]
        );
        assert_eq!(
            labels(json!([["a", "a", "a", "a", "a", "a", "a"], ["b", "b", "b", "b", "b", "b", "b"]])),
            ["line-up 0", "line-up 1"],
            "a label of seven bots is none"
        );
    }
}
