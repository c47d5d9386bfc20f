//! Retreats that were sent with the orders, before anybody knew who would be dislodged (rules.md 4.12): nobody is asked,
//! and the season goes on at once.

use std::sync::Arc;

use super::Game;
use crate::rules::order::RetreatOrder;
use crate::rules::position::{Dislodged, PhaseKind};
use crate::rules::retreat::RetreatOutcome;
use crate::rules::retreat_lists::{Listing, RetreatLists};
use crate::rules::terrain::Terrain;
use crate::rules::world::Scene;
use upheaval_map::ids::Location;

impl Game {
    /// The ground on which lists are given, if the retreats may have another: coasts are known by name then.
    pub(super) fn ground_of_lists(&self) -> Option<Arc<Terrain>> {
        (self.variant.listing() == Listing::Anywhere).then(|| Arc::clone(&self.world.terrain))
    }

    /// Settles the retreats of a movement by the lists that came with its orders; `ground` is the one on which these were
    /// given, if it may be another by now. If any unit is dislodged this is the retreat phase of the season. Fleets that must
    /// choose a coast do so afterwards, for no retreat depends on it.
    pub(super) fn retreat_by_lists(
        &mut self,
        lists: &RetreatLists,
        ground: Option<Arc<Terrain>>,
        scene: &mut Scene<'_>,
    ) -> Vec<(Dislodged, RetreatOutcome)> {
        let dislodged = self.world.retreats.dislodged.clone();
        if dislodged.is_empty() {
            // Contested provinces matter to nobody.
            self.world.retreats.clear();
            self.after_retreats(scene);
            return Vec::new();
        }
        self.phase.kind = PhaseKind::Retreats;
        scene.at = self.phase;
        let order = |(i, unit): (usize, &Dislodged)| match lists.of(unit.at) {
            [] => None,
            list => {
                let open = self.first_open(i, list, ground.as_deref());
                // To stay is no legal retreat: the unit has a list, and none of its places is open.
                Some(RetreatOrder::Retreat { to: open.unwrap_or(unit.at.into()) })
            }
        };
        let orders: Vec<Option<RetreatOrder>> = dislodged.iter().enumerate().map(order).collect();
        drop(ground);
        let outcomes = self.retreat(&orders, scene);
        dislodged.into_iter().zip(outcomes).collect()
    }

    /// The first place of a list to which the `i`-th dislodged unit can retreat.
    fn first_open(&self, i: usize, list: &[Location], ground: Option<&Terrain>) -> Option<Location> {
        let options = self.retreat_options(i);
        let Some(ground) = ground else {
            return list.iter().copied().find(|place| options.contains(place));
        };
        // As if the text were read now: a coast by its name, or the only one in reach.
        let names = self.world.terrain.names();
        list.iter().find_map(|&place| {
            let coast = ground.names().coast(place);
            let is_meant = |to: &&Location| {
                to.province == place.province
                    && coast.is_none_or(|coast| names.coast(**to).is_none_or(|name| name == coast))
            };
            let mut meant = options.iter().filter(is_meant);
            meant.next().copied().filter(|_| meant.next().is_none())
        })
    }
}
