//! The tables of a batch: the meaning of each column. All values are 32-bit integers; −1 means none.
//!
//! The rows of all games are concatenated. A column that names a node, a seat or a row of another table
//! contains the index of that row in the whole table.

use std::array;

/// A table's name and its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableForm {
    /// The name of the table.
    pub name: &'static str,
    /// Its columns in order, each with its meaning.
    pub columns: &'static [(&'static str, &'static str)],
}

impl TableForm {
    /// The index of a column. In a constant, an unknown name is an error of compilation.
    pub const fn column(&self, name: &str) -> usize {
        let mut at = 0;
        while !is_same(self.columns[at].0.as_bytes(), name.as_bytes()) {
            at += 1;
        }
        at
    }
}

/// `==`, in constants.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// One row for each slot of the batch.
pub const GAMES: TableForm = TableForm {
    name: "games",
    columns: &[
        ("number", "the game's number, which is its block under the root seed"),
        ("year", "the year of the phase that the game waits for"),
        ("season", "0 spring, 1 fall, 2 winter"),
        ("stage", "the stage that the game waits for: an index into the names of stages"),
        ("centres_to_win", "the number of supply centres that would win now"),
        ("last_year", "the year after which the game ends as a draw"),
        ("nodes", "the first row of its nodes"),
        ("edges", "the first row of its edges"),
        ("seats", "the first row of its seats"),
        ("asks", "the first row of its asks"),
    ],
};

/// One row for each province that a unit can be in on the current map.
pub const NODES: TableForm = TableForm {
    name: "nodes",
    columns: &[
        ("province", "the province's number on the map, the same as long as it exists"),
        ("terrain", "0 sea, 1 coast, 2 inland"),
        ("coasts", "the number of places for a fleet in it"),
        ("centre", "1 if it is a supply centre"),
        ("owner", "the power that owns the centre"),
        ("home", "the power whose home centre it is"),
        ("unit", "the unit in it: 0 army, 1 fleet, 2 fleet with an army aboard"),
        ("power", "the owner of the unit"),
        ("coast", "the coast on which the fleet is, if there are several"),
        (
            "dislodged",
            "the unit that was dislodged from here and waits for its retreat: 0 army, 1 fleet, 2 fleet with an army aboard",
        ),
        ("dislodged_power", "the owner of that unit"),
        ("dislodged_coast", "the coast on which it was, if there are several"),
        ("doomed", "1 if it is announced to vanish at the end of the season"),
        ("sinking", "1 if it sinks at the end of the year"),
    ],
};

/// One row for each possible step from a province into another: first those of armies, then those of fleets,
/// coast by coast.
pub const EDGES: TableForm = TableForm {
    name: "edges",
    columns: &[
        ("from", "the node it leaves"),
        ("to", "the node it enters"),
        ("kind", "0 for armies, 1 for fleets"),
        ("from_coast", "the coast it leaves, if there are several"),
        ("to_coast", "the coast it enters, if there are several"),
    ],
};

/// One row for each of the caller's seats with asks: the flat axis of players.
pub const SEATS: TableForm = TableForm {
    name: "seats",
    columns: &[
        ("game", "the slot of its game, a row of the table of games"),
        ("power", "the power it plays"),
        ("stage", "the stage that the game waits for: an index into the names of stages"),
        ("exempt", "the node that is the power's exempt centre, which only it knows"),
        ("asks", "the first row of its asks"),
    ],
};

/// One row for each choice to be made; usually the action of one unit. Its orders are the rows from `begin`
/// to `end` of the table of orders; a choice is a number from 0 to `end` − `begin` − 1.
pub const ASKS: TableForm = TableForm {
    name: "asks",
    columns: &[
        ("seat", "the seat that is asked"),
        ("kind", "the kind of the ask: an index into the names of asks"),
        ("node", "the node that it is about"),
        ("unit", "the unit that it is about: 0 army, 1 fleet, 2 fleet with an army aboard"),
        ("coast", "the coast on which that unit is, if there are several"),
        (
            "rank",
            "its number among asks of its kind: the place in a list of retreats, or the number of a build or removal",
        ),
        ("begin", "the first row of its orders"),
        ("end", "the row after its last order"),
    ],
};

/// One row for each legal order. Several asks may share their rows.
pub const ORDERS: TableForm = TableForm {
    name: "orders",
    columns: &[
        ("kind", "the kind of the order: an index into the names of orders"),
        ("unit", "the node of the unit, or the first of the two faces that lose each other in a quake"),
        ("target", "the node that it moves to, builds in or supports, or the second of those faces"),
        (
            "third",
            "the node of the unit that is supported or convoyed, or the first of the faces that touch after a quake",
        ),
        ("fourth", "the second of the faces that touch after a quake"),
        ("coast", "the coast concerned, if there are several"),
    ],
};

/// All of them.
pub const ALL: [TableForm; 6] = [GAMES, NODES, EDGES, SEATS, ASKS, ORDERS];

/// A value for each table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerTable<T> {
    /// [`GAMES`].
    pub games: T,
    /// [`NODES`].
    pub nodes: T,
    /// [`EDGES`].
    pub edges: T,
    /// [`SEATS`].
    pub seats: T,
    /// [`ASKS`].
    pub asks: T,
    /// [`ORDERS`].
    pub orders: T,
}

/// The number of rows of each table.
pub type Sizes = PerTable<usize>;

/// Memory for each table, row by row, with room for at least as many rows as [`Sizes`] says.
pub type Tables<'a> = PerTable<&'a mut [i32]>;

impl<T> PerTable<T> {
    /// The values in the order of [`ALL`].
    pub fn into_array(self) -> [T; 6] {
        let PerTable { games, nodes, edges, seats, asks, orders } = self;
        [games, nodes, edges, seats, asks, orders]
    }
}

impl<T> From<[T; 6]> for PerTable<T> {
    /// From the values in the order of [`ALL`].
    fn from([games, nodes, edges, seats, asks, orders]: [T; 6]) -> PerTable<T> {
        PerTable { games, nodes, edges, seats, asks, orders }
    }
}

impl Sizes {
    /// The number of values of each table.
    pub(crate) fn cells(self) -> [usize; 6] {
        let rows = self.into_array();
        array::from_fn(|i| rows[i] * ALL[i].columns.len())
    }
}

impl std::ops::Add for Sizes {
    type Output = Sizes;

    fn add(self, other: Sizes) -> Sizes {
        let (own, others) = (self.into_array(), other.into_array());
        array::from_fn(|i| own[i] + others[i]).into()
    }
}

impl std::iter::Sum for Sizes {
    fn sum<I: Iterator<Item = Sizes>>(sizes: I) -> Sizes {
        sizes.fold(Sizes::default(), |all, own| all + own)
    }
}
