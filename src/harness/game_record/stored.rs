//! The tables of a part of a run, for comparison with games that are played again.

use super::error::AgainError;
use crate::record::column::TableRow;
use crate::record::compare::StoredPart;
use crate::record::regular::Readable;
use crate::record::rows::REFUSED;
use crate::record::{
    DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
};
use crate::sim::schedule::Chunk;
use crate::sim::stored::StoredRun;
use crate::sim::{Logging, MapLog};

/// The tables of a part.
pub(super) struct Stored {
    games: StoredPart,
    seats: StoredPart,
    turns: StoredPart,
    topology: StoredPart,
    distances: StoredPart,
    events: StoredPart,
    orders: Option<StoredPart>,
    maps: Option<StoredPart>,
    refused: RefusedRows,
}

/// Whether the table of orders has rows of orders that were refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RefusedRows {
    Stored,
    /// The tables are of schema version 6, which has none.
    Missing,
}

impl Stored {
    /// Reads the part of a chunk.
    ///
    /// # Errors
    /// A file is damaged.
    pub fn read(run: &StoredRun, chunk: &Chunk) -> Result<Stored, AgainError> {
        fn table<R: TableRow>(run: &StoredRun, chunk: &Chunk) -> Result<StoredPart, AgainError> {
            let file = run.chunk_file(chunk, R::TABLE);
            let damaged = |what| AgainError::Table { path: file.place(), what };
            let part = StoredPart::read::<R>(&file, &run.experiment.frame(chunk.variant)).map_err(damaged)?;
            match part.foreign(&chunk.games) {
                Some(game) => Err(damaged(format!("has rows of game {game}, which is not one of its games"))),
                None => Ok(part),
            }
        }
        Ok(Stored {
            refused: match run.experiment.schema_version {
                ..=6 => RefusedRows::Missing,
                _ => RefusedRows::Stored,
            },
            games: table::<GameRow>(run, chunk)?,
            seats: table::<SeatRow>(run, chunk)?,
            turns: table::<TurnRow>(run, chunk)?,
            topology: table::<TopologyRow>(run, chunk)?,
            distances: table::<DistanceRow>(run, chunk)?,
            events: table::<EventRow>(run, chunk)?,
            orders: match run.experiment.log.logging() {
                Logging::WithOrders => Some(table::<OrderRow>(run, chunk)?),
                Logging::WithoutOrders => None,
            },
            maps: match run.experiment.log.maps() {
                MapLog::EachPhase => Some(table::<MapRow>(run, chunk)?),
                MapLog::EachSeason => None,
            },
        })
    }

    /// The difference of a game, by the most informative table.
    pub fn differs(&self, record: &GameRows) -> Option<String> {
        let game = record.game.game;
        // How many orders were refused is an event in tables of either version.
        let was_refused = || record.orders.iter().any(|row| &*row.result == REFUSED);
        let orders = self.orders.as_ref().filter(|_| self.refused == RefusedRows::Stored || !was_refused());
        None.or_else(|| orders?.differs::<OrderRow>(game, record))
            .or_else(|| self.events.differs::<EventRow>(game, record))
            .or_else(|| self.maps.as_ref()?.differs::<MapRow>(game, record))
            .or_else(|| self.topology.differs::<TopologyRow>(game, record))
            .or_else(|| self.distances.differs::<DistanceRow>(game, record))
            .or_else(|| self.turns.differs::<TurnRow>(game, record))
            .or_else(|| self.seats.differs::<SeatRow>(game, record))
            .or_else(|| self.games.differs::<GameRow>(game, record))
    }
}
