//! The tables in other forms: padded to fixed shapes, for frameworks that need them, with the same number of rows for
//! each game or seat and −1 in unused rows; and the orders as text.

use std::ops::Range;

use upheaval_map::ids::Power;

use crate::ask::UnitAsk;
use crate::batch::Batch;
use crate::caller::GameView;
use crate::config::ConfigError;
use crate::observe::{
    ASK_COLUMNS, NODE_COLUMNS, ORDER_COLUMNS, PADDED_GAME, exempt_node, game_row, graph, write_asks,
    write_nodes,
};
use crate::tables::{ALL, Sizes, Tables};

/// The columns of a seat in fixed shapes.
pub const PADDED_SEAT: usize = 2;

/// The number of rows of each kind. Rows that do not fit are left out: an ask that is left out is answered by
/// the rules, and an order that is left out cannot be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Nodes of a game.
    pub nodes: usize,
    /// Edges of a game.
    pub edges: usize,
    /// Asks of a seat.
    pub asks: usize,
    /// Orders of a seat.
    pub orders: usize,
    /// Choices of an ask.
    pub choices: usize,
}

impl Bounds {
    /// Bounds for the shipped variants. In random games of them, of 40 stages, a game had up to 2,136 edges,
    /// a seat 71 asks, and an ask 534 choices.
    pub const GENEROUS: Bounds = Bounds { nodes: 256, edges: 4096, asks: 128, orders: 4096, choices: 1024 };
}

/// Memory for the fixed shapes, for all slots and powers of the batch: either as the previous call left it,
/// or fresh, with −1 everywhere and in the mask 0 except for the first choice of each ask, which is 1.
pub struct Padded<'a> {
    /// The tables:
    /// - games × the columns of [`crate::tables::GAMES`] that are not rows of other tables;
    /// - games × nodes × columns of [`crate::tables::NODES`];
    /// - games × edges × columns of [`crate::tables::EDGES`]; nodes are numbered within the game;
    /// - games × powers × 2: the power, and the node of its exempt centre, which only the power knows;
    /// - games × powers × asks × columns of [`crate::tables::ASKS`]; orders are numbered within the seat;
    /// - games × powers × orders × columns of [`crate::tables::ORDERS`].
    pub tables: Tables<'a>,
    /// Games × powers × asks × choices: 1 for an existing choice. An unused ask has the choice 0.
    pub mask: &'a mut [i8],
}

/// The rows of one game.
struct Part<'a> {
    view: GameView<'a>,
    rows: Padded<'a>,
}

impl Batch {
    /// Writes the fixed shapes.
    ///
    /// # Errors
    /// The memory does not have the size that the bounds require.
    pub fn fill_padded(&self, bounds: Bounds, padded: Padded<'_>) -> Result<(), ConfigError> {
        self.write_padded(self.views().collect(), bounds, padded)
    }

    /// Writes the fixed shapes of the games of [`Batch::fill_final`], for all of them in place of all slots.
    ///
    /// # Errors
    /// The memory does not have the size that the bounds require.
    pub fn fill_final_padded(&self, bounds: Bounds, padded: Padded<'_>) -> Result<(), ConfigError> {
        self.write_padded(self.final_views().collect(), bounds, padded)
    }

    fn write_padded(
        &self,
        views: Vec<GameView<'_>>,
        bounds: Bounds,
        padded: Padded<'_>,
    ) -> Result<(), ConfigError> {
        let (games, powers) = (views.len(), self.config().seats.powers().len());
        let rows_of_a_game = Sizes {
            games: 1,
            nodes: bounds.nodes,
            edges: bounds.edges,
            seats: powers,
            asks: powers * bounds.asks,
            orders: powers * bounds.orders,
        };
        let mut cells = rows_of_a_game.cells();
        (cells[0], cells[3]) = (PADDED_GAME, powers * PADDED_SEAT);
        let of_mask = powers * bounds.asks * bounds.choices;
        let (mut rest, mut mask) = (padded.tables.into_array(), padded.mask);
        let room = ALL.iter().zip(&rest).map(|(form, memory)| (form.name, memory.len())).zip(cells);
        for ((table, room), of_game) in room.chain([(("mask", mask.len()), of_mask)]) {
            let needed = games * of_game;
            if room != needed {
                return Err(ConfigError::room(table, needed, room));
            }
        }
        let parts = views.into_iter().map(|view| {
            let tables = std::array::from_fn(|i| rest[i].split_off_mut(..cells[i]).unwrap_or_default());
            let mask = mask.split_off_mut(..of_mask).unwrap_or_default();
            Part { view, rows: Padded { tables: tables.into(), mask } }
        });
        let parts: Vec<Part<'_>> = parts.collect();
        self.workers.each(parts, |part| part.write(bounds));
        Ok(())
    }

    /// The smallest bounds into which the current observation fits.
    pub fn bounds_needed(&self) -> Bounds {
        self.views().fold(Bounds { nodes: 0, edges: 0, asks: 0, orders: 0, choices: 0 }, |most, view| {
            let graph = graph(view.game);
            let mut most = Bounds {
                nodes: most.nodes.max(graph.nodes.len()),
                edges: most.edges.max(graph.edges.len()),
                ..most
            };
            for (_, asks) in view.questions.of_seats() {
                let rows = rows_of(asks);
                most.asks = most.asks.max(asks.len());
                most.orders = most.orders.max(rows.len());
                let choices = asks.iter().map(|ask| (ask.end - ask.begin) as usize).max();
                most.choices = most.choices.max(choices.unwrap_or(0));
            }
            most
        })
    }

    /// Converts choices in a fixed shape, games × powers × asks, to one choice for each ask, in the form that
    /// [`Batch::step`] takes. Choices for unused asks are ignored, and an out-of-range choice means no
    /// answer.
    ///
    /// # Errors
    /// The choices do not have the shape that the bounds require.
    pub fn choices_of_padded(&self, bounds: Bounds, choices: &[i32]) -> Result<Vec<i32>, ConfigError> {
        let powers = self.config().seats.powers().len();
        let needed = self.config().games * powers * bounds.asks;
        if choices.len() != needed {
            return Err(ConfigError::choices(needed, choices.len()));
        }
        let mut flat = Vec::with_capacity(self.sizes().asks);
        for (view, of_slot) in self.views().zip(choices.chunks_exact((powers * bounds.asks).max(1))) {
            for (asked, asks) in view.questions.of_seats() {
                let of_seat = &of_slot[asked.power.index() * bounds.asks..][..bounds.asks];
                let chosen = |(i, ask): (usize, &UnitAsk)| {
                    let choice = of_seat.get(i).copied().filter(|&choice| choice >= 0);
                    choice.filter(|&choice| (choice as u32) < ask.end - ask.begin).unwrap_or(-1)
                };
                flat.extend(asks.iter().enumerate().map(chosen));
            }
        }
        Ok(flat)
    }

    /// An order as text, in the form that [`Session::order`](upheaval_engine::session::Session::order) takes;
    /// empty for no answer. `row` is an index into the table of orders.
    ///
    /// # Errors
    /// There is no such row.
    pub fn order_text(&self, row: usize) -> Result<String, ConfigError> {
        let mut left = row;
        for waiting in self.waiting() {
            let answers = &waiting.questions.asks.answers;
            match answers.get(left) {
                Some(&answer) => {
                    let decision = waiting.questions.asks.decision(answer);
                    let text = decision.and_then(|decision| waiting.game.world().text_of(&decision));
                    return Ok(text.unwrap_or_default());
                }
                None => left -= answers.len(),
            }
        }
        Err(ConfigError(format!("there is no row {row}; the table has {} orders", self.sizes().orders)))
    }
}

/// The range of one seat's orders among those of its game.
fn rows_of(asks: &[UnitAsk]) -> Range<usize> {
    let begin = asks.iter().map(|ask| ask.begin).min().unwrap_or(0);
    let end = asks.iter().map(|ask| ask.end).max().unwrap_or(0);
    begin as usize..end as usize
}

/// Writes −1 to the rows in use, beginning with the first of these. Rows in use are consecutive, and each
/// begins with a non-negative number, so that the first other row is the end.
fn clear<const N: usize>(rows: &mut [[i32; N]]) {
    rows.iter_mut().take_while(|row| row[0] != -1).for_each(|row| *row = [-1; N]);
}

impl Part<'_> {
    fn write(mut self, bounds: Bounds) {
        let game = self.view.game;
        let graph = graph(game);
        let tables = &mut self.rows.tables;
        tables.games.copy_from_slice(&game_row(self.view.number, game));
        for (power, row) in game.powers().iter().zip(tables.seats.as_chunks_mut::<PADDED_SEAT>().0) {
            *row = [power.index() as i32, exempt_node(game, self.view.questions.exempt(power))];
        }
        let nodes = tables.nodes.as_chunks_mut::<NODE_COLUMNS>().0;
        if graph.nodes.len() <= nodes.len() {
            let (used, rest) = nodes.split_at_mut(graph.nodes.len());
            write_nodes(game, used);
            clear(rest);
        } else {
            let mut all = vec![[-1; NODE_COLUMNS]; graph.nodes.len()];
            write_nodes(game, &mut all);
            nodes.copy_from_slice(&all[..nodes.len()]);
        }
        let there = bounds.nodes as i32;
        let mut edges = tables.edges.as_chunks_mut().0.iter_mut();
        // An edge of a node that is left out is also left out.
        let kept = graph.edges.iter().filter(|[from, to, ..]| *from < there && *to < there);
        for (edge, row) in kept.zip(&mut edges) {
            *row = *edge;
        }
        clear(edges.into_slice());
        let mut asks = vec![[-1; ASK_COLUMNS]; self.view.questions.asks.list.len()];
        write_asks(self.view, Sizes::default(), &mut asks);
        let mut seats = self.view.questions.of_seats().peekable();
        for power in game.powers() {
            match seats.next_if(|(asked, _)| asked.power == power) {
                Some((asked, of_seat)) => {
                    let rows = &asks[asked.first as usize..][..of_seat.len()];
                    self.write_seat(power, of_seat, rows, bounds);
                }
                None => self.write_seat(power, &[], &[], bounds),
            }
        }
    }

    /// Writes the asks of one seat.
    fn write_seat(&mut self, power: Power, asks: &[UnitAsk], rows: &[[i32; ASK_COLUMNS]], bounds: Bounds) {
        let (graph, map) = (graph(self.view.game), self.view.game.terrain().chart().map());
        let power = power.index();
        let of_seat = rows_of(asks);
        let begin = of_seat.start as u32;
        let answers = &self.view.questions.asks.answers[of_seat];
        let orders = self.rows.tables.orders.as_chunks_mut::<ORDER_COLUMNS>().0;
        let orders = &mut orders[power * bounds.orders..][..bounds.orders];
        for (&answer, row) in answers.iter().zip(orders.iter_mut()) {
            *row = self.view.questions.asks.row(answer, graph, map);
        }
        clear(orders.get_mut(answers.len()..).unwrap_or_default());
        let out = self.rows.tables.asks.as_chunks_mut::<ASK_COLUMNS>().0;
        let out = &mut out[power * bounds.asks..][..bounds.asks];
        let mask =
            &mut self.rows.mask[power * bounds.asks * bounds.choices..][..bounds.asks * bounds.choices];
        let masks = mask.chunks_exact_mut(bounds.choices.max(1));
        let mut asked = asks.iter().zip(rows);
        for (out, mask) in out.iter_mut().zip(masks) {
            let next = asked.next();
            if next.is_none() && out[0] == -1 {
                break;
            }
            // Only choices with a row of their own can be made. An ask that is unused, or has no rows, has
            // one choice, so that a framework can sample one.
            let count = match next {
                Some((ask, row)) => {
                    let last = ((ask.end - begin) as usize).min(bounds.orders);
                    let first = ((ask.begin - begin) as usize).min(last);
                    let count = (last - first).min(mask.len());
                    *out = *row;
                    (out[0], out[6], out[7]) = (power as i32, first as i32, (first + count) as i32);
                    count
                }
                None => {
                    *out = [-1; ASK_COLUMNS];
                    0
                }
            };
            mask.fill(0);
            mask.iter_mut().take(count.max(1)).for_each(|bit| *bit = 1);
        }
    }
}
