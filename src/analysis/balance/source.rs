//! A run folder, as far as a balance needs to know it: its arms and line-ups, and which of them are asked for.

use std::path::Path;

use serde::Serialize;

use super::options::{BalanceError, Choice};
use upheaval_engine::diagnostic::suggest;
use upheaval_harness::sim::resolved::{Names, ResolvedSeats};
use upheaval_harness::sim::stored::{StoredRun, Trust};

/// How the bots of a line-up are seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// The same bot plays every power.
    Alike,
    /// Different bots, each of which plays every power equally often.
    Rotated,
    /// Different bots, each with a power of its own.
    Fixed,
}

impl Seats {
    /// What a comparison of powers compares, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Seats::Alike => "the same bot plays every power, so differences are the powers'",
            Seats::Rotated => {
                "every power is played equally often by each entry of the line-up, so differences are the powers', on \
                 average over these bots"
            }
            Seats::Fixed => {
                "each power is always played by the same one of several bots: differences are of bots and powers together, \
                and say nothing about the powers alone"
            }
        }
    }
}

/// A line-up of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineUpFacts {
    /// A bot for each power, in the order of the powers in the first rotation.
    pub bots: Vec<String>,
    /// How they are seated.
    pub seats: Seats,
}

/// A whole run on disk with its line-ups.
#[derive(Clone, Debug)]
pub struct RunSource {
    /// The run.
    pub run: StoredRun,
    /// Its line-ups.
    pub line_ups: Vec<LineUpFacts>,
    /// How many blocks each arm has.
    pub blocks: u32,
}

impl RunSource {
    /// Opens a run folder.
    pub fn open(path: &Path, trust: Trust) -> Result<RunSource, BalanceError> {
        let run = StoredRun::open_with(path, trust)?.whole()?;
        run.refuse_other_versions()?;
        let (seats, block) = (&run.experiment.seats, run.experiment.seating().block());
        Ok(RunSource { line_ups: line_ups(seats), blocks: run.experiment.games.div_ceil(block), run })
    }

    /// The indices of the arms with these ids, or of all arms where no id is given.
    pub fn chosen_arms(&self, ids: &[String]) -> Result<Vec<usize>, BalanceError> {
        let known = || self.run.arms().iter().map(|arm| arm.id.as_str());
        if let Some(strange) = ids.iter().find(|id| known().all(|known| known != id.as_str())) {
            let message = format!("this run has no `{strange}`; {}", suggest(strange, known()));
            return Err(BalanceError::Choice { of: Choice::Variant, message });
        }
        let chosen = |id: &str| ids.is_empty() || ids.iter().any(|chosen| chosen == id);
        Ok(known().enumerate().filter(|(_, id)| chosen(id)).map(|(place, _)| place).collect())
    }
}

/// The line-ups that the seats of an experiment form.
fn line_ups(seats: &ResolvedSeats) -> Vec<LineUpFacts> {
    let facts = |bots: Vec<String>, unlike| {
        let alike = bots.iter().all(|bot| *bot == bots[0]);
        LineUpFacts { bots, seats: if alike { Seats::Alike } else { unlike } }
    };
    let rotated = |names: &Names| facts(names.to_vec(), Seats::Rotated);
    match seats {
        ResolvedSeats::LineUp { lineup } => vec![rotated(lineup)],
        ResolvedSeats::LineUps { lineups, .. } => lineups.iter().map(rotated).collect(),
        ResolvedSeats::Fixed(names) => vec![facts(names.values().cloned().collect(), Seats::Fixed)],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use upheaval_map::ids::Power;

    #[test]
    fn seats_say_what_fairness_means() {
        let six = |other: &'static str| ["a", "a", "a", "a", "a", "a", other];
        let seats = |value: Value| -> Vec<Seats> {
            let seats: ResolvedSeats = serde_json::from_value(value).unwrap();
            line_ups(&seats).iter().map(|line_up| line_up.seats).collect()
        };
        assert_eq!(seats(json!({ "lineup": six("b") })), [Seats::Rotated]);
        assert_eq!(
            seats(json!({ "each_block": "all", "lineups": [six("a"), six("b")] })),
            [Seats::Alike, Seats::Rotated]
        );
        let fixed = |other: &'static str| {
            let bots = Power::STANDARD.map(Power::name).into_iter().zip(six(other));
            Value::Object(bots.map(|(power, bot)| (power.to_owned(), bot.into())).collect())
        };
        assert_eq!(seats(fixed("b")), [Seats::Fixed]);
        assert_eq!(seats(fixed("a")), [Seats::Alike]);
    }
}
