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

/// Retreats that were sent with the orders of a movement, settled.
#[derive(Clone, Debug, Default)]
pub struct SentRetreats {
    /// The ground on which the units retreated, if any had to: that after the movement, without what the season still
    /// did to the map.
    pub terrain: Option<Arc<Terrain>>,
    /// The dislodged units, in the order in which they are logged.
    pub units: Vec<SentRetreat>,
}

/// What became of a dislodged unit whose retreat was sent with the orders.
#[derive(Clone, Debug)]
pub struct SentRetreat {
    /// The unit.
    pub dislodged: Dislodged,
    /// Where it could go.
    pub options: Vec<Location>,
    /// Where it went, or why it is gone.
    pub outcome: RetreatOutcome,
}

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
    ) -> SentRetreats {
        let dislodged = self.world.retreats.dislodged.clone();
        if dislodged.is_empty() {
            // Contested provinces matter to nobody.
            self.world.retreats.clear();
            self.after_retreats(scene);
            return SentRetreats::default();
        }
        self.phase.kind = PhaseKind::Retreats;
        scene.at = self.phase;
        let terrain = Some(Arc::clone(&self.world.terrain));
        let options: Vec<Vec<Location>> = (0..dislodged.len()).map(|i| self.retreat_options(i)).collect();
        let order = |(unit, options): (&Dislodged, &Vec<Location>)| match lists.of(unit.at) {
            [] => None,
            list => {
                let open = self.first_open(options, list, ground.as_deref());
                // To stay is no legal retreat: the unit has a list, and none of its places is open.
                Some(RetreatOrder::Retreat { to: open.unwrap_or(unit.at.into()) })
            }
        };
        let orders: Vec<Option<RetreatOrder>> = dislodged.iter().zip(&options).map(order).collect();
        drop(ground);
        let outcomes = self.retreat(&orders, scene);
        let units = dislodged.into_iter().zip(options).zip(outcomes);
        let sent = |((dislodged, options), outcome)| SentRetreat { dislodged, options, outcome };
        SentRetreats { terrain, units: units.map(sent).collect() }
    }

    /// The first place of a list to which a dislodged unit with these options can retreat.
    fn first_open(
        &self,
        options: &[Location],
        list: &[Location],
        ground: Option<&Terrain>,
    ) -> Option<Location> {
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
