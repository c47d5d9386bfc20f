//! The input of the network, derived from the tables of a batch: small whole numbers, from the viewpoint of
//! one power at a time.
//!
//! ```text
//!  games nodes edges seats asks orders ──▶ Encoded ─┬─ nodes × NODE_FEATURES    units and centres, own or foreign
//!   (tables of a batch; committed choices)          ├─ edges                    from, to, for armies or fleets
//!                                                   ├─ seats × SEAT_FEATURES    stage, season, sizes, years left
//!                                                   └─ orders × ORDER_COLUMNS   kind, coast, rank, four nodes
//! ```
//! No feature identifies a province, a coast, a power or the size of the board, so that one network plays every board
//! and variant.

use upheaval_env::{AskKind, OrderKind, Seen};

/// Features of a node: each from 0 to 127, where 64 represents 1.
pub const NODE_FEATURES: usize = 36;
/// Features of a seat, on the same scale.
pub const SEAT_FEATURES: usize = 20;
/// Columns of an order: ask, kind, coast, rank, and the nodes that it names.
pub const ORDER_COLUMNS: usize = 8;
/// The kinds of orders that the network knows; the first of them stands for all later ones.
const KNOWN_ORDERS: i32 = OrderKind::Ballot as i32;
/// The kinds of asks that it knows.
pub(crate) const KNOWN_ASKS: i32 = AskKind::Poll as i32;
/// What an order says of a coast, by the rows of the network's table: 0 if it names none, 1 if it names one. It was
/// trained with the coasts' numbers; they are left out because nothing that a bot decides may depend on numbers.
pub const COASTS: usize = 6;
/// The number of ranks that are distinguished.
pub(crate) const RANKS: usize = 6;

/// Nothing is named.
const NOTHING: i32 = -1;
/// The value of a feature that is present.
const WHOLE: u8 = 64;

/// The concatenated rows of a batch's tables.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The table of games, and so on.
    pub games: &'a [[i32; game::COLUMNS]],
    /// Nodes.
    pub nodes: &'a [[i32; node::COLUMNS]],
    /// Edges.
    pub edges: &'a [[i32; edge::COLUMNS]],
    /// Seats.
    pub seats: &'a [[i32; seat::COLUMNS]],
    /// Asks.
    pub asks: &'a [[i32; ask::COLUMNS]],
    /// Orders.
    pub orders: &'a [[i32; order::COLUMNS]],
}

impl<'a> Rows<'a> {
    /// The rows of an observation.
    pub(crate) fn of(seen: &'a Seen) -> Rows<'a> {
        Rows {
            games: seen.tables.games.as_chunks().0,
            nodes: seen.tables.nodes.as_chunks().0,
            edges: seen.tables.edges.as_chunks().0,
            seats: seen.tables.seats.as_chunks().0,
            asks: seen.tables.asks.as_chunks().0,
            orders: seen.tables.orders.as_chunks().0,
        }
    }
}

/// The input for several seats, concatenated. Nodes are numbered within a seat, asks within the batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Where the nodes, edges and orders of each seat begin, followed by where the last ones end.
    pub begins: Vec<[u32; 3]>,
    /// [`NODE_FEATURES`] of each node.
    pub nodes: Vec<u8>,
    /// Source, destination and kind (0 for armies, 1 for fleets) of each edge.
    pub edges: Vec<[u16; 3]>,
    /// [`SEAT_FEATURES`] of each seat.
    pub seats: Vec<u8>,
    /// [`ORDER_COLUMNS`] of each order of each ask.
    pub orders: Vec<[i16; ORDER_COLUMNS]>,
}

/// A unit of the table of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walks {
    OnLand,
    AtSea,
}

impl Encoded {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.begins.len().saturating_sub(1)
    }

    /// Encodes all seats of the tables. `committed` has the settled order of each ask, by number, or −1.
    pub fn fill(&mut self, rows: Rows<'_>, committed: &[i32]) {
        self.begins.clear();
        self.nodes.clear();
        self.edges.clear();
        self.seats.clear();
        self.orders.clear();
        self.begins.push([0; 3]);
        for at in 0..rows.seats.len() {
            self.add_seat(rows, committed, at);
            let ends = [self.nodes.len() / NODE_FEATURES, self.edges.len(), self.orders.len()];
            self.begins.push(ends.map(|end| end as u32));
        }
    }

    fn add_seat(&mut self, rows: Rows<'_>, committed: &[i32], at: usize) {
        let seen = rows.seats[at];
        let own_game = seen[seat::GAME] as usize;
        let span = |column: usize, end: usize| {
            let begin = rows.games[own_game][column] as usize;
            begin..rows.games.get(own_game + 1).map_or(end, |next| next[column] as usize)
        };
        let first = span(game::NODES, rows.nodes.len());
        let nodes = &rows.nodes[first.clone()];
        let edges = &rows.edges[span(game::EDGES, rows.edges.len())];
        let asks_end = rows.seats.get(at + 1).map_or(rows.asks.len(), |next| next[seat::ASKS] as usize);
        let asks = seen[seat::ASKS] as usize..asks_end;
        let view = View { rows, nodes, edges, first: first.start as i32, power: seen[seat::POWER] };
        let begin = self.nodes.len();
        self.nodes.resize(begin + nodes.len() * NODE_FEATURES, 0);
        let features = &mut self.nodes[begin..];
        view.terrain(seen[seat::EXEMPT], features);
        view.reach(features);
        view.commit(asks.clone(), committed, features);
        self.edges.extend(edges.iter().map(|row| {
            [row[edge::FROM] - view.first, row[edge::TO] - view.first, row[edge::KIND]]
                .map(|value| value as u16)
        }));
        self.seats.extend(view.seat_features(rows.games[own_game], seen));
        for number in asks {
            self.add_orders(&view, number);
        }
    }

    fn add_orders(&mut self, view: &View<'_>, number: usize) {
        let asked = view.rows.asks[number];
        for row in &view.rows.orders[asked[ask::BEGIN] as usize..asked[ask::END] as usize] {
            let place = |column: usize| match row[column] {
                NOTHING => NOTHING as i16,
                node => (node - view.first) as i16,
            };
            // An order that names no unit belongs to the unit of the ask.
            let unit = if row[order::UNIT] == NOTHING && asked[ask::NODE] != NOTHING {
                (asked[ask::NODE] - view.first) as i16
            } else {
                place(order::UNIT)
            };
            self.orders.push([
                number as i16,
                (row[order::KIND] % KNOWN_ORDERS * KNOWN_ASKS + asked[ask::KIND] % KNOWN_ASKS) as i16,
                i16::from(row[order::COAST] != NOTHING),
                asked[ask::RANK].clamp(0, RANKS as i32 - 1) as i16,
                unit,
                place(order::TARGET),
                place(order::THIRD),
                place(order::FOURTH),
            ]);
        }
    }
}

/// The board of a game as a power sees it.
struct View<'a> {
    rows: Rows<'a>,
    nodes: &'a [[i32; node::COLUMNS]],
    edges: &'a [[i32; edge::COLUMNS]],
    /// The number of its first node in the table.
    first: i32,
    power: i32,
}

/// The number of powers that are distinguished when units are counted.
const POWERS: usize = 34;

/// The columns of [`NODE_FEATURES`].
mod feature {
    pub(super) const TERRAIN: usize = 0;
    pub(super) const COASTS: usize = 3;
    pub(super) const CENTRE: usize = 4;
    pub(super) const NEUTRAL: usize = 5;
    pub(super) const OWNER: usize = 6;
    pub(super) const HOME: usize = 8;
    pub(super) const UNIT: usize = 10;
    pub(super) const DISLODGED: usize = 16;
    pub(super) const DOOMED: usize = 18;
    pub(super) const SINKING: usize = 19;
    pub(super) const EXEMPT: usize = 20;
    pub(super) const OWNER_SIZE: usize = 21;
    pub(super) const UNIT_SIZE: usize = 22;
    pub(super) const OWN_REACH: usize = 23;
    pub(super) const STRONGEST_REACH: usize = 24;
    pub(super) const OTHER_REACH: usize = 25;
    pub(super) const THREATENED: usize = 26;
    pub(super) const HOLDS: usize = 27;
    pub(super) const LEAVES: usize = 28;
    pub(super) const SUPPORTS: usize = 29;
    pub(super) const CONVOYS: usize = 30;
    pub(super) const ENTERED: usize = 31;
    pub(super) const SUPPORTED: usize = 32;
    pub(super) const OPEN: usize = 33;
    pub(super) const NAMED: usize = 34;
    pub(super) const NODE: usize = 35;
}

impl View<'_> {
    /// Selects one of two columns: for the power itself, or for the others.
    fn side(&self, power: i32) -> usize {
        usize::from(power != self.power)
    }

    /// The number of centres of each power.
    fn sizes(&self) -> [u8; POWERS] {
        let mut sizes = [0_u8; POWERS];
        for row in self.nodes.iter().filter(|row| row[node::CENTRE] == 1) {
            if let Some(size) = sizes.get_mut(row[node::OWNER] as usize) {
                *size = size.saturating_add(1);
            }
        }
        sizes
    }

    fn terrain(&self, exempt: i32, features: &mut [u8]) {
        let sizes = self.sizes();
        let size = |power: i32| sizes.get(power as usize).map_or(0, |&size| size.min(30) * 4);
        for (row, at) in self.nodes.iter().zip(features.chunks_exact_mut(NODE_FEATURES)) {
            let mut set = |column: usize, there: bool| {
                if there {
                    at[column] = WHOLE;
                }
            };
            set(feature::NODE, true);
            set(feature::TERRAIN + row[node::TERRAIN].clamp(0, 2) as usize, true);
            set(feature::COASTS, row[node::COASTS] > 1);
            set(feature::CENTRE, row[node::CENTRE] == 1);
            set(feature::NEUTRAL, row[node::CENTRE] == 1 && row[node::OWNER] == NOTHING);
            set(feature::OWNER + self.side(row[node::OWNER]), row[node::OWNER] != NOTHING);
            set(feature::HOME + self.side(row[node::HOME]), row[node::HOME] != NOTHING);
            let kind = row[node::UNIT].clamp(0, 2) as usize;
            set(feature::UNIT + 3 * self.side(row[node::POWER]) + kind, row[node::UNIT] != NOTHING);
            let dislodged = row[node::DISLODGED_POWER];
            set(feature::DISLODGED + self.side(dislodged), row[node::DISLODGED] != NOTHING);
            set(feature::DOOMED, row[node::DOOMED] == 1);
            set(feature::SINKING, row[node::SINKING] == 1);
            at[feature::OWNER_SIZE] = size(row[node::OWNER]);
            at[feature::UNIT_SIZE] = size(row[node::POWER]);
        }
        if let Ok(exempt) = usize::try_from(exempt - self.first)
            && let Some(at) = features.chunks_exact_mut(NODE_FEATURES).nth(exempt)
        {
            at[feature::EXEMPT] = WHOLE;
        }
    }

    /// Counts, by owner, how many units could move to each node.
    fn reach(&self, features: &mut [u8]) {
        let mut counts = vec![[0_u8; POWERS]; self.nodes.len()];
        // A fleet may have several edges into a province, one for each coast: it counts once.
        let mut last = vec![NOTHING; self.nodes.len()];
        for row in self.edges {
            let (from, to) = ((row[edge::FROM] - self.first) as usize, (row[edge::TO] - self.first) as usize);
            let stands = &self.nodes[from];
            let walks = match stands[node::UNIT] {
                0 => Walks::OnLand,
                1 | 2 => Walks::AtSea,
                _ => continue,
            };
            let fits = match walks {
                Walks::OnLand => row[edge::KIND] == 0,
                Walks::AtSea => {
                    row[edge::KIND] == 1
                        && (row[edge::FROM_COAST] == NOTHING
                            || stands[node::COAST] == NOTHING
                            || row[edge::FROM_COAST] == stands[node::COAST])
                }
            };
            if fits
                && last[to] != from as i32
                && let Some(count) = counts[to].get_mut(stands[node::POWER] as usize)
            {
                *count += 1;
                last[to] = from as i32;
            }
        }
        for (counts, at) in counts.iter().zip(features.chunks_exact_mut(NODE_FEATURES)) {
            let own = counts.get(self.power as usize).copied().unwrap_or(0);
            let others = counts.iter().enumerate().filter(|(power, _)| *power != self.power as usize);
            let strongest = others.clone().map(|(_, &count)| count).max().unwrap_or(0);
            let all: u8 = others.map(|(_, &count)| count).sum();
            at[feature::OWN_REACH] = own.min(4) * 30;
            at[feature::STRONGEST_REACH] = strongest.min(4) * 30;
            at[feature::OTHER_REACH] = all.min(6) * 20;
            at[feature::THREATENED] = if strongest > 0 { WHOLE } else { 0 };
        }
    }

    /// Encodes the settled orders of the power.
    fn commit(&self, asks: std::ops::Range<usize>, committed: &[i32], features: &mut [u8]) {
        let column = |row: i32, column: usize| {
            usize::try_from(row - self.first).ok().map(|at| at * NODE_FEATURES + column)
        };
        for number in asks {
            let asked = self.rows.asks[number];
            let mut set = |row: i32, which: usize, value: u8| {
                if row != NOTHING
                    && let Some(feature) = column(row, which).and_then(|at| features.get_mut(at))
                {
                    *feature = feature.saturating_add(value).min(127);
                }
            };
            let choice = committed.get(number).copied().unwrap_or(NOTHING);
            if choice < 0 || choice >= asked[ask::END] - asked[ask::BEGIN] {
                set(asked[ask::NODE], feature::OPEN, WHOLE);
                continue;
            }
            let row = self.rows.orders[(asked[ask::BEGIN] + choice) as usize];
            let (about, target) = (asked[ask::NODE], row[order::TARGET]);
            let kind = usize::try_from(row[order::KIND]).ok().and_then(|kind| OrderKind::ALL.get(kind));
            match kind {
                Some(OrderKind::None | OrderKind::Hold) => set(about, feature::HOLDS, WHOLE),
                Some(OrderKind::Move | OrderKind::MoveByConvoy | OrderKind::Embark) => {
                    set(about, feature::LEAVES, WHOLE);
                    set(target, feature::ENTERED, WHOLE);
                }
                Some(OrderKind::SupportHold | OrderKind::SupportMove | OrderKind::SupportLanding) => {
                    set(about, feature::SUPPORTS, WHOLE);
                    set(target, feature::SUPPORTED, 32);
                }
                Some(OrderKind::Convoy) => set(about, feature::CONVOYS, WHOLE),
                _ => {
                    set(row[order::UNIT], feature::NAMED, WHOLE);
                    set(target, feature::NAMED, WHOLE);
                }
            }
        }
    }

    fn seat_features(&self, game: [i32; game::COLUMNS], seen: [i32; seat::COLUMNS]) -> [u8; SEAT_FEATURES] {
        let mut features = [0; SEAT_FEATURES];
        let sizes = self.sizes();
        let own = sizes.get(self.power as usize).copied().unwrap_or(0);
        let others = sizes.iter().enumerate().filter(|(power, _)| *power != self.power as usize);
        let largest = others.clone().map(|(_, &size)| size).max().unwrap_or(0);
        let alive = others.filter(|(_, size)| **size > 0).count();
        let units = self.nodes.iter().filter(|row| row[node::POWER] == self.power).count();
        let left = (game[game::LAST_YEAR] - game[game::YEAR]).clamp(0, 15);
        let lacking = (game[game::CENTRES_TO_WIN] - i32::from(own)).clamp(0, 40);
        features[seen[seat::STAGE].clamp(0, 5) as usize] = WHOLE;
        features[6 + game[game::SEASON].clamp(0, 2) as usize] = WHOLE;
        features[9] = left as u8 * 8;
        features[10] = if left == 0 { WHOLE } else { 0 };
        features[11] = own.min(40) * 3;
        features[12] = units.min(40) as u8 * 3;
        features[13] = largest.min(40) * 3;
        features[14] = alive.min(12) as u8 * 10;
        features[15] = lacking as u8 * 3;
        features[16] = if lacking <= 3 { WHOLE } else { 0 };
        features[17] = if largest > own { WHOLE } else { 0 };
        features[18] = if own as usize > units { WHOLE } else { 0 };
        features[19] = if units > own as usize { WHOLE } else { 0 };
        features
    }
}

/// The numbers of the columns of tables: a module for each table.
macro_rules! columns {
    ($($(#[$about:meta])* $module:ident of $table:ident: $($name:ident = $column:literal),+;)+) => {$(
        $(#[$about])*
        pub(crate) mod $module {
            use upheaval_env::tables::$table;

            pub(crate) const COLUMNS: usize = $table.columns.len();
            $(pub(crate) const $name: usize = $table.column($column);)+
        }
    )+};
}

columns! {
    /// The table of games.
    game of GAMES:
        YEAR = "year", SEASON = "season", CENTRES_TO_WIN = "centres_to_win", LAST_YEAR = "last_year",
        NODES = "nodes", EDGES = "edges";
    /// The table of nodes.
    node of NODES:
        TERRAIN = "terrain", COASTS = "coasts", CENTRE = "centre", OWNER = "owner", HOME = "home",
        UNIT = "unit", POWER = "power", COAST = "coast", DISLODGED = "dislodged",
        DISLODGED_POWER = "dislodged_power", DOOMED = "doomed", SINKING = "sinking";
    /// The table of edges.
    edge of EDGES:
        FROM = "from", TO = "to", KIND = "kind", FROM_COAST = "from_coast";
    /// The table of seats.
    seat of SEATS:
        GAME = "game", POWER = "power", STAGE = "stage", EXEMPT = "exempt", ASKS = "asks";
    /// The table of asks.
    ask of ASKS:
        KIND = "kind", NODE = "node", RANK = "rank", BEGIN = "begin", END = "end";
    /// The table of orders.
    order of ORDERS:
        KIND = "kind", UNIT = "unit", TARGET = "target", THIRD = "third", FOURTH = "fourth",
        COAST = "coast";
}
