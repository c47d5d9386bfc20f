//! The rows of one game: its nodes, edges, seats, asks and orders, numbered within the game.

use upheaval_engine::ask::Public;
use upheaval_engine::game::Stage;
use upheaval_engine::rules::position::{Season, Unit};
use upheaval_engine::rules::victory::majority;
use upheaval_map::ids::{Designation, Location, ProvinceId};

use crate::graph::Graph;
use crate::look::Look;

pub(crate) const GAME_COLUMNS: usize = 10;
pub(crate) const NODE_COLUMNS: usize = 14;
pub(crate) const EDGE_COLUMNS: usize = 5;
pub(crate) const SEAT_COLUMNS: usize = 5;
pub(crate) const ASK_COLUMNS: usize = 8;
pub(crate) const ORDER_COLUMNS: usize = 6;

pub(crate) type NodeRow = [i32; NODE_COLUMNS];

/// The columns of a node that are filled in after it is made.
mod node {
    pub(super) const CENTRE: usize = 3;
    pub(super) const OWNER: usize = 4;
    pub(super) const HOME: usize = 5;
    pub(super) const UNIT: usize = 6;
    pub(super) const POWER: usize = 7;
    pub(super) const COAST: usize = 8;
    pub(super) const DISLODGED: usize = 9;
    pub(super) const DISLODGED_POWER: usize = 10;
    pub(super) const DISLODGED_COAST: usize = 11;
    pub(super) const DOOMED: usize = 12;
    pub(super) const SINKING: usize = 13;
}

/// The code of a kind of unit.
fn unit_code(unit: Unit) -> i32 {
    match unit.designation() {
        Designation::Army => 0,
        Designation::Fleet => 1,
        Designation::ArmyFleet => 2,
    }
}

pub(crate) fn stage_code(stage: Stage) -> i32 {
    stage as i32
}

fn season_code(season: Season) -> i32 {
    match season {
        Season::Spring => 0,
        Season::Fall => 1,
        Season::Winter => 2,
    }
}

/// The graph of a game's board.
pub(crate) fn graph(game: Public<'_>) -> &Graph {
    game.terrain().kept::<Graph>()
}

/// The row of a game, without the indices of its other rows.
pub(crate) fn game_row(number: u32, game: Public<'_>) -> [i32; GAME_COLUMNS] {
    let phase = game.phase();
    [
        number as i32,
        i32::from(phase.year),
        season_code(phase.season),
        stage_code(game.stage()),
        majority(game.terrain().centres().len()) as i32,
        i32::from(game.last_year()),
        0,
        0,
        0,
        0,
    ]
}

/// Writes the nodes of a game, as many as its graph has.
pub(crate) fn write_nodes(game: Public<'_>, rows: &mut [NodeRow]) {
    let (terrain, position) = (game.terrain(), game.position());
    let graph = graph(game);
    for (node, row) in graph.nodes.iter().zip(rows.iter_mut()) {
        *row = [-1; NODE_COLUMNS];
        (row[0], row[1], row[2]) = (i32::from(node.province.0), node.terrain, node.coasts);
        (row[node::CENTRE], row[node::DOOMED], row[node::SINKING]) = (0, 0, 0);
        if let Some(unit) = position.unit(node.province) {
            let at = Location { province: node.province, coast: unit.coast };
            row[node::UNIT] = unit_code(unit);
            row[node::POWER] = unit.power.index() as i32;
            row[node::COAST] = graph.coast(at);
        }
    }
    let mut set = |province, column: usize, value: i32| {
        if let Some(row) = usize::try_from(graph.row(province)).ok().and_then(|row| rows.get_mut(row)) {
            row[column] = value;
        }
    };
    for centre in *terrain.centres() {
        set(centre, node::CENTRE, 1);
    }
    for power in game.powers() {
        let code = power.index() as i32;
        position.centres_of(power).iter().for_each(|centre| set(centre, node::OWNER, code));
        terrain.homes()[power].iter().for_each(|home| set(home, node::HOME, code));
    }
    game.doomed().iter().for_each(|province| set(province, node::DOOMED, 1));
    game.sinking().iter().for_each(|province| set(province, node::SINKING, 1));
    for dislodged in &game.dislodged().dislodged {
        let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
        set(dislodged.at, node::DISLODGED, unit_code(dislodged.unit));
        set(dislodged.at, node::DISLODGED_POWER, dislodged.unit.power.index() as i32);
        set(dislodged.at, node::DISLODGED_COAST, graph.coast(at));
    }
}

/// The indices of a game's first rows in the tables of the batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offsets {
    pub slot: usize,
    pub nodes: usize,
    pub edges: usize,
    pub seats: usize,
    pub asks: usize,
    pub orders: usize,
}

/// Writes the edges of a game.
pub(crate) fn write_edges(game: Public<'_>, offsets: Offsets, rows: &mut [[i32; EDGE_COLUMNS]]) {
    let first = offsets.nodes as i32;
    for (edge, row) in graph(game).edges.iter().zip(rows) {
        let [from, to, kind, from_coast, to_coast] = *edge;
        *row = [first + from, first + to, kind, from_coast, to_coast];
    }
}

/// The node of an exempt centre; −1 if there is none.
pub(crate) fn exempt_node(game: Public<'_>, centre: Option<ProvinceId>) -> i32 {
    centre.map_or(-1, |centre| graph(game).row(centre))
}

/// Writes the seats of a game.
pub(crate) fn write_seats(look: Look<'_>, offsets: Offsets, rows: &mut [[i32; SEAT_COLUMNS]]) {
    for (asked, row) in look.questions.seats.iter().zip(rows) {
        *row = [
            offsets.slot as i32,
            asked.power.index() as i32,
            stage_code(look.game.stage()),
            shifted(exempt_node(look.game, look.questions.exempt(asked.power)), offsets.nodes),
            offsets.asks as i32 + asked.first as i32,
        ];
    }
}

/// Writes the asks of a game.
pub(crate) fn write_asks(look: Look<'_>, offsets: Offsets, rows: &mut [[i32; ASK_COLUMNS]]) {
    let graph = graph(look.game);
    let mut rows = rows.iter_mut();
    for (seat, (_, asks)) in look.questions.of_seats().enumerate() {
        for (ask, row) in asks.iter().zip(&mut rows) {
            let place =
                ask.about.zip(ask.unit).map(|(province, unit)| Location { province, coast: unit.coast });
            *row = [
                (offsets.seats + seat) as i32,
                ask.kind as i32,
                ask.about.map_or(-1, |at| shifted(graph.row(at), offsets.nodes)),
                ask.unit.map_or(-1, unit_code),
                place.map_or(-1, |at| graph.coast(at)),
                i32::from(ask.rank),
                (offsets.orders + ask.begin as usize) as i32,
                (offsets.orders + ask.end as usize) as i32,
            ];
        }
    }
}

/// Writes the orders of a game.
pub(crate) fn write_orders(look: Look<'_>, offsets: Offsets, rows: &mut [[i32; ORDER_COLUMNS]]) {
    let (graph, map) = (graph(look.game), look.game.terrain().chart().map());
    let asks = &look.questions.asks;
    for (&answer, row) in asks.answers.iter().zip(rows) {
        *row = asks.row(answer, graph, map);
        // Its nodes: all but the kind and the coast.
        row[1..ORDER_COLUMNS - 1].iter_mut().for_each(|node| *node = shifted(*node, offsets.nodes));
    }
}

/// The index of a game's node in the whole table.
#[inline]
fn shifted(node: i32, offset: usize) -> i32 {
    if node < 0 { node } else { node + offset as i32 }
}
