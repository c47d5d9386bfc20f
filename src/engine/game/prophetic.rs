//! Retreats sent with the orders, before it is known which units will be dislodged (rules.md 4.12): no
//! retreat phase is needed, and the season continues at once.

use std::sync::Arc;

use super::Game;
use crate::rules::game_state::EventContext;
use crate::rules::map_tables::MapTables;
use crate::rules::order::RetreatOrder;
use crate::rules::position::{Dislodged, PhaseKind};
use crate::rules::retreat_lists::{Listing, RetreatLists};
use upheaval_map::ids::Location;

impl Game {
    /// The ground on which lists are given, if it may differ from that of the retreats; coasts are then
    /// matched by name.
    pub(super) fn ground_of_lists(&self) -> Option<Arc<MapTables>> {
        (self.variant.listing() == Listing::Anywhere).then(|| Arc::clone(&self.world.terrain))
    }

    /// Settles the retreats of a movement by the lists that came with its orders; `ground` is the ground on
    /// which the lists were given, if it may have changed. If any unit is dislodged, this is the retreat
    /// phase of the season. Fleets that must choose a coast do so afterwards, because no retreat depends on
    /// it.
    pub(super) fn retreat_by_lists(
        &mut self,
        lists: &RetreatLists,
        ground: Option<Arc<MapTables>>,
        scene: &mut EventContext<'_>,
    ) {
        let dislodged = self.world.retreats.dislodged.clone();
        if dislodged.is_empty() {
            // Contested provinces no longer matter.
            self.world.retreats.clear();
            return self.after_retreats(scene);
        }
        self.phase.kind = PhaseKind::Retreats;
        scene.at = self.phase;
        let options: Vec<Vec<Location>> = (0..dislodged.len()).map(|i| self.retreat_options(i)).collect();
        let order = |(unit, options): (&Dislodged, &Vec<Location>)| match lists.of(unit.at) {
            [] => None,
            list => {
                let open = self.first_open(options, list, ground.as_deref());
                // Staying is not a legal retreat: it marks a unit that has a list without an open place.
                Some(RetreatOrder::Retreat { to: open.unwrap_or(unit.at.into()) })
            }
        };
        let orders: Vec<Option<RetreatOrder>> = dislodged.iter().zip(&options).map(order).collect();
        drop(ground);
        self.retreat(&orders, &options, scene);
    }

    /// The first place of a list to which a dislodged unit with these options can retreat.
    fn first_open(
        &self,
        options: &[Location],
        list: &[Location],
        ground: Option<&MapTables>,
    ) -> Option<Location> {
        let Some(ground) = ground else {
            return list.iter().copied().find(|place| options.contains(place));
        };
        // As if the text were read now: a coast is found by name, or is the only one in reach.
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
