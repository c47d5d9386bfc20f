//! The world's memory of exempt centres. The rules for them are in `src/engine/rules/mechanism/exemption.rs`.

use upheaval_map::ids::ProvinceId;

/// The exemption of a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exempted {
    /// The centre that holes spare.
    pub centre: Option<ProvinceId>,
    /// The centre that the power had announced as exempt. A later change is not public.
    pub announced: Option<ProvinceId>,
    /// The state of its one change.
    pub change: ExemptionChange,
}

/// A power's one change of its exempt centre (rr01, rule 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExemptionChange {
    /// It has had no occasion yet.
    #[default]
    NotYet,
    /// It may name this centre, its last, while it owns it and the exempt one is in foreign hands. If it
    /// misses the opportunity, it may get another one.
    Offered(ProvinceId),
    /// It has been made.
    Made,
    /// It can no longer be changed: the exemption has lapsed with its power (rr01, rule 8), permanently, even
    /// if that power returns.
    Lapsed,
}
