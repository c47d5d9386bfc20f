//! The tables of a batch: the rows of each game (nodes, edges, seats, asks and orders, numbered within the game), and
//! the threads that write the rows of all games into the caller's memory.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use upheaval_engine::ask::Public;
use upheaval_engine::game::Stage;
use upheaval_engine::rules::position::{Season, Unit};
use upheaval_engine::rules::victory::majority;
use upheaval_map::ids::{Designation, Location, ProvinceId};

use crate::act::Graph;
use crate::caller::GameView;
use crate::config::{ConfigError, Sizes};

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
pub(crate) fn write_seats(view: GameView<'_>, offsets: Offsets, rows: &mut [[i32; SEAT_COLUMNS]]) {
    for (asked, row) in view.questions.seats.iter().zip(rows) {
        *row = [
            offsets.slot as i32,
            asked.power.index() as i32,
            stage_code(view.game.stage()),
            shifted(exempt_node(view.game, view.questions.exempt(asked.power)), offsets.nodes),
            offsets.asks as i32 + asked.first as i32,
        ];
    }
}

/// Writes the asks of a game.
pub(crate) fn write_asks(view: GameView<'_>, offsets: Offsets, rows: &mut [[i32; ASK_COLUMNS]]) {
    let graph = graph(view.game);
    let mut rows = rows.iter_mut();
    for (seat, (_, asks)) in view.questions.of_seats().enumerate() {
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
pub(crate) fn write_orders(view: GameView<'_>, offsets: Offsets, rows: &mut [[i32; ORDER_COLUMNS]]) {
    let (graph, map) = (graph(view.game), view.game.terrain().chart().map());
    let asks = &view.questions.asks;
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

/// The smallest number of games for which waking another thread pays off.
const GAMES_A_THREAD: usize = 4;

/// The threads on which games are played.
pub(crate) enum Workers {
    /// Only the caller's thread.
    Alone,
    /// A pool of the batch's own.
    Own(ThreadPool),
    /// The pool that the caller runs in.
    Around,
}

impl Workers {
    /// Threads for this number of games; 0 threads means one for each core.
    pub(crate) fn new(threads: usize, games: usize) -> Result<Workers, ConfigError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores } else { threads }.min(games.div_ceil(GAMES_A_THREAD));
        if threads <= 1 {
            // Passing the work to another thread costs more than playing a stage of one game.
            return Ok(Workers::Alone);
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Workers::Own).map_err(|error| ConfigError::Threads(error.to_string()))
    }

    /// Applies the function to each item.
    pub(crate) fn each<T: Send>(&self, items: Vec<T>, work: impl Fn(T) + Send + Sync) {
        match self {
            Workers::Alone => items.into_iter().for_each(work),
            Workers::Own(pool) => pool.install(|| items.into_par_iter().for_each(work)),
            Workers::Around => items.into_par_iter().for_each(work),
        }
    }

    /// Applies the function to each number, and collects the results in order.
    pub(crate) fn make<T: Send>(
        &self,
        numbers: std::ops::Range<u32>,
        make: impl Fn(u32) -> T + Send + Sync,
    ) -> Vec<T> {
        match self {
            Workers::Alone => numbers.map(make).collect(),
            Workers::Own(pool) => pool.install(|| numbers.into_par_iter().map(make).collect()),
            Workers::Around => numbers.into_par_iter().map(make).collect(),
        }
    }
}

/// Memory for the tables, row by row; each must have room for at least as many rows as [`Sizes`] says.
pub struct Tables<'a> {
    /// [`crate::tables::GAMES`].
    pub games: &'a mut [i32],
    /// [`crate::tables::NODES`].
    pub nodes: &'a mut [i32],
    /// [`crate::tables::EDGES`].
    pub edges: &'a mut [i32],
    /// [`crate::tables::SEATS`].
    pub seats: &'a mut [i32],
    /// [`crate::tables::ASKS`].
    pub asks: &'a mut [i32],
    /// [`crate::tables::ORDERS`].
    pub orders: &'a mut [i32],
}

/// The rows of one game.
struct Part<'a> {
    view: GameView<'a>,
    offsets: Offsets,
    game: &'a mut [i32; GAME_COLUMNS],
    nodes: &'a mut [NodeRow],
    edges: &'a mut [[i32; EDGE_COLUMNS]],
    seats: &'a mut [[i32; SEAT_COLUMNS]],
    asks: &'a mut [[i32; ASK_COLUMNS]],
    orders: &'a mut [[i32; ORDER_COLUMNS]],
}

/// How many rows a game has.
pub(crate) fn sizes_of(view: GameView<'_>) -> Sizes {
    let graph = graph(view.game);
    Sizes {
        games: 1,
        nodes: graph.nodes.len(),
        edges: graph.edges.len(),
        seats: view.questions.seats.len(),
        asks: view.questions.asks.list.len(),
        orders: view.questions.asks.answers.len(),
    }
}

/// The part of a table that is needed.
fn rows<'a, const N: usize>(
    table: &'static str,
    memory: &'a mut [i32],
    needed: usize,
) -> Result<&'a mut [[i32; N]], ConfigError> {
    let rows = memory.as_chunks_mut::<N>().0;
    let room = rows.len();
    rows.get_mut(..needed).ok_or(ConfigError::Room { table, needed, room })
}

/// Splits off the first rows of a table.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, others) = std::mem::take(rest).split_at_mut(count);
    *rest = others;
    first
}

/// Writes the tables of these games.
pub(crate) fn fill(
    workers: &Workers,
    views: &[GameView<'_>],
    sizes: Sizes,
    tables: Tables<'_>,
) -> Result<(), ConfigError> {
    let mut games = rows::<GAME_COLUMNS>("games", tables.games, sizes.games)?.iter_mut();
    let mut nodes = rows::<NODE_COLUMNS>("nodes", tables.nodes, sizes.nodes)?;
    let mut edges = rows::<EDGE_COLUMNS>("edges", tables.edges, sizes.edges)?;
    let mut seats = rows::<SEAT_COLUMNS>("seats", tables.seats, sizes.seats)?;
    let mut asks = rows::<ASK_COLUMNS>("asks", tables.asks, sizes.asks)?;
    let mut orders = rows::<ORDER_COLUMNS>("orders", tables.orders, sizes.orders)?;
    let mut offsets = Offsets::default();
    let mut parts = Vec::with_capacity(views.len());
    for (&view, game) in views.iter().zip(&mut games) {
        let of = sizes_of(view);
        parts.push(Part {
            view,
            offsets,
            game,
            nodes: take(&mut nodes, of.nodes),
            edges: take(&mut edges, of.edges),
            seats: take(&mut seats, of.seats),
            asks: take(&mut asks, of.asks),
            orders: take(&mut orders, of.orders),
        });
        offsets.slot += 1;
        offsets.nodes += of.nodes;
        offsets.edges += of.edges;
        offsets.seats += of.seats;
        offsets.asks += of.asks;
        offsets.orders += of.orders;
    }
    workers.each(parts, Part::write);
    Ok(())
}

impl Part<'_> {
    fn write(self) {
        let Part { view, offsets, .. } = self;
        let game = view.game;
        *self.game = game_row(view.number, game);
        let begins = [offsets.nodes, offsets.edges, offsets.seats, offsets.asks];
        for (column, begin) in self.game[GAME_COLUMNS - begins.len()..].iter_mut().zip(begins) {
            *column = begin as i32;
        }
        write_nodes(game, self.nodes);
        write_edges(game, offsets, self.edges);
        write_seats(view, offsets, self.seats);
        write_asks(view, offsets, self.asks);
        write_orders(view, offsets, self.orders);
    }
}
