//! The columns of a batch's tables, by number (`upheaval_env::tables` documents them; a test compares the
//! names).

/// The table of games.
pub(crate) mod game {
    pub(crate) const COLUMNS: usize = 10;
    pub(crate) const YEAR: usize = 1;
    pub(crate) const SEASON: usize = 2;
    pub(crate) const CENTRES_TO_WIN: usize = 4;
    pub(crate) const LAST_YEAR: usize = 5;
    pub(crate) const NODES: usize = 6;
    pub(crate) const EDGES: usize = 7;
}

/// The table of nodes.
pub(crate) mod node {
    pub(crate) const COLUMNS: usize = 14;
    pub(crate) const TERRAIN: usize = 1;
    pub(crate) const COASTS: usize = 2;
    pub(crate) const CENTRE: usize = 3;
    pub(crate) const OWNER: usize = 4;
    pub(crate) const HOME: usize = 5;
    pub(crate) const UNIT: usize = 6;
    pub(crate) const POWER: usize = 7;
    pub(crate) const COAST: usize = 8;
    pub(crate) const DISLODGED: usize = 9;
    pub(crate) const DISLODGED_POWER: usize = 10;
    pub(crate) const DOOMED: usize = 12;
    pub(crate) const SINKING: usize = 13;
}

/// The table of edges.
pub(crate) mod edge {
    pub(crate) const COLUMNS: usize = 5;
    pub(crate) const FROM: usize = 0;
    pub(crate) const TO: usize = 1;
    pub(crate) const KIND: usize = 2;
    pub(crate) const FROM_COAST: usize = 3;
}

/// The table of seats.
pub(crate) mod seat {
    pub(crate) const COLUMNS: usize = 5;
    pub(crate) const GAME: usize = 0;
    pub(crate) const POWER: usize = 1;
    pub(crate) const STAGE: usize = 2;
    pub(crate) const EXEMPT: usize = 3;
    pub(crate) const ASKS: usize = 4;
}

/// The table of asks.
pub(crate) mod ask {
    pub(crate) const COLUMNS: usize = 8;
    pub(crate) const KIND: usize = 1;
    pub(crate) const NODE: usize = 2;
    pub(crate) const RANK: usize = 5;
    pub(crate) const BEGIN: usize = 6;
    pub(crate) const END: usize = 7;
}

/// The table of orders.
pub(crate) mod order {
    pub(crate) const COLUMNS: usize = 6;
    pub(crate) const KIND: usize = 0;
    pub(crate) const UNIT: usize = 1;
    pub(crate) const TARGET: usize = 2;
    pub(crate) const THIRD: usize = 3;
    pub(crate) const FOURTH: usize = 4;
    pub(crate) const COAST: usize = 5;
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
