//! The tables of a part of a run, for comparison with games that are played again.

use std::collections::BTreeMap;

use super::error::AgainError;
use crate::record::column::TableRow;
use crate::record::compare::StoredPart;
use crate::record::reader::{self, ReadError};
use crate::record::regular::Readable;
use crate::record::{
    DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
};
use crate::sim::schedule::Chunk;
use crate::sim::stored::{StoredError, StoredRun};
use crate::sim::{Logging, MapLog, RecordedGame};
use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::ByPower;

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
    /// The rows that give decisions, by game, if they are wanted.
    decisions: BTreeMap<u32, Decisions>,
}

/// The rows of a game that give the decisions in it.
#[derive(Default)]
struct Decisions {
    orders: Vec<OrderRow>,
    events: Vec<EventRow>,
    game: Option<GameRow>,
}

/// Whether decisions are read, for seats that do not play again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecisionRows {
    Wanted,
    NotWanted,
}

impl Stored {
    /// Reads the part of a chunk.
    ///
    /// # Errors
    /// A file is damaged.
    pub(super) fn read(run: &StoredRun, chunk: &Chunk, wanted: DecisionRows) -> Result<Stored, AgainError> {
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
            decisions: match wanted {
                DecisionRows::Wanted => decisions(run, chunk).map_err(StoredError::Read)?,
                DecisionRows::NotWanted => BTreeMap::new(),
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

    /// The record of a game in which these seats do not play again; `None` if its decisions are not there.
    pub(super) fn recorded(&self, game: u32, recorded: ByPower<bool>) -> Option<RecordedGame> {
        let Decisions { orders, events, game } = self.decisions.get(&game)?;
        let GameRow { seats, voided, .. } = game.as_ref()?;
        Some(RecordedGame::new(orders.clone(), events.clone(), seats, *voided, recorded))
    }

    /// The difference of a game, by the most informative table.
    pub(super) fn differs(&self, record: &GameRows) -> Option<String> {
        let game = record.game.game;
        None.or_else(|| self.orders.as_ref()?.differs::<OrderRow>(game, record))
            .or_else(|| self.events.differs::<EventRow>(game, record))
            .or_else(|| self.maps.as_ref()?.differs::<MapRow>(game, record))
            .or_else(|| self.topology.differs::<TopologyRow>(game, record))
            .or_else(|| self.distances.differs::<DistanceRow>(game, record))
            .or_else(|| self.turns.differs::<TurnRow>(game, record))
            .or_else(|| self.seats.differs::<SeatRow>(game, record))
            .or_else(|| self.games.differs::<GameRow>(game, record))
    }
}

/// The rows of a chunk that give decisions.
fn decisions(run: &StoredRun, chunk: &Chunk) -> Result<BTreeMap<u32, Decisions>, ReadError> {
    let mut all: BTreeMap<u32, Decisions> = BTreeMap::new();
    let powers = run.experiment.power_names();
    let file = |table| run.chunk_file(chunk, table);
    for row in reader::games(&file(GameRow::TABLE), &file(SeatRow::TABLE), powers)? {
        let number = row.game;
        all.entry(number).or_default().game = Some(row);
    }
    let fields = {
        use crate::record::reader::orders::{ORDER, PHASE, POWER, REASON, RESULT, SEASON, UNIT, YEAR};
        (YEAR, SEASON, PHASE, POWER, UNIT, ORDER, RESULT, REASON)
    };
    reader::by_game(&file(OrderRow::TABLE), powers, fields, |game, rows| {
        let row = |(year, season, kind, power, unit, order, result, reason): &_| OrderRow {
            game,
            phase: Phase { year: *year, season: *season, kind: *kind },
            power: *power,
            unit: Option::clone(unit),
            order: Clone::clone(order),
            result: Clone::clone(result),
            reason: Option::clone(reason),
        };
        all.entry(game).or_default().orders.extend(rows.iter().map(row));
    })?;
    let fields = {
        use crate::record::reader::events::{
            DETAIL, KIND, OTHER, PHASE, POWER, PROVINCE, SEASON, SEQUENCE, UNIT, YEAR,
        };
        (SEQUENCE, YEAR, SEASON, PHASE, KIND, PROVINCE, POWER, OTHER, UNIT, DETAIL)
    };
    reader::by_game(&file(EventRow::TABLE), powers, fields, |game, rows| {
        let row =
            |(sequence, year, season, phase, kind, province, power, other, unit, detail): &_| EventRow {
                game,
                sequence: *sequence,
                phase: Phase { year: *year, season: *season, kind: *phase },
                kind: *kind,
                province: Option::clone(province),
                power: *power,
                other: *other,
                unit: *unit,
                detail: Option::clone(detail),
            };
        all.entry(game).or_default().events.extend(rows.iter().map(row));
    })?;
    Ok(all)
}
