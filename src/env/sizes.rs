//! The sizes of the tables.

use crate::tables;

/// The current number of rows of each table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// [`crate::tables::GAMES`].
    pub games: usize,
    /// [`crate::tables::NODES`].
    pub nodes: usize,
    /// [`crate::tables::EDGES`].
    pub edges: usize,
    /// [`crate::tables::SEATS`].
    pub seats: usize,
    /// [`crate::tables::ASKS`].
    pub asks: usize,
    /// [`crate::tables::ORDERS`].
    pub orders: usize,
}

impl Sizes {
    /// The number of values of each table, in the order of [`tables::ALL`].
    pub(crate) fn cells(self) -> [usize; 6] {
        let rows = [self.games, self.nodes, self.edges, self.seats, self.asks, self.orders];
        std::array::from_fn(|i| rows[i] * tables::ALL[i].columns.len())
    }

    pub(crate) fn plus(self, other: Sizes) -> Sizes {
        Sizes {
            games: self.games + other.games,
            nodes: self.nodes + other.nodes,
            edges: self.edges + other.edges,
            seats: self.seats + other.seats,
            asks: self.asks + other.asks,
            orders: self.orders + other.orders,
        }
    }
}
