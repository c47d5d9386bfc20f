//! Writes the tables of a batch into the caller's memory.

use crate::config::ConfigError;
use crate::look::Look;
use crate::observe::{
    ASK_COLUMNS, EDGE_COLUMNS, GAME_COLUMNS, NODE_COLUMNS, NodeRow, ORDER_COLUMNS, Offsets, SEAT_COLUMNS,
    game_row, graph, write_asks, write_edges, write_nodes, write_orders, write_seats,
};
use crate::sizes::Sizes;
use crate::workers::Workers;

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
    look: Look<'a>,
    offsets: Offsets,
    game: &'a mut [i32; GAME_COLUMNS],
    nodes: &'a mut [NodeRow],
    edges: &'a mut [[i32; EDGE_COLUMNS]],
    seats: &'a mut [[i32; SEAT_COLUMNS]],
    asks: &'a mut [[i32; ASK_COLUMNS]],
    orders: &'a mut [[i32; ORDER_COLUMNS]],
}

/// How many rows a game has.
pub(crate) fn sizes_of(look: Look<'_>) -> Sizes {
    let graph = graph(look.game);
    Sizes {
        games: 1,
        nodes: graph.nodes.len(),
        edges: graph.edges.len(),
        seats: look.questions.seats.len(),
        asks: look.questions.asks.list.len(),
        orders: look.questions.asks.answers.len(),
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
    looks: &[Look<'_>],
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
    let mut parts = Vec::with_capacity(looks.len());
    for (&look, game) in looks.iter().zip(&mut games) {
        let of = sizes_of(look);
        parts.push(Part {
            look,
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
        let Part { look, offsets, .. } = self;
        let game = look.game;
        *self.game = game_row(look.number, game);
        let begins = [offsets.nodes, offsets.edges, offsets.seats, offsets.asks];
        for (column, begin) in self.game[GAME_COLUMNS - begins.len()..].iter_mut().zip(begins) {
            *column = begin as i32;
        }
        write_nodes(game, self.nodes);
        write_edges(game, offsets, self.edges);
        write_seats(look, offsets, self.seats);
        write_asks(look, offsets, self.asks);
        write_orders(look, offsets, self.orders);
    }
}
