//! The names of the files of a run.

use crate::record::column::TableRow;
use crate::record::{DistanceRow, EventRow, GameRow, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow};
use crate::sim::experiment::{Logging, MapLog};
use crate::sim::shard::Shard;

/// The file of a run folder with the experiment as given.
pub const GIVEN: &str = "experiment.toml";

/// The file of a run folder with everything that determines the result.
pub const RESOLVED: &str = "experiment.resolved.json";

/// The name of a run folder: of a whole run, or of a shard of it.
pub fn folder_name(name: &str, hash: &str, shard: Option<&Shard>) -> String {
    let suffix = shard.map_or_else(String::new, Shard::suffix);
    format!("{name}-{}{suffix}", hash.get(..12).unwrap_or(hash))
}

/// The tables of a run, in the order in which the parts of a chunk are written.
pub fn tables(logging: Logging, maps: MapLog) -> impl Iterator<Item = &'static str> {
    let always = [
        GameRow::TABLE,
        SeatRow::TABLE,
        TurnRow::TABLE,
        TopologyRow::TABLE,
        DistanceRow::TABLE,
        EventRow::TABLE,
    ];
    let orders = (logging == Logging::WithOrders).then_some(OrderRow::TABLE);
    let maps = (maps == MapLog::EachPhase).then_some(MapRow::TABLE);
    always.into_iter().chain(orders).chain(maps)
}

/// The path of a part file below the run folder.
pub fn part_name(table: &str, variant: &str, part: u32) -> String {
    format!("{table}/variant={variant}/part-{part:05}.parquet")
}
