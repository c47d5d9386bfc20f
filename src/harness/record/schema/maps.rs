//! The tables of maps: `topology`, `maps` and `distances`.

use std::sync::Arc;

use super::super::column::{Column, ColumnValues, FillRuns, TableRow, TableSchema};
use super::super::frame::TableFrame;
use super::super::rows::{DistanceRow, GameRows, MapRow, TopologyRow};
use super::{
    COUNT, GAME, HASH, NUMBER, PHASE, PHASE_SEASON, PHASES, POWER, SEASON, TURN, TURN_SEASON, TURN_YEAR,
    YEAR, hash, power, u16, u32, word,
};
use upheaval_map::ids::PowerNames;
use upheaval_map::topology::{GraphMetrics, Metrics};

impl TableRow for TopologyRow {
    const TABLE: &'static str = "topology";
    fn table(_: &TableFrame) -> TableSchema<Self> {
        topology()
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.topology
    }
}

impl TableRow for MapRow {
    const TABLE: &'static str = "maps";
    fn table(_: &TableFrame) -> TableSchema<Self> {
        maps()
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.maps
    }
}

/// A row with the measures of a map.
trait OfMap: 'static {
    /// What follows from the map.
    fn map(&self) -> &Arc<Metrics>;
}

impl OfMap for TopologyRow {
    fn map(&self) -> &Arc<Metrics> {
        &self.map
    }
}

impl OfMap for MapRow {
    fn map(&self) -> &Arc<Metrics> {
        &self.map
    }
}

/// A column of a property of the map: computed once for all consecutive rows that share one.
fn of_map<R: OfMap, T: Copy + PartialEq + 'static>(
    get: impl Fn(&Metrics) -> T + Send + Sync + 'static,
) -> FillRuns<R, T> {
    Box::new(move |rows, values| {
        let one_map = |a: &R, b: &R| Arc::ptr_eq(a.map(), b.map());
        rows.chunk_by(one_map).for_each(|rows| values.push(get(rows[0].map()), rows.len()));
    })
}

fn maps() -> TableSchema<MapRow> {
    let mut columns = vec![
        Column::new("game", NUMBER, GAME, u32(|r: &MapRow| r.game)),
        Column::new(
            "turn",
            NUMBER,
            "The turn that the phase is part of, as in `topology`: its last row is the map of that row",
            u16(|r: &MapRow| r.turn),
        ),
        Column::new("year", YEAR, "The year of the phase", u16(|r: &MapRow| r.phase.year)),
        Column::new("season", SEASON, PHASE_SEASON, word(|r: &MapRow| r.phase.season)),
        Column::new("phase", PHASES, PHASE, word(|r: &MapRow| r.phase.kind)),
        Column::new(
            "events",
            COUNT,
            "Events of the game up to the end of the phase: those before this `sequence` in `events`",
            u32(|r: &MapRow| r.events),
        ),
        Column::new(
            "extant_centres",
            COUNT,
            "Supply centres that exist, owned or not",
            u16(|r: &MapRow| r.extant_centres),
        ),
        Column::new(
            "topology_hash",
            HASH,
            "Hash of the map, as in `topology`",
            hash(|r: &MapRow| r.topology_hash),
        ),
    ];
    columns.extend(face_columns());
    columns.extend(graph_columns());
    TableSchema {
        name: MapRow::TABLE,
        about: "One row for each phase that has changed the map: the map at the end of the phase, whereas `topology` \
                has the map at the end of the season. The table exists if the experiment says `log.maps = true`. A \
                game whose map never changes has no row.",
        columns,
    }
}

fn topology() -> TableSchema<TopologyRow> {
    let mut columns = vec![
        Column::new("game", NUMBER, GAME, u32(|r: &TopologyRow| r.game)),
        Column::new("turn", NUMBER, TURN, u16(|r: &TopologyRow| r.turn)),
        Column::new("year", YEAR, TURN_YEAR, u16(|r: &TopologyRow| r.year)),
        Column::new("season", SEASON, TURN_SEASON, word(|r: &TopologyRow| r.season)),
        Column::new(
            "extant_centres",
            COUNT,
            "Supply centres that exist, owned or not",
            u16(|r: &TopologyRow| r.extant_centres),
        ),
        Column::new(
            "owned_centres",
            COUNT,
            "Supply centres that exist and that a power owns",
            u16(|r: &TopologyRow| r.owned_centres),
        ),
        Column::new(
            "neutral_centres",
            COUNT,
            "Supply centres that exist without an owner: `extant_centres` minus `owned_centres`",
            u16(|r: &TopologyRow| r.extant_centres.saturating_sub(r.owned_centres)),
        ),
        Column::new(
            "topology_hash",
            HASH,
            "Hash of the map: equal for equal maps, in every run and game",
            hash(|r: &TopologyRow| r.topology_hash),
        ),
    ];
    columns.extend(face_columns());
    columns.extend(graph_columns());
    TableSchema {
        name: TopologyRow::TABLE,
        about: "One row for each game and turn: the map at the end of the season. Every face counts in one of `land`, \
                `sea`, `impassable`, `outside`, `holes` and `voids`.\n\
                \n\
                The nodes of the *army graph* are the land provinces that a unit can be in; its edges join those \
                between which an army can move. Convoys do not count. The nodes of the *fleet graph* are the seas and \
                the single coasts that a unit can be in (a land province with two coasts is two nodes, one without a \
                coast is none); its edges join those between which a fleet can move. A *piece* of a graph is a maximal \
                set of nodes that can all be reached from each other. The *diameter* is the greatest number of steps \
                that a shortest path takes; in a graph of several pieces it is the greatest within a piece. A *cut \
                vertex* is a node whose removal divides its piece.",
        columns,
    }
}

impl TableRow for DistanceRow {
    const TABLE: &'static str = "distances";
    fn table(frame: &TableFrame) -> TableSchema<Self> {
        distances(&frame.power_names)
    }
    fn of(game: &GameRows) -> &[Self] {
        &game.distances
    }
}

fn distances(powers: &PowerNames) -> TableSchema<DistanceRow> {
    TableSchema {
        name: DistanceRow::TABLE,
        about: "One row for each game, turn and pair of powers whose distance has changed since the turn before, in \
                this order; at turn 0 every pair has one. A distance holds until the next row of its pair.\n\
                \n\
                The *distance* of two powers is measured in the graph of all provinces that a unit can be in, with an \
                edge where an army can move or a fleet can move, from any coast. It is the least number of such steps \
                from a home centre of one power to a home centre of the other, regardless of units in between, as a \
                mean over all pairs of such centres. A home centre does not count while it is a hole or a void, or if \
                it sank. Pairs of centres without a path do not count.",
        columns: vec![
            Column::new("game", NUMBER, GAME, u32(|r: &DistanceRow| r.game)),
            Column::new("turn", NUMBER, TURN, u16(|r: &DistanceRow| r.turn)),
            Column::new(
                "power",
                POWER,
                "The first power of the pair",
                power(powers, |r: &DistanceRow| r.power),
            ),
            Column::new(
                "other",
                POWER,
                "The second power of the pair, after the first in the order of the powers",
                power(powers, |r: &DistanceRow| r.other),
            ),
            Column::new(
                "distance",
                "steps",
                "Their distance from the end of this turn on; null where no path is left",
                ColumnValues::SharedOptionalF32(Box::new(|rows: &[DistanceRow], values| {
                    rows.iter().for_each(|row| values.push(row.distance, 1));
                })),
            ),
        ],
    }
}

fn face_columns<R: OfMap>() -> Vec<Column<R>> {
    let count = |name: &'static str, meaning: &'static str, get: fn(&Metrics) -> u16| {
        Column::new(name, COUNT, meaning, ColumnValues::SharedU16(of_map(get)))
    };
    vec![
        count("land", "Land provinces that a unit can be in", |map| map.land),
        count("sea", "Sea provinces that a unit can be in", |map| map.sea),
        count("impassable", "Faces inside the board that nobody can enter, such as Switzerland", |map| {
            map.impassable
        }),
        count("outside", "Faces beyond the edge of the board", |map| map.outside),
        count("holes", "Faces that have collapsed: their neighbours meet", |map| map.holes),
        count("voids", "Faces that are void: no unit can pass", |map| map.voids),
        count("borders", "Borders of the underlying map, including those of holes", |map| map.borders),
        count("corners", "Corners of the underlying map, where borders meet", |map| map.corners),
        count("components", "Connected components of the net of borders", |map| map.components),
        count(
            "islands",
            "Parts of the board between which no unit can move by itself; 1 if it is connected",
            |map| map.islands,
        ),
        count("coasts", "Coasts of land provinces; each counts where a province has several", |map| {
            map.coasts
        }),
        count("multi_coast", "Provinces with several coasts", |map| map.multi_coast),
    ]
}

fn graph_columns<R: OfMap>() -> Vec<Column<R>> {
    type Graph = fn(&Metrics) -> &GraphMetrics;
    type Mean = fn(&Metrics) -> Option<f32>;
    let graphs: [(&str, Graph, Mean); 2] = [
        ("army", |map| &map.army, Metrics::army_mean_degree),
        ("fleet", |map| &map.fleet, Metrics::fleet_mean_degree),
    ];
    let mut columns = Vec::new();
    for (kind, graph, mean_degree) in graphs {
        let count = |suffix: &str, meaning: String, get: fn(&GraphMetrics) -> u16| {
            let values = ColumnValues::SharedU16(of_map(move |map| get(graph(map))));
            Column::new(format!("{kind}_{suffix}"), COUNT, meaning, values)
        };
        columns.push(count("edges", format!("Edges of the {kind} graph"), |graph| graph.edges));
        columns.push(count("components", format!("Pieces of the {kind} graph"), |graph| graph.components));
        columns.push(Column::new(
            format!("{kind}_mean_degree"),
            "edges",
            format!("Edges at a node of the {kind} graph on average; null where it has no nodes"),
            ColumnValues::SharedOptionalF32(of_map(mean_degree)),
        ));
        columns.push(count("diameter", format!("Diameter of the {kind} graph"), |graph| graph.diameter));
        let cut = format!("Cut vertices of the {kind} graph");
        columns.push(count("cut_vertices", cut, |graph| graph.cut_vertices));
    }
    columns
}
