//! Standings and bot faults of a run on disk.

use super::faults::Faults;
use super::scoring::Score;
use super::standings::{Counted, Standings};
use upheaval_harness::record::reader;
use upheaval_harness::record::regular::Readable;
use upheaval_harness::sim::labels::Labels;
use upheaval_harness::sim::resolved::{Names, ResolvedSeats};
use upheaval_harness::sim::stored::{StoredError, StoredRun};

impl Standings {
    /// The standings of a run's games, and the faults of its bots.
    ///
    /// # Errors
    /// A table cannot be read, or has games of another run.
    pub fn of(run: &StoredRun, score: Score) -> Result<(Standings, Faults), StoredError> {
        let experiment = &run.experiment;
        let bots = experiment.bots.iter().map(|bot| bot.name.clone()).collect();
        let arms = Labels::of(run.arms()).all().map(str::to_owned).collect();
        let mut standings = Standings::new(bots, arms, counted(&experiment.seats), score, experiment.seed);
        let mut faults = Faults::default();
        for arm in 0..run.arms().len() {
            for part in run.parts(arm) {
                let [file, seats] = ["games", "seats"].map(|table| run.file(&part, table));
                for game in reader::games(&file, &seats, experiment.powers())? {
                    if !standings.add(arm, &game) {
                        return Err(StoredError::Foreign(seats.place()));
                    }
                    faults.add(&game);
                }
            }
        }
        Ok((standings, faults))
    }
}

/// Where each of several line-ups has one bot alone and another in all other seats, the score of the single bot counts.
fn counted(seats: &ResolvedSeats) -> Counted {
    let one_against_rest = |line_up: &Names| {
        let count = |bot: &String| line_up.iter().filter(|other| *other == bot).count();
        line_up.iter().any(|bot| count(bot) == 1) && line_up.iter().any(|bot| count(bot) + 1 == line_up.len())
    };
    match seats {
        ResolvedSeats::LineUps { lineups, .. } if lineups.iter().all(one_against_rest) => Counted::Alone,
        _ => Counted::EverySeat,
    }
}
