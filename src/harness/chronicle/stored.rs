//! The tables of a part of a run, beside games that are played again.

use std::path::Path;

use crate::record::column::Row;
use crate::record::compare::StoredPart;
use crate::record::regular::RunFile;
use crate::record::{EventRow, GameRecord, GameRow, OrderRow, TopologyRow, TurnRow};
use crate::sim::Logging;
use crate::sim::output::part_name;
use crate::sim::schedule::Chunk;

/// The tables of a part.
pub(super) struct Stored {
    games: StoredPart,
    turns: StoredPart,
    topology: StoredPart,
    events: StoredPart,
    orders: Option<StoredPart>,
}

impl Stored {
    /// Reads the part of a chunk; or the name of a file that is not sound, and why not.
    pub fn read(run: &Path, arm: &str, chunk: &Chunk, logging: Logging) -> Result<Stored, (String, String)> {
        fn table<R: Row>(run: &Path, arm: &str, chunk: &Chunk) -> Result<StoredPart, (String, String)> {
            let name = part_name(R::table().name, arm, chunk.part);
            match StoredPart::read::<R>(&RunFile::new(run, &name)) {
                Ok(part) => match part.foreign(&chunk.games) {
                    Some(game) => Err((name, format!("has rows of game {game}, which is none of its games"))),
                    None => Ok(part),
                },
                Err(what) => Err((name, what)),
            }
        }
        Ok(Stored {
            games: table::<GameRow>(run, arm, chunk)?,
            turns: table::<TurnRow>(run, arm, chunk)?,
            topology: table::<TopologyRow>(run, arm, chunk)?,
            events: table::<EventRow>(run, arm, chunk)?,
            orders: match logging {
                Logging::WithOrders => Some(table::<OrderRow>(run, arm, chunk)?),
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
