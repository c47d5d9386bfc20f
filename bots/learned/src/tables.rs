//! The columns of a batch's tables, by number (`upheaval_env::tables` documents them; a test compares the
//! names).

/// The table of games.
pub mod game {
    pub const COLUMNS: usize = 10;
    pub const YEAR: usize = 1;
    pub const SEASON: usize = 2;
    pub const CENTRES_TO_WIN: usize = 4;
    pub const LAST_YEAR: usize = 5;
    pub const NODES: usize = 6;
    pub const EDGES: usize = 7;
}

/// The table of nodes.
pub mod node {
    pub const COLUMNS: usize = 14;
    pub const TERRAIN: usize = 1;
    pub const COASTS: usize = 2;
    pub const CENTRE: usize = 3;
    pub const OWNER: usize = 4;
    pub const HOME: usize = 5;
    pub const UNIT: usize = 6;
    pub const POWER: usize = 7;
    pub const COAST: usize = 8;
    pub const DISLODGED: usize = 9;
    pub const DISLODGED_POWER: usize = 10;
    pub const DOOMED: usize = 12;
    pub const SINKING: usize = 13;
}

/// The table of edges.
pub mod edge {
    pub const COLUMNS: usize = 5;
    pub const FROM: usize = 0;
    pub const TO: usize = 1;
    pub const KIND: usize = 2;
    pub const FROM_COAST: usize = 3;
}

/// The table of seats.
pub mod seat {
    pub const COLUMNS: usize = 5;
    pub const GAME: usize = 0;
    pub const POWER: usize = 1;
    pub const STAGE: usize = 2;
    pub const EXEMPT: usize = 3;
    pub const ASKS: usize = 4;
}

/// The table of asks.
pub mod ask {
    pub const COLUMNS: usize = 8;
    pub const KIND: usize = 1;
    pub const NODE: usize = 2;
    pub const RANK: usize = 5;
    pub const BEGIN: usize = 6;
    pub const END: usize = 7;
}

/// The table of orders.
pub mod order {
    pub const COLUMNS: usize = 6;
    pub const KIND: usize = 0;
    pub const UNIT: usize = 1;
    pub const TARGET: usize = 2;
    pub const THIRD: usize = 3;
    pub const FOURTH: usize = 4;
    pub const COAST: usize = 5;
}

/// Each table's columns with their names, for comparison with `upheaval_env::tables`.
pub fn columns() -> Vec<(&'static str, Vec<(&'static str, usize)>)> {
    vec![
        (
            "games",
            vec![
                ("year", game::YEAR),
                ("season", game::SEASON),
                ("centres_to_win", game::CENTRES_TO_WIN),
                ("last_year", game::LAST_YEAR),
                ("nodes", game::NODES),
                ("edges", game::EDGES),
            ],
        ),
        (
            "nodes",
            vec![
                ("terrain", node::TERRAIN),
                ("coasts", node::COASTS),
                ("centre", node::CENTRE),
                ("owner", node::OWNER),
                ("home", node::HOME),
                ("unit", node::UNIT),
                ("power", node::POWER),
                ("coast", node::COAST),
                ("dislodged", node::DISLODGED),
                ("dislodged_power", node::DISLODGED_POWER),
                ("doomed", node::DOOMED),
                ("sinking", node::SINKING),
            ],
        ),
        (
            "edges",
            vec![
                ("from", edge::FROM),
                ("to", edge::TO),
                ("kind", edge::KIND),
                ("from_coast", edge::FROM_COAST),
            ],
        ),
        (
            "seats",
            vec![
                ("game", seat::GAME),
                ("power", seat::POWER),
                ("stage", seat::STAGE),
                ("exempt", seat::EXEMPT),
                ("asks", seat::ASKS),
            ],
        ),
        (
            "asks",
            vec![
                ("kind", ask::KIND),
                ("node", ask::NODE),
                ("rank", ask::RANK),
                ("begin", ask::BEGIN),
                ("end", ask::END),
            ],
        ),
        (
            "orders",
            vec![
                ("kind", order::KIND),
                ("unit", order::UNIT),
                ("target", order::TARGET),
                ("third", order::THIRD),
                ("fourth", order::FOURTH),
                ("coast", order::COAST),
            ],
        ),
    ]
}
