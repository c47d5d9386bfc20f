//! The tables of a part of a run, beside games that are played again.

use std::path::Path;

use crate::record::column::Row;
use crate::record::compare::StoredPart;
use crate::record::{EventRow, GameRecord, GameRow, OrderRow, TopologyRow, TurnRow};
use crate::sim::Logging;
use crate::sim::output::part_name;

/// The tables of a part.
pub(super) struct Stored {
    games: StoredPart,
    turns: StoredPart,
    topology: StoredPart,
    events: StoredPart,
    orders: Option<StoredPart>,
}

impl Stored {
    /// Reads a part of an arm; or the name of a file that cannot be read, and why not.
    pub fn read(run: &Path, arm: &str, part: u32, logging: Logging) -> Result<Stored, (String, String)> {
        fn table<R: Row>(run: &Path, arm: &str, part: u32) -> Result<StoredPart, (String, String)> {
            let name = part_name(R::table().name, arm, part);
            StoredPart::read::<R>(&run.join(&name)).map_err(|what| (name, what))
        }
        Ok(Stored {
            games: table::<GameRow>(run, arm, part)?,
            turns: table::<TurnRow>(run, arm, part)?,
            topology: table::<TopologyRow>(run, arm, part)?,
            events: table::<EventRow>(run, arm, part)?,
            orders: match logging {
                Logging::WithOrders => Some(table::<OrderRow>(run, arm, part)?),
                Logging::WithoutOrders => None,
            },
        })
    }

    /// In what a game differs, by the table that tells it best.
    pub fn differs(&self, record: &GameRecord) -> Option<String> {
        let game = record.game.game;
        None.or_else(|| self.orders.as_ref()?.differs::<OrderRow>(game, record))
            .or_else(|| self.events.differs::<EventRow>(game, record))
            .or_else(|| self.topology.differs::<TopologyRow>(game, record))
            .or_else(|| self.turns.differs::<TurnRow>(game, record))
            .or_else(|| self.games.differs::<GameRow>(game, record))
    }
}
