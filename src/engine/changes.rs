//! Extracts the changes of the map from all events, in a form that can be applied to a map kept elsewhere.

use crate::rules::event::Event;
use crate::rules::map_tables::MapTables;
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use upheaval_map::ids::ByPower;
use upheaval_map::topology::{MapEvent, Quake};

/// Extracts the changes of the map from a game's events.
///
/// ```
/// use upheaval_engine::changes::MapChanges;
/// use upheaval_engine::rules::event::Event;
/// use upheaval_engine::rules::map_tables::MapTables;
/// use upheaval_engine::topology::atlas;
/// let terrain = MapTables::new(atlas::standard());
/// let paris = terrain.names().find("PAR").unwrap();
/// let change = MapChanges::default().of_event(&terrain, &Event::Collapsed(paris));
/// assert_eq!(change.unwrap().to_string(), "collapse PAR");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MapChanges {
    /// The split that has been drawn but not yet done.
    split: Option<MapEvent>,
}

impl MapChanges {
    /// The change that an event describes, if any. Seismic changes are derived from the orders instead
    /// ([`MapChanges::of_quakes`]), because their texts may need an index on the map before them.
    pub fn of_event(&mut self, terrain: &MapTables, event: &Event) -> Option<MapEvent> {
        match event {
            Event::SplitDrawn(_, ends) => {
                self.split = Some(MapEvent::split_between(terrain.chart().map(), *ends));
                None
            }
            Event::Split(_) => self.split.take(),
            Event::Custom(custom) => custom.change.clone(),
            _ => {
                let described = event.description();
                let change = described.kind.info().change?;
                change.of(terrain.chart().map().name(described.province?))
            }
        }
    }

    /// The changes that seismic orders make, without duplicates, in the order of the powers. `terrain` is the
    /// ground on which the orders were given.
    pub fn of_quakes(
        terrain: &MapTables,
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
