//! The tables at the end of a run.

use super::faults::Faults;
use super::summary::Summary;
use upheaval_harness::record::{GameRow, GameRows, TopologyRow};
use upheaval_harness::sim::Collect;

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
