//! The changes of the map among all that happens, as they can be applied to a map kept elsewhere.

use crate::rules::event::Event;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use upheaval_map::ids::ByPower;
use upheaval_map::topology::{MapEvent, Quake};

/// Picks the changes of the map out of a game's events.
///
/// ```
/// use upheaval_engine::changes::MapChanges;
/// use upheaval_engine::rules::event::Event;
/// use upheaval_engine::rules::terrain::Terrain;
/// use upheaval_engine::topology::atlas;
/// let terrain = Terrain::new(atlas::standard());
/// let paris = terrain.names().find("PAR").unwrap();
/// let change = MapChanges::default().of_event(&terrain, &Event::Collapsed(paris));
/// assert_eq!(change.unwrap().to_string(), "collapse PAR");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapChanges {
    /// The split that was drawn and has not been done yet.
    split: Option<MapEvent>,
}

impl MapChanges {
    /// The change that an event is, if it is one. Seismic ones come with their orders ([`MapChanges::of_quakes`]), for
    /// their texts may need an index on the map as it was before.
    pub fn of_event(&mut self, terrain: &Terrain, event: &Event) -> Option<MapEvent> {
        let name = |&id| terrain.chart().map().name(id).to_owned();
        match event {
            Event::Collapsed(face) => Some(MapEvent::Collapse(name(face))),
            Event::Voided(face) => Some(MapEvent::Void(name(face))),
            Event::Restored(face) => Some(MapEvent::Restore(name(face))),
            Event::Submerged(face) => Some(MapEvent::Submerge(name(face))),
            Event::Opened(face) => Some(MapEvent::Open(name(face))),
            Event::SplitDrawn(_, ends) => {
                self.split = Some(MapEvent::split_between(terrain.chart().map(), *ends));
                None
            }
            Event::Split(_) => self.split.take(),
            _ => None,
        }
    }

    /// The changes that seismic orders make, each once, in the order of the powers. `terrain` is the ground on which the
    /// orders were given.
    pub fn of_quakes(
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) -> Vec<MapEvent> {
        let mut done: Vec<Quake> = Vec::new();
        for (power, order) in orders.iter() {
            if let (Some(order), Some(SeismicOutcome::Done)) = (order, outcomes[power])
                && !done.contains(&order.quake)
            {
                done.push(order.quake);
            }
        }
        done.iter().map(|quake| quake.event(terrain.chart().map())).collect()
    }
}
