//! Standings and bot faults of a run on disk.

use crate::faults::Faults;
use crate::reading::{PartTally, RunPart, RunTally, read};
use crate::repeats::Shuffling;
use crate::scoring::Score;
use crate::standings::{Counted, Standings};
use upheaval_harness::record::GameRow;
use upheaval_harness::sim::extension::{self, Played};
use upheaval_harness::sim::labels::Labels;
use upheaval_harness::sim::resolved::{BotNames, ResolvedSeats};
use upheaval_harness::sim::stored::{StoredError, StoredRun};

impl Standings {
    /// The standings of a run's games, and the faults of its bots.
    ///
    /// # Errors
    /// A table cannot be read, or has games of another run.
    pub fn of(run: &StoredRun, score: Score) -> Result<(Standings, Faults), StoredError> {
        Standings::of_all(run, &[], score)
    }

    /// The standings of a tournament that was extended: of its first run and the others together. A block is the same
    /// set of catastrophes in all of them.
    ///
    /// # Errors
    /// As [`Standings::of`], or a run is not of the same tournament, or has a line-up that another has too.
    pub fn of_all(
        first: &StoredRun,
        others: &[StoredRun],
        score: Score,
    ) -> Result<(Standings, Faults), StoredError> {
        let runs: Vec<&StoredRun> = [first].into_iter().chain(others).collect();
        are_of_one_tournament(&runs)?;
        let mut bots: Vec<String> = Vec::new();
        for bot in runs.iter().flat_map(|run| &run.experiment.bots) {
            if !bots.contains(&bot.name) {
                bots.push(bot.name.clone());
            }
        }
        let arms = Labels::of(first.arms()).all().map(str::to_owned).collect();
        let alone = runs.iter().all(|run| counted(&run.experiment.seats) == Counted::Alone);
        let counted = if alone { Counted::Alone } else { Counted::EverySeat };
        let helps = |run: &&StoredRun| Shuffling::of(run.experiment.seating()) == Shuffling::Helps;
        let shuffling = if runs.iter().any(helps) { Shuffling::Helps } else { Shuffling::Vain };
        let mut standings = Standings::new(bots, arms, counted, score).with(shuffling);
        let mut faults = Faults::default();
        let parts = runs.into_iter().flat_map(RunPart::of_run);
        read(parts, &mut (&mut standings, &mut faults))?;
        Ok((standings, faults))
    }
}

impl PartTally for StandingsPart {
    fn end(&mut self, part: &RunPart<'_>, games: &[GameRow]) -> Result<(), StoredError> {
        match games.iter().all(|game| self.0.add(part.arm_index(), game)) {
            true => Ok(()),
            false => Err(part.foreign()),
        }
    }
}

impl RunTally for Standings {
    type Part = StandingsPart;

    fn new_part(&self, _: &RunPart<'_>) -> StandingsPart {
        StandingsPart(self.without_games())
    }

    fn add(&mut self, _: &RunPart<'_>, counted: StandingsPart) -> Result<(), StoredError> {
        self.append(counted.0);
        Ok(())
    }
}

/// The games of a part.
pub struct StandingsPart(Standings);

/// Makes sure that several runs are of one tournament, and that each line-up is in one of them. One run alone may be of
/// any kind.
pub(crate) fn are_of_one_tournament(runs: &[&StoredRun]) -> Result<(), StoredError> {
    if runs.len() < 2 {
        return Ok(());
    }
    Played::of_stored(runs)?;
    for other in &runs[1..] {
        extension::fits(&runs[0].experiment, &other.experiment).map_err(|what| StoredError::Apart {
            first: runs[0].path.clone(),
            second: other.path.clone(),
            what,
        })?;
    }
    Ok(())
}

/// Where each of several line-ups has one bot alone and another in all other seats, the score of the single bot counts.
fn counted(seats: &ResolvedSeats) -> Counted {
    let one_against_rest = |line_up: &BotNames| {
        let count = |bot: &String| line_up.iter().filter(|other| *other == bot).count();
        line_up.iter().any(|bot| count(bot) == 1) && line_up.iter().any(|bot| count(bot) + 1 == line_up.len())
    };
    match seats {
        ResolvedSeats::LineUps { lineups, .. } if lineups.iter().all(one_against_rest) => Counted::Alone,
        _ => Counted::EverySeat,
    }
}
