//! The tables at the end of a run.

use crate::faults::Faults;
use crate::land::LandState;
use crate::reading::{DetailTable, GameOfPart, MapState, PartTally, RunPart, RunTally, read};
use crate::summary::Summary;
use upheaval_harness::record::{GameRow, GameRows, TopologyRow};
use upheaval_harness::sim::Collect;
use upheaval_harness::sim::stored::{StoredError, StoredRun};

/// The tables at the end of a run, built from its games one by one.
#[derive(Default)]
pub struct Closing {
    /// The closing table.
    pub summary: Summary,
    /// How bots behaved.
    pub faults: Faults,
}

impl Collect for Closing {
    fn kept(&mut self, arm: &str, game: &GameRow, maps: &[TopologyRow]) {
        self.summary.add_stored(arm, game, maps);
        self.faults.add(game);
    }

    fn played(&mut self, arm: &str, game: &GameRows) {
        self.summary.add(arm, game);
        self.faults.add(&game.game);
    }
}

impl Closing {
    /// The tables of a run's games, or of those of a shard.
    ///
    /// # Errors
    /// A table cannot be read.
    pub fn of(run: &StoredRun) -> Result<Closing, StoredError> {
        let mut tables = Closing::default();
        read(RunPart::of_run(run), &mut tables)?;
        Ok(tables)
    }
}

/// The games of a part, which are added one by one: a block may begin in one part and end in the next.
#[derive(Default)]
pub struct ClosingPart {
    games: Vec<(GameRow, Vec<LandState>)>,
}

impl PartTally for ClosingPart {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Topology]
    }

    fn games(&mut self, games: &[GameRow]) {
        self.games = games.iter().map(|game| (game.clone(), Vec::new())).collect();
    }

    fn maps(&mut self, game: GameOfPart<'_>, rows: &[MapState]) {
        self.games[game.index].1 = rows.iter().map(LandState::from).collect();
    }
}

impl RunTally for Closing {
    type Part = ClosingPart;

    fn new_part(&self, _: &RunPart<'_>) -> ClosingPart {
        ClosingPart::default()
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ClosingPart) -> Result<(), StoredError> {
        for (game, maps) in counted.games {
            self.summary.add_stored(&part.arm().id, &game, maps);
            self.faults.add(&game);
        }
        Ok(())
    }
}
