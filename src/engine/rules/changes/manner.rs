//! How a change treats units and centres: while its entry acts, and when it ends.

use upheaval_map::ids::{Power, ProvinceId};

use super::entry::FaceChange;
use super::words::{CentreFate, Entering, Fate, HomeRule, OwnerRule, Stranded};
use crate::rules::game_state::Fates;

/// How a change treats units and centres.
pub(super) struct Manner<'a> {
    /// The fate of the units that may not stay.
    pub units: Fate,
    /// The fate of the units that were ordered into a hole.
    pub entering: Entering,
    /// The fate of fleets without a coast.
    pub stranded: Stranded,
    /// What becomes of the centres of holes and ice.
    pub centre: CentreFate,
    /// The owner of a centre: the first rule that gives one.
    pub owner: &'a [OwnerRule],
    /// The powers whose homes founded centres are.
    pub homes: Homes,
}

/// The powers whose homes founded centres are.
pub(super) enum Homes {
    /// By a rule.
    Rule(HomeRule),
    /// By what they were before.
    Before(Vec<(ProvinceId, Option<Power>)>),
}

impl<'a> Manner<'a> {
    /// While the entry acts.
    pub(super) fn of(change: &'a FaceChange) -> Manner<'a> {
        let FaceChange { units, entering, stranded, centre, home, ref owner, .. } = *change;
        Manner { units, entering, stranded, centre, owner, homes: Homes::Rule(home) }
    }

    /// While its changes end.
    pub(super) fn back(change: &'a FaceChange, homes: Vec<(ProvinceId, Option<Power>)>) -> Manner<'a> {
        Manner {
            units: change.back_units,
            entering: Entering::AsUsual,
            stranded: change.stranded,
            centre: CentreFate::Asleep,
            owner: &change.back_owner,
            homes: Homes::Before(homes),
        }
    }

    /// The fates of units when the map changes.
    pub(super) const fn fates(&self) -> Fates {
        Fates { units: self.units, stranded: self.stranded }
    }
}
