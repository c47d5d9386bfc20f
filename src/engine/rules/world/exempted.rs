//! What the world remembers of exempt centres. The rules for them are `src/engine/rules/mechanism/exemption.rs`.

use upheaval_map::ids::ProvinceId;

/// What stands between a power and the holes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exempted {
    /// The centre that holes spare.
    pub centre: Option<ProvinceId>,
    /// The one that the power had announced as such. What it changed afterwards, nobody is told.
    pub announced: Option<ProvinceId>,
    /// Its one change.
    pub change: Change,
}

/// A power's one change of its exempt centre (rr01, rule 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Change {
    /// It has no cause yet.
    #[default]
    NotYet,
    /// It may name this centre, its last, while it owns it and the exempt one is in foreign hands. Who lets that go by
    /// may be given cause again.
    Offered(ProvinceId),
    /// It has been made.
    Made,
    /// There is nothing to change any more: the exemption has lapsed with its power (rr01, rule 8), for good, even if
    /// that comes back.
    Lapsed,
}
