//! The tables of a batch: the rows of each game (nodes, edges, seats, asks and orders, numbered within the game), and
//! the threads that write the rows of all games into the caller's memory.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use upheaval_engine::ask::Public;
use upheaval_engine::rules::position::Unit;
use upheaval_engine::rules::victory::majority;
use upheaval_map::ids::{Location, ProvinceId};

use crate::act::Graph;
use crate::caller::GameView;
use crate::config::ConfigError;
use crate::tables::{ALL, ASKS, GAMES, NODES, ORDERS, Sizes, Tables};

/// The columns of a game that are not rows of other tables.
pub const PADDED_GAME: usize = GAMES.column("nodes");
pub(crate) const NODE_COLUMNS: usize = NODES.columns.len();
pub(crate) const ASK_COLUMNS: usize = ASKS.columns.len();
pub(crate) const ORDER_COLUMNS: usize = ORDERS.columns.len();

pub(crate) type NodeRow = [i32; NODE_COLUMNS];

/// The index of the column of nodes with this name.
macro_rules! node {
    ($column:literal) => {
        const { NODES.column($column) }
    };
}

/// The code of a kind of unit.
fn unit_code(unit: Unit) -> i32 {
    unit.designation() as i32
}

/// The graph of a game's board.
pub(crate) fn graph(game: Public<'_>) -> &Graph {
    game.terrain().kept::<Graph>()
}

/// The first columns of a game's row, without the indices of its other rows.
pub(crate) fn game_row(number: u32, game: Public<'_>) -> [i32; PADDED_GAME] {
    let phase = game.phase();
    [
        number as i32,
        i32::from(phase.year),
        phase.season as i32,
        game.stage() as i32,
        majority(game.terrain().centres().len()) as i32,
        i32::from(game.last_year()),
    ]
}

/// Writes the nodes of a game, as many as its graph has.
pub(crate) fn write_nodes(game: Public<'_>, rows: &mut [NodeRow]) {
    let (terrain, position) = (game.terrain(), game.position());
    let graph = graph(game);
    for (node, row) in graph.nodes.iter().zip(rows.iter_mut()) {
        *row = [-1; NODE_COLUMNS];
        (row[0], row[1], row[2]) = (i32::from(node.province.0), node.terrain, node.coasts);
        (row[node!("centre")], row[node!("doomed")], row[node!("sinking")]) = (0, 0, 0);
        if let Some(unit) = position.unit(node.province) {
            let at = Location { province: node.province, coast: unit.coast };
            row[node!("unit")] = unit_code(unit);
            row[node!("power")] = unit.power.index() as i32;
            row[node!("coast")] = graph.coast(at);
        }
    }
    let mut set = |province, column: usize, value: i32| {
        if let Some(row) = usize::try_from(graph.row(province)).ok().and_then(|row| rows.get_mut(row)) {
            row[column] = value;
        }
    };
    for centre in *terrain.centres() {
        set(centre, node!("centre"), 1);
    }
    for power in game.powers() {
        let code = power.index() as i32;
        position.centres_of(power).iter().for_each(|centre| set(centre, node!("owner"), code));
        terrain.homes()[power].iter().for_each(|home| set(home, node!("home"), code));
    }
    game.doomed().iter().for_each(|province| set(province, node!("doomed"), 1));
    game.sinking().iter().for_each(|province| set(province, node!("sinking"), 1));
    for dislodged in &game.dislodged().dislodged {
        let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
        set(dislodged.at, node!("dislodged"), unit_code(dislodged.unit));
        set(dislodged.at, node!("dislodged_power"), dislodged.unit.power.index() as i32);
        set(dislodged.at, node!("dislodged_coast"), graph.coast(at));
    }
}

/// The node of an exempt centre; −1 if there is none.
pub(crate) fn exempt_node(game: Public<'_>, centre: Option<ProvinceId>) -> i32 {
    centre.map_or(-1, |centre| graph(game).row(centre))
}

/// Writes the asks of a game, whose first rows have these indices.
pub(crate) fn write_asks(view: GameView<'_>, offsets: Sizes, rows: &mut [[i32; ASK_COLUMNS]]) {
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
        pool.map(Workers::Own).map_err(|error| ConfigError(format!("cannot start the threads: {error}")))
    }

    /// Applies the function to each item, and collects the results in order.
    pub(crate) fn each<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Send + Sync,
    ) -> Vec<R> {
        match self {
            Workers::Alone => items.into_iter().map(work).collect(),
            Workers::Own(pool) => pool.install(|| items.into_par_iter().map(work).collect()),
            Workers::Around => items.into_par_iter().map(work).collect(),
        }
    }
}

/// The rows of one game, and the indices of its first rows in the tables of the batch.
struct Part<'a> {
    view: GameView<'a>,
    offsets: Sizes,
    rows: Tables<'a>,
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

/// Writes the tables of these games.
pub(crate) fn fill(workers: &Workers, views: &[GameView<'_>], memory: Tables<'_>) -> Result<(), ConfigError> {
    let needed: Sizes = views.iter().copied().map(sizes_of).sum();
    let mut rest = memory.into_array();
    for ((form, needed), rest) in ALL.iter().zip(needed.into_array()).zip(&rest) {
        let room = rest.len() / form.columns.len();
        if room < needed {
            return Err(ConfigError::room(form.name, needed, room));
        }
    }
    let mut offsets = Sizes::default();
    let mut parts = Vec::with_capacity(views.len());
    for &view in views {
        let own = sizes_of(view);
        let cells = own.cells();
        let rows = std::array::from_fn(|i| rest[i].split_off_mut(..cells[i]).unwrap_or_default());
        parts.push(Part { view, offsets, rows: rows.into() });
        offsets = offsets + own;
    }
    workers.each(parts, Part::write);
    Ok(())
}

impl Part<'_> {
    fn write(self) {
        let Part { view: GameView { number, game, questions }, offsets, rows } = self;
        let (graph, map) = (graph(game), game.terrain().chart().map());
        let (columns, begins) = rows.games.split_at_mut(PADDED_GAME);
        columns.copy_from_slice(&game_row(number, game));
        let Sizes { nodes, edges, seats, asks, .. } = offsets;
        begins.copy_from_slice(&[nodes, edges, seats, asks].map(|begin| begin as i32));
        write_nodes(game, rows.nodes.as_chunks_mut().0);
        let first = offsets.nodes as i32;
        for (edge, row) in graph.edges.iter().zip(rows.edges.as_chunks_mut().0) {
            let [from, to, kind, from_coast, to_coast] = *edge;
            *row = [first + from, first + to, kind, from_coast, to_coast];
        }
        for (asked, row) in questions.seats.iter().zip(rows.seats.as_chunks_mut().0) {
            *row = [
                offsets.games as i32,
                asked.power.index() as i32,
                game.stage() as i32,
                shifted(exempt_node(game, questions.exempt(asked.power)), offsets.nodes),
                offsets.asks as i32 + asked.first as i32,
            ];
        }
        write_asks(self.view, offsets, rows.asks.as_chunks_mut().0);
        for (&answer, row) in questions.asks.answers.iter().zip(rows.orders.as_chunks_mut().0) {
            *row = questions.asks.row(answer, graph, map);
            // Its nodes: all but the kind and the coast.
            row[1..ORDER_COLUMNS - 1].iter_mut().for_each(|node| *node = shifted(*node, offsets.nodes));
        }
    }
}
